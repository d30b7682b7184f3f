/* Imports a tournament report file (TRF, see evening_trf.h) into an evening. Either the
 * evening has no rounds yet, or its rounds are also the first rounds of the file. Pure:
 * does not change the evening. Passes events to a callback, and the caller applies
 * these events to the evening. */
#ifndef COMMON_EVENING_EVENING_IMPORT_H
#define COMMON_EVENING_EVENING_IMPORT_H

#include "common/evening/evening.h"
#include "common/evening/evening_trf.h"

struct evening_import_calls {
    /* Receives the next event. The evening accepts the events in the order of the
     * calls. */
    void (*event)(void *arg, const char *text);
    /* Returns false if the player with that name cannot play in this evening. The
     * import then adds the event "leave N", so that the player is not paired. */
    bool (*may_play)(void *arg, const char *name);
    void *arg;
};

/* Reads the players and rounds of the file, and calls event() with the events that add
 * them to the evening. A player of the file and a player of the evening are the same
 * if they have the same name. Players who are not in the file stay in the evening. The
 * file must have the rounds of the evening, without a difference. If the evening is a
 * round robin, the games of each new round must be games that the round robin itself
 * would make in this round. If the evening had no rounds before and the file has
 * rounds, the evening pauses after the import: its next round is paired at at_s, or
 * when its maker says so. On failure returns false with the reason in *fault. The
 * caller must then apply none of the events that it received. */
bool evening_import(const struct evening *evening, const char *file,
                    const struct evening_import_calls *calls,
                    struct evening_trf_fault *fault) MUST_USE;

#endif
