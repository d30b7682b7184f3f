/* The rules core for the page in a browser: one game as the fold of its events, and what
 * the page has to know of it, as text. Compiled to WebAssembly, and natively for a test
 * that compares both.
 *
 * All texts pass through one buffer. The caller asks for room, writes its text there and
 * calls; an answer is the text in the buffer after the call. Answers are items as in
 * PROTOCOL.md: key=value, with spaces in double quotes. */
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
/* Accepts NULL. */
void page_free(struct page *page);
/* A buffer of size bytes at least, which stays until the next call. */
char *page_room(struct page *page, int size);
/* The last answer, with a NUL. */
const char *page_answer(const struct page *page);

/* Forgets the game. */
void page_clear(struct page *page);
/* Folds the event in the buffer. 1: done; 0: the event does not fit the game; -1: its
 * kind is unknown, so it changes nothing, but it still counts as an event of the game. */
int page_apply(struct page *page);
/* Answers with the position after that ply; if ply is -1 or too high, with the present
 * one.
 *
 *   phase=play turn=red ply=12 plies=20
 *   board=RNB..., 90 letters from A0 to I9, "." for an empty point
 *   red_lineup=NBBN blue_lineup=NBNB: those that are chosen
 *   side=red check=piece last=B0-C2 points=72/73.5: of that position; side moves next
 *   outcome=red reason=checkmate by=blue words="Red wins by checkmate."
 */
void page_state(struct page *page, int ply);
/* Answers with the plies from that number on, from 1: B0-C2/N/./0 ... with the letter of
 * the piece, that of the piece taken, and 1 for check. */
void page_plies(struct page *page, int from);
/* Answers with the last move as a sentence: "Red knight B0 to C2."; empty before the
 * first move. */
void page_last(struct page *page);
/* Answers with the legal moves of the side to move: "B0-C2,pass"; "-": none. */
void page_moves(struct page *page);
/* Judges the move in the buffer for the side to move. 1: legal, and the answer is the
 * move as the server wants it; 0: refused, and the answer is why=leg-blocked at=C9
 * words="the bishop on C9 ..."; -1: not a move. A letter in front, as in nB0-C2, must
 * name the piece on that point. */
int page_judge(struct page *page);
/* Answers with the manners in the buffer as words: "rules=kja private=yes rated=yes" as
 * ", private, rated". Changes the buffer. */
void page_manners(struct page *page);

/* --- For wasm_save.c --- */

/* The position after ply, as page_state() takes it; good until the next call. */
const struct position *page_position(struct page *page, int ply);
const struct game *page_game(const struct page *page);
/* Makes text the answer, and owns it. */
void page_take_answer(struct page *page, char *text);

#endif
