/* One game as a text that is complete and can be played again: its events in order, and
 * where and when it was played. This is our own format; record_gib.h, record_pgn.h and
 * record_json.h have the formats of other programs.
 *
 *   janggi-record 1
 *   server=KEY game=17 ended=2026-11-21T19:06:24Z
 *   0 start red=hong blue=kim rules=martin time=10m+5s
 *   1 setup red NBNB
 *   ...
 *   57 end red checkmate
 *   key=BASE64URL
 *   signature=BASE64URL
 *
 * Each line ends with an LF. The second line has server= (the digest of the server's
 * public key, as in links, 43 characters), game= (the number of the game at that
 * server) and ended= (in UTC), each only if its value is known. If none is known, there
 * is no second line. Keys that this version does not know are skipped. Then come the
 * events of event.h, numbered from 0; common/game applies them. If a record has no end
 * event, it is the valid record of an unfinished game. The last two lines are the
 * server's public key, and a signature over every byte before the line of the
 * signature. Either both lines are there, or both are missing. record_sign.h makes and
 * checks signatures. Pure, except that it allocates memory. */
#ifndef COMMON_RECORD_RECORD_H
#define COMMON_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/game/game.h"

enum {
    RECORD_KEY_BYTES = 44,      /* SHA-256 as base64url */
    RECORD_ENDED_BYTES = 21,    /* "2026-11-21T19:06:24Z" */
    RECORD_SIGNED_BYTES = 1024, /* limit of the values of key= and signature=, in
                                 * base64url */
    RECORD_LINE_BYTES = RECORD_SIGNED_BYTES + 16,
    RECORD_WHY_BYTES = 400
};

/* Owns its texts. Other files may read the members; only record_add() adds events. */
struct record {
    char server[RECORD_KEY_BYTES];  /* "": unknown, or not played on a server */
    int64_t game;                   /* number of the game on that server; -1: unknown */
    char ended[RECORD_ENDED_BYTES]; /* "": unknown, or the game has not ended */
    char **event;                   /* event[i] is the text of event number i, as
                                     * event_format() writes it */
    int events;
    int room;
    char public_key[RECORD_SIGNED_BYTES]; /* the value of key=; "": no key */
    char signature[RECORD_SIGNED_BYTES];  /* "": not signed */
    size_t signed_bytes; /* in the text that was read, the number of bytes before
                          * signature=; without a signature, the number of all bytes */
};

void record_init(struct record *record);
/* Frees the members; the caller owns the struct. Accepts a zeroed one. */
void record_clear(struct record *record);

/* Adds a copy of the text of the next event, which is shorter than EVENT_BYTES. This
 * function does not check the text; record_fold() or record_step() checks it later. */
void record_add(struct record *record, const char *event);
/* Like record_add(), but makes the text from event. */
void record_add_event(struct record *record, const struct event *event);

/* Applies `event` to `game` and adds it to `record`. If the event cannot come next,
 * returns false with the reason in *why, and changes nothing. */
bool record_play(struct record *record, struct game *game, const struct event *event,
                 char why[RECORD_WHY_BYTES]) MUST_USE;

/* Returns true if the set-up of `game` was completed, even if the game has ended
 * since. */
bool record_has_play(const struct game *game);

/* Returns the time that `side` had left after ply number `ply` of `game`; 0 means the
 * start of the game. */
struct time_left record_left(const struct game *game, int ply, enum side side);

/* Returns true if `text` is a valid date and time in the form
 * "2026-11-21T19:06:24Z". */
bool record_is_ended_text(const char *text);

/* Returns the record as text; the caller frees it. If record has a public_key and no
 * signature, this text is exactly what must be signed. To make the signed record,
 * append "signature=...\n" to it. */
char *record_write(const struct record *record) MUST_USE;

/* Reads `len` bytes of `text`, applies every event by the rules of the game, and fills
 * *out, which record_clear() frees. If the text is not a valid record, returns false
 * with *out unchanged; *why then names the line and the error, without quoting the
 * text. */
bool record_read(struct record *out, const char *text, size_t len,
                 char why[RECORD_WHY_BYTES]) MUST_USE;

/* Applies event number *at of `record` to `game`, and sets *at to the number of the
 * next event. Skips events of an unknown kind. If no event is left, returns false with
 * "" in `why`. If the event cannot come next, returns false with the reason in
 * `why`. */
bool record_step(const struct record *record, int *at, struct game *game,
                 char why[RECORD_WHY_BYTES]) MUST_USE;

/* Applies all events of `record` to `game`, which must be empty. If an event cannot
 * follow the earlier events, stops and returns false. Then `why` names this event, and
 * the events before it have been applied. */
bool record_fold(const struct record *record, struct game *game,
                 char why[RECORD_WHY_BYTES]) MUST_USE;

#endif
