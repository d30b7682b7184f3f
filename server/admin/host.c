/* See host.h. */
#include "server/admin/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/net/tls.h"
#include "common/words/sentence.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/account/pass.h"
#include "server/admin/control.h"
#include "server/admin/drain.h"
#include "server/admin/metrics.h"
#include "server/admin/node.h"
#include "server/admin/top.h"
#include "server/base/config.h"
#include "server/base/world.h"
#include "server/command/entry.h"
#include "server/command/order.h"
#include "server/lobby/door.h"
#include "server/lobby/lobby.h"
#include "server/net/announce.h"
#include "server/net/listener.h"
#include "server/net/session.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

enum { ROWS_MAX = 1000 };

/* A request whose work the store does: a backup, or the removal of a game. */
struct errand {
    struct host *host;
    uint64_t talk;
    char *words; /* its argument, for the answer */
    struct errand *prev, *next;
};

struct host {
    struct host_parts parts;
    struct control *control;
    int64_t began_ms;
    const char *disk;
    struct errand *errands;
};

/* One request. */
struct ask {
    struct host *host;
    struct talk *talk;
    const char *verb;
    char *words; /* everything after the verb */
};

/* --- Errands --- */

static struct errand *errand_new(struct ask *ask, const char *words)
{
    struct errand *errand = mem_new(sizeof *errand);

    errand->host = ask->host;
    errand->talk = control_id(ask->talk);
    errand->words = mem_copy_text(words);
    DL_APPEND(ask->host->errands, errand);
    return errand;
}

static void errand_free(struct errand *errand)
{
    DL_DELETE(errand->host->errands, errand);
    free(errand->words);
    free(errand);
}

/* --- status --- */

/* Sends the rows about this node, if it is one of several. */
static void say_node(const struct host *host, struct talk *talk)
{
    const struct node *node = host->parts.node;

    if (node == NULL)
        return;
    control_sayf(talk, "role=%s", node_is_leader(node) ? "leader" : "standby");
    control_sayf(talk, "leader=%s",
                 node_is_leader(node) ? node_lease(node)->at : node_place(node));
    control_sayf(talk, "epoch=%lld", (long long)node_lease(node)->epoch);
}

static void say_drain(const struct host *host, struct talk *talk)
{
    const struct drain *drain = host->parts.drain;

    if (drain_state(drain) == DRAIN_GAMES)
        control_sayf(talk, "draining=games games_left=%d", drain_games_left(drain));
    else if (drain_state(drain) == DRAIN_TIMED)
        control_sayf(talk, "draining=restart in_s=%lld",
                     (long long)drain_left_s(drain, mono_now_ms()));
    else
        control_sayf(talk, "draining=%s",
                     drain_state(drain) == DRAIN_ENDING ? "ends-now" : "no");
}

static void say_counts(const struct world *world, struct talk *talk)
{
    const struct rooms *rooms = world->rooms;

    control_sayf(talk, "connections=%d", sessions_count(world->sessions));
    if (rooms == NULL)
        return;
    control_sayf(talk, "players=%d",
                 sessions_count_in(world->sessions, SESSION_MEMBER));
    control_sayf(talk, "guests=%d", sessions_count_in(world->sessions, SESSION_GUEST));
    control_sayf(talk, "games=%d", rooms_count(rooms, ROOM_LIVE));
    control_sayf(talk, "games_by_correspondence=%d",
                 rooms_count(rooms, ROOM_CORRESPONDENCE));
    control_sayf(talk, "games_adjourned=%d", rooms_count(rooms, ROOM_ADJOURNED));
    control_sayf(talk, "games_frozen=%d", rooms_count(rooms, ROOM_FROZEN));
}

static void say_store(const struct host *host, struct talk *talk)
{
    struct store_counts counts;

    if (host->parts.world->store == NULL)
        return;
    counts = store_counts(host->parts.world->store);
    if (host->parts.node != NULL && counts.committed_ms != 0)
        control_sayf(talk, "commit_age_ms=%lld",
                     (long long)(mono_now_ms() - counts.committed_ms));
    control_sayf(talk, "events=%llu", (unsigned long long)counts.events);
    control_sayf(talk, "commits=%llu", (unsigned long long)counts.commits);
    control_sayf(talk, "slowest_commit_ms=%lld.%03lld",
                 (long long)(counts.commit_us_max / 1000),
                 (long long)(counts.commit_us_max % 1000));
    control_sayf(talk, "disk=%s", host->disk);
}

