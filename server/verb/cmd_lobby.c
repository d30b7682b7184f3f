/* Verbs for finding a game: seek, play, challenge, rematch, accept, decline, withdraw; and
 * for inviting a friend: invite, join. */
#include <stdio.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/rules.h"
#include "server/account/accounts.h"
#include "server/account/ticket.h"
#include "server/base/config.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/command/meant.h"
#include "server/lobby/lobby.h"
#include "server/net/announce.h"
#include "server/room/presence.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* --- seek --- */

/* False if the caller may not open another seek now; the answer was sent. */
static bool may_seek(struct call *call)
{
    int max;

    return quota_judge(accounts_quotas(call->world->accounts), QUOTA_SEEK,
                       call->from->account, &max) == QUOTA_FREE ||
           call_err_limit(call, "seeks", max);
}

static const char twice[] = "each term can be given once";

/* Reads the argument range= into *range, and removes it from the arguments. False: the
 * answer was sent. */
static bool take_range(struct call *call, struct range *range)
{
    const char *value = call_take(call, "range="), *why = twice;

    return value == NULL ||
           (call_take(call, "range=") == NULL &&
            rated_parse_range(range, value, &why)) ||
           call_usage(call, why);
}

/* For the answer: players whose rating is not firm ("?") fit any range. */
static const char *open_to_words(const struct range *range)
{
    return range->high != 0 ? " open-to=?" : "";
}

static bool seek_run(struct call *call)
{
    struct lobby *lobby = call->world->lobby;
    const struct seek *other;
    struct range range = {0};
    char words[SEEK_WORDS_BYTES];
    struct seek *seek;
    struct terms terms;
    const char *open_to;

    if (!take_range(call, &range) || !call_take_terms(call, 1, &terms) ||
        !entry_may_begin(call) || !call_takes_games(call) || !may_seek(call) ||
        !call_has_stayed(call))
        return false;
    seek = seeks_open(lobby_seeks(lobby), call->from->account, NULL, &terms, &range);
    other = seeks_find_fit(lobby_seeks(lobby), seek);
    seeks_format(words, seek);
    open_to = open_to_words(&range);
    if (other != NULL)
        session_ok(call->from,
                   "seek id=%lld fits=%lld %s%s : %s seeks the same: accept %lld",
                   (long long)seek->id, (long long)other->id, words, open_to,
                   other->maker->shown, (long long)other->id);
    else
        session_ok(call->from, "seek id=%lld %s%s : others see it in the list of seeks",
                   (long long)seek->id, words, open_to);
    if (!lobby_meet_waiting(lobby, seek))
        seeks_announce(lobby_seeks(lobby), seek);
    return true;
}

const struct command cmd_seek = {
    .usage = "seek [time=10m+5s] [rules=martin] [side=any] [range=any] "
             "[MANNERS]",
    .group = GROUP_FIND,
    .help = N_("offer a game to everybody here"),
    .examples = N_(
        "seek              10 minutes, plus 5 seconds for each move\n"
        "seek 5            5 minutes each\n"
        "seek 20m+3x40s    20 minutes, then 3 periods of 40 seconds\n"
        "seek 3d           by correspondence: three days for each move\n"
        "seek none red     without clocks; you play red\n"
        "seek 10 side=rank the player of the higher rank plays red\n"
        "seek 10 private   only people whom you allow with \"let\" may watch\n"
        "seek 10 rated=yes               the result changes your rating (see "
        "\"rank\")\n"
        "seek 10 range=200               an opponent at most 200 rating points away\n"
        "seek 10 takebacks=no talk=no    no takebacks, and no talk\n"
        "seek 10 watchers=members        only members may watch (none: nobody)\n"
        "seek 10 delay=6                 watchers see each move 6 plies later\n"
        "seek 10 claim=60s               \"claim\" after 60 s of absence (none: "
        "never)\n"
        "seek 10 lag=no                  clocks also count the network delay\n"
        "seek 10 sealed=yes              both choose their line-up at the same time\n"
        "seek 10 setup=NBNB/NBBN         the line-ups of red and blue\n"
        "seek 10 setup=NBNB/NBNB handicap=red:r   red begins without a rook\n"
        "seek 10 position=4k4/9/9/9/9/9/9/9/4R4/4K4_r   from a position"),
    .cost = 2,
    .run = seek_run,
};

