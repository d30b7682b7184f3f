/* Tests of the admission of callers, and of what is charged to them. Each call gets the
 * time as an argument. */
#include "server/admission/admission.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/unit.h"

enum { MANY = 4096 };

struct door {
    struct admission *admission;
    struct slot *slot[MANY];
    int slots;
    uint64_t last_session;
};

static struct prefix address(const char *text)
{
    struct prefix prefix;

    assert_true(prefix_parse(text, &prefix));
    return prefix;
}

static struct admission_settings usual(void)
{
    return (struct admission_settings){.has_quotas = true,
                                       .connections = 800,
                                       .per_address = 64,
                                       .handshakes = {5, 200},
                                       .work = {4, 4096}};
}

/* A door is an admission and the callers that it has admitted. Each test begins with a
 * door that has the usual settings. */
static struct admission_settings settings;
static struct door *door;

static struct door *open_door(void)
{
    struct door *opened = calloc(1, sizeof *opened);

    opened->admission = admission_new(&settings);
    return opened;
}

static void close_door(struct door *at)
{
    for (int i = 0; i < at->slots; i++)
        admission_leave(at->admission, at->slot[i]);
    assert_true(admission_is_empty(at->admission));
    admission_free(at->admission);
    free(at);
}

static struct slot *arrive(struct door *at, const char *from, int64_t now_ms)
{
    struct prefix prefix = address(from);
    struct slot *slot = admission_arrive(at->admission, &prefix, 7, now_ms);

    if (slot != NULL)
        at->slot[at->slots++] = slot;
    return slot;
}

static struct slot *shake(struct door *at, int64_t now_ms)
{
    struct slot *slot = admission_next(at->admission, now_ms);

    if (slot != NULL)
        slot_set_session(slot, ++at->last_session);
    return slot;
}

/* Lets a caller arrive. The handshake of this caller must be the next one that begins.
 * Returns the caller's pass (its entry at the admission). */
static struct slot *come_in(struct door *at, const char *from, int64_t now_ms)
{
    struct slot *slot = arrive(at, from, now_ms);

    assert_non_null(slot);
    assert_ptr_equal(shake(at, now_ms), slot);
    return slot;
}

/* Those who are admitted have their handshake at once. */
static int count_arrivals(struct door *at, const char *from, int tries, int64_t now_ms)
{
    int count = 0;

    for (int i = 0; i < tries; i++)
        if (arrive(at, from, now_ms) != NULL) {
            (void)shake(at, now_ms);
            count++;
        }
    return count;
}

static void leave(struct door *at, struct slot *slot)
{
    for (int i = 0; i < at->slots; i++)
        if (at->slot[i] == slot)
            at->slot[i] = at->slot[--at->slots];
    admission_leave(at->admission, slot);
}

/* Makes the address `from` a known source: a caller logs in from it and leaves. */
static void become_known(struct door *at, const char *from)
{
    struct slot *slot = come_in(at, from, 0);

    admission_note_login(slot, 0);
    leave(at, slot);
}

static bool takes_place(struct door *at, struct slot *slot, enum admission_rank rank)
{
    uint64_t evicted;

    return admission_take_place(at->admission, slot, rank, 0, &evicted);
}

static int set_up(void **state)
{
    settings = usual();
    door = open_door();
    return 0;
}

static int tear_down(void **state)
{
    close_door(door);
    return 0;
}

/* Closes the door and opens a new one with the test's own settings. */
static void reopen(void)
{
    close_door(door);
    door = open_door();
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

/* --- Sources --- */

TEST(an_address_has_a_budget_and_others_do_not_notice)
{
    settings.per_address = 1000;
    settings.handshakes = (struct rate){0, 0};
    reopen();
    assert_int_equal(count_arrivals(door, "192.0.2.1", 100, 0), 64);
    assert_int_equal(count_arrivals(door, "198.51.100.1", 1, 0), 1);
    assert_int_equal(count_arrivals(door, "192.0.2.2", 1, 0), 1);
}

TEST(a_budget_comes_back_and_refusals_are_charged)
{
    settings.per_address = 1000;
    settings.handshakes = (struct rate){0, 0};
    reopen();
    assert_int_equal(count_arrivals(door, "192.0.2.1", 64, 0), 64);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 3, 1000), 3);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 9, 1000), 1); /* 8 refused */
    assert_int_equal(count_arrivals(door, "192.0.2.1", 1, 2000), 0);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 1, 4000), 1);
}

