/* "janggid ctl top": the sources (addresses) and the accounts that cause the most load
 * at present, and the sources that are refused most. */
#ifndef SERVER_ADMIN_TOP_H
#define SERVER_ADMIN_TOP_H

#include <stdint.h>

struct admission;
struct sessions;
struct talk;

enum { TOP_ROWS = 10 };

/* Sends three lists, each of at most TOP_ROWS rows: the sources that caused the most
 * load in the last minute; the accounts that caused the most load in that minute; and
 * the sources whose connections were refused most. */
void top_say(struct talk *talk, struct sessions *sessions,
             const struct admission *admission, int64_t now_ms);

#endif