/* --- play --- */

/* Reads the arguments of `play`. Terms that are omitted are the server's default.
 * False: the answer was sent. */
static bool take_wish(struct call *call, struct seek *wish)
{
    static const char allowed[] = "time rules rated";
    const char *bots = call_take(call, "bots"), *why;
    struct position_fault fault;

    wish->terms = terms_default();
    if (!take_range(call, &wish->range))
        return false;
    if (bots != NULL && call_take(call, "bots") != NULL)
        return call_usage(call, twice);
    wish->takes_bots = bots != NULL && strcmp(bots, "=no") != 0;
    if (bots != NULL && wish->takes_bots && bots[0] != '\0' &&
        strcmp(bots, "=yes") != 0)
        why = terms_words;
    else if (call_read_words(&wish->terms, call->argv + 1, call->argc - 1, allowed,
                             &why) &&
             terms_judge(&wish->terms, &why, &fault))
        return !wish->terms.manners.is_rated || call_may_rate(call);
    if (why == terms_words)
        why = "it takes a time (10 5, 10+5, 20m+3x40s, 3d, blitz, rapid, club), the "
              "rules, rated, range= and bots";
    return call_usage(call, why);
}

/* Looks for an opponent with whom the caller can play one of the games that the
 * arguments describe, or waits for one. Ends an earlier `play` of the caller that still
 * waits. */
static bool play_run(struct call *call)
{
    struct lobby *lobby = call->world->lobby;
    struct account *me = call->from->account;
    struct seek wish = {.maker = me};
    char words[SEEK_WORDS_BYTES], games[GAME_LIST_BYTES];
    struct terms terms;
    struct seek *seek;
    enum lobby_start start;

    if (!take_wish(call, &wish) || !entry_may_begin(call))
        return false;
    if (quiet_is_playing(call->world->rooms, me)) {
        (void)lobby_list_games(lobby, me, true, games, sizeof games);
        return session_err(call->from, REPLY_NOT_NOW, "why=in-game games=%s", games);
    }
    if (!call_takes_games(call))
        return false;
    start = lobby_judge_player(lobby, me);
    if (start != LOBBY_STARTED) {
        return call_answer_start(
            call, start); /* the caller cannot start a game now, so waiting
                                        * is useless */
    }
    lobby_end_wait(lobby, me);
    seek = lobby_find_match(lobby, &wish, &terms);
    if (seek != NULL)
        return call_answer_start(call,
                                 lobby_accept(lobby, seek, &terms, me, false, "play"));
    if (!may_seek(call))
        return false;
    seek = lobby_wait(lobby, &wish);
    seeks_format(words, seek);
    session_ok(call->from,
               "play id=%lld waiting=1 minutes=%d %s%s : the game begins when somebody "
               "wants to play it",
               (long long)seek->id, WAIT_MINUTES, words, open_to_words(&wish.range));
    seeks_announce(lobby_seeks(lobby), seek);
    return true;
}

const struct command cmd_play = {
    .usage = "play [TIME] [rules=martin] [rated=no] [range=any] "
             "[bots=no]",
    .group = GROUP_FIND,
    .brief = N_("the next game"),
    .help = N_("play the next game that fits, now or when somebody comes"),
    .examples = N_("play                    10 minutes, plus 5 seconds for each move\n"
                   "play blitz              5m+3s\n"
                   "play club kja           20m+3x40s, with the rules of kja\n"
                   "play bots               also against a program\n"
                   "play 10+5 rated         the result changes your rating (see "
                   "\"rank\")\n"
                   "play 10+5 range=200     your opponent's rating is at most 200 from "
                   "yours\n"
                   "blitz is 5m+3s, rapid 10m+5s, club 20m+3x40s, days 3d"),
    .args_max = 6,
    .cost = 4,
    .run = play_run,
};

