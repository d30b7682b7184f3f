/* See command.h. */
#include "server/command/command.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/address.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/words/names.h"
#include "common/words/sentence.h"
#include "server/account/accounts.h"
#include "server/base/config.h"
#include "server/base/prefix.h"
#include "server/command/entry.h"
#include "server/net/announce.h"
#include "server/store/store.h"

const char *command_name(char out[COMMAND_NAME_BYTES], const struct command *command)
{
    snprintf(out, COMMAND_NAME_BYTES, "%.*s", (int)strcspn(command->usage, " "),
             command->usage);
    return out;
}

static bool is_word(const char *at, size_t len, const char *word)
{
    return strlen(word) == len && memcmp(at, word, len) == 0;
}

/* It runs for each line, so it formats nothing. */
struct command_args command_args(const struct command *command)
{
    struct command_args args = {.game = GAME_ARG_NONE};
    const char *at = command->usage + strcspn(command->usage, " ");
    int depth = 0; /* of the brackets around the word */

    while (*at != '\0') {
        size_t len;

        at += strspn(at, " ");
        for (; *at == '['; at++)
            depth++;
        len = strcspn(at, " ]");
        if (is_word(at, len, "game=GAME")) {
            args.game = GAME_ARG_KEYED;
        } else if (is_word(at, len, "GAME")) {
            args.game = depth > 0 ? GAME_ARG_OPTIONAL : GAME_ARG_NEEDED;
        } else {
            bool is_open = is_word(at, len, "TEXT") || is_word(at, len, "REASON") ||
                           is_word(at, len, "MANNERS");

            args.min += depth == 0;
            args.max += is_open ? PROTO_WORDS_MAX : 1;
        }
        for (at += len; *at == ']'; at++)
            depth--;
    }
    if (command->args_min > 0)
        args.min = command->args_min;
    if (command->args_max > 0)
        args.max = command->args_max;
    return args;
}

unsigned command_states(const struct command *command)
{
    if (command->states != 0)
        return command->states;
    return command->role > ROLE_PLAYER ? BY_STAFF : BY_MEMBERS;
}

enum role command_role(const struct session *session)
{
    return session->state == SESSION_HOST ? ROLE_OWNER : account_role(session->account);
}

bool command_is_for(const struct command *command, const struct session *session)
{
    return command_role(session) >= command->role;
}

bool command_refuse_guest(struct session *session)
{
    return session_err(session, REPLY_NOT_NOW, "why=login");
}

bool command_refuse_role(struct session *session, enum role role)
{
    return session_err(session, REPLY_NOT_NOW, "why=role need=%s", role_name(role));
}

/* --- For handlers --- */

bool call_usage(const struct call *call, const char *words)
{
    const char *usage = call->usage != NULL ? call->usage : call->command->usage;

    return session_err(call->from, REPLY_ARGS, "usage=\"%s\" : %s; usage: %s", usage,
                       words, usage);
}

const char *call_shown(int count)
{
    static_assert(LIST_ROWS_MAX == 200, "the number below");
    return count > LIST_ROWS_MAX ? " shown=200" : "";
}

bool call_ok_count(const struct call *call, int count, const char *words)
{
    return session_ok(call->from, "%s count=%d%s%s", call->argv[0], count,
                      call_shown(count), words);
}

bool call_err_game(const struct call *call, enum reply reply, const char *keys,
                   int64_t game)
{
    return session_err(call->from, reply, "%s game=%lld", keys, (long long)game);
}

bool call_err_limit(const struct call *call, const char *what, int max)
{
    return session_err(call->from, REPLY_LIMIT, "what=%s max=%d", what, max);
}

enum reply call_reply_of(enum fault_code fault)
{
    switch (fault) {
    case FAULT_NOT_YOUR_TURN:
    case FAULT_NOT_STARTED:
    case FAULT_OVER:
    case FAULT_TIME:
    case FAULT_NOT_SETUP:
    case FAULT_ADJOURNED:
    case FAULT_NOT_ADJOURNED:
        return REPLY_NOT_NOW;
    default:
        return REPLY_ILLEGAL;
    }
}

