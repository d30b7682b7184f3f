/* Tests of the admission of callers, and of what is charged to them. Each call gets the
 * time as an argument. */
#include "server/admission/admission.h"

#include <stdio.h>
#include <stdlib.h>

#include "server/admission/sources.h"
#include "tests/unit/unit.h"

enum { MANY = 4096 };

struct door {
    struct admission *admission;
    struct pass *pass[MANY];
    int passes;
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
                                       .handshakes_per_s = 200,
                                       .connects_per_s = 4,
                                       .connects_burst = 64,
                                       .open = 64,
                                       .unnamed = 64,
                                       .work_per_s = 400,
                                       .work_burst = 2000};
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
    for (int i = 0; i < at->passes; i++)
        admission_leave(at->admission, at->pass[i]);
    assert_true(admission_is_empty(at->admission));
    admission_free(at->admission);
    free(at);
}

static struct pass *arrive(struct door *at, const char *from, int64_t now_ms)
{
    struct prefix prefix = address(from);
    struct pass *pass = admission_arrive(at->admission, &prefix, 7, now_ms);

    if (pass != NULL)
        at->pass[at->passes++] = pass;
    return pass;
}

static struct pass *shake(struct door *at, int64_t now_ms)
{
    struct pass *pass = admission_next(at->admission, now_ms);

    if (pass != NULL)
        pass_set_session(pass, ++at->last_session);
    return pass;
}

/* Lets a caller arrive. The handshake of this caller must be the next one that begins.
 * Returns the caller's pass (its entry at the admission). */
static struct pass *come_in(struct door *at, const char *from, int64_t now_ms)
{
    struct pass *pass = arrive(at, from, now_ms);

    assert_non_null(pass);
    assert_ptr_equal(shake(at, now_ms), pass);
    return pass;
}

static int count_arrivals(struct door *at, const char *from, int tries, int64_t now_ms)
{
    int count = 0;

    for (int i = 0; i < tries; i++)
        count += arrive(at, from, now_ms) != NULL;
    return count;
}

static void leave(struct door *at, struct pass *pass)
{
    for (int i = 0; i < at->passes; i++)
        if (at->pass[i] == pass)
            at->pass[i] = at->pass[--at->passes];
    admission_leave(at->admission, pass);
}

/* Makes the address `from` a known source: a caller logs in from it and leaves. */
static void become_known(struct door *at, const char *from)
{
    struct pass *pass = come_in(at, from, 0);

    admission_note_login(at->admission, pass, 0);
    leave(at, pass);
}

static bool takes_place(struct door *at, struct pass *pass, enum admission_rank rank)
{
    uint64_t evicted;

    return admission_take_place(at->admission, pass, rank, 0, &evicted);
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

/* --- Sources --- */

static void an_address_has_a_budget_and_others_do_not_notice(void **state)
{
    settings.open = settings.unnamed = 1000;
    reopen();
    assert_int_equal(count_arrivals(door, "192.0.2.1", 100, 0), 64);
    assert_int_equal(count_arrivals(door, "198.51.100.1", 1, 0), 1);
    assert_int_equal(count_arrivals(door, "192.0.2.2", 1, 0), 1);
}

static void a_budget_comes_back_and_refusals_are_charged(void **state)
{
    settings.open = settings.unnamed = 1000;
    reopen();
    assert_int_equal(count_arrivals(door, "192.0.2.1", 64, 0), 64);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 3, 1000), 3);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 9, 1000), 1); /* 8 refused */
    assert_int_equal(count_arrivals(door, "192.0.2.1", 1, 2000), 0);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 1, 4000), 1);
}