TEST(a_network_is_charged_for_its_addresses)
{
    char from[40];
    int count = 0;

    settings.connections = 100000;
    settings.handshakes = (struct rate){0, 0};
    reopen();
    for (int i = 0; i < 1000; i++) {
        snprintf(from, sizeof from, "192.0.2.%d", i % 250);
        count += count_arrivals(door, from, 1, 0);
    }
    assert_int_equal(count, 4 * 64);
    count = 0;
    for (int i = 0; i < 1000; i++) {
        snprintf(from, sizeof from, "2001:db8:1:%x::1", i);
        count += count_arrivals(door, from, 1, 0);
    }
    assert_int_equal(count, 4 * 64); /* the budget of their /48 */
}

TEST(connections_that_are_open_are_counted_until_they_end)
{
    settings.per_address = 2;
    reopen();
    arrive(door, "192.0.2.1", 0);
    arrive(door, "192.0.2.1", 0);
    assert_null(arrive(door, "192.0.2.1", 0));
    leave(door, door->slot[0]);
    assert_non_null(arrive(door, "192.0.2.1", 0));
}

TEST(trusted_networks_have_twenty_times_the_budget_and_no_penalty)
{
    struct slot *slot;

    settings.connections = 100000;
    settings.handshakes = (struct rate){0, 0};
    assert_true(prefix_list_parse("192.0.2.0/25", &settings.trusted));
    reopen();
    assert_int_equal(count_arrivals(door, "192.0.2.1", 1500, 0), 1280);
    slot = arrive(door, "192.0.2.2", 0);
    for (int i = 0; i < 100; i++)
        admission_penalize(slot, ADMISSION_WRONG_PROOF, 0);
    assert_int_equal(admission_proof_wait_ms(slot, 0), 0);
    assert_non_null(arrive(door, "192.0.2.2", 0));
}

TEST(penalties_add_up_and_pass)
{
    struct slot *slot = arrive(door, "192.0.2.1", 0);

    for (int i = 0; i < 3; i++)
        admission_penalize(slot, ADMISSION_WRONG_PROOF, 0);
    assert_int_equal(admission_proof_wait_ms(slot, 0), 0);
    assert_non_null(arrive(door, "192.0.2.1", 0));
    admission_penalize(slot, ADMISSION_WRONG_PROOF, 0);
    assert_int_equal(admission_proof_wait_ms(slot, 0), 5000);
    assert_null(arrive(door, "192.0.2.1", 0));
    assert_non_null(arrive(door, "192.0.2.2", 0));
    assert_non_null(arrive(door, "192.0.2.1", 5000));
}

TEST(a_known_source_returns_under_a_penalty)
{
    struct slot *slot = come_in(door, "192.0.2.1", 0);

    for (int i = 0; i < 20; i++)
        admission_penalize(slot, ADMISSION_WRONG_PROOF, 0);
    assert_null(arrive(door, "192.0.2.1", 0));
    admission_note_login(slot, 0);
    assert_int_equal(admission_proof_wait_ms(slot, 0), 85000);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 10, 0), 10);
    assert_int_equal(admission_proof_wait_ms(slot, 0), 85000);
}

/* Many strangers connect again and again from the address of a player: it still has the
 * connections that its budget allows, because its refused callers are not charged. */
TEST(a_known_source_keeps_its_rate_while_it_is_flooded)
{
    int known = 0;

    settings.handshakes = (struct rate){0, 0};
    reopen();
    become_known(door, "192.0.2.1");
    for (int i = 0; i < 200; i++) {
        while (door->slots > 0)
            leave(door, door->slot[0]);
        known += count_arrivals(door, "192.0.2.1", 20, 100 * i);
        (void)count_arrivals(door, "198.51.100.1", 20, 100 * i);
        if (i == 100)
            known = 0;
    }
    assert_in_range(known, 35, 45); /* in ten seconds */
    assert_int_equal(count_arrivals(door, "198.51.100.1", 1, 20000), 0);
}

TEST(a_known_source_returns_when_its_neighbours_flood)
{
    char neighbour[24];

    settings.handshakes = (struct rate){0, 0};
    reopen();
    become_known(door, "192.0.2.1");
    for (int i = 0; i < 50; i++)
        for (int n = 10; n < 40; n++) {
            while (door->slots > 0)
                leave(door, door->slot[0]);
            snprintf(neighbour, sizeof neighbour, "192.0.2.%d", n);
            (void)count_arrivals(door, neighbour, 5, 100 * i);
        }
    assert_null(arrive(door, "192.0.2.2", 5000)); /* this address is not known */
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 5000), 20);
}