bool call_refuse(struct call *call, const struct room *room, struct fault fault)
{
    char words[SENTENCE_BYTES], at[16] = "", point[POINT_BYTES];
    char reason[GAME_REASON_BYTES];

    sentence_fault(words, fault);
    if (fault.at != POINT_NONE) {
        side_format_point(point, fault.at);
        snprintf(at, sizeof at, " at=%s", point);
    }
    if (fault.code == FAULT_OVER) {
        game_format_reason(reason, &room->game);
        return session_err(call->from, REPLY_NOT_NOW,
                           "why=%s game=%lld result=%s reason=%s",
                           fault_name(FAULT_OVER), (long long)room->id,
                           outcome_name(room->game.outcome), reason);
    }
    if (fault.code == FAULT_NOT_YOUR_TURN)
        return session_err(call->from, REPLY_NOT_NOW, "why=%s game=%lld turn=%s",
                           fault_name(fault.code), (long long)room->id,
                           side_name(game_turn(&room->game)));
    if (call_reply_of(fault.code) == REPLY_NOT_NOW)
        return session_err(call->from, REPLY_NOT_NOW, "why=%s game=%lld",
                           fault_name(fault.code), (long long)room->id);
    return session_err(call->from, REPLY_ILLEGAL, "why=%s%s : %s",
                       fault_name(fault.code), at, words);
}

bool call_can_write(struct call *call)
{
    return !call->world->has_outage ||
           session_err(call->from, REPLY_NOT_NOW, "why=storage");
}

bool call_takes_games(const struct call *call)
{
    const struct closing *closing = &call->world->closing;

    if (!closing_bars_games(closing, call->now_ms))
        return true;
    if (closing->is_draining)
        return session_err(call->from, REPLY_NOT_NOW, "why=draining");
    return session_err(call->from, REPLY_NOT_NOW, "why=restart in_s=%lld",
                       (long long)closing_in_s(closing, call->now_ms));
}

bool call_no_game(struct session *session, int64_t game)
{
    return session_err(session, REPLY_NO_SUCH, "#game game=%lld", (long long)game);
}

bool call_no_name(struct session *session)
{
    return session_err(session, REPLY_NO_SUCH, "#name");
}

struct account *call_find_person(struct call *call)
{
    struct account *account = call->from->account;

    if (call->argc > 1) {
        account = accounts_find(call->world->accounts, call->argv[1]);
        if (account == NULL)
            call_no_name(call->from);
    } else if (account == NULL) {
        session_err(call->from, REPLY_NOT_NOW, "why=login#verb verb=%s", call->argv[0]);
    }
    return account;
}

bool call_has_chat(struct call *call, const struct account *account, const char *what)
{
    int per_min = call->world->config->chat_per_min;

    assert(call->command->may_cost_chat);
    if (usage_has_chat(&call->from->usage, account != NULL ? &account->chat : NULL,
                       call->now_ms))
        return true;
    return session_err(call->from, REPLY_SLOW_DOWN, "#%s retry=%d", what,
                       (60 + per_min - 1) / per_min);
}

void call_charge_chat(struct call *call, struct account *account)
{
    usage_charge_chat(&call->from->usage, account != NULL ? &account->chat : NULL,
                      call->from->state == SESSION_GUEST, call->now_ms);
}

bool call_spend_chat(struct call *call, const char *what)
{
    if (!call_has_chat(call, call->from->account, what))
        return false;
    call_charge_chat(call, call->from->account);
    return true;
}

bool call_has_text(struct call *call)
{
    size_t len = strlen(call->rest);

    if (len == 0)
        return call_usage(call, "there is nothing to say");
    return len <= CHAT_BYTES_MAX || call_err_limit(call, "chat", CHAT_BYTES_MAX);
}

const char *call_take(struct call *call, const char *key)
{
    size_t len = strlen(key);

    for (int i = 1; i < call->argc; i++) {
        const char *word = call->argv[i];

        if (strncmp(word, key, len) != 0)
            continue;
        for (call->argc--; i < call->argc; i++)
            call->argv[i] = call->argv[i + 1];
        return word + len;
    }
    return NULL;
}

/* --- Acts in a game --- */

struct asker call_asker(const struct call *call, const struct room *room,
                        const char *verb)
{
    struct asker asker = {.session = call->from};

    snprintf(asker.words, sizeof asker.words, "%s game=%lld", verb,
             (long long)room->id);
    return asker;
}

