/* See offer.h. */
#include "server/room/offer.h"

#include <stdio.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "server/net/session.h"
#include "server/room/notice.h"
#include "server/room/rooms.h"

const char *offer_kind_name(enum offer_kind kind)
{
    static const char *const names[] = {
        [OFFER_NONE] = "none",         [OFFER_DRAW] = "draw",
        [OFFER_TAKEBACK] = "takeback", [OFFER_ABORT] = "abort",
        [OFFER_ADJOURN] = "adjourn",   [OFFER_CONTINUE] = "continue",
        [OFFER_REMATCH] = "rematch",
    };

    return names[kind];
}

struct offer *offer_next(const struct room *room, const struct offer *before)
{
    int i = before == NULL ? 0 : (int)(before - room->offer) + 1;

    for (; room->offer != NULL && i < ROOM_OFFERS_MAX; i++)
        if (room->offer[i].kind != OFFER_NONE)
            return &room->offer[i];
    return NULL;
}

struct offer *offer_find(const struct room *room, int64_t offer_id)
{
    struct offer *offer = NULL;

    while ((offer = offer_next(room, offer)) != NULL)
        if (offer->id == offer_id)
            return offer;
    return NULL;
}

struct offer *offer_find_kind(const struct room *room, enum offer_kind kind)
{
    struct offer *offer = room->offer == NULL ? NULL : &room->offer[kind - 1];

    return offer == NULL || offer->kind == OFFER_NONE ? NULL : offer;
}

static const struct rate offer_rate = {OFFER_EVERY_S * 1000, OFFERS_AT_ONCE};

int64_t offer_wait_ms(const struct room *room, enum side side, int64_t now_ms)
{
    return budget_wait_ms(&room->offers[side], offer_rate, now_ms);
}

/* Notifies even a slow reader: each client that received the offer receives exactly one
 * line about its end. */
void offer_drop(struct room *room, struct offer *offer, const char *why)
{
    for (int side = 0; side < SIDES; side++) {
        struct session *session = session_find(room->of->sessions, offer->told[side]);

        if (session != NULL)
            session_sayf(session, "! gone %lld why=%s kind=%s by=%s",
                         (long long)offer->id, why, offer_kind_name(offer->kind),
                         room->game.name[offer->by]);
    }
    /* the budget limits only offers that are not answered */
    if (strcmp(why, "declined") == 0 || strcmp(why, "accepted") == 0)
        budget_charge(&room->offers[offer->by], offer_rate, -1000, mono_now_ms());
    offer->kind = OFFER_NONE;
}

struct fault offer_judge(const struct room *room, enum offer_kind kind, int to,
                         enum side by, int64_t now_ms, struct game_news *news)
{
    switch (kind) {
    case OFFER_DRAW:
        return game_judge_draw(&room->game, news);
    case OFFER_TAKEBACK:
        return game_judge_takeback(&room->game, to, news);
    case OFFER_ABORT:
        return game_judge_abort(&room->game, by, news);
    case OFFER_ADJOURN:
        return game_judge_adjourn(&room->game, now_ms, news);
    case OFFER_CONTINUE:
        return game_judge_continue(&room->game, news);
    default:
        return (struct fault){.code = room->game.phase == GAME_OVER ? FAULT_NONE
                                                                    : FAULT_NOT_STARTED,
                              .at = POINT_NONE};
    }
}

void offer_words(const struct room *room, const struct offer *offer,
                 char out[OFFER_WORDS_BYTES])
{
    char to[24] = "";

    if (offer->kind == OFFER_TAKEBACK)
        snprintf(to, sizeof to, " to=%d", offer->to);
    snprintf(out, OFFER_WORDS_BYTES, "! offer %lld game=%lld kind=%s%s by=%s",
             (long long)offer->id, (long long)room->id, offer_kind_name(offer->kind),
             to, room->game.name[offer->by]);
}

void offer_tell(struct room *room, struct session *session)
{
    enum side side = presence_side_of(room, session);
    char words[OFFER_WORDS_BYTES];
    struct offer *offer = NULL;

    if (side == SIDE_NONE)
        return;
    while ((offer = offer_next(room, offer)) != NULL) {
        if (offer->told[side] == session->id)
            continue;
        if (!notice_fits(session))
            return;
        offer_words(room, offer, words);
        session_sayf(session, "%s : accept %lld or decline %lld", words,
                     (long long)offer->id, (long long)offer->id);
        offer->told[side] = session->id;
    }
}

bool offer_is_at_once(const struct room *room, enum side side, enum offer_kind kind,
                      int64_t now_ms)
{
    int64_t left_ms;

    if (kind == OFFER_ABORT)
        return room->game.plies < SIDES;
    return kind == OFFER_ADJOURN &&
           presence_judge_claim(room, side, now_ms, &left_ms) == CLAIM_OPEN;
}

bool offer_is_new(const struct room *room, enum side side, enum offer_kind kind, int to,
                  int64_t now_ms)
{
    const struct offer *offer = offer_find_kind(room, kind);
    struct game_news news;

    return offer_judge(room, kind, to, SIDE_NONE, now_ms, &news).code == FAULT_NONE &&
           !offer_is_at_once(room, side, kind, now_ms) &&
           (offer == NULL || offer->to != to);
}

int64_t offer_make(struct room *room, enum side by, enum offer_kind kind, int to,
                   int64_t next_id)
{
    struct offer *open = offer_find_kind(room, kind);
    struct cursor *cursor;

    if (open != NULL && open->by == by && open->to == to)
        return open->id;
    if (open != NULL)
        offer_drop(room, open, "withdrawn");
    if (room->offer == NULL)
        room->offer = mem_new(ROOM_OFFERS_MAX * sizeof *room->offer);
    room->offer[kind - 1] =
        (struct offer){.id = next_id, .kind = kind, .by = by, .to = to};
    budget_charge(&room->offers[by], offer_rate, 1000, mono_now_ms());
    DL_FOREACH (room->feed.players, cursor)
        offer_tell(room, cursor->session);
    return next_id;
}

void offer_drop_of(struct room *room, enum side side, const char *why)
{
    const struct time_terms *terms = &room->game.clock.terms;
    struct offer *offer = NULL;

    while ((offer = offer_next(room, offer)) != NULL)
        if (offer->by == side && !offer->is_taken &&
            (offer->kind == OFFER_REMATCH ||
             (offer->kind == OFFER_CONTINUE && !time_terms_is_correspondence(terms))))
            offer_drop(room, offer, why);
}

/* Drops the offers that refer to the position in which they were made: all except a
 * rematch. */
void offer_void_all(struct room *room)
{
    const char *why = room->game.phase == GAME_OVER ? "over" : "moved";
    struct offer *offer = NULL;

    while ((offer = offer_next(room, offer)) != NULL)
        if (offer->kind != OFFER_REMATCH)
            offer_drop(room, offer, offer->is_taken ? "accepted" : why);
}
