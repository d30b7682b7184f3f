/* See wasm_analyse.h. */
#include "client/wasm/wasm_analyse.h"

#include <stdlib.h>

#include "client/analyse/analysis.h"
#include "client/engine/computer.h"
#include "client/engine/search.h"
#include "client/wasm/wasm.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/game/game.h"
#include "common/game/move.h"

enum { TABLE_MB = COMPUTER_TABLE_MB, WORD_BYTES = 32 };

struct page_analysis {
    struct analysis analysis;
    struct search *search;
};

WASM_EXPORT(page_analysis_new)
struct page_analysis *page_analysis_new(struct page *page)
{
    const struct game *game = page_game(page);
    struct page_analysis *out;

    if (game->phase < GAME_PLAY || game->plies == 0)
        return NULL;
    out = mem_new(sizeof *out);
    analysis_init(&out->analysis, game, 0);
    out->search = search_new(TABLE_MB);
    return out;
}

WASM_EXPORT(page_analysis_free)
void page_analysis_free(struct page_analysis *analysis)
{
    if (analysis == NULL)
        return;
    search_free(analysis->search);
    analysis_clear(&analysis->analysis);
    free(analysis);
}

WASM_EXPORT(page_analysis_step) int page_analysis_step(struct page_analysis *analysis)
{
    struct search_report report;
    struct search_task task;
    int place = analysis_next(&analysis->analysis, &task);

    if (place < 0)
        return 0;
    search_run(analysis->search, &task, NULL, NULL, &report);
    analysis_take(&analysis->analysis, place, &report, task.limits.nodes);
    return 1;
}

WASM_EXPORT(page_analysis_percent)
int page_analysis_percent(const struct page_analysis *analysis)
{
    const struct analysis *of = &analysis->analysis;

    return analysis_done(of) * 100 / (of->plies + 1);
}

static void add_percent(struct text *text, double chance)
{
    text_add_int(text, (int64_t)(chance * 100 + 0.5));
}

/* Adds what a marked move has lost, as "/?!/21/C2-E2": the mark, the lost winning
 * chance in percentage points, and the best move. */
static void add_loss(struct text *text, const struct analysis_move *move)
{
    char best[MOVE_BYTES];

    text_add(text, "/");
    text_add(text, analysis_mark_text(move->mark));
    text_add(text, "/");
    add_percent(text, move->lost);
    text_add(text, "/");
    if (!move->has_better)
        return;
    move_format(best, move->line[0]);
    text_add(text, best);
}

WASM_EXPORT(page_analysis_graph)
void page_analysis_graph(const struct page_analysis *analysis, struct page *page)
{
    const struct analysis *of = &analysis->analysis;
    size_t size = (size_t)(of->plies + 1) * WORD_BYTES;
    char *words = mem_new(size);
    struct text text = text_into(words, size);
    struct analysis_move move;

    for (int ply = 0; ply <= of->plies && of->place[ply].nodes != 0; ply++) {
        text_add(&text, ply == 0 ? "" : " ");
        add_percent(&text, of->place[ply].chance);
        if (ply > 0 && analysis_judge(of, ply, &move) && move.mark != ANALYSIS_UNMARKED)
            add_loss(&text, &move);
    }
    page_take_answer(page, words);
}
