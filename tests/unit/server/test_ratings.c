/* Tests of the ratings, which are computed from the rows of all games in order: which
 * games count, annulments, and lists. Also stores 10,000 random games in a real store
 * and kills the process. */
#include "server/account/ratings.h"

#include "tests/unit/store/store_fixture.h"

enum { START_S = 1795000000 };

static struct ratings *ratings;
static int64_t last_game;

static int begin(void **state)
{
    last_game = 0;
    ratings = ratings_new();
    return set_up(state);
}

static int end(void **state)
{
    ratings_free(ratings);
    return tear_down(state);
}

static struct store_rating game_of(const char *pool, int64_t red, int64_t blue,
                                   int score, int64_t wall_s)
{
    return (struct store_rating){.wall_s = wall_s,
                                 .pool = pool,
                                 .game = ++last_game,
                                 .account = {red, blue},
                                 .score = score,
                                 .why = ""};
}

static struct store_rating add(struct store_rating row)
{
    row.why = ratings_judge(ratings, &row);
    ratings_add(ratings, &row);
    return row;
}

static struct ratings_view view_of(int64_t account, enum rating_pool pool,
                                   int64_t wall_s)
{
    struct ratings_view view;

    ratings_view(ratings, account, pool, wall_s, &view);
    return view;
}

static void annul(int64_t game)
{
    struct store_rating row;

    ratings_annul(ratings, game, START_S, &row);
}

#define TEST(name) UNIT_TEST_WITH(name, begin, end)

/* --- What counts --- */

TEST(a_fourth_game_of_a_pair_on_one_day_does_not_count)
{
    static const struct {
        const char *pool;
        int64_t red, blue;
        int64_t after_s;
        const char *why;
    } table[] = {
        {"kja", 1, 2, 0, ""},      {"kja", 2, 1, 1, ""},
        {"kja", 1, 2, 2, ""},      {"kja", 2, 1, 3, "pair"},
        {"martin", 1, 2, 4, ""}, /* another pool */
        {"kja", 1, 3, 5, ""},    /* another player */
        {"kja", 1, 2, 6, "pair"},  {"kja", 1, 2, DAY_S, ""},
        {"kja", 1, 2, -DAY_S, ""}, /* the clock was set back: another day */
    };
    int64_t day_s = START_S / DAY_S * DAY_S;

    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        struct store_rating row =
            add(game_of(table[i].pool, table[i].red, table[i].blue, GLICKO_DRAWN,
                        day_s + table[i].after_s));

        assert_string_equal(row.why, table[i].why);
    }
}

TEST(losses_on_time_within_a_day_count_once)
{
    static const struct {
        const char *pool;
        int64_t red, blue;
        int score;
        bool is_timeout;
        int64_t after_s;
        const char *why;
    } table[] = {
        {"days", 1, 2, GLICKO_RED_LOST, true, 0, ""},
        {"days", 1, 3, GLICKO_RED_LOST, true, 3600, "series"},
        {"days", 4, 1, GLICKO_RED_WON, true, DAY_S - 1, "series"},
        {"days", 5, 1, GLICKO_RED_LOST, true, 3700, ""}, /* player 5 lost, not 1 */
        {"days", 1, 6, GLICKO_RED_LOST, false, 3800, ""},
        {"kja", 1, 6, GLICKO_RED_LOST, true, 3900, ""},
        {"days", 1, 7, GLICKO_RED_LOST, true, DAY_S, ""},
        {"days", 1, 8, GLICKO_RED_LOST, true, 2 * DAY_S - 1, "series"},
    };

    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        struct store_rating row = game_of(table[i].pool, table[i].red, table[i].blue,
                                          table[i].score, START_S + table[i].after_s);

        row.is_timeout = table[i].is_timeout;
        row = add(row);
        assert_string_equal(row.why, table[i].why);
    }
}

