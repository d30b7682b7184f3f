/* See bot_engine.h. */
#include "client/bot/bot_engine.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/loop.h"
#include "client/engine/computer.h"
#include "client/engine/thinker.h"
#include "client/engine/timeman.h"
#include "client/formats/notation.h"
#include "client/uci/variant.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/system/fd.h"

enum {
    START_S = 20,  /* limit from the start of the program until its "readyok" */
    END_MS = 1000, /* limit from "quit" until the end of the program */
    UNTIMED_MS = 2000,
    VARIANTS_BYTES = 8192,
    LINE_START = 256,
    MOVE_TEXT = 7,
    MATE = 20000 /* the score of a mate that the program has found */
};

enum uci_state {
    UCI_STARTING, /* "uci" was sent */
    UCI_SETTING,  /* the options and "isready" were sent */
    UCI_IDLE,
    UCI_THINKING,
    UCI_DROPPING, /* "stop" was sent; the move that follows is ignored */
    UCI_GONE
};

struct bot_engine {
    const struct bot_engine_wish *wish;
    const struct bot_engine_calls *calls;
    void *owner;
    /* Calls on_idle(); with a program on_impatience(), if the program is not ready after
     * START_S, or if say() fails. */
    struct event *wakeup;

    /* Our own search. */
    struct thinker *thinker; /* NULL: an external program is used */
    uint64_t seed;

    /* The program, which speaks UCI. */
    pid_t pid;
    int to, from;
    struct loop_lines *lines;
    enum uci_state state;
    char variants[VARIANTS_BYTES]; /* as listed by the program: " janggi xiangqi " */
    const struct ruleset *rules;   /* the last ruleset whose variant was sent to the
                                    * program; NULL: none was sent */
    struct position position;      /* position being searched */
    int score;
};

/* --- The program: its process --- */

/* Starts the engine with pipes as its standard input and output. All pipe ends are
 * close-on-exec, so the engine keeps only the copies that dup2() makes. Returns false
 * after logging the reason. */
static bool start_process(struct bot_engine *engine)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    char line[4096];
    struct text text = text_into(line, sizeof line);
    int error;

    text_addf(&text, "exec %s", engine->wish->command);
    if (fd_pipe(to, FD_WAITS) && fd_pipe(from, FD_WAITS))
        engine->pid = fork();
    if (engine->pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        signal(SIGPIPE, SIG_DFL);
        if (!text.is_cut)
            execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(127);
    }
    error = errno;
    close(to[0]);
    close(from[1]);
    engine->to = to[1];
    engine->from = from[0];
    if (engine->pid > 0)
        return true;
    log_warn("engine error=\"%s\"", strerror(error));
    return false;
}

static void end_process(struct bot_engine *engine)
{
    int64_t until_ms = mono_now_ms() + END_MS;

    while (waitpid(engine->pid, NULL, WNOHANG) == 0) {
        if (mono_now_ms() > until_ms) {
            kill(engine->pid, SIGKILL);
            waitpid(engine->pid, NULL, 0);
            return;
        }
        usleep(10 * 1000);
    }
}

static void lose(struct bot_engine *engine, const char *words)
{
    bool has_begun = engine->state != UCI_STARTING;

    if (engine->state == UCI_GONE)
        return;
    engine->state = UCI_GONE;
    engine->calls->on_gone(
        engine->owner,
        has_begun ? words : "the engine does not start or is not a UCI engine");
}

PRINTF_LIKE(2, 3)
static void say(struct bot_engine *engine, const char *format, ...)
{
    va_list args;
    int written;

    va_start(args, format);
    written = vdprintf(engine->to, format, args);
    va_end(args);
    if (written < 0 && engine->state != UCI_GONE)
        event_active(engine->wakeup, 0, 0); /* on_impatience() reports the error */
}

/* --- What it says --- */

/* Stores the names of variants in a line such as
 * "option name UCI_Variant type combo default janggi var janggi var xiangqi". */
static void note_variants(struct bot_engine *engine, const char *line)
{
    static const char begin[] = "option name UCI_Variant ";
    struct text text;

    if (strncmp(line, begin, sizeof begin - 1) != 0)
        return;
    text = text_into(engine->variants, sizeof engine->variants);
    while ((line = strstr(line, " var ")) != NULL) {
        line += strlen(" var ");
        text_addf(&text, " %.*s", (int)strcspn(line, " "), line);
        line--; /* the next " var " begins with this space */
    }
    text_add(&text, " ");
}

