/* See table.h. */
#include "client/local/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/engine/computer.h"
#include "client/formats/records.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/system/disk.h"

enum { GAME_ID = 1 };

enum side table_turn(const struct table *table)
{
    return table->game == NULL ? SIDE_NONE : game_turn(&table->game->game);
}

bool table_is_computers_turn(const struct table *table)
{
    enum side turn = table_turn(table);

    return turn != SIDE_NONE && table->wish.is_computer[turn];
}

bool table_is_running(const struct table *table)
{
    return table->game->game.plies > 0 && table->game->game.phase == GAME_PLAY;
}

bool table_has_computer(const struct table *table)
{
    return table->wish.is_computer[SIDE_RED] || table->wish.is_computer[SIDE_BLUE];
}

/* --- Who sits here --- */

/* Sets the side of the user at this terminal: against the computer, the person's side;
 * between two people, the side to move. */
static void take_seat(struct table *table)
{
    struct model_game *game = table->game;
    enum side turn = table_turn(table);
    bool is_shared = !table_has_computer(table);

    game->is_ours = true;
    game->is_shared = is_shared;
    if (!is_shared)
        game->side = table->wish.is_computer[SIDE_RED] ? SIDE_BLUE : SIDE_RED;
    else if (turn != SIDE_NONE)
        game->side = turn;
    game->is_turned = (game->side == SIDE_BLUE) != table->is_flipped;
    if (is_shared && game->game.phase == GAME_OVER)
        game->is_ours = false; /* two people play here: texts must not say "you" */
}

/* --- Events --- */

static void fold(struct table *table, const char *text, struct model_news *news)
{
    model_take_event(&table->model, GAME_ID, table->record.events, text, mono_now_ms(),
                     news);
    if (news->took == MODEL_BROKEN)
        log_die("table: \"%s\" does not follow",
                text); /* the event was judged before, so
                        * this is a bug */
    record_add(&table->record, text);
    table->game = news->game;
    table->model.current = news->game;
    take_seat(table);
}

static void take_event(struct table *table, const struct event *event)
{
    struct model_news news = {.took = MODEL_SKIPPED};
    char text[EVENT_BYTES];

    event_format(text, event);
    fold(table, text, &news);
    table->is_saved = false;
    if (event->kind == EVENT_START && !table_has_computer(table))
        table->game->is_ours = false; /* two people play here: texts must not say
                                       * "you" */
    table->on_event(table->owner, &news);
    take_seat(table);
}

void table_take(struct table *table, const struct game_news *news)
{
    for (int i = 0; i < news->count; i++)
        take_event(table, &news->event[i]);
}

/* --- Beginning --- */

void table_init(struct table *table, const struct table_wish *wish, bool is_flipped)
{
    *table = (struct table){.wish = *wish, .is_flipped = is_flipped};
    model_init(&table->model);
    record_init(&table->record);
}

void table_clear(struct table *table)
{
    model_clear(&table->model);
    record_clear(&table->record);
    table->game = NULL;
    table->save_path[0] = '\0';
}

void table_begin(struct table *table)
{
    const struct table_wish *wish = &table->wish;
    struct event event = {.kind = EVENT_START,
                          .rules = wish->rules,
                          .terms = wish->terms,
                          .has_position = wish->has_position,
                          .position = wish->position};
    struct game_news news;
    enum side turn;

    table_clear(table);
    for (int side = 0; side < SIDES; side++)
        if (wish->is_computer[side])
            computer_name(event.name[side], wish->level);
        else
            text_copy(event.name[side], EVENT_NAME_BYTES, wish->name[side]);
    take_event(table, &event);
    if (game_judge_due(&table->game->game, &news))
        table_take(table, &news);
    while (table->game->game.phase == GAME_SETUP &&
           (turn = table_turn(table), wish->has_lineup[turn])) {
        if (game_judge_setup(&table->game->game, turn, wish->lineup[turn], &news)
                .code != FAULT_NONE)
            log_die("table: a set-up is refused");
        table_take(table, &news);
    }
    table->is_saved = true; /* nothing to save yet */
}

void table_change_seats(struct table *table)
{
    struct table_wish *wish = &table->wish;
    bool is_computer = wish->is_computer[SIDE_RED];
    char name[EVENT_NAME_BYTES];

    memcpy(name, wish->name[SIDE_RED], sizeof name);
    memcpy(wish->name[SIDE_RED], wish->name[SIDE_BLUE], sizeof name);
    memcpy(wish->name[SIDE_BLUE], name, sizeof name);
    wish->is_computer[SIDE_RED] = wish->is_computer[SIDE_BLUE];
    wish->is_computer[SIDE_BLUE] = is_computer;
}

