/* The verb evening, for club evenings. Its first word says what to do. It works in a
 * session and in `janggid ctl`. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/base/utf8.h"
#include "common/evening/evening_draw.h"
#include "common/evening/evening_export.h"
#include "common/evening/evening_table.h"
#include "server/base/config.h"
#include "server/base/world.h"
#include "server/command/command.h"
#include "server/evening/evening_run.h"
#include "server/evening/evenings.h"
#include "server/lobby/lobby.h"
#include "server/room/room.h"
#include "server/room/rooms.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

enum {
    NAME_MAX_BYTES = 40,
    REASON_MAX_BYTES = 200,
    EVENTS_MAX = 20000 /* if an evening has this many events, people cannot add
                        * another */
};

/* --- Answers --- */

static bool refuse(const struct call *call, const char *why)
{
    return session_err(call->from, REPLY_NOT_NOW, "why=%s", why);
}

/* Appends an event. Answers OK with the keys, such as " in_s=40", and the words. */
static bool append(const struct call *call, struct evening_entry *entry,
                   const char *event, const char *keys, const char *words)
{
    if (entry->log.evening.events >= EVENTS_MAX)
        return session_err(call->from, REPLY_LIMIT,
                           "what=events#evening max=%d id=%lld", EVENTS_MAX,
                           (long long)entry->log.id);
    if (!evenings_append(call->world->evenings, entry, event))
        return refuse(call, "evening");
    session_ok(call->from, "evening id=%lld%s : %s", (long long)entry->log.id, keys,
               words);
    evening_run_changed(call->world->evening_run);
    return true;
}

/* --- Who may --- */

/* True for a moderator, and for the maker of the evening if the maker is still a
 * member. Also compares the account, because another person may have the maker's name
 * now. False: the answer was sent. */
static bool is_maker(const struct call *call, const struct evening_entry *entry)
{
    const struct evening *evening = &entry->log.evening;
    const struct account *account =
        accounts_find(call->world->accounts, call->from->name);

    if (call->role >= ROLE_MODERATOR ||
        (call->role >= ROLE_MEMBER && account != NULL &&
         strcmp(evening->maker, call->from->name) == 0 &&
         (evening->maker_account == 0 || evening->maker_account == account->number)))
        return true;
    return refuse(call, "maker");
}

/* True if the caller may make another evening now. Moderators may make any number in a
 * day, and the server's limit on open evenings does not apply to them. False: the
 * answer was sent. */
static bool may_make(const struct call *call)
{
    struct accounts *accounts = call->world->accounts;
    struct account *maker = accounts_find(accounts, call->from->name);
    bool is_for_members = strcmp(call->world->config->evenings, "members") == 0;
    bool is_staff = call->role >= ROLE_MODERATOR;
    enum role need = is_for_members ? ROLE_MEMBER : ROLE_MODERATOR;
    int max = evenings_limit(call->world->evenings, call->from->name);
    int64_t in_s = 0;

    if (call->role < need)
        return session_err(call->from, REPLY_NOT_NOW, "why=role#make need=%s",
                           role_name(need));
    if (max != 0 && !(is_staff && max == EVENINGS_OPEN_MAX))
        return call_err_limit(call, "evenings", max);
    if (!is_staff && maker != NULL)
        in_s = evenings_wait_s(call->world->evenings, accounts_number(accounts, maker),
                               mono_wall_s());
    if (in_s > 0)
        session_err(call->from, REPLY_LIMIT, "what=new-evenings max=%d in_s=%lld",
                    EVENINGS_DAY_MAX, (long long)in_s);
    return in_s == 0;
}

static bool is_good_name(const char *name)
{
    size_t len = strlen(name);

    return len <= NAME_MAX_BYTES && utf8_is_showable(name, len) &&
           utf8_begins_visibly(name) && strpbrk(name, "\"\\=: <>&") == NULL;
}

/* Finds the evening with that name among those that are not over. NULL: there is none,
 * or there are several. */
static struct evening_entry *find_named(const struct call *call, const char *name)
{
    struct evening_entry *found = NULL, *e = evenings_first(call->world->evenings);

