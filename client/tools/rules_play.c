/* Implements "janggi rules play": prints the state of a game after its moves. It makes
 * and applies the same events as the server and the client, so that it counts
 * repetition, perpetual check and bikjang in the same way. See rules_answer.h. */
#include <stdio.h>

#include "client/tools/rules_answer.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/game/game.h"

static bool apply_news(struct game *game, const struct game_news *news)
{
    for (int i = 0; i < news->count; i++)
        if (!game_apply(game, &news->event[i], 0))
            return false;
    return true;
}

/* Starts an untimed game from `position`. If that position ends a game, the game is
 * over immediately. */
static bool begin(struct game *game, const struct ruleset *rules,
                  const struct position *position, char *why)
{
    struct game_news news;

    if (!game_begin_at(game, rules, position) ||
        (game_judge_due(game, &news) && !apply_news(game, &news)))
        return words_refuse(why, _("no game can begin from this position"));
    return true;
}

/* Returns the fault of the next move. After the end of the game, the fault says that
 * the game is over. */
static struct fault judge(const struct game *game, struct move move, enum kind kind,
                          struct game_news *news)
{
    enum side side = (enum side)game->position.side;
    struct fault fault = game_judge_move(game, side, move, 0, news);
    struct fault told;

    if (fault.code == FAULT_OVER)
        return fault;
    told = task_judge(game->rules, &game->position, move, kind);
    return told.code == FAULT_WRONG_PIECE ? told : fault;
}

static bool refuse_move(struct task *task, int number, const char *text,
                        struct fault fault)
{
    char words[TASK_FAULT_BYTES];

    task_format_fault(words, fault);
    return words_refuse(task->why, _("move %d %s: %s"), number, text, words);
}

static enum rules_status play_move(struct task *task, struct game *game, int number)
{
    char why[RULES_WHY_BYTES], text[MOVE_BYTES];
    struct game_news news;
    struct fault fault;
    struct move move;
    enum kind kind;

    if (!words_take_move(&task->words, &move, &kind, why)) {
        words_refuse(task->why, _("move %d: %.280s"), number, why);
        return RULES_BAD;
    }
    move_format(text, move);
    fault = judge(game, move, kind, &news);
    if (fault.code != FAULT_NONE) {
        refuse_move(task, number, text, fault);
        return RULES_ILLEGAL;
    }
    if (!apply_news(game, &news)) {
        words_refuse(task->why, _("move %d %s is not possible here"), number, text);
        return RULES_FAILED;
    }
    return RULES_OK;
}

static enum rules_status play(struct task *task, struct game *game)
{
    enum rules_status status = RULES_OK;

    for (int number = 1; words_peek(&task->words) != NULL && status == RULES_OK;
         number++)
        status = play_move(task, game, number);
    return status;
}

static void print_state(const struct game *game)
{
    char position[POSITION_BYTES], points[POINTS_BYTES];
    bool is_over = game->phase == GAME_OVER;

    position_format(position, &game->position);
    printf("status=%s result=%s reason=%s check=%s fen=\"%s\"",
           is_over ? "over" : "ongoing", is_over ? outcome_name(game->outcome) : "-",
           is_over ? reason_name(game->reason) : "-",
           check_name(rules_check(&game->position)), position);
    rules_points_format(points, game->rules, &game->position);
    if (ruleset_counts_points(game->rules))
        printf(" points=%s", points);
    putchar('\n');
}

enum rules_status rules_play_answer(struct task *task)
{
    enum rules_status status = RULES_BAD;
    struct position position;
    struct game game;

    if (!task_take_start(task, &position))
        return RULES_BAD;
    if (begin(&game, task_rules(task), &position, task->why))
        status = play(task, &game);
    if (status == RULES_OK)
        print_state(&game);
    game_clear(&game);
    return status;
}
