/* A game in the formats in which the page saves it. This part is not in the core that each
 * visitor fetches: the page fetches it, with a core of its own, when somebody saves. */
#ifndef CLIENT_WASM_WASM_SAVE_H
#define CLIENT_WASM_WASM_SAVE_H

struct page;

/* Answers with the picture of the position after ply. */
void page_svg(struct page *page, int ply, int is_flipped);
/* Answers with the game in GIB, or else in PGN. The buffer has all events that were
 * applied, each with LF at its end. 0: the set-up is not done. */
int page_export(struct page *page, int is_gib);

#endif
