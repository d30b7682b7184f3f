/* A small file of lines that each begin with a server: "host:port WORD [WORD]". Known
 * keys are kept in one and the names used in another. Written so that a reader at the
 * same time sees the old file or the new one. Knows nothing of what the words mean. */
#ifndef CLIENT_BASE_KEEP_H
#define CLIENT_BASE_KEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"

enum { KEEP_WORD_BYTES = 64 };

struct keep_line {
    char word[2][KEEP_WORD_BYTES]; /* "" where the line has none */
    int number;                    /* of the line in the file, from 1 */
};

/* The first line of server. False: there is none, or no such file. */
bool keep_find(const char *path, const char *server, struct keep_line *out) MUST_USE;

/* Calls row for each line. */
typedef void keep_row_fn(void *arg, const char *server, const struct keep_line *line);
void keep_each(const char *path, keep_row_fn *row, void *arg);

/* The server of the first line whose first word is word. False: there is none. */
bool keep_find_key(const char *path, const char *word, char *server,
                   size_t size) MUST_USE;

/* Puts the line "server words" in place of those of server, at the end if there is
 * none. The file and its directories are made as needed, readable by the owner alone.
 * False after logging why not. */
bool keep_put(const char *path, const char *server, const char *words);

/* How many lines of server were taken out; -1 after logging why not. */
int keep_remove(const char *path, const char *server);

/* Makes the directories above path. False after logging why not. */
bool keep_make_way(const char *path);

#endif
