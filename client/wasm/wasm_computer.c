/* See wasm_computer.h. */
#include "client/wasm/wasm_computer.h"

#include <string.h>

#include "client/engine/computer.h"
#include "client/engine/search.h"
#include "client/wasm/wasm.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/game/game.h"
#include "common/game/move.h"
#include "common/record/record_text.h"

#ifdef __wasm__
/* Milliseconds of a clock that only goes forward. */
__attribute__((import_module("page"), import_name("now_ms"))) double page_now_ms(void);
#else
static double page_now_ms(void)
{
    return (double)mono_now_ms();
}
#endif

WASM_EXPORT(page_search_new) struct search *page_search_new(void)
{
    return search_new(COMPUTER_TABLE_MB);
}

static int answer_news(struct page *page, struct fault fault,
                       const struct game_news *news)
{
    struct record_text out = {.at = NULL};
    int count = fault.code == FAULT_NONE ? news->count : 0;
    char text[EVENT_BYTES];

    for (int i = 0; i < count; i++) {
        event_format(text, &news->event[i]);
        record_text_addf(&out, "%s\n", text);
    }
    page_take_answer(page, count > 0 ? record_text_take(&out) : mem_copy_text(""));
    return count > 0;
}

WASM_EXPORT(page_play) int page_play(struct page *page)
{
    const struct game *game = page_game(page);
    const char *verb = page_answer(page), *rest = strchr(verb, ' ');
    struct game_news news = {.count = 0};
    struct fault fault = {.code = FAULT_NONE};
    enum lineup lineup;
    struct move move;
    enum kind claimed;
    int plies;

    if (rest == NULL)
        return answer_news(page, fault, &news);
    rest++;
    if (verb[0] == 's' && game->phase == GAME_SETUP && lineup_parse(rest, &lineup))
        fault = game_judge_setup(game, game_turn(game), lineup, &news);
    else if (verb[0] == 'm' && game->phase == GAME_PLAY &&
             move_parse(rest, &move, &claimed))
        fault = game_judge_move(game, game_turn(game), move, 0, &news);
    else if (verb[0] == 'r' && side_parse(rest) != SIDE_NONE)
        fault = game_judge_resign(game, side_parse(rest), &news);
    else if (verb[0] == 't' && text_to_int32(rest, 0, game->plies - 1, &plies))
        fault = game_judge_takeback(game, plies, &news);
    return answer_news(page, fault, &news);
}

static int64_t spent_ms(void *arg)
{
    return (int64_t)(page_now_ms() - *(const double *)arg);
}

WASM_EXPORT(page_play_engine)
int page_play_engine(struct page *page, struct search *search, int level, int seed)
{
    const struct game *game = page_game(page);
    struct game_news news = {.count = 0};
    struct fault fault = {.code = FAULT_NONE};
    double began_ms = page_now_ms();
    struct search_report report;
    struct search_task task;

    if (game->phase != GAME_PLAY || level < 1 || level > SEARCH_LEVEL_MAX)
        return answer_news(page, fault, &news);
    computer_take_game(&task, game, level, (uint64_t)seed, 0);
    task.limits.spent_ms = spent_ms;
    task.limits.arg = &began_ms;
    search_run(search, &task, NULL, NULL, &report);
    if (report.has_move)
        fault = game_judge_move(game, game_turn(game), report.move, 0, &news);
    return answer_news(page, fault, &news);
}
