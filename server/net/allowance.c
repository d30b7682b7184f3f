/* See allowance.h. */
#include "server/net/allowance.h"

#include <assert.h>
#include <stdlib.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "server/admission/strangers.h"
#include "server/base/timer.h"

static const int64_t milli = 1000; /* budgets count thousandths of a line */

enum {
    LINE_BYTES = 1024, /* bytes of output that cost as much as a line */
    BUDGET_CHECK_MS = 100,
    SEAT_LINES_PER_S = 20, /* lines per second of a player whose network has used up its
                            * budget */
    SEAT_LINES_BURST = 40
};

struct allowances {
    struct allowance_rates rates;
    struct admission *admission;
    allowance_budget_fn *on_budget;
    struct allowance *waiters; /* clients that watch games and wait until their network
                                * has budget again */
    struct event *budget_timer;
    int64_t heard_ms; /* time of the latest line of any client, used when output is
                       * metered */
};

/* --- Lines, and what they cost --- */

static struct rate line_rate(const struct allowance *allowance)
{
    const struct allowance_rates *rates = &allowance->of->rates;

    return rate_of(rates->lines_per_s, rates->lines_burst);
}

static struct rate seat_rate(void)
{
    return rate_of(SEAT_LINES_PER_S, SEAT_LINES_BURST);
}

/* Charges only the budget of this client, not the budget that all clients of its
 * network (its source) share. */
static void charge_client(struct allowance *allowance, int64_t milli_lines,
                          int64_t now_ms)
{
    meter_charge(&allowance->meter, now_ms, (uint64_t)milli_lines);
    budget_charge(&allowance->lines, line_rate(allowance), milli_lines, now_ms);
    budget_charge(&allowance->seat_lines, seat_rate(), milli_lines, now_ms);
}

static void charge_source(struct allowance *allowance, int64_t milli_lines,
                          int64_t now_ms)
{
    if (allowance->pass != NULL)
        admission_charge(allowance->of->admission, allowance->pass, milli_lines,
                         now_ms);
}

static void charge(struct allowance *allowance, int64_t milli_lines, int64_t now_ms)
{
    charge_client(allowance, milli_lines, now_ms);
    charge_source(allowance, milli_lines, now_ms);
}

/* Returns the milliseconds until the shared budget of the client's network allows
 * another line; 0: it allows one now. */
static int64_t source_wait_ms(const struct allowance *allowance, int64_t now_ms)
{
    return allowance->pass == NULL ? 0
                                   : admission_work_wait_ms(allowance->of->admission,
                                                            allowance->pass, now_ms);
}

int64_t allowance_wait_ms(const struct allowance *allowance, bool is_playing,
                          int64_t now_ms)
{
    int64_t wait_ms = budget_wait_ms(&allowance->lines, line_rate(allowance), now_ms);
    int64_t seat_ms;

    if (wait_ms > 0)
        return wait_ms;
    wait_ms = source_wait_ms(allowance, now_ms);
    if (wait_ms == 0 || !is_playing)
        return wait_ms;
    seat_ms = budget_wait_ms(&allowance->seat_lines, seat_rate(), now_ms);
    return seat_ms < wait_ms ? seat_ms : wait_ms;
}

int64_t allowance_take_line(struct allowance *allowance, bool is_playing,
                            int64_t now_ms)
{
    int64_t wait_ms = allowance_wait_ms(allowance, is_playing, now_ms);

    allowance->of->heard_ms = now_ms;
    meter_add(&allowance->meter, now_ms, 1, 0);
    charge_client(allowance, milli, now_ms);
    if (wait_ms == 0)
        charge_source(allowance, milli, now_ms);
    else if (allowance->pass != NULL)
        admission_charge_refused(allowance->of->admission, allowance->pass, milli,
                                 now_ms);
    return wait_ms;
}

void allowance_note_output(struct allowance *allowance, size_t bytes,
                           bool is_for_command)
{
    meter_add(&allowance->meter, allowance->of->heard_ms, 0, bytes);
    if (is_for_command)
        allowance->unpaid_bytes += bytes;
}

void allowance_charge_output(struct allowance *allowance, int64_t now_ms)
{
    charge(allowance, (int64_t)allowance->unpaid_bytes * milli / LINE_BYTES, now_ms);
    allowance->unpaid_bytes = 0;
}

void allowance_charge(struct allowance *allowance, int lines, int64_t now_ms)
{
    charge(allowance, lines * milli, now_ms);
}

void allowance_charge_told(struct allowance *allowance, size_t bytes, int64_t now_ms)
{
    allowance_charge(allowance, (int)(bytes / LINE_BYTES), now_ms);
}

void allowance_penalize(struct allowance *allowance, enum admission_fault fault,
                        int64_t now_ms)
{
    if (allowance->pass != NULL)
        admission_penalize(allowance->pass, fault, now_ms);
}

