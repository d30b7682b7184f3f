/* See host.h. */
#include "server/admin/host.h"

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
#include "server/admin/control.h"
#include "server/admin/drain.h"
#include "server/base/config.h"
#include "server/base/world.h"
#include "server/lobby/lobby.h"
#include "server/net/announce.h"
#include "server/net/listener.h"
#include "server/net/session.h"
#include "server/room/room.h"
#include "server/store/store.h"

enum { ROWS_MAX = 1000, NOTICE_BYTES_MAX = 1000 };

/* A request that waits for the disk. */
struct errand {
    struct host *host;
    uint64_t talk;
    char *words; /* path of a backup, code of an invitation */
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

struct games {
    int running, adjourned, by_correspondence, frozen;
};

static struct games count_games(const struct world *world)
{
    struct games count = {0, 0, 0, 0};

    for (struct room *r = rooms_first(world->rooms); r != NULL; r = rooms_next(r)) {
        if (!lobby_shows(r))
            continue;
        if (r->is_frozen)
            count.frozen++;
        else if (r->is_shown_adjourned)
            count.adjourned++;
        else if (time_terms_is_correspondence(&r->game.clock.terms))
            count.by_correspondence++;
        else
            count.running++;
    }
    return count;
}

static int count_sessions(const struct world *world, enum session_state state)
{
    int count = 0;

    for (struct session *s = sessions_first(world->sessions); s != NULL;
         s = sessions_next(s))
        count += s->state == state;
    return count;
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
    struct games games = count_games(world);

    control_sayf(talk, "connections=%d", sessions_count(world->sessions));
    control_sayf(talk, "players=%d", count_sessions(world, SESSION_MEMBER));
    control_sayf(talk, "guests=%d", count_sessions(world, SESSION_GUEST));
    control_sayf(talk, "games=%d", games.running);
    control_sayf(talk, "games_by_correspondence=%d", games.by_correspondence);
    control_sayf(talk, "games_adjourned=%d", games.adjourned);
    control_sayf(talk, "games_frozen=%d", games.frozen);
}

static void say_store(const struct host *host, struct talk *talk)
{
    struct store_counts counts = store_counts(host->parts.world->store);

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
    char where[LISTENER_NAME_BYTES], key[TLS_KEY_TEXT_BYTES];

    listener_name(host->parts.listener, where);
    tls_key_format(key, host->parts.key);
    control_sayf(ask->talk, "version=%s", JANGGI_VERSION);
    control_sayf(ask->talk, "listen=%s", where);
    control_sayf(ask->talk, "key=%s", key);
    control_sayf(ask->talk, "up_s=%lld",
                 (long long)((mono_now_ms() - host->began_ms) / 1000));
    say_counts(host->parts.world, ask->talk);
    say_store(host, ask->talk);
    say_drain(host, ask->talk);
    control_ok(ask->talk, "status");
}

/* --- who, games --- */

/* Rows in a list; the rest is only counted. */
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
    int count = 0;

    for (struct session *s = sessions_first(world->sessions); s != NULL;
         s = sessions_next(s)) {
        char games[GAME_LIST_BYTES] = "-";

        if ((s->state != SESSION_MEMBER && s->state != SESSION_GUEST) ||
            count++ >= ROWS_MAX)
            continue;
        if (s->account != NULL)
            lobby_list_games(world->lobby, s->account, games, sizeof games);
        control_sayf(ask->talk, "%s from=%s games=%s watching=%d", s->name,
                     wire_peer_address(s->wire), games, presence_count_watched(s));
    }
    say_count(ask->talk, count);
}

static void games_run(struct ask *ask)
{
    int count = 0;

    for (struct room *r = rooms_first(ask->host->parts.world->rooms); r != NULL;
         r = rooms_next(r)) {
        const struct game *game = &r->game;
        char time[TIME_TERMS_BYTES];

        if (!lobby_shows(r) || count++ >= ROWS_MAX)
            continue;
        time_terms_format(time, &game->clock.terms);
        control_sayf(ask->talk,
                     "%lld red=%s blue=%s rules=%s time=%s phase=%s ply=%d watchers=%d",
                     (long long)r->id, game->name[SIDE_RED], game->name[SIDE_BLUE],
                     ruleset_name(game->rules), time, room_phase_name(r),
                     r->shown_plies, r->feed.watcher_count);
    }
    say_count(ask->talk, count);
}

/* --- notice --- */

static void notice_run(struct ask *ask)
{
    const struct world *world = ask->host->parts.world;
    size_t len = strlen(ask->words);
    int count = 0;

    if (len == 0 || len > NOTICE_BYTES_MAX || !utf8_is_showable(ask->words, len)) {
        control_refuse(ask->talk,
                       "a notice is one line of text, of at most %d bytes in UTF-8",
                       NOTICE_BYTES_MAX);
        return;
    }
    for (struct session *s = sessions_first(world->sessions); s != NULL;
         s = sessions_next(s)) {
        if (s->state != SESSION_MEMBER && s->state != SESSION_GUEST)
            continue;
        session_sayf(s, "! notice : %s", ask->words);
        count++;
    }
    log_info("notice told=%d", count);
    control_ok(ask->talk, "told %d", count);
}

