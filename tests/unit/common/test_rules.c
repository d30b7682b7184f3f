/* Tests of the rules core: compares it with the results of another engine, and with
 * itself in random games. */
#include "tests/unit/client/jsonl.h"

#include <string.h>

#include "common/game/position.h"
#include "common/game/rules.h"
#include "common/words/sentence.h"
#include "tests/unit/random_play.h"
#include "tests/unit/read_position.h"

static struct position position_of(const char *text)
{
    struct position position;
    char why[SENTENCE_BYTES];

    assert_so(read_position(text, &position, why), "%s: %s", text, why);
    return position;
}

static struct move move_of(const char *text)
{
    struct move move;

    assert_so(move_parse(text, &move, NULL), "no move: %s", text);
    return move;
}

/* --- Facts --- */

static void check_legal(const json_t *row, const char *key, const char *rules)
{
    const json_t *moves = json_object_get(row, key), *word;
    struct position position = position_of(jsonl_text(row, "fen"));
    struct move_list list;
    size_t i;

    rules_legal_moves(ruleset_find(rules), &position, &list);
    json_array_foreach(moves, i,
                       word) if (!list_has(&list, move_of(json_string_value(word))))
        fail_msg("%s %s: %s is legal", rules, jsonl_text(row, "fen"),
                 json_string_value(word));
    if ((size_t)list.count != json_array_size(moves))
        fail_msg("%s %s: %d legal moves, not %zu", rules, jsonl_text(row, "fen"),
                 list.count, json_array_size(moves));
}

static void check_position(const json_t *row)
{
    const char *text = jsonl_text(row, "fen");
    struct position position = position_of(text);
    bool by_piece = json_is_true(json_object_get(row, "check"));
    bool by_king = json_is_true(json_object_get(row, "bare"));
    char again[POSITION_BYTES];

    position_format(again, &position);
    assert_string_equal(again, text);
    assert_int_equal(rules_check(&position),
                     (int)by_piece * CHECK_PIECE + (int)by_king * CHECK_KINGS);
    assert_true(rules_position_ok(ruleset_find("kja"), &position, NULL));
    check_legal(row, "kja", "kja");
    check_legal(row, "vchess", "vchess");
    check_legal(row, "vchess", "courier");
}

UNIT_TEST(positions_of_another_engine_have_its_legal_moves)
{
    assert_int_equal(jsonl_each("tests/data/positions.jsonl", check_position), 2361);
}

static void check_counts(const char *rules, const char *text, const json_t *counts)
{
    struct position position = position_of(text), before = position;
    size_t i;
    json_t *count;

    json_array_foreach(counts, i, count)
    {
        uint64_t found = rules_perft(ruleset_find(rules), &position, (int)i + 1, false);

        assert_so(found == (uint64_t)json_integer_value(count),
                  "%s %s: %llu lines of %zu plies, not %lld", rules, text,
                  (unsigned long long)found, i + 1,
                  (long long)json_integer_value(count));
    }
    assert_memory_equal(&position, &before, sizeof before);
}

static void check_perft(const json_t *row)
{
    check_counts(jsonl_text(row, "ruleset"), jsonl_text(row, "fen"),
                 json_object_get(row, "perft"));
}

static void check_perft_kja(const json_t *row)
{
    check_counts("kja", jsonl_text(row, "fen"), json_object_get(row, "perft_kja"));
}

UNIT_TEST(lines_of_play_are_as_many_as_counted_elsewhere)
{
    assert_int_equal(jsonl_each("tests/data/perft.jsonl", check_perft), 26);
    jsonl_each("tests/data/positions.jsonl", check_perft_kja);
}

UNIT_TEST(no_cannon_moves_first)
{
    for (int i = 0; i < LINEUPS * LINEUPS; i++) {
        struct position position;
        struct move_list list;

        position_set_up(&position, (enum lineup)(i % LINEUPS),
                        (enum lineup)(i / LINEUPS), SIDE_RED);
        rules_legal_moves(ruleset_at(0), &position, &list);
        assert_int_equal(list.count, 31);
        for (int k = 0; k < list.count; k++)
            assert_int_not_equal(position_kind(&position, list.move[k].from),
                                 KIND_CANNON);
    }
}

/* --- Positions that cannot be --- */