bool call_is_repeated(struct call *call, const struct room *room, const char *verb,
                      enum outcome outcome, enum reason reason)
{
    const struct game *game = &room->game;
    bool is_by_other = game->ended_by == side_other(presence_side_of(room, call->from));

    if (game->phase != GAME_OVER || game->outcome != outcome ||
        game->reason != reason || is_by_other)
        return false;
    return session_ok(call->from, "%s game=%lld", verb, (long long)room->id);
}

bool call_finish(struct call *call, const struct room *room, struct fault fault)
{
    return fault.code == FAULT_NONE || call_refuse(call, room, fault);
}

bool call_offer(struct call *call, struct room *room, enum offer_kind kind, int to)
{
    static const char *const asked[] = {
        /* %s: the opponent */
        [OFFER_NONE] = "%s is asked",
        [OFFER_DRAW] = "draw offered to %s",
        [OFFER_TAKEBACK] = "%s is asked to take back",
        [OFFER_ABORT] = "%s is asked to end the game without a result",
        [OFFER_ADJOURN] = "%s is asked to adjourn",
        [OFFER_CONTINUE] = "%s is asked to continue",
        [OFFER_REMATCH] = "rematch offered to %s",
    };
    enum side side = presence_side_of(room, call->from);
    const char *other = room->game.name[side_other(side)];
    bool is_new = offer_is_new(room, side, kind, to, call->now_ms);
    int64_t wait_ms = is_new ? offer_wait_ms(room, side, call->now_ms) : 0, id;
    struct asker asker = call_asker(call, room, offer_kind_name(kind));
    char to_words[24] = "", words[128];
    struct fault fault;

    /* Who leaves several offers without an answer is not asked again at once. */
    if (wait_ms > 0 && call->world->config->has_quotas)
        return session_err(call->from, REPLY_SLOW_DOWN, "why=offers retry=%lld name=%s",
                           (long long)mono_whole_s(wait_ms), other);
    if (is_new && !call_spend_chat(call, "offers"))
        return false;
    fault = room_offer(room, side, kind, to, store_next_number(call->world->store),
                       call->now_ms, &asker, &id);
    if (fault.code != FAULT_NONE || id == 0)
        return call_finish(call, room, fault);
    if (kind == OFFER_TAKEBACK)
        snprintf(to_words, sizeof to_words, " to=%d", to);
    snprintf(words, sizeof words, asked[kind], other);
    return session_ok(call->from, "%s offer=%lld%s : %s (offer %lld)", asker.words,
                      (long long)id, to_words, words, (long long)id);
}

bool call_put_mark(struct call *call, enum mark_kind kind, const char *subject,
                   const char *value)
{
    bool has_room = marks_put(accounts_marks(call->world->accounts),
                              call->from->account->folded, kind, subject, value);

    return has_room || call_err_limit(call, "marks", MARKS_MAX);
}

bool call_may_grow(struct call *call, const struct room *room)
{
    return room->game.events < CALL_EVENTS_MAX ||
           call_err_limit(call, "events#game", CALL_EVENTS_MAX);
}

/* All names of one network share a budget of what strangers may send to a player, because
 * one person can take many names. A member has a budget of their own, and so has a name
 * from a trusted network, which many people share. The number of a network is eight
 * bytes of its prefix: an IPv6 /56 fits into the first eight, an IPv4 /24 into the
 * last. */
bool call_may_reach(const struct call *call, struct session *to)
{
    struct account *me = call->from->account;
    struct prefix network;
    uint64_t source;

    if (!call->world->config->has_quotas ||
        (to->account != NULL && account_plays_with(me, to->account)))
        return true;
    if (account_role(me) < ROLE_MEMBER && ban_network_of(call->world, me, &network))
        memcpy(&source, network.bytes + (prefix_is_v4(&network) ? sizeof source : 0),
               sizeof source);
    else
        source = (uint64_t)accounts_number(call->world->accounts, me);
    return usage_spend_stranger(&to->usage, source, call->now_ms);
}

/* --- A game to come --- */

static bool refuse_unrated(struct call *call)
{
    return session_err(call->from, REPLY_NOT_NOW,
                       account_is_bot(call->from->account) ? "why=rated#bot"
                                                           : "why=rated");
}