/* --- challenge --- */

static bool is_ignored(const struct call *call, const struct account *target)
{
    return privacy_ignores(accounts_marks(call->world->accounts), target, call->from);
}

/* Refuses a challenge. The answer does not say whether the target ignores the caller or
 * accepts no challenges at all. */
static bool refuse_quiet(struct call *call, const struct account *target)
{
    return session_err(call->from, REPLY_NOT_NOW, "why=quiet name=%s", target->shown);
}

/* False if the caller may not challenge the target now; the answer was sent. before:
 * the caller's open challenge to the target; NULL: none. */
static bool may_ask(struct call *call, const struct account *target,
                    const struct terms *terms, const struct seek *before)
{
    const struct account *me = call->from->account;
    struct seeks *seeks = lobby_seeks(call->world->lobby);
    int64_t declined_ms = seeks_declined_ms(seeks, me, target, call->now_ms);
    int64_t repeated_ms = seeks_repeated_ms(seeks, me, target, call->now_ms);
    struct session *session = session_find(call->world->sessions, target->session);
    char words[TERMS_BYTES], before_words[TERMS_BYTES] = "";

    if (is_ignored(call, target) || quiet_is_now(call->world->rooms, target))
        return refuse_quiet(call, target);
    if (declined_ms > 0)
        return session_err(call->from, REPLY_NOT_NOW,
                           "why=declined left_ms=%lld name=%s", (long long)declined_ms,
                           target->shown);
    if (repeated_ms > 0 && call->world->config->has_quotas)
        return session_err(call->from, REPLY_SLOW_DOWN,
                           "why=withdrawn retry=%lld name=%s",
                           (long long)mono_whole_s(repeated_ms), target->shown);
    if (!call_has_stayed(call))
        return false;
    terms_format(words, terms);
    if (before != NULL)
        terms_format(before_words, &before->terms);
    if (strcmp(words, before_words) == 0)
        return session_err(call->from, REPLY_LIMIT,
                           "what=challenges#mine id=%lld max=1 name=%s",
                           (long long)before->id, target->shown);
    if (!call_spend_chat(call, "challenges"))
        return false;
    /* a limit for all strangers together: each may be within their own budget */
    if (session != NULL && !call_may_reach(call, session))
        return session_err(call->from, REPLY_SLOW_DOWN, "#challenged retry=5 name=%s",
                           target->shown);
    return true;
}

/* Challenges the target, in place of an earlier challenge of the caller to the target.
 * If the target has challenged the caller and the terms of both fit, the game starts;
 * if they do not fit, refuses. So two players never have open challenges to each
 * other. */
static bool ask_for_game(struct call *call, struct account *target,
                         const struct terms *terms)
{
    struct lobby *lobby = call->world->lobby;
    struct account *me = call->from->account;
    struct seek *theirs = seeks_find_challenge(target, me), *seek;
    char words[TERMS_BYTES];
    struct terms both;

    if (theirs != NULL && terms_meet(&theirs->terms, terms, &both))
        return call_answer_start(
            call, lobby_accept(lobby, theirs, &both, me, false, call->argv[0]));
    if (theirs != NULL) {
        terms_format(words, &theirs->terms);
        return session_err(call->from, REPLY_LIMIT,
                           "what=challenges#theirs id=%lld max=1 name=%s terms=\"%s\"",
                           (long long)theirs->id, theirs->maker->shown, words);
    }
    if (!may_ask(call, target, terms, seeks_find_challenge(me, target)))
        return false;
    seek = seeks_open(lobby_seeks(lobby), me, target, terms, NULL);
    if (seek == NULL)
        return call_err_limit(call, "challenges",
                              call->world->config->quota[QUOTA_CHALLENGE].account);
    terms_format(words, &seek->terms);
    return session_ok(call->from, "%s id=%lld %s : challenge sent to %s", call->argv[0],
                      (long long)seek->id, words, seek->target->shown);
}