TEST(a_known_source_returns_above_what_its_guests_have_open)
{
    struct slot *slot;

    settings.per_address = 4;
    reopen();
    become_known(door, "192.0.2.1");
    for (int i = 0; i < 4; i++)
        assert_true(takes_place(door, come_in(door, "192.0.2.1", 0), ADMISSION_GUEST));
    slot = come_in(door, "192.0.2.1", 0);
    assert_false(takes_place(door, slot, ADMISSION_GUEST));
    assert_true(takes_place(door, slot, ADMISSION_PLAYER));
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 0), 7);
    while (door->slots > 0)
        leave(door, door->slot[0]);
    assert_true(takes_place(door, come_in(door, "192.0.2.1", 1000), ADMISSION_GUEST));
}

TEST(a_source_is_known_for_a_day)
{
    struct slot *slot;

    become_known(door, "192.0.2.1");
    slot = come_in(door, "192.0.2.1", 86400000 - 1);
    assert_true(admission_is_known(slot, 86400000 - 1));
    assert_false(admission_is_known(slot, 86400000));
    slot = come_in(door, "192.0.2.2", 86400000);
    assert_false(admission_is_known(slot, 86400000));
}

TEST(without_quotas_only_connections_are_limited)
{
    struct slot *slot;

    settings.has_quotas = false;
    settings.handshakes = (struct rate){0, 0};
    reopen();
    assert_int_equal(count_arrivals(door, "192.0.2.1", 400, 0), 400);
    slot = door->slot[0];
    for (int i = 0; i < 100; i++)
        admission_penalize(slot, ADMISSION_WRONG_PROOF, 0);
    admission_charge(door->admission, slot, 1000000000, false, 0);
    assert_int_equal(admission_line_wait_ms(door->admission, slot, 0), 0);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 500, 0), 400);
}

TEST(lines_are_charged_to_the_source_and_its_network)
{
    struct slot *one = arrive(door, "192.0.2.1", 0);
    struct slot *other = arrive(door, "192.0.2.2", 0);
    int64_t share = admission_share_milli(door->admission); /* it has connected */

    admission_charge(door->admission, one, 4096 * 1000 - share, false, 0);
    assert_int_equal(admission_line_wait_ms(door->admission, one, 0), 4);
    assert_int_equal(admission_line_wait_ms(door->admission, other, 0), 0);
    assert_int_equal(admission_line_wait_ms(door->admission, one, 4), 0);
}

TEST(a_refused_line_is_charged_to_the_address_alone)
{
    struct slot *one = arrive(door, "192.0.2.1", 0);
    struct slot *other = arrive(door, "192.0.2.2", 0);

    admission_charge(door->admission, one, 1000000 * 1000, true, 0);
    assert_int_equal(admission_line_wait_ms(door->admission, one, 0), 4 * 4097);
    assert_int_equal(admission_line_wait_ms(door->admission, other, 0), 0);
    admission_charge(door->admission, one, 1000000 * 1000, false, 0);
    assert_true(admission_line_wait_ms(door->admission, other, 0) > 0);
}

/* --- Bans --- */

TEST(a_banned_network_is_kept_out_until_its_end)
{
    struct prefix network = address("192.0.2.0/24"), six = address("2001:db8::/32");

    admission_ban(door->admission, &network, 1000);
    admission_ban(door->admission, &six, INT64_MAX);
    assert_null(arrive(door, "192.0.2.77", 999));
    assert_null(arrive(door, "2001:db8:9::1", 999));
    assert_non_null(arrive(door, "192.0.3.77", 999));
    assert_non_null(arrive(door, "2001:db9::1", 999));
    assert_non_null(arrive(door, "192.0.2.77", 1000));
    assert_true(admission_unban(door->admission, &six));
    assert_false(admission_unban(door->admission, &six));
    assert_non_null(arrive(door, "2001:db8:9::1", 1000));
}

/* --- Handshakes --- */