static const char *variant_of(const struct bot_engine *engine,
                              const struct ruleset *rules)
{
    return engine->wish->variant != NULL ? engine->wish->variant : variant_name(rules);
}

static void take_move(struct bot_engine *engine, const char *line)
{
    struct search_report report = {.score = engine->score};
    char word[NOTATION_BYTES] = "";
    bool is_wanted = engine->state == UCI_THINKING;

    if (engine->state != UCI_THINKING && engine->state != UCI_DROPPING)
        return;
    (void)sscanf(line, "bestmove %15s", word);
    report.has_move =
        notation_parse_move(NOTATION_UCI, word, &engine->position, &report.move, NULL);
    engine->state = UCI_IDLE;
    if (is_wanted)
        engine->calls->on_move(engine->owner, &report);
    else
        engine->calls->on_idle(engine->owner);
}

static void on_line(void *owner, char *line)
{
    struct bot_engine *engine = owner;

    if (engine->state == UCI_GONE)
        return;
    note_variants(engine, line);
    if (strcmp(line, "uciok") == 0 && engine->state == UCI_STARTING) {
        for (int i = 0; i < engine->wish->options; i++) {
            const char *option = engine->wish->option[i];
            size_t len = strcspn(option, "=");

            say(engine, "setoption name %.*s value %s\n", (int)len, option,
                option[len] == '=' ? option + len + 1 : "");
        }
        say(engine, "isready\n");
        engine->state = UCI_SETTING;
    } else if (strcmp(line, "readyok") == 0 && engine->state == UCI_SETTING) {
        event_del(engine->wakeup);
        engine->state = UCI_IDLE;
        engine->calls->on_idle(engine->owner);
    } else if (strncmp(line, "bestmove", 8) == 0) {
        take_move(engine, line);
    } else if (strncmp(line, "info ", 5) == 0) { /* ... score cp 31 ... */
        const char *mate = strstr(line, " score mate "),
                   *cp = strstr(line, " score cp ");
        long points = cp != NULL ? strtol(cp + strlen(" score cp "), NULL, 10) : 0;

        if (mate != NULL)
            engine->score =
                strtol(mate + strlen(" score mate "), NULL, 10) > 0 ? MATE : -MATE;
        else if (cp != NULL)
            engine->score = points > MATE / 2    ? MATE
                            : points < -MATE / 2 ? -MATE
                                                 : (int)points * 2;
    }
}

static void on_end(void *owner)
{
    lose(owner, "the engine has gone");
}

static void on_impatience(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    lose(arg, "the engine does not answer, or takes no more commands");
}

/* --- What it is told --- */

/* Sends the starting position and all moves, so that the engine can detect
 * repetition. */
static void tell_position(struct bot_engine *engine, const struct game *game)
{
    size_t size = LINE_START + (size_t)game->plies * MOVE_TEXT;
    char *line = mem_new(size), fen[NOTATION_FEN_BYTES], move[NOTATION_BYTES];
    struct text text = text_into(line, size);
    struct position position = game_start(game);
    struct undo undo;

    notation_fen_format(fen, &position);
    text_addf(&text, "position fen %s moves", fen);
    for (int i = 0; i < game->plies; i++) {
        if (notation_format_move(move, NOTATION_UCI, game->ply[i].move, &position,
                                 NULL))
            text_addf(&text, " %s", move);
        rules_make(game->rules, &position, game->ply[i].move, &undo);
    }
    say(engine, "%s\n", line);
    free(line);
}

/* Sends "go" and the time to think. If the user has set a time for each move, sends
 * that time. Otherwise, if the game has no clock, or has byoyomi, which UCI does not
 * support, sends a time for this move. In all other games, sends the times of the
 * clock. */
static void tell_time(struct bot_engine *engine, const struct game *game,
                      int64_t now_ms)
{
    struct timeman_clock clock[SIDES];
    struct search_limits limits;
    bool is_timed = true;
    enum side side = (enum side)game->position.side;

    for (int i = 0; i < SIDES; i++)
        is_timed = timeman_read_clock(&game->clock, (enum side)i, now_ms, &clock[i]);
    if (engine->wish->movetime_ms > 0) {
        say(engine, "go movetime %lld\n", (long long)engine->wish->movetime_ms);
    } else if (!is_timed) {
        say(engine, "go movetime %d\n", UNTIMED_MS);
    } else if (game->clock.terms.periods > 0) {
        timeman_allot(&limits, &clock[side]);
        say(engine, "go movetime %lld\n",
            (long long)(limits.soft_ms + limits.hard_ms) / 2);
    } else {
        say(engine, "go wtime %lld btime %lld winc %lld binc %lld\n",
            (long long)clock[SIDE_BLUE].left_ms, (long long)clock[SIDE_RED].left_ms,
            (long long)clock[SIDE_BLUE].increment_ms,
            (long long)clock[SIDE_RED].increment_ms);
    }
}

