/* "janggid ctl top": the sources (addresses) and the accounts that cause the most load
 * at present. */
#ifndef SERVER_ADMIN_TOP_H
#define SERVER_ADMIN_TOP_H

#include <stdint.h>

struct sessions;
struct talk;

enum { TOP_ROWS = 10 };

/* Sends a row for each of the first TOP_ROWS sources, then accounts, that sent a
 * command in the last minute. */
void top_say(struct talk *talk, struct sessions *sessions, int64_t now_ms);

#endif