static void status_run(struct ask *ask)
{
    const struct host *host = ask->host;
    char key[TLS_KEY_TEXT_BYTES];

    tls_key_format(key, host->parts.key);
    control_sayf(ask->talk, "version=%s", JANGGI_VERSION);
    control_sayf(ask->talk, "listen=%s", listener_name(host->parts.listener));
    control_sayf(ask->talk, "web=%s", host->parts.config->web);
    control_sayf(ask->talk, "key=%s", key);
    control_sayf(ask->talk, "up_s=%lld",
                 (long long)((mono_now_ms() - host->began_ms) / 1000));
    say_node(host, ask->talk);
    say_counts(host->parts.world, ask->talk);
    say_store(host, ask->talk);
    say_drain(host, ask->talk);
    control_ok(ask->talk, "status");
}

/* --- metrics, health --- */

static struct metrics_host metrics_of(const struct host *host)
{
    static const char *const drains[] = {[DRAIN_NONE] = "no",
                                         [DRAIN_GAMES] = "games",
                                         [DRAIN_TIMED] = "restart",
                                         [DRAIN_ENDING] = "ends-now"};

    return (struct metrics_host){.up_ms = mono_now_ms() - host->began_ms,
                                 .disk = host->disk,
                                 .drain = drains[drain_state(host->parts.drain)],
                                 .node = host->parts.node};
}

static void metrics_run(struct ask *ask)
{
    struct metrics_host host = metrics_of(ask->host);

    metrics_say(ask->talk, ask->host->parts.world, &host);
    control_ok(ask->talk, "metrics");
}

static void health_run(struct ask *ask)
{
    struct metrics_host host = metrics_of(ask->host);
    const struct node *node = ask->host->parts.node;
    const char *why;

    /* A standby is healthy while it knows where to send its callers. */
    if (!node_is_leader(node) && node_place(node)[0] != '\0')
        control_ok(ask->talk, "good: sends players to %s", node_place(node));
    else if (!node_is_leader(node))
        control_refuse(ask->talk, "no node has the games at the moment");
    else if (metrics_is_healthy(&host, &why))
        control_ok(ask->talk, "good: %s", why);
    else
        control_refuse(ask->talk, "%s", why);
}

static void top_run(struct ask *ask)
{
    top_say(ask->talk, ask->host->parts.world->sessions,
            ask->host->parts.world->admission, mono_now_ms());
    control_ok(ask->talk, "top");
}

/* --- who, games --- */

/* Ends a list with its number of rows, of which at most ROWS_MAX were printed. */
static void say_count(struct talk *talk, int count)
{
    if (count > ROWS_MAX)
        control_ok(talk, "count=%d shown=%d", count, ROWS_MAX);
    else
        control_ok(talk, "count=%d", count);
}

static void who_run(struct ask *ask)
{
    const struct world *world = ask->host->parts.world;
    const struct session *s = sessions_first_here(world->sessions);

    for (int i = 0; i < ROWS_MAX && s != NULL; i++, s = sessions_next_here(s)) {
        char games[GAME_LIST_BYTES] = "-";

        if (s->account != NULL)
            lobby_list_games(world->lobby, s->account, true, games, sizeof games);
        control_sayf(ask->talk, "%s from=%s games=%s watching=%d", s->name,
                     session_peer_address(s), games, presence_count_watched(s));
    }
    say_count(ask->talk, sessions_count_here(world->sessions));
}

static int say_games(struct ask *ask, bool is_private, int rows_max)
{
    const struct room *r = rooms_first_shown(ask->host->parts.world->rooms, is_private);
    int rows = 0;

    for (; rows < rows_max && r != NULL; rows++, r = rooms_next_shown(r)) {
        const struct game *game = &r->game;
        char time[TIME_TERMS_BYTES];

        time_terms_format(time, &game->clock.terms);
        control_sayf(ask->talk,
                     "%lld red=%s blue=%s rules=%s time=%s phase=%s ply=%d "
                     "watchers=%d%s",
                     (long long)r->id, game->name[SIDE_RED], game->name[SIDE_BLUE],
                     ruleset_name(game->rules), time, room_phase_name(r), r->game.plies,
                     r->feed.watcher_count, is_private ? " private=yes" : "");
    }
    return rows;
}

