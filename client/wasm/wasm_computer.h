/* A game against the computer without a server, for the worker of the page: judges what
 * the person does and thinks for the computer. Nothing is applied here: each answer is
 * the events that follow, one a line, which the caller gives to every core that has the
 * game. */
#ifndef CLIENT_WASM_WASM_COMPUTER_H
#define CLIENT_WASM_WASM_COMPUTER_H

struct page;
struct search;

/* The caller owns the search, which keeps what it found from move to move. */
struct search *page_search_new(void);

/* Each returns 1, or 0 if the act is not possible now; then the answer is empty. */

/* Does what the buffer says: for the side to move "setup NBNB" or "move B0-C2"; "resign red";
 * "takeback 4": so many plies remain. */
int page_play(struct page *page);
/* The engine's move for the side to move. level: 1 to 10. Takes two or three seconds, less
 * on the lower levels. */
int page_play_engine(struct page *page, struct search *search, int level, int seed);

#endif
