/* See seeks.h. */
#include "server/lobby/seeks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/account/accounts.h"
#include "server/base/budget.h"
#include "server/base/world.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/presence.h"
#include "server/room/privacy.h"
#include "server/room/rooms.h"
#include "server/store/store.h"

enum {
    REFUSAL_MS = 5 * 60 * 1000, /* a declined challenge may not be repeated for this
                                 * time */
    WITHDRAWAL_MS = 60 * 1000   /* if a maker takes back two challenges to one player
                                 * within this time, the maker must wait for an equally
                                 * long time */
};

static const struct rate news_rate = {1000, 10}; /* lines of news for a listener */

/* --- News that something is no longer open --- */

void gone_tell(struct sessions *sessions, uint64_t id, const struct gone *gone)
{
    struct session *session = session_find(sessions, id);
    char next[32] = "";

    if (gone->next != 0)
        snprintf(next, sizeof next, " new=%lld", (long long)gone->next);
    if (session != NULL)
        session_sayf(session, "! gone %s why=%s kind=%s%s%s%s", gone->id, gone->why,
                     gone->kind, gone->by[0] != '\0' ? " by=" : "", gone->by, next);
}

/* --- Pairs of players --- */

enum { PAIR_BYTES = 2 * NAME_BYTES };

/* The table keeps the order in which pairs were added: the first pair expires first. */
struct pair {
    char names[PAIR_BYTES]; /* "ONE OTHER" */
    int64_t until_ms;
    UT_hash_handle hh;
};

struct pairs {
    struct pair *first;
    int64_t keep_ms;
};

struct pairs *pairs_new(int64_t keep_ms)
{
    struct pairs *pairs = mem_new(sizeof *pairs);

    pairs->keep_ms = keep_ms;
    return pairs;
}

static void forget(struct pairs *pairs, struct pair *pair)
{
    HASH_DEL(pairs->first, pair);
    free(pair);
}

void pairs_free(struct pairs *pairs)
{
    if (pairs == NULL)
        return;
    while (pairs->first != NULL)
        forget(pairs, pairs->first);
    free(pairs);
}

static struct pair *find(const struct pairs *pairs, const char *one, const char *other)
{
    char names[PAIR_BYTES];
    struct pair *pair;

    snprintf(names, sizeof names, "%s %s", one, other);
    HASH_FIND_STR(pairs->first, names, pair);
    return pair;
}

static void pairs_drop(struct pairs *pairs, const char *one, const char *other)
{
    struct pair *pair = find(pairs, one, other);

    if (pair != NULL)
        forget(pairs, pair);
}

void pairs_add(struct pairs *pairs, const char *one, const char *other, int64_t now_ms)
{
    struct pair *pair;

    pairs_drop(pairs, one, other);
    while (pairs->first != NULL &&
           (pairs->first->until_ms <= now_ms || HASH_COUNT(pairs->first) >= PAIRS_MAX))
        forget(pairs, pairs->first);
    pair = mem_new(sizeof *pair);
    snprintf(pair->names, sizeof pair->names, "%s %s", one, other);
    pair->until_ms = now_ms + pairs->keep_ms;
    HASH_ADD_STR(pairs->first, names, pair);
}

int64_t pairs_left_ms(const struct pairs *pairs, const char *one, const char *other,
                      int64_t now_ms)
{
    const struct pair *pair = find(pairs, one, other);

    return pair != NULL && pair->until_ms > now_ms ? pair->until_ms - now_ms : 0;
}

/* --- Seeks --- */

struct seeks {
    const struct world *world;
    struct seek *by_id; /* seeks and challenges */
    struct seek *open;  /* seeks, the oldest first */
    int count;          /* of `open` */
    struct session *listeners;
    struct budget news;        /* lines to each listener */
    struct pairs *refusals;    /* maker and target of each declined challenge */
    struct pairs *withdrawals; /* maker and target of each challenge that its maker took
                                * back */
    struct pairs *repeats;     /* maker and target, when the maker took back a second
                                * challenge soon after the first */
};

/* Sends the challenge to its target. A slow reader gets it later, from seeks_tell(), if
 * it is still open then. */
static void tell_challenge(struct seeks *seeks, struct seek *seek)
{
    struct session *session =
        session_find(seeks->world->sessions, seek->target->session);
    char words[TERMS_BYTES], rating[RATINGS_WORDS_BYTES];

    if (session == NULL || !notice_fits(session))
        return;
    terms_format(words, &seek->terms);
    rated_words(rating, seeks->world->ratings, seek->maker, &seek->terms);
    session_sayf(session, "! challenge %lld by=%s%s %s : accept %lld or decline %lld",
                 (long long)seek->id, seek->maker->shown, rating, words,
                 (long long)seek->id, (long long)seek->id);
    seek->told = session->id;
}

