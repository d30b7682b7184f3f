/* Tests of an erasure, which removes a player's name from the database. The log of a
 * game may be in the journal, in the table of old events (parked), or in both. Either
 * all logs change or none, and a damaged log remains damaged. */
#include "common/base/text.h"
#include "server/database/store_erase.h"
#include "server/database/store_fetch.h"
#include "server/database/store_journal.h"
#include "server/database/store_rows.h"
#include "server/store/store_audit.h"
#include "tests/unit/store/store_fixture.h"

enum { LONG = 500, LONG_GAMES = 230, PARKED = 1, MIXED = 2, OTHER = 3, FIRST_LONG = 4 };
enum { LATE = FIRST_LONG + LONG_GAMES, GAMES = 3 }; /* GAMES: how many games hong has */

#define HONGS "start red=HONG blue=kim rules=martin time=10m+5s"

/* --- A database in which hong has games everywhere --- */

static struct store_db *db;

static void open_db(void)
{
    int64_t last;
    struct store_age age;

    db = store_db_open(directory);
    assert_non_null(db);
    assert_true(store_fetch_survey(db, &last, &age));
}

static void close_db(void)
{
    store_db_close(db);
    db = NULL;
}

static void commit(const struct store_batch *batch)
{
    assert_true(store_db_begin(db));
    assert_true(store_db_put_events(db, batch));
    assert_true(store_db_commit(db));
}

static void put(int64_t game, int number, const char *text,
                const struct store_summary *end)
{
    struct store_batch batch = {.game = game,
                                .first = number,
                                .count = 1,
                                .wall_s = mono_wall_s(),
                                .texts = text};

    if (end != NULL) {
        batch.has_summary = true;
        batch.summary = *end;
    }
    commit(&batch);
}

/* Stores a long game of other players. Many such games push older games out of the
 * journal. */
static void put_long(int64_t game)
{
    static char texts[LONG * 16 + 64];
    struct store_batch batch = {.game = game,
                                .count = LONG,
                                .wall_s = mono_wall_s(),
                                .texts = texts,
                                .has_summary = true,
                                .summary = summary};
    char *at = texts;

    batch.summary.red = batch.summary.red_shown = "lee";
    at += snprintf(at, 64, "start red=lee blue=kim") + 1;
    for (int i = 1; i < LONG - 1; i++)
        at += snprintf(at, 16, "event %d", i) + 1;
    strcpy(at, "end x");
    commit(&batch);
}

static void fill(void)
{
    struct store_summary earlier = summary;

    open_db();
    put(PARKED, 0, HONGS, NULL);
    put(PARKED, 1, "end red checkmate", &summary);
    put(MIXED, 0, "start red=kim blue=hong rules=martin time=3d", NULL);
    put(OTHER, 0, "start red=hongi blue=kim time=none rules=hong", NULL);
    earlier.red = earlier.red_shown = "hongi";
    put(OTHER, 1, "end red checkmate", &earlier);
    for (int i = 0; i < LONG_GAMES; i++)
        put_long(FIRST_LONG + i);
    assert_true(store_journal_park(db)); /* the parked rows also stay in the journal */
    earlier.red = earlier.red_shown = "kim";
    earlier.blue = earlier.blue_shown = "hong";
    put(MIXED, 1, "end red checkmate", &earlier);
    put(LATE, 0, HONGS, NULL);
    put(LATE, 1, "end red checkmate", &summary);
    close_db();
}

