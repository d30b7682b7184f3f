/* See console.h. */
#include "client/console/console.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/exit.h"
#include "client/base/loop.h"
#include "client/console/edit.h"
#include "client/view/json.h"
#include "client/view/words.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/base/utf8.h"

enum {
    TYPED_ON_MS = 1000,
    INTERRUPT_TWICE_MS = 2000,
    SAY_BYTES = 4608,
    OBJECT_BYTES = 2 * JSON_BYTES
};

struct console {
    const struct prefs *prefs;
    const struct console_calls *calls;
    void *owner;
    struct event_base *base;
    struct edit *edit;
    struct event *tick, *terminate, *hangup;

    const struct manner *manner;
    bool is_screen;
    bool is_editing;
    bool has_color;
    bool is_script;
    const char *script; /* the commands of -c that have not run; NULL: none */
    bool is_stepping;   /* inside step() */
    bool is_ended;
    bool is_end_given;
    bool is_refused;
    bool is_leaving;
    bool is_stopped;
    int exit_code;
    int question;        /* 0: none */
    bool ignores_enter;  /* the next line does nothing if it is empty */
    int64_t typed_on_ms; /* ... or if its first key was typed before this time */
    bool has_dropped; /* a question was dropped after the last line: a yes or no that is
                       * typed now may be its answer */
    int64_t interrupt_ms;
};

/* --- Output --- */

/* Allocates a buffer for a text to print. len: the length of the text in bytes. The
 * buffer is large enough for every form of output. JSON needs the most space: one byte
 * of the text can become six bytes, and each line of the text becomes an object of its
 * own. */
static struct text make_room(size_t len)
{
    size_t size = OBJECT_BYTES + 24 * len;

    return text_into(mem_new(size), size);
}

static void print_room(struct console *console, struct text room)
{
    size_t len = strlen(room.at);

    if (len > 0 && !edit_print(console->edit, room.at, len))
        console_leave(console, CLIENT_EXIT_ERROR); /* output was closed */
    free(room.at);
}

int console_columns(const struct console *console)
{
    return console->is_screen ? edit_columns() : 0;
}

void console_said(struct console *console, const struct said *said)
{
    struct text room = make_room(strlen(said->words));

    manner_say(console->manner, &room, said, console_columns(console));
    print_room(console, room);
}

void console_say(struct console *console, const char *words)
{
    console_said(console, &(struct said){.words = words});
}

void console_show(struct console *console, const struct manner_scene *scene,
                  const struct facts *facts)
{
    struct text room = make_room(0);

    if (facts->event != NULL)
        console->manner->event(&room, scene, facts);
    else
        console->manner->board(&room, scene, facts);
    print_room(console, room);
}

void console_show_setup_choice(struct console *console,
                               const struct manner_scene *scene,
                               const struct model_game *game)
{
    struct text room = make_room(0);

    manner_setup_choice(console->manner, &room, scene, game);
    print_room(console, room);
}

bool console_has_boards(const struct console *console)
{
    return console->is_screen && console->manner == &render_manner;
}

bool console_is_spoken(const struct console *console)
{
    return console->manner->is_spoken;
}

