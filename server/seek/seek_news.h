/* News of seeks, for players who asked for it with `seeks on`: at most one line a second,
 * and none during a game with clocks. */
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
/* `news` may be NULL. */
void seek_news_free(struct seek_news *news);

/* From now on the session gets the news, or (`wants` false) no longer gets them. Call
 * it with false before the session is freed; it may be called again. */
void seek_news_listen(struct seek_news *news, struct session *session, bool wants);

/* A seek was added to the market. If it is still open a second later, the listeners are
 * told of it, or of the newest that was added meanwhile. */
void seek_news_note(struct seek_news *news);

#endif
