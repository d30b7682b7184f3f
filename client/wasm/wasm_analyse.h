/* The analysis of a game by the engine, for the page in a browser. When somebody wants
 * an analysis, a worker of the page fetches this part, which contains its own copy of
 * the rules core. */
#ifndef CLIENT_WASM_WASM_ANALYSE_H
#define CLIENT_WASM_WASM_ANALYSE_H

struct page;
struct page_analysis;

/* Starts an analysis of the page's game. The page may change or be freed after that.
 * The caller frees the analysis with page_analysis_free(). Returns NULL if the set-up
 * is not done or no move was made. */
struct page_analysis *page_analysis_new(struct page *page);
/* Frees the analysis. Accepts NULL. */
void page_analysis_free(struct page_analysis *analysis);
/* Analyses the next position and returns 1. Returns 0 if no position is left. */
int page_analysis_step(struct page_analysis *analysis);
/* Returns how much of the work is done, in percent. */
int page_analysis_percent(const struct page_analysis *analysis);
/* Answers with a list in the buffer of `page`. The list has one entry for each ply,
 * beginning with ply 0. An entry is Red's winning chance in percent after the ply. If
 * the move has a mark, the entry also has the mark, the percentage points that the
 * mover lost, and the best move:
 *
 *   50 52 31/?!/21/C2-E2 ...
 *
 * The list ends before the first position that was not analysed. */
void page_analysis_graph(const struct page_analysis *analysis, struct page *page);

#endif
