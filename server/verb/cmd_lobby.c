/* Verbs for finding a game: seek, play, challenge, rematch, accept, decline,
 * withdraw. */
#include <string.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/game/rules.h"
#include "server/account/accounts.h"
#include "server/base/config.h"
#include "server/command/act.h"
#include "server/command/ban.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/command/meant.h"
#include "server/lobby/lobby.h"
#include "server/room/peace.h"
#include "server/room/quiet.h"
#include "server/room/room.h"
#include "server/verb/verbs.h"

static bool take_id(struct call *call, int64_t *id)
{
    if (text_to_int(call->argv[1], 1, INT64_MAX, id))
        return true;
    call_usage(call, "it takes a number");
    return false;
}

/* --- seek --- */

/* True if the caller may not open another seek now; the answer was sent. */
static bool has_many_seeks(struct call *call)
{
    int limit = seeks_limit(lobby_seeks(call->world->lobby), call->from->account, NULL);

    if (limit != 0)
        session_err(call->from, REPLY_LIMIT,
                    "what=seeks max=%d : you, or the new players of your network, have "
                    "too many open seeks; withdraw one, or try again later",
                    limit);
    return limit != 0;
}

/* Reads the argument range= into *range, and removes it from the arguments. False: the
 * answer was sent. */
static bool take_range(struct call *call, struct range *range)
{
    bool has_range = false;
    const char *why = "each term can be given once";
    int kept = 1;

    for (int i = 1; i < call->argc; i++) {
        if (strncmp(call->argv[i], "range=", 6) != 0) {
            call->argv[kept++] = call->argv[i];
            continue;
        }
        if (has_range || !rated_parse_range(range, call->argv[i] + 6, &why)) {
            call_usage(call, why);
            return false;
        }
        has_range = true;
    }
    call->argc = kept;
    return true;
}

/* Returns " open-to=?" for the answer if there is a range, because players whose rating
 * is not firm ("?") fit any range. Otherwise returns "". */
static const char *open_to(const struct range *range)
{
    return range->high != 0 ? " open-to=?" : "";
}

static void seek_run(struct call *call)
{
    struct lobby *lobby = call->world->lobby;
    const struct seek *other;
    struct range range = {0};
    char words[SEEK_WORDS_BYTES];
    struct seek *seek;
    struct terms terms;

    if (!take_range(call, &range) || !act_take_terms(call, 1, &terms) ||
        !entry_may_begin(call) || call_is_draining(call) || has_many_seeks(call) ||
        act_has_left_games(call))
        return;
    seek = seeks_open(lobby_seeks(lobby), call->from->account, NULL, &terms, &range);
    other = seeks_find_fit(lobby_seeks(lobby), seek);
    seeks_format(words, seek);
    if (other != NULL)
        session_ok(call->from,
                   "seek id=%lld fits=%lld %s%s : %s seeks the same: accept %lld",
                   (long long)seek->id, (long long)other->id, words, open_to(&range),
                   other->maker->shown, (long long)other->id);
    else
        session_ok(call->from, "seek id=%lld %s%s : others see it in the list of seeks",
                   (long long)seek->id, words, open_to(&range));
    if (!lobby_meet_waiting(lobby, seek))
        seeks_announce(lobby_seeks(lobby), seek);
}

const struct command cmd_seek = {
    .name = "seek",
    .usage = "seek [time=10m+5s] [rules=martin] [side=any] [range=any] "
             "[MANNERS]",
    .help = "offer a game to everybody",
    .args_max = TERMS_KEYS + 1,
    .cost = 2,
    .run = seek_run,
};

/* --- play --- */

/* Reads one argument of `play` into *wish. False: *why says what is wrong. */
static bool take_wish_word(struct wish *wish, const char *word, const char **why)
{
    if (strncmp(word, "rules=", 6) == 0)
        return terms_set(&wish->terms, "rules", word + 6, why);
    if (strncmp(word, "rated=", 6) == 0)
        return terms_set(&wish->terms, "rated", word + 6, why);
    if (strncmp(word, "range=", 6) == 0)
        return rated_parse_range(&wish->range, word + 6, why);
    if (strncmp(word, "bots=", 5) == 0) {
        *why = "bots is yes or no";
        wish->takes_bots = strcmp(word + 5, "yes") == 0;
        return wish->takes_bots || strcmp(word + 5, "no") == 0;
    }
    return terms_set(&wish->terms, "time",
                     strncmp(word, "time=", 5) == 0 ? word + 5 : word, why);
}

