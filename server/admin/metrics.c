/* See metrics.h. */
#include "server/admin/metrics.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "server/admin/control.h"
#include "server/admin/node.h"
#include "server/admission/admission.h"
#include "server/base/config.h"
#include "server/base/world.h"
#include "server/net/session.h"
#include "server/room/room.h"
#include "server/store/store.h"

enum { US = 1000000 };

/* --- One family of values --- */

static void begin(struct talk *talk, const char *name, const char *kind,
                  const char *help)
{
    control_sayf(talk, "# HELP janggid_%s %s", name, help);
    control_sayf(talk, "# TYPE janggid_%s %s", name, kind);
}

static void say_one(struct talk *talk, const char *name, const char *kind,
                    const char *help, uint64_t value)
{
    begin(talk, name, kind, help);
    control_sayf(talk, "janggid_%s %llu", name, (unsigned long long)value);
}

static void say_labelled(struct talk *talk, const char *name, const char *label,
                         const char *value, uint64_t count)
{
    control_sayf(talk, "janggid_%s{%s=\"%s\"} %llu", name, label, value,
                 (unsigned long long)count);
}

/* Prints microseconds as seconds. */
static void say_seconds(struct talk *talk, const char *name, int64_t us)
{
    control_sayf(talk, "janggid_%s %lld.%06lld", name, (long long)(us / US),
                 (long long)(us % US));
}

/* --- By subject --- */

static void say_process(struct talk *talk, const struct metrics_host *host)
{
    struct rusage used;
    int64_t cpu_us = 0;

    begin(talk, "build_info", "gauge", "The version of the program; always 1.");
    control_sayf(talk, "janggid_build_info{version=\"%s\"} 1", JANGGI_VERSION);
    say_one(talk, "uptime_seconds", "gauge", "Seconds since the start.",
            (uint64_t)(host->up_ms / 1000));
    if (getrusage(RUSAGE_SELF, &used) == 0)
        cpu_us = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * (int64_t)US +
                 used.ru_utime.tv_usec + used.ru_stime.tv_usec;
    begin(talk, "cpu_seconds_total", "counter", "Processor time used.");
    say_seconds(talk, "cpu_seconds_total", cpu_us);
}

static void say_sessions(struct talk *talk, struct sessions *sessions)
{
    static const char *const names[SESSION_STATES] = {
        [SESSION_HANDSHAKE] = "handshake", [SESSION_UNTOLD] = "untold",
        [SESSION_REQUEST] = "request",     [SESSION_HELLO] = "hello",
        [SESSION_GUEST] = "guest",         [SESSION_MEMBER] = "player",
        [SESSION_LEAVING] = "leaving"};
    struct session_tally tally = sessions_tally(sessions);

    begin(talk, "sessions", "gauge", "Connections, by state.");
    for (int i = 0; i < SESSION_STATES; i++)
        say_labelled(talk, "sessions", "state", names[i],
                     (uint64_t)sessions_count_in(sessions, (enum session_state)i));
    say_one(talk, "lines_total", "counter", "Lines that clients sent.", tally.lines);
    say_one(talk, "sent_bytes_total", "counter", "Bytes of lines sent to clients.",
            tally.bytes);
    begin(talk, "refusals_total", "counter", "Commands refused, by the code of ERR.");
    for (int i = REPLY_OK + 1; i < REPLIES; i++)
        say_labelled(talk, "refusals_total", "reason", reply_code((enum reply)i),
                     tally.refused[i]);
}

static void say_admission(struct talk *talk, const struct admission *admission)
{
    struct admission_counts counts = admission_counts(admission);

    say_one(talk, "connections_refused_total", "counter",
            "Connections refused because of their source or a full server.",
            (uint64_t)counts.refused);
    say_one(talk, "connections_waiting", "gauge",
            "Connections that wait for their TLS handshake.", (uint64_t)counts.waiting);
    say_one(talk, "sources", "gauge", "Sources that are tracked.",
            (uint64_t)counts.sources);
    say_one(talk, "banned_networks", "gauge", "Networks that are banned.",
            (uint64_t)counts.bans);
}

