/* Tests of club evenings: which evening is removed to make room for a new one. */
#include "tests/unit/account/accounts_fixture.h"

#include <time.h>

#include "server/base/world.h"
#include "server/evening/evening_run.h"
#include "server/evening/evenings.h"

static struct evenings *evenings;
static struct evening_run *evening_run;
static struct world modules;
static struct event_base
    *still; /* does not run, so that no evening goes on by itself */

static void open_more(void)
{
    evenings = evenings_open(store);
    assert_non_null(evenings);
    still = event_base_new();
    modules =
        (struct world){.store = store, .accounts = accounts, .evenings = evenings};
    evening_run = evening_run_new(&modules, still);
}

static void close_more(void)
{
    evening_run_free(evening_run);
    event_base_free(still);
    evenings_close(evenings);
}

static int64_t maker = 1; /* number of the account that makes the evenings */

/* Makes an evening that begins in_s seconds from now. */
static struct evening_entry *make(int64_t in_s)
{
    char text[EVENING_EVENT_BYTES];
    struct evening_entry *entry;

    snprintf(text, sizeof text,
             "new club maker=park system=swiss rounds=1 time=none rules=kja first=blue "
             "pairs=auto at_s=%lld account=%lld",
             (long long)(mono_wall_s() + in_s), (long long)maker);
    entry = evenings_new(evenings, text);
    assert_non_null(entry);
    evening_run_changed(evening_run);
    return entry;
}

static void end(struct evening_entry *entry)
{
    assert_true(evening_run_end(evening_run, entry));
}

static int count_evenings(void)
{
    int count = 0;

    for (struct evening_entry *e = evenings_first(evenings); e; e = evenings_next(e))
        count++;
    return count;
}

static void add(struct evening_entry *entry, const char *text)
{
    assert_true(evenings_append(evenings, entry, text));
}

/* Makes an evening with these events and ends it. */
static struct evening_entry *hold(const char *const events[], size_t count)
{
    struct evening_entry *entry = make(60);

    for (size_t i = 0; i < count; i++)
        add(entry, events[i]);
    end(entry);
    return entry;
}

static struct evening_entry *play(void)
{
    static const char *const events[] = {"join 1 hong", "join 2 kim", "round 1 1-2",
                                         "result 1 1 first checkmate"};

    return hold(events, ARRAY_LEN(events));
}

/* Makes an evening that ends after the pairing of a round, before the game has
 * begun. */
static struct evening_entry *pair_only(void)
{
    static const char *const events[] = {"join 1 hong", "join 2 kim", "round 1 1-2"};

    return hold(events, ARRAY_LEN(events));
}

static struct evening_entry *leave_running(void)
{
    static const char *const events[] = {"join 1 hong", "join 2 kim", "round 1 1-2",
                                         "game 1 17"};

