/* The rules core for the page in a browser. Computes the state of one game from its
 * events, and answers the page's questions about the game as text. Compiled to
 * WebAssembly. The normal build compiles this code natively, too.
 *
 * All texts pass through one buffer. The caller calls page_room() to get the buffer,
 * writes its text to the buffer, and calls a function. After the call, the buffer
 * contains the answer of the function. Some answers are items as in PROTOCOL.md:
 * key=value. If a value contains spaces, it is in double quotes. The form of the other
 * answers is described at each function. */
#ifndef CLIENT_WASM_WASM_H
#define CLIENT_WASM_WASM_H

struct game;
struct page;
struct position;

#ifdef __wasm__
#define WASM_EXPORT(name) __attribute__((export_name(#name)))
#else
#define WASM_EXPORT(name)
#endif

struct page *page_new(void);
/* Frees the page. Accepts NULL. */
void page_free(struct page *page);
/* Returns a buffer of at least `size` bytes, which is valid until the next call. */
char *page_room(struct page *page, int size);
/* Returns the last answer, which ends with a NUL. It is valid until the next answer or
 * page_room(). */
const char *page_answer(const struct page *page);

/* Starts again with an empty game. */
void page_clear(struct page *page);
/* Applies the event in the buffer to the game. Returns 1: done; 0: the event does not
 * fit the game; -1: its kind is unknown, so the game is unchanged, but the event still
 * counts as one of the game's events. */
int page_apply(struct page *page);
/* Answers with the position after `ply`. If `ply` is -1 or too high, answers with the
 * current position.
 *
 *   phase=play turn=red ply=12 plies=20
 *   board=RNB..., 90 letters from A0 to I9, "." for an empty point
 *   red_lineup=NBBN blue_lineup=NBNB: each line-up, after it was chosen
 *   side=red check=piece last=B0-C2 points=72/73.5: about the position after
 *     `ply`; `side` is the side to move in this position
 *   outcome=red reason=checkmate by=blue words="Red wins by checkmate." */
void page_state(struct page *page, int ply);
/* Answers with the plies from number `from` (1 or higher) to the last, as "B0-C2/N/./0
 * ...": the move, the letter of its piece, the letter of the captured piece or ".", and
 * 1 if the move gives check. */
void page_plies(struct page *page, int from);
/* Answers with the last move as a sentence: "Red knight B0 to C2."; empty before the
 * first move. */
void page_last(struct page *page);
/* Answers with the legal moves of the side to move: "B0-C2,pass"; "-": none. */
void page_moves(struct page *page);
/* Judges the move in the buffer for the side to move. Returns 1: legal, and the answer
 * is the move as the server wants it; 0: refused, and the answer is why=leg-blocked
 * at=C9 words="the bishop on C9 ..."; -1: not a move. If a letter precedes the move, as
 * in nB0-C2, a piece of that kind must stand on the move's first point. */
int page_judge(struct page *page);
/* Reads the terms of a game from the buffer, such as "rules=kja private=yes rated=yes".
 * Answers with the unusual terms in words: ", private, rated". */
void page_manners(struct page *page);

/* Reads a line of the server from the buffer: a refusal, or a notice. Answers with its
 * sentence in the reader's language; empty: show the words of the server. */
void page_message(struct page *page);

/* --- For wasm_save.c --- */

/* Returns the position after `ply` (as in page_state()), which is valid until the next
 * call. */
const struct position *page_position(struct page *page, int ply);
const struct game *page_game(const struct page *page);
/* Makes `text` the answer and takes ownership of it. */
void page_take_answer(struct page *page, char *text);

#endif
