/* See bot_uci.h. */
#include "client/bot/bot_uci.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/loop.h"
#include "client/engine/timeman.h"
#include "client/formats/notation.h"
#include "client/uci/variant.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/system/fd.h"

enum {
    START_MS = 20000, /* limit from the start of the engine until its "readyok" */
    END_MS = 1000,    /* limit from "quit" until the end of the engine */
    UNTIMED_MS = 2000,
    VARIANTS_BYTES = 8192,
    LINE_START = 256,
    MOVE_TEXT = 7
};

enum uci_state {
    UCI_STARTING, /* "uci" was sent */
    UCI_SETTING,  /* the options and "isready" were sent */
    UCI_IDLE,
    UCI_THINKING,
    UCI_DROPPING, /* "stop" was sent; the move that follows is ignored */
    UCI_GONE
};

struct bot_uci {
    const struct bot_engine_wish *wish;
    const struct bot_engine_calls *calls;
    void *owner;
    pid_t pid;
    int to, from;
    struct loop_lines *lines;
    struct event *patience; /* calls on_impatience() if the engine is not ready after
                             * START_MS, or if say() fails */
    enum uci_state state;
    char variants[VARIANTS_BYTES]; /* as listed by the engine: " janggi xiangqi " */
    const struct ruleset *rules;   /* the last ruleset whose variant was sent to the
                                    * engine; NULL: none was sent */
    struct position position;      /* position being searched */
    int score;
};

/* --- The process --- */

static void become(const char *command, int in, int out)
{
    char line[4096];
    struct text text = text_into(line, sizeof line);

    text_addf(&text, "exec %s", command);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    signal(SIGPIPE, SIG_DFL);
    if (!text.is_cut)
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(127);
}

/* Starts the engine with pipes as its standard input and output. All pipe ends are
 * close-on-exec, so the engine keeps only the copies that dup2() makes. Returns false
 * after logging the reason. */
static bool start_process(struct bot_uci *uci)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    int error;

    if (fd_pipe(to, FD_WAITS) && fd_pipe(from, FD_WAITS))
        uci->pid = fork();
    if (uci->pid == 0)
        become(uci->wish->command, to[0], from[1]);
    error = errno;
    close(to[0]);
    close(from[1]);
    uci->to = to[1];
    uci->from = from[0];
    if (uci->pid > 0)
        return true;
    log_warn("engine error=\"%s\"", strerror(error));
    return false;
}

static void end_process(struct bot_uci *uci)
{
    int64_t until_ms = mono_now_ms() + END_MS;

    while (waitpid(uci->pid, NULL, WNOHANG) == 0) {
        if (mono_now_ms() > until_ms) {
            kill(uci->pid, SIGKILL);
            waitpid(uci->pid, NULL, 0);
            return;
        }
        usleep(10 * 1000);
    }
}

static void lose(struct bot_uci *uci, const char *words)
{
    bool has_begun = uci->state != UCI_STARTING;

    if (uci->state == UCI_GONE)
        return;
    uci->state = UCI_GONE;
    uci->calls->on_gone(uci->owner,
                        has_begun ? words
                                  : "the engine does not start or is not a UCI engine");
}

static void say(struct bot_uci *uci, const char *format, ...) PRINTF_LIKE(2, 3);

static void say(struct bot_uci *uci, const char *format, ...)
{
    va_list args;
    int written;

    va_start(args, format);
    written = vdprintf(uci->to, format, args);
    va_end(args);
    if (written < 0 && uci->state != UCI_GONE)
        event_active(uci->patience, 0, 0); /* on_impatience() reports the error */
}

/* --- What it says --- */

/* Stores the names of variants in a line such as
 * "option name UCI_Variant type combo default janggi var janggi var xiangqi". */
static void note_variants(struct bot_uci *uci, const char *line)
{
    static const char begin[] = "option name UCI_Variant ";
    struct text text;

    if (strncmp(line, begin, sizeof begin - 1) != 0)
        return;
    text = text_into(uci->variants, sizeof uci->variants);
    while ((line = strstr(line, " var ")) != NULL) {
        line += strlen(" var ");
        text_addf(&text, " %.*s", (int)strcspn(line, " "), line);
        line--; /* the next " var " begins with this space */
    }
    text_add(&text, " ");
}

static const char *variant_of(const struct bot_uci *uci, const struct ruleset *rules)
{
    return uci->wish->variant != NULL ? uci->wish->variant : variant_name(rules);
}

static void set_options(struct bot_uci *uci)
{
    for (int i = 0; i < uci->wish->options; i++) {
        const char *option = uci->wish->option[i];
        size_t len = strcspn(option, "=");

        say(uci, "setoption name %.*s value %s\n", (int)len, option,
            option[len] == '=' ? option + len + 1 : "");
    }
    say(uci, "isready\n");
    uci->state = UCI_SETTING;
}

/* Parses the number that follows `words` in `line`. Returns false if `words` is
 * missing. */
static bool number_after(const char *line, const char *words, long *out)
{
    const char *at = strstr(line, words);

    if (at == NULL)
        return false;
    *out = strtol(at + strlen(words), NULL, 10);
    return true;
}

/* Stores the score in a line such as "info ... score cp 31 ..." or
 * "info ... score mate -3 ...", converted to hundredths of a point. */
static void note_score(struct bot_uci *uci, const char *line)
{
    enum { MATE = 20000 };
    long number;

    if (number_after(line, " score mate ", &number))
        uci->score = number > 0 ? MATE : -MATE;
    else if (number_after(line, " score cp ", &number))
        uci->score = number > MATE / 2    ? MATE
                     : number < -MATE / 2 ? -MATE
                                          : (int)number * 2;
}