/* --- Our own search --- */

static void on_idle(evutil_socket_t fd, short what, void *arg)
{
    struct bot_engine *engine = arg;

    (void)fd;
    (void)what;
    engine->calls->on_idle(engine->owner);
}

static void on_done(void *owner, const struct search_report *report)
{
    struct bot_engine *engine = owner;

    engine->calls->on_move(engine->owner, report);
}

/* --- Both --- */

struct bot_engine *bot_engine_new(struct event_base *base,
                                  const struct bot_engine_wish *wish,
                                  const struct bot_engine_calls *calls, void *owner)
{
    static const struct thinker_calls thinker_calls = {.on_done = on_done};
    static const struct loop_lines_calls lines_calls = {on_line, on_end};
    struct timeval start = {.tv_sec = wish->command != NULL ? START_S : 0};
    struct bot_engine *engine = mem_new(sizeof *engine);

    *engine = (struct bot_engine){.wish = wish,
                                  .calls = calls,
                                  .owner = owner,
                                  .seed = wish->seed,
                                  .pid = -1,
                                  .to = -1,
                                  .from = -1};
    if (wish->command == NULL)
        engine->thinker = thinker_new(base, COMPUTER_TABLE_MB, &thinker_calls, engine);
    else if (start_process(engine))
        engine->lines = loop_read_lines(base, engine->from, &lines_calls, engine);
    engine->wakeup =
        event_new(base, -1, 0, wish->command == NULL ? on_idle : on_impatience, engine);
    if ((engine->thinker == NULL && engine->lines == NULL) || engine->wakeup == NULL ||
        event_add(engine->wakeup, &start) != 0) {
        bot_engine_free(engine);
        return NULL;
    }
    if (engine->lines != NULL)
        say(engine, "uci\n");
    return engine;
}

void bot_engine_free(struct bot_engine *engine)
{
    if (engine == NULL)
        return;
    thinker_free(engine->thinker);
    if (engine->lines != NULL) {
        engine->state = UCI_GONE;
        say(engine, "quit\n");
        loop_lines_free(engine->lines);
    }
    close(engine->to);
    close(engine->from);
    if (engine->lines != NULL)
        end_process(engine);
    if (engine->wakeup != NULL)
        event_free(engine->wakeup);
    free(engine);
}

bool bot_engine_knows(const struct bot_engine *engine, const struct ruleset *rules)
{
    char word[64];
    struct text text = text_into(word, sizeof word);

    text_addf(&text, " %s ", variant_of(engine, rules));
    return engine->thinker != NULL || strstr(engine->variants, word) != NULL;
}

bool bot_engine_is_busy(const struct bot_engine *engine)
{
    return engine->thinker != NULL ? thinker_is_busy(engine->thinker)
                                   : engine->state != UCI_IDLE;
}

void bot_engine_think(struct bot_engine *engine, const struct game *game, bool is_new,
                      int64_t now_ms)
{
    struct search_task task;

    if (engine->thinker != NULL) {
        if (is_new)
            thinker_forget(engine->thinker);
        engine->seed = engine->seed * UINT64_C(6364136223846793005) + 1;
        computer_take_game(&task, game, engine->wish->level, engine->seed, now_ms);
        if (engine->wish->movetime_ms > 0) {
            task.limits.soft_ms = 0;
            task.limits.hard_ms = engine->wish->movetime_ms;
        }
        thinker_start(engine->thinker, &task);
        return;
    }
    engine->state = UCI_THINKING;
    engine->position = game->position;
    engine->score = 0;
    if (engine->rules != game->rules)
        say(engine, "setoption name UCI_Variant value %s\n",
            variant_of(engine, game->rules));
    engine->rules = game->rules;
    if (is_new)
        say(engine, "ucinewgame\n");
    tell_position(engine, game);
    tell_time(engine, game, now_ms);
}

void bot_engine_drop(struct bot_engine *engine)
{
    if (engine->thinker != NULL) {
        thinker_cancel(engine->thinker);
        event_active(engine->wakeup, 0, 0);
    } else if (engine->state == UCI_THINKING) {
        engine->state = UCI_DROPPING;
        say(engine, "stop\n");
    }
}