static void a_network_is_charged_for_its_addresses(void **state)
{
    char from[40];
    int count = 0;

    settings.connections = 100000;
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

static void connections_that_are_open_are_counted_until_they_end(void **state)
{
    settings.open = 2;
    reopen();
    arrive(door, "192.0.2.1", 0);
    arrive(door, "192.0.2.1", 0);
    assert_null(arrive(door, "192.0.2.1", 0));
    leave(door, door->pass[0]);
    assert_non_null(arrive(door, "192.0.2.1", 0));
}

static void after_login_a_connection_is_not_counted_as_unnamed(void **state)
{
    struct pass *pass;

    settings.unnamed = 1;
    reopen();
    pass = come_in(door, "192.0.2.1", 0);
    assert_null(arrive(door, "192.0.2.1", 0));
    assert_true(takes_place(door, pass, ADMISSION_PLAYER));
    assert_non_null(arrive(door, "192.0.2.1", 0));
}

static void trusted_networks_have_twenty_times_the_budget_and_no_penalty(void **state)
{
    struct pass *pass;

    settings.connections = 100000;
    assert_true(prefix_list_parse("192.0.2.0/25", &settings.trusted));
    reopen();
    assert_int_equal(count_arrivals(door, "192.0.2.1", 1500, 0), 1280);
    pass = arrive(door, "192.0.2.2", 0);
    for (int i = 0; i < 100; i++)
        admission_penalize(pass, ADMISSION_WRONG_PROOF, 0);
    assert_int_equal(admission_proof_wait_ms(pass, 0), 0);
    assert_non_null(arrive(door, "192.0.2.2", 0));
}

static void penalties_add_up_and_pass(void **state)
{
    struct pass *pass = arrive(door, "192.0.2.1", 0);

    for (int i = 0; i < 3; i++)
        admission_penalize(pass, ADMISSION_WRONG_PROOF, 0);
    assert_int_equal(admission_proof_wait_ms(pass, 0), 0);
    assert_non_null(arrive(door, "192.0.2.1", 0));
    admission_penalize(pass, ADMISSION_WRONG_PROOF, 0);
    assert_int_equal(admission_proof_wait_ms(pass, 0), 5000);
    assert_null(arrive(door, "192.0.2.1", 0));
    assert_non_null(arrive(door, "192.0.2.2", 0));
    assert_non_null(arrive(door, "192.0.2.1", 5000));
}

static void a_known_source_returns_under_a_penalty(void **state)
{
    struct pass *pass = arrive(door, "192.0.2.1", 0);

    admission_note_login(door->admission, pass, 0);
    for (int i = 0; i < 20; i++)
        admission_penalize(pass, ADMISSION_WRONG_PROOF, 0);
    assert_int_equal(admission_proof_wait_ms(pass, 0), 85000);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 0), 8);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 1000), 1);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 84999), 8);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 96000), 20);
}

/* Many strangers connect again and again from the address of a player. */
static void a_known_source_shares_its_connections_with_who_floods_it(void **state)
{
    struct pass *pass = arrive(door, "192.0.2.1", 0);
    int known, unknown;

    admission_note_login(door->admission, pass, 0);
    leave(door, pass);
    for (int i = 0; i < 200; i++) {
        while (door->passes > 0)
            leave(door, door->pass[0]);
        known = count_arrivals(door, "192.0.2.1", 20, 100 * i);
        unknown = count_arrivals(door, "198.51.100.1", 20, 100 * i);
        if (i >= 100 && i % 10 == 0) {
            assert_in_range(known, 0, 5);
            assert_int_equal(unknown, 0);
        }
    }
    while (door->passes > 0)
        leave(door, door->pass[0]);
    for (int i = 0, all = 0; i < 10; i++) {
        all += count_arrivals(door, "192.0.2.1", 20, 20000 + 100 * i);
        assert_int_equal(count_arrivals(door, "198.51.100.1", 20, 20000 + 100 * i), 0);
        if (i == 9)
            assert_in_range(all, 4, 6);
    }
}

static void a_known_source_returns_when_its_neighbours_flood(void **state)
{
    struct pass *pass = arrive(door, "192.0.2.1", 0);
    char neighbour[24];

    admission_note_login(door->admission, pass, 0);
    for (int i = 0; i < 50; i++)
        for (int n = 10; n < 40; n++) {
            while (door->passes > 0)
                leave(door, door->pass[0]);
            snprintf(neighbour, sizeof neighbour, "192.0.2.%d", n);
            (void)count_arrivals(door, neighbour, 5, 100 * i);
        }
    while (door->passes > 0)
        leave(door, door->pass[0]);
    assert_null(arrive(door, "192.0.2.2", 5000)); /* this address is not known */
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 5000), 8);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 6000), 1);
}

static void a_known_source_returns_above_what_its_guests_have_open(void **state)
{
    struct pass *pass;

    settings.open = 4;
    reopen();
    become_known(door, "192.0.2.1");
    for (int i = 0; i < 4; i++)
        assert_true(takes_place(door, come_in(door, "192.0.2.1", 0), ADMISSION_GUEST));
    pass = come_in(door, "192.0.2.1", 0);
    assert_false(takes_place(door, pass, ADMISSION_GUEST));
    assert_true(takes_place(door, pass, ADMISSION_PLAYER));
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 0), 7);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 1000), 1);
    while (door->passes > 0)
        leave(door, door->pass[0]);
    assert_true(takes_place(door, come_in(door, "192.0.2.1", 1000), ADMISSION_GUEST));
}