/* The challenges that the session has not received yet are at the front of the list.
 * Sends them, and moves each sent challenge to the end of the list. */
void seeks_tell(struct seeks *seeks, struct session *session)
{
    struct account *account = session->account;
    struct seek *seek;

    while ((seek = account->asked) != NULL && seek->told != session->id) {
        tell_challenge(seeks, seek);
        if (seek->told != session->id)
            return;
        DL_DELETE2(account->asked, seek, asked_prev, asked_next);
        DL_APPEND2(account->asked, seek, asked_prev, asked_next);
    }
}

static void free_seek(struct seeks *seeks, struct seek *seek)
{
    struct account *maker = seek->maker, *target = seek->target;

    HASH_DEL(seeks->by_id, seek);
    DL_DELETE2(maker->made, seek, made_prev, made_next);
    if (target != NULL) {
        quota_count(maker, QUOTA_CHALLENGE, -1);
        target->asked_count--;
        DL_DELETE2(target->asked, seek, asked_prev, asked_next);
    } else {
        quota_count(maker, QUOTA_SEEK, -1);
        DL_DELETE2(seeks->open, seek, open_prev, open_next);
        seeks->count--;
    }
    deadlines_remove(seeks->world->spans, &seek->deadline);
    free(seek);
}

/* Removes a seek or challenge and sends its notices. next: the challenge that takes its
 * place, or 0. */
static void drop_for(struct seeks *seeks, struct seek *seek, const char *why,
                     int64_t next)
{
    struct gone gone = {
        .kind = seek->target == NULL ? "seek" : "challenge", .why = why, .next = next};

    snprintf(gone.id, sizeof gone.id, "%lld", (long long)seek->id);
    text_copy(gone.by, sizeof gone.by, seek->maker->shown);
    gone_tell(seeks->world->sessions, seek->maker->session, &gone);
    gone_tell(seeks->world->sessions, seek->told, &gone);
    free_seek(seeks, seek);
}

/* Notes that the maker took a challenge back. After the first one, which may have been
 * a mistake, the maker may challenge again at once; after a second one, the maker has
 * to wait. */
static void note_withdrawal(struct seeks *seeks, const struct seek *challenge)
{
    const char *maker = challenge->maker->folded, *target = challenge->target->folded;
    int64_t now_ms = mono_now_ms();
    bool is_second = pairs_left_ms(seeks->withdrawals, maker, target, now_ms) > 0;

    pairs_add(is_second ? seeks->repeats : seeks->withdrawals, maker, target, now_ms);
}

struct seek *seeks_open(struct seeks *seeks, struct account *maker,
                        struct account *target, const struct terms *terms,
                        const struct range *range)
{
    struct seek *before = target != NULL ? seeks_find_challenge(maker, target) : NULL;
    struct seek *seek;
    int max;

    if (before == NULL && quota_judge(accounts_quotas(seeks->world->accounts),
                                      target != NULL ? QUOTA_CHALLENGE : QUOTA_SEEK,
                                      maker, &max) != QUOTA_FREE)
        return NULL;
    seek = mem_new(sizeof *seek);
    seek->id = store_next_number(seeks->world->store);
    seek->maker = maker;
    seek->target = target;
    seek->terms = *terms;
    if (range != NULL)
        seek->range = *range;
    if (before != NULL) {
        note_withdrawal(seeks, before);
        drop_for(seeks, before, "replaced", seek->id);
    }
    HASH_ADD(hh, seeks->by_id, id, sizeof seek->id, seek);
    DL_APPEND2(maker->made, seek, made_prev, made_next);
    if (target == NULL) {
        quota_count(maker, QUOTA_SEEK, 1);
        DL_APPEND2(seeks->open, seek, open_prev, open_next);
        seeks->count++;
        return seek;
    }
    pairs_drop(seeks->refusals, target->folded, maker->folded);
    quota_count(maker, QUOTA_CHALLENGE, 1);
    target->asked_count++;
    tell_challenge(seeks, seek);
    if (seek->told != 0)
        DL_APPEND2(target->asked, seek, asked_prev, asked_next);
    else /* seeks_tell() looks for those in front */
        DL_PREPEND2(target->asked, seek, asked_prev, asked_next);
    return seek;
}

void seeks_format(char out[SEEK_WORDS_BYTES], const struct seek *seek)
{
    char words[TERMS_BYTES], range[RATED_RANGE_BYTES];

    terms_format(words, &seek->terms);
    rated_format_range(range, &seek->range);
    snprintf(out, SEEK_WORDS_BYTES, "%s%s%s", words,
             seek->takes_bots ? " bots=yes" : "", range);
}

struct seek *seeks_first(const struct seeks *seeks)
{
    return seeks->open;
}

