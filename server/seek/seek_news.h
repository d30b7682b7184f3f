/* News of seeks, for players who asked for it with `seeks on`: at most one line a
 * second, and none during a game with clocks. */
#ifndef SERVER_SEEK_SEEK_NEWS_H
#define SERVER_SEEK_SEEK_NEWS_H

#include <stdbool.h>

#include "common/base/base.h"

struct deadlines;
struct market;
struct ratings;
struct rooms;
struct seek_news;
struct session;

/* Borrows its arguments. */
struct seek_news *seek_news_new(struct deadlines *spans, const struct market *market,
                                struct rooms *rooms,
                                const struct ratings *ratings) MUST_USE;
/* Accepts NULL. */
void seek_news_free(struct seek_news *news);

/* If `wants` is true, the session gets the news from now on. If `wants` is false, the
 * session does not get the news any more. Call it with false before the session is
 * freed. Repeated calls do no harm. */
void seek_news_listen(struct seek_news *news, struct session *session, bool wants);

/* Call it when a seek was added to the market. A second later the listeners are told of
 * the newest seek that was added meanwhile and is still open. */
void seek_news_note(struct seek_news *news);

#endif