static void a_known_source_is_not_forgotten_while_its_returns_refill(void **state)
{
    char other[24];

    settings.open = 4;
    reopen();
    become_known(door, "192.0.2.1");
    assert_int_equal(count_arrivals(door, "192.0.2.1", 4, 0), 4);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 8, 0), 8);
    while (door->passes > 0)
        leave(door, door->pass[0]);
    for (int n = 10; n < 40; n++) {
        snprintf(other, sizeof other, "198.51.100.%d", n);
        assert_int_equal(count_arrivals(door, other, 1, 4000), 1);
        leave(door, door->pass[0]);
    }
    assert_int_equal(count_arrivals(door, "192.0.2.1", 4, 4000), 4);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 4000), 4);
}

static void a_known_source_returns_above_what_its_network_has_open(void **state)
{
    char neighbour[24];

    settings.open = 4;
    reopen();
    become_known(door, "192.0.2.1");
    for (int n = 10; n < 14; n++) {
        snprintf(neighbour, sizeof neighbour, "192.0.2.%d", n);
        assert_int_equal(count_arrivals(door, neighbour, 4, 0), 4);
    }
    assert_null(arrive(door, "192.0.2.2", 0)); /* this address is not known */
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 0), 8);
}

static void a_known_source_returns_above_what_is_not_logged_in(void **state)
{
    struct pass *pass;

    settings.unnamed = 2;
    reopen();
    become_known(door, "192.0.2.1");
    (void)come_in(door, "192.0.2.1", 0);
    (void)come_in(door, "192.0.2.1", 0);
    pass = come_in(door, "192.0.2.1", 0);
    assert_true(takes_place(door, pass, ADMISSION_GUEST));
    assert_int_equal(count_arrivals(door, "192.0.2.1", 20, 0), 7);
}

static void without_quotas_only_connections_are_limited(void **state)
{
    struct pass *pass;

    settings.has_quotas = false;
    reopen();
    assert_int_equal(count_arrivals(door, "192.0.2.1", 400, 0), 400);
    pass = door->pass[0];
    for (int i = 0; i < 100; i++)
        admission_penalize(pass, ADMISSION_WRONG_PROOF, 0);
    admission_charge(door->admission, pass, 1000000000, 0);
    assert_int_equal(admission_work_wait_ms(door->admission, pass, 0), 0);
    assert_int_equal(count_arrivals(door, "192.0.2.1", 500, 0), 400);
}

static void work_is_charged_to_the_source_and_its_network(void **state)
{
    struct pass *one = arrive(door, "192.0.2.1", 0);
    struct pass *other = arrive(door, "192.0.2.2", 0);

    admission_charge(door->admission, one, 2000 * 1000, 0);
    /* After 1/400 s the next unit of work is available. */
    assert_int_equal(admission_work_wait_ms(door->admission, one, 0), 3);
    assert_int_equal(admission_work_wait_ms(door->admission, other, 0), 0);
    assert_int_equal(admission_work_wait_ms(door->admission, one, 3), 0);
}

static void a_refused_line_is_charged_to_the_address_alone(void **state)
{
    struct pass *one = arrive(door, "192.0.2.1", 0);
    struct pass *other = arrive(door, "192.0.2.2", 0);

    admission_charge_refused(door->admission, one, 100000 * 1000, 0);
    assert_int_equal(admission_work_wait_ms(door->admission, one, 0), 5003);
    assert_int_equal(admission_work_wait_ms(door->admission, other, 0), 0);
    admission_charge(door->admission, one, 100000 * 1000, 0);
    assert_int_equal(admission_work_wait_ms(door->admission, other, 0), 5001);
}

static void all_guests_of_a_source_have_one_budget_of_chat(void **state)
{
    struct pass *one, *same, *near;

    settings.chat_per_min = 60;
    settings.chat_burst = 2;
    reopen();
    one = arrive(door, "192.0.2.1", 0);
    same = arrive(door, "192.0.2.1", 0);
    near = arrive(door, "192.0.2.2", 0);
    for (int i = 0; i < 2; i++) {
        assert_true(admission_has_chat(door->admission, one, 0));
        admission_charge_chat(door->admission, one, 0);
    }
    assert_false(admission_has_chat(door->admission, same, 999));
    assert_true(admission_has_chat(door->admission, near, 999));
    leave(door, one);
    leave(door, same); /* a new connection gets no new budget */
    one = arrive(door, "192.0.2.1", 999);
    assert_false(admission_has_chat(door->admission, one, 999));
    assert_true(admission_has_chat(door->admission, one, 1000));
}