void call_add_places(struct text *out, const struct call *call)
{
    announce_places(out, call->world,
                    address_is_loopback(wire_peer_address(call->from->wire)));
}

void call_add_web(struct text *out, const struct call *call)
{
    const struct world *world = call->world;
    const char *from = wire_peer_address(call->from->wire);
    bool is_known = world->is_web_named || address_is_loopback(from);

    if (world->has_page && world->web_origin[0] != '\0' && is_known)
        text_addf(out, " web=%s", world->web_origin);
}

bool call_may_rate(struct call *call)
{
    const struct account *me = call->from->account;

    return me == NULL || rated_may_play(me, mono_wall_s()) || refuse_unrated(call);
}

bool call_judge_terms(struct call *call, struct terms *terms)
{
    struct position_fault fault;
    char words[SENTENCE_BYTES];
    const char *why;

    if (terms_judge(terms, &why, &fault))
        return !terms->manners.is_rated || call_may_rate(call);
    if (why == NULL)
        sentence_position(words, &fault);
    return call_usage(call, why != NULL ? why : words);
}

/* Returns the key of a term that is written without one, and replaces *value where the
 * value has another name; NULL: it is no term. */
static const char *find_key(const char **value)
{
    struct time_terms time;

    if (time_terms_parse_typed(*value, &time))
        return "time";
    if (ruleset_find(*value) != NULL)
        return "rules";
    if (names_find_side(*value) != SIDE_NONE)
        *value = side_name(names_find_side(*value));
    else if (strcmp(*value, "rated") == 0)
        return *value = "yes", "rated";
    else if (strcmp(*value, "private") == 0)
        return *value = "yes", "private";
    else if (strcmp(*value, "any") != 0 && strcmp(*value, "rank") != 0)
        return NULL;
    return "side";
}

static bool is_number(const char *word)
{
    return word[0] != '\0' && word[strspn(word, "0123456789")] == '\0';
}

bool call_read_words(struct terms *terms, char *const *words, int count,
                     const char *allowed, const char **why)
{
    char given_keys[192];
    struct text given = text_into(given_keys, sizeof given_keys);

    for (int i = 0; i < count; i++) {
        char word[TERMS_BYTES];
        struct text copy = text_into(word, sizeof word);
        const char *key = word, *value;
        char *equals;

        text_add(&copy, words[i]);
        equals = strchr(word, '=');
        if (is_number(words[i]) && i + 1 < count && is_number(words[i + 1]))
            text_addf(&copy, "+%s", words[++i]);
        if (equals != NULL) {
            *equals = '\0';
            value = equals + 1;
        } else {
            text_lower(word);
            value = word;
            key = find_key(&value);
        }
        *why = terms_words;
        if (copy.is_cut || key == NULL ||
            (allowed != NULL && !text_list_has(allowed, ' ', key)))
            return false;
        if (text_list_has(given.at, ' ', key)) {
            *why = "each term can be given once";
            return false;
        }
        if (!terms_set(terms, key, value, why))
            return false;
        text_addf(&given, " %s", key);
    }
    return true;
}

bool call_read_terms(struct call *call, int from, struct terms *terms)
{
    const char *why;

    if (call_read_words(terms, call->argv + from, call->argc - from, NULL, &why))
        return true;
    return call_usage(call, why);
}

bool call_take_terms(struct call *call, int from, struct terms *terms)
{
    *terms = terms_default();
    return call_read_terms(call, from, terms) && call_judge_terms(call, terms);
}

bool call_refuse_storage(struct call *call)
{
    return session_err(call->from, REPLY_LIMIT, "what=storage");
}

static bool refuse_leaver(struct call *call, int64_t wait_s)
{
    return session_err(call->from, REPLY_SLOW_DOWN, "why=left retry=%lld",
                       (long long)wait_s);
}

bool call_has_stayed(struct call *call)
{
    int64_t wait_s = lobby_left_wait_s(call->world->lobby, call->from->account);

    return wait_s <= 0 || refuse_leaver(call, wait_s);
}

