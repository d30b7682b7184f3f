/* Writes a record as JSON for other programs. No function reads it, because our own
 * format is just as easy to read. The result is one object, by RFC 8259, in UTF-8:
 *
 *   {"format": "janggi-record", "version": 1, "server": null, "game": 17,
 *    "ended": "2026-11-21T19:06:24Z", "rules": "martin", "time": "10m+5s",
 *    "red": "hong", "blue": "kim",
 *    "setup": {"red": "NBNB", "blue": "NBBN"},   null for a game from a position
 *    "start": POSITION, "start_fen": FEN,        after the set-up
 *    "moves": [{"ply": 1, "side": "red", "move": "B0-C2", "uci": "h10g8",
 *               "piece": "knight", "took": null, "check": "none",
 *               "red_ms": 600000, "blue_ms": 600000}, ...],
 *    "outcome": "red", "reason": "checkmate",    null in an unfinished game
 *    "ended_by": "blue",                         who resigned, lost on time, claimed or
 *                                                aborted; null for other ends
 *    "position": POSITION, "fen": FEN,           at the end
 *    "events": ["start red=hong ...", ...]}      all, take-backs included
 *
 * With byoyomi, moves also have red_periods and blue_periods; in an untimed game they
 * have no times. Until the set-up is done, start, position and their FEN are null. Pure
 * except for allocation. */
#ifndef CLIENT_FORMATS_RECORD_JSON_H
#define CLIENT_FORMATS_RECORD_JSON_H

#include "common/base/base.h"
#include "common/record/record.h"

/* Returns the text; the caller frees it. game: made from the record by
 * record_fold(). */
char *record_json_write(const struct record *record, const struct game *game) MUST_USE;

#endif