/* Reads the arguments of `play`. Terms that are omitted are the server's default.
 * False: the answer was sent. */
static bool take_wish(struct call *call, struct wish *wish)
{
    static const char *const keys[] = {"rules=", "bots=", "rated=", "range="};
    bool is_given[ARRAY_LEN(keys) + 1] = {false}, is_good = true;
    struct position_fault fault;
    const char *why = NULL;

    wish->terms = terms_default();
    for (int i = 1; i < call->argc && is_good; i++) {
        size_t kind = 0;

        while (kind < ARRAY_LEN(keys) &&
               strncmp(call->argv[i], keys[kind], strlen(keys[kind])) != 0)
            kind++;
        why = "each term can be given once";
        is_good = !is_given[kind] && take_wish_word(wish, call->argv[i], &why);
        is_given[kind] = true;
    }
    if (is_good && terms_judge(&wish->terms, &why, &fault))
        return !wish->terms.manners.is_rated || act_may_rate(call);
    call_usage(call, why);
    return false;
}

/* True if the caller is playing a game with clocks, and therefore may not look for
 * another one; the answer was sent. */
static bool is_playing(struct call *call)
{
    const struct account *me = call->from->account;
    char games[GAME_LIST_BYTES];

    if (!quiet_is_playing(call->world->rooms, me))
        return false;
    (void)lobby_list_games(call->world->lobby, me, true, games, sizeof games);
    session_err(call->from, REPLY_NOT_NOW,
                "why=in-game games=%s : you are in a game with clocks; type play "
                "when it has ended",
                games);
    return true;
}

/* Looks for an opponent with whom the caller can play one of the games that the
 * arguments describe, or waits for one. Ends an earlier `play` of the caller that still
 * waits. */
static void play_run(struct call *call)
{
    struct lobby *lobby = call->world->lobby;
    struct account *me = call->from->account;
    struct wish wish = {.takes_bots = false};
    char words[SEEK_WORDS_BYTES];
    struct terms terms;
    struct seek *seek;
    enum lobby_start start;

    if (!take_wish(call, &wish) || !entry_may_begin(call) || is_playing(call) ||
        call_is_draining(call))
        return;
    start = lobby_judge_player(lobby, me);
    if (start != LOBBY_STARTED) {
        act_answer_start(call, start); /* the caller cannot start a game now, so waiting
                                        * is useless */
        return;
    }
    lobby_end_wait(lobby, me);
    seek = lobby_find_match(lobby, me, &wish, &terms);
    if (seek != NULL) {
        act_answer_start(call, lobby_accept(lobby, seek, &terms, me, false, "play"));
        return;
    }
    if (has_many_seeks(call))
        return;
    seek = lobby_wait(lobby, me, &wish);
    seeks_format(words, seek);
    session_ok(call->from,
               "play id=%lld waiting=1 minutes=%d %s%s : the game begins when somebody "
               "wants to play it",
               (long long)seek->id, WAIT_MINUTES, words, open_to(&wish.range));
    seeks_announce(lobby_seeks(lobby), seek);
}

const struct command cmd_play = {
    .name = "play",
    .usage = "play [TIME] [rules=martin] [rated=no] [range=any] "
             "[bots=no]",
    .help = "play the next game that fits, now or when somebody comes",
    .args_max = 5,
    .cost = 4,
    .run = play_run,
};

/* --- challenge --- */

static bool is_ignored(const struct call *call, const struct account *target)
{
    return peace_ignores(accounts_marks(call->world->accounts), target, call->from);
}

/* Refuses a challenge. The answer does not say whether the target ignores the caller or
 * accepts no challenges at all. */
static void refuse_quiet(struct call *call, const struct account *target)
{
    session_err(call->from, REPLY_NOT_NOW, "why=quiet : %s accepts no challenges now",
                target->shown);
}

/* True if the target accepts no challenge now; the answer was sent. */
static bool is_unwanted(struct call *call, const struct account *target)
{
    bool is_unwanted =
        is_ignored(call, target) || quiet_is_now(call->world->rooms, target);

    if (is_unwanted)
        refuse_quiet(call, target);
    return is_unwanted;
}

