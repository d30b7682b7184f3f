/* See sources.h. */
#include "server/admission/sources.h"

#include <assert.h>
#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"

enum { FORGET_AT_ONCE = 4 };

struct sources {
    struct source *by_network;
    struct source *to_check; /* all entries; the next entry to check for removal is the
                              * first */
    struct source others;    /* the common entry of all sources that are not stored */
    int max;
};

/* The levels from the widest network to the source itself. */
static const struct level {
    int bits;
    unsigned char weight;
} v4_levels[] = {{24, 4}, {32, 1}}, v6_levels[] = {{48, 4}, {56, 2}, {64, 1}};

struct sources *sources_new(int max)
{
    struct sources *sources = mem_new(sizeof *sources);

    sources->max = max;
    sources->others.weight = v4_levels[0].weight;
    sources->others.uses = 1;
    return sources;
}

static void forget(struct sources *sources, struct source *source)
{
    if (source->parent != NULL)
        source->parent->uses--;
    DL_DELETE(sources->to_check, source);
    HASH_DEL(sources->by_network, source);
    free(source);
}

void sources_free(struct sources *sources)
{
    struct source *source, *next;

    if (sources == NULL)
        return;
    HASH_ITER (hh, sources->by_network, source, next) {
        HASH_DEL(sources->by_network, source);
        free(source);
    }
    free(sources);
}

static bool owes_nothing(const struct source *source, int64_t now_ms)
{
    return source->uses == 0 && source->next_log_ms <= now_ms &&
           source->penalty_ms <= now_ms && budget_is_full(&source->connects, now_ms) &&
           budget_is_full(&source->returns, now_ms) &&
           budget_is_full(&source->work, now_ms) &&
           budget_is_full(&source->chat, now_ms);
}

static void forget_some(struct sources *sources, int64_t now_ms)
{
    for (int i = 0; i < FORGET_AT_ONCE && sources->to_check != NULL; i++) {
        struct source *source = sources->to_check;

        if (owes_nothing(source, now_ms)) {
            forget(sources, source);
        } else { /* move it to the end, to check the others first */
            DL_DELETE(sources->to_check, source);
            DL_APPEND(sources->to_check, source);
        }
    }
}

static struct source *find(struct sources *sources, const struct prefix *network)
{
    struct source *source;

    HASH_FIND(hh, sources->by_network, network, sizeof *network, source);
    return source;
}

static struct source *add(struct sources *sources, const struct prefix *network,
                          struct source *parent, unsigned char weight)
{
    struct source *source = mem_new(sizeof *source);

    source->network = *network;
    source->weight = weight;
    source->parent = parent;
    if (parent != NULL)
        parent->uses++;
    HASH_ADD(hh, sources->by_network, network, sizeof source->network, source);
    DL_APPEND(sources->to_check, source);
    return source;
}

struct source *sources_use(struct sources *sources, const struct prefix *from,
                           int64_t now_ms)
{
    bool is_v4 = prefix_is_v4(from);
    const struct level *level = is_v4 ? v4_levels : v6_levels;
    size_t levels = is_v4 ? ARRAY_LEN(v4_levels) : ARRAY_LEN(v6_levels);
    struct source *source = NULL;

    forget_some(sources, now_ms);
    for (size_t i = 0; i < levels; i++) {
        struct prefix network = prefix_network(from, level[i].bits, level[i].bits);
        struct source *part = find(sources, &network);

        if (part == NULL && sources_count(sources) >= sources->max)
            break;
        source = part != NULL ? part : add(sources, &network, source, level[i].weight);
    }
    if (source == NULL)
        source = &sources->others;
    source->uses++;
    return source;
}

void sources_drop(struct source *source)
{
    assert(source->uses > 0);
    source->uses--;
}

struct source *sources_next(const struct sources *sources, const struct source *after)
{
    return after == NULL ? sources->by_network : after->hh.next;
}

int sources_count(const struct sources *sources)
{
    return (int)HASH_COUNT(sources->by_network);
}