    for (; e != NULL; e = evenings_next(e)) {
        if (e->log.evening.phase == EVENING_OVER ||
            strcmp(e->log.evening.name, name) != 0)
            continue;
        if (found != NULL)
            return NULL;
        found = e;
    }
    return found;
}

/* Finds the evening whose ID is argv[at], or whose name is there. NULL: the answer was
 * sent. */
static struct evening_entry *find(const struct call *call, int at)
{
    struct evening_entry *entry;
    const char *word = at < call->argc ? call->argv[at] : NULL;
    int64_t id;

    if (word == NULL) {
        call_usage(call, "the ID of the evening is missing; evening lists them");
        return NULL;
    }
    if (text_to_int(word, 1, INT64_MAX, &id)) {
        entry = evenings_find(call->world->evenings, id);
        if (entry == NULL)
            session_err(call->from, REPLY_NO_SUCH, "what=evening");
        return entry;
    }
    entry = find_named(call, word);
    if (entry == NULL)
        session_err(call->from, REPLY_NO_SUCH, "what=evening#name name=%s",
                    is_good_name(word) ? word : "that");
    return entry;
}

/* False if the server's storage is full; the answer was sent. Evenings are kept for ever,
 * so people can add nothing to an evening while the storage is full. */
static bool has_storage(const struct call *call)
{
    return !lobby_is_storage_full(call->world->lobby) ||
           session_err(call->from, REPLY_LIMIT, "what=storage#evening");
}

/* Returns the number of events of the evening that begin with prefix. */
static int count_events(const struct evening_log *log, const char *prefix)
{
    size_t len = strlen(prefix);
    int count = 0;

    for (int i = 0; i < log->evening.events; i++)
        count += strncmp(log->line[i].text, prefix, len) == 0;
    return count;
}

/* Adds the terms of the evening as keys, such as " system=swiss rounds=5
 * time=20m+3x40s rules=kja". They differ from what the server's games have usually. A
 * round robin has a number of rounds when it has begun. */
static void add_terms(struct text *out, const struct evening *evening)
{
    text_addf(out, " system=%s", evening_system_name(evening->system));
    if (evening->system == EVENING_SWISS || evening->round > 0)
        text_addf(out, " rounds=%d", evening->rounds);
    text_addf(out, " time=%s rules=%s%s", evening->time, evening->rules,
              evening->is_rated ? " rated=yes" : "");
    if (evening->phase == EVENING_OPEN && evening->at_s != 0)
        text_addf(out, " at_s=%lld", (long long)evening->at_s);
}

/* --- new --- */

/* Sets *out to the next time at which the server's local clock shows `word`, "HH:MM".
 * False: `word` is not a time. */
static bool parse_hour(const char *word, int64_t *out)
{
    time_t now = (time_t)mono_wall_s(), at;
    struct tm local;
    int64_t number;
    char hour[3] = {word[0], word[0] != '\0' ? word[1] : '\0', '\0'};

    if (strlen(word) != 5 || word[2] != ':' || localtime_r(&now, &local) == NULL)
        return false;
    if (!text_to_int(hour, 0, 23, &number))
        return false;
    local.tm_hour = (int)number;
    if (!text_to_int(word + 3, 0, 59, &number))
        return false;
    local.tm_min = (int)number;
    local.tm_sec = 0;
    local.tm_isdst = -1;
    at = mktime(&local);
    if (at <= now) {
        local.tm_mday++;
        local.tm_isdst = -1;
        at = mktime(&local);
    }
    *out = at;
    return at > now;
}

/* Reads one key=value into *evening or *terms. Returns NULL, or what is wrong with
 * it. */
