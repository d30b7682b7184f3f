/* The title of the terminal's window. Callers must use only their own words in it,
 * never text of the server or of a player. Writes to standard output. */
#ifndef CLIENT_CONSOLE_TITLE_H
#define CLIENT_CONSOLE_TITLE_H

#include <stdbool.h>

enum { TITLE_BYTES = 96 };

struct title {
    bool is_possible;        /* the terminal has a window, and a person looks at it */
    char words[TITLE_BYTES]; /* our title; "": show the previous title */
};

/* Initializes *title without changing the window. is_wanted: standard output is a
 * terminal that a person looks at. */
void title_init(struct title *title, bool is_wanted);
/* Sets the title; "" restores the previous one. */
void title_set(struct title *title, const char *words);
/* title_hide() restores the previous title, for a while or at the end of the program;
 * title_show() shows our title again. */
void title_hide(struct title *title);
void title_show(struct title *title);

#endif