static void take_move(struct bot_uci *uci, const char *line)
{
    struct search_report report = {.score = uci->score};
    char word[NOTATION_BYTES] = "";
    bool is_wanted = uci->state == UCI_THINKING;

    if (uci->state != UCI_THINKING && uci->state != UCI_DROPPING)
        return;
    (void)sscanf(line, "bestmove %15s", word);
    report.has_move =
        notation_parse_move(NOTATION_UCI, word, &uci->position, &report.move, NULL);
    uci->state = UCI_IDLE;
    if (is_wanted)
        uci->calls->on_move(uci->owner, &report);
    else
        uci->calls->on_idle(uci->owner);
}

static void on_line(void *owner, char *line)
{
    struct bot_uci *uci = owner;

    if (uci->state == UCI_GONE)
        return;
    note_variants(uci, line);
    if (strcmp(line, "uciok") == 0 && uci->state == UCI_STARTING) {
        set_options(uci);
    } else if (strcmp(line, "readyok") == 0 && uci->state == UCI_SETTING) {
        event_del(uci->patience);
        uci->state = UCI_IDLE;
        uci->calls->on_idle(uci->owner);
    } else if (strncmp(line, "bestmove", 8) == 0) {
        take_move(uci, line);
    } else if (strncmp(line, "info ", 5) == 0) {
        note_score(uci, line);
    }
}

static void on_end(void *owner)
{
    struct bot_uci *uci = owner;

    lose(uci, "the engine has gone");
}

static void on_impatience(evutil_socket_t fd, short what, void *arg)
{
    (void)fd;
    (void)what;
    lose(arg, "the engine does not answer, or takes no more commands");
}

/* --- Life --- */

struct bot_uci *bot_uci_new(struct event_base *base, const struct bot_engine_wish *wish,
                            const struct bot_engine_calls *calls, void *owner)
{
    static const struct loop_lines_calls lines_calls = {on_line, on_end};
    struct timeval start = {.tv_sec = START_MS / 1000};
    struct bot_uci *uci = mem_new(sizeof *uci);

    uci->wish = wish;
    uci->calls = calls;
    uci->owner = owner;
    uci->pid = -1;
    if (!start_process(uci)) {
        close(uci->to);
        close(uci->from);
        free(uci);
        return NULL;
    }
    uci->lines = loop_read_lines(base, uci->from, &lines_calls, uci);
    uci->patience = event_new(base, -1, 0, on_impatience, uci);
    if (uci->patience == NULL || event_add(uci->patience, &start) != 0)
        log_die("engine: cannot create a timer");
    say(uci, "uci\n");
    return uci;
}

void bot_uci_free(struct bot_uci *uci)
{
    if (uci == NULL)
        return;
    uci->state = UCI_GONE;
    say(uci, "quit\n");
    loop_lines_free(uci->lines);
    event_free(uci->patience);
    close(uci->to);
    close(uci->from);
    end_process(uci);
    free(uci);
}

bool bot_uci_knows(const struct bot_uci *uci, const struct ruleset *rules)
{
    char word[64];
    struct text text = text_into(word, sizeof word);

    text_addf(&text, " %s ", variant_of(uci, rules));
    return strstr(uci->variants, word) != NULL;
}

bool bot_uci_is_busy(const struct bot_uci *uci)
{
    return uci->state != UCI_IDLE;
}

/* --- Questions --- */

/* Sends the starting position and all moves, so that the engine can detect
 * repetition. */
static void tell_position(struct bot_uci *uci, const struct game *game)
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
    say(uci, "%s\n", line);
    free(line);
}

/* Sends "go" and the time to think. If the user has set a time for each move, sends
 * that time. Otherwise, if the game has no clock, or has byoyomi, which UCI does not
 * support, sends a time for this move. In all other games, sends the times of the
 * clock. */
static void tell_time(struct bot_uci *uci, const struct game *game, int64_t now_ms)
{
    struct timeman_clock clock[SIDES];
    struct search_limits limits;
    bool is_timed = true;
    enum side side = (enum side)game->position.side;

    for (int i = 0; i < SIDES; i++)
        is_timed = timeman_read_clock(&game->clock, (enum side)i, now_ms, &clock[i]);
    if (uci->wish->movetime_ms > 0) {
        say(uci, "go movetime %lld\n", (long long)uci->wish->movetime_ms);
    } else if (!is_timed) {
        say(uci, "go movetime %d\n", UNTIMED_MS);
    } else if (game->clock.terms.periods > 0) {
        timeman_allot(&limits, &clock[side]);
        say(uci, "go movetime %lld\n",
            (long long)(limits.soft_ms + limits.hard_ms) / 2);
    } else {
        say(uci, "go wtime %lld btime %lld winc %lld binc %lld\n",
            (long long)clock[SIDE_BLUE].left_ms, (long long)clock[SIDE_RED].left_ms,
            (long long)clock[SIDE_BLUE].increment_ms,
            (long long)clock[SIDE_RED].increment_ms);
    }
}

void bot_uci_think(struct bot_uci *uci, const struct game *game, bool is_new,
                   int64_t now_ms)
{
    uci->state = UCI_THINKING;
    uci->position = game->position;
    uci->score = 0;
    if (uci->rules != game->rules)
        say(uci, "setoption name UCI_Variant value %s\n", variant_of(uci, game->rules));
    uci->rules = game->rules;
    if (is_new)
        say(uci, "ucinewgame\n");
    tell_position(uci, game);
    tell_time(uci, game, now_ms);
}

void bot_uci_drop(struct bot_uci *uci)
{
    if (uci->state != UCI_THINKING)
        return;
    uci->state = UCI_DROPPING;
    say(uci, "stop\n");
}