static const char *take_key(struct evening *evening, struct terms *terms,
                            const char *key, const char *value)
{
    const char *why = "the keys are system, rounds, time, rules, score, at, "
                      "noshow, shown, rated and pairs";
    bool is_good = false;
    int64_t number;

    if (strcmp(key, "time") == 0 || strcmp(key, "rules") == 0) {
        is_good = terms_set(terms, key, value, &why);
    } else if (strcmp(key, "system") == 0) {
        why = "system= takes rr (round robin) or swiss";
        is_good = evening_system_parse(value, &evening->system);
    } else if (strcmp(key, "score") == 0) {
        why = "score= takes wins or 7421";
        is_good = evening_score_parse(value, &evening->score);
    } else if (strcmp(key, "rounds") == 0) {
        why = "rounds= takes a number from 1 to 20";
        is_good = text_to_int(value, 1, EVENING_ROUNDS_MAX, &number);
        if (is_good)
            evening->rounds = (int)number;
    } else if (strcmp(key, "pairs") == 0) {
        why = "pairs= takes auto or hand";
        evening->is_by_hand = strcmp(value, "hand") == 0;
        is_good = evening->is_by_hand || strcmp(value, "auto") == 0;
    } else if (strcmp(key, "rated") == 0) {
        why = "rated= takes yes or no";
        evening->is_rated = terms->manners.is_rated = strcmp(value, "yes") == 0;
        is_good = evening->is_rated || strcmp(value, "no") == 0;
    } else if (strcmp(key, "at") == 0) {
        why = "at= takes an hour such as 20:00";
        is_good = parse_hour(value, &evening->at_s);
    } else if (strcmp(key, "noshow") == 0) {
        why = "noshow= takes a time such as 5m, at most 1d";
        is_good =
            call_parse_span(value, &evening->noshow_s) && evening->noshow_s <= DAY_S;
    } else if (strcmp(key, "shown") == 0) {
        why = "shown= takes a time such as 60s, at most 1h";
        is_good = call_parse_span(value, &evening->shown_s) && evening->shown_s <= 3600;
    }
    return is_good ? NULL : why;
}

static const char *take_keys(const struct call *call, struct evening *evening,
                             struct terms *terms)
{
    struct position_fault fault;
    const char *why = NULL;

    for (int i = 3; i < call->argc && why == NULL; i++) {
        char key[16];
        size_t len = strcspn(call->argv[i], "=");

        if (call->argv[i][len] != '=' || len >= sizeof key)
            return "after the name come words such as system=swiss rounds=5";
        for (int earlier = 3; earlier < i; earlier++)
            if (strncmp(call->argv[earlier], call->argv[i], len + 1) == 0)
                return "give each option at most once";
        memcpy(key, call->argv[i], len);
        key[len] = '\0';
        why = take_key(evening, terms, key, call->argv[i] + len + 1);
    }
    if (why == NULL && time_terms_is_correspondence(&terms->time))
        why = "an evening has no games by correspondence";
    if (why == NULL && terms_judge(terms, &why, &fault))
        why = NULL;
    return why;
}

static bool make(struct call *call)
{
    struct evening evening = {
        .system = EVENING_SWISS, .rounds = 5, .noshow_s = 300, .shown_s = 60};
    struct terms terms = terms_default();
    struct account *maker = accounts_find(call->world->accounts, call->from->name);
    bool is_nameless = call->argc < 3 || strchr(call->argv[2], '=') != NULL;
    char event[EVENING_EVENT_BYTES], answer[PROTO_LINE_MAX / 2];
    const char *why;
    struct evening_entry *entry;
    struct text words = text_into(answer, sizeof answer);

    static_assert((int)TIME_TERMS_BYTES <= (int)EVENING_TERM_BYTES, "a time fits");
    if (!may_make(call) || !has_storage(call))
        return false;
    if (is_nameless || !is_good_name(call->argv[2]))
        return call_usage(
            call, is_nameless
                      ? "the name of the evening is missing; it comes first"
                      : "a name of an evening is a word of at most 40 bytes that "
                        "begins with a character that can be seen");
    if (!time_terms_parse("20m+3x40s", &terms.time))
        log_die("evening bug=\"the default time\"");
    terms.rules = ruleset_find("kja");
    why = take_keys(call, &evening, &terms);
    if (why != NULL)
        return call_usage(call, why);
    time_terms_format(evening.time, &terms.time);
    text_copy(evening.rules, sizeof evening.rules, ruleset_name(terms.rules));
    evening.first = ruleset_first_mover(terms.rules);
    text_copy(evening.name, sizeof evening.name, call->argv[2]);
    text_copy(evening.maker, sizeof evening.maker, call->from->name);
    if (maker != NULL)
        evening.maker_account = accounts_number(call->world->accounts, maker);
    evening_format_new(event, &evening);
    entry = evenings_new(call->world->evenings, event);
    if (entry == NULL)
        log_die("evening bug=\"a new evening does not fit\"");
    text_addf(&words, "evening id=%lld", (long long)entry->log.id);
    add_terms(&words, &entry->log.evening);
    text_addf(&words, " : people join with: evening join %lld",
              (long long)entry->log.id);
    session_ok_words(call->from, answer);
    evening_run_changed(call->world->evening_run);
    return true;
}