UNIT_TEST(impossible_positions_are_refused_with_a_reason)
{
    static const struct {
        const char *rules, *text, *why;
    } cases[] = {
        {"martin", "4k4/9/9/9/9/9/9/4r4/9/4K4 b - 0 0 1",
         "Red is in check by the rook on E2, but it is the other side's turn"},
        {"martin", "4k4/9/9/9/9/9/9/9/9/4K4 r - 0 0 1",
         "the kings are bare, so the forfeits must include Blue"},
        {"martin", "4k4/9/9/9/9/9/9/9/9/4K4 r r 0 0 1",
         "the kings are bare, so the forfeits must include Blue"},
        {"martin", "4k4/9/9/9/9/9/9/9/9/4K4 r b 0 0 1", NULL},
        {"martin", "4k4/9/9/9/9/9/9/9/9/3K5 r rb 0 0 1", NULL},
        {"courier", "4k4/9/9/9/9/9/9/9/9/4K4 r - 0 0 1", NULL},
        {"courier", "4k4/9/9/9/9/9/9/9/9/4K4 r b 0 0 1",
         "there are no forfeits in the ruleset courier; write -"},
        {"kja", "4k4/9/9/9/9/9/9/9/9/4K4 b r 0 0 1",
         "there are no forfeits in the ruleset kja; write -"},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct position position = position_of(cases[i].text);
        char why[SENTENCE_BYTES] = "";
        bool is_ok = position_is_ok(ruleset_find(cases[i].rules), &position, why);

        assert_int_equal(is_ok, cases[i].why == NULL);
        assert_string_equal(why, is_ok ? "" : cases[i].why);
        assert_int_equal(
            rules_position_ok(ruleset_find(cases[i].rules), &position, NULL), is_ok);
    }
}

/* --- Properties over random play --- */

static const char *words_of(const struct position *position)
{
    static char text[POSITION_BYTES];

    position_format(text, position);
    return text;
}

/* Returns a changed copy of the position. If is_mirror is true, the files are mirrored.
 * Otherwise the board is turned by 180 degrees and the colours are swapped. */
static struct position turned(const struct position *position, bool is_mirror)
{
    struct position out = *position;

    memset(out.of_side, 0, sizeof out.of_side);
    memset(out.of_kind, 0, sizeof out.of_kind);
    memset(out.at, 0, sizeof out.at);
    for (int point = 0; point < BOARD_POINTS; point++) {
        int to = is_mirror ? point_at(8 - point_file(point), point_row(point))
                           : BOARD_POINTS - 1 - point;
        uint8_t code = position->at[point];

        if (code != 0)
            position_put(&out, to, is_mirror ? code : code ^ piece_code(0, SIDE_BLUE));
    }
    if (!is_mirror) {
        out.side = (uint8_t)side_other((enum side)position->side);
        out.forfeits =
            (uint8_t)(position->forfeits >> 1 | (position->forfeits & 1) << 1);
    }
    out.key = position_key(&out);
    return out;
}

static struct move turned_move(struct move move, bool is_mirror)
{
    if (move_is_pass(move))
        return move;
    if (!is_mirror)
        return (struct move){(int8_t)(89 - move.from), (int8_t)(89 - move.to)};
    return (struct move){
        (int8_t)point_at(8 - point_file(move.from), point_row(move.from)),
        (int8_t)point_at(8 - point_file(move.to), point_row(move.to))};
}

static void check_turned(const struct ruleset *rules, const struct position *position,
                         const struct move_list *list, bool is_mirror)
{
    struct position other = turned(position, is_mirror);
    struct move_list others;

    rules_legal_moves(rules, &other, &others);
    assert_int_equal(others.count, list->count);
    for (int i = 0; i < list->count; i++)
        if (!list_has(&others, turned_move(list->move[i], is_mirror)))
            fail_msg("%s: not the same when turned", words_of(position));
    assert_int_equal(rules_check(&other), rules_check(position));
}

/* Checks that rules_judge() accepts exactly the moves of list. */
static void check_judge(const struct ruleset *rules, const struct position *position,
                        const struct move_list *list)
{
    int found = rules_judge(rules, position, move_pass()).code == FAULT_NONE;

    assert_int_equal(found, list_has(list, move_pass()));
    for (int from = 0; from < BOARD_POINTS; from++)
        for (int to = 0; to < BOARD_POINTS; to++) {
            struct move move = {(int8_t)from, (int8_t)to};
            struct fault fault = rules_judge(rules, position, move);

            if (fault.code == FAULT_NONE && !list_has(list, move))
                fail_msg("%s: %d-%d is not legal", words_of(position), from, to);
            found += fault.code == FAULT_NONE;
        }
    if (found != list->count)
        fail_msg("%s: %d moves, judged %d", words_of(position), list->count, found);
}

