/* See seek_news.h. */
#include "server/seek/seek_news.h"

#include <stdio.h>
#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "server/account/accounts.h"
#include "server/base/deadline.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/peace.h"
#include "server/room/quiet.h"
#include "server/room/rooms.h"
#include "server/seek/market.h"
#include "server/seek/seeks.h"

enum { SEEK_LINE_BYTES = WISH_WORDS_BYTES + NAME_BYTES + 96 };

struct seek_news {
    struct deadlines *spans;
    const struct market *market;
    struct rooms *rooms;
    const struct ratings *ratings;
    struct session *listeners;
    struct deadline deadline; /* when to tell the next news */
    struct deadline_kind kind;
    int64_t told; /* the seeks up to this id are not news any more */
    bool is_telling;
    struct session *next; /* while is_telling: the listener who is told next; NULL:
                           * none */
    int64_t newest;       /* while is_telling: seeks with an id above this one are told
                     * later */
};

/* How many seeks are examined in one turn, for all listeners together. The listeners
 * who were not reached are told a second later. */
enum { LOOKS_AT_ONCE = 4096 };

/* True if the maker of the seek is not the session's player, and neither of the two
 * ignores or blocks the other. */
static bool concerns(const struct seek_news *news, const struct session *session,
                     const struct seek *seek)
{
    return seek->maker != session->account &&
           !peace_keeps_apart(accounts_marks(news->rooms->accounts), session->account,
                              seek->maker);
}

/* Finds the newest seek that concerns the session. Sets *more to the number of other
 * seeks that concern it. Examines at most LOOKS_MAX seeks, the newest ones, and adds
 * the number of examined seeks to *looks. */
static const struct seek *find_news(const struct seek_news *news,
                                    const struct session *session, int *more,
                                    int *looks)
{
    enum { LOOKS_MAX = 32 };
    const struct seek *found = NULL, *seek = market_last(news->market);

    *more = 0;
    for (int i = 0; i < LOOKS_MAX && seek != NULL && seek->id > news->told;
         i++, seek = market_before(news->market, seek)) {
        ++*looks;
        if (seek->id > news->newest || !concerns(news, session, seek))
            continue;
        if (found == NULL)
            found = seek;
        else
            (*more)++;
    }
    return found;
}

/* The line that the last listener got. It is kept for the next listener, because most
 * listeners get the same line. */
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
    wish_format_seek(words, seek);
    rated_words(rating, news->ratings, seek->maker, &seek->terms);
    if (more > 0)
        snprintf(others, sizeof others, " more=%d", more);
    snprintf(line->text, sizeof line->text,
             "! seek %lld by=%s%s %s%s : accept %lld plays it", (long long)seek->id,
             seek->maker->shown, rating, words, others, (long long)seek->id);
    line->seek = seek;
    line->more = more;
}

static void tell(const struct seek_news *news, struct session *session,
                 struct seek_line *line, int *looks)
{
    const struct seek *seek;
    int more;

    ++*looks;
    if (!notice_fits(session) || quiet_is_now(news->rooms, session->account))
        return;
    seek = find_news(news, session, &more, looks);
    if (seek == NULL)
        return;
    format_line(line, news, seek, more);
    session_sayf(session, "%s", line->text);
}

static void begin_to_tell(struct seek_news *news)
{
    const struct seek *newest = market_last(news->market);

    news->is_telling = true;
    news->next = news->listeners;
    news->newest = newest != NULL ? newest->id : news->told;
}

static void end_telling(struct seek_news *news)
{
    news->is_telling = false;
    if (news->newest > news->told)
        news->told = news->newest;
}

static void on_due(void *arg, struct deadline *deadline, int64_t now_s)
{
    struct seek_news *news = arg;
    struct seek_line line = {.seek = NULL};
    const struct seek *newest;
    int looks = 0;

    (void)deadline;
    if (!news->is_telling)
        begin_to_tell(news);
    for (; news->next != NULL && looks < LOOKS_AT_ONCE;
         news->next = news->next->listener_next)
        tell(news, news->next, &line, &looks);
    if (news->next == NULL)
        end_telling(news);
    newest = market_last(news->market);
    if (news->next != NULL || (newest != NULL && newest->id > news->told))
        deadlines_set(news->spans, &news->deadline, &news->kind, now_s + 1);
}

struct seek_news *seek_news_new(struct deadlines *spans, const struct market *market,
                                struct rooms *rooms, const struct ratings *ratings)
{
    struct seek_news *news = mem_new(sizeof *news);

    *news = (struct seek_news){.spans = spans,
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
    deadlines_remove(news->spans, &news->deadline);
    free(news);
}

void seek_news_listen(struct seek_news *news, struct session *session, bool wants)
{
    if (session->wants_seeks == wants)
        return;
    session->wants_seeks = wants;
    if (wants) {
        DL_APPEND2(news->listeners, session, listener_prev, listener_next);
        return;
    }
    if (news->next == session)
        news->next = session->listener_next;
    DL_DELETE2(news->listeners, session, listener_prev, listener_next);
}

/* A seek that was added while nobody listened is not news for those who listen
 * later. */
void seek_news_note(struct seek_news *news)
{
    const struct seek *newest = market_last(news->market);

    if (news->listeners == NULL)
        news->told = newest != NULL ? newest->id : news->told;
    else if (news->deadline.place == 0)
        deadlines_set(news->spans, &news->deadline, &news->kind, mono_now_s() + 1);
}
