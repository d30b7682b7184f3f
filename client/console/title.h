/* The title of the terminal's window. Whoever uses it shows only words of its own
 * there, never a peer's. Writes to standard output. */
#ifndef CLIENT_CONSOLE_TITLE_H
#define CLIENT_CONSOLE_TITLE_H

#include <stdbool.h>

#include "common/base/base.h"

enum { TITLE_BYTES = 96 };

struct title {
    bool is_possible;        /* the terminal has a window, and somebody looks at it */
    char words[TITLE_BYTES]; /* "": the title that it had before us */
};

/* is_wanted: standard output is a terminal that somebody looks at. */
void title_init(struct title *title, bool is_wanted);
/* From now on; "" gives back what was there before. */
void title_set(struct title *title, const char *words);
/* Gives the old one back for a while or at the end, and shows ours again. */
void title_hide(struct title *title);
void title_show(struct title *title);

#endif
