/* A game in this process, without a server, and the record of this game. common/game
 * judges the commands and applies the events; on_event reports the events. These
 * functions do not use the screen. */
#ifndef CLIENT_LOCAL_TABLE_H
#define CLIENT_LOCAL_TABLE_H

#include <limits.h>
#include <stdbool.h>

#include "client/view/model.h"
#include "common/base/base.h"
#include "common/record/record.h"

/* The terms of the next game. */
struct table_wish {
    const struct ruleset *rules;
    struct time_terms terms;
    char name[SIDES][EVENT_NAME_BYTES]; /* the names of people; unused for the computer,
                                         * whose name contains its level */
    bool is_computer[SIDES];
    int level; /* of the computer */
    bool has_lineup[SIDES];
    enum lineup lineup[SIDES];
    bool has_position;
    struct position position;
};

struct table {
    struct table_wish wish;
    struct model model; /* contains one game, the current one */
    struct model_game *game;
    struct record record;     /* of `game`, for saving */
    bool is_flipped;          /* Blue is at the bottom */
    char save_path[PATH_MAX]; /* file for a "save" without a name: the last saved file,
                               * or the loaded file if its format is RECORDS_RECORD; "":
                               * none */
    bool is_saved;            /* the game has not changed since its start, its loading
                               * or its last saving */
    /* Called with each event after it was applied to the game. */
    void (*on_event)(void *owner, const struct model_news *news);
    void *owner;
};

/* Makes a table without a game. The caller then sets on_event and owner. */
void table_init(struct table *table, const struct table_wish *wish, bool is_flipped);
void table_clear(struct table *table);

/* Starts a game with the terms in table->wish, and sets up the line-ups given there. */
void table_begin(struct table *table);
/* Lets the players change sides for the next game, which has the same terms. */
void table_change_seats(struct table *table);

/* Applies and records the events of an accepted command; calls on_event for each. */
void table_take(struct table *table, const struct game_news *news);

/* Returns the side that is to move or to set up, or SIDE_NONE. */
enum side table_turn(const struct table *table);
bool table_is_computers_turn(const struct table *table);
bool table_has_computer(const struct table *table);
/* Returns true if moves have been made and the game is not over. */
bool table_is_running(const struct table *table);

enum table_back {
    TABLE_BACK_NONE,    /* nothing was taken back: there are too few plies */
    TABLE_BACK_TAKEN,   /* plies were taken back, which on_event has reported */
    TABLE_BACK_REOPENED /* the game was over; its end was removed, and the last ply if
                         * this ply caused the end */
};

/* Takes back the last `plies` plies. If `plies` is 0, goes back to the last earlier
 * position in which a person was to move. If the game is over, also removes the end of
 * the game. If the last ply is removed together with the end, this ply counts as one of
 * the `plies` plies. */
enum table_back table_take_back(struct table *table, int plies) MUST_USE;

/* Saves the record in the file at `path`. Returns false with errno set on failure. */
bool table_save(struct table *table, const char *path) MUST_USE;
/* Replaces the game by the one in the file at `path`. Does not call on_event, except
 * for the event that continues an adjourned game. Returns false after printing the
 * reason. */
bool table_load(struct table *table, const char *path) MUST_USE;

#endif
