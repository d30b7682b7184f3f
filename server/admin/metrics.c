/* See metrics.h. */
#include "server/admin/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "server/admin/node.h"
#include "server/admission/admission.h"
#include "server/base/budget.h"
#include "server/base/config.h"
#include "server/base/prefix.h"
#include "server/base/world.h"
#include "server/net/session.h"
#include "server/room/room.h"
#include "server/store/store.h"

enum { US = 1000000 };

/* --- One family of values --- */

static void begin(FILE *out, const char *name, const char *kind, const char *help)
{
    fprintf(out, "# HELP janggid_%s %s\n", name, help);
    fprintf(out, "# TYPE janggid_%s %s\n", name, kind);
}

static void say_one(FILE *out, const char *name, const char *kind, const char *help,
                    uint64_t value)
{
    begin(out, name, kind, help);
    fprintf(out, "janggid_%s %llu\n", name, (unsigned long long)value);
}

static void say_labelled(FILE *out, const char *name, const char *label,
                         const char *value, uint64_t count)
{
    fprintf(out, "janggid_%s{%s=\"%s\"} %llu\n", name, label, value,
            (unsigned long long)count);
}

/* Prints microseconds as seconds. */
static void say_seconds(FILE *out, const char *name, int64_t us)
{
    fprintf(out, "janggid_%s %lld.%06lld\n", name, (long long)(us / US),
            (long long)(us % US));
}

static uint64_t file_bytes(const char *directory, const char *name)
{
    char path[CONFIG_TEXT_BYTES + 32];
    struct text text = text_into(path, sizeof path);
    struct stat found;

    text_addf(&text, "%s/%s", directory, name);
    return stat(path, &found) == 0 ? (uint64_t)found.st_size : 0;
}

/* --- The sessions, games and rows --- */

static void say_sessions(FILE *out, struct sessions *sessions)
{
    static const char *const names[SESSION_STATES] = {
        [SESSION_HANDSHAKE] = "handshake", [SESSION_UNTOLD] = "untold",
        [SESSION_REQUEST] = "request",     [SESSION_HELLO] = "hello",
        [SESSION_GUEST] = "guest",         [SESSION_MEMBER] = "player",
        [SESSION_HOST] = "host",           [SESSION_LEAVING] = "leaving"};
    struct session_tally tally = sessions_tally(sessions);

    begin(out, "sessions", "gauge", "Connections, by state.");
    for (int i = 0; i < SESSION_STATES; i++)
        say_labelled(out, "sessions", "state", names[i],
                     (uint64_t)sessions_count_in(sessions, (enum session_state)i));
    say_one(out, "lines_total", "counter", "Lines that clients sent.", tally.lines);
    say_one(out, "sent_bytes_total", "counter", "Bytes of lines sent to clients.",
            tally.bytes);
    begin(out, "refusals_total", "counter", "Commands refused, by the code of ERR.");
    for (int i = REPLY_OK + 1; i < REPLIES; i++)
        say_labelled(out, "refusals_total", "reason", reply_code((enum reply)i),
                     tally.refused[i]);
}

static void say_games(FILE *out, const struct rooms *rooms)
{
    static const char *const kinds[ROOM_KINDS] = {[ROOM_LIVE] = "live",
                                                  [ROOM_CORRESPONDENCE] =
                                                      "correspondence",
                                                  [ROOM_ADJOURNED] = "adjourned",
                                                  [ROOM_FROZEN] = "frozen"};

    begin(out, "games", "gauge", "Unfinished games, by state.");
    for (int i = ROOM_LIVE; i < ROOM_KINDS; i++)
        say_labelled(out, "games", "state", kinds[i],
                     (uint64_t)rooms_count(rooms, (enum room_kind)i));
    say_one(out, "moves_total", "counter", "Moves that were played.", rooms->moves);
}