/* --- Games that the client only watches --- */

static void await_budget(struct allowance *allowance)
{
    struct allowances *of = allowance->of;

    if (allowance->awaits_budget)
        return;
    allowance->awaits_budget = true;
    DL_APPEND(of->waiters, allowance);
    if (!event_pending(of->budget_timer, EV_TIMEOUT, NULL))
        timer_start(of->budget_timer, BUDGET_CHECK_MS);
}

static void forget_budget(struct allowance *allowance)
{
    if (!allowance->awaits_budget)
        return;
    allowance->awaits_budget = false;
    DL_DELETE(allowance->of->waiters, allowance);
}

bool allowance_may_watch(struct allowance *allowance)
{
    if (source_wait_ms(allowance, mono_now_ms()) == 0)
        return true;
    await_budget(allowance);
    return false;
}

void allowance_charge_watching(struct allowance *allowance, size_t bytes)
{
    int64_t milli_lines = milli + (int64_t)bytes * milli / LINE_BYTES;
    int64_t now_ms = mono_now_ms();

    meter_charge(&allowance->meter, now_ms, (uint64_t)milli_lines);
    charge_source(allowance, milli_lines, now_ms);
}

/* Lets all waiting clients continue. If one of them uses up the budget of its network
 * again, the later clients of that network go back into the list. */
static void on_budget_timer(evutil_socket_t fd, short what, void *arg)
{
    struct allowances *allowances = arg;
    struct allowance *list = allowances->waiters, *allowance, *next;

    (void)fd;
    (void)what;
    allowances->waiters = NULL;
    DL_FOREACH_SAFE (list, allowance, next) {
        allowance->awaits_budget = false;
        if (allowance_may_watch(allowance))
            allowances->on_budget(allowance->owner);
    }
}

/* --- Chat and strangers --- */

static struct rate chat_rate(const struct allowance *allowance)
{
    const struct allowance_rates *rates = &allowance->of->rates;

    return (struct rate){.milli_per_s = (int64_t)rates->chat_per_min * milli / 60,
                         .burst = rates->chat_burst};
}

/* True when the client also uses the chat budget that all guests of its source
 * share. */
static bool shares_chat(const struct allowance *allowance, const struct budget *chat,
                        bool is_guest)
{
    return chat == NULL && is_guest && allowance->pass != NULL;
}

bool allowance_has_chat(const struct allowance *allowance, const struct budget *chat,
                        bool is_guest, int64_t now_ms)
{
    const struct budget *own = chat != NULL ? chat : &allowance->chat;

    return budget_has(own, chat_rate(allowance), now_ms) &&
           (!shares_chat(allowance, chat, is_guest) ||
            admission_has_chat(allowance->of->admission, allowance->pass, now_ms));
}

void allowance_charge_chat(struct allowance *allowance, struct budget *chat,
                           bool is_guest, int64_t now_ms)
{
    struct budget *own = chat != NULL ? chat : &allowance->chat;

    budget_charge(own, chat_rate(allowance), milli, now_ms);
    if (shares_chat(allowance, chat, is_guest))
        admission_charge_chat(allowance->of->admission, allowance->pass, now_ms);
}

bool allowance_spend_coming(struct allowance *allowance, int64_t now_ms)
{
    return budget_spend(&allowance->comings, chat_rate(allowance), now_ms);
}

bool allowance_spend_stranger(struct allowance *allowance, uint64_t source,
                              int64_t now_ms)
{
    if (allowance->strangers == NULL)
        allowance->strangers = mem_new(sizeof *allowance->strangers);
    return strangers_spend(allowance->strangers, source, now_ms);
}

/* --- Life --- */

void allowance_open(struct allowance *allowance, struct allowances *of,
                    struct pass *pass, void *owner)
{
    *allowance = (struct allowance){.of = of, .pass = pass, .owner = owner};
}

void allowance_set_pass(struct allowance *allowance, struct pass *pass)
{
    allowance->pass = pass;
}

void allowance_close(struct allowance *allowance)
{
    forget_budget(allowance);
    free(allowance->strangers);
    allowance->strangers = NULL;
}

struct allowances *allowances_new(struct event_base *base,
                                  const struct allowance_rates *rates,
                                  struct admission *admission,
                                  allowance_budget_fn *on_budget)
{
    struct allowances *allowances = mem_new(sizeof *allowances);

    allowances->rates = *rates;
    allowances->admission = admission;
    allowances->on_budget = on_budget;
    allowances->budget_timer = timer_new(base, on_budget_timer, allowances);
    return allowances;
}

void allowances_change(struct allowances *allowances,
                       const struct allowance_rates *rates)
{
    allowances->rates = *rates;
}

void allowances_free(struct allowances *allowances)
{
    if (allowances == NULL)
        return;
    assert(allowances->waiters == NULL);
    event_free(allowances->budget_timer);
    free(allowances);
}