/* --- Back --- */

/* Rebuilds the game from the first `events` events of its record. Does not call
 * on_event. */
static void refold(struct table *table, int events)
{
    struct record old = table->record;
    struct model_news news;

    model_clear(&table->model);
    record_init(&table->record);
    for (int i = 0; i < events; i++)
        fold(table, old.event[i], &news);
    record_clear(&old);
}

/* Removes the end of the game. If the rules ended the game after the last move, also
 * removes this move. If the rules ended the game before the first move, keeps the end
 * and returns false. */
static bool reopen(struct table *table)
{
    struct game_news news;

    refold(table, table->record.events - 1);
    if (table->game->game.due_reason == REASON_NONE)
        return true;
    if (table->game->game.plies > 0) {
        refold(table, table->record.events - 1);
        return true;
    }
    if (game_judge_due(&table->game->game, &news))
        table_take(table, &news);
    return false;
}

enum table_back table_take_back(struct table *table, int plies)
{
    bool was_over = table->game->game.phase == GAME_OVER;
    int before = table->game->game.plies, to = before - 1;
    const struct game *game;
    struct game_news news;

    if (plies > before || (before == 0 && !was_over) || (was_over && !reopen(table)))
        return TABLE_BACK_NONE;
    game = &table->game->game; /* reopen() has made a new one */
    if (was_over)
        to = game->plies;
    if (plies > 0)
        to = before - plies;
    else
        while (to >= 0 && table->wish.is_computer[game_side_of_ply(game, to + 1)])
            to--; /* to the nearest position in which a person is to move; -1: none */
    table->is_saved = false;
    /* Without its end, the game may be back there already. */
    if (was_over && (to < 0 || to == game->plies || game->phase == GAME_SETUP))
        return TABLE_BACK_REOPENED;
    if (game_judge_takeback(game, to, &news).code != FAULT_NONE)
        return TABLE_BACK_NONE;
    table_take(table, &news);
    return TABLE_BACK_TAKEN;
}

/* --- Files --- */

/* Writes a new file and renames it over the old one, so that a complete file exists at
 * any time. */
static bool write_in_place(const char *path, const char *text)
{
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    char beside[PATH_MAX + 8];
    int error;

    snprintf(beside, sizeof beside, "%s.new", path);
    if (disk_write_text(open(beside, flags, 0666), text) && rename(beside, path) == 0)
        return true;
    error = errno;
    unlink(beside);
    errno = error;
    return false;
}

bool table_save(struct table *table, const char *path)
{
    char *text = record_write(&table->record);
    bool is_written = write_in_place(path, text);
    int error = errno;

    free(text);
    errno = error;
    if (!is_written)
        return false;
    text_copy(table->save_path, sizeof table->save_path, path);
    table->is_saved = true;
    return true;
}

/* Takes the players' names from the loaded game. If the user plays against the computer
 * and exactly one of the names is a computer's name, the computer gets the side with
 * this name and the level that the name contains. In all other cases, wish.is_computer
 * and wish.level do not change. */
static void take_names(struct table *table, const struct game *game)
{
    int level[SIDES] = {computer_level_of(game->name[SIDE_RED]),
                        computer_level_of(game->name[SIDE_BLUE])};

    for (int side = 0; side < SIDES; side++)
        text_copy(table->wish.name[side], EVENT_NAME_BYTES, game->name[side]);
    if (!table_has_computer(table) || (level[SIDE_RED] != 0) == (level[SIDE_BLUE] != 0))
        return;
    for (int side = 0; side < SIDES; side++) {
        table->wish.is_computer[side] = level[side] != 0;
        if (level[side] != 0)
            table->wish.level = level[side];
    }
}

/* Replaces the current game by the one in `file`. */
static void take_file(struct table *table, const struct records_file *file)
{
    struct model_news news;
    struct game_news more;

    table_clear(table);
    take_names(table, &file->game);
    table->wish.rules = file->game.rules;
    table->wish.terms = file->game.clock.terms;
    for (int i = 0; i < file->record.events; i++)
        fold(table, file->record.event[i], &news);
    if (game_judge_continue(&table->game->game, &more).code == FAULT_NONE)
        table_take(table, &more); /* a game that was adjourned at a server continues
                                   * here */
}

bool table_load(struct table *table, const char *path)
{
    const struct records_wish wish = {.from = RECORDS_UNKNOWN, .number = 1};
    struct records_file file;

    if (!records_read(&file, path, &wish))
        return false;
    take_file(table, &file);
    if (file.format == RECORDS_RECORD)
        text_copy(table->save_path, sizeof table->save_path, path);
    records_clear(&file);
    table->is_saved = true;
    return true;
}