/* If the table is full, a new source is charged to the network around it. If this
 * network does not have an entry either, the new source is charged to a common
 * entry. */
static void the_table_of_sources_is_bounded(void **state)
{
    struct sources *sources = sources_new(3);
    struct prefix a = address("192.0.2.1"), b = address("192.0.2.2");
    struct prefix c = address("192.0.2.3"), d = address("198.51.100.1");
    struct source *of_a = sources_use(sources, &a, 0), *of_b, *of_c, *of_d;
    struct rate rate = rate_of(1, 10);

    of_b = sources_use(sources, &b, 0);
    assert_ptr_equal(of_a->parent, of_b->parent);
    of_c = sources_use(sources, &c, 0);
    assert_ptr_equal(of_c, of_a->parent);
    of_d = sources_use(sources, &d, 0);
    assert_null(of_d->parent);
    assert_ptr_not_equal(of_d, of_c);
    assert_int_equal(sources_count(sources), 3);
    budget_charge(&of_b->connects, rate, 5000, 0);
    sources_drop(of_a);
    sources_drop(of_b);
    sources_drop(of_c);
    sources_drop(of_d);
    of_d = sources_use(sources, &d, 4000); /* removes the entry of `a`, but not of `b`,
                                            * because `b` has an unpaid charge */
    assert_int_equal(sources_count(sources), 3);
    of_b = sources_use(sources, &b, 4000);
    assert_false(budget_is_full(&of_b->connects, 4000));
    sources_drop(of_d);
    sources_drop(of_b);
    sources_free(sources);
}

/* --- Bans --- */

static void a_banned_network_is_kept_out_until_its_end(void **state)
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

/* --- Turns --- */

static void turns_rotate_among_networks(void **state)
{
    struct pass *lone;
    char from[40];

    settings.handshakes_per_s = 10;
    reopen();
    for (int i = 0; i < 200; i++) { /* a network of 200 addresses connects first */
        snprintf(from, sizeof from, "192.0.%d.%d", i % 20, i);
        assert_non_null(arrive(door, from, 0));
    }
    lone = arrive(door, "198.51.100.1", 0);
    assert_non_null(shake(door, 0));
    assert_ptr_equal(shake(door, 0), lone);
    for (int i = 2; i < 10; i++)
        assert_non_null(shake(door, 0));
    assert_null(shake(door, 0));
    assert_int_equal(admission_wait_ms(door->admission, 0), 100);
    assert_non_null(shake(door, 100));
}

static void known_sources_have_half_of_the_turns(void **state)
{
    struct pass *friend, *first, *second;
    char from[40];

    settings.handshakes_per_s = 3;
    reopen();
    friend = come_in(door, "198.51.100.1", 0);
    admission_note_login(door->admission, friend, 0);
    for (int i = 0; i < 100; i++) { /* a hundred networks connect first */
        snprintf(from, sizeof from, "10.%d.0.1", i);
        assert_non_null(arrive(door, from, 1000));
    }
    first = arrive(door, "198.51.100.1", 1000);
    second = arrive(door, "198.51.100.1", 1000);
    assert_ptr_equal(shake(door, 1000), first);
    assert_ptr_not_equal(shake(door, 1000), second);
    assert_ptr_equal(shake(door, 1000), second);
    assert_null(shake(door, 1000));
}

/* An operator should mark the addresses of other nodes as trusted. Then the connections
 * from these nodes are accepted even during a flood. */
static void a_trusted_network_shares_the_turns_of_known_sources(void **state)
{
    struct pass *trusted;
    char from[40];

    settings.handshakes_per_s = 2;
    assert_true(prefix_list_parse("198.51.100.0/24", &settings.trusted));
    reopen();
    for (int i = 0; i < 100; i++) {
        snprintf(from, sizeof from, "10.%d.0.1", i);
        assert_non_null(arrive(door, from, 0));
    }
    trusted = arrive(door, "198.51.100.1", 0);
    assert_ptr_equal(shake(door, 0), trusted);
    assert_non_null(shake(door, 0));
}

