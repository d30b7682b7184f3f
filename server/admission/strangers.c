/* See strangers.h. */
#include "server/admission/strangers.h"

#include <stddef.h>

static struct stranger *find(struct strangers *strangers, uint64_t source)
{
    for (int i = 0; i < strangers->count; i++)
        if (strangers->kept[i].source == source)
            return &strangers->kept[i];
    return NULL;
}

/* Returns a free entry, or else the entry of the source that was heard longest ago. */
static struct stranger *find_place(struct strangers *strangers)
{
    struct stranger *oldest = &strangers->kept[0];

    if (strangers->count < STRANGERS_KEPT)
        return &strangers->kept[strangers->count++];
    for (int i = 1; i < strangers->count; i++)
        if (strangers->kept[i].heard_ms < oldest->heard_ms)
            oldest = &strangers->kept[i];
    return oldest;
}

bool strangers_spend(struct strangers *strangers, uint64_t source, int64_t now_ms)
{
    static const int64_t new_ms = STRANGERS_NEW_S * INT64_C(1000);
    struct stranger *known = find(strangers, source);
    bool is_new = known == NULL || now_ms - known->heard_ms >= new_ms;
    int left = is_new ? 0 : STRANGERS_LEFT;
    struct rate all = rate_of(STRANGERS_PER_S, STRANGERS_BURST);

    if (!budget_has(&strangers->lines, rate_of(STRANGERS_PER_S, STRANGERS_BURST - left),
                    now_ms))
        return false;
    budget_charge(&strangers->lines, all, 1000, now_ms);
    if (known == NULL)
        known = find_place(strangers);
    *known = (struct stranger){.source = source, .heard_ms = now_ms};
    return true;
}
