/* All club evenings of the server: their logs in memory and on disk, and how many
 * evenings each member may make. evening_run.h decides what happens in an evening, and
 * when. */
#ifndef SERVER_EVENING_EVENINGS_H
#define SERVER_EVENING_EVENINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "server/evening/evening_log.h"

struct evenings;

enum {
    EVENINGS_MAX = 500,     /* limit of evenings that are kept; see evenings_new() */
    EVENINGS_OPEN_MAX = 20, /* no member can make an evening while this many are not
                             * over */
    EVENINGS_EACH_MAX = 3,  /* evenings of one maker that are not over */
    EVENINGS_DAY_MAX = 10,  /* evenings that one member makes within a day */
    /* limits within one evening */
    EVENINGS_JOINS_MAX = 10,  /* times that one player joins an evening */
    EVENINGS_CHANGES_MAX = 10 /* changes of a player's points, or of a board's result */
};

/* Owned by struct evenings. Other files may read it. */
struct evening_entry {
    struct evening_log log;
    bool has_all_results; /* the evening and all its games are over; written by
                           * evenings.c */
    /* The members below are written by evening_run.c. Times are those of
     * mono_now_ms(). */
    int64_t starts_ms; /* when the games of the round begin; 0: they have begun */
    /* Players who have not come at the time come_ms miss the round. If writes had to
     * wait after come_ms was set, players get the same amount of time in addition. To
     * measure this time, come_held_ms keeps the value that rooms_held_ms() had when
     * come_ms was set. */
    int64_t come_ms, come_held_ms;
    int64_t noshow_ms; /* when to check next who has not come; INT64_MAX: never */
    int64_t seats_ms;  /* when players with ACCOUNT_GAMES_MAX games miss the round; 0:
                        * the games are not due yet */
    int64_t stays_ms;  /* no step of the evening is taken before this time */
    UT_hash_handle hh;
};

/* Reads the logs of all evenings from the store, which it borrows. Returns NULL after
 * logging if the store cannot be read or a log is damaged. */
struct evenings *evenings_open(struct store *store) MUST_USE;
/* Accepts NULL. */
void evenings_close(struct evenings *evenings);

struct evening_entry *evenings_find(struct evenings *evenings, int64_t id);
/* Return the evenings in the order of their numbers, the newest last; NULL: no more. */
struct evening_entry *evenings_first(struct evenings *evenings);
struct evening_entry *evenings_next(struct evening_entry *entry);

/* Returns the limit, EVENINGS_EACH_MAX or EVENINGS_OPEN_MAX, that keeps the member
 * `maker` from making another evening now; 0: no limit is reached. */
int evenings_limit(const struct evenings *evenings, const char *maker);
/* Returns in how many seconds the account with that number may make another evening; 0:
 * now. An account may make EVENINGS_DAY_MAX evenings in any 24 h. */
int64_t evenings_wait_s(const struct evenings *evenings, int64_t account,
                        int64_t now_wall_s);
/* Makes an evening from the text of its first event. Returns NULL if the event is
 * invalid. If EVENINGS_MAX evenings are kept already, removes an evening that is over:
 * if possible, an evening in which no game was played. If there are several, chooses
 * the maker who has the most evenings, and removes the oldest evening of this maker. */
struct evening_entry *evenings_new(struct evenings *evenings,
                                   const char *text) MUST_USE;
/* Appends an event, which takes effect at once. Returns false if the event is not
 * possible now. */
bool evenings_append(struct evenings *evenings, struct evening_entry *entry,
                     const char *text) MUST_USE;

/* Makes the player leave all evenings that are not over. Call it when a person is
 * banned or is about to be erased; then call evening_run_changed(). */
void evenings_remove_player(struct evenings *evenings, const char *name);

/* Finds the evening of a game, and the pair that plays the game. Skips an evening if
 * the evening and all its games are over. Returns false if no evening is found. */
bool evenings_find_game(struct evenings *evenings, int64_t game,
                        struct evening_entry **entry, const struct evening_pair **pair);
/* True if the game belongs to an evening and has no result there yet. */
bool evenings_await(struct evenings *evenings, int64_t game);

/* Calls fn for each event about the person whose folded name is `folded`: an evening
 * that they made, their joining and leaving, their points, the results of their boards.
 * Ignores the free texts that makers have added to events. Begins with the newest
 * evening. After each evening, stops if fn was already called `most` times or more.
 * `text` is valid during the call. */
typedef void evenings_event_fn(void *arg, int64_t evening, int64_t wall_s,
                               const char *text);
void evenings_about(const struct evenings *evenings, const char *folded, int most,
                    evenings_event_fn *fn, void *arg);
/* Erases a person: replaces each spelling of the folded name `folded` by the alias in
 * all logs, also in the free texts of makers. Call it in one batch with the erasure of
 * the account. */
void evenings_erase(struct evenings *evenings, const char *folded, const char *alias);

#endif