static bool challenge_run(struct call *call)
{
    struct account *target = accounts_find(call->world->accounts, call->argv[1]);
    struct terms terms;

    if (!call_take_terms(call, 2, &terms))
        return false;
    if (target == NULL || target->session == 0)
        return session_err(call->from, REPLY_NO_SUCH, "#here");
    if (target == call->from->account)
        return session_err(call->from, REPLY_NO_SUCH, "#challenge");
    return call_takes_games(call) &&
           (seeks_find_challenge(target, call->from->account) != NULL
                ? entry_may_answer(call)
                : entry_may_begin(call)) &&
           ask_for_game(call, target, &terms);
}

const struct command cmd_challenge = {
    .usage = "challenge NAME [time=10m+5s] [rules=martin] [side=any] [MANNERS]",
    .group = GROUP_FIND,
    .brief = N_("ask one player"),
    .help = N_("ask one player for a game"),
    .examples = "challenge kim 10 5\nchallenge kim 5m blue",
    .may_cost_chat = true,
    .cost = 2,
    .is_talk = true,
    .run = challenge_run,
};

/* --- rematch --- */

static bool rematch_run(struct call *call)
{
    struct terms changed = terms_default();
    struct room *room;
    enum side side, other;
    struct account *target;
    struct offer *open, *theirs;
    struct terms terms;

    if (!call_read_terms(call, 1, &changed)) /* before the game is looked for */
        return false;
    room = meant_game(call, GAME_SEATED);
    if (room == NULL)
        return false;
    if (room->game.phase != GAME_OVER)
        return call_err_game(call, REPLY_NOT_NOW, "why=not-over", room->id);
    if (!entry_may_answer(call) || !call_takes_games(call))
        return false;
    side = presence_side_of(room, call->from);
    other = side_other(side);
    target = room->seat[other];
    if (call->argc > 1) {
        /* a challenge, with other terms than the usual rematch */
        terms = lobby_rematch_terms(room, side);
        if (terms.manners.is_rated || changed.manners.is_rated)
            terms.side = SIDE_NONE; /* the sides are drawn again */
        if (!ban_admits_talk(call) || !call_read_terms(call, 1, &terms) ||
            !call_judge_terms(call, &terms))
            return false;
        if (target == NULL || target->session == 0)
            session_err(call->from, REPLY_NOT_NOW, "why=away game=%lld name=%s",
                        (long long)room->id, room->game.name[other]);
        else
            ask_for_game(call, target, &terms);
        return false;
    }
    open = offer_find_kind(room, OFFER_REMATCH);
    theirs = open != NULL && open->by == other ? open : NULL;
    if (theirs != NULL)
        return call_answer_start(
            call, lobby_rematch(call->world->lobby, room, theirs, false, "rematch"));
    if (!presence_is_attended(room, other))
        return session_err(call->from, REPLY_NOT_NOW, "why=away#left game=%lld name=%s",
                           (long long)room->id, room->game.name[other]);
    if (is_ignored(call, target))
        return refuse_quiet(call, target);
    if (!call_has_stayed(call))
        return false;
    if (time_terms_has_clocks(&room->game.clock.terms) &&
        lobby_due_in_s(call->from->account) > 0)
        return call_answer_start(call, LOBBY_TAKER_DUE);
    /* nobody could accept it in time */
    return call_offer(call, room, OFFER_REMATCH, 0);
}

const struct command cmd_rematch = {
    .usage = "rematch [GAME] [time=T] [rules=R] [side=any] [MANNERS]",
    .help = "after the end, ask for another game with sides changed, or on other terms",
    .may_cost_chat = true,
    .run = rematch_run,
};

/* --- accept, decline, withdraw --- */

/* Reads the ID in the argument and finds what it names: an offer in a room of the
 * caller, or a seek; both NULL: nothing. False: the answer was sent. */
static bool find_named(struct call *call, int64_t *id, struct room **room,
                       struct offer **offer, struct seek **seek)
{
    struct cursor *cursor;