bool call_answer_start(struct call *call, enum lobby_start start)
{
    const struct config *config = call->world->config;
    const struct account *me = call->from->account;

    switch (start) {
    case LOBBY_MAKER_FULL:
        return call_err_limit(call, "games#other", config->quota[QUOTA_GAME].account);
    case LOBBY_MAKER_UNRATED:
        return session_err(call->from, REPLY_NOT_NOW, "why=rated#other");
    case LOBBY_MAKER_DUE:
        return session_err(call->from, REPLY_NOT_NOW, "why=paired#other");
    case LOBBY_TAKER_LEAVES:
        return refuse_leaver(call, lobby_left_wait_s(call->world->lobby, me));
    case LOBBY_SOURCE_FULL:
        return call_err_limit(call, "new-seats", config->quota[QUOTA_GAME].source);
    case LOBBY_TOO_FAST:
        return session_err(call->from, REPLY_SLOW_DOWN, "#games retry=%d",
                           60 / CONFIG_GAMES_PER_MIN);
    case LOBBY_TAKER_FULL:
        return call_err_limit(call, "games", config->quota[QUOTA_GAME].account);
    case LOBBY_STORAGE_FULL:
        return call_refuse_storage(call);
    case LOBBY_TAKER_UNRATED:
        return refuse_unrated(call);
    case LOBBY_TAKER_DUE:
        return session_err(call->from, REPLY_NOT_NOW,
                           "why=paired evening=%lld in_s=%lld",
                           (long long)me->due_evening, (long long)lobby_due_in_s(me));
    case LOBBY_OUT_OF_RANGE:
        return session_err(call->from, REPLY_NOT_NOW, "why=range");
    case LOBBY_FULL:
        return call_err_limit(call, "games#server", config->games_max);
    case LOBBY_STARTED:
        break;
    }
    return true;
}

/* --- For verbs of the staff --- */

bool call_is_hosts(const struct call *call)
{
    return call->from->state == SESSION_HOST;
}

bool call_say_lines(const struct call *call, char *lines)
{
    char *line;

    while ((line = strsep(&lines, "\n")) != NULL)
        if (lines != NULL || line[0] != '\0')
            session_rowf(call->from, "%.4000s", line);
    return session_ok_words(call->from, call->argv[0]);
}

const char *call_text(const struct call *call, int from)
{
    const char *at = text_skip_words(call->rest, from - 1);

    if (*at != '\0' && strlen(at) <= CALL_TEXT_MAX && utf8_is_showable(at, strlen(at)))
        return at;
    call_usage(call, *at == '\0' ? "the text is missing"
                                 : "the text is longer than 1000 bytes");
    return NULL;
}

const char *call_timed_text(const struct call *call, int64_t *span_s)
{
    const char *word = call->argc > 2 ? call->argv[2] : "";

    if (strncmp(word, "for=", 4) != 0)
        return call_text(call, 2);
    *span_s = 0;
    if (strcmp(word, "for=ever") == 0 || call_parse_span(word + 4, span_s))
        return call_text(call, 3);
    call_usage(call, "for= takes a time such as 30m, 12h or 7d, or ever");
    return NULL;
}