static void check_text(const struct position *position)
{
    char text[POSITION_BYTES], why[SENTENCE_BYTES];
    struct position again;

    position_format(text, position);
    assert_so(read_position(text, &again, why), "%s: %s", text, why);
    assert_memory_equal(&again, position, sizeof again);
}

static void check_make(const struct ruleset *rules, const struct position *position,
                       struct move move)
{
    struct position after = *position;
    struct undo undo;

    rules_make(rules, &after, move, &undo);
    assert_so(after.key == position_key(&after), "%s: key", words_of(&after));
    for (int side = 0; side < SIDES; side++)
        assert_int_equal(position_kind(&after, after.king[side]), KIND_KING);
    /* If the kings are bare, the side to move may pass even in check. This pass ends
     * the game, so the position after the pass need not be valid (J3, J5). */
    assert_so(rules_position_ok(rules, &after, NULL) || move_is_pass(move),
              "%s: not a position after %d-%d", words_of(position), move.from, move.to);
    check_text(&after);
    rules_unmake(&after, move, &undo);
    assert_memory_equal(&after, position, sizeof after);
}

/* The piece on the point `from` belongs to the side that is not to move. Returns true
 * if this piece could move to the point `to` if its side were to move. Does not test
 * whether this move would leave its king in check. */
static bool is_aimed(const struct position *position, int from, int to)
{
    struct position other = *position;
    enum fault_code code;

    other.side = (uint8_t)side_other((enum side)position->side);
    code = rules_judge(ruleset_find("courier"), &other,
                       (struct move){(int8_t)from, (int8_t)to})
               .code;
    return code == FAULT_NONE || code == FAULT_IN_CHECK;
}

/* `move` is legal in courier. Returns true if the move is also legal under `rules`, by
 * M3, M7 and J4 of RULES.md. */
static bool is_allowed_by_text(const char *rules, const struct position *position,
                               struct move move)
{
    struct position after = *position;
    struct undo undo;
    bool was_bare = rules_kings_are_bare(position), is_bare;

    rules_make(ruleset_find("courier"), &after, move, &undo);
    is_bare = rules_kings_are_bare(&after);
    if (strcmp(rules, "courier") == 0 || strcmp(rules, "vchess") == 0)
        return true;
    if (was_bare && is_bare)
        return false;
    return strcmp(rules, "kja") == 0 ||
           !(is_bare && position_kind(position, move.from) == KIND_KING &&
             position_side(position, move.to) != SIDE_NONE &&
             is_aimed(position, move.to, move.from));
}

/* True if a pass is legal by M9, K2, V2 and J3 of RULES.md. */
static bool is_pass_by_text(const char *rules, enum check check, bool has_move)
{
    bool is_piece = check == CHECK_PIECE || check == CHECK_BOTH;

    if (strcmp(rules, "martin") == 0)
        return check == CHECK_NONE && !has_move;
    if (strcmp(rules, "kja") == 0)
        return !is_piece || check == CHECK_BOTH;
    return !is_piece;
}

/* Checks `list` against the moves of courier. Another engine has confirmed the moves of
 * courier. The other rulesets only add a few rules to courier. is_allowed_by_text() and
 * is_pass_by_text() apply these rules. */
static void check_overlay(const struct ruleset *rules, const struct position *position,
                          const struct move_list *list)
{
    const char *name = ruleset_name(rules);
    struct move_list plain;
    int count = 0;

    rules_legal_moves(ruleset_find("courier"), position, &plain);
    for (int i = 0; i < plain.count; i++) {
        struct move move = plain.move[i];
        bool is_allowed =
            !move_is_pass(move) && is_allowed_by_text(name, position, move);

        if (!move_is_pass(move) && is_allowed != list_has(list, move))
            fail_msg("%s %s: %d-%d", name, words_of(position), move.from, move.to);
        count += is_allowed;
    }
    assert_so(is_pass_by_text(name, rules_check(position), count > 0) ==
                  list_has(list, move_pass()),
              "%s %s: pass", name, words_of(position));
    assert_int_equal(list->count, count + (int)list_has(list, move_pass()));
}

