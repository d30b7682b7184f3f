/* A small file of lines "host:port WORD...". One such file holds the known keys of
 * servers, another the names used at servers. A concurrent reader sees the old file or
 * the new one, and two concurrent changes are both kept. This module does not interpret
 * the words. */
#ifndef CLIENT_BASE_KEEP_H
#define CLIENT_BASE_KEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/base/base.h"

enum { KEEP_WORDS = 5, KEEP_WORD_BYTES = 64, KEEP_LINE_BYTES = 512 };

struct keep_line {
    char server[KEEP_LINE_BYTES];
    char word[KEEP_WORDS][KEEP_WORD_BYTES]; /* "" if missing or too long */
    int number;                             /* line number, from 1 */
};

/* Reads the next line of `file`, which fopen() has opened for reading; *line is zero before
 * the first call. At the end closes the file and returns false, so a caller reads all
 * lines. file NULL: there are none. */
bool keep_next(FILE *file, struct keep_line *line);

/* Finds the first line of `server`. Returns false if the line or the file does not
 * exist. */
bool keep_find(const char *path, const char *server, struct keep_line *out) MUST_USE;

/* Finds the first line whose first word after the server is `word`, and writes its
 * server to `server`. Returns false if there is no such line, or if the server does not
 * fit in `size` bytes. */
bool keep_find_key(const char *path, const char *word, char *server,
                   size_t size) MUST_USE;

/* Replaces all lines of `server` with one line "SERVER WORDS", or appends that line if
 * there are none. Creates the file and its directories if needed, readable only by the
 * owner. Returns false after logging the reason. */
bool keep_put(const char *path, const char *server, const char *words);

/* Replaces only the line of `server` whose first word after the server is `word`.
 * `words` must begin with `word` too. is_first: moves the line to the start of the
 * file; otherwise the line keeps its place, or is appended if it is new. Returns false
 * on failure. */
bool keep_put_word(const char *path, const char *server, const char *word,
                   const char *words, bool is_first);

/* Removes all lines of `server`. Returns their number, or -1 after logging the
 * reason. */
int keep_remove(const char *path, const char *server);

/* Creates the parent directories of `path`. Returns false after logging the reason. */
bool keep_make_way(const char *path);

#endif