/* --- join, leave --- */

static bool join(struct call *call, struct evening_entry *entry)
{
    const struct evening *evening = &entry->log.evening;
    int number = evening_find(evening, call->from->name);
    int players_max =
        evening->system == EVENING_SWISS ? EVENING_PLAYERS_MAX : EVENING_CIRCLE_MAX;
    char event[EVENING_EVENT_BYTES], keys[200], words[200];
    struct text terms = text_into(keys, sizeof keys);

    if (call->role < ROLE_MEMBER || call_is_hosts(call))
        return session_err(call->from, REPLY_NOT_NOW, "why=role#evening need=member");
    if (number != 0 && evening->player[number - 1].is_here)
        return refuse(call, "joined");
    if (evening->system == EVENING_ROUND_ROBIN && evening->round > 0 &&
        (number == 0 || evening_pair_of(evening, 1, number) == NULL)) {
        /* all rounds of a round robin follow from round 1 */
        return refuse(call, "begun#join");
    }
    if (number == 0 && evening->players >= players_max)
        return call_err_limit(call, "players", players_max);
    snprintf(event, sizeof event, "join %d ", number);
    if (count_events(&entry->log, event) >= EVENINGS_JOINS_MAX) {
        /* each event is kept for ever */
        return call_err_limit(call, "joins", EVENINGS_JOINS_MAX);
    }
    if (!has_storage(call))
        return false;
    snprintf(event, sizeof event, "join %d %s",
             number != 0 ? number : evening->players + 1, call->from->name);
    snprintf(words, sizeof words, "you take part in %s", evening->name);
    add_terms(&terms, evening);
    return append(call, entry, event, keys, words);
}

static bool leave(struct call *call, struct evening_entry *entry)
{
    const struct evening *evening = &entry->log.evening;
    bool is_other = call->argc > 3;
    int number = evening_find(evening, is_other ? call->argv[3] : call->from->name);
    const struct evening_pair *pair = evening_pair_of(evening, evening->round, number);
    int64_t in_s = evening_run_wait_s(entry);
    const char *name;
    char event[64], keys[24] = "", words[200];

    if (is_other && !is_maker(call, entry))
        return false;
    if (number == 0 || !evening->player[number - 1].is_here)
        return refuse(call, is_other ? "not-joined" : "not-joined#you");
    snprintf(event, sizeof event, "leave %d", number);
    name = evening->player[number - 1].name;
    if (evening->phase == EVENING_PLAYING && pair != NULL && pair->second != 0 &&
        pair->game == 0 && pair->result == EVENING_UNDECIDED) {
        /* it begins all the same: the opponent would otherwise wait for nothing */
        snprintf(keys, sizeof keys, " in_s=%lld", (long long)in_s);
        snprintf(words, sizeof words,
                 "%s will not be paired again, but the game of round %d still begins "
                 "in %lld s",
                 name, evening->round, (long long)in_s);
    } else {
        snprintf(words, sizeof words,
                 "%s will not be paired again; a running game goes on", name);
    }
    return append(call, entry, event, keys, words);
}

/* --- start, pair, end --- */

static bool pair_with(const struct call *call, struct evening_entry *entry,
                      const struct evening_draw *draw)
{
    const char *why;

    if (!call_takes_games(call))
        return false;
    why = evening_run_pair(call->world->evening_run, entry, draw);
    if (why == NULL)
        return session_ok(call->from,
                          "evening id=%lld round=%d : the games begin in %lld s",
                          (long long)entry->log.id, entry->log.evening.round,
                          (long long)entry->log.evening.shown_s);
    return refuse(call, why);
}