static void check_all(const struct ruleset *rules, struct position *position,
                      const struct move_list *list)
{
    check_overlay(rules, position, list);
    for (int i = 0; i < list->count; i++)
        check_make(rules, position, list->move[i]);
    check_turned(rules, position, list, true);
    check_turned(rules, position, list, false);
    check_judge(rules, position, list);
}

/* Plays one game to its end; returns the number of plies. */
static int play(const struct ruleset *rules, struct position *position, bool is_checked)
{
    struct history_view history = {false, 1, SIDE_NONE};
    enum outcome outcome;
    struct move_list list;
    int plies = 0;

    while (rules_ending(rules, position, &history, &outcome) == REASON_NONE) {
        struct undo undo;

        rules_legal_moves(rules, position, &list);
        assert_true(list.count > 0);
        if (is_checked && plies % 8 == 0)
            check_all(rules, position, &list);
        history.was_bare = rules_kings_are_bare(position);
        rules_make(rules, position, list.move[random_below((unsigned)list.count)],
                   &undo);
        plies++;
    }
    return plies;
}

UNIT_TEST(random_play_keeps_every_property)
{
    struct position position;

    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        for (int game = 0; game < 120; game++) {
            random_start(ruleset_at(i), &position);
            play(ruleset_at(i), &position, true);
        }
}

UNIT_TEST(every_game_ends_in_time)
{
    struct position position;

    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        for (int game = 0; game < 200; game++) {
            random_start(ruleset_at(i), &position);
            assert_true(play(ruleset_at(i), &position, false) <= 31 * 100);
        }
}

/* --- Endings and points --- */

UNIT_TEST(a_loss_gives_a_forfeited_side_a_draw_only)
{
    struct position position = position_of("3k5/9/9/9/4p4/9/9/9/9/4K4 r b 0 0 1");

    assert_int_equal(rules_outcome_of_loss(ruleset_at(0), &position, SIDE_RED),
                     OUTCOME_DRAW);
    assert_int_equal(rules_outcome_of_loss(ruleset_at(0), &position, SIDE_BLUE),
                     OUTCOME_RED);
    position.forfeits = 0;
    assert_int_equal(rules_outcome_of_loss(ruleset_at(0), &position, SIDE_RED),
                     OUTCOME_BLUE);
}

UNIT_TEST(pieces_have_their_points)
{
    char words[POINTS_BYTES];
    struct position position;

    position_set_up(&position, LINEUP_NBBN, LINEUP_BNNB, SIDE_BLUE);
    assert_int_equal(rules_points_halves(ruleset_find("kja"), &position, SIDE_RED),
                     147);
    assert_int_equal(rules_points_halves(ruleset_find("kja"), &position, SIDE_BLUE),
                     144);
    assert_int_equal(rules_points_halves(ruleset_find("martin"), &position, SIDE_RED),
                     144);
    rules_points_format(words, ruleset_find("kja"), &position);
    assert_string_equal(words, "73.5/72");
}

UNIT_TEST(the_table_names_four_rulesets)
{
    static const struct {
        const char *name;
        enum side first;
        bool counts;
    } wanted[] = {{"martin", SIDE_RED, false},
                  {"courier", SIDE_RED, false},
                  {"vchess", SIDE_RED, false},
                  {"kja", SIDE_BLUE, true}};

    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        const struct ruleset *rules = ruleset_find(wanted[i].name);

        assert_ptr_equal(rules, ruleset_at(i));
        assert_string_equal(ruleset_name(rules), wanted[i].name);
        assert_int_equal(ruleset_first_mover(rules), wanted[i].first);
        assert_int_equal(ruleset_counts_points(rules), wanted[i].counts);
        assert_null(strchr(sentence_ruleset(rules), '\n'));
    }
    assert_null(ruleset_at(ARRAY_LEN(wanted)));
    assert_null(ruleset_find("go"));
}

UNIT_TEST(check_has_its_names)
{
    assert_string_equal(check_name(CHECK_NONE), "none");
    assert_string_equal(check_name(CHECK_PIECE), "piece");
    assert_string_equal(check_name(CHECK_KINGS), "kings");
    assert_string_equal(check_name(CHECK_BOTH), "both");
}

UNIT_MAIN(NULL, NULL)