    if (!text_to_int(call->argv[1], 1, INT64_MAX, id))
        return call_usage(call, "it takes a number");
    *offer = NULL;
    *seek = seeks_find(lobby_seeks(call->world->lobby), *id);
    DL_FOREACH2 (call->from->cursors, cursor, session_next) {
        *room = cursor->feed->owner;
        *offer = offer_find(*room, *id);
        if (*offer != NULL && presence_side_of(*room, call->from) != SIDE_NONE)
            return true;
        *offer = NULL;
    }
    return true;
}

static bool refuse_unknown_id(struct call *call, int64_t id)
{
    return session_err(call->from, REPLY_NO_SUCH, "#id id=%lld", (long long)id);
}

static void accept_words(struct asker *asker, struct store_accept accepted)
{
    struct text words = text_into(asker->words, sizeof asker->words);

    text_addf(&words, "accept game=%lld", (long long)accepted.game);
    if (accepted.is_offer)
        text_addf(&words, " offer=%lld", (long long)accepted.number);
}

static bool accept_offer(struct call *call, struct room *room, struct offer *offer)
{
    struct store_accept accepted = {
        .number = offer->id, .game = room->id, .is_offer = true};
    struct asker asker = {.session = call->from};
    struct fault fault;

    if (offer->by == presence_side_of(room, call->from))
        return session_err(call->from, REPLY_NOT_NOW, "why=yours id=%lld",
                           (long long)offer->id);
    if (offer->kind == OFFER_REMATCH) {
        if (entry_may_answer(call) && call_takes_games(call))
            call_answer_start(
                call, lobby_rematch(call->world->lobby, room, offer, true, "accept"));
        return false;
    }
    /* It becomes an event of the game. The accept itself is recorded in the same batch,
     * so that a repeated accept gets the same answer. */
    accept_words(&asker, accepted);
    fault = room_accept(room, offer, call->now_ms, &asker);
    if (fault.code == FAULT_NONE)
        accounts_accept(call->world->accounts, call->from->account, &accepted);
    return call_finish(call, room, fault);
}

static bool accept_run(struct call *call)
{
    struct account *me = call->from->account;
    struct room *room;
    struct offer *offer;
    struct seek *seek;
    struct asker asker;
    int64_t id;

    if (!find_named(call, &id, &room, &offer, &seek))
        return false;
    if (offer != NULL)
        return accept_offer(call, room, offer);
    if (seek != NULL && seek->maker == me)
        return session_err(call->from, REPLY_NOT_NOW, "why=yours#other");
    if (seek != NULL &&
        (seek->target != NULL
             ? seek->target == me
             : !privacy_keeps_apart(accounts_marks(call->world->accounts), me,
                                    seek->maker)))
        return (seek->target != NULL ? entry_may_answer(call)
                                     : entry_may_begin(call)) &&
               call_takes_games(call) &&
               call_answer_start(call, lobby_accept(call->world->lobby, seek,
                                                    &seek->terms, me, true, "accept"));
    if (me->accepted.number == id) {
        /* a repeated accept: the same OK again */
        accept_words(&asker, me->accepted);
        return session_ok_words(call->from, asker.words);
    }
    return refuse_unknown_id(call, id);
}

const struct command cmd_accept = {
    .usage = "accept ID",
    .help = "take a seek, a challenge or an offer",
    .run = accept_run,
};

/* Ends an offer, a seek or a challenge: `decline` is for the player who received it,
 * `withdraw` for its maker. */
static bool end_offer(struct call *call, bool is_mine, const char *why)
{
    const struct account *me = call->from->account;
    struct seeks *seeks = lobby_seeks(call->world->lobby);
    struct room *room;
    struct offer *offer;
    struct seek *seek;
    int64_t id;

    if (!find_named(call, &id, &room, &offer, &seek))
        return false;
    if (offer != NULL && (offer->by == presence_side_of(room, call->from)) == is_mine)
        offer_drop(room, offer, why);
    else if (seek != NULL && is_mine && seek->maker == me)
        seeks_drop(seeks, seek, why);
    else if (seek != NULL && !is_mine && seek->target == me)
        seeks_decline(seeks, seek, call->now_ms);
    else
        return refuse_unknown_id(call, id);
    return session_ok(call->from, "%s id=%lld", call->argv[0], (long long)id);
}