/* True if the game, which must have a row, counts. */
static bool counts(int64_t game)
{
    struct ratings_result result;

    assert_true(ratings_result(ratings, game, &result));
    return result.why[0] == '\0';
}

static void same_view(const struct ratings_view *a, const struct ratings_view *b)
{
    assert_int_equal(a->points, b->points);
    assert_int_equal(a->rd, b->rd);
    assert_int_equal(a->is_firm, b->is_firm);
    assert_string_equal(a->rank, b->rank);
    assert_int_equal(a->won, b->won);
    assert_int_equal(a->drawn, b->drawn);
    assert_int_equal(a->lost, b->lost);
    assert_int_equal(a->best, b->best);
}

TEST(a_game_that_does_not_count_changes_nothing)
{
    struct store_rating row = game_of("kja", 1, 2, GLICKO_RED_WON, START_S);
    struct ratings_view before, after;

    ratings_add(ratings, &row);
    before = view_of(1, POOL_KJA, START_S);
    row = game_of("kja", 1, 2, GLICKO_RED_WON, START_S + 400 * DAY_S);
    row.why = "address";
    ratings_add(ratings, &row);
    after = view_of(1, POOL_KJA, START_S);
    same_view(&before, &after);
    assert_false(counts(row.game));
}

/* --- Standings --- */

TEST(two_games_of_one_player_follow_each_other)
{
    struct store_rating first = game_of("kja", 1, 2, GLICKO_RED_WON, START_S);
    struct store_rating second = game_of("kja", 3, 1, GLICKO_RED_WON, START_S);
    struct glicko expected[SIDES];

    ratings_add(ratings, &first);
    ratings_add(ratings, &second);
    expected[SIDE_RED] = glicko_start();
    expected[SIDE_BLUE] = first.after[0];
    glicko_play(expected, GLICKO_RED_WON);
    assert_int_equal(second.after[0].rating, expected[SIDE_RED].rating);
    assert_int_equal(second.after[1].rating, expected[SIDE_BLUE].rating);
    assert_int_equal(second.after[1].rd, expected[SIDE_BLUE].rd);
}

TEST(a_clock_that_is_set_back_does_no_harm)
{
    struct store_rating now = add(game_of("kja", 1, 2, GLICKO_DRAWN, START_S));
    struct store_rating back =
        add(game_of("kja", 1, 2, GLICKO_DRAWN, START_S - 3650LL * DAY_S));
    struct store_rating again = add(game_of("kja", 1, 2, GLICKO_DRAWN, START_S));

    assert_true(back.after[0].rd < now.after[0].rd);
    assert_true(again.after[0].rd >= GLICKO_RD_MIN);
    assert_true(again.after[0].rd <= GLICKO_RD_MAX);
    for (int i = 0; i < 3; i++)
        assert_string_equal(add(game_of("kja", 4, 5, GLICKO_DRAWN, START_S - i)).why,
                            "");
}

TEST(first_moves_are_counted_in_twenty_games)
{
    for (int i = 0; i < 25; i++)
        add(game_of("kja", 10 + i, 1, GLICKO_DRAWN, START_S)); /* blue moves first */
    assert_int_equal(ratings_first_moves(ratings, 1, POOL_KJA), 20);
    for (int i = 0; i < 5; i++)
        add(game_of("kja", 1, 40 + i, GLICKO_DRAWN, START_S));
    assert_int_equal(ratings_first_moves(ratings, 1, POOL_KJA), 15);
    assert_int_equal(ratings_first_moves(ratings, 10, POOL_KJA), 0);
    assert_int_equal(ratings_first_moves(ratings, 999, POOL_KJA), 0);
    add(game_of("martin", 1, 2, GLICKO_DRAWN, START_S));
    assert_int_equal(ratings_first_moves(ratings, 1, POOL_MARTIN), 1);
    add(game_of("days", 1, 2, GLICKO_DRAWN, START_S));
    assert_int_equal(ratings_first_side(POOL_DAYS), SIDE_RED);
    assert_int_equal(ratings_first_moves(ratings, 1, POOL_DAYS), 1);
    assert_int_equal(ratings_first_moves(ratings, 2, POOL_DAYS), 0);
}

