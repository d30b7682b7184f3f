/* A record as JSON, for programs: written only, since the record itself is as easy to
 * read. One object, RFC 8259, UTF-8:
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
 *    "ended_by": "blue",                         who resigned, ran out of time, claimed or
 *                                                aborted; null for other ends
 *    "position": POSITION, "fen": FEN,           at the end
 *    "events": ["start red=hong ...", ...]}      all, take-backs included
 *
 * In byoyomi a move has red_periods and blue_periods too, in an untimed game no times;
 * before the set-up is done start, position and their FEN are null. Pure but for
 * memory.
 */
#ifndef CLIENT_FORMATS_RECORD_JSON_H
#define CLIENT_FORMATS_RECORD_JSON_H

#include "common/base/base.h"
#include "common/record/record.h"

/* The text, the caller's to free. game: record folded. */
char *record_json_write(const struct record *record, const struct game *game) MUST_USE;

#endif
