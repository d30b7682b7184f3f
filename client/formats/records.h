/* Files that hold a game, in any of the formats: our own record, GIB, PGN; in UTF-8 or,
 * as Korean programs write them, in cp949. What is read is shown on terminals, so a
 * file with characters that do not show is refused here. Opens no connection. */
#ifndef CLIENT_FORMATS_RECORDS_H
#define CLIENT_FORMATS_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"
#include "common/record/record.h"

enum records_format {
    RECORDS_UNKNOWN, /* to be found out */
    RECORDS_RECORD,
    RECORDS_GIB,
    RECORDS_PGN,
    /* written only: */
    RECORDS_JSON,
    RECORDS_FEN, /* of one position, that after the last move */
    RECORDS_FIGURES,
    RECORDS_COURIER
};

/* "record", "gib", "pgn", "json", "fen", "figures", "courier". */
bool records_find_format(const char *name, enum records_format *out) MUST_USE;

struct records_wish {
    enum records_format from;
    const struct ruleset *rules; /* NULL: as the file says */
    int number;                  /* which game of the file, from 1 */
};

/* A record that was read, and the game it folds to. */
struct records_file {
    enum records_format format;
    char *text; /* as it was read, in UTF-8 */
    size_t len;
    struct record record;
    struct game game;
};

/* Reads the game that is wished for from the file at path, or from standard input for
 * "-". What had to be decided is noted on standard error. False: what is wrong stands
 * there. records_clear() frees what is in out. */
bool records_read(struct records_file *out, const char *path,
                  const struct records_wish *wish) MUST_USE;
/* The same from text, which becomes out's; name is what messages call it. */
bool records_take(struct records_file *out, const char *name, char *text, size_t len,
                  const struct records_wish *wish) MUST_USE;
void records_clear(struct records_file *file);

/* The game in that format, in UTF-8, the caller's to free; NULL with a line on standard
 * error when it has nothing for it. */
char *records_write(const struct records_file *file, enum records_format to) MUST_USE;

/* Writes text to standard output, in cp949 if is_cp949. False: standard error says
 * why. */
bool records_print(const char *text, bool is_cp949) MUST_USE;

#endif