TEST(words_show_a_rank_when_the_rating_is_firm)
{
    char words[RATINGS_WORDS_BYTES];

    ratings_words(words, ratings, 1, POOL_KJA, START_S);
    assert_string_equal(words, "");
    for (int i = 0; i < 30; i++)
        add(game_of("kja", 1, 2 + i % 5, i % 2 == 0 ? GLICKO_RED_WON : GLICKO_RED_LOST,
                    START_S + i * DAY_S));
    ratings_words(words, ratings, 1, POOL_KJA, START_S + 30 * DAY_S);
    assert_non_null(strstr(words, " rank="));
    assert_null(strchr(words, '?'));
    ratings_words(words, ratings, 1, POOL_KJA, START_S + 3000LL * DAY_S);
    assert_non_null(strchr(words, '?'));
    assert_null(strstr(words, "rank"));
}

/* --- The list of the best --- */

static int64_t places[RATINGS_TOP_MAX];

static bool see_place(void *arg, int place, int64_t account,
                      const struct ratings_view *view)
{
    if (arg != NULL && account == *(const int64_t *)arg)
        return false;
    places[place - 1] = account;
    return true;
}

/* Each player meets each other player once a day. The player with the lower number wins
 * two of three games. */
static void play_all(int players, int days)
{
    for (int day = 0; day < days; day++)
        for (int one = 1; one <= players; one++)
            for (int other = one + 1; other <= players; other++)
                add(game_of("kja", one, other,
                            day % 3 < 2 ? GLICKO_RED_WON : GLICKO_RED_LOST,
                            START_S + day * DAY_S));
}

TEST(the_best_are_listed)
{
    int64_t gone = 2, now_s = START_S + 10 * DAY_S;

    play_all(5, 10);
    assert_int_equal(ratings_top(ratings, POOL_KJA, now_s, see_place, NULL), 0);
    play_all(7, 10);
    assert_int_equal(ratings_top(ratings, POOL_KJA, now_s, see_place, NULL), 7);
    for (int i = 0; i < 7; i++)
        assert_int_equal(places[i], i + 1);
    assert_int_equal(ratings_top(ratings, POOL_MARTIN, now_s, see_place, NULL), 0);
    assert_int_equal(ratings_top(ratings, POOL_KJA, now_s, see_place, &gone), 6);
    assert_int_equal(places[1], 3);
    now_s += 40 * DAY_S;
    assert_int_equal(ratings_top(ratings, POOL_KJA, now_s, see_place, NULL), 0);
    add(game_of("kja", 7, 1, GLICKO_RED_WON, now_s));
    assert_int_equal(ratings_top(ratings, POOL_KJA, now_s, see_place, NULL), 2);
}

/* --- Annulment --- */

static struct store_rating rows[20000];
static int row_count;

static struct store_rating random_game(int players)
{
    static const char *const pools[] = {"kja", "martin", "days"};
    int red = 1 + rand() % players, blue = 1 + rand() % players;
    struct store_rating row;

    if (red == blue)
        blue = red % players + 1;
    row = game_of(pools[rand() % 3], red, blue, rand() % 3,
                  START_S + last_game * 3000 - rand() % 4000);
    row.is_timeout = row.score != GLICKO_DRAWN && rand() % 10 == 0;
    row.why = rand() % 50 == 0 ? "address" : ratings_judge(ratings, &row);
    return row;
}

static void same_standings(const struct ratings *one, const struct ratings *other,
                           int players)
{
    for (int account = 1; account <= players; account++)
        for (int pool = 0; pool < RATING_POOLS; pool++) {
            struct ratings_view a, b;

            ratings_view(one, account, (enum rating_pool)pool, START_S, &a);
            ratings_view(other, account, (enum rating_pool)pool, START_S, &b);
            same_view(&a, &b);
        }
}

