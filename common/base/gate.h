/* Output that waits for its commit. A server changes its state at once and queues rows
 * for its disk; what it sends waits until the rows are there that it tells of. Each
 * queued row has a number, and each sent line a stamp: the number of the newest row that
 * it may tell of. A wire (wire.h) keeps a line back until `durable` has reached its
 * stamp.
 *
 * The stamp of a line is the newest row there is, which is right by construction: a line
 * can only tell of what happened before it. gate_narrow() sets a smaller one. All members
 * belong to the loop, except `synced`. */
#ifndef COMMON_BASE_GATE_H
#define COMMON_BASE_GATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Stamps of lines that tell nothing of any row. The first overtakes lines that wait,
 * the second goes behind them. */
enum { GATE_FREE, GATE_IN_ORDER };

struct gate {
    uint64_t newest;  /* the last row that was queued; GATE_IN_ORDER: none was */
    uint64_t durable; /* this row and all before it are on disk */
    /* The same, written by the thread that has synced them. The wires assert against
     * it, so that a mistake of the loop cannot let a line go too early. */
    _Atomic uint64_t synced;
    bool is_narrow;
    uint64_t narrow;
};

static inline void gate_init(struct gate *gate)
{
    *gate = (struct gate){
        .newest = GATE_IN_ORDER, .durable = GATE_IN_ORDER, .synced = GATE_IN_ORDER};
}

/* Returns the stamp of a line that is sent now. `gate` NULL: nothing waits. */
static inline uint64_t gate_stamp(const struct gate *gate)
{
    if (gate == NULL)
        return GATE_FREE;
    return gate->is_narrow ? gate->narrow : gate->newest;
}

/* From now on lines tell of rows up to `number` only; until gate_widen() or the next
 * queued row. */
static inline void gate_narrow(struct gate *gate, uint64_t number)
{
    if (gate == NULL)
        return;
    gate->is_narrow = true;
    gate->narrow = number;
}

static inline void gate_widen(struct gate *gate)
{
    if (gate != NULL)
        gate->is_narrow = false;
}

/* Queues a row: returns its number. */
static inline uint64_t gate_queue(struct gate *gate)
{
    gate->is_narrow = false;
    return ++gate->newest;
}

#endif
