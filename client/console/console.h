/* The terminal of an interactive mode: play, local, learn and replay. Chooses the form
 * of output (screen, plain, colour), reads lines from the keyboard, a pipe or -c, asks
 * questions that the next line answers, shows the prompt, and decides when and with
 * which status the mode ends. Does not interpret lines. */
#ifndef CLIENT_CONSOLE_CONSOLE_H
#define CLIENT_CONSOLE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

#include "client/base/prefs.h"
#include "common/base/base.h"
#include "common/base/text.h"

struct console;
struct edit;
struct event_base;
struct facts;
struct manner_scene;
struct model_game;
struct said;

/* `on_line` and `complete` must be set, and `on_answer` if console_ask() is used. Any
 * other callback may be NULL; it is then skipped, unless its comment says otherwise. */
struct console_calls {
    /* Called with a line that does not answer a question. */
    void (*on_line)(void *owner, const char *line);
    /* Called with the line that answers the question number `id`. */
    void (*on_answer)(void *owner, int id, const char *line);
    /* Called at the end of input, after the script has finished. NULL:
     * console_finish() is called instead. */
    void (*on_end)(void *owner);
    /* Called for Ctrl-C on an empty line. is_last: this is the second Ctrl-C within two
     * seconds, or output is not a screen. If the owner returns true, the console does
     * nothing. If the owner returns false and is_last is true, the console calls
     * console_leave(). If the owner returns false and is_last is false, the console
     * prints a hint and continues. */
    bool (*on_interrupt)(void *owner, bool is_last);
    /* Called by console_leave(). The owner must end the event loop, now or later. If
     * on_leave is NULL, console_leave() ends the event loop at once. */
    void (*on_leave)(void *owner);
    /* Returns true if the next command of a script must wait, for example for an
     * answer. */
    bool (*is_busy)(void *owner);
    /* Appends the text of the current prompt to `out`. */
    void (*add_prompt)(void *owner, struct text *out);
    /* Called once a second. */
    void (*on_tick)(void *owner);
    /* Completes the word being typed. `before` is the line up to that word, and `word`
     * is the typed part of the word. Returns the possible word with index `i`, from 0;
     * NULL after the last word. */
    const char *(*complete)(void *owner, const char *before, const char *word,
                            size_t i);
};

/* Creates a console with its own loop. It reads nothing before console_start(). prefs
 * and history_path are borrowed; history_path NULL: no history is stored. */
struct console *console_new(const struct prefs *prefs, const char *history_path,
                            const struct console_calls *calls, void *owner) MUST_USE;
/* Restores the terminal. Accepts NULL. */
void console_free(struct console *console);

struct event_base *console_base(const struct console *console);
/* Returns true if a person uses a terminal; otherwise output is plain. */
bool console_is_screen(const struct console *console);
/* Returns true if lines are edited with readline. */
bool console_is_editing(const struct console *console);
bool console_has_color(const struct console *console);
/* Returns the editor, for the functions of the terminal itself: bell, title,
 * history. */
struct edit *console_edit(const struct console *console);

/* --- Life --- */

/* Starts reading lines, or starts the script. */
void console_start(struct console *console);
/* Runs the loop until it is ended. Returns the exit status. */
int console_run(struct console *console);
/* Ends the mode. Its exit status is `code`, unless an earlier failure has set one. */
void console_leave(struct console *console, int code);
/* Ends the mode at the user's request. The exit status is CLIENT_EXIT_MOVE if a command
 * of a script was refused, otherwise CLIENT_EXIT_OK. */
void console_finish(struct console *console);
bool console_is_leaving(const struct console *console);
/* Returns true after the end of input. */
bool console_is_ended(const struct console *console);

/* --- Lines --- */

/* Shows the current prompt. If a script is running, continues it. Call this function
 * after every change that may affect the prompt or let a script continue. */
void console_go_on(struct console *console);
/* Shows the current prompt, unless a question is open. */
void console_prompt(struct console *console);
/* Pauses reading lines while is_held is true. Does not pause a script: is_busy() does
 * that. */
void console_hold(struct console *console, bool is_held);
/* Adds the line to the history for the arrow keys. */
void console_remember(struct console *console, const char *line);
/* Applies the settings of colour and speech. Call it after they have changed. */
void console_take_prefs(struct console *console);

/* To be called when the next line would mean something else than before, although the
 * user has entered nothing: another board is current, a question has appeared. Clears
 * what was typed for the former meaning and says so; after that, one line does nothing if
 * it is empty or was begun at once, because the user may not have seen the change. */
void console_drop_typed(struct console *console);
/* Makes the next line do nothing if it is empty: Enter has just had another meaning. */
void console_ignore_enter(struct console *console);

/* --- Questions --- */

/* Shows the text `words` in place of the prompt; the next line is the answer. id must
 * not be 0. */
void console_ask(struct console *console, int id, const char *words);
/* Reads the answer to a yes-no question. An empty line means no. For a line that is
 * neither yes nor no, prints a message and returns ANSWER_NEITHER; the caller must then
 * call console_ask() again. */
enum console_yes { ANSWER_NO, ANSWER_YES, ANSWER_NEITHER };
enum console_yes console_take_yes(struct console *console, const char *line);
/* Returns the id of the open question, or 0. */
int console_question(const struct console *console);
/* Withdraws the open question, and shows the prompt again. */
void console_drop_question(struct console *console);

/* --- Output --- */

/* These functions print in the manner that the settings and the terminal require.
 * console_say() and console_sayf() print text for a person, wrapped on a screen. */
void console_say(struct console *console, const char *words);
void console_sayf(struct console *console, const char *format, ...) PRINTF_LIKE(2, 3);
/* console_refuse() and console_refusef() print why input was refused. After a refusal
 * in a script, the exit status is CLIENT_EXIT_MOVE. */
void console_refuse(struct console *console, const char *words);
void console_refusef(struct console *console, const char *format, ...)
    PRINTF_LIKE(2, 3);
/* Prints a text that programs get with what it is about, such as a line of a server. */
void console_said(struct console *console, const struct said *said);
/* The next two functions print a game. scene: how to show it, for example with a board;
 * scene->columns must be console_columns(). console_show() prints an event if facts->event
 * is set, otherwise the board. */
void console_show(struct console *console, const struct manner_scene *scene,
                  const struct facts *facts);
void console_show_setup_choice(struct console *console,
                               const struct manner_scene *scene,
                               const struct model_game *game);
/* Returns the width of the terminal; 0: output is not for a person at a terminal. */
int console_columns(const struct console *console);
/* Returns true if boards are shown without being requested. */
bool console_has_boards(const struct console *console);
/* Returns true if sentences replace boards. */
bool console_is_spoken(const struct console *console);
/* Stores that a command of a script was refused. The exit status depends on this.
 * Prints nothing: the caller has already printed the reason. */
void console_note_refusal(struct console *console);

#endif
