/* Writes a game in the formats in which the page saves games. Also writes the rules in
 * words. This part does not belong to the core that each visitor fetches. The page
 * fetches this part when somebody saves a game or reads the rules. This part contains
 * its own copy of the rules core. */
#ifndef CLIENT_WASM_WASM_SAVE_H
#define CLIENT_WASM_WASM_SAVE_H

struct page;

/* Answers with an SVG picture of the position after `ply`. */
void page_svg(struct page *page, int ply, int is_flipped);
/* Answers with the game as GIB (is_gib) or PGN. Before the call the buffer must have
 * all applied events, each with an LF at its end. Returns 0 if the set-up is not
 * done. */
int page_export(struct page *page, int is_gib);
/* Answers with the rules of the ruleset named in the buffer (guide_rules()), one
 * paragraph on each line. Returns 0 if the ruleset is unknown. */
int page_guide(struct page *page);

#endif