TEST(who_has_used_least_goes_first)
{
    struct slot *lone;
    char from[40];

    settings.handshakes = (struct rate){100, 10};
    reopen();
    for (int i = 0; i < 200; i++) { /* 40 networks of five addresses connect first */
        snprintf(from, sizeof from, "192.0.%d.%d", i % 40, i);
        assert_non_null(arrive(door, from, 0));
    }
    lone = arrive(door, "198.51.100.1", 0);
    assert_ptr_equal(shake(door, 0), lone);
    for (int i = 1; i < 10; i++)
        assert_non_null(shake(door, 0));
    assert_null(shake(door, 0));
    assert_int_equal(admission_wait_ms(door->admission, 0), 100);
    assert_non_null(shake(door, 100));
}

TEST(known_and_trusted_sources_go_first)
{
    struct slot *friend, *trusted;
    char from[40];

    assert_true(prefix_list_parse("203.0.113.0/24", &settings.trusted));
    reopen();
    become_known(door, "198.51.100.1");
    for (int i = 0; i < 100; i++) { /* a hundred networks connect first */
        snprintf(from, sizeof from, "10.%d.0.1", i);
        assert_non_null(arrive(door, from, 1000));
    }
    friend = arrive(door, "198.51.100.1", 1000);
    trusted = arrive(door, "203.0.113.1", 1000);
    assert_ptr_equal(shake(door, 1000), friend);
    assert_ptr_equal(shake(door, 1000), trusted);
    assert_non_null(shake(door, 1000));
}

TEST(few_of_a_source_wait_at_a_time)
{
    settings.handshakes = (struct rate){1000, 1};
    reopen();
    come_in(door, "198.51.100.2", 0);
    for (int i = 0; i < 4; i++)
        assert_non_null(arrive(door, "192.0.2.1", 0));
    assert_null(arrive(door, "192.0.2.1", 0));
    assert_non_null(arrive(door, "192.0.2.2", 0));
}

TEST(no_caller_waits_for_more_than_three_seconds)
{
    struct slot *late;

    settings.handshakes = (struct rate){1000, 1};
    reopen();
    come_in(door, "192.0.2.1", 0);
    late = arrive(door, "192.0.2.1", 0);
    assert_null(admission_late(door->admission, 0));
    assert_null(admission_late(door->admission, 2999));
    assert_ptr_equal(admission_late(door->admission, 3000), late);
    leave(door, late);
    assert_null(admission_late(door->admission, 3000));
    assert_int_equal(admission_wait_ms(door->admission, 3000), -1);
}

TEST(when_too_many_wait_those_who_have_used_most_lose)
{
    char from[40];
    int late = 0;
    struct slot *slot, *lone;

    settings.connections = 100000;
    settings.handshakes = (struct rate){1000, 1};
    reopen();
    come_in(door, "198.51.100.2", 0); /* uses the only handshake of this second */
    lone = arrive(door, "203.0.113.1", 0);
    for (int i = 0; i < 1000; i++) {
        snprintf(from, sizeof from, "192.0.%d.%d", i / 10, i % 10);
        assert_non_null(arrive(door, from, 0));
        while ((slot = admission_late(door->admission, 0)) != NULL) {
            assert_ptr_not_equal(slot, lone);
            leave(door, slot);
            late++;
        }
    }
    assert_int_equal(admission_counts(door->admission).waiting, 512);
    assert_int_equal(late, 1001 - 512);
}

/* --- Places --- */

TEST(those_before_their_login_lose_the_oldest_of_the_largest_source)
{
    uint64_t oldest;
    char from[40];

    settings.handshakes = (struct rate){0, 0};
    reopen(); /* at most 100 callers may wait for a login */
    come_in(door, "198.51.100.1", 0);
    for (int i = 0; i < 60; i++)
        come_in(door, "192.0.2.1", 0);
    oldest = door->last_session - 59;
    for (int i = 0; i < 39; i++) {
        snprintf(from, sizeof from, "203.0.%d.1", i);
        come_in(door, from, 0);
        assert_int_equal(admission_crowded_out(door->admission), 0);
    }
    come_in(door, "203.0.100.1", 0);
    assert_int_equal(admission_crowded_out(door->admission), oldest);
    assert_int_equal(admission_crowded_out(door->admission), 0);
}

/* The addresses of an IPv6 network of 64 bits are one source. */
TEST(before_the_login_an_ipv6_network_is_one_source)
{
    settings.handshakes = (struct rate){0, 0};
    reopen(); /* at most 100 callers may wait for a login */
    for (int i = 0; i < 49; i++)
        come_in(door, "192.0.2.1", 0);
    for (int i = 0; i < 51; i++)
        come_in(door, i % 2 == 0 ? "2001:db8::1" : "2001:db8:0:0:8000::1", 0);
    come_in(door, "203.0.113.1", 0);
    assert_int_equal(admission_crowded_out(door->admission), 50);
    assert_int_equal(admission_crowded_out(door->admission), 0);
}

