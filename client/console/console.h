/* The terminal of an interactive mode: play, local, learn and replay. It decides how the
 * mode shows itself (screen, plain, colour), reads lines from the keyboard, a pipe or -c,
 * puts questions whose answer is the next line, shows the prompt, and knows when and with
 * which status the mode ends. Knows nothing of what lines mean. */
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
struct proto_line;

/* Those that are NULL are not called. */
struct console_calls {
    /* A line that does not answer a question. */
    void (*on_line)(void *owner, const char *line);
    /* The line that answers the question id. */
    void (*on_answer)(void *owner, int id, const char *line);
    /* Nothing more will be typed, and a script is done. NULL: console_finish(). */
    void (*on_end)(void *owner);
    /* Ctrl-C while nothing was typed; is_last: it ends the mode, as the second one in
     * two seconds does, and any where nobody looks at a screen. True: the owner has
     * done what there was to do, and the console does nothing. */
    bool (*on_interrupt)(void *owner, bool is_last);
    /* console_leave() was called. The owner calls console_stop() when it is ready. NULL:
     * that happens at once. */
    void (*on_leave)(void *owner);
    /* True while the next command of a script has to wait. */
    bool (*is_busy)(void *owner);
    /* Adds the prompt that is right now. */
    void (*add_prompt)(void *owner, struct text *out);
    /* Once a second. */
    void (*on_tick)(void *owner);
    /* The i-th word that may follow before, of which word has been typed; NULL after the
     * last. */
    const char *(*complete)(void *owner, const char *before, const char *word,
                            size_t i);
};

/* Has a loop of its own. Nothing is read before console_start(). prefs and history_path
 * are borrowed; history_path NULL: lines are not kept. */
struct console *console_new(const struct prefs *prefs, const char *history_path,
                            const struct console_calls *calls, void *owner) MUST_USE;
/* Gives the terminal back as it was. Takes NULL. */
void console_free(struct console *console);

struct event_base *console_base(const struct console *console);
/* A person looks at a terminal; otherwise the mode is plain. */
bool console_is_screen(const struct console *console);
/* Lines are edited. */
bool console_is_editing(const struct console *console);
bool console_has_color(const struct console *console);
/* Lines come from -c or from a pipe. */
bool console_is_script(const struct console *console);
/* The terminal's own functions: bell, title, history. */
struct edit *console_edit(const struct console *console);

/* --- Life --- */

/* Lines are read from now on; a script begins. */
void console_start(struct console *console);
/* Runs the loop until console_stop(). Returns the status to exit with. */
int console_run(struct console *console);
/* The mode ends; code is its status unless another failure came before. */
void console_leave(struct console *console, int code);
/* The mode ends because that was asked for: with CLIENT_EXIT_MOVE if something in a
 * script was refused. */
void console_finish(struct console *console);
/* Ends the loop. */
void console_stop(struct console *console);
bool console_is_leaving(const struct console *console);
/* Nothing more will be typed. */
bool console_is_ended(const struct console *console);

/* --- Lines --- */

/* After anything that may have changed the prompt or ended what a script waits for. */
void console_go_on(struct console *console);
/* Shows the prompt that is right now, unless a question is in its place. */
void console_prompt(struct console *console);
/* No line is read while it is held. A script is held by is_busy. */
void console_hold(struct console *console, bool is_held);
/* The line can be called back with the arrow keys. */
void console_remember(struct console *console, const char *line);
/* What the settings say of colour and of speech is read again. */
void console_take_prefs(struct console *console);

/* --- Questions --- */

/* words stand in the prompt's place, and the next line is the answer. id is not 0. */
void console_ask(struct console *console, int id, const char *words);
/* The id of the question that waits for an answer; 0: none. */
int console_question(const struct console *console);
/* The question is withdrawn. */
void console_drop_question(struct console *console);

/* --- Output --- */

/* Bytes as they are. */
void console_print(struct console *console, const char *words);
/* In the manner that the settings and the terminal ask for: words for a person, which a
 * screen wraps; */
void console_say(struct console *console, const char *words);
void console_sayf(struct console *console, const char *format, ...) PRINTF_LIKE(2, 3);
/* The same for something typed that is not done: a script ends with that. */
void console_refuse(struct console *console, const char *words);
void console_refusef(struct console *console, const char *format, ...)
    PRINTF_LIKE(2, 3);
/* lines of a server, of which words is what a person is told; */
void console_notice(struct console *console, const struct proto_line *line,
                    const char *words);
void console_answer(struct console *console, const char *verb,
                    const struct proto_line *line, const char *words);
void console_item(struct console *console, const char *verb, const char *row,
                  const char *words);
/* and games. console_columns() is what a scene has for columns. */
void console_show_event(struct console *console, const struct manner_scene *scene,
                        const struct facts *facts);
void console_show_board(struct console *console, const struct manner_scene *scene,
                        const struct facts *facts);
void console_show_setup_choice(struct console *console,
                               const struct manner_scene *scene,
                               const struct model_game *game);
/* The columns of the terminal that a person looks at; 0: none does. */
int console_columns(const struct console *console);
/* What a greeting begins with: "-- " between lines of events, otherwise "". */
const char *console_mark(const struct console *console);
/* A board is shown after each move. */
bool console_has_boards(const struct console *console);
/* Sentences stand in place of boards. */
bool console_is_spoken(const struct console *console);
/* Something in a script was refused; the words have been said. */
void console_note_refusal(struct console *console);

#endif
