/* A game as a file of another program tells it, and the record that becomes of it. Such
 * a file says less than our own record, and not always in agreement with the rules:
 * what is missing or does not agree is decided here, the same for every format, and
 * told in notes. What a format looks like is known to record_gib.c and record_pgn.c.
 * Pure but for memory. */
#ifndef CLIENT_FORMATS_RECORD_DRAFT_H
#define CLIENT_FORMATS_RECORD_DRAFT_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/record/record.h"
#include "common/record/record_text.h"

/* What the caller of a reader wants and gets. */
struct record_import {
    const struct ruleset *rules; /* NULL: those the file names, else kja */
    int number;                  /* which game of the file, from 1 */
    struct record_text notes;    /* a line each, to be shown; the caller frees it */
    char why[RECORD_WHY_BYTES];  /* of a failure, with its line */
};

/* Always false; *why is "line 3: ..." when line is not 0. */
bool record_refuse(struct record_import *import, int line, const char *format, ...)
    PRINTF_LIKE(3, 4);
void record_note(struct record_import *import, int line, const char *format, ...)
    PRINTF_LIKE(3, 4);

enum { DRAFT_MOVE_BYTES = 40 };

struct draft_move {
    char text[DRAFT_MOVE_BYTES]; /* as written, without what is not the move */
    int line;
    bool has_left; /* what the mover had after it */
    struct time_left left;
};

struct record_draft {
    int line; /* where the game begins in its file */
    char name[SIDES][EVENT_NAME_BYTES];
    const struct ruleset *rules; /* NULL: not told, or not known */
    bool has_terms;
    struct time_terms terms;
    bool has_lineup[SIDES];
    enum lineup lineup[SIDES];
    bool has_position;
    struct position position;
    int position_line;
    struct draft_move *move;
    int moves;
    int room;
    int result_line;
    enum outcome outcome;
    enum reason reason; /* REASON_NONE: nothing is told of an end */
    enum side ended_by; /* as in the end event */
    struct record meta; /* only where it was played, and when */
};

void record_draft_init(struct record_draft *draft);
void record_draft_clear(struct record_draft *draft);

/* Adds a move; its text is cut when it is longer than any move. */
struct draft_move *record_draft_add(struct record_draft *draft, const char *text,
                                    int line);

/* The player's name as an event can hold it: spaces and quotes become "_", and what is
 * too long is cut at the end of a character. */
void record_draft_name(struct record_draft *draft, enum side side, const char *name);

/* Reads one of the tags that we write into every format: Rules, Time, Position, Reason,
 * EndedBy, Server, Game, Ended. False: key is none of them. A value that is no good is noted. */
bool record_draft_take_tag(struct record_draft *draft, struct record_import *import,
                           const char *key, const char *value, int line);

/* How a format writes a move. *why as in notation.h. */
enum { DRAFT_WHY_BYTES = 240 };
typedef bool record_read_move(const char *text, const struct ruleset *rules,
                              const struct position *position, struct move *out,
                              char why[DRAFT_WHY_BYTES]);

/* Plays the draft and makes the record, which record_clear() frees. False:
 * import->why. */
bool record_draft_build(const struct record_draft *draft, struct record_import *import,
                        record_read_move *read_move, struct record *out) MUST_USE;

/* True when position is one that a game of rules has right after its set-up, with the
 * line-ups it came from. */
bool record_find_lineups(const struct position *position, const struct ruleset *rules,
                         enum lineup lineup[SIDES]) MUST_USE;

#endif