bool call_parse_span(const char *word, int64_t *span_s)
{
    static const struct {
        char unit;
        int64_t s;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', DAY_S}};
    enum { MOST_DAYS = 3650 };
    char number[12];
    size_t len = strlen(word);
    int64_t count;

    for (size_t i = 0; i < ARRAY_LEN(units) && len > 1 && len < 10; i++) {
        if (word[len - 1] != units[i].unit)
            continue;
        snprintf(number, sizeof number, "%.*s", (int)(len - 1), word);
        if (text_to_int(number, 1, MOST_DAYS * (int64_t)DAY_S / units[i].s, &count)) {
            *span_s = count * units[i].s;
            return true;
        }
    }
    return false;
}

struct account *call_account(const struct call *call, const char *name)
{
    struct account *account = accounts_find(call->world->accounts, name);

    if (account == NULL)
        call_no_name(call->from);
    else if (account->role < call->role || call->role == ROLE_OWNER)
        return account;
    else
        session_err(call->from, REPLY_NOT_NOW, "why=rank name=%s role=%s",
                    account->shown, role_name(account->role));
    return NULL;
}

bool call_spend_act(const struct call *call)
{
    struct account *me = call->from->account;

    if (call->role == ROLE_OWNER || me == NULL || !call->world->config->has_quotas ||
        account_spend_act(me, call->now_ms))
        return true;
    return session_err(call->from, REPLY_SLOW_DOWN, "#acts retry=%d",
                       60 / ACCOUNT_ACTS_PER_MIN);
}

int call_say_act(struct session *session, const struct house_act *act)
{
    const char *line = act->words, *end;
    int rows = 1;

    session_rowf(session, "act %s at_s=%lld by=%s%s%s%s%s%s%.*s", act->kind,
                 (long long)act->wall_s, act->actor,
                 act->target[0] != '\0' ? " target=" : "", act->target,
                 act->params[0] != '\0' ? " " : "", act->params,
                 act->words[0] != '\0' ? " : " : "", (int)strcspn(line, "\n"), line);
    for (; (end = strchr(line, '\n')) != NULL; rows++) {
        line = end + 1;
        session_rowf(session, "%.*s", (int)strcspn(line, "\n"), line);
    }
    return rows;
}

bool call_record(const struct call *call, const struct house_act *act,
                 const char *format, ...)
{
    struct house_act whole = *act;
    char words[PROTO_LINE_MAX / 2];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    whole.actor = call->from->name;
    house_record(call->world->house, &whole);
    /* During an outage only urgent verbs run. They are answered before their record is
     * on disk; what follows keeps its place behind what waits. */
    if (call->world->has_outage)
        gate_narrow(store_gate(call->world->store), GATE_FREE);
    session_ok_words(call->from, words);
    if (call->world->has_outage)
        gate_narrow(store_gate(call->world->store), GATE_IN_ORDER);
    return true;
}

bool call_record_end(const struct call *call, int64_t game, enum outcome outcome,
                     bool is_counted, const char *reason, const char *words)
{
    char target[24], params[40];

    snprintf(target, sizeof target, "%lld", (long long)game);
    snprintf(params, sizeof params, "result=%s%s", outcome_name(outcome),
             is_counted ? "" : " rated=no");
    return call_record(
        call,
        &(struct house_act){
            .kind = "end", .target = target, .params = params, .words = reason},
        "%s game=%lld : %s", call->argv[0], (long long)game, words);
}

/* --- Lists that are kept ready for all clients --- */

struct shared {
    char *lines;
    size_t len, room;
    int count;
    bool is_made;
    int64_t made_ms;
};

struct shared_lists {
    int64_t max_age_ms;
    struct shared list[SHARED_KINDS + 1]; /* the last is the host's */
};

struct shared_lists *shared_lists_new(int64_t max_age_ms)
{
    struct shared_lists *lists = mem_new(sizeof *lists);

    lists->max_age_ms = max_age_ms;
    return lists;
}

void shared_lists_free(struct shared_lists *lists)
{
    if (lists == NULL)
        return;
    for (int kind = 0; kind <= SHARED_KINDS; kind++)
        free(lists->list[kind].lines);
    free(lists);
}

void shared_addf(struct shared *list, const char *format, ...)
{
    size_t wanted = list->len + PROTO_LINE_MAX + 1;
    va_list args;

    if (wanted > list->room) {
        list->room = 2 * wanted;
        list->lines = mem_resize(list->lines, list->room, 1);
    }
    va_start(args, format);
    list->len +=
        proto_format_line(list->lines + list->len, PROTO_LINE_MAX + 1, format, args);
    va_end(args);
}

int shared_send(struct call *call, enum shared_kind kind, shared_make_fn *make)
{
    struct shared_lists *lists = call->world->lists;
    bool is_hosts = call_is_hosts(call);
    struct shared *list = &lists->list[is_hosts ? SHARED_KINDS : kind];
    bool is_old =
        is_hosts || !list->is_made || call->now_ms - list->made_ms >= lists->max_age_ms;
    bool is_wanted = (call->from->acted & 1u << kind) != 0;

    if (!is_old && is_wanted)
        usage_charge(&call->from->usage, SHARED_COST, call->now_ms);
    if (is_old || is_wanted) {
        list->len = 0;
        list->count = make(call->world, list, is_hosts);
        list->made_ms = call->now_ms;
        list->is_made = true;
    }
    call->from->acted &= ~(1u << kind);
    if (list->len > 0)
        session_send(call->from, list->lines, list->len);
    return list->count;
}