/* --- invite --- */

static void say_lines(struct talk *talk, char *lines)
{
    char *line;

    while ((line = strsep(&lines, "\n")) != NULL)
        if (lines != NULL || line[0] != '\0')
            control_sayf(talk, "%s", line);
}

static void on_invited(void *arg)
{
    struct errand *errand = arg;
    const struct host_parts *parts = &errand->host->parts;
    struct talk *talk = control_find(errand->host->control, errand->talk);
    char words[ANNOUNCE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (talk != NULL) {
        announce_invite(&text, parts->config, parts->listener, parts->key,
                        errand->words);
        say_lines(talk, words);
        control_ok(talk, "invite");
    }
    errand_free(errand);
}

/* Reads "time=5m rules=kja side=red" into terms. False: *why says what is wrong. */
static bool take_terms(struct terms *terms, char *words, const char **why)
{
    char *word;

    while ((word = strsep(&words, " ")) != NULL) {
        char *value = strchr(word, '=');

        if (word[0] == '\0')
            continue;
        *why = "the words here are time=, rules= and side=";
        if (value == NULL)
            return false;
        *value++ = '\0';
        if (!terms_set(terms, word, value, why))
            return false;
    }
    return true;
}

static void invite_run(struct ask *ask)
{
    struct terms terms = terms_default();
    struct errand *errand;
    struct invite *invite;
    const char *why = "";

    if (!take_terms(&terms, ask->words, &why)) {
        control_refuse(ask->talk, "%s", why);
        return;
    }
    errand = errand_new(ask, "");
    invite =
        lobby_invite(ask->host->parts.world->lobby, "", &terms, on_invited, errand);
    if (invite == NULL) {
        errand_free(errand);
        control_refuse(
            ask->talk,
            "there are as many open invitations as may be; one is free again "
            "when its game has begun or after %d hours",
            INVITE_HOURS);
        return;
    }
    free(errand->words);
    errand->words = mem_copy_text(invite->code);
}

/* --- backup --- */

static void on_backed_up(void *arg, const char *why)
{
    struct errand *errand = arg;
    struct talk *talk = control_find(errand->host->control, errand->talk);
    struct stat st;

    if (why == NULL && stat(errand->words, &st) == 0)
        log_info("backup file=\"%s\" bytes=%lld", errand->words, (long long)st.st_size);
    else
        log_warn("backup file=\"%s\" why=\"%s\"", errand->words,
                 why != NULL ? why : "it is not there");
    if (talk != NULL && why == NULL)
        control_ok(talk, "wrote %s, %lld bytes", errand->words, (long long)st.st_size);
    else if (talk != NULL)
        control_refuse(talk, "%s: %s", errand->words, why);
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

/* --- drain, stay --- */

static void drain_until_games_end(struct ask *ask)
{
    struct drain *drain = ask->host->parts.drain;

    drain_for_games(drain);
    control_sayf(ask->talk,
                 "No new game begins. The server ends when those that are being played "
                 "are over: %d now.",
                 drain_games_left(drain));
}

/* Answers at the shutdown, or when it is called off. */
static void drain_run(struct ask *ask)
{
    struct drain *drain = ask->host->parts.drain;
    int64_t in_s;

    if (drain_state(drain) == DRAIN_ENDING) {
        control_sayf(ask->talk, "The server ends already.");
    } else if (ask->words[0] == '\0') {
        drain_until_games_end(ask);
    } else if (text_to_int(ask->words, 0, DRAIN_MAX_S, &in_s)) {
        drain_in(drain, in_s, mono_now_ms());
        control_sayf(ask->talk, "The server ends in %lld s; everybody was told.",
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
        control_refuse(ask->talk, "there is no end to call off");
        return;
    }
    control_refuse_waiting(ask->host->control, "the end was called off");
    control_ok(ask->talk, "the server stays");
}

/* --- The table --- */

static const struct {
    const char *verb;
    bool takes_words;
    void (*run)(struct ask *ask);
} verbs[] = {
    {"status", false, status_run}, {"who", false, who_run},
    {"games", false, games_run},   {"notice", true, notice_run},
    {"invite", true, invite_run},  {"backup", true, backup_run},
    {"drain", true, drain_run},    {"stay", false, stay_run},
};

static void on_ask(void *arg, struct talk *talk, char *line)
{
    struct ask ask = {.host = arg, .talk = talk, .words = line + strlen(line)};
    char *space = strchr(line, ' ');

    if (space != NULL) {
        *space = '\0';
        ask.words = space + 1;
    }
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
        if (strcmp(verbs[i].verb, line) != 0)
            continue;
        if (ask.words[0] != '\0' && !verbs[i].takes_words)
            control_refuse(talk, "%s takes no words after it", line);
        else
            verbs[i].run(&ask);
        return;
    }
    control_refuse(talk, "this server knows no such request");
}

struct host *host_open(const struct host_parts *parts)
{
    struct host *host = mem_new(sizeof *host);

    host->parts = *parts;
    host->began_ms = mono_now_ms();
    host->disk = "good";
    host->control = control_open(parts->base, parts->config->data, on_ask, host);
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
