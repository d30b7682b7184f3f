/* Implements "janggi rules convert": converts moves, set-ups and positions between
 * notations. If a start is given, plays the moves from the start, so that the moving
 * pieces are known. Each of these moves must be legal in the ruleset given by --rules.
 * If --rules is not given, each move must be legal in at least one ruleset. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/formats/notation.h"
#include "client/tools/rules_answer.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/position.h"

/* --- What can be asked for --- */

struct format {
    bool is_position; /* the format is fen or position */
    bool is_fen;
    enum notation notation; /* the notation of moves, unless is_position is true */
};

static bool find_format(const char *option, const char *name, struct format *out,
                        char *why)
{
    char quote[WORDS_QUOTE_BYTES];

    *out = (struct format){.is_position = false};
    if (name == NULL)
        return words_refuse(why,
                            _("missing %s: martin, courier, uci, korean, fen or "
                              "position"),
                            option);
    out->is_fen = strcmp(name, "fen") == 0;
    out->is_position = out->is_fen || strcmp(name, "position") == 0;
    return out->is_position || notation_find(name, &out->notation) ||
           words_refuse(why,
                        _("invalid %s %s: must be martin, courier, uci, korean, fen or "
                          "position"),
                        option, words_quote(quote, name));
}

/* --- A line of moves --- */

struct conversion {
    struct task *task;
    struct format from, to;
    bool has_position;
    struct position position;
    int number; /* number of the current move, from 1 */
    struct text out;
};

static bool refuse_step(struct conversion *run, const char *word, const char *why)
{
    char quote[WORDS_QUOTE_BYTES];

    return words_refuse(run->task->why, _("move %d %s: %.200s"), run->number,
                        words_quote(quote, word), why);
}

/* Returns a ruleset in which the move is legal. If the user has given a ruleset, tries
 * only this ruleset. Otherwise tries the default ruleset first, and then all rulesets.
 * If the move is illegal in each of them, returns NULL and sets *fault to the fault in
 * the ruleset that was tried first. */
static const struct ruleset *legal_in(const struct conversion *run, struct move move,
                                      struct fault *fault)
{
    const struct ruleset *rules = task_rules(run->task);

    *fault = rules_judge(rules, &run->position, move);
    if (fault->code == FAULT_NONE)
        return rules;
    for (size_t i = 0; run->task->rules == NULL && ruleset_at(i) != NULL; i++)
        if (rules_judge(ruleset_at(i), &run->position, move).code == FAULT_NONE)
            return ruleset_at(i);
    return NULL;
}

static enum rules_status play(struct conversion *run, const char *word,
                              struct move move)
{
    char words[TASK_FAULT_BYTES];
    const struct ruleset *rules;
    struct fault fault;
    struct undo undo;

    if (!run->has_position)
        return RULES_OK;
    rules = legal_in(run, move, &fault);
    if (rules == NULL) {
        task_format_fault(words, fault);
        refuse_step(run, word, words);
        return RULES_ILLEGAL;
    }
    rules_make(rules, &run->position, move, &undo);
    return RULES_OK;
}

static void add_answer(struct conversion *run, const char *words)
{
    if (run->to.is_position || words[0] == '\0')
        return;
    text_addf(&run->out, "%s%s", run->out.len > 0 ? " " : "", words);
}

/* Joins the next `count` words, without the ";" that ends a command in Game Courier. */
enum { TEXT_STEP_BYTES = 64 };
static void take_words(struct conversion *run, int count, char out[TEXT_STEP_BYTES])
{
    struct words *words = &run->task->words;
    struct text text = text_into(out, TEXT_STEP_BYTES);

    for (int i = 0; i < count && words_peek(words) != NULL; i++)
        text_addf(&text, "%s%.48s", i > 0 ? " " : "", words_next(words));
    if (run->from.notation == NOTATION_COURIER && text.len > 0 &&
        out[text.len - 1] == ';')
        out[text.len - 1] = '\0';
}

/* Takes the fewest words that form a move: "B0-C2", "N b1-c3", "b0 c2". If the next
 * words form no move, takes one word. */
static void take_step(struct conversion *run, char out[TEXT_STEP_BYTES])
{
    enum { WORDS_MOST = 3 };
    int first = run->task->words.at;
    struct move move;

    for (int count = 1; count <= WORDS_MOST; count++) {
        run->task->words.at = first;
        take_words(run, count, out);
        if (notation_parse_move(run->from.notation, out, NULL, &move, NULL))
            return;
    }
    run->task->words.at = first;
    take_words(run, 1, out);
}

