/* All club evenings of the server: their logs in memory and on disk, and who may make
 * how many. What happens in an evening, and when, is in evening_run.h. */
#ifndef SERVER_EVENING_EVENINGS_H
#define SERVER_EVENING_EVENINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "server/evening/evening_log.h"

struct evenings;

enum {
    EVENINGS_MAX = 500, /* evenings that are kept; a further one replaces one that is
                         * over, see evenings_new() */
    EVENINGS_OPEN_MAX = 20, /* members make no evening while this many are not over */
    EVENINGS_EACH_MAX = 3,  /* evenings of one maker that are not over */
    EVENINGS_DAY_MAX = 10,  /* evenings that one member makes within a day */
    /* in one evening */
    EVENINGS_JOINS_MAX = 10,  /* times that one player joins an evening */
    EVENINGS_CHANGES_MAX = 10 /* changes of a player's points, or of a board's result */
};

/* Owned by struct evenings. Other files may read it. */
struct evening_entry {
    struct evening_log log;
    bool has_all_results; /* evening and games are over; written by evenings.c */
    /* written by evening_run.c */
    int64_t starts_ms; /* when the games of the round begin; 0: they have begun */
    /* Players who have not come by come_ms miss the round. The time for which writes have
     * waited since then is added: come_held_ms is what rooms_held_ms() was. */
    int64_t come_ms, come_held_ms;
    int64_t noshow_ms; /* when to look who has not come; INT64_MAX: never */
    int64_t seats_ms;  /* players without a free seat by then miss the round; 0: the
                        * games are not due yet */
    int64_t stays_ms;  /* nothing happens before */
    bool is_asked;     /* the program of the host pairs the next round now */
    UT_hash_handle hh;
};

/* Reads the logs. NULL after logging which one is damaged. Borrows the store. */
struct evenings *evenings_open(struct store *store) MUST_USE;
/* `evenings` may be NULL. */
void evenings_close(struct evenings *evenings);

struct evening_entry *evenings_find(struct evenings *evenings, int64_t id);
/* The evenings in the order of their numbers, the newest last. */
struct evening_entry *evenings_first(struct evenings *evenings);
struct evening_entry *evenings_next(struct evening_entry *entry);

/* The limit that refuses that maker another evening now; 0: no limit is reached. */
int evenings_limit(const struct evenings *evenings, const char *maker);
/* In how many seconds the account with that number may make another evening; 0: now.
 * EVENINGS_DAY_MAX may be made in any 24 h, including those that a series makes. */
int64_t evenings_wait_s(const struct evenings *evenings, int64_t account,
                        int64_t now_wall_s);
/* Makes an evening from its first event; done as in store.h. Returns NULL if the event is
 * invalid. When EVENINGS_MAX are kept, removes one that is over: if possible one in which
 * no game was played, and of these the oldest of the maker who has the most. */
struct evening_entry *evenings_new(struct evenings *evenings, const char *text,
                                   store_done_fn *done, void *arg) MUST_USE;
/* Appends an event, which takes effect at once. When the event is on disk, it is shown,
 * and then `done` is called. False: the event is not possible now. */
bool evenings_append(struct evenings *evenings, struct evening_entry *entry,
                     store_done_fn *done, void *arg, const char *text) MUST_USE;

/* Finds the pair of a running game, and its evening; false: the game belongs to none. */
bool evenings_find_game(struct evenings *evenings, int64_t game,
                        struct evening_entry **entry, const struct evening_pair **pair);
/* True for a game whose board in an evening is undecided. */
bool evenings_await(struct evenings *evenings, int64_t game);

/* Calls fn for each event about the person with that folded name: an evening that they
 * made, their joining and leaving, their points, the results of their boards. Does not
 * look for the name in the words of makers. The newest evening comes first. When there
 * were `most` events, older evenings are left out. `text` is valid during the call. */
typedef void evenings_event_fn(void *arg, int64_t evening, int64_t wall_s,
                               const char *text);
void evenings_about(const struct evenings *evenings, const char *folded, int most,
                    evenings_event_fn *fn, void *arg);
/* Erases a person: replaces the folded name by the alias in all logs, also in the words
 * of makers. Call it in one batch with the erasure of the account. */
void evenings_erase(struct evenings *evenings, const char *folded, const char *alias);

#endif