static void games_run(struct ask *ask)
{
    const struct rooms *rooms = ask->host->parts.world->rooms;
    int rows = say_games(ask, false, ROWS_MAX);

    (void)say_games(ask, true, ROWS_MAX - rows);
    say_count(ask->talk,
              rooms_count_shown(rooms, false) + rooms_count_shown(rooms, true));
}

/* --- invite --- */

/* Answers with these lines. */
static void say_lines(const struct ask *ask, char *lines)
{
    char *line;

    while ((line = strsep(&lines, "\n")) != NULL)
        if (lines != NULL || line[0] != '\0')
            control_sayf(ask->talk, "%s", line);
    control_ok(ask->talk, "%s", ask->verb);
}

/* Reads terms of the form NAME=VALUE, such as "time=5m side=red". Returns false if a
 * term is wrong, with the error in *why. */
static bool take_terms(struct terms *terms, char *words, const char **why)
{
    char *word;

    while ((word = strsep(&words, " ")) != NULL) {
        char *value = strchr(word, '=');

        if (word[0] == '\0')
            continue;
        *why = terms_words;
        if (value == NULL)
            return false;
        *value++ = '\0';
        if (!terms_set(terms, word, value, why))
            return false;
    }
    return true;
}

/* --- invite door, owner --- */

/* Reads the words after `invite`: "door" and, in any order, "uses=NUMBER" and
 * "days=NUMBER". A number that is missing gets its default. False: there is another
 * word, or a number is out of range. */
static bool take_door(char *words, int64_t *uses, int64_t *days)
{
    char *word;

    *uses = DOOR_USES;
    *days = DOOR_DAYS;
    while ((word = strsep(&words, " ")) != NULL)
        if (word[0] != '\0' && strcmp(word, "door") != 0 &&
            !(strncmp(word, "uses=", 5) == 0 &&
              text_to_int(word + 5, 1, DOOR_USES_MAX, uses)) &&
            !(strncmp(word, "days=", 5) == 0 &&
              text_to_int(word + 5, 1, DOOR_DAYS_MAX, days)))
            return false;
    return true;
}

static void invite_to_door(struct ask *ask)
{
    const struct host_parts *parts = &ask->host->parts;
    struct door *door;
    char words[ANNOUNCE_BYTES];
    struct text text = text_into(words, sizeof words);
    int64_t uses, days;

    if (!take_door(ask->words, &uses, &days)) {
        control_refuse(ask->talk, "only uses= (1 to %d) and days= (1 to %d) may follow",
                       DOOR_USES_MAX, DOOR_DAYS_MAX);
        return;
    }
    door = entry_make_door(parts->world, HOUSE_OPERATOR, (int)uses, (int)days);
    if (door == NULL) {
        control_refuse(ask->talk, "there are already %d open links for new members",
                       DOORS_MAX);
        return;
    }
    announce_door(&text, parts->config, parts->listener, parts->key, door->code,
                  (int)uses, (int)days);
    announce_outside_link(&text, parts->world->outside, parts->key, "enter",
                          door->code);
    say_lines(ask, words);
}

/* Writes an act of the operator to the audit log (account/house.h). The act gets no
 * reason. */
static void record(const struct ask *ask, const char *kind, const char *target,
                   const char *params)
{
    house_record(ask->host->parts.world->house,
                 &(struct house_act){.actor = HOUSE_OPERATOR,
                                     .kind = kind,
                                     .target = target,
                                     .params = params,
                                     .words = ""});
}

static void owner_run(struct ask *ask)
{
    const struct host_parts *parts = &ask->host->parts;
    char words[ANNOUNCE_BYTES], code[PASS_CODE_BYTES];
    struct text text = text_into(words, sizeof words);

    store_begin_together(parts->world->store);
    passes_make_owner(parts->world->passes, code, mono_wall_s());
    record(ask, "owner", "", "");
    store_end_together(parts->world->store);
    announce_owner(&text, parts->config, parts->listener, parts->key, code,
                   PASS_OWNER_MINUTES);
    announce_outside_link(&text, parts->world->outside, parts->key, "owner", code);
    say_lines(ask, words);
}

/* --- reset --- */