static enum rules_status convert_move(struct conversion *run, const char *word)
{
    char why[NOTATION_WHY_BYTES], out[NOTATION_BYTES] = "";
    const struct position *position = run->has_position ? &run->position : NULL;
    struct move move;

    if (!notation_parse_move(run->from.notation, word, position, &move, why) ||
        (!run->to.is_position &&
         !notation_format_move(out, run->to.notation, move, position, why))) {
        refuse_step(run, word, why);
        return RULES_BAD;
    }
    add_answer(run, out);
    return play(run, word, move);
}

/* --- Set-ups --- */

static const int wing_files[] = {1, 2, 6, 7}; /* files B C G H (RULES.md G6) */

/* Finds the line-up on the home row of `side`. Returns false if the pieces there form
 * no line-up. */
static bool lineup_of(const struct position *position, enum side side, enum lineup *out)
{
    char letters[ARRAY_LEN(wing_files) + 1] = "";

    for (size_t i = 0; i < ARRAY_LEN(wing_files); i++) {
        int point = point_at(wing_files[i], side_home_row(side));

        if (position_side(position, point) != side)
            return false;
        letters[i] = position_letter(position, point);
    }
    return lineup_parse(letters, out);
}

static void exchange(struct position *position, int a, int b)
{
    uint8_t on_a = position->at[a], on_b = position->at[b];

    position_take_off(position, a);
    position_take_off(position, b);
    position_put(position, a, on_b);
    position_put(position, b, on_a);
}

/* Swaps the knight and the bishop of `side` on each of the given wings. wings: bits of
 * enum wing. Does nothing if the position is not known. */
static void set_wings(struct conversion *run, enum side side, unsigned wings)
{
    int row = side_home_row(side);

    if (!run->has_position)
        return;
    if (wings & WING_LEFT)
        exchange(&run->position, point_at(1, row), point_at(2, row));
    if (wings & WING_RIGHT)
        exchange(&run->position, point_at(6, row), point_at(7, row));
}

static bool refuse_setup(struct conversion *run, const char *word, const char *why)
{
    refuse_step(run, word, why);
    return false;
}

/* Finds the line-up that the set-up changes. If the position is known, this is the
 * line-up on the board. Otherwise it is LINEUP_NBBN, the line-up of the start named
 * fig1. Returns false if the pieces on the board do not form a line-up. */
static bool lineup_before(struct conversion *run, enum side side, const char *word,
                          enum lineup *out)
{
    *out = LINEUP_NBBN;
    return !run->has_position || lineup_of(&run->position, side, out) ||
           refuse_setup(run, word,
                        _("a knight or bishop of that pair has moved already"));
}

/* Writes the set-up of `side`. wings: the wings on which the set-up swaps knight and
 * bishop. */
static bool write_setup(struct conversion *run, enum side side, const char *word,
                        unsigned wings)
{
    char swaps[NOTATION_SWAPS_BYTES];
    enum lineup before;

    if (!lineup_before(run, side, word, &before))
        return false;
    if (!run->to.is_position && run->to.notation != NOTATION_COURIER &&
        run->to.notation != NOTATION_MARTIN)
        return refuse_setup(run, word, _("this notation has no move for the set-up"));
    set_wings(run, side, wings);
    notation_format_swaps(swaps, side, (enum lineup)wings);
    add_answer(run, run->to.notation == NOTATION_COURIER
                        ? swaps
                        : lineup_name((enum lineup)(before ^ wings)));
    return true;
}

static bool is_swap(const struct conversion *run)
{
    return strcmp(words_peek(&run->task->words), "swap") == 0;
}

/* Converts the swap commands of one side from Game Courier's notation. Takes all
 * commands of this side that follow each other: at most one command for each wing. */
static bool convert_swaps(struct conversion *run)
{
    char text[TEXT_STEP_BYTES];
    unsigned wings = 0;
    enum side side = SIDE_NONE, side_now;
    enum wing wing;

    while (words_peek(&run->task->words) != NULL && is_swap(run)) {
        int first = run->task->words.at;

        take_words(run, 3, text);
        if (!notation_parse_swap(text, &side_now, &wing))
            return refuse_setup(run, text, _("not a swap like b1 c1 or g10 h10"));
        if (side != SIDE_NONE && side_now != side) {
            run->task->words.at = first;
            break;
        }
        if (wings & (unsigned)wing)
            return refuse_setup(run, text, _("this wing has already been swapped"));
        wings |= (unsigned)wing;
        side = side_now;
    }
    return write_setup(run, side, text, wings);
}

/* Converts the name of a line-up from Martin's notation. It is the line-up of the side
 * to move, or of Red if the position is not known. */