static void say_commits(FILE *out, const struct store *store)
{
    struct store_counts counts = store_counts(store);

    say_one(out, "events_total", "counter", "Committed events of games.",
            counts.events);
    begin(out, "commit_seconds", "summary",
          "Time from the beginning of a commit to its end.");
    say_seconds(out, "commit_seconds_sum", counts.commit_us_sum);
    fprintf(out, "janggid_commit_seconds_count %llu\n",
            (unsigned long long)counts.commits);
    begin(out, "commit_max_seconds", "gauge", "The slowest commit since the start.");
    say_seconds(out, "commit_max_seconds", counts.commit_us_max);
    if (counts.commits == 0)
        return;
    begin(out, "last_commit_age_seconds", "gauge", "Seconds since the last commit.");
    say_seconds(out, "last_commit_age_seconds",
                (mono_now_ms() - counts.committed_ms) * 1000);
}

/* --- All --- */

char *metrics_text(const struct world *world, const struct metrics_host *host)
{
    static const char *const disk_states[] = {"good", "full", "slow", "away"};
    const char *directory = world->config->data;
    struct statvfs disk;
    struct rusage used;
    int64_t cpu_us = 0;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        log_die("metrics no memory");
    begin(out, "build_info", "gauge", "The version of the program; always 1.");
    fprintf(out, "janggid_build_info{version=\"%s\"} 1\n", JANGGI_VERSION);
    say_one(out, "uptime_seconds", "gauge", "Seconds since the start.",
            (uint64_t)(host->up_ms / 1000));
    if (getrusage(RUSAGE_SELF, &used) == 0)
        cpu_us = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * (int64_t)US +
                 used.ru_utime.tv_usec + used.ru_stime.tv_usec;
    begin(out, "cpu_seconds_total", "counter", "Processor time used.");
    say_seconds(out, "cpu_seconds_total", cpu_us);

    say_sessions(out, world->sessions);
    if (world->admission != NULL) {
        struct admission_counts counts = admission_counts(world->admission);

        say_one(out, "connections_refused_total", "counter",
                "Connections refused because of their source or a full server.",
                (uint64_t)counts.refused);
        say_one(out, "connections_waiting", "gauge",
                "Connections that wait for their TLS handshake.",
                (uint64_t)counts.waiting);
        say_one(out, "sources", "gauge", "Sources that are tracked.",
                (uint64_t)counts.sources);
        say_one(out, "banned_networks", "gauge", "Networks that are banned.",
                (uint64_t)counts.bans);
    }
    if (world->rooms != NULL)
        say_games(out, world->rooms);
    if (world->store != NULL)
        say_commits(out, world->store);
    if (host->node != NULL) {
        begin(out, "node", "gauge", "1 for the role of this node.");
        say_labelled(out, "node", "role", "leader", node_is_leader(host->node));
        say_labelled(out, "node", "role", "standby", !node_is_leader(host->node));
    }

    begin(out, "disk", "gauge", "1 for the state that the disk is in.");
    for (size_t i = 0; i < ARRAY_LEN(disk_states); i++)
        say_labelled(out, "disk", "state", disk_states[i],
                     strcmp(disk_states[i], host->disk) == 0);
    if (statvfs(directory, &disk) == 0)
        say_one(out, "disk_free_bytes", "gauge",
                "Room left on the disk of the data directory.",
                (uint64_t)disk.f_bavail * disk.f_frsize);
    say_one(out, "database_bytes", "gauge", "Size of the database and its log.",
            file_bytes(directory, "janggid.db") +
                file_bytes(directory, "janggid.db-wal"));
    say_one(out, "draining", "gauge",
            "1 while no new game may begin or a shutdown is announced.",
            host->drain != DRAIN_NONE);
    if (fclose(out) != 0)
        log_die("metrics no memory");
    return text;
}

