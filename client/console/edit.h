/* The keyboard. On a terminal a line is edited with readline while the loop goes on,
 * and text that arrives meanwhile is printed above it; from a pipe, without readline or
 * on a dumb terminal it is plain lines. All that is printed goes through edit_print(),
 * or the typed line would be damaged. Knows nothing of what lines mean. */
#ifndef CLIENT_CONSOLE_EDIT_H
#define CLIENT_CONSOLE_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"

struct edit;
struct event_base;

/* A prompt that does not fit is not shown. */
enum { EDIT_PROMPT_BYTES = 288 };

struct edit_calls {
    /* A whole line without its end. One that is too long for any use comes as its first
     * part, which is too long as well. */
    void (*on_line)(void *owner, const char *line);
    /* No more lines will come: Ctrl-D on an empty line, or the end of the pipe. */
    void (*on_end)(void *owner);
    /* Ctrl-C while nothing was typed. */
    void (*on_interrupt)(void *owner);
    /* The i-th word that may follow what was typed, NULL after the last: the whole line
     * up to the word being typed is before. NULL: no completion. */
    const char *(*on_complete)(void *owner, const char *before, size_t i);
};

struct edit_options {
    bool has_keys;   /* edit with readline, if this program was built with it */
    bool has_prompt; /* somebody looks at the screen */
    const char *history_path; /* NULL: lines are not kept */
};

/* The width of the terminal; 80 where it is not known, or too narrow to believe. */
int edit_columns(void);

/* True when lines can be edited at all. */
bool edit_has_readline(void);

/* Standard input and output become its own until edit_close(). There can be one. Starts
 * held. */
struct edit *edit_open(struct event_base *base, const struct edit_options *options,
                       const struct edit_calls *calls, void *owner) MUST_USE;
/* Gives the terminal back as it was. Takes NULL. */
void edit_close(struct edit *edit);

/* Prints whole lines; what is being typed stands below them as it was. False: nobody
 * takes our output any more. */
bool edit_print(struct edit *edit, const char *text, size_t len);

/* The prompt from now on; shown at once when it differs. */
void edit_prompt(struct edit *edit, const char *prompt);

/* A sound, or whatever the terminal makes of it. */
void edit_bell(struct edit *edit);

/* The title of the terminal's window from now on; "" gives back the one it had before,
 * as does edit_close(). Nothing where lines are not edited, or TERM has no window. */
void edit_title(struct edit *edit, const char *title);

/* While held no line is given to on_line. */
void edit_hold(struct edit *edit, bool is_held);

/* Of a paste of several lines the rest is thrown away: something is asked now, and no
 * line that was pasted before is an answer to it. */
void edit_drop_paste(struct edit *edit);

/* Inside on_complete: what has been typed of the word that is wanted. */
const char *edit_word(const struct edit *edit);

/* The line can be called back with the arrow keys. */
void edit_remember(struct edit *edit, const char *line);

#endif