static bool convert_lineup(struct conversion *run, const char *word, enum lineup lineup)
{
    enum side side = run->has_position ? (enum side)run->position.side : SIDE_RED;
    enum lineup before;

    return lineup_before(run, side, word, &before) &&
           write_setup(run, side, word, (unsigned)(before ^ lineup));
}

/* --- The whole --- */

static enum rules_status convert_step(struct conversion *run)
{
    const char *word = words_peek(&run->task->words);
    char text[TEXT_STEP_BYTES];
    enum lineup lineup;

    if (run->from.notation == NOTATION_COURIER && is_swap(run))
        return convert_swaps(run) ? RULES_OK : RULES_BAD;
    if (run->from.notation == NOTATION_MARTIN && strlen(word) == 4 &&
        lineup_parse(word, &lineup)) {
        words_next(&run->task->words);
        return convert_lineup(run, word, lineup) ? RULES_OK : RULES_BAD;
    }
    take_step(run, text);
    return convert_move(run, text);
}

static enum rules_status convert_line(struct conversion *run)
{
    enum rules_status status = RULES_OK;
    char position[POSITION_BYTES];

    run->number = 1;
    while (status == RULES_OK && words_peek(&run->task->words) != NULL) {
        status = convert_step(run);
        run->number++;
    }
    if (status != RULES_OK || !run->to.is_position)
        return status;
    if (run->to.is_fen)
        notation_fen_format(position, &run->position);
    else
        position_format(position, &run->position);
    text_add(&run->out, position);
    return RULES_OK;
}

/* Checks the start under the given ruleset. If none is given, the start must be valid
 * under at least one ruleset. */
static bool start_is_ok(const struct conversion *run, struct position_fault *fault)
{
    if (rules_position_ok(task_rules(run->task), &run->position, fault))
        return true;
    for (size_t i = 0; run->task->rules == NULL && ruleset_at(i) != NULL; i++)
        if (rules_position_ok(ruleset_at(i), &run->position, NULL))
            return true;
    return false;
}

static bool take_start(struct conversion *run)
{
    struct task *task = run->task;
    struct position_fault fault;

    run->has_position = words_is_start(&task->words);
    if (!run->has_position)
        return !run->to.is_position ||
               words_refuse(task->why,
                            _("fen and position need a START in front of the moves"));
    return words_take_start(&task->words, task_rules(task), &run->position,
                            task->why) &&
           (start_is_ok(run, &fault) || words_refuse_position(task->why, &fault));
}

static enum rules_status convert_moves(struct conversion *run)
{
    /* Each word adds at most one move or one set-up, and a space. NOTATION_SWAPS_BYTES
     * is enough for either. */
    size_t size =
        POSITION_BYTES + (size_t)run->task->words.count * (NOTATION_SWAPS_BYTES + 1);
    char *answer = mem_resize(NULL, size, 1);
    enum rules_status status = RULES_BAD;

    run->out = text_into(answer, size);
    if (take_start(run))
        status = convert_line(run);
    if (status == RULES_OK)
        puts(answer);
    free(answer);
    return status;
}

static enum rules_status convert_position(struct conversion *run)
{
    char text[2 * POSITION_BYTES], reason[SENTENCE_BYTES];
    struct position_fault fault;
    struct task *task = run->task;

    if (!run->to.is_position) {
        words_refuse(task->why,
                     _("a position cannot become a move; use --to fen or position"));
        return RULES_BAD;
    }
    if (!words_take_rest(&task->words, text, sizeof text)) {
        words_refuse(task->why, _("the position is too long"));
        return RULES_BAD;
    }
    if (run->from.is_fen && !notation_fen_parse(text, &run->position, reason)) {
        words_refuse(task->why, "%s", reason);
        return RULES_BAD;
    }
    if (!run->from.is_fen && !position_parse(text, &run->position, &fault)) {
        words_refuse_position(task->why, &fault);
        return RULES_BAD;
    }
    if (run->to.is_fen)
        notation_fen_format(text, &run->position);
    else
        position_format(text, &run->position);
    puts(text);
    return RULES_OK;
}

enum rules_status rules_convert_answer(struct task *task)
{
    struct conversion run = {.task = task};

    if (!find_format("--from", task->from, &run.from, task->why) ||
        !find_format("--to", task->to, &run.to, task->why))
        return RULES_BAD;
    if (words_peek(&task->words) == NULL) {
        words_refuse(task->why, _("nothing to convert"));
        return RULES_BAD;
    }
    return run.from.is_position ? convert_position(&run) : convert_moves(&run);
}
