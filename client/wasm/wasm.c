/* See wasm.h. */
#include "client/wasm/wasm.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/game/game.h"
#include "common/net/proto.h"
#include "common/record/record_text.h"
#include "common/words/manner_words.h"
#include "common/words/message.h"
#include "common/words/sentence.h"

#ifdef __wasm__
/* Returns the page's translation of the text `key`, or NULL. The returned text stays
 * valid. */
__attribute__((import_module("page"), import_name("translate"))) const char *
page_translate(const char *key);
#endif

struct page {
    struct game game;
    struct position shown;
    char *buffer;
};

WASM_EXPORT(page_new) struct page *page_new(void)
{
    struct page *page = mem_new(sizeof *page);

#ifdef __wasm__
    translate_by(page_translate);
#endif
    game_init(&page->game);
    return page;
}

WASM_EXPORT(page_free) void page_free(struct page *page)
{
    if (page == NULL)
        return;
    game_clear(&page->game);
    free(page->buffer);
    free(page);
}

WASM_EXPORT(page_room) char *page_room(struct page *page, int size)
{
    free(page->buffer);
    page->buffer = mem_new((size_t)size);
    return page->buffer;
}

WASM_EXPORT(page_answer) const char *page_answer(const struct page *page)
{
    return page->buffer != NULL ? page->buffer : "";
}

void page_take_answer(struct page *page, char *text)
{
    free(page->buffer);
    page->buffer = text;
}

WASM_EXPORT(page_clear) void page_clear(struct page *page)
{
    game_clear(&page->game);
    game_init(&page->game);
}

WASM_EXPORT(page_apply) int page_apply(struct page *page)
{
    struct event event;

    switch (event_parse(page_answer(page), &event)) {
    case EVENT_UNKNOWN:
        return -1;
    case EVENT_OK:
        return game_apply(&page->game, &event, 0) ? 1 : 0;
    default:
        return 0;
    }
}

/* --- The position --- */

/* Sets page->shown to the position after `ply`; if `ply` is negative or too high, to
 * the current position. Returns the number of the ply that is shown. */
static int look_at(struct page *page, int ply)
{
    const struct game *game = &page->game;

    if (ply < 0 || ply > game->plies)
        ply = game->plies;
    page->shown = game->position;
    for (int i = game->plies - 1; i >= ply; i--)
        rules_unmake(&page->shown, game->ply[i].move, &game->ply[i].undo);
    return ply;
}

const struct position *page_position(struct page *page, int ply)
{
    look_at(page, ply);
    return &page->shown;
}

const struct game *page_game(const struct page *page)
{
    return &page->game;
}

static const char *phase_name(const struct game *game)
{
    static const char *const names[] = {[GAME_EMPTY] = "empty",
                                        [GAME_SETUP] = "setup",
                                        [GAME_PLAY] = "play",
                                        [GAME_OVER] = "over"};

    return game->is_adjourned && game->phase == GAME_PLAY ? "adjourned"
                                                          : names[game->phase];
}

static void add_board(struct record_text *out, const struct position *position)
{
    record_text_add(out, " board=");
    for (int point = 0; point < BOARD_POINTS; point++)
        record_text_addf(out, "%c", position_letter(position, point));
}

static void add_lineups(struct record_text *out, const struct game *game)
{
    for (int side = 0; side < SIDES; side++)
        if (game->has_lineup[side])
            record_text_addf(out, " %s_lineup=%s", side_name((enum side)side),
                             lineup_name(game->lineup[side]));
}

static void add_position(struct record_text *out, const struct page *page, int ply)
{
    const struct game *game = &page->game;
    char points[POINTS_BYTES], last[MOVE_BYTES] = "-";

    if (ply > 0)
        move_format(last, game->ply[ply - 1].move);
    rules_points_format(points, game->rules, &page->shown);
    record_text_addf(out, " side=%s check=%s last=%s points=%s",
                     side_name((enum side)page->shown.side),
                     check_name(rules_check(&page->shown)), last, points);
}

static void add_end(struct record_text *out, const struct game *game)
{
    char words[SENTENCE_BYTES];

    sentence_outcome(words, game->outcome, game->reason);
    record_text_addf(out, " outcome=%s reason=%s", outcome_name(game->outcome),
                     reason_name(game->reason));
    if (game->ended_by != SIDE_NONE)
        record_text_addf(out, " by=%s", side_name(game->ended_by));
    record_text_addf(out, " words=\"%s\"", words);
}

WASM_EXPORT(page_state) void page_state(struct page *page, int ply)
{
    const struct game *game = &page->game;
    struct record_text out = {.at = NULL};

    ply = look_at(page, ply);
    record_text_addf(&out, "phase=%s turn=%s ply=%d plies=%d", phase_name(game),
                     side_name(game_turn(game)), ply, game->plies);
    if (game->phase != GAME_EMPTY) {
        add_board(&out, &page->shown);
        add_lineups(&out, game);
    }
    if (game->phase == GAME_PLAY || game->phase == GAME_OVER)
        add_position(&out, page, ply);
    if (game->phase == GAME_OVER)
        add_end(&out, game);
    page_take_answer(page, record_text_take(&out));
}