    return hold(events, ARRAY_LEN(events));
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

TEST(an_evening_without_a_game_is_removed_before_one_with_games)
{
    play();
    leave_running();
    pair_only();
    end(make(60));
    while (count_evenings() < EVENINGS_MAX)
        play();
    play();
    assert_null(evenings_find(evenings, 3));
    play();
    assert_null(evenings_find(evenings, 4));
    assert_non_null(evenings_find(evenings, 1));
    play();
    assert_null(evenings_find(evenings, 1));
    assert_non_null(evenings_find(evenings, 2));
}

TEST(who_makes_the_most_evenings_displaces_their_own)
{
    enum { OF_OTHERS = 40 };
    struct evening_entry *entry;

    maker = 2;
    for (int i = 0; i < OF_OTHERS; i++)
        play();
    maker = 3;
    for (int i = OF_OTHERS; i < EVENINGS_MAX + OF_OTHERS; i++)
        play();
    entry = evenings_first(evenings);
    for (int id = 1; id <= OF_OTHERS; id++, entry = evenings_next(entry))
        assert_int_equal(entry->log.id, id);
    assert_int_equal(entry->log.id, 2 * OF_OTHERS + 1);
    maker = 1;
}

TEST(a_day_has_so_many_evenings_of_a_maker)
{
    int64_t now_s = mono_wall_s(), wait_s;

    for (int i = 0; i < EVENINGS_DAY_MAX; i++) {
        assert_int_equal(evenings_wait_s(evenings, maker, now_s), 0);
        play();
    }
    wait_s = evenings_wait_s(evenings, maker, now_s);
    assert_in_range(wait_s, 86400, 86400 + 60);
    assert_int_equal(evenings_wait_s(evenings, maker + 1, now_s), 0);
    assert_int_equal(evenings_wait_s(evenings, maker, now_s + wait_s - 1), 1);
    assert_int_equal(evenings_wait_s(evenings, maker, now_s + wait_s), 0);
}

TEST(an_erased_name_is_in_no_evening)
{
    struct evening_entry *of_others = make(60), *own = make(60);

    add(of_others, "join 1 hong");
    add(of_others, "adjust 1 2 Kim, (kim) and kimchi: player-2's maker=kim");
    add(of_others, "join 2 lee");
    add(of_others, "round 1 1-2");
    add(of_others, "result 1 1 first host kim was late");
    add(own, "join 1 Kim");
    evenings_erase(evenings, "kim", "player-2");
    assert_string_equal(
        of_others->log.line[2].text,
        "adjust 1 2 player-2, (player-2) and kimchi: player-2's maker=kim");
    assert_string_equal(of_others->log.line[5].text,
                        "result 1 1 first host player-2 was late");
    assert_string_equal(own->log.line[1].text, "join 1 player-2");
    evenings_erase(evenings, "park", "player-3");
    assert_memory_equal(own->log.line[0].text, "new club maker=player-3 ", 24);
}

static char told[1000];

static void on_event(void *arg, int64_t evening, int64_t wall_s, const char *text)
{
    size_t len = strlen(told);

    snprintf(told + len, sizeof told - len, "%lld: %s\n", (long long)evening, text);
}

static const char *about(const char *folded, int most)
{
    told[0] = '\0';
    evenings_about(evenings, folded, most, on_event, NULL);
    return told;
}

TEST(an_export_has_the_events_about_a_person)
{
    struct evening_entry *entry = make(60);

    add(entry, "join 1 hong");
    add(entry, "join 2 Kim");
    add(entry, "join 3 lee");
    add(entry, "join 4 choi");
    add(entry, "round 1 1-3 4-2");
    add(entry, "result 1 1 first host kim saw it");
    add(entry, "result 1 2 first checkmate");
    add(entry, "adjust 2 2 for the best game");
    add(entry, "adjust 1 2 kim says so");
    add(entry, "leave 2 missed");
    assert_string_equal(about("kim", 100), "1: join 2 Kim\n"
                                           "1: result 1 2 first checkmate\n"
                                           "1: adjust 2 2 for the best game\n"
                                           "1: leave 2 missed\n");
    add(make(60), "join 1 kim");
    assert_string_equal(about("kim", 1), "2: join 1 kim\n");
    assert_string_equal(about("seo", 100), "");
    about("park", 100);
    assert_memory_equal(told, "2: new club maker=park ", 23);
    assert_non_null(strstr(told, "\n1: new club maker=park "));
}

static int64_t cpu_us(void)
{
    struct timespec now;

    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
    return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

/* The makers' events have long texts, and reading all of them would take half a second.
 * The test allows 50 ms. */
TEST(an_export_reads_no_words_of_makers)
{
    enum { EVENINGS = 40, CHANGES = 250, WORDS = 100, MOST_US = 50000 };
    char text[40 + 2 * WORDS] = "adjust 1 1";
    int64_t from_us;

    for (int i = 0; i < WORDS; i++)
        strcat(text, " x");
    for (int i = 0; i < EVENINGS; i++) {
        struct evening_entry *entry = make(60);

        add(entry, "join 1 hong");
        add(entry, "join 2 kim");
        for (int j = 0; j < CHANGES; j++)
            add(entry, text);
    }
    settle();
    from_us = cpu_us();
    about("kim", INT32_MAX);
    assert_true(cpu_us() - from_us < MOST_US);
    assert_non_null(strstr(told, ": join 2 kim\n"));
}

UNIT_MAIN(NULL, NULL)
