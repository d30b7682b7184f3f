/* Whole games are exported to the formats of other programs and imported again: the
 * result is the same record, byte for byte. Some of the games come from another engine.
 * The other games are random games under all rules, with every kind of clock, from
 * set-ups and from positions. */
#include "tests/unit/client/jsonl.h"

#include <stdlib.h>
#include <string.h>

#include "client/formats/record_gib.h"
#include "client/formats/record_json.h"
#include "client/formats/record_pgn.h"
#include "common/record/record.h"
#include "tests/unit/random_play.h"

/* --- Making records --- */

struct made {
    struct record record;
    struct game game;
};

static void add(struct made *made, const struct event *event)
{
    char why[RECORD_WHY_BYTES], text[EVENT_BYTES];

    event_format(text, event);
    assert_so(record_play(&made->record, &made->game, event, why), "%s: %s", text, why);
}

static void make_start(struct made *made, const struct ruleset *rules,
                       const struct position *position, const char *time)
{
    struct event event = {
        .kind = EVENT_START, .rules = rules, .name = {"hong", "\xea\xb9\x80_\\k"}};
    enum lineup lineup[SIDES];

    record_init(&made->record);
    game_init(&made->game);
    assert_true(time_terms_parse(time, &event.terms));
    event.has_position = !record_draft_find_lineups(position, rules, lineup);
    event.position = *position;
    add(made, &event);
    for (int side = 0; side < SIDES && !event.has_position; side++)
        add(made, &(struct event){.kind = EVENT_SETUP,
                                  .side = (enum side)side,
                                  .lineup = lineup[side]});
}

/* Makes a move; in a timed game it takes some time. */
static void make_move(struct made *made, struct move move)
{
    struct game *game = &made->game;
    enum side side = game_turn(game);
    struct event event = {.kind = EVENT_MOVE,
                          .ply = game->plies + 1,
                          .side = side,
                          .move = move,
                          .has_times = !game->clock.terms.is_untimed};
    struct time_left *left = &event.left[side];

    memcpy(event.left, game->clock.left, sizeof event.left);
    if (left->main_ms > 0)
        left->main_ms -= random_below((unsigned)left->main_ms / 8 + 1);
    if (left->main_ms < 100 && left->periods > 1)
        *left = (struct time_left){0, left->periods - (int)random_below(2)};
    left->main_ms += game->clock.terms.increment_ms;
    add(made, &event);
}

/* If the rules end the game here, adds that end. If not, adds in most cases an end that
 * the players can choose: a draw, an abort or a resignation. */
static void make_end(struct made *made)
{
    struct game_news news = {.count = 0};

    if (game_judge_due(&made->game, &news) || random_below(4) == 0) {
        if (news.count > 0)
            add(made, &news.event[0]);
        return;
    }
    if (random_below(3) == 0)
        (void)!game_judge_draw(&made->game, &news).code;
    else if (random_below(3) == 0)
        (void)!game_judge_abort(&made->game, SIDE_RED, &news).code;
    else
        (void)!game_judge_resign(&made->game, (enum side)random_below(2), &news).code;
    add(made, &news.event[0]);
}

static void made_clear(struct made *made)
{
    record_clear(&made->record);
    game_clear(&made->game);
}

/* --- There and back --- */

typedef char *writer(const struct record *record, const struct game *game,
                     const struct record_note *notes);
typedef bool reader(struct record *out, const char *text, struct record_import *import);

static void comes_back(const struct made *made, writer *write, reader *read)
{
    char *before = record_write(&made->record), *after;
    char *text = write(&made->record, &made->game, NULL);
    struct record_import import = {.number = 1};
    struct record again;

    assert_so(read(&again, text, &import), "%s\nof: %s", import.why, text);
    assert_so(import.notes.len == 0, "noted: %s", import.notes.at);
    after = record_write(&again);
    assert_so(strcmp(before, after) == 0, "%s\nbecame by\n%s\n%s", before, text, after);
    record_clear(&again);
    free(after);
    free(text);
    free(before);
}

static void goes_there_and_back(const struct made *made)
{
    comes_back(made, record_gib_write, record_gib_read);
    comes_back(made, record_pgn_write, record_pgn_read);
}

static struct made game_of_row(const json_t *row, const char *time)
{
    const json_t *moves = json_object_get(row, "moves");
    const struct ruleset *rules = ruleset_find(jsonl_text(row, "ruleset"));
    struct position position;
    struct game_news news;
    struct made made;

    assert_non_null(rules);
    assert_true(position_parse(jsonl_text(row, "fen"), &position, NULL));
    make_start(&made, rules, &position, time);
    for (size_t i = 0; i < json_array_size(moves); i++) {
        struct move move;

        assert_true(
            move_parse(json_string_value(json_array_get(moves, i)), &move, NULL));
        make_move(&made, move);
    }
    if (game_judge_due(&made.game, &news))
        add(&made, &news.event[0]);
    return made;
}

static void check_row(const json_t *row)
{
    static const char *const times[] = {"none", "10m+5s", "20m+3x40s"};

    for (size_t i = 0; i < ARRAY_LEN(times); i++) {
        struct made made = game_of_row(row, times[i]);

        goes_there_and_back(&made);
        made_clear(&made);
    }
}

