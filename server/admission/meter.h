/* Measures a client's use of the server in about the last minute: lines in, bytes
 * out. */
#ifndef SERVER_ADMISSION_METER_H
#define SERVER_ADMISSION_METER_H

#include <stdint.h>

/* Zero at first. Counts per whole minute: the current one and the one before. */
struct meter {
    int64_t began_ms; /* of the one that runs */
    struct meter_sum {
        uint64_t lines, bytes;
    } now, before;
};

void meter_add(struct meter *meter, int64_t now_ms, uint64_t lines, uint64_t bytes);

/* The sum of the last 60 s. Counts the part of the previous minute that is within the
 * 60 s, as if its use had been spread evenly. */
struct meter_sum meter_read(const struct meter *meter, int64_t now_ms);

/* One number for comparison: a line, and a kilobyte of output, cost 1 each. */
uint64_t meter_cost(struct meter_sum sum);

#endif