static void say_games(struct talk *talk, const struct rooms *rooms)
{
    begin(talk, "games", "gauge", "Unfinished games, by state.");
    say_labelled(talk, "games", "state", "live",
                 (uint64_t)rooms_count(rooms, ROOM_LIVE));
    say_labelled(talk, "games", "state", "correspondence",
                 (uint64_t)rooms_count(rooms, ROOM_CORRESPONDENCE));
    say_labelled(talk, "games", "state", "adjourned",
                 (uint64_t)rooms_count(rooms, ROOM_ADJOURNED));
    say_labelled(talk, "games", "state", "frozen",
                 (uint64_t)rooms_count(rooms, ROOM_FROZEN));
    say_one(talk, "moves_total", "counter", "Moves that were played.", rooms->moves);
}

static void say_commits(struct talk *talk, const struct store *store)
{
    struct store_counts counts = store_counts(store);

    say_one(talk, "events_total", "counter", "Committed events of games.",
            counts.events);
    begin(talk, "commit_seconds", "summary",
          "Time from the beginning of a commit to its end.");
    say_seconds(talk, "commit_seconds_sum", counts.commit_us_sum);
    control_sayf(talk, "janggid_commit_seconds_count %llu",
                 (unsigned long long)counts.commits);
    begin(talk, "commit_max_seconds", "gauge", "The slowest commit since the start.");
    say_seconds(talk, "commit_max_seconds", counts.commit_us_max);
    if (counts.commits == 0)
        return;
    begin(talk, "last_commit_age_seconds", "gauge", "Seconds since the last commit.");
    say_seconds(talk, "last_commit_age_seconds",
                (mono_now_ms() - counts.committed_ms) * 1000);
}

static uint64_t file_bytes(const char *directory, const char *name)
{
    char path[CONFIG_TEXT_BYTES + 32];
    struct text text = text_into(path, sizeof path);
    struct stat found;

    text_addf(&text, "%s/%s", directory, name);
    return stat(path, &found) == 0 ? (uint64_t)found.st_size : 0;
}

static void say_disk(struct talk *talk, const char *directory, const char *state)
{
    static const char *const states[] = {"good", "full", "slow", "away"};
    struct statvfs disk;

    begin(talk, "disk", "gauge", "1 for the state that the disk is in.");
    for (size_t i = 0; i < ARRAY_LEN(states); i++)
        say_labelled(talk, "disk", "state", states[i], strcmp(states[i], state) == 0);
    if (statvfs(directory, &disk) == 0)
        say_one(talk, "disk_free_bytes", "gauge",
                "Room left on the disk of the data directory.",
                (uint64_t)disk.f_bavail * disk.f_frsize);
    say_one(talk, "database_bytes", "gauge", "Size of the database and its log.",
            file_bytes(directory, "janggid.db") +
                file_bytes(directory, "janggid.db-wal"));
}

void metrics_say(struct talk *talk, const struct world *world,
                 const struct metrics_host *host)
{
    say_process(talk, host);
    say_sessions(talk, world->sessions);
    if (world->admission != NULL)
        say_admission(talk, world->admission);
    if (world->rooms != NULL)
        say_games(talk, world->rooms);
    if (world->store != NULL)
        say_commits(talk, world->store);
    if (host->node != NULL) {
        begin(talk, "node", "gauge", "1 for the role of this node.");
        say_labelled(talk, "node", "role", "leader", node_is_leader(host->node));
        say_labelled(talk, "node", "role", "standby", !node_is_leader(host->node));
    }
    say_disk(talk, world->config->data, host->disk);
    say_one(talk, "draining", "gauge",
            "1 while no new game may begin or a shutdown is announced.",
            strcmp(host->drain, "no") != 0);
}

bool metrics_is_healthy(const struct metrics_host *host, const char **why)
{
    *why = "accepts players and moves";
    if (strcmp(host->disk, "full") == 0)
        *why = "the disk is full; moves wait";
    else if (strcmp(host->disk, "slow") == 0)
        *why = "the disk is slow; moves wait";
    else if (strcmp(host->disk, "away") == 0)
        *why = "the database cannot be reached; moves wait";
    else if (strcmp(host->drain, "ends-now") == 0)
        *why = "the server is shutting down";
    else
        return true;
    return false;
}
