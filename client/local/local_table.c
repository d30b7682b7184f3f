/* The game on the table: judged and folded by common/game, kept as the events of a
 * record, and shown to the client's own eyes, its model. See local_parts.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/engine/computer.h"
#include "client/formats/records.h"
#include "client/local/local_parts.h"
#include "common/base/disk.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/translate.h"

enum { GAME_ID = 1 };

enum side table_turn(const struct local *local)
{
    return local->game == NULL ? SIDE_NONE : game_turn(&local->game->game);
}

bool table_is_computers_turn(const struct local *local)
{
    enum side turn = table_turn(local);

    return turn != SIDE_NONE && local->wish.is_computer[turn];
}

bool table_has_computer(const struct local *local)
{
    return local->wish.is_computer[SIDE_RED] || local->wish.is_computer[SIDE_BLUE];
}

/* --- Who sits here --- */

/* With the computer a person has one seat; of two people, who is to move has it. */
static void take_seat(struct local *local)
{
    struct model_game *game = local->game;
    enum side turn = table_turn(local);
    bool is_shared = !table_has_computer(local);

    game->is_ours = true;
    if (!is_shared)
        game->side = local->wish.is_computer[SIDE_RED] ? SIDE_BLUE : SIDE_RED;
    else if (turn != SIDE_NONE)
        game->side = turn;
    game->is_turned = (game->side == SIDE_BLUE) != local->is_flipped;
    if (is_shared && game->game.phase == GAME_OVER)
        game->is_ours = false; /* neither of two people is "you" */
}

/* --- Events --- */

static void fold(struct local *local, const char *text, struct model_news *news)
{
    model_take_event(&local->model, GAME_ID, local->record.events, text, mono_now_ms(),
                     news);
    if (news->took == MODEL_BROKEN)
        die("local: \"%s\" does not follow", text); /* it was judged: our own bug */
    record_add(&local->record, text);
    local->game = news->game;
    model_choose(&local->model, news->game);
    take_seat(local);
}

static void take_event(struct local *local, const struct event *event)
{
    struct model_news news = {.took = MODEL_SKIPPED};
    char text[EVENT_BYTES];

    event_format(text, event);
    fold(local, text, &news);
    local->is_saved = false;
    if (event->kind == EVENT_START && !table_has_computer(local))
        local->game->is_ours = false; /* neither of two people is "you" */
    show_event(local, &news);
    take_seat(local);
}

void table_take(struct local *local, const struct game_news *news)
{
    for (int i = 0; i < news->count; i++)
        take_event(local, &news->event[i]);
}

/* --- Beginning --- */

void table_clear(struct local *local)
{
    trial_end(&local->trial);
    model_clear(&local->model);
    record_clear(&local->record);
    model_init(&local->model);
    record_init(&local->record);
    local->game = NULL;
    local->last_report = (struct search_report){.has_move = false};
}

static void set_up(struct local *local)
{
    struct game_news news;
    enum side turn;

    while (local->game->game.phase == GAME_SETUP &&
           (turn = table_turn(local), local->wish.has_lineup[turn])) {
        if (game_judge_setup(&local->game->game, turn, local->wish.lineup[turn], &news)
                .code != FAULT_NONE)
            die("local: a set-up is refused");
        table_take(local, &news);
    }
}

void table_begin(struct local *local)
{
    const struct local_wish *wish = &local->wish;
    struct event event = {.kind = EVENT_START,
                          .rules = wish->rules,
                          .terms = wish->terms,
                          .has_position = wish->has_position,
                          .position = wish->position};
    struct game_news news;

    table_clear(local);
    for (int side = 0; side < SIDES; side++)
        if (wish->is_computer[side])
            computer_name(event.name[side], wish->level);
        else
            text_copy(event.name[side], EVENT_NAME_BYTES, wish->name[side]);
    take_event(local, &event);
    if (game_judge_due(&local->game->game, &news))
        table_take(local, &news);
    set_up(local);
    local->is_saved = true; /* there is nothing to lose yet */
}

/* --- Back --- */

/* Folds the first events of the record anew, silently. */
static void refold(struct local *local, int events)
{
    struct record old = local->record;
    struct model_news news;

    model_clear(&local->model);
    model_init(&local->model);
    record_init(&local->record);
    for (int i = 0; i < events; i++)
        fold(local, old.event[i], &news);
    record_clear(&old);
}

/* The end goes, and the move that brought it about if the rules say so: as if they had
 * not been. False: the game was over as it began. */