static void reset_run(struct ask *ask)
{
    const struct host_parts *parts = &ask->host->parts;
    struct world *world = parts->world;
    struct account *account = accounts_find(world->accounts, ask->words);
    char words[ANNOUNCE_BYTES], code[PASS_CODE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (account == NULL) {
        control_refuse(ask->talk, "unknown name: %.40s", ask->words);
        return;
    }
    store_begin_together(world->store);
    passes_make_reset(world->passes, account->folded, code, mono_wall_s());
    record(ask, "reset", account->shown, "");
    store_end_together(world->store);
    announce_reset(&text, parts->config, parts->listener, parts->key, account->shown,
                   code, PASS_RESET_HOURS);
    announce_outside_link(&text, parts->world->outside, parts->key, "watch", "");
    say_lines(ask, words);
}

/* --- invite to a game --- */

/* Reads the terms of a game, and checks that they fit together. If not, refuses the
 * request and returns false. */
static bool take_good_terms(struct ask *ask, struct terms *terms)
{
    struct position_fault fault;
    char words[SENTENCE_BYTES];
    const char *why = "";

    if (take_terms(terms, ask->words, &why) && terms_judge(terms, &why, &fault))
        return true;
    if (why == NULL)
        sentence_position(words, &fault);
    control_refuse(ask->talk, "%s", why != NULL ? why : words);
    return false;
}

static void invite_to_game(struct ask *ask)
{
    const struct host_parts *parts = &ask->host->parts;
    const struct world *world = parts->world;
    struct terms terms = terms_default();
    struct invite *invite;
    char words[ANNOUNCE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!take_good_terms(ask, &terms))
        return;
    invite = invites_open(lobby_invites(world->lobby), NULL, &terms);
    if (invite == NULL) {
        control_refuse(ask->talk,
                       "there are too many open invitations; one ends when its game "
                       "has begun or after %d hours",
                       INVITES_HOURS);
        return;
    }
    announce_invite(&text, parts->config, parts->listener,
                    &(struct announce_web){.origin = world->web_origin,
                                           .has_page = world->has_page},
                    parts->key, invite->code);
    if (world->outside[0] != '\0')
        announce_outside(&text, world->outside, parts->key, invite->code);
    say_lines(ask, words);
}

static void invite_run(struct ask *ask)
{
    if (strncmp(ask->words, "door", 4) == 0)
        invite_to_door(ask);
    else
        invite_to_game(ask);
}

/* --- backup --- */

static void on_backed_up(void *arg, const char *why)
{
    struct errand *errand = arg;
    struct talk *talk = control_find(errand->host->control, errand->talk);
    struct gate *gate = store_gate(errand->host->parts.world->store);
    struct stat st = {0};

    gate_narrow(gate, GATE_FREE); /* it tells of a file of its own */
    if (why == NULL && stat(errand->words, &st) != 0)
        why = strerror(errno);
    if (why == NULL)
        log_info("backup file=\"%s\" bytes=%lld", errand->words, (long long)st.st_size);
    else
        log_warn("backup file=\"%s\" why=\"%s\"", errand->words, why);
    if (talk != NULL && why == NULL)
        control_ok(talk, "wrote %s, %lld bytes", errand->words, (long long)st.st_size);
    else if (talk != NULL)
        control_refuse(talk, "%s: %s", errand->words, why);
    gate_widen(gate);
    errand_free(errand);
}

static void backup_run(struct ask *ask)
{
    if (ask->words[0] != '/')
        control_refuse(ask->talk, "backup takes a path that begins with /");
    else
        store_backup(ask->host->parts.world->store, ask->words, on_backed_up,
                     errand_new(ask, ask->words));
}

/* --- prune --- */

static void on_pruned(void *arg, int count)
{
    struct errand *errand = arg;
    struct talk *talk = control_find(errand->host->control, errand->talk);

    log_info("prune game=%s count=%d", errand->words, count);
    if (talk != NULL && count > 0)
        control_ok(talk, "game %s is deleted", errand->words);
    else if (talk != NULL && count == STORE_PRUNED_UNKNOWN)
        control_ok(
            talk,
            "game %s is deleted, if it was there: the database was lost before it "
            "answered",
            errand->words);
    else if (talk != NULL)
        control_refuse(talk,
                       "game %s is not on disk, is still running, or is the newest "
                       "game, which stays until another begins",
                       errand->words);
    errand_free(errand);
}

static void prune_game(struct ask *ask, const char *words)
{
    const struct world *world = ask->host->parts.world;
    int64_t game;

    if (!text_to_int(words, 1, INT64_MAX, &game))
        control_refuse(ask->talk, "prune game takes the number of an ended game");
    else if (room_find(world->rooms, game) != NULL)
        control_refuse(ask->talk,
                       "game %s is in memory; try again when it has ended and is no "
                       "longer in memory (keep-s)",
                       words);
    else
        store_prune_game(world->store, game, on_pruned, errand_new(ask, words));
}

static void prune_name(struct ask *ask, const char *name)
{
    struct accounts *accounts = ask->host->parts.world->accounts;
    struct account *account = accounts_find(accounts, name);

    if (account == NULL)
        control_refuse(ask->talk, "unknown name: %s", name);
    else if (!accounts_expire(accounts, account, INT64_MAX))
        control_refuse(ask->talk,
                       "%s is in use: it has finished a game, has a role, is online, "
                       "or has an open offer",
                       name);
    else
        control_ok(ask->talk, "the name %s is free now", name);
}

static void prune_reports(struct ask *ask, const char *words)
{
    enum { DAYS_MAX = 36500, DAY_S = 86400 };
    const struct world *world = ask->host->parts.world;
    char params[32];
    int64_t days;

    if (!text_to_int(words, 0, DAYS_MAX, &days)) {
        control_refuse(ask->talk, "prune reports takes a number of days");
        return;
    }
    store_begin_together(world->store);
    (void)house_shorten_reports(world->house, mono_wall_s() - days * DAY_S + 1);
    snprintf(params, sizeof params, "days=%d", (int)days);
    record(ask, "prune", "", params);
    store_end_together(world->store);
    control_ok(ask->talk, "reports older than %s days have no words any more", words);
}

static void prune_run(struct ask *ask)
{
    char *what = ask->words, *which = strchr(what, ' ');

    if (which != NULL)
        *which++ = '\0';
    if (which != NULL && strcmp(what, "game") == 0)
        prune_game(ask, which);
    else if (which != NULL && strcmp(what, "name") == 0)
        prune_name(ask, which);
    else if (which != NULL && strcmp(what, "reports") == 0)
        prune_reports(ask, which);
    else
        control_refuse(ask->talk, "usage: prune game NUMBER, prune name NAME, or prune "
                                  "reports DAYS");
}

/* --- drain, stay --- */

static void drain_until_games_end(struct ask *ask)
{
    struct drain *drain = ask->host->parts.drain;

    drain_for_games(drain);
    control_sayf(ask->talk,
                 "No new game can begin. The server will shut down when the current "
                 "games finish (%d now).",
                 drain_games_left(drain));
}

/* Runs the request `drain`. Unless its argument is wrong, the request is answered only
 * at the shutdown, or when the shutdown is cancelled. */
static void drain_run(struct ask *ask)
{
    struct drain *drain = ask->host->parts.drain;
    int64_t in_s;

    if (drain_state(drain) == DRAIN_ENDING) {
        control_sayf(ask->talk, "The server is already shutting down.");
    } else if (ask->words[0] == '\0' && !node_is_leader(ask->host->parts.node)) {
        drain_for_games(drain);
        control_sayf(ask->talk, "The clients of this server are sent to the server "
                                "with the games; then this one ends.");
    } else if (ask->words[0] == '\0') {
        drain_until_games_end(ask);
    } else if (text_to_int(ask->words, 0, DRAIN_MAX_S, &in_s)) {
        drain_in(drain, in_s, mono_now_ms());
        control_sayf(ask->talk,
                     "The server will shut down in %lld s; everybody was told.",
                     (long long)in_s);
    } else {
        control_refuse(ask->talk, "drain takes seconds, 0 to %d, or nothing",
                       DRAIN_MAX_S);
        return;
    }
    control_await_end(ask->talk);
}

static void stay_run(struct ask *ask)
{
    if (!drain_stay(ask->host->parts.drain)) {
        control_refuse(ask->talk, "no shutdown is announced");
        return;
    }
    control_refuse_waiting(ask->host->control, "the shutdown was cancelled");
    control_ok(ask->talk, "the shutdown was cancelled");
}

/* --- Verbs of staff --- */

/* Returns the part of an answer that is shown to the operator: the text after " : ", or
 * the whole answer if it contains no " : ". */
static const char *human(const char *words)
{
    const char *colon = strstr(words, ": ");

    return colon == words || (colon != NULL && colon[-1] == ' ') ? colon + 2 : words;
}

static void say_row(void *of, uint64_t id, const char *words)
{
    struct talk *talk = control_find(of, id);

    if (talk != NULL)
        control_sayf(talk, "%s", words);
}

static void say_ok(void *of, uint64_t id, const char *words)
{
    struct talk *talk = control_find(of, id);

    if (talk != NULL)
        control_ok(talk, "%s", human(words));
}

static void say_err(void *of, uint64_t id, enum reply reply, const char *words)
{
    struct talk *talk = control_find(of, id);

    (void)reply;
    if (talk != NULL)
        control_refuse(talk, "%s", human(words));
}

static const struct order_voice voice = {.row = say_row, .ok = say_ok, .err = say_err};

/* Runs the request in `line` if its first word is a command of the staff. False: it is
 * not, and nothing was done. */
static bool run_order(struct host *host, struct talk *talk, char *line)
{
    struct order_to to = {&voice, host->control, control_id(talk)};

    return verbs_run_order(host->parts.world, line, to, mono_now_ms());
}

/* --- The table --- */

static const struct {
    const char *verb;
    bool takes_words;
    /* Every node of a cluster runs this request. The other requests need the node that
     * has the games. */
    bool is_for_standbys;
    bool is_free; /* its answer tells of no row (gate.h) */
    void (*run)(struct ask *ask);
} verbs[] = {
    {"status", false, true, true, status_run},
    {"who", false, false, false, who_run},
    {"games", false, false, false, games_run},
    {"owner", false, false, false, owner_run},
    {"reset", true, false, false, reset_run},
    {"invite", true, false, false, invite_run},
    {"backup", true, false, true, backup_run},
    {"drain", true, true, true, drain_run},
    {"stay", false, true, true, stay_run},
    {"health", false, true, true, health_run},
    {"metrics", false, true, true, metrics_run},
    {"top", false, true, true, top_run},
    {"prune", true, false, false, prune_run},
};

/* Returns the index of the verb with which `line` begins; ARRAY_LEN(verbs): there is no
 * such verb. */
static size_t find_verb(const char *line)
{
    size_t size = strcspn(line, " "), i = 0;

    while (i < ARRAY_LEN(verbs) &&
           (strlen(verbs[i].verb) != size || strncmp(verbs[i].verb, line, size) != 0))
        i++;
    return i;
}

static void run_verb(struct host *host, struct talk *talk, char *line)
{
    const struct world *world = host->parts.world;
    size_t i = find_verb(line);
    bool is_known = i < ARRAY_LEN(verbs);
    char *words = line + strcspn(line, " ");

    if (!node_is_leader(host->parts.node) && !(is_known && verbs[i].is_for_standbys))
        control_refuse(talk, "this node does not have the games; ask the one at %s",
                       node_place(host->parts.node));
    else if (run_order(host, talk, line))
        return;
    else if (!is_known)
        control_refuse(talk, "unknown request");
    else if (words[0] != '\0' && words[1] != '\0' && !verbs[i].takes_words)
        control_refuse(talk, "%s takes no arguments", verbs[i].verb);
    else if (!verbs[i].is_free && world->has_outage)
        control_refuse(talk, "the server cannot store anything at the moment (disk=%s)",
                       host->disk);
    else {
        if (!verbs[i].is_free)
            gate_widen(store_gate(world->store));
        verbs[i].run(&(struct ask){.host = host,
                                   .talk = talk,
                                   .verb = verbs[i].verb,
                                   .words = words + (words[0] != '\0')});
    }
}

static void on_ask(void *arg, struct talk *talk, char *line)
{
    struct host *host = arg;
    struct store *store = host->parts.world->store;
    struct gate *gate = store != NULL ? store_gate(store) : NULL;

    gate_narrow(gate, GATE_FREE);
    run_verb(host, talk, line);
    gate_widen(gate);
}

struct host *host_open(const struct host_parts *parts)
{
    struct host *host = mem_new(sizeof *host);

    host->parts = *parts;
    host->began_ms = mono_now_ms();
    host->disk = "good";
    host->control = control_open(parts->base, sessions_hub(parts->world->sessions),
                                 parts->config->data, on_ask, host);
    return host;
}

void host_set_disk(struct host *host, const char *word)
{
    host->disk = word;
}

void host_close(struct host *host)
{
    if (host != NULL)
        control_close(host->control);
}

void host_free(struct host *host)
{
    struct errand *errand, *next;

    if (host == NULL)
        return;
    DL_FOREACH_SAFE (host->errands, errand, next)
        errand_free(errand);
    control_free(host->control);
    free(host);
}
