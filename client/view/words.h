/* Puts events, notices, answers and list rows into one line of words each. Writes text
 * into a buffer, prints nothing. */
#ifndef CLIENT_VIEW_WORDS_H
#define CLIENT_VIEW_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/view/facts.h"
#include "client/view/model.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "common/words/manner_words.h"

enum { WORDS_CLOCK_BYTES = 40, WORDS_TERMS_BYTES = 64 };
/* Returns the rules that are proposed to a player who has named none: in Korean those of
 * Korea. */
const struct ruleset *words_usual_rules(void);
/* Adds a span of time, or the time on a clock: "7:55", "1:02:03", "2 d 3 h". */
void words_time(struct text *out, int64_t ms);
/* Adds the local date and time of wall_s in a format of strftime(), or the text
 * `otherwise` if wall_s is not a valid time. */
void words_date(struct text *text, int64_t wall_s, const char *format,
                const char *otherwise);
/* Adds wall_s in local time as "2026-11-29 12:00", or "?" if it is not a valid time. */
void words_moment(struct text *text, int64_t wall_s);
/* Adds "until 2026-11-29 12:00 KST" in the local time zone, or "forever" for 0. */
void words_until(struct text *text, int64_t wall_s);

/* Writes the name of a rank such as "4k" in the player's language; "" if `rank` is not
 * a rank. Returns out. */
enum { WORDS_RANK_BYTES = 24 };
const char *words_rank(char out[WORDS_RANK_BYTES], const char *rank);
/* Writes the rating that `line` reports: " 1512 4k", " 1512?" or "". `before` is the
 * beginning of the keys in `line`. If `line` is about one player, `before` is "". If
 * `line` is about both players, `before` is "red" or "blue". Returns `out`. */
enum { WORDS_RATING_BYTES = 40 };
const char *words_rating(char out[WORDS_RATING_BYTES], const struct proto_line *line,
                         const char *before);

/* Writes the time on a clock, such as "7:55" or "2 d 3 h". "0:40 +2x40s" means that two
 * overtime periods of 40 seconds follow the 0:40. In an untimed game, writes "-". */
void words_clock(char out[WORDS_CLOCK_BYTES], const struct model_game *game,
                 enum side side, int64_t now_ms);
/* Writes a time control: "10 min + 5 s", "20 min + 3 x 40 s", "3 days a move",
 * "untimed". */
void words_terms(char out[WORDS_TERMS_BYTES], const struct time_terms *terms);

/* Returns the translated name of a side that the server calls "red", "blue" or
 * "any". */
const char *words_side(const char *side);
/* Writes the unusual terms of the offer in `line`, such as ", private, no takebacks, no
 * talk". Returns `out`. */
enum { WORDS_MANNERS_BYTES = MANNER_WORDS_BYTES };
const char *words_manners(char out[WORDS_MANNERS_BYTES], const struct proto_line *line);
/* Adds a sentence for each term of the game that differs from the usual terms, with a
 * space before each sentence. */
void words_tell_manners(struct text *out, const struct game *game);

/* Writes a move with its pieces: "I2xI3 (rook takes rook)", "pass". */
enum { WORDS_MOVE_BYTES = 80 };
void words_move(char out[WORDS_MOVE_BYTES], const struct game_last *last);

/* Adds the line that begins a game: "Game 17: red kim, blue hong. 10 min + 5 s, rules:
 * martin. You play blue." */
void words_start(struct text *out, const struct model_game *game);

/* Adds the line about an event that the model has just applied: "-- 3. red B0-C2
 * (knight); your move". If the game is not the current one, the line names it.
 * has_board: the board is shown too, so a move needs no line, and the line does not say
 * whose turn it is. */
void words_event(struct text *out, const struct model *model, const struct facts *facts,
                 bool has_board);

/* Adds how the game ended: "Blue wins by resignation. You win!", "kim aborted the
 * game." */
void words_end(struct text *out, const struct facts *facts);

/* Returns a sentence about what a second pass would lead to; "" unless the last ply was
 * a first pass and the game is not over (RULES.md M10, K6, V4, J2). */
const char *words_after_pass(const struct game *game);

/* Adds whose turn it is in a game of ours and how much time is left for it: "your move,
 * 3:58", "you choose a set-up, 0:45", "blue's turn, 4:10". */
void words_standing(struct text *out, const struct model_game *game, int64_t now_ms);

/* words_is_yes() returns true if `answer` means yes, words_is_no() if it means no, in
 * English or Korean. Upper and lower case do not matter. */
bool words_is_yes(const char *answer);
bool words_is_no(const char *answer);

/* `line` describes a game or a seek. Returns the time control of the game, or the time
 * controls of the seek, such as "10m+5s". For a game without clocks, returns "none" in
 * the player's language. */
const char *words_time_terms(const struct proto_line *line);

/* Returns the value of `key` in `line`, or the text `otherwise` if it is missing. */
const char *words_value(const struct proto_line *line, const char *key,
                        const char *otherwise);

#endif
