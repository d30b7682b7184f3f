/* A draft is a game as read from a file of another program, before it is checked
 * against the rules. Such a file contains less than our own record and may contradict
 * the rules. This module completes the draft and resolves contradictions in the same
 * way for every format, and reports each decision in notes. The formats themselves are
 * parsed in record_gib.c and record_pgn.c. Pure except for allocation. */
#ifndef CLIENT_FORMATS_RECORD_DRAFT_H
#define CLIENT_FORMATS_RECORD_DRAFT_H

#include <stdbool.h>

#include "common/base/base.h"
#include "common/game/game.h"
#include "common/record/record.h"
#include "common/record/record_text.h"

/* The options and the outputs of an import. */
struct record_import {
    const struct ruleset *rules; /* NULL: the ruleset named in the file, or kja */
    int number;                  /* index of the game in the file, from 1 */
    struct record_text notes;    /* one line per decision, for the user; the caller
                                  * frees it */
    char why[RECORD_WHY_BYTES];  /* reason of a failure, with its line number */
};

/* Writes the reason to import->why, after the line number ("line 3: ") unless `line` is
 * 0. Always returns false. */
bool record_import_refuse(struct record_import *import, int line, const char *format,
                          ...) PRINTF_LIKE(3, 4);
/* Adds a line to import->notes, after the line number ("line 3: ") unless `line` is
 * 0. */
void record_import_note(struct record_import *import, int line, const char *format, ...)
    PRINTF_LIKE(3, 4);

enum { DRAFT_MOVE_BYTES = 40 };

struct draft_move {
    char text[DRAFT_MOVE_BYTES]; /* as written, without move numbers and annotations */
    int line;
    bool has_left; /* `left`, the time on the mover's clock after the move, is known */
    struct time_left left;
};

struct record_draft {
    int line; /* line in the file where the game begins */
    char name[SIDES][EVENT_NAME_BYTES];
    const struct ruleset *rules; /* NULL: absent or unknown */
    bool has_terms;
    struct time_terms terms;
    bool has_lineup[SIDES];
    enum lineup lineup[SIDES];
    bool has_position;
    struct position position;
    int position_line;
    struct draft_move *move;
    int moves;
    int room; /* allocated entries of `move` */
    int result_line;
    enum outcome outcome;
    enum reason reason; /* REASON_NONE: the file does not say how the game ended */
    enum side ended_by; /* the side that ended the game, as in the end event */
    struct record meta; /* only the members server, game and ended are used */
};

void record_draft_init(struct record_draft *draft);
void record_draft_clear(struct record_draft *draft);

/* Appends a move. Text longer than any move is cut. */
void record_draft_add(struct record_draft *draft, const char *text, int line);

/* Sets the name of side's player in the form that an event allows: spaces and quotes
 * become "_", a long name is cut between two characters, and an empty name becomes
 * "?". */
void record_draft_name(struct record_draft *draft, enum side side, const char *name);

/* Parses a tag that we write into every format: Rules, Time, Position, Reason, EndedBy,
 * Server, Game, Ended. Returns false if key is not one of them. An invalid value is
 * ignored with a note. */
bool record_draft_take_tag(struct record_draft *draft, struct record_import *import,
                           const char *key, const char *value, int line);

/* Parses one move in the syntax of a format. *why gets the reason of a failure. */
enum { DRAFT_WHY_BYTES = 240 };
typedef bool record_read_move(const char *text, const struct ruleset *rules,
                              const struct position *position, struct move *out,
                              char why[DRAFT_WHY_BYTES]);

/* Plays the moves of the draft and writes the record to *out; free it with
 * record_clear(). Returns false with the reason in import->why. */
bool record_draft_build(const struct record_draft *draft, struct record_import *import,
                        record_read_move *read_move, struct record *out) MUST_USE;

/* Returns true if `position` can occur directly after the set-up under the ruleset
 * `rules`, and writes the line-ups that lead to it. */
bool record_draft_find_lineups(const struct position *position,
                               const struct ruleset *rules,
                               enum lineup lineup[SIDES]) MUST_USE;

#endif