static bool reopen(struct local *local)
{
    struct game_news news;

    refold(local, local->record.events - 1);
    if (local->game->game.due_reason == REASON_NONE)
        return true;
    if (local->game->game.plies > 0) {
        refold(local, local->record.events - 1);
        return true;
    }
    if (game_judge_due(&local->game->game, &news))
        table_take(local, &news);
    return false;
}

/* The last position up to that with plies in which a person was to move; -1: none. */
static int person_at(const struct local *local, int plies)
{
    while (plies >= 0 && local->wish.is_computer[model_ply_side(local->game, plies)])
        plies--;
    return plies;
}

/* Back to the position with plies, of which some may be gone with the end already. */
static bool go_back(struct local *local, int plies, bool was_over)
{
    const struct game *game = &local->game->game;
    struct game_news news;

    local->is_saved = false;
    if (was_over && (plies == game->plies || game->phase == GAME_SETUP)) {
        show_reopened(local);
        return true;
    }
    if (game_judge_takeback(game, plies, &news).code != FAULT_NONE)
        return false;
    table_take(local, &news);
    return true;
}

bool table_take_back(struct local *local, int plies)
{
    bool was_over = local->game->game.phase == GAME_OVER;
    int before = local->game->game.plies, last = before - 1;

    if (plies > before || (before == 0 && !was_over))
        return false;
    if (was_over) {
        if (!reopen(local))
            return false;
        last = local->game->game.plies;
    }
    return go_back(local, plies > 0 ? before - plies : person_at(local, last),
                   was_over);
}

/* --- Files --- */

static bool write_whole(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    bool is_written;

    if (file == NULL)
        return false;
    is_written = fputs(text, file) >= 0 && fflush(file) == 0 && disk_sync(fileno(file));
    return fclose(file) == 0 && is_written;
}

/* Beside the old file and then in its place, so that one of them is always whole. */
static bool write_in_place(const char *path, const char *text)
{
    char beside[PATH_MAX + 8];
    int error;

    snprintf(beside, sizeof beside, "%s.new", path);
    if (write_whole(beside, text) && rename(beside, path) == 0)
        return true;
    error = errno;
    unlink(beside);
    errno = error;
    return false;
}

bool table_save(struct local *local, const char *path)
{
    char *text = record_write(&local->record);
    bool is_written = write_in_place(path, text);

    free(text);
    if (!is_written) {
        show_say(local, _("-- not saved: %s: %s\n"), path, strerror(errno));
        return false;
    }
    text_copy(local->save_path, sizeof local->save_path, path);
    local->is_saved = true;
    show_say(local, _("-- saved in %s\n"), path);
    return true;
}

/* Seats are the computer's as its names say, or, of a record between others, as was
 * wished for. */
static void take_names(struct local *local, const struct game *game)
{
    int level[SIDES] = {computer_level_of(game->name[SIDE_RED]),
                        computer_level_of(game->name[SIDE_BLUE])};

    for (int side = 0; side < SIDES; side++)
        text_copy(local->wish.name[side], EVENT_NAME_BYTES, game->name[side]);
    if (!table_has_computer(local) || (level[SIDE_RED] != 0) == (level[SIDE_BLUE] != 0))
        return;
    for (int side = 0; side < SIDES; side++) {
        local->wish.is_computer[side] = level[side] != 0;
        if (level[side] != 0)
            local->wish.level = level[side];
    }
}

/* All that was read, in place of the game on the table. */
static void take_file(struct local *local, const struct records_file *file)
{
    struct model_news news;
    struct game_news more;

    local_stop_thinking(local);
    table_clear(local);
    take_names(local, &file->game);
    local->wish.rules = file->game.rules;
    local->wish.terms = file->game.clock.terms;
    for (int i = 0; i < file->record.events; i++)
        fold(local, file->record.event[i], &news);
    if (game_judge_continue(&local->game->game, &more).code == FAULT_NONE)
        table_take(local, &more); /* it was adjourned, where it comes from */
}

bool table_load(struct local *local, const char *path)
{
    const struct records_wish wish = {.from = RECORDS_UNKNOWN, .number = 1};
    struct records_file file;

    if (!records_read(&file, path, &wish))
        return false;
    take_file(local, &file);
    if (file.format == RECORDS_RECORD)
        text_copy(local->save_path, sizeof local->save_path, path);
    records_clear(&file);
    local->is_saved = true;
    if (!local->is_screen)
        show_say(local, _("-- %s: %d plies\n"), path, local->game->game.plies);
    else if (local->game->game.phase != GAME_SETUP)
        show_board(local);
    return true;
}