int seeks_count(const struct seeks *seeks)
{
    return seeks->count;
}

struct seek *seeks_find(struct seeks *seeks, int64_t id)
{
    struct seek *seek;

    HASH_FIND(hh, seeks->by_id, &id, sizeof id, seek);
    return seek;
}

struct seek *seeks_find_challenge(const struct account *maker,
                                  const struct account *target)
{
    struct seek *seek;

    DL_FOREACH2 (maker->made, seek, made_next)
        if (seek->target == target)
            return seek;
    return NULL;
}

const struct seek *seeks_find_fit(const struct seeks *seeks, const struct seek *mine)
{
    const struct marks *marks = accounts_marks(seeks->world->accounts);
    const struct seek *seek;
    struct terms both;
    int fits = 0;

    DL_FOREACH2 (seeks->open, seek, open_next) {
        if (seek->is_waiting || seek->maker == mine->maker ||
            !terms_meet(&seek->terms, &mine->terms, &both))
            continue;
        if (!privacy_keeps_apart(marks, mine->maker, seek->maker))
            return seek;
        if (++fits == SEEKS_FITS_MAX)
            break;
    }
    return NULL;
}

/* --- News --- */

void seeks_listen(struct seeks *seeks, struct session *session, bool wants)
{
    if (session->wants_seeks == wants)
        return;
    session->wants_seeks = wants;
    if (wants)
        DL_APPEND2(seeks->listeners, session, listener_prev, listener_next);
    else
        DL_DELETE2(seeks->listeners, session, listener_prev, listener_next);
}

void seeks_announce(struct seeks *seeks, const struct seek *seek)
{
    const struct marks *marks = accounts_marks(seeks->world->accounts);
    char words[SEEK_WORDS_BYTES], rating[RATINGS_WORDS_BYTES];
    struct session *session;

    if (seeks->listeners == NULL ||
        !budget_spend(&seeks->news, news_rate, mono_now_ms()))
        return;
    seeks_format(words, seek);
    rated_words(rating, seeks->world->ratings, seek->maker, &seek->terms);
    DL_FOREACH2 (seeks->listeners, session, listener_next)
        if (session->account != seek->maker && notice_fits(session) &&
            !quiet_is_now(seeks->world->rooms, session->account) &&
            !privacy_keeps_apart(marks, session->account, seek->maker))
            session_sayf(session, "! seek %lld by=%s%s %s : accept %lld plays it",
                         (long long)seek->id, seek->maker->shown, rating, words,
                         (long long)seek->id);
}

void seeks_drop(struct seeks *seeks, struct seek *seek, const char *why)
{
    if (seek->target != NULL && strcmp(why, "withdrawn") == 0)
        note_withdrawal(seeks, seek);
    drop_for(seeks, seek, why, 0);
}

int64_t seeks_repeated_ms(const struct seeks *seeks, const struct account *maker,
                          const struct account *target, int64_t now_ms)
{
    return pairs_left_ms(seeks->repeats, maker->folded, target->folded, now_ms);
}

void seeks_decline(struct seeks *seeks, struct seek *challenge, int64_t now_ms)
{
    pairs_add(seeks->refusals, challenge->maker->folded, challenge->target->folded,
              now_ms);
    seeks_drop(seeks, challenge, "declined");
}

int64_t seeks_declined_ms(const struct seeks *seeks, const struct account *maker,
                          const struct account *target, int64_t now_ms)
{
    return pairs_left_ms(seeks->refusals, maker->folded, target->folded, now_ms);
}

void seeks_take(struct seeks *seeks, struct seek *seek, const struct account *taker)
{
    seek->told = taker->session;
    seeks_drop(seeks, seek, "accepted");
}

void seeks_drop_all(struct seeks *seeks, struct account *maker, const char *why)
{
    struct seek *seek, *next;

    DL_FOREACH_SAFE2 (maker->made, seek, next, made_next)
        seeks_drop(seeks, seek, why);
}

struct seeks *seeks_new(const struct world *world)
{
    struct seeks *seeks = mem_new(sizeof *seeks);

    *seeks = (struct seeks){.world = world,
                            .refusals = pairs_new(REFUSAL_MS),
                            .withdrawals = pairs_new(WITHDRAWAL_MS),
                            .repeats = pairs_new(WITHDRAWAL_MS)};
    return seeks;
}

void seeks_free(struct seeks *seeks)
{
    struct seek *seek, *next;

    if (seeks == NULL)
        return;
    HASH_ITER (hh, seeks->by_id, seek, next)
        free_seek(seeks, seek);
    pairs_free(seeks->refusals);
    pairs_free(seeks->withdrawals);
    pairs_free(seeks->repeats);
    free(seeks);
}