UNIT_TEST(games_of_another_engine_come_back)
{
    assert_int_equal(jsonl_each("tests/data/games.jsonl", check_row), 61);
}

static void play_at_random(struct made *made, int plies)
{
    while (plies-- > 0 && game_turn(&made->game) != SIDE_NONE) {
        struct move_list legal;

        rules_legal_moves(made->game.rules, &made->game.position, &legal);
        make_move(made, legal.move[random_below((unsigned)legal.count)]);
    }
}

static void random_game(const struct ruleset *rules)
{
    static const char *const times[] = {"none", "5m", "1h+2s", "0s+5s", "90s+3x30s"};
    struct position position;
    struct made made;

    random_start(rules, &position);
    make_start(&made, rules, &position, times[random_below(ARRAY_LEN(times))]);
    play_at_random(&made, (int)random_below(160));
    make_end(&made);
    made.record.game = (int64_t)random_below(100) - 1;
    if (random_below(2) == 0)
        strcpy(made.record.ended, "2026-11-21T19:06:24Z");
    goes_there_and_back(&made);
    made_clear(&made);
}

UNIT_TEST(random_games_under_all_rules_come_back)
{
    for (int round = 0; round < 200; round++)
        for (size_t i = 0; ruleset_at(i) != NULL; i++)
            random_game(ruleset_at(i));
}

/* The negative control: a game that differs in one move must be noticed. */
UNIT_TEST(a_game_that_differs_is_noticed)
{
    struct position position;
    struct made made, other;
    char *text, *a, *b;
    struct record_import import = {.number = 1};
    struct record again;

    random_state = 7;
    position_set_up(&position, LINEUP_NBNB, LINEUP_BNNB, SIDE_BLUE);
    make_start(&made, ruleset_find("kja"), &position, "none");
    make_start(&other, ruleset_find("kja"), &position, "none");
    play_at_random(&made, 20);
    play_at_random(&other, 20);
    text = record_gib_write(&other.record, &other.game, NULL);
    assert_true(record_gib_read(&again, text, &import));
    a = record_write(&made.record);
    b = record_write(&again);
    assert_string_not_equal(a, b);
    free(a);
    free(b);
    free(text);
    record_clear(&again);
    made_clear(&made);
    made_clear(&other);
}

/* --- Written only --- */

static void compare_text(const json_t *root, const char *key, const char *text)
{
    assert_string_equal(jsonl_text(root, key), text);
}

static void check_json_moves(const json_t *root, const struct game *game)
{
    const json_t *moves = json_object_get(root, "moves");

    assert_int_equal(json_array_size(moves), game->plies);
    for (int i = 0; i < game->plies; i++) {
        const json_t *row = json_array_get(moves, (size_t)i);
        char move[MOVE_BYTES];

        move_format(move, game->ply[i].move);
        compare_text(row, "move", move);
        assert_int_equal(json_integer_value(json_object_get(row, "ply")), i + 1);
        assert_int_equal(json_integer_value(json_object_get(row, "red_ms")),
                         record_left(game, i + 1, SIDE_RED).main_ms);
        assert_int_equal(json_integer_value(json_object_get(row, "blue_ms")),
                         record_left(game, i + 1, SIDE_BLUE).main_ms);
    }
}

UNIT_TEST(json_is_json_and_says_it_all)
{
    struct position position;
    struct made made;
    char *text, words[POSITION_BYTES];
    json_t *root;

    position_set_up(&position, LINEUP_NBNB, LINEUP_NBBN, SIDE_RED);
    make_start(&made, ruleset_find("martin"), &position, "10m+5s");
    play_at_random(&made, 40);
    text = record_json_write(&made.record, &made.game);
    root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    compare_text(root, "rules", "martin");
    compare_text(root, "time", "10m+5s");
    compare_text(root, "red", "hong");
    compare_text(root, "blue", "\xea\xb9\x80_\\k");
    assert_true(json_is_null(json_object_get(root, "reason")));
    assert_true(json_is_null(json_object_get(root, "game")));
    position_format(words, &made.game.position);
    compare_text(root, "position", words);
    assert_int_equal(json_array_size(json_object_get(root, "events")),
                     made.record.events);
    check_json_moves(root, &made.game);
    json_decref(root);
    free(text);
    made_clear(&made);
}

/* A game in its set-up, which has no moves yet, can be written too. */
UNIT_TEST(json_of_a_game_in_set_up)
{
    struct position position;
    struct made made;
    char *text;
    json_t *root;

    position_set_up(&position, LINEUP_NBBN, LINEUP_NBBN, SIDE_RED);
    make_start(&made, ruleset_find("martin"), &position, "none");
    record_clear(&made.record);
    game_clear(&made.game);
    add(&made, &(struct event){.kind = EVENT_START,
                               .rules = ruleset_find("martin"),
                               .name = {"a", "b"},
                               .terms = {.is_untimed = true}});
    text = record_json_write(&made.record, &made.game);
    root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_true(json_is_null(json_object_get(root, "start")));
    assert_false(record_has_play(&made.game));
    json_decref(root);
    free(text);
    made_clear(&made);
}

UNIT_MAIN(NULL, NULL)
