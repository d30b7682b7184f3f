/* "janggid ctl top": the sources (addresses) and the accounts that cause the most load
 * at present, and the sources that are refused most. */
#ifndef SERVER_ADMIN_TOP_H
#define SERVER_ADMIN_TOP_H

#include <stdint.h>

struct admission;
struct sessions;
struct talk;

enum { TOP_ROWS = 10 };

/* Sends a row for each of the first TOP_ROWS sources, then accounts, that sent a
 * command in the last minute, and for each of the first that were refused connections. */
void top_say(struct talk *talk, struct sessions *sessions,
             const struct admission *admission, int64_t now_ms);

#endif
