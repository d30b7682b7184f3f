/* Reads the keyboard. On a terminal, lines are edited with readline while the event
 * loop runs, and text that arrives is printed above the line being typed. From a pipe,
 * on a dumb terminal, or without readline, reads plain lines. All output must use
 * edit_print(); otherwise the line being typed would be damaged. Does not interpret
 * lines. */
#ifndef CLIENT_CONSOLE_EDIT_H
#define CLIENT_CONSOLE_EDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"

struct edit;
struct event_base;

/* The space for a prompt with its NUL. edit_prompt() ignores a longer prompt. */
enum { EDIT_PROMPT_BYTES = 288 };

struct edit_calls {
    /* Called with a complete line without its LF. A line that is too long is cut, but
     * stays longer than any valid line. */
    void (*on_line)(void *owner, const char *line);
    /* Called at the end of input: Ctrl-D on an empty line, or the end of the pipe. */
    void (*on_end)(void *owner);
    /* Called for Ctrl-C on an empty line. */
    void (*on_interrupt)(void *owner);
    /* Returns one of the words that can follow the text `before`: the word with index
     * `i`, counted from 0. Returns NULL after the last word. `before` is the line up to
     * the word being typed. If on_complete is NULL, there is no completion. */
    const char *(*on_complete)(void *owner, const char *before, size_t i);
};

struct edit_options {
    bool has_keys;   /* edit with readline, if this program was built with it */
    bool has_prompt; /* show a prompt, because a person looks at the screen */
    const char *history_path; /* NULL: no history is stored */
};

/* Returns the width of the terminal; 80 if it is unknown or implausibly small. */
int edit_columns(void);

/* Returns true if this program was built with readline. */
bool edit_has_readline(void);

/* Opens the editor, which uses standard input and output exclusively until
 * edit_close(). Only one struct edit can be open. Reads no input until edit_hold()
 * is called with is_held false. Borrows `calls`, `owner` and options->history_path. */
struct edit *edit_open(struct event_base *base, const struct edit_options *options,
                       const struct edit_calls *calls, void *owner) MUST_USE;
/* Restores the terminal. Accepts NULL. */
void edit_close(struct edit *edit);

/* Prints complete lines above the line being typed. Returns false if the output was
 * closed. */
bool edit_print(struct edit *edit, const char *text, size_t len);

/* Sets the prompt; a changed prompt is shown at once. */
void edit_prompt(struct edit *edit, const char *prompt);

/* Rings the terminal's bell. */
void edit_bell(struct edit *edit);

/* Sets the title of the terminal's window; "" restores the previous title. edit_close()
 * restores the previous title too. Does nothing if lines are not edited, or if TERM
 * names a terminal without a window. */
void edit_title(struct edit *edit, const char *title);

/* Stops reading input if is_held is true, otherwise continues. Lines of a paste that
 * readline has already read are passed to on_line even while reading is stopped. */
void edit_hold(struct edit *edit, bool is_held);

/* To be called when lines get another meaning, for example because a question is asked:
 * discards what was typed before: the unfinished line, the remaining lines of a paste,
 * and keys that were not read yet. Returns true if there were such keys, or such a line.
 * Input that is not typed at a terminal is kept. */
bool edit_drop_typed(struct edit *edit);
/* Returns when the first key of the newest line was typed, as mono_now_ms(); 0: unknown.
 * The time is known only for lines that are edited. */
int64_t edit_begun_ms(const struct edit *edit);

/* Returns the typed part of the word to complete. Only for use in on_complete. */
const char *edit_word(const struct edit *edit);

/* Adds the line to the history for the arrow keys. */
void edit_remember(struct edit *edit, const char *line);

#endif
