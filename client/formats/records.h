/* Reads and writes files that contain a game, in any supported format: our own record,
 * GIB, PGN; in UTF-8 or in cp949, which Korean programs use. Because the contents are
 * shown on terminals, a file with unprintable characters is refused here. Opens no
 * connection. */
#ifndef CLIENT_FORMATS_RECORDS_H
#define CLIENT_FORMATS_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"
#include "common/record/record.h"

enum records_format {
    RECORDS_UNKNOWN, /* detect the format */
    RECORDS_RECORD,
    RECORDS_GIB,
    RECORDS_PGN,
    /* written only: */
    RECORDS_JSON,
    RECORDS_FEN /* only the position after the last move */
};

/* Finds a format by its name: "record", "gib", "pgn", "json", "fen". */
bool records_find_format(const char *name, enum records_format *out) MUST_USE;

struct records_wish {
    enum records_format from;
    const struct ruleset *rules; /* NULL: the ruleset named in the file, or kja */
    int number;                  /* index of the game in the file, from 1 */
};

/* A record, and the game that record_fold() makes from the events of the record. */
struct records_file {
    enum records_format format;
    char *text; /* the file's text, converted to UTF-8 */
    size_t len;
    struct record record;
    struct game game;
};

/* Reads the game that `wish` selects from the file at `path` ("-": from standard
 * input). Prints notes about the import on standard error. After success, the caller
 * frees *out with records_clear(). Returns false after printing the reason on standard
 * error. */
bool records_read(struct records_file *out, const char *path,
                  const struct records_wish *wish) MUST_USE;
/* Like records_read(), but reads from `text` and takes ownership of it. name: the name
 * of the file in messages. */
bool records_take(struct records_file *out, const char *name, char *text, size_t len,
                  const struct records_wish *wish) MUST_USE;
void records_clear(struct records_file *file);
/* Returns the contents of the file at `path` ("-": of standard input), with a NUL added
 * at the end. *len gets the number of bytes without the NUL. The caller frees the
 * result. On failure, returns NULL and sets errno; EFBIG: the file has more than `most`
 * bytes. */
char *records_read_bytes(const char *path, size_t most, size_t *len) MUST_USE;

/* Returns the game in the format `to` as UTF-8 text; the caller frees it. Returns NULL,
 * after a message on standard error, if that format cannot represent the game. */
char *records_write(const struct records_file *file, enum records_format to) MUST_USE;

/* Writes text to standard output, converted to cp949 if is_cp949. Returns false after
 * printing the reason on standard error. */
bool records_print(const char *text, bool is_cp949) MUST_USE;

#endif