static bool pair(struct call *call, struct evening_entry *entry)
{
    struct evening_draw draw;
    const char *why;

    if (call->argc == 3)
        return pair_with(call, entry, NULL);
    why =
        evening_draw_parse(&entry->log.evening, text_skip_words(call->rest, 2), &draw);
    if (why == NULL)
        why = evening_draw_judge(&entry->log.evening, &draw);
    if (why != NULL)
        return session_err(call->from, REPLY_NOT_NOW, "why=pairs : %s", why);
    return pair_with(call, entry, &draw);
}

static bool start(struct call *call, struct evening_entry *entry)
{
    if (entry->log.evening.phase != EVENING_OPEN)
        return refuse(call, "begun");
    return pair_with(call, entry, NULL);
}

/* Two evenings may have one name, so an end needs the number. */
static bool end(struct call *call, struct evening_entry *entry)
{
    if (strspn(call->argv[2], "0123456789") != strlen(call->argv[2]))
        return call_usage(call, "to end an evening, type its ID, which is a number");
    if (evening_run_end(call->world->evening_run, entry))
        return session_ok(call->from, "evening id=%lld state=over",
                          (long long)entry->log.id);
    return refuse(call, "evening-over");
}

/* --- result, adjust --- */

/* Returns the reason: the rest of the line from argv[5] on. NULL: the answer was
 * sent. */
static const char *take_reason(const struct call *call)
{
    const char *reason = call_text(call, 5);

    if (reason == NULL || strlen(reason) <= REASON_MAX_BYTES)
        return reason;
    call_usage(call, "the reason is longer than 200 bytes");
    return NULL;
}

/* True if the caller may make one more change whose event begins with `prefix`. A maker
 * may change the same board or player at most EVENINGS_CHANGES_MAX times. This limit
 * does not apply to the staff, who can undo such changes. Instead, each change by the
 * staff costs one act of their budget (call_spend_act()). False: the answer was
 * sent. */
static bool may_change(const struct call *call, const struct evening_log *log,
                       const char *prefix)
{
    if (call->role >= ROLE_MODERATOR)
        return has_storage(call) && call_spend_act(call);
    if (count_events(log, prefix) < EVENINGS_CHANGES_MAX)
        return has_storage(call);
    return call_err_limit(call, "changes", EVENINGS_CHANGES_MAX);
}

/* Finds the board that argv[3] names: "2" is board 2 of the last round,
 * "1.2" is board 2 of round 1. NULL: there is no such board, or it is a bye. */
static const struct evening_pair *find_board(const struct call *call,
                                             const struct evening_entry *entry)
{
    int64_t round = entry->log.evening.round, board;
    const char *word = call->argc > 3 ? call->argv[3] : "";
    const char *dot = strchr(word, '.');
    const struct evening_pair *pair = NULL;
    char head[8];

    if (dot != NULL && dot - word < (int)sizeof head) {
        memcpy(head, word, (size_t)(dot - word));
        head[dot - word] = '\0';
        if (!text_to_int(head, 1, EVENING_ROUNDS_MAX, &round))
            round = 0;
        word = dot + 1;
    }
    if (text_to_int(word, 1, EVENING_BOARDS_MAX, &board))
        pair = evening_board(&entry->log.evening, (int)round, (int)board);
    return pair != NULL && pair->second != 0 ? pair : NULL;
}

/* Ends the running game of a board with `outcome`, which also becomes the result of the
 * board. In the same batch, records the end as an act of the staff, with its reason. A
 * rated game that ends in this way changes no ratings. The maker of an evening may not
 * end a game that counts, because the maker could save a friend who is losing. */
static bool end_game(const struct call *call, struct room *room, enum outcome outcome,
                     const char *reason)
{
    bool is_staff = call->role >= ROLE_MODERATOR,
         is_rated = room->game.manners.is_rated;

    if (!is_staff && is_rated && room->game.plies >= SIDES)
        return call_err_game(call, REPLY_NOT_NOW, "why=board", room->id);
    if (is_staff && !call_spend_act(call))
        return false;
    lobby_exclude_game(call->world->lobby, room->id);
    if (room_end_by_host(room, outcome, call->now_ms).code != FAULT_NONE)
        return refuse(call, "evening#game");
    return call_record_end(call, room->id, outcome, !is_rated, reason,
                           "the game was ended");
}