static bool decline_run(struct call *call)
{
    return end_offer(call, false, "declined");
}

static bool withdraw_run(struct call *call)
{
    const char *word = call->argv[1];
    size_t len = strlen(word);

    /* a code of an invitation has a known length, and not only digits */
    if (len >= CODE_BYTES || len + 2 < CODE_BYTES ||
        word[strspn(word, "0123456789")] == '\0')
        return end_offer(call, true, "withdrawn");
    if (invites_withdraw(lobby_invites(call->world->lobby), call->from->account, word))
        return session_ok(call->from, "withdraw code=%s", word);
    return session_err(call->from, REPLY_NO_SUCH, "why=unknown");
}

const struct command cmd_decline = {
    .usage = "decline ID",
    .help = "refuse a challenge or an offer",
    .run = decline_run,
};

const struct command cmd_withdraw = {
    .usage = "withdraw ID|CODE",
    .group = GROUP_PLAY,
    .help = N_("take back a seek, a challenge, an offer or an invitation of yours"),
    .examples = "withdraw 12\n"
                "withdraw K7Q2-9F3M",
    .run = withdraw_run,
};

/* --- invite --- */

static bool invite_to_door(struct call *call)
{
    const struct world *world = call->world;
    char words[ANNOUNCE_BYTES], code[TICKET_CODE_BYTES];
    struct text text = text_into(words, sizeof words);
    int64_t uses = TICKET_USES, days = TICKET_DAYS;

    if (call->role < ROLE_MODERATOR)
        return command_refuse_role(call->from, ROLE_MODERATOR);
    for (int i = 2; i < call->argc; i++) {
        const char *word = call->argv[i];

        if ((strncmp(word, "uses=", 5) != 0 ||
             !text_to_int(word + 5, 1, TICKET_USES_MAX, &uses)) &&
            (strncmp(word, "days=", 5) != 0 ||
             !text_to_int(word + 5, 1, TICKET_DAYS_MAX, &days)))
            return call_usage(call, "uses= takes 1 to 1000, days= 1 to 365");
    }
    if (!call_spend_act(call))
        return false;
    if (!entry_make_door(world, call->from->name, (int)uses, (int)days, code))
        return call_err_limit(call, "doors", TICKETS_MAX);
    if (call_is_hosts(call)) {
        announce_door(&text, world, code, (int)uses, (int)days);
        return call_say_lines(call, words);
    }
    text_addf(&text, "invite door=%s uses=%d days=%d", code, (int)uses, (int)days);
    call_add_places(&text, call);
    if (config_web(world->config) == CONFIG_WEB_PLAY)
        call_add_web(&text, call);
    text_addf(&text, " : login NAME invite=%s makes a member", code);
    return session_ok_words(call->from, words);
}

static bool invite_to_game(struct call *call)
{
    const struct world *world = call->world;
    struct invites *invites = lobby_invites(world->lobby);
    const struct invite *invite;
    struct terms terms;
    char words[ANNOUNCE_BYTES];
    struct text text = text_into(words, sizeof words);
    int max;

    if (!call_take_terms(call, 1, &terms) ||
        (!call_is_hosts(call) &&
         (!entry_may_begin(call) || !call_takes_games(call) || !call_has_stayed(call))))
        return false;
    invite = invites_open(invites, call->from->account, &terms, &max);
    if (invite == NULL)
        return call_err_limit(call, "invites", max);
    if (call_is_hosts(call)) {
        announce_invite(&text, world, invite->code);
        if (world->outside[0] != '\0')
            announce_outside(&text, world, invite->code);
        return call_say_lines(call, words);
    }
    text_addf(&text, "invite code=%s hours=%d", invite->code, INVITES_HOURS);
    call_add_places(&text, call);
    if (config_web(world->config) == CONFIG_WEB_PLAY)
        call_add_web(&text, call);
    text_addf(&text, " : the first person who types join %s plays you", invite->code);
    return session_ok_words(call->from, words);
}