static int64_t number_of(const char *words)
{
    sqlite3_stmt *s = NULL;
    sqlite3 *file;
    int64_t number;

    assert_int_equal(sqlite3_open(db_path(), &file), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(file, words, -1, &s, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    number = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    sqlite3_close(file);
    return number;
}

/* Counts the rows that still contain the name. */
static int64_t count_name(void)
{
    return number_of("SELECT (SELECT count(*) FROM event WHERE text LIKE '%=hong %') +"
                     " (SELECT count(*) FROM journal WHERE text LIKE '%=hong %') +"
                     " (SELECT count(*) FROM game WHERE 'hong' IN"
                     " (red, blue, lower(red_shown), lower(blue_shown)))");
}

/* --- What is sound --- */

static int damaged_count;

static void on_damage(void *arg, const char *what, const char *which, const char *why)
{
    print_message("damaged %s %s: %s\n", what, which, why);
    damaged_count++;
}

static void on_event(void *arg, const struct store_event *event)
{
    damaged_count += !event->is_sound;
}

static void on_game(void *arg, const struct store_game *row, enum store_row state)
{
    damaged_count += state != STORE_ROW_SOUND;
}

/* Counts all damage that `janggid verify` would report. */
static int count_damages(void)
{
    static const struct store_audit_calls calls = {
        .on_event = on_event, .on_game = on_game, .on_damage = on_damage};
    char why[STORE_WHY_BYTES];
    struct store_audit *audit = store_audit_open(db_path(), why);

    assert_non_null(audit);
    damaged_count = 0;
    assert_true(store_audit_run(audit, &calls, NULL));
    store_audit_close(audit);
    return damaged_count;
}

static int erased_games, erased_damaged;

static void on_erased(void *arg, int games, int damaged)
{
    erased_games = games;
    erased_damaged = damaged;
    done_count++;
}

static void erase_hong(void)
{
    forget();
    store_erase(store, "hong", "player-417", 1, on_erased, NULL);
    run_until(&done_count, 1);
}

static void read_game(int64_t game)
{
    forget();
    store_read_game(store, game, see_event, on_read, NULL);
    run_until(&read_done, 1);
}

/* --- The tests --- */

static void a_name_becomes_an_alias_wherever_the_log_is(void **state)
{
    fill();
    assert_true(number_of("SELECT count(*) FROM journal WHERE game = 1") > 0);
    assert_true(number_of("SELECT count(*) FROM event WHERE game = 1") == 2);
    assert_true(count_name() > 0);
    open_store();
    erase_hong();
    assert_int_equal(erased_games, GAMES);
    assert_int_equal(erased_damaged, 0);
    read_game(PARKED);
    assert_string_equal(seen, "1 0 start red=player-417 blue=kim rules=martin "
                              "time=10m+5s\n1 1 end red checkmate\n");
    read_game(MIXED);
    assert_string_equal(seen, "2 0 start red=kim blue=player-417 rules=martin "
                              "time=3d\n2 1 end red checkmate\n");
    /* Only the player's name "hong" is erased. The player's name "hongi" remains, and
     * so does "hong" as the name of a ruleset. */
    read_game(OTHER);
    assert_non_null(strstr(seen, "red=hongi blue=kim time=none rules=hong\n"));
    reopen_store();
    read_game(LATE);
    assert_non_null(strstr(seen, "red=player-417 blue=kim"));
    assert_null(strstr(seen, "DAMAGED"));
    store_close(store);
    store = NULL;
    assert_int_equal(count_name(), 0);
    assert_int_equal(count_damages(), 0);
}

static int past_rows;

static void see_past(void *arg, const struct store_past *past)
{
    past_rows += strcmp(past->summary.red, "player-417") == 0 ||
                 strcmp(past->summary.blue_shown, "player-417") == 0;
}

static void the_opponents_history_has_the_alias(void **state)
{
    fill();
    open_store();
    erase_hong();
    past_rows = 0;
    forget();
    store_read_history(store, "kim", 1, 1000, see_past, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, GAMES + LONG_GAMES + 1);
    assert_int_equal(past_rows, GAMES);
    forget();
    store_read_history(store, "hong", 1, 1000, see_past, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, 0);
}

static void an_earlier_owner_of_the_name_keeps_it(void **state)
{
    fill();
    open_store();
    forget();
    store_erase(store, "hong", "player-417", LATE, on_erased, NULL);
    run_until(&done_count, 1);
    assert_int_equal(erased_games, 1);
    read_game(PARKED);
    assert_non_null(strstr(seen, "red=HONG"));
    read_game(LATE);
    assert_non_null(strstr(seen, "red=player-417"));
}

/* Only damage can make the text of a start event NULL. */
static void a_start_without_text_is_left_as_it_is(void **state)
{
    fill();
    execute("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql ="
            " replace(sql, 'text TEXT NOT NULL', 'text TEXT') WHERE name = 'journal'");
    execute("UPDATE journal SET text = NULL WHERE game = 234 AND number = 0");
    open_store();
    erase_hong();
    assert_int_equal(erased_games, GAMES);
    assert_int_equal(erased_damaged, 1);
    store_close(store);
    store = NULL;
    assert_int_equal(number_of("SELECT text IS NULL FROM journal WHERE game = 234"
                               " AND number = 0"),
                     1);
}

/* The hashes of a log form a chain. An erasure computes the chain again. Earlier damage
 * must still be found after the erasure. */
static void damage_stays_damage(void **state)
{
    fill();
    execute("UPDATE journal SET text = 'end blue checkmate' WHERE game = 234"
            " AND number = 1");
    execute("UPDATE event SET text = 'end blue checkmate' WHERE game = 1"
            " AND number = 1");
    execute("UPDATE game SET plies = 99 WHERE id = 2");
    open_store();
    erase_hong();
    assert_int_equal(erased_games, 2);
    assert_int_equal(erased_damaged, 3);
    read_game(PARKED);
    assert_string_equal(seen,
                        "1 0 start red=player-417 blue=kim rules=martin time=10m+5s\n"
                        "1 1 DAMAGED\n");
    read_game(LATE);
    assert_non_null(strstr(seen, "red=player-417"));
    assert_non_null(strstr(seen, "1 DAMAGED"));
}

/* A long game is read in parts: some before an erasure changes the hashes of its
 * events, the others after it. */
static void a_read_in_parts_goes_on(void **state)
{
    struct store_erasure player = {
        .folded = "lee", .alias = "player-5", .first_game = 1};
    struct store_reading reading = {.game = FIRST_LONG + 1};

    fill();
    open_db();
    forget();
    store_fetch_game(db, &reading, 100, see_event, NULL);
    assert_int_equal(reading.next, 100);
    assert_true(store_db_begin(db));
    assert_true(store_erase_player(db, &player));
    assert_true(store_db_commit(db));
    assert_int_equal(player.games, LONG_GAMES);
    while (!reading.is_done)
        store_fetch_game(db, &reading, 100, see_event, NULL);
    assert_false(reading.is_damaged);
    assert_int_equal(reading.next, LONG);
    close_db();
    assert_int_equal(count_damages(), 0);
}

/* When the transaction of an erasure is rolled back, as on a full disk, nothing has
 * changed. */
static void a_rolled_back_erasure_changes_nothing(void **state)
{
    struct store_erasure player = {
        .folded = "hong", .alias = "player-417", .first_game = 1};

    fill();
    open_db();
    assert_true(store_db_begin(db));
    assert_true(store_erase_player(db, &player));
    store_tail_rollback(db->tail);
    assert_true(store_rows_run(db, STORE_ROLLBACK));
    put(LATE + 1, 0, "start red=lee blue=kim", NULL);
    close_db();
    assert_true(count_name() > 0);
    assert_int_equal(count_damages(), 0);
}

static void append_act(const char *actor, const char *text)
{
    forget();
    store_append_act(store, 100, actor, text);
    settle();
}

static void see_act(void *arg, const struct store_act *act)
{
    struct text *out = arg;

    text_addf(out, "%lld %s %s;", (long long)act->id, act->actor, act->text);
}

static void acts_are_rewritten_with_those_after_them(void **state)
{
    char words[256];
    struct text out = text_into(words, sizeof words);

    open_store();
    append_act("park", "mute hong");
    append_act("park", "kick lee");
    store_begin_together(store);
    store_replace_act(store, &(struct store_act){1, 100, "park", "mute player-417"});
    store_replace_act(store, &(struct store_act){2, 100, "park", "kick lee"});
    store_end_together(store);
    append_act("park", "kick kim");
    reopen_store();
    assert_true(store_load_acts(store, see_act, &out));
    assert_string_equal(words,
                        "1 park mute player-417;2 park kick lee;3 park kick kim;");
}

/* --- Killed at any write --- */

/* Erases hong, and dies at the write with the number write_dies_at, if there is one. */
static void erase_and_die(int report_fd)
{
    use_shim();
    open_store();
    writes = 0;
    erase_hong();
    _exit(7);
}

/* Fills a database of a few pages, so that the test can die at each single write. */
static void fill_little(void)
{
    char text[64];

    open_db();
    for (int64_t game = 1; game <= 12; game++) {
        put(game, 0, HONGS, NULL);
        for (int i = 1; i < 30; i++) {
            snprintf(text, sizeof text, "event %d of a game that fills some pages", i);
            put(game, i, text, NULL);
        }
        put(game, 30, "end red checkmate", &summary);
    }
    close_db();
}

/* Runs a shell command. Each @ in it stands for the path of the database. */
static void shell(const char *command)
{
    char words[512];
    struct text text = text_into(words, sizeof words);

    for (const char *at = command; *at != '\0'; at++)
        if (*at == '@')
            text_add(&text, db_path());
        else
            text_addf(&text, "%c", *at);
    assert_int_equal(system(words), 0);
}

static void a_kill_at_any_write_erases_all_or_nothing(void **state)
{
    int wholes = 0, untouched = 0, status = 0;

    fill_little();
    shell("cp @ @.before");
    for (int at = 1; WEXITSTATUS(status) != 7 && at < 1000; at++) {
        int from_child;
        pid_t child;
        int64_t names, aliases;

        shell("cp @.before @ && rm -f @-wal @-shm");
        write_dies_at = at;
        child = fork_child(erase_and_die, &from_child);
        write_dies_at = 1 << 30;
        reports(child, from_child, 0, &status);
        open_store(); /* applies the commits in the write-ahead log */
        store_close(store);
        store = NULL;
        names = count_name();
        aliases = number_of("SELECT count(*) FROM game WHERE red = 'player-417'");
        assert_int_equal(aliases, names == 0 ? 12 : 0);
        assert_int_equal(names, names == 0 ? 0 : 24);
        assert_int_equal(count_damages(), 0);
        wholes += names == 0;
        untouched += names != 0;
    }
    assert_int_equal(WEXITSTATUS(status), 7);
    assert_true(untouched >= 10);
    assert_true(wholes >= 1);
    shell("rm @.before");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_name_becomes_an_alias_wherever_the_log_is,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_opponents_history_has_the_alias, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_earlier_owner_of_the_name_keeps_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_start_without_text_is_left_as_it_is, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(damage_stays_damage, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_read_in_parts_goes_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rolled_back_erasure_changes_nothing, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(acts_are_rewritten_with_those_after_them,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_kill_at_any_write_erases_all_or_nothing,
                                        set_up, tear_down),
    };

    log_set_level(LOG_FATAL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