static bool result(struct call *call, struct evening_entry *entry)
{
    const struct evening_pair *pair = find_board(call, entry);
    enum outcome outcome;
    const char *reason;
    char event[EVENING_EVENT_BYTES];
    struct room *room;

    if (pair == NULL || call->argc < 5 || !outcome_parse(call->argv[4], &outcome))
        return call_usage(call, "BOARD is ROUND.BOARD for an earlier round");
    reason = take_reason(call);
    if (reason == NULL)
        return false;
    room = room_find(call->world->rooms, pair->game);
    if (pair->result == EVENING_UNDECIDED && room != NULL && !room->is_read_back &&
        room->game.phase != GAME_OVER)
        return end_game(call, room, outcome, reason);
    /* an undecided board may always get a result, because its round waits for it */
    snprintf(event, sizeof event, "result %d %d ", pair->round, pair->board);
    if (pair->result != EVENING_UNDECIDED && !may_change(call, &entry->log, event))
        return false;
    snprintf(event, sizeof event, "result %d %d %s host %s", pair->round, pair->board,
             evening_run_result(&entry->log.evening, outcome), reason);
    if (!append(call, entry, event, "", "the result counts"))
        return false;
    evening_run_note_due(call->world->evening_run, entry);
    return true;
}

/* Reads points like "+1" or "-0.5" into *out, in half points. False: invalid, or 0. */
static bool parse_halves(const char *word, int *out)
{
    bool is_minus = word[0] == '-';
    char whole[8];
    size_t len;
    int64_t number;

    word += is_minus || word[0] == '+';
    len = strcspn(word, ".");
    if (len == 0 || len >= sizeof whole ||
        (word[len] == '.' && strcmp(word + len, ".5") != 0))
        return false;
    memcpy(whole, word, len);
    whole[len] = '\0';
    if (!text_to_int(whole, 0, 500, &number))
        return false;
    *out = (int)(2 * number + (word[len] == '.'));
    if (is_minus)
        *out = -*out;
    return *out != 0;
}

static bool adjust(struct call *call, struct evening_entry *entry)
{
    const char *reason;
    char event[EVENING_EVENT_BYTES], prefix[24];
    int halves;
    int number = call->argc > 3 ? evening_find(&entry->log.evening, call->argv[3]) : 0;

    if (number == 0 || call->argc < 5 || !parse_halves(call->argv[4], &halves))
        return call_usage(
            call, "NAME is a player of the evening, and +1 stands for the points");
    reason = take_reason(call);
    snprintf(prefix, sizeof prefix, "adjust %d ", number);
    if (reason == NULL || !may_change(call, &entry->log, prefix))
        return false;
    snprintf(event, sizeof event, "%s%d %s", prefix, halves, reason);
    return append(call, entry, event, "",
                  "the points count in the table, not in the pairings");
}

/* --- Showing --- */

/* Lists the evenings that are not over, and the latest ones that are over. */
static bool list(struct call *call)
{
    enum { PAST_MAX = 10 };
    struct evening_entry *first = evenings_first(call->world->evenings), *e;
    int past = 0, count = 0;

    for (e = first; e != NULL; e = evenings_next(e))
        past += e->log.evening.phase == EVENING_OVER;
    for (e = first; e != NULL; e = evenings_next(e)) {
        const struct evening *evening = &e->log.evening;
        char at[40] = "";

        if (evening->phase == EVENING_OVER && past-- > PAST_MAX)
            continue;
        if (evening->phase == EVENING_OPEN && evening->at_s != 0)
            snprintf(at, sizeof at, " at_s=%lld", (long long)evening->at_s);
        session_rowf(
            call->from,
            "evening %lld name=%s state=%s system=%s round=%d rounds=%d players=%d "
            "by=%s%s",
            (long long)e->log.id, evening->name, evening_phase_name(evening->phase),
            evening_system_name(evening->system), evening->round, evening->rounds,
            evening->players, evening->maker, at);
        count++;
    }
    return session_ok(call->from, "evening count=%d", count);
}

