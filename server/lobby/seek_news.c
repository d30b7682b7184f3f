/* See seek_news.h. */
#include "server/lobby/seek_news.h"

#include <stdio.h>
#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "server/account/accounts.h"
#include "server/base/deadline.h"
#include "server/lobby/lobby.h"
#include "server/lobby/market.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/peace.h"
#include "server/room/rooms.h"

enum { SEEK_LINE_BYTES = WISH_WORDS_BYTES + NAME_BYTES + 96 };

struct seek_news {
    struct deadlines *deadlines;
    const struct market *market;
    struct rooms *rooms;
    const struct ratings *ratings;
    struct session *listeners;
    struct deadline deadline; /* of the next news */
    struct deadline_kind kind;
    int64_t told; /* the id of the newest seek that is not news any more */
};

/* True if another player made the seek, and neither of the two ignores or blocks the
 * other. */
static bool concerns(const struct seek_news *news, const struct session *session,
                     const struct seek *seek)
{
    return seek->maker != session->account &&
           !peace_keeps_apart(accounts_marks(news->rooms->accounts), session->account,
                              seek->maker);
}

/* The newest seek that concerns the session. *more: how many others do, of the newest
 * that are examined. */
static const struct seek *find_news(const struct seek_news *news,
                                    const struct session *session, int *more)
{
    enum { LOOKS_MAX = 32 };
    const struct seek *found = NULL, *seek = market_last(news->market);

    *more = 0;
    for (int i = 0; i < LOOKS_MAX && seek != NULL && seek->id > news->told;
         i++, seek = market_before(news->market, seek)) {
        if (!concerns(news, session, seek))
            continue;
        if (found == NULL)
            found = seek;
        else
            (*more)++;
    }
    return found;
}

/* The line for the last listener: most listeners get the same one. */
struct seek_line {
    const struct seek *seek;
    int more;
    char text[SEEK_LINE_BYTES];
};

static void format_line(struct seek_line *line, const struct seek_news *news,
                        const struct seek *seek, int more)
{
    char words[WISH_WORDS_BYTES], rating[RATINGS_WORDS_BYTES], others[24] = "";

    if (line->seek == seek && line->more == more)
        return;
    lobby_seek_words(words, seek);
    ratings_words(rating, news->ratings, seek->maker->number,
                  ratings_pool_of(seek->terms.rules, &seek->terms.time), mono_wall_s());
    if (more > 0)
        snprintf(others, sizeof others, " more=%d", more);
    snprintf(line->text, sizeof line->text,
             "! seek %lld by=%s%s %s%s : accept %lld plays it", (long long)seek->id,
             seek->maker->shown, rating, words, others, (long long)seek->id);
    line->seek = seek;
    line->more = more;
}

static void tell(const struct seek_news *news, struct session *session,
                 struct seek_line *line)
{
    const struct seek *seek;
    int more;

    if (!notice_fits(session) || peace_is_playing(news->rooms, session->account))
        return;
    seek = find_news(news, session, &more);
    if (seek == NULL)
        return;
    format_line(line, news, seek, more);
    session_sayf(session, "%s", line->text);
}

static void on_due(void *arg, struct deadline *deadline, int64_t now_wall_s)
{
    struct seek_news *news = arg;
    const struct seek *newest = market_last(news->market);
    struct seek_line line = {.seek = NULL};
    struct session *session;

    (void)deadline;
    (void)now_wall_s;
    DL_FOREACH2 (news->listeners, session, listener_next)
        tell(news, session, &line);
    if (newest != NULL)
        news->told = newest->id;
}

struct seek_news *seek_news_new(struct deadlines *deadlines,
                                const struct market *market, struct rooms *rooms,
                                const struct ratings *ratings)
{
    struct seek_news *news = mem_new(sizeof *news);

    *news = (struct seek_news){.deadlines = deadlines,
                               .market = market,
                               .rooms = rooms,
                               .ratings = ratings,
                               .kind = {on_due, news}};
    return news;
}

void seek_news_free(struct seek_news *news)
{
    if (news == NULL)
        return;
    deadlines_remove(news->deadlines, &news->deadline);
    free(news);
}

void seek_news_listen(struct seek_news *news, struct session *session, bool wants)
{
    if (session->wants_seeks == wants)
        return;
    session->wants_seeks = wants;
    if (wants)
        DL_APPEND2(news->listeners, session, listener_prev, listener_next);
    else
        DL_DELETE2(news->listeners, session, listener_prev, listener_next);
}

/* A seek that was added while nobody listened is not news for those who listen later. */
void seek_news_note(struct seek_news *news)
{
    const struct seek *newest = market_last(news->market);

    if (news->listeners == NULL)
        news->told = newest != NULL ? newest->id : news->told;
    else if (news->deadline.place == 0)
        deadlines_set(news->deadlines, &news->deadline, &news->kind, mono_wall_s() + 1);
}
