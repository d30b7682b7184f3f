/* See usage.h. */
#include "server/net/usage.h"

#include <assert.h>
#include <stdlib.h>

#include <event2/event.h>
#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "server/base/timer.h"

enum { MILLI = 1000, LINE_BYTES = 1024, BUDGET_CHECK_MS = 100 };

static const struct rate seat_rate = {50, 40};
static const struct rate strangers_rate = {1000, 5}, same_stranger_rate = {1000, 3};

struct usages {
    struct rate chat;
    struct admission *admission;
    usage_budget_fn *on_budget;
    struct usage *waiters; /* clients that watch games and wait until their source has
                            * budget again */
    struct event *budget_timer;
};

/* --- Lines, and what they cost --- */

/* Charges the output and `milli` thousandths of a line, and meters them with `lines`
 * lines. */
static void charge(struct usage *usage, int64_t milli, bool is_refused, unsigned lines,
                   int64_t now_ms)
{
    struct meter_sum use = {.lines = lines,
                            .bytes = usage->unpaid_bytes + usage->free_bytes};

    milli += (int64_t)usage->unpaid_bytes * MILLI / LINE_BYTES;
    use.milli = (uint64_t)milli;
    usage->unpaid_bytes = usage->free_bytes = 0;
    meter_add(&usage->meter, use, now_ms);
    admission_charge(usage->of->admission, usage->slot, milli, is_refused, now_ms);
}

int64_t usage_take_line(struct usage *usage, int64_t now_ms)
{
    int64_t wait_ms;

    if (usage->unpaid_bytes >= LINE_BYTES)
        charge(usage, 0, false, 0, now_ms);
    wait_ms = admission_line_wait_ms(usage->of->admission, usage->slot, now_ms);
    charge(usage, MILLI, wait_ms > 0, 1, now_ms);
    return wait_ms;
}

bool usage_spend_seat(struct usage *usage, int64_t now_ms)
{
    bool has_some = budget_wait_ms(&usage->seat, seat_rate, now_ms) == 0;

    budget_charge(&usage->seat, seat_rate, MILLI, now_ms); /* a refused line as well */
    return has_some;
}

void usage_note_output(struct usage *usage, size_t bytes, bool is_for_command)
{
    if (is_for_command)
        usage->unpaid_bytes += bytes;
    else
        usage->free_bytes += bytes;
}

void usage_charge_output(struct usage *usage, int64_t now_ms)
{
    charge(usage, 0, false, 0, now_ms);
}

void usage_charge(struct usage *usage, int lines, int64_t now_ms)
{
    charge(usage, (int64_t)lines * MILLI, false, 0, now_ms);
}

void usage_charge_told(struct usage *usage, size_t bytes, int64_t now_ms)
{
    usage_charge(usage, (int)(bytes / LINE_BYTES), now_ms);
}

struct meter_sum usage_read(struct usage *usage, int64_t now_ms)
{
    meter_add(&usage->meter, (struct meter_sum){.bytes = usage->free_bytes}, now_ms);
    usage->free_bytes = 0;
    return meter_read(&usage->meter, now_ms);
}

/* --- Games that the client only watches --- */

bool usage_may_watch(struct usage *usage)
{
    struct usages *of = usage->of;

    if (admission_line_wait_ms(of->admission, usage->slot, mono_now_ms()) == 0)
        return true;
    if (!usage->awaits_budget)
        DL_APPEND(of->waiters, usage);
    usage->awaits_budget = true;
    if (!event_pending(of->budget_timer, EV_TIMEOUT, NULL))
        timer_start(of->budget_timer, BUDGET_CHECK_MS);
    return false;
}

void usage_charge_watching(struct usage *usage, size_t bytes)
{
    charge(usage, MILLI + (int64_t)bytes * MILLI / LINE_BYTES, false, 0, mono_now_ms());
}

/* Lets all waiting clients continue. If one of them uses up the budget of its source
 * again, the later clients of that source go back into the list. */
static void on_budget_timer(evutil_socket_t fd, short what, void *arg)
{
    struct usages *usages = arg;
    struct usage *list = usages->waiters, *usage, *next;

    (void)fd;
    (void)what;
    usages->waiters = NULL;
    DL_FOREACH_SAFE (list, usage, next) {
        usage->awaits_budget = false;
        if (usage_may_watch(usage))
            usages->on_budget(usage->owner);
    }
}

/* --- Chat and strangers --- */

bool usage_has_chat(const struct usage *usage, const struct budget *chat,
                    int64_t now_ms)
{
    if (chat == NULL)
        chat = &usage->chat;
    return budget_wait_ms(chat, usage->of->chat, now_ms) == 0;
}

void usage_charge_chat(struct usage *usage, struct budget *chat, bool is_guest,
                       int64_t now_ms)
{
    if (is_guest && usage->slot != NULL)
        charge(usage, admission_share_milli(usage->of->admission), false, 0, now_ms);
    budget_charge(chat != NULL ? chat : &usage->chat, usage->of->chat, MILLI, now_ms);
}

bool usage_spend_coming(struct usage *usage, int64_t now_ms)
{
    return budget_spend(&usage->comings, usage->of->chat, now_ms);
}

bool usage_spend_stranger(struct usage *usage, uint64_t source, int64_t now_ms)
{
    bool is_same = source == usage->last_stranger;

    if (budget_wait_ms(&usage->strangers, is_same ? same_stranger_rate : strangers_rate,
                       now_ms) > 0)
        return false;
    budget_charge(&usage->strangers, strangers_rate, MILLI, now_ms);
    usage->last_stranger = source;
    return true;
}

/* --- Life --- */

void usage_open(struct usage *usage, struct usages *of, struct slot *slot, void *owner)
{
    *usage = (struct usage){.of = of, .slot = slot, .owner = owner};
}

void usage_close(struct usage *usage)
{
    if (usage->awaits_budget)
        DL_DELETE(usage->of->waiters, usage);
    usage->awaits_budget = false;
}

struct usages *usages_new(struct event_base *base, struct rate chat,
                          struct admission *admission, usage_budget_fn *on_budget)
{
    struct usages *usages = mem_new(sizeof *usages);

    *usages =
        (struct usages){.chat = chat, .admission = admission, .on_budget = on_budget};
    usages->budget_timer = timer_new(base, on_budget_timer, usages);
    return usages;
}

void usages_change(struct usages *usages, struct rate chat)
{
    usages->chat = chat;
}

void usages_free(struct usages *usages)
{
    if (usages == NULL)
        return;
    assert(usages->waiters == NULL);
    event_free(usages->budget_timer);
    free(usages);
}