static bool log_in(struct door *at, const char *from, enum admission_rank rank,
                   uint64_t *evicted)
{
    struct slot *slot = come_in(at, from, 0);
    bool is_in = admission_take_place(at->admission, slot, rank, 0, evicted);

    if (!is_in)
        leave(at, slot);
    return is_in;
}

/* Logs in from many networks until no place is left. Returns the number of logins. */
static int fill(struct door *at, enum admission_rank rank)
{
    uint64_t evicted;
    char from[40];
    int count = 0;

    for (;;) {
        snprintf(from, sizeof from, "10.%d.%d.%d", (int)rank, count / 100, count % 100);
        if (!log_in(at, from, rank, &evicted))
            return count;
        assert_int_equal(evicted, 0);
        count++;
    }
}

TEST(players_get_the_places_of_guests)
{
    uint64_t evicted, first_guest;

    settings.handshakes = (struct rate){0, 0};
    reopen(); /* there are 700 places */
    assert_int_equal(fill(door, ADMISSION_PLAYER), 700);
    assert_false(log_in(door, "192.0.2.1", ADMISSION_PLAYER, &evicted));
    assert_true(log_in(door, "192.0.2.1", ADMISSION_MEMBER, &evicted));
    assert_int_equal(evicted, 0);
    reopen();
    first_guest = door->last_session + 1;
    assert_int_equal(fill(door, ADMISSION_GUEST), 700);
    assert_true(log_in(door, "192.0.2.1", ADMISSION_PLAYER, &evicted));
    assert_int_equal(evicted, first_guest);
    assert_true(log_in(door, "192.0.2.1", ADMISSION_MEMBER, &evicted));
    assert_int_equal(evicted, first_guest + 1);
    assert_false(log_in(door, "192.0.2.1", ADMISSION_GUEST, &evicted));
}

TEST(an_active_guest_is_not_evicted)
{
    struct slot *slot[3];
    uint64_t evicted;

    for (int i = 0; i < 3; i++) {
        slot[i] = come_in(door, "192.0.2.1", 0);
        assert_true(admission_take_place(door->admission, slot[i], ADMISSION_GUEST,
                                         i * 100, &evicted));
    }
    admission_touch(door->admission, slot[0], 900);
    assert_int_equal(admission_idle_guest(door->admission, 99), 0);
    assert_int_equal(admission_idle_guest(door->admission, 100), 2);
    assert_true(admission_take_place(door->admission, slot[1], ADMISSION_PLAYER, 950,
                                     &evicted));
    assert_int_equal(admission_idle_guest(door->admission, 950), 3);
    assert_int_equal(admission_counts(door->admission).guests, 2);
    assert_int_equal(admission_counts(door->admission).placed, 3);
}

TEST(the_host_sees_the_sources_that_are_refused_most)
{
    static const char *const wanted[] = {"10.0.9.1", "10.0.2.1", "10.0.1.1",
                                         "10.0.3.1"};
    struct admission_refused most[ARRAY_LEN(wanted) + 1];
    char from[40];

    settings.per_address = 1;
    reopen();
    assert_int_equal(admission_refused(door->admission, 0, most, 4), 0);
    /* 10.0.9.1 comes last and has most; 10.0.2.1 and 10.0.1.1 follow; the rest have one
     * each. */
    for (int i = 8; i > 0; i--) {
        snprintf(from, sizeof from, "10.0.%d.1", i);
        count_arrivals(door, from, i == 2 ? 4 : i == 1 ? 3 : 2, 0);
    }
    count_arrivals(door, "10.0.9.1", 9, 0);
    assert_int_equal(admission_refused(door->admission, 0, most, 4), 4);
    for (int i = 0; i < 4; i++) {
        struct prefix network = address(wanted[i]);

        assert_true(prefix_equal(&most[i].network, &network));
    }
    assert_int_equal(most[0].refusals, 8);
    assert_int_equal(most[3].refusals, 1);
    assert_int_equal(admission_refused(door->admission, 0, most, 5), 5);
    assert_int_equal(admission_refused(door->admission, 3 * 60000, most, 4), 0);
}

UNIT_MAIN(NULL, NULL)