static void no_caller_waits_for_more_than_three_seconds(void **state)
{
    struct pass *late;

    settings.handshakes_per_s = 1;
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

static void when_too_many_wait_the_largest_network_loses(void **state)
{
    char from[40];
    int late = 0;
    struct pass *pass, *lone;

    settings.connections = 100000;
    settings.handshakes_per_s = 1;
    reopen();
    come_in(door, "198.51.100.2", 0); /* uses the only handshake of this second */
    lone = arrive(door, "198.51.100.1", 0);
    for (int i = 0; i < 1000; i++) {
        snprintf(from, sizeof from, "192.0.%d.%d", i / 100, i % 100);
        assert_non_null(arrive(door, from, 0));
    }
    while ((pass = admission_late(door->admission, 0)) != NULL) {
        assert_ptr_not_equal(pass, lone);
        leave(door, pass);
        late++;
    }
    assert_int_equal(admission_counts(door->admission).waiting, 256);
    assert_int_equal(late, 1001 - 256);
}

/* --- The porch and places --- */

static void the_porch_loses_the_oldest_of_the_largest_source(void **state)
{
    uint64_t oldest;
    char from[40];

    settings.handshakes_per_s = 0;
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
static void the_porch_counts_an_ipv6_network_as_one_source(void **state)
{
    settings.handshakes_per_s = 0;
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
    struct pass *pass = come_in(at, from, 0);
    bool is_in = admission_take_place(at->admission, pass, rank, 0, evicted);

    if (!is_in)
        leave(at, pass);
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

static void guests_get_half_and_a_tenth_is_reserved(void **state)
{
    uint64_t evicted, first_guest;

    settings.handshakes_per_s = 0;
    reopen(); /* there are 700 places */
    first_guest = door->last_session + 1;
    assert_int_equal(fill(door, ADMISSION_GUEST), 350);
    assert_int_equal(fill(door, ADMISSION_PLAYER), 700 - 70 - 350);
    assert_int_equal(fill(door, ADMISSION_MEMBER), 70);
    assert_true(log_in(door, "192.0.2.1", ADMISSION_SEATED, &evicted));
    assert_int_equal(evicted, first_guest);
    assert_true(log_in(door, "192.0.2.1", ADMISSION_SEATED, &evicted));
    assert_int_equal(evicted, first_guest + 1);
}

static void an_active_guest_is_not_evicted(void **state)
{
    struct pass *pass[3];
    uint64_t evicted;

    for (int i = 0; i < 3; i++) {
        pass[i] = come_in(door, "192.0.2.1", 0);
        assert_true(admission_take_place(door->admission, pass[i], ADMISSION_GUEST,
                                         i * 100, &evicted));
    }
    admission_touch(door->admission, pass[0], 900);
    assert_int_equal(admission_idle_guest(door->admission, 99), 0);
    assert_int_equal(admission_idle_guest(door->admission, 100), 2);
    assert_true(admission_take_place(door->admission, pass[1], ADMISSION_PLAYER, 950,
                                     &evicted));
    assert_int_equal(admission_idle_guest(door->admission, 950), 3);
    assert_int_equal(admission_counts(door->admission).guests, 2);
    assert_int_equal(admission_counts(door->admission).placed, 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_address_has_a_budget_and_others_do_not_notice),
        TEST(a_budget_comes_back_and_refusals_are_charged),
        TEST(a_network_is_charged_for_its_addresses),
        TEST(connections_that_are_open_are_counted_until_they_end),
        TEST(after_login_a_connection_is_not_counted_as_unnamed),
        TEST(trusted_networks_have_twenty_times_the_budget_and_no_penalty),
        TEST(penalties_add_up_and_pass),
        TEST(a_known_source_returns_under_a_penalty),
        TEST(a_known_source_shares_its_connections_with_who_floods_it),
        TEST(a_known_source_returns_when_its_neighbours_flood),
        TEST(a_known_source_returns_above_what_its_guests_have_open),
        TEST(a_known_source_is_not_forgotten_while_its_returns_refill),
        TEST(a_known_source_returns_above_what_its_network_has_open),
        TEST(a_known_source_returns_above_what_is_not_logged_in),
        TEST(without_quotas_only_connections_are_limited),
        TEST(work_is_charged_to_the_source_and_its_network),
        TEST(a_refused_line_is_charged_to_the_address_alone),
        TEST(all_guests_of_a_source_have_one_budget_of_chat),
        TEST(the_table_of_sources_is_bounded),
        TEST(a_banned_network_is_kept_out_until_its_end),
        TEST(turns_rotate_among_networks),
        TEST(known_sources_have_half_of_the_turns),
        TEST(a_trusted_network_shares_the_turns_of_known_sources),
        TEST(no_caller_waits_for_more_than_three_seconds),
        TEST(when_too_many_wait_the_largest_network_loses),
        TEST(the_porch_loses_the_oldest_of_the_largest_source),
        TEST(the_porch_counts_an_ipv6_network_as_one_source),
        TEST(guests_get_half_and_a_tenth_is_reserved),
        TEST(an_active_guest_is_not_evicted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