/* True if the target declined a challenge of the caller a short time ago; the answer
 * was sent. */
static bool is_declined(struct call *call, const struct account *target)
{
    int64_t left_ms = seeks_declined_ms(lobby_seeks(call->world->lobby),
                                        call->from->account, target, call->now_ms);

    if (left_ms > 0)
        session_err(call->from, REPLY_NOT_NOW,
                    "why=declined left_ms=%lld : %s has declined; you may ask again in "
                    "%lld s",
                    (long long)left_ms, target->shown,
                    (long long)mono_whole_s(left_ms));
    return left_ms > 0;
}

/* True if the caller took back two challenges to the target a short time ago; the
 * answer was sent. */
static bool is_repeating(struct call *call, const struct account *target)
{
    int64_t left_ms = seeks_repeated_ms(lobby_seeks(call->world->lobby),
                                        call->from->account, target, call->now_ms);

    if (left_ms == 0 || !call->world->config->has_quotas)
        return false;
    session_err(call->from, REPLY_SLOW_DOWN,
                "why=withdrawn retry=%lld : you have taken back two challenges to %s; "
                "make the next one later",
                (long long)mono_whole_s(left_ms), target->shown);
    return true;
}

/* True if the target has got too many challenges from strangers; the answer was sent.
 * The limit is for all strangers together, because each stranger may be within their
 * own budget. */
static bool is_crowded(struct call *call, const struct account *target)
{
    struct session *session = session_find(call->world->sessions, target->session);

    if (session == NULL || act_may_reach(call, session))
        return false;
    session_err(call->from, REPLY_SLOW_DOWN,
                "retry=5 : %s has many open challenges at the moment; try again",
                target->shown);
    return true;
}

/* True if the caller has made the same challenge to the target already, or has used up
 * the budget of chat; the answer was sent. */
static bool is_pestering(struct call *call, const struct account *target,
                         const struct terms *terms)
{
    const struct seek *other = seeks_find_challenge(call->from->account, target);
    char words[TERMS_BYTES], other_words[TERMS_BYTES];

    if (other == NULL)
        return !call_spend_chat(call, "too many challenges at once");
    terms_format(words, terms);
    terms_format(other_words, &other->terms);
    if (strcmp(words, other_words) != 0)
        return !call_spend_chat(call, "too many challenges at once");
    session_err(call->from, REPLY_LIMIT,
                "what=challenges id=%lld max=1 : you have challenged %s already; other "
                "terms replace challenge %lld",
                (long long)other->id, target->shown, (long long)other->id);
    return true;
}

/* Called when the caller challenges a player who has already challenged the caller.
 * `mine`: the terms of the caller. `theirs`: the open challenge of the other player. If
 * the terms of both fit, the game starts. Otherwise, the caller's challenge is refused.
 * So two players never have open challenges to each other. */
static void meet_challenge(struct call *call, struct seek *theirs,
                           const struct terms *mine)
{
    char words[TERMS_BYTES];
    struct terms both;

    if (terms_meet(&theirs->terms, mine, &both)) {
        act_answer_start(call,
                         lobby_accept(call->world->lobby, theirs, &both,
                                      call->from->account, false, call->command->name));
        return;
    }
    terms_format(words, &theirs->terms);
    session_err(call->from, REPLY_LIMIT,
                "what=challenges id=%lld max=1 : %s has challenged you (%s): accept or "
                "decline %lld first",
                (long long)theirs->id, theirs->maker->shown, words,
                (long long)theirs->id);
}

/* Answers the caller. seek: the new challenge; NULL: it was not made, because the
 * caller has too many challenges. */
static void answer_challenge(struct call *call, const struct seek *seek)
{
    char words[TERMS_BYTES];

    if (seek == NULL) {
        session_err(
            call->from, REPLY_LIMIT,
            "what=challenges max=%d : you have too many open challenges; withdraw one",
            call->world->config->challenges_max);
        return;
    }
    terms_format(words, &seek->terms);
    session_ok(call->from, "%s id=%lld %s : challenge sent to %s", call->command->name,
               (long long)seek->id, words, seek->target->shown);
}

/* Challenges the target, in place of an earlier challenge of the caller to the target.
 * If the target has challenged the caller, answers that challenge instead. */
