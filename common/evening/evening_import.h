/* Reads a TRF file into an evening that has not begun, or into one whose rounds the file
 * repeats and continues. Pure: it only gives the events that do this. */
#ifndef COMMON_EVENING_EVENING_IMPORT_H
#define COMMON_EVENING_EVENING_IMPORT_H

#include "common/evening/evening.h"
#include "common/evening/evening_trf.h"

struct evening_import_calls {
    /* The next event; each one fits after those before it. */
    void (*event)(void *arg, const char *text);
    /* False: that player can have no game here, and is not paired: "leave N". */
    bool (*may_play)(void *arg, const char *name);
    void *arg;
};

/* Gives the events that make the evening what the file says. Players of the evening are
 * found by their names; those who are only in the evening stay. The rounds that the
 * evening has must be the same in the file. A round robin takes only the rounds that it
 * would draw itself. If it had no round before, the evening pauses: its next round is
 * paired when its maker says so. False: *fault says why. The caller applies no event of a
 * call that returned false. */
bool evening_import(const struct evening *evening, const char *file,
                    const struct evening_import_calls *calls,
                    struct evening_trf_fault *fault) MUST_USE;

#endif
