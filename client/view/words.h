/* Events, notices, answers and lists as one line of words each, for the screen and for
 * --plain. Text only: writes into a buffer, prints nothing. */
#ifndef CLIENT_VIEW_WORDS_H
#define CLIENT_VIEW_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/view/facts.h"
#include "client/view/model.h"
#include "common/base/text.h"
#include "common/net/proto.h"

enum { WORDS_CLOCK_BYTES = 40, WORDS_TERMS_BYTES = 64 };
/* "7:55", "1:02:03", "2 d 3 h": a span, or what a clock shows. */
void words_time(struct text *out, int64_t ms);
/* "7:55", "2 d 3 h", "0:40 x3" in byoyomi, "-" in an untimed game. */
void words_clock(char out[WORDS_CLOCK_BYTES], const struct model_game *game,
                 enum side side, int64_t now_ms);
/* "10 min + 5 s", "20 min + 3 x 40 s", "3 days a move", "untimed". */
void words_terms(char out[WORDS_TERMS_BYTES], const struct time_terms *terms);

/* What a piece of side is called. */
const char *words_kind(enum kind kind, enum side side);
/* A side as the server names it: "red", "blue", "any". */
const char *words_side(const char *side);

/* What one player may ask of the other in a game, in all the words that we say of it. */
struct words_offer {
    const char *kind;
    const char *name;   /* "takeback", translated */
    const char *asks;   /* "kim" is said in front of it: "offers a draw" */
    const char *answer; /* what agrees to it: "draw", "accept" */
    const char *asked;  /* to the one who asks; %s is the other: "draw offered to %s" */
};
/* Of a kind of a later server, words that fit any. Not yet translated, except name. */
struct words_offer words_offer(const char *kind);
/* What is open to us: "kim offers a draw in game 17", "lee challenges you: 5m, martin".
 */
void words_open(struct text *out, const struct model_open *open);

/* "I2xI3 (rook takes rook)", "pass". */
enum { WORDS_MOVE_BYTES = 80 };
void words_move(char out[WORDS_MOVE_BYTES], const struct model_last *last);

/* An event that was just folded in, whole, in the form of --plain:
 * "game 17 move 10 red I2xI3 rook takes rook; blue to move; blue 7:55 red 8:12" */
void words_event(struct text *out, const struct facts *facts);

/* What the screen says about an event besides the board; often nothing. */
void words_event_aside(struct text *out, const struct facts *facts);

/* How game ended: "Blue wins by resignation. You win!", "kim aborted the game." */
void words_end(struct text *out, const struct facts *facts);

/* The last move in one line, where no board shows it: "-- 3. red B0-C2 (knight)". Says
 * who is in check, and when it is our turn. In front of the number stands, of a game
 * that is not the current one, which game it is. */
enum { WORDS_PLAYED_BYTES = 512 };
void words_played(struct text *out, const struct model *model,
                  const struct facts *facts);

/* The answer to a question, in either case, in English or Korean. */
bool words_is_yes(const char *answer);
bool words_is_no(const char *answer);

/* An ERR: "-- not played: the bishop on C0 blocks the knight's step". */
void words_refusal(struct text *out, const struct proto_line *line);

/* What line has for key, or otherwise. */
const char *words_value(const struct proto_line *line, const char *key,
                        const char *otherwise);

#endif