/* After a game is annulled, ratings_judge() no longer counts the game in two rules:
 * "pair" (games of two players on one day) and "series" (losses on time). */
TEST(an_annulled_game_is_not_counted_any_more)
{
    struct store_rating row;
    int64_t first;

    for (int i = 0; i < 3; i++)
        row = add(game_of("kja", 1, 2, GLICKO_DRAWN, START_S + i));
    annul(row.game);
    row = add(game_of("kja", 2, 1, GLICKO_DRAWN, START_S + 3));
    assert_string_equal(row.why, "");
    row = add(game_of("kja", 2, 1, GLICKO_DRAWN, START_S + 4));
    assert_string_equal(row.why, "pair");

    row = game_of("days", 3, 4, GLICKO_RED_WON, START_S + 5);
    row.is_timeout = true;
    row = add(row);
    first = row.game;
    row = game_of("days", 3, 4, GLICKO_RED_WON, START_S + 6);
    row.is_timeout = true;
    row = add(row);
    assert_string_equal(row.why, "series");
    annul(first);
    row = game_of("days", 3, 4, GLICKO_RED_WON, START_S + 7);
    row.is_timeout = true;
    row = add(row);
    assert_string_equal(row.why, "");
}

/* After annulments, the standings are as if the annulled games had never counted. All
 * rows are accepted when the ratings are computed again from the start. */
TEST(an_annulment_is_exact)
{
    enum { PLAYERS = 30, GAMES = 2000 };
    struct ratings *without = ratings_new(), *again = ratings_new();
    struct ratings *loaded = ratings_new();

    srand(3);
    for (row_count = 0; row_count < GAMES; row_count++) {
        rows[row_count] = random_game(PLAYERS);
        ratings_add(ratings, &rows[row_count]);
        if (row_count % 100 == 99) {
            int64_t game = rows[row_count - rand() % 90].game;

            if (!counts(game))
                continue;
            ratings_annul(ratings, game, START_S, &rows[++row_count]);
            assert_false(counts(game));
        }
    }
    for (int i = 0; i < row_count; i++) {
        struct store_rating row = rows[i];

        assert_null(ratings_take(again, &rows[i], true));
        assert_null(ratings_take(loaded, &rows[i], false));
        if (strcmp(row.why, "annulled") == 0)
            continue;
        row.why = counts(row.game) ? "" : "annulled?";
        ratings_add(without, &row);
    }
    same_standings(ratings, again, PLAYERS);
    same_standings(ratings, loaded, PLAYERS);
    same_standings(ratings, without, PLAYERS);
    ratings_free(without);
    ratings_free(again);
    ratings_free(loaded);
}

TEST(a_changed_row_is_noticed)
{
    struct store_rating row = add(game_of("kja", 1, 2, GLICKO_RED_WON, START_S));
    struct ratings *other = ratings_new();

    row.after[1].rating += 10;
    assert_non_null(ratings_take(other, &row, true));
    ratings_free(other);
    other = ratings_new();
    assert_null(ratings_take(other, &row, false));
    row.after[1].rating -= 10;
    row.account[1] = 1;
    assert_non_null(ratings_take(other, &row, true));
    row.account[1] = 2;
    row.pool = "chess";
    assert_non_null(ratings_take(other, &row, true));
    row.why = "annulled";
    assert_non_null(ratings_take(other, &row, true));
    ratings_free(other);
}

/* --- Farming --- */

/* Lets a newcomer win `games` games against each of `accounts` new accounts. Returns
 * the rating points of the newcomer. */
static int farm(int accounts, int games)
{
    struct ratings_view view;
    int64_t hero = 1;

    ratings_free(ratings);
    ratings = ratings_new();
    for (int account = 0; account < accounts; account++)
        for (int i = 0; i < games; i++)
            add(game_of("kja", hero, 2 + account, GLICKO_RED_WON, START_S));
    view = view_of(hero, POOL_KJA, START_S);
    return view.points;
}