static void add_ply(struct record_text *out, const struct game *game,
                    struct position *position, int i)
{
    const struct game_ply *ply = &game->ply[i];
    bool is_pass = move_is_pass(ply->move);
    char move[MOVE_BYTES];

    move_format(move, ply->move);
    record_text_addf(out, "%s/%c/%c/%d ", move,
                     is_pass ? '.' : position_letter(position, ply->move.from),
                     is_pass ? '.' : position_letter(position, ply->move.to),
                     ply->gave_check);
}

WASM_EXPORT(page_plies) void page_plies(struct page *page, int from)
{
    const struct game *game = &page->game;
    struct record_text out = {.at = NULL};
    struct undo undo;

    if (from >= 1 && from <= game->plies) {
        look_at(page, from - 1);
        for (int i = from - 1; i < game->plies; i++) {
            add_ply(&out, game, &page->shown, i);
            rules_make(game->rules, &page->shown, game->ply[i].move, &undo);
        }
    }
    page_take_answer(page, record_text_take(&out));
}

WASM_EXPORT(page_last) void page_last(struct page *page)
{
    char words[SENTENCE_BYTES] = "";
    struct game_last last;

    if (game_last(&page->game, &last))
        sentence_move(words, &last);
    page_take_answer(page, mem_copy_text(words));
}

WASM_EXPORT(page_manners) void page_manners(struct page *page)
{
    char words[MANNER_WORDS_BYTES];
    struct text text = text_into(words, sizeof words);

    if (page->buffer != NULL)
        manner_words_add_items(&text, page->buffer);
    page_take_answer(page, mem_copy_text(words));
}

static const char *value_of_line(const void *of, const char *key)
{
    const struct proto_line *line = of;

    return strcmp(key, "words") == 0 ? line->human : proto_line_value(line, key);
}

static bool add_shown(struct text *out, const void *of, const char *key)
{
    return message_add_term(out, key, value_of_line(of, key));
}

WASM_EXPORT(page_message) void page_message(struct page *page)
{
    char words[PROTO_LINE_MAX] = "";
    struct text text = text_into(words, sizeof words);
    struct proto_line line = {.words = 0};
    struct message_values values = {&line, value_of_line, add_shown};

    if (page->buffer != NULL)
        proto_parse_line(page->buffer, &line);
    if (line.words > 0)
        (void)!message_say(&text, line.word[0], line.human, &values);
    page_take_answer(page, mem_copy_text(words));
}

/* --- Moves --- */

WASM_EXPORT(page_moves) void page_moves(struct page *page)
{
    const struct game *game = &page->game;
    struct record_text out = {.at = NULL};
    struct move_list list = {.count = 0};
    char move[MOVE_BYTES];

    if (game->phase == GAME_PLAY && game_turn(game) != SIDE_NONE)
        rules_legal_moves(game->rules, &game->position, &list);
    for (int i = 0; i < list.count; i++) {
        move_format(move, list.move[i]);
        record_text_addf(&out, "%s%s", i > 0 ? "," : "", move);
    }
    if (list.count == 0)
        record_text_add(&out, "-");
    page_take_answer(page, record_text_take(&out));
}

static void answer_fault(struct page *page, struct fault fault)
{
    struct record_text out = {.at = NULL};
    char words[SENTENCE_BYTES], point[POINT_BYTES] = "-";

    sentence_fault(words, fault);
    if (fault.at != POINT_NONE)
        side_format_point(point, fault.at);
    record_text_addf(&out, "why=%s at=%s words=\"%s\"", fault_name(fault.code), point,
                     words);
    page_take_answer(page, record_text_take(&out));
}

/* Checks the letter in front of a move. For example, "nB0-C2" claims that a knight is
 * on B0. If another piece is there, returns false, and the page answers with the
 * refusal. */
static bool has_claimed_piece(struct page *page, struct move move, enum kind claimed)
{
    struct fault fault = rules_judge_claim(&page->game.position, move, claimed);

    if (fault.code != FAULT_NONE)
        answer_fault(page, fault);
    return fault.code == FAULT_NONE;
}

WASM_EXPORT(page_judge) int page_judge(struct page *page)
{
    const struct game *game = &page->game;
    struct game_news news;
    struct fault fault;
    struct move move;
    enum kind claimed;
    char words[MOVE_BYTES];

    if (!move_parse(page_answer(page), &move, &claimed))
        return -1;
    if (!has_claimed_piece(page, move, claimed))
        return 0;
    fault = game_judge_move(game, game_turn(game), move, 0, &news);
    if (fault.code != FAULT_NONE) {
        answer_fault(page, fault);
        return 0;
    }
    move_format(words, news.event[0].move);
    page_take_answer(page, mem_copy_text(words));
    return 1;
}