static bool invite_run(struct call *call)
{
    if (call->argc > 1 && strcmp(call->argv[1], "door") == 0)
        return invite_to_door(call);
    return invite_to_game(call);
}

const struct command cmd_invite = {
    .usage = "invite [door [uses=20] [days=7]|time=10m+5s rules=martin MANNERS]",
    .group = GROUP_FIND,
    .brief = N_("a link for a friend"),
    .help = N_("make a link for a friend; the first who opens it plays against you"),
    .examples =
        N_("invite\n"
           "invite 10 5 red\n"
           "invite door       for staff: a link by which people become members"),
    .states = BY_STAFF,
    .cost = 4,
    .run = invite_run,
};

/* Answers `join` for an invitation whose game has begun. Its two players are sent to
 * their game; the code is used up for everybody else. */
static bool join_begun(struct call *call, const struct invite *invite)
{
    struct room *room = room_find(call->world->rooms, invite->game);
    const struct account *me = call->from->account;
    char game[40] = "";

    if (room != NULL && room_wait(room, call->from, call->raw))
        return false;
    for (int i = 0; me != NULL && i < me->open[QUOTA_GAME]; i++)
        if (me->game[i] == invite->game)
            return session_ok(call->from, "join game=%lld : your game goes on",
                              (long long)invite->game);
    if (!invite->terms.manners.is_private)
        snprintf(game, sizeof game, " game=%lld", (long long)invite->game);
    return session_err(call->from, REPLY_NO_SUCH, "why=used%s code=%s", game,
                       invite->code);
}

/* Finds the invitation whose code is the argument. A wrong code is charged as one line
 * of chat, and so is the code of an invitation to the server. When the caller's budget
 * of chat is used up, no code is checked, so that codes cannot be guessed. NULL: the
 * answer was sent. */
static struct invite *read_code(struct call *call)
{
    struct invite *invite;

    if (!call_has_chat(call, call->from->account, "codes"))
        return NULL;
    invite = invites_find(lobby_invites(call->world->lobby), call->argv[1]);
    if (invite != NULL && !invites_is_old(invite))
        return invite;
    call_charge_chat(call, call->from->account);
    if (invite == NULL && tickets_find(call->world->tickets, TICKET_ENTER, "",
                                       call->argv[1], mono_wall_s()) != NULL) {
        session_err(call->from, REPLY_NO_SUCH,
                    account_role(call->from->account) >= ROLE_MEMBER ? "why=door#member"
                                                                     : "why=door");
        return NULL;
    }
    session_err(call->from, REPLY_NO_SUCH, "why=unknown#join hours=%d", INVITES_HOURS);
    return NULL;
}

/* Tells a guest, before choosing a name, whether the code is good for a seat. */
static bool join_run(struct call *call)
{
    struct invite *invite = read_code(call);
    const struct account *me = call->from->account;

    if (invite == NULL)
        return false;
    if (invite->game != 0)
        return join_begun(call, invite);
    if (me == NULL)
        return command_refuse_guest(call->from);
    if (!entry_may_answer(call))
        return false;
    if (invite->owner == NULL || (invite->owner == me && invite->is_hosts)) {
        /* the host made it for two players, and this is the first */
        invites_wait_in(lobby_invites(call->world->lobby), invite, call->from->account);
        return session_ok(
            call->from,
            "join waiting=1 : the game begins when the other player has joined");
    }
    if (invite->owner == me)
        return session_ok(call->from,
                          "join waiting=1 : it is your own invitation; send the "
                          "code to your opponent");
    return call_takes_games(call) &&
           call_answer_start(call, lobby_join(call->world->lobby, invite,
                                              call->from->account, "join"));
}

const struct command cmd_join = {
    .usage = "join CODE",
    .group = GROUP_FIND,
    .help = N_("take the seat that an invitation offers"),
    .examples = "join K7Q2-9F3M",
    .states = BY_READERS,
    .may_cost_chat = true,
    .run = join_run,
};
