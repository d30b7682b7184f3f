/* What a pair of connections sends to janggid and to redis-server, and how it reads
 * their lines: see load.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/game/board.h"
#include "tests/measure/load.h"

/* --- janggi/1 --- */

static bool begins(const char *line, const char *words)
{
    return strncmp(line, words, strlen(words)) == 0;
}

static void janggi_on_open(struct load_end *end)
{
    (void)end; /* the server speaks first */
}

/* Called when both ends have logged in. End 0 offers a game in which it plays red. */
static void offer(struct load_pair *pair)
{
    pair->is_ready = false;
    load_sayf(&pair->end[0], "seek time=20m+3x40s side=red\n");
}

static void janggi_send(struct load_pair *pair)
{
    struct load_end *mover = &pair->end[pair->ply % 2];

    pair->ply++;
    load_sayf(mover, "move %lld %d %s\n", (long long)pair->game, pair->ply,
              pair->book->text[pair->ply - 1]);
}

/* If all prepared moves of the game have been played, makes the side to move resign,
 * and returns true. When the event `end` of this game arrives, the next game is
 * offered. */
static bool janggi_start_over(struct load_pair *pair)
{
    if (pair->ply < pair->book->plies)
        return false;
    pair->is_ready = false;
    load_sayf(&pair->end[pair->ply % 2], "resign %lld\n", (long long)pair->game);
    return true;
}

static void take_event(struct load_end *end, char *words)
{
    struct load_pair *pair = end->pair;
    char *at;
    int64_t game = strtoll(words, &at, 10);
    long number = strtol(at, &at, 10);

    at++;
    if (number >= 3) {
        if (number == pair->ply + 2 && end->number == pair->ply % 2 && pair->is_busy)
            load_seen(pair); /* end 0 makes the odd plies, so end 1 sees them */
        else if (begins(at, "end ") && end->number == 0)
            offer(pair);
        return;
    }
    if (end->number != number % 2)
        return;
    pair->game = game;
    pair->ply = 0;
    if (number < 2)
        load_sayf(end, "setup %lld %s\n", (long long)game,
                  lineup_name(pair->book->lineup[number]));
    else
        load_ready(pair);
}

static void janggi_on_line(struct load_end *end, char *line)
{
    struct load_pair *pair = end->pair;

    if (begins(line, "! game ")) {
        take_event(end, line + 7);
    } else if (begins(line, "OK move ")) {
        load_answered(pair);
    } else if (begins(line, "* ")) {
        /* The process id makes the names new: a server that is still running may know
         * the names of an earlier run. */
        load_sayf(end, "login p%d_%d_%x\n", pair->number, end->number,
                  (unsigned)getpid() % 0x10000);
    } else if (begins(line, "OK login ")) {
        load_up(end);
    } else if (begins(line, "OK seek id=")) {
        load_sayf(&pair->end[1], "accept %s\n", strtok(line + 11, " "));
    } else if (begins(line, "ERR ")) {
        load_fail(end, line);
    }
}

/* --- RESP --- */

static void redis_on_open(struct load_end *end)
{
    if (end->number == 0)
        load_up(end);
    else
        load_sayf(end, "SUBSCRIBE game%d\r\n", end->pair->number);
}

/* A message that is published through redis. `channel`: the name of its channel.
 * `line`: its text, which is the line that janggid would write about the next move. */
struct message {
    char channel[24], line[160];
    int channel_len, len;
};

static struct message next_message(struct load_pair *pair)
{
    struct message message;
    const char *move = pair->book->text[pair->ply % pair->book->plies];

    pair->ply++;
    message.len = snprintf(message.line, sizeof message.line,
                           "! game %d %d move %d %s %s red_ms=1200000 blue_ms=1200000 "
                           "red_periods=3 blue_periods=3",
                           pair->number, pair->ply + 2, pair->ply,
                           pair->ply % 2 == 1 ? "red" : "blue", move);
    message.channel_len =
        snprintf(message.channel, sizeof message.channel, "game%d", pair->number);
    return message;
}

static void redis_send(struct load_pair *pair)
{
    struct message message = next_message(pair);

    load_sayf(&pair->end[0], "*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n",
              message.channel_len, message.channel, message.len, message.line);
}

/* Publishes the next line and appends it to the stream of its game, in one
 * transaction. */
static void aof_send(struct load_pair *pair)
{
    struct message message = next_message(pair);

    load_sayf(&pair->end[0],
              "*1\r\n$5\r\nMULTI\r\n"
              "*5\r\n$4\r\nXADD\r\n$%d\r\n%s\r\n$1\r\n*\r\n$1\r\ne\r\n$%d\r\n%s\r\n"
              "*3\r\n$7\r\nPUBLISH\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n"
              "*1\r\n$4\r\nEXEC\r\n",
              message.channel_len, message.channel, message.len, message.line,
              message.channel_len, message.channel, message.len, message.line);
}

/* Handles a line from redis. In RESP, the protocol of redis, the length of a text and
 * the header of an array are separate lines. Such lines are skipped. */
static void redis_on_line(struct load_end *end, char *line)
{
    if (line[0] == '-')
        load_fail(end, line);
    else if (end->number == 0 && line[0] == ':')
        load_answered(end->pair);
    else if (end->number == 1 && line[0] == '!')
        load_seen(end->pair);
    else if (end->number == 1 && strcmp(line, ":1") == 0)
        load_up(end); /* subscribed to one channel */
}

const struct load_dialect load_dialects[TARGETS] = {
    [TARGET_JANGGID] = {.on_open = janggi_on_open,
                        .on_line = janggi_on_line,
                        .begin = offer,
                        .send = janggi_send,
                        .start_over = janggi_start_over},
    [TARGET_REDIS] = {.on_open = redis_on_open,
                      .on_line = redis_on_line,
                      .begin = load_ready,
                      .send = redis_send},
    [TARGET_AOF] = {.on_open = redis_on_open,
                    .on_line = redis_on_line,
                    .begin = load_ready,
                    .send = aof_send},
};
