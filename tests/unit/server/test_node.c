/* Tests of a node. The node with the lease of the database becomes the house, which
 * runs the games. Every other node is a door, which relays its callers to the house.
 * The test uses a fake database. */
#include <stdatomic.h>

#include <event2/event.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/admin/node.h"
#include "server/database/store_engine.h"
#include "server/store/store.h"
#include "tests/unit/unit.h"

enum { PATIENCE_MS = 10000 };

/* --- The database --- */

static struct {
    atomic_bool is_away, is_free, is_ours;
    atomic_int looks; /* how often a look at the lease succeeded */
} database;

static void *open_lease(const struct store_place *place)
{
    return &database;
}

static void close_lease(void *lease)
{
}

static bool look(void *lease, enum store_lease_wish wish, struct store_lease *out)
{
    if (database.is_away)
        return false;
    if (database.is_free || database.is_ours)
        database.is_ours = wish == STORE_LEASE_TAKE;
    *out = (struct store_lease){.state = database.is_ours   ? STORE_LEASE_OURS
                                         : database.is_free ? STORE_LEASE_FREE
                                                            : STORE_LEASE_OTHERS};
    text_copy(out->at, sizeof out->at, database.is_ours ? "here:1" : "there:2");
    database.looks++;
    return true;
}

static const struct store_engine engine = {
    .open_lease = open_lease, .close_lease = close_lease, .look = look};

const struct store_engine *__wrap_store_load_postgres(void);
const struct store_engine *__wrap_store_load_postgres(void)
{
    return &engine;
}

/* --- The node --- */

struct world {
    struct event_base *base;
    struct node *node;
    int houses;   /* calls of on_house */
    int failures; /* how many of the first calls fail, as if the database were away */
};

static bool on_house(void *arg)
{
    struct world *world = arg;

    database.is_away = ++world->houses <= world->failures;
    return !database.is_away;
}

static void on_door(void *arg)
{
}

static const struct node_calls calls = {
    .on_house = on_house, .on_door = on_door, .on_moved = on_door};

/* Opens a node that is a door. */
static void begin(struct world *world)
{
    struct store_place place = {.at = "here:1"};

    database.is_away = database.is_free = database.is_ours = false;
    world->base = event_base_new();
    world->node = node_open(world->base, &place, &calls, world);
    assert_non_null(world->node);
    assert_false(node_begin(world->node));
}

static void end(struct world *world)
{
    node_close(world->node);
    event_base_free(world->base);
}

static void run_for(struct world *world, int64_t ms)
{
    struct timeval wait = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};

    event_base_loopexit(world->base, &wait);
    event_base_dispatch(world->base);
}

static void run_until_houses(struct world *world, int houses)
{
    int64_t end_ms = mono_now_ms() + PATIENCE_MS;

    while (world->houses < houses && mono_now_ms() < end_ms)
        run_for(world, 20);
    assert_int_equal(world->houses, houses);
}

/* While the database is away, the node keeps the lease: the node cannot give the lease
 * back, and another node cannot take the lease. */
static void a_house_that_could_not_read_its_log_tries_again(void **state)
{
    struct world world = {.failures = 1};

    begin(&world);
    database.is_free = true;
    run_until_houses(&world, 1);
    assert_false(node_is_house(world.node));
    run_for(&world, 2500); /* longer than a node waits before it tries again */
    assert_int_equal(world.houses, 1);
    database.is_away = false;
    run_until_houses(&world, 2);
    assert_true(node_is_house(world.node));
    end(&world);
}

static void one_that_ends_does_not_become_the_house(void **state)
{
    struct world world = {0};

    begin(&world);
    node_retire(world.node);
    database.is_free = true;
    run_for(&world, 1000); /* enough for some looks at the lease */
    assert_int_equal(world.houses, 0);
    assert_false(database.is_ours);
    end(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_that_ends_does_not_become_the_house),
        cmocka_unit_test(a_house_that_could_not_read_its_log_tries_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