static void say_board(const struct call *call, const struct evening *evening,
                      const struct evening_pair *pair)
{
    bool is_red_first = evening->first == SIDE_RED;
    const char *first = evening_player(evening, pair->first)->name;
    const char *second =
        pair->second != 0 ? evening_player(evening, pair->second)->name : "";
    const char *who = evening_result_name(pair->result);
    char result[64] = "";

    if (pair->second == 0) {
        session_rowf(call->from, "board %d round=%d bye=%s", pair->board, pair->round,
                     first);
        return;
    }
    if (strcmp(who, "first") == 0 || strcmp(who, "second") == 0)
        who = (strcmp(who, "first") == 0) == is_red_first ? "red" : "blue";
    if (who[0] != '\0')
        snprintf(result, sizeof result, " result=%s reason=%s", who,
                 pair->result >= EVENING_SECOND_MISSED ? "missed"
                                                       : reason_name(pair->reason));
    session_rowf(call->from, "board %d round=%d game=%lld red=%s blue=%s%s",
                 pair->board, pair->round, (long long)pair->game,
                 is_red_first ? first : second, is_red_first ? second : first, result);
}

static bool show(struct call *call, struct evening_entry *entry, int round)
{
    const struct evening *evening = &entry->log.evening;
    struct evening_place place[EVENING_PLAYERS_MAX];
    int mine = evening_find(evening, call->from->name);

    evening_table(evening, place);
    for (const struct evening_place *p = place; p < place + evening->players; p++) {
        const struct evening_player *player = evening_player(evening, p->number);
        char score[EVENING_POINTS_BYTES], buchholz[EVENING_POINTS_BYTES];

        evening_points_format(score, p->score);
        evening_points_format(buchholz, p->buchholz_cut);
        session_rowf(call->from,
                     "place %d name=%s number=%d score=%s buchholz=%s "
                     "sonneborn=%d.%02d won=%d played=%d missed=%d here=%s",
                     p->place, player->name, p->number, score, buchholz,
                     p->sonneborn / 4, p->sonneborn % 4 * 25, p->won, p->played,
                     player->missed_ever, player->is_here ? "yes" : "no");
    }
    for (int i = 0; i < evening->pairs; i++)
        if (evening->pair[i].round == round)
            say_board(call, evening, &evening->pair[i]);
    return session_ok(
        call->from,
        "evening id=%lld name=%s state=%s system=%s score=%s round=%d rounds=%d "
        "players=%d here=%d open=%d time=%s rules=%s by=%s in_s=%lld at_s=%lld%s%s",
        (long long)entry->log.id, evening->name, evening_phase_name(evening->phase),
        evening_system_name(evening->system), evening_score_name(evening->score),
        evening->round, evening->rounds, evening->players, evening_count_here(evening),
        evening_count_undecided(evening), evening->time, evening->rules, evening->maker,
        (long long)evening_run_wait_s(entry),
        (long long)(evening->phase == EVENING_OPEN ? evening->at_s : 0),
        evening->is_rated ? " rated=yes" : "",
        mine > 0 && evening->player[mine - 1].is_here ? " joined=yes" : "");
}

/* --- The verb --- */

/* The acts that change an evening: "evening ACT ID ...". */
static const struct {
    const char *name;
    bool (*run)(struct call *call, struct evening_entry *entry);
    int most;        /* maximum number of words, including "evening"; 0: the act checks
                      * the number itself */
    bool is_for_all; /* everybody may do it; false: only the maker and moderators */
    const char *usage;
} acts[] = {
    {"join", join, 3, true, "evening join ID"},
    {"leave", leave, 4, true, "evening leave ID [NAME]"},
    {"start", start, 3, false, "evening start ID"},
    {"pair", pair, 0, false, "evening pair ID [PAIR...]"},
    {"pairs", pair, 0, false, "evening pair ID [PAIR...]"},
    {"result", result, 0, false, "evening result ID BOARD red|blue|draw|none REASON"},
    {"adjust", adjust, 0, false, "evening adjust ID NAME +1 REASON"},
    {"end", end, 3, false, "evening end ID"}};

/* Shows the evening whose ID is argv[1]: its last round, or the round whose number is
 * argv[2]. If argv[2] is "trf", "html" or "games", sends the evening in that form:
 * "games" is the numbers of all games that have begun, for programs. */