bool metrics_is_healthy(const struct metrics_host *host, char why[METRICS_WHY_BYTES])
{
    static const char *const disks[][2] = {
        {"full", "the disk is full; moves wait"},
        {"slow", "the disk is slow; moves wait"},
        {"away", "the database cannot be reached; moves wait"}};
    struct text text = text_into(why, METRICS_WHY_BYTES);

    /* A standby is healthy while it knows where to send its callers. */
    if (!node_is_leader(host->node)) {
        bool is_known = node_place(host->node)[0] != '\0';

        if (node_lease(host->node)->is_behind) {
            text_add(&text, "the log has lost data that this node saw acknowledged; "
                            "restore it, or start once with --accept-loss");
            return false;
        }
        text_add(&text, is_known ? "sends players to "
                                 : "no node has the games at the moment");
        text_add(&text, node_place(host->node));
        return is_known;
    }
    for (size_t i = 0; i < ARRAY_LEN(disks); i++)
        if (strcmp(host->disk, disks[i][0]) == 0) {
            text_add(&text, disks[i][1]);
            return false;
        }
    text_add(&text, host->drain == DRAIN_ENDING ? "the server is shutting down"
                                                : "accepts players and moves");
    return host->drain != DRAIN_ENDING;
}

/* --- top --- */

enum { TOP_ROWS = 10, KEY_BYTES = 64 };

/* What the sessions of one source or of one account have cost. */
struct share {
    char key[KEY_BYTES];
    int connections;
    struct meter_sum sum;
    UT_hash_handle hh;
};

static void add_share(struct share **shares, const char *key, struct meter_sum sum)
{
    struct share *share;

    HASH_FIND_STR(*shares, key, share);
    if (share == NULL) {
        share = mem_new(sizeof *share);
        if (!text_copy(share->key, sizeof share->key, key)) {
            free(share);
            return;
        }
        HASH_ADD_STR(*shares, key, share);
    }
    share->connections++;
    share->sum.lines += sum.lines;
    share->sum.bytes += sum.bytes;
    share->sum.milli += sum.milli;
}

static int by_cost(const struct share *a, const struct share *b)
{
    uint64_t first = a->sum.milli, second = b->sum.milli;

    if (first == second && a->connections != b->connections)
        return b->connections - a->connections;
    return first == second ? strcmp(a->key, b->key) : first < second ? 1 : -1;
}

/* Sends a row for each of the shares with the greatest cost, and frees all shares. */
static void say_shares(struct session *to, const char *what, struct share *shares)
{
    struct share *share, *next;
    int rows = 0;

    HASH_SORT(shares, by_cost);
    HASH_ITER (hh, shares, share, next) {
        if (rows++ < TOP_ROWS)
            session_rowf(to, "%s %s connections=%d lines=%llu bytes=%llu cost=%llu",
                         what, share->key, share->connections,
                         (unsigned long long)share->sum.lines,
                         (unsigned long long)share->sum.bytes,
                         (unsigned long long)(share->sum.milli / 1000));
        HASH_DEL(shares, share);
        free(share);
    }
}

void metrics_say_top(struct session *to, const struct world *world, int64_t now_ms)
{
    struct share *sources = NULL, *accounts = NULL;
    struct admission_refused refused[TOP_ROWS];
    int count;

    for (struct session *s = sessions_first(world->sessions); s != NULL;
         s = sessions_next(s)) {
        struct meter_sum sum = usage_read(&s->usage, now_ms);

        if (sum.lines + sum.bytes == 0 || s->state == SESSION_HOST)
            continue;
        add_share(&sources, wire_peer_address(s->wire), sum);
        if (s->account != NULL)
            add_share(&accounts, s->name, sum);
    }
    say_shares(to, "source", sources);
    say_shares(to, "account", accounts);
    count = admission_refused(world->admission, now_ms, refused, TOP_ROWS);
    for (int i = 0; i < count; i++) {
        char network[PREFIX_TEXT_BYTES];

        prefix_format(network, &refused[i].network);
        session_rowf(to, "refused %s connections=%d", network, refused[i].refusals);
    }
}