static void ask_for_game(struct call *call, struct account *target,
                         const struct terms *terms)
{
    struct lobby *lobby = call->world->lobby;
    struct account *me = call->from->account;
    struct seek *theirs = seeks_find_challenge(target, me);

    if (theirs != NULL)
        meet_challenge(call, theirs, terms);
    else if (!is_unwanted(call, target) && !is_declined(call, target) &&
             !is_repeating(call, target) && !act_has_left_games(call) &&
             !is_pestering(call, target, terms) && !is_crowded(call, target))
        answer_challenge(call, seeks_open(lobby_seeks(lobby), me, target, terms, NULL));
}

static void challenge_run(struct call *call)
{
    struct account *target = accounts_find(call->world->accounts, call->argv[1]);
    const struct seek *theirs;
    struct terms terms;

    if (!act_take_terms(call, 2, &terms))
        return;
    if (target == NULL || target->session == 0) {
        session_err(call->from, REPLY_NO_SUCH, ": unknown name, or not here");
        return;
    }
    if (target == call->from->account) {
        session_err(call->from, REPLY_NO_SUCH,
                    ": that is your own name; challenge somebody else");
        return;
    }
    if (call_is_draining(call))
        return;
    theirs = seeks_find_challenge(target, call->from->account);
    if (theirs != NULL ? entry_may_answer(call) : entry_may_begin(call))
        ask_for_game(call, target, &terms);
}

const struct command cmd_challenge = {
    .name = "challenge",
    .usage = "challenge NAME [time=10m+5s] [rules=martin] [side=any] [MANNERS]",
    .help = "offer a game to one player",
    .args_min = 1,
    .args_max = 1 + TERMS_KEYS,
    .may_cost_chat = true,
    .cost = 2,
    .is_talk = true,
    .run = challenge_run,
};

/* --- rematch --- */

/* True if the caller may not begin a game with these clocks now, because a game of an
 * evening is due. */
static bool is_due(const struct call *call, const struct time_terms *terms)
{
    return time_terms_has_clocks(terms) && lobby_due_in_s(call->from->account) > 0;
}

/* Offers a rematch, or accepts the opponent's offer of a rematch. */
static void ask_rematch(struct call *call, struct room *room)
{
    enum side side = presence_side_of(room, call->from), other = side_other(side);
    struct offer *open = offer_find_kind(room, OFFER_REMATCH);
    struct offer *theirs = open != NULL && open->by == other ? open : NULL;

    if (theirs == NULL && !presence_is_attended(room, other))
        session_err(call->from, REPLY_NOT_NOW,
                    "why=away game=%lld : %s has left game %lld; challenge asks again",
                    (long long)room->id, room->game.name[other], (long long)room->id);
    else if (theirs == NULL && is_ignored(call, room->seat[other]))
        refuse_quiet(call, room->seat[other]);
    else if (theirs == NULL && act_has_left_games(call))
        return;
    else if (theirs == NULL && is_due(call, &room->game.clock.terms))
        act_answer_start(call, LOBBY_TAKER_DUE); /* nobody could accept it in time */
    else if (theirs == NULL)
        act_offer(call, room, OFFER_REMATCH, 0);
    else
        act_answer_start(
            call, lobby_rematch(call->world->lobby, room, theirs, false, "rematch"));
}

/* True if the arguments contain rated=yes. act_read_changes() has cut each argument at
 * its "=". */
static bool wants_rated(const struct call *call)
{
    for (int i = 1; i < call->argc; i++) {
        const char *key = call->argv[i];

        if (strcmp(key, "rated") == 0)
            return strcmp(key + strlen(key) + 1, "yes") == 0;
    }
    return false;
}

/* Challenges the opponent to a rematch with other terms. The arguments change some
 * terms of the usual rematch (lobby_rematch_terms()). If the rematch is rated, the
 * sides are drawn again. */
static void challenge_again(struct call *call, const struct room *room)
{
    enum side side = presence_side_of(room, call->from);
    struct account *target = room->seat[side_other(side)];
    struct terms terms = lobby_rematch_terms(room, side);

    if (terms.manners.is_rated || wants_rated(call))
        terms.side = SIDE_NONE;
    if (!ban_admits_talk(call) || !act_change_terms(call, &terms))
        return;
    if (target == NULL || target->session == 0)
        session_err(call->from, REPLY_NOT_NOW, "why=away game=%lld : %s is not here",
                    (long long)room->id, room->game.name[side_other(side)]);
    else
        ask_for_game(call, target, &terms);
}

