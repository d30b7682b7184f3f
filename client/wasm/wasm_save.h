/* A game in the formats in which the page saves it, and the rules in words. This part is
 * not in the core that each visitor fetches: the page fetches it, with a core of its own,
 * when somebody saves a game or reads the rules. */
#ifndef CLIENT_WASM_WASM_SAVE_H
#define CLIENT_WASM_WASM_SAVE_H

struct page;

/* Answers with the picture of the position after ply. */
void page_svg(struct page *page, int ply, int is_flipped);
/* Answers with the game in GIB, or else in PGN. The buffer has all events that were
 * applied, each with LF at its end. 0: the set-up is not done. */
int page_export(struct page *page, int is_gib);
/* Answers with the rules of the ruleset whose name is in the buffer (guide_rules()), one
 * paragraph a line. 0: it is unknown. */
int page_guide(struct page *page);

#endif