/* If a newcomer could play rated games at once, arranged wins would give the newcomer a
 * high rating: the formula does not prevent this, and two players may have three
 * counted games a day. So rated_may_play() requires that a new account is at least a
 * day old, unless the account is a member. */
TEST(arranged_wins_lift_a_newcomer)
{
    assert_in_range(farm(1, 3), 1748, 1758);
    assert_int_equal(farm(1, 3), farm(1, 10)); /* games 4 to 10 do not count */
    assert_in_range(farm(20, 3), 2000, 2300);
    print_message("# 3 arranged wins: %d; 20 throwaway accounts, 3 wins each: %d, "
                  "1 win each: %d\n",
                  farm(1, 3), farm(20, 3), farm(20, 1));
}

/* --- Killed --- */

enum { KILLED_PLAYERS = 200, KILLED_GAMES = 10000, BATCH = 50 };

static void put_game(struct store_rating *row)
{
    static const char *const words[] = {"start red=hong blue=kim", "end red checkmate"};

    ratings_add(ratings, row);
    store_put(store, STORE_RATING, row);
    store_append(store, row->game, 0, words, 2, &(struct store_ending){summary, ""});
}

/* Each game has two rows: its rating, and its events. */
static int count_games(void)
{
    return count_durable() / 2;
}

static void play_and_report(int report_fd)
{
    int reported = 0;

    srand(4);
    open_store();
    for (int game = 0; game < 2 * KILLED_GAMES; game++) {
        struct store_rating row = random_game(KILLED_PLAYERS);

        put_game(&row);
        if (game % BATCH == BATCH - 1)
            WAIT_UNTIL(turn(), count_games() > game - BATCH);
        for (; reported < count_games(); reported++)
            if (write(report_fd, &reported, sizeof reported) < 0)
                _exit(98);
    }
    _exit(97);
}

static void take_row(void *arg, const void *stored)
{
    const struct store_rating *row = stored;

    assert_null(ratings_take(arg, row, true));
    rows[row_count++] = *row;
}

static int count_of(const char *words)
{
    sqlite3_stmt *s;
    sqlite3 *file;
    int count;

    assert_int_equal(sqlite3_open(db_path(), &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file, words, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    count = sqlite3_column_int(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(file);
    return count;
}

/* Every acknowledged game has its row, no row lacks its game, and all values are the
 * same when they are computed again. */
TEST(ten_thousand_games_survive_a_kill)
{
    struct ratings *stored = ratings_new();
    int from_child, status, acknowledged;
    pid_t child = fork_child(play_and_report, &from_child);

    acknowledged = read_reports(from_child, KILLED_GAMES);
    kill(child, SIGKILL);
    acknowledged = reports(child, from_child, acknowledged, &status);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_true(acknowledged >= KILLED_GAMES);
    row_count = 0;
    open_store();
    assert_true(store_load(store, STORE_RATING, take_row, stored));
    store_close(store);
    store = NULL;
    assert_true(row_count >= acknowledged);
    assert_int_equal(count_of("SELECT count(*) FROM game WHERE is_over = 1"),
                     row_count);
    assert_int_equal(count_of("SELECT count(*) FROM rating JOIN game ON id = game"),
                     row_count);
    srand(4);
    for (int i = 0; i < row_count; i++) {
        struct store_rating row = random_game(KILLED_PLAYERS);

        ratings_add(ratings, &row);
        assert_memory_equal(row.after, rows[i].after, sizeof row.after);
    }
    same_standings(ratings, stored, KILLED_PLAYERS);
    print_message("# %d games acknowledged, %d on disk\n", acknowledged, row_count);
    ratings_free(stored);
}

UNIT_MAIN(unit_be_quiet, NULL)