static void rematch_run(struct call *call)
{
    struct room *room;

    if (!act_read_changes(call))
        return;
    room = meant_game(call, GAME_SEATED);
    if (room == NULL)
        return;
    if (room->game.phase != GAME_OVER)
        session_err(call->from, REPLY_NOT_NOW,
                    "why=not-over game=%lld : game %lld is not over yet",
                    (long long)room->id, (long long)room->id);
    else if (!entry_may_answer(call) || call_is_draining(call))
        return;
    else if (call->argc > 1)
        challenge_again(call, room);
    else
        ask_rematch(call, room);
}

const struct command cmd_rematch = {
    .name = "rematch",
    .usage = "rematch [GAME] [time=T] [rules=R] [side=any] [MANNERS]",
    .help = "after the end, ask for another game with sides changed, or on other terms",
    .game = GAME_ARG_OPTIONAL,
    .args_max = TERMS_KEYS,
    .may_cost_chat = true,
    .run = rematch_run,
};

/* --- accept --- */

/* Finds the offer with number `id` in the caller's games. Sets *out to its room. NULL:
 * there is no such offer. */
static struct offer *find_offer(struct call *call, int64_t id, struct room **out)
{
    struct cursor *cursor;

    for (cursor = call->from->cursors; cursor != NULL; cursor = cursor->session_next) {
        struct room *room = cursor->feed->owner;
        struct offer *offer = offer_find(room, id);

        if (offer == NULL || presence_side_of(room, call->from) == SIDE_NONE)
            continue;
        *out = room;
        return offer;
    }
    return NULL;
}

static void refuse_unknown_id(struct call *call, int64_t id)
{
    session_err(call->from, REPLY_NO_SUCH,
                "id=%lld : nothing with that number is open for you", (long long)id);
}

static void accept_words(struct asker *asker, struct store_accept accepted)
{
    struct text words = text_into(asker->words, sizeof asker->words);

    text_addf(&words, "accept game=%lld", (long long)accepted.game);
    if (accepted.is_offer)
        text_addf(&words, " offer=%lld", (long long)accepted.number);
}

/* True if the caller may accept the seek. If the seek is a challenge, only its target
 * may accept it. Any other seek is open to all players, with one exception: if the
 * caller ignores or blocks the maker, or the maker ignores or blocks the caller, the
 * caller may not accept the seek. */
static bool is_open_to_caller(const struct call *call, const struct seek *seek)
{
    const struct account *me = call->from->account;

    if (seek->target != NULL)
        return seek->target == me;
    return !peace_keeps_apart(accounts_marks(call->world->accounts), me, seek->maker);
}

static void accept_seek(struct call *call, struct seek *seek)
{
    bool may = seek->target != NULL ? entry_may_answer(call) : entry_may_begin(call);

    if (may && !call_is_draining(call))
        act_answer_start(call, lobby_accept(call->world->lobby, seek, &seek->terms,
                                            call->from->account, true, "accept"));
}

static void accept_rematch(struct call *call, struct room *room, struct offer *offer)
{
    if (entry_may_answer(call) && !call_is_draining(call))
        act_answer_start(
            call, lobby_rematch(call->world->lobby, room, offer, true, "accept"));
}

/* Accepts an offer that becomes an event of the game, such as a draw. The accept itself
 * is recorded in the same batch, so that a repeated accept gets the same answer. */
static void accept_agreement(struct call *call, struct room *room, struct offer *offer)
{
    struct store_accept accepted = {
        .number = offer->id, .game = room->id, .is_offer = true};
    struct asker asker = {.session = call->from};
    struct fault fault;

    accept_words(&asker, accepted);
    store_begin_together(call->world->store);
    fault = room_accept(room, offer, call->now_ms, &asker);
    if (fault.code == FAULT_NONE)
        accounts_accept(call->world->accounts, call->from->account, &accepted);
    store_end_together(call->world->store);
    act_finish(call, room, fault);
}

