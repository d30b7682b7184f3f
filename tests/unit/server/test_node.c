/* Tests of a node. The node with the lease of the database is the leader, which runs the
 * games. Every other node is a standby. The test uses a fake database. */
#include <stdatomic.h>

#include <event2/event.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/admin/node.h"
#include "server/store/store.h"
#include "server/store/store_engine.h"
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
    int leads, losses; /* calls of on_lead, on_lost */
};

static void on_lead(void *arg)
{
    struct world *world = arg;

    world->leads++;
}

static void on_lost(void *arg)
{
    struct world *world = arg;

    world->losses++;
}

static const struct node_calls calls = {.on_lead = on_lead, .on_lost = on_lost};

/* Opens a node that is a standby. */
static void begin(struct world *world)
{
    struct store_place place = {.at = "here:1"};

    database.is_away = database.is_free = database.is_ours = false;
    world->base = event_base_new();
    world->node = node_open(world->base, &place, &calls, world);
    assert_non_null(world->node);
    assert_false(node_is_leader(world->node));
    assert_string_equal(node_farewell(world->node), "elsewhere at=there:2");
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

/* Runs the loop until *count is 1. */
static void run_until(struct world *world, const int *count)
{
    int64_t end_ms = mono_now_ms() + PATIENCE_MS;

    while (*count == 0 && mono_now_ms() < end_ms)
        run_for(world, 20);
    assert_int_equal(*count, 1);
}

UNIT_TEST(a_standby_leads_and_a_leader_that_lost_the_lease_ends)
{
    struct world world = {0};

    begin(&world);
    database.is_free = true;
    run_until(&world, &world.leads);
    assert_true(node_is_leader(world.node));
    assert_string_equal(node_farewell(world.node), "elsewhere");
    database.is_free = database.is_ours = false;
    run_until(&world, &world.losses);
    assert_false(node_is_leader(world.node));
    assert_string_equal(node_farewell(world.node), "elsewhere at=there:2");
    database.is_free = true; /* it does not lead again in this process */
    run_for(&world, 1000);
    assert_int_equal(world.leads, 1);
    assert_int_equal(world.losses, 1);
    end(&world);
}

UNIT_TEST(a_leader_that_is_told_that_it_has_lost_gives_the_lease_back)
{
    struct world world = {0};

    begin(&world);
    database.is_free = true;
    run_until(&world, &world.leads);
    node_lose(world.node);
    assert_int_equal(world.losses, 0);
    run_until(&world, &world.losses);
    run_for(&world, 500);
    assert_false(database.is_ours);
    assert_int_equal(world.leads, 1);
    end(&world);
}

UNIT_TEST(one_that_ends_does_not_become_the_leader)
{
    struct world world = {0};

    begin(&world);
    node_retire(world.node);
    database.is_free = true;
    run_for(&world, 1000); /* enough for some looks at the lease */
    assert_int_equal(world.leads, 0);
    assert_false(database.is_ours);
    end(&world);
}

UNIT_MAIN(NULL, NULL)