void console_sayf(struct console *console, const char *format, ...)
{
    char words[SAY_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    console_say(console, words);
}

void console_refuse(struct console *console, const char *words)
{
    console->is_refused = true;
    console_said(console, &(struct said){SAID_REFUSAL, words, .line = NULL});
}

void console_refusef(struct console *console, const char *format, ...)
{
    char words[SAY_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    console_refuse(console, words);
}

void console_note_refusal(struct console *console)
{
    console->is_refused = true;
}

/* --- The prompt, and what stands in its place --- */

void console_prompt(struct console *console)
{
    char prompt[EDIT_PROMPT_BYTES];
    struct text text = text_into(prompt, sizeof prompt);

    if (!console->is_screen || console->question != 0 || console->is_leaving)
        return;
    if (console->calls->add_prompt != NULL)
        console->calls->add_prompt(console->owner, &text);
    edit_prompt(console->edit, prompt);
}

void console_ask(struct console *console, int id, const char *words)
{
    console_drop_typed(console);
    console->question = id;
    if (console->is_editing)
        edit_prompt(console->edit, words);
    else
        console_said(console, &(struct said){SAID_QUESTION, words, .line = NULL});
    console_hold(console, false);
}

enum console_yes console_take_yes(struct console *console, const char *line)
{
    if (words_is_yes(line))
        return ANSWER_YES;
    if (line[0] == '\0' || words_is_no(line))
        return ANSWER_NO;
    console_say(console, _("-- neither yes nor no, so nothing was done; please answer "
                           "(Enter means no):\n"));
    return ANSWER_NEITHER;
}

int console_question(const struct console *console)
{
    return console->question;
}

void console_drop_question(struct console *console)
{
    console->has_dropped = console->question != 0;
    console->question = 0;
    console_prompt(console);
}

/* --- Lines --- */

void console_ignore_enter(struct console *console)
{
    console->ignores_enter = console->is_screen;
}

void console_drop_typed(struct console *console)
{
    if (!edit_drop_typed(console->edit) || !console->is_screen)
        return;
    console->ignores_enter = true;
    console->typed_on_ms = mono_now_ms() + TYPED_ON_MS;
    console_say(console, _("-- what you had typed was meant for something else, so it "
                           "was cleared\n"));
}

static void take_line(void *owner, const char *line)
{
    struct console *console = owner;
    int question = console->question;
    bool has_dropped = console->has_dropped;
    bool is_stale = line[0] == '\0'
                        ? console->ignores_enter
                        : edit_begun_ms(console->edit) < console->typed_on_ms;

    if (console->is_leaving)
        return;
    console->has_dropped = console->ignores_enter = false;
    console->typed_on_ms = 0;
    if (is_stale)
        console_say(console, _("-- nothing was done, because that was typed while its "
                               "meaning changed\n"));
    else if (has_dropped && question == 0 && (words_is_yes(line) || words_is_no(line)))
        console_say(console, _("-- that question is closed; nothing was done\n"));
    else if (question != 0 && utf8_is_showable(line, strlen(line))) {
        console->question = 0;
        console->calls->on_answer(console->owner, question, line);
    } else {
        console->calls->on_line(console->owner, line);
    }
    console_go_on(console);
}

static bool is_busy(const struct console *console)
{
    return console->calls->is_busy != NULL && console->calls->is_busy(console->owner);
}

static void give_end(struct console *console)
{
    console->is_ended = true;
    if (console->is_end_given)
        return;
    console->is_end_given = true;
    if (console->calls->on_end != NULL)
        console->calls->on_end(console->owner);
    else
        console_finish(console);
}

/* Runs a script one command at a time, so that each command sees the results of the
 * previous one. If a command calls this function again, that call returns at once, and
 * the loop of the first call continues. */
static void step(struct console *console)
{
    if (console->is_stepping)
        return;
    console->is_stepping = true;
    while (!console->is_leaving && !is_busy(console) && console->script != NULL) {
        size_t len = strcspn(console->script, ";");
        char *line = mem_new(len + 1);

        memcpy(line, console->script, len);
        line[len] = '\0';
        console->script =
            console->script[len] == ';' ? console->script + len + 1 : NULL;
        take_line(console, line);
        free(line);
    }
    console->is_stepping = false;
    if (console->is_leaving)
        return;
    edit_hold(console->edit, is_busy(console) || console->prefs->script != NULL);
    if (!is_busy(console) && (console->is_ended || console->prefs->script != NULL))
        give_end(console);
}

void console_go_on(struct console *console)
{
    if (console->is_leaving)
        return;
    console_prompt(console);
    if (console->is_script)
        step(console);
}

void console_hold(struct console *console, bool is_held)
{
    edit_hold(console->edit, is_held);
}

void console_remember(struct console *console, const char *line)
{
    edit_remember(console->edit, line);
}

/* --- From the editor --- */

static void on_end(void *owner)
{
    struct console *console = owner;

    console->is_ended = true;
    if (console->is_script)
        console_go_on(console);
    else
        give_end(console);
}

static void on_interrupt(void *owner)
{
    struct console *console = owner;
    int64_t now_ms = mono_now_ms(), before_ms = console->interrupt_ms;
    bool is_last = !console->is_screen ||
                   (before_ms != 0 && now_ms - before_ms < INTERRUPT_TWICE_MS);

    console->interrupt_ms = now_ms;
    if (console->calls->on_interrupt != NULL &&
        console->calls->on_interrupt(console->owner, is_last))
        return;
    if (is_last) {
        console_leave(console, CLIENT_EXIT_INTERRUPT);
        return;
    }
    console_drop_question(console);
    console_say(console, _("Type \"quit\" to leave, or Ctrl-C once more.\n"));
}

static const char *on_complete(void *owner, const char *before, size_t i)
{
    struct console *console = owner;

    return console->calls->complete(console->owner, before, edit_word(console->edit),
                                    i);
}

/* --- From the loop --- */

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
    struct console *console = arg;

    (void)fd;
    (void)what;
    if (console->calls->on_tick != NULL)
        console->calls->on_tick(console->owner);
    if (console->prefs->has_tick)
        console_prompt(console);
}

static void on_terminate(evutil_socket_t number, short what, void *arg)
{
    (void)what;
    console_leave(arg, 128 + (int)number);
}

/* --- Life --- */

void console_take_prefs(struct console *console)
{
    console->has_color = prefs_wants_color(console->prefs, console->is_screen);
    console->manner = manner_choose(console->prefs);
}

struct console *console_new(const struct prefs *prefs, const char *history_path,
                            const struct console_calls *calls, void *owner)
{
    static const struct edit_calls edit_calls = {take_line, on_end, on_interrupt,
                                                 on_complete};
    const short for_signal = EV_SIGNAL | EV_PERSIST;
    const char *term = getenv("TERM");
    struct edit_options options;
    struct console *console = mem_new(sizeof *console);

    signal(SIGPIPE, SIG_IGN);
    console->prefs = prefs;
    console->calls = calls;
    console->owner = owner;
    console->base = loop_new();
    console->is_screen = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
                         !prefs->is_plain && prefs->script == NULL;
    console->is_editing = console->is_screen && term != NULL &&
                          strcmp(term, "dumb") != 0 && edit_has_readline();
    console->is_script = prefs->script != NULL || !isatty(STDIN_FILENO);
    console->script = prefs->script;
    console_take_prefs(console);
    console->tick = loop_event(console->base, -1, EV_PERSIST, on_tick, console);
    console->terminate =
        loop_event(console->base, SIGTERM, for_signal, on_terminate, console);
    console->hangup =
        loop_event(console->base, SIGHUP, for_signal, on_terminate, console);
    loop_add(console->tick, 1000);
    loop_add(console->terminate, -1);
    loop_add(console->hangup, -1);
    options = (struct edit_options){.has_keys = console->is_editing,
                                    .has_prompt = console->is_screen,
                                    .history_path = history_path};
    console->edit = edit_open(console->base, &options, &edit_calls, console);
    return console;
}

void console_free(struct console *console)
{
    if (console == NULL)
        return;
    edit_close(console->edit);
    event_free(console->tick);
    event_free(console->terminate);
    event_free(console->hangup);
    event_base_free(console->base);
    free(console);
}

void console_start(struct console *console)
{
    console_hold(console, false);
    console_go_on(console);
}

int console_run(struct console *console)
{
    if (!console->is_stopped)
        event_base_dispatch(console->base);
    return console->exit_code;
}

void console_leave(struct console *console, int code)
{
    if (console->exit_code == CLIENT_EXIT_OK)
        console->exit_code = code;
    console->is_leaving = true;
    if (console->calls->on_leave != NULL)
        console->calls->on_leave(console->owner);
    else {
        console->is_stopped = true;
        event_base_loopbreak(console->base);
    }
}

void console_finish(struct console *console)
{
    bool is_wrong = console->is_script && console->is_refused;

    console_leave(console, is_wrong ? CLIENT_EXIT_MOVE : CLIENT_EXIT_OK);
}

/* --- What it is --- */

struct event_base *console_base(const struct console *console)
{
    return console->base;
}

bool console_is_screen(const struct console *console)
{
    return console->is_screen;
}

bool console_is_editing(const struct console *console)
{
    return console->is_editing;
}

bool console_has_color(const struct console *console)
{
    return console->has_color;
}

struct edit *console_edit(const struct console *console)
{
    return console->edit;
}

bool console_is_leaving(const struct console *console)
{
    return console->is_leaving;
}

bool console_is_ended(const struct console *console)
{
    return console->is_ended;
}
