/* The analysis of a game by the engine, for the page in a browser. A worker fetches this part,
 * with a core of its own, when somebody wants an analysis. */
#ifndef CLIENT_WASM_WASM_ANALYSE_H
#define CLIENT_WASM_WASM_ANALYSE_H

struct page;
struct page_analysis;

/* Copies what it needs of the page's game. The caller frees the result. Returns NULL if
 * the set-up is not done or no move was made. */
struct page_analysis *page_analysis_new(struct page *page);
/* Accepts NULL. */
void page_analysis_free(struct page_analysis *analysis);
/* Looks at one position. 0: there is nothing left to look at. */
int page_analysis_step(struct page_analysis *analysis);
/* How much of the work is done, 0 to 100. */
int page_analysis_percent(const struct page_analysis *analysis);
/* Answers through page with Red's chances in percent after each ply, from 0 on, and with
 * what the marked moves lost:
 *
 *   50 52 31/?!/21/C2-E2 ...   the chance; the mark, what the mover lost, the best move
 *
 * The list ends before the first position that nobody has looked at. */
void page_analysis_graph(const struct page_analysis *analysis, struct page *page);

#endif