static void accept_offer(struct call *call, struct room *room, struct offer *offer)
{
    if (offer->by == presence_side_of(room, call->from))
        session_err(call->from, REPLY_NOT_NOW,
                    "why=yours : that offer is yours; withdraw %lld takes it back",
                    (long long)offer->id);
    else if (offer->kind == OFFER_REMATCH)
        accept_rematch(call, room, offer);
    else
        accept_agreement(call, room, offer);
}

/* Answers a repeated accept: if `id` is the number of the caller's last accept, sends
 * the same OK again. False: `id` is another number. */
static bool repeat_accept(struct call *call, int64_t id)
{
    const struct store_accept *accepted = &call->from->account->accepted;
    struct asker asker;

    if (accepted->number != id)
        return false;
    accept_words(&asker, *accepted);
    session_ok(call->from, "%s", asker.words);
    return true;
}

/* What an ID names: an offer in a room, a seek, or nothing (both NULL). */
struct named {
    int64_t id;
    struct offer *offer;
    struct room *room;
    struct seek *seek;
};

/* Reads the ID in the argument and finds what it names. False: the answer was sent. */
static bool find_named(struct call *call, struct named *out)
{
    if (!take_id(call, &out->id))
        return false;
    out->offer = find_offer(call, out->id, &out->room);
    out->seek = seeks_find(lobby_seeks(call->world->lobby), out->id);
    return true;
}

static void accept_run(struct call *call)
{
    const struct account *me = call->from->account;
    struct named it;

    if (!find_named(call, &it))
        return;
    if (it.offer != NULL)
        accept_offer(call, it.room, it.offer);
    else if (it.seek != NULL && it.seek->maker == me)
        session_err(call->from, REPLY_NOT_NOW,
                    "why=yours : that offer is yours; somebody else must take it");
    else if (it.seek != NULL && is_open_to_caller(call, it.seek))
        accept_seek(call, it.seek);
    else if (!repeat_accept(call, it.id))
        refuse_unknown_id(call, it.id);
}

const struct command cmd_accept = {
    .name = "accept",
    .usage = "accept ID",
    .help = "take a seek, a challenge or an offer",
    .args_min = 1,
    .run = accept_run,
};

/* --- decline, withdraw --- */

/* Ends an offer, a seek or a challenge: `decline` is for the player who received it,
 * `withdraw` for its maker. */
static void end_offer(struct call *call, bool is_mine, const char *verb,
                      const char *why)
{
    const struct account *me = call->from->account;
    struct named it;

    if (!find_named(call, &it))
        return;
    if (it.offer != NULL &&
        (it.offer->by == presence_side_of(it.room, call->from)) == is_mine) {
        offer_drop(it.room, it.offer, why);
    } else if (it.seek != NULL && is_mine && it.seek->maker == me) {
        seeks_drop(lobby_seeks(call->world->lobby), it.seek, why);
    } else if (it.seek != NULL && !is_mine && it.seek->target == me) {
        seeks_decline(lobby_seeks(call->world->lobby), it.seek, call->now_ms);
    } else {
        refuse_unknown_id(call, it.id);
        return;
    }
    session_ok(call->from, "%s id=%lld", verb, (long long)it.id);
}

static void decline_run(struct call *call)
{
    end_offer(call, false, "decline", "declined");
}

/* True if the word looks like the code of an invitation: the word has about the length
 * of a code, and contains at least one character that is not a digit. */
static bool is_code(const char *word)
{
    return strlen(word) < CODE_BYTES && word[strspn(word, "0123456789")] != '\0' &&
           strlen(word) + 2 >= CODE_BYTES;
}

static void withdraw_run(struct call *call)
{
    const char *word = call->argv[1];

    if (is_code(word)) {
        if (invites_withdraw(lobby_invites(call->world->lobby), call->from->account,
                             word))
            session_ok(call->from, "withdraw code=%s", word);
        else
            session_err(call->from, REPLY_NO_SUCH,
                        "why=unknown : you have no open invitation with that code");
        return;
    }
    end_offer(call, true, "withdraw", "withdrawn");
}

const struct command cmd_decline = {
    .name = "decline",
    .usage = "decline ID",
    .help = "refuse a challenge or an offer",
    .args_min = 1,
    .run = decline_run,
};

const struct command cmd_withdraw = {
    .name = "withdraw",
    .usage = "withdraw ID|CODE",
    .help = "take back a seek, a challenge, an offer or an invitation of yours",
    .args_min = 1,
    .run = withdraw_run,
};
