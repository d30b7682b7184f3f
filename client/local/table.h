/* The game in this process and its record: the referee of a game without a server.
 * Judged and folded by common/game; news of it goes up by callback. Knows no screen. */
#ifndef CLIENT_LOCAL_TABLE_H
#define CLIENT_LOCAL_TABLE_H

#include <limits.h>
#include <stdbool.h>

#include "client/view/model.h"
#include "common/base/base.h"
#include "common/record/record.h"

/* What the next game is to be. */
struct table_wish {
    const struct ruleset *rules;
    struct time_terms terms;
    char name[SIDES][EVENT_NAME_BYTES]; /* of people; a computer's says its level */
    bool is_computer[SIDES];
    int level; /* of the computer */
    bool has_lineup[SIDES];
    enum lineup lineup[SIDES];
    bool has_position;
    struct position position;
};

struct table {
    struct table_wish wish;
    struct model model; /* of one game, which is current */
    struct model_game *game;
    struct record record;     /* the same, to be saved */
    bool is_flipped;          /* Blue is below */
    char save_path[PATH_MAX]; /* where the game was last saved, or came from; "" */
    bool is_saved;            /* nothing has happened since */
    /* One more event, after it was folded in. */
    void (*on_event)(void *owner, const struct model_news *news);
    void *owner;
};

void table_init(struct table *table, const struct table_wish *wish, bool is_flipped);
void table_clear(struct table *table);

/* A new game by table->wish; what is already chosen is set up. */
void table_begin(struct table *table);
/* The same two players and terms, with the seats changed. */
void table_change_seats(struct table *table);

/* What a judgement of the game says follows: each event is folded in and recorded, and
 * on_event is called. */
void table_take(struct table *table, const struct game_news *news);

/* The side that is to move or to set up now, SIDE_NONE for none. */
enum side table_turn(const struct table *table);
bool table_is_computers_turn(const struct table *table);
bool table_has_computer(const struct table *table);
/* Moves have been made, and the game is not over. */
bool table_is_running(const struct table *table);

enum table_back {
    TABLE_BACK_NONE,  /* there are not so many plies */
    TABLE_BACK_TAKEN, /* on_event has been called */
    TABLE_BACK_REOPENED
};

/* Takes back plies, or with 0 the last move of a person; after the end too, which is
 * then all that is taken back if no more was asked for. */
enum table_back table_take_back(struct table *table, int plies) MUST_USE;

/* False: errno says why. */
bool table_save(struct table *table, const char *path) MUST_USE;
/* The game in the file at path in place of this one, without events. False after words
 * on why not. */
bool table_load(struct table *table, const char *path) MUST_USE;

#endif