static bool look(struct call *call)
{
    enum { MOST = 3 };
    const char *name = call->argv[1], *what = call->argc > 2 ? call->argv[2] : "";
    bool is_html = strcmp(what, "html") == 0 || strcmp(what, "--html") == 0;
    struct evening_entry *entry;
    const struct evening *evening;
    int rating[EVENING_PLAYERS_MAX], count = 0;
    char words[300], *file;
    struct text text = text_into(words, sizeof words);
    int64_t round;

    if (!text_to_int(name, 1, INT64_MAX, &round) && find_named(call, name) == NULL) {
        text_addf(&text,
                  "\"%s\" is not the ID or the name of one open evening, and not one "
                  "of new",
                  is_good_name(name) ? name : "that");
        for (size_t i = 0; i < ARRAY_LEN(acts); i++)
            if (strcmp(acts[i].name, "pairs") != 0)
                text_addf(&text, ", %s", acts[i].name);
        return call_usage(call, words);
    }
    if (call->argc > MOST)
        return call_usage(call, "too many words");
    entry = find(call, 1);
    if (entry == NULL)
        return false;
    evening = &entry->log.evening;
    round = evening->round;
    if (strcmp(what, "trf") == 0 || is_html) {
        file = mem_new(is_html ? EVENING_HTML_BYTES : EVENING_TRF_BYTES);
        if (is_html) {
            evening_export_html(file, EVENING_HTML_BYTES, evening);
        } else {
            evening_run_ratings(call->world->evening_run, evening, rating);
            evening_export_trf(file, EVENING_TRF_BYTES, evening, rating);
        }
        call_say_lines(call, file);
        free(file);
        return true;
    }
    if (strcmp(what, "games") == 0) {
        for (int i = 0; i < evening->pairs; i++) {
            if (evening->pair[i].game == 0)
                continue;
            session_rowf(call->from, "%lld", (long long)evening->pair[i].game);
            count++;
        }
        return session_ok(call->from, "evening id=%lld count=%d",
                          (long long)entry->log.id, count);
    }
    if (call->argc == 2 || text_to_int(what, 1, EVENING_ROUNDS_MAX, &round))
        return show(call, entry, (int)round);
    return call_usage(call, "after the number comes a round, trf, html or games");
}

static bool evening_verb(struct call *call)
{
    struct evening_entry *entry;

    if (call->argc > 1 && strcmp(call->argv[1], "new") == 0) {
        call->usage = "evening new NAME [KEY=VALUE...]";
        return make(call);
    }
    for (size_t i = 0; call->argc > 1 && i < ARRAY_LEN(acts); i++) {
        if (strcmp(call->argv[1], acts[i].name) != 0)
            continue;
        call->usage = acts[i].usage;
        if (acts[i].most != 0 && call->argc > acts[i].most)
            return call_usage(call, "too many words");
        entry = find(call, 2);
        return entry != NULL && (acts[i].is_for_all || is_maker(call, entry)) &&
               acts[i].run(call, entry);
    }
    if (call->world->access.watching != WATCHING_ALL && call->role < ROLE_MEMBER)
        return refuse(call, "role#watch");
    return call->argc == 1 ? list(call) : look(call);
}

const struct command cmd_evening = {
    .usage = "evening [ID [ROUND]]",
    .help = N_("club evenings: list them, see a table, take part"),
    .examples =
        N_("evening           lists the evenings\n"
           "evening 4         the table of evening 4 and its last round\n"
           "evening 4 2       the table, and round 2\n"
           "evening join 4    takes part; your games begin by themselves\n"
           "evening leave 4   no longer takes part\n"
           "To run an evening:\n"
           "evening new club system=swiss rounds=5 time=20m+3x40s rules=kja\n"
           "evening new open rated=yes   its games are rated\n"
           "evening start 4   pairs the first round\n"
           "evening pair 4    pairs the next round (with pairs=hand)\n"
           "evening result 4 3 red kim was ill   board 3: Red wins, and why\n"
           "evening adjust 4 hong +1 for the best game\n"
           "evening end 4\n"
           "In a shell on the host:\n"
           "janggid ctl evening 4 trf >club.trf        the file for other programs"),
    .args_max = PROTO_WORDS_MAX,
    .states = BY_READERS | BY_HOST,
    .cost = 2,
    .run = evening_verb,
};
