/* Deeds that only a game at one terminal knows. See local_parts.h. */
#include <string.h>
#include <unistd.h>

#include "client/local/local_parts.h"
#include "common/base/text.h"
#include "common/base/translate.h"

static bool is_running(const struct local *local)
{
    return local->game->game.plies > 0 && local->game->game.phase == GAME_PLAY;
}

/* The game would be lost, and nobody said that this is meant. */
static bool is_at_risk(const struct local *local, const struct deed *deed)
{
    return !local->is_saved && is_running(local) && !deed->is_certain;
}

void own_take_back(struct local *local, const struct deed *deed)
{
    local_stop_thinking(local);
    if (!table_take_back(local, (int)deed->number))
        typed_refuse(local, _("there is no such move to take back"));
}

void own_save(struct local *local, const struct deed *deed)
{
    const char *path = deed->words[0] != '\0' ? deed->words : local->save_path;
    bool is_other = strcmp(path, local->save_path) != 0;

    if (path[0] == '\0')
        typed_refuse(local, _("save FILE: where to?"));
    else if (strlen(path) >= PATH_MAX)
        typed_refuse(local, _("that path is too long"));
    else if (is_other && !deed->is_certain && access(path, F_OK) == 0)
        typed_refuse(local, _("there is such a file; save! FILE writes over it"));
    else if (!table_save(local, path))
        local->is_refused = true;
}

void own_load(struct local *local, const struct deed *deed)
{
    if (is_at_risk(local, deed))
        typed_refuse(local, _("this game is not saved; load! FILE gives it up"));
    else if (!table_load(local, deed->words))
        local->is_refused = true;
    else
        show_setup_choice(local);
}

void own_begin_again(struct local *local)
{
    local_stop_thinking(local);
    thinker_forget(local->thinker);
    local->save_path[0] = '\0';
    table_begin(local);
    show_setup_choice(local);
}

void own_new(struct local *local, const struct deed *deed)
{
    if (is_at_risk(local, deed))
        typed_refuse(local, _("this game is not over; new! gives it up"));
    else
        own_begin_again(local);
}

void own_level(struct local *local, const struct deed *deed)
{
    if (deed->number > 0)
        local->wish.level = (int)deed->number;
    show_say(local, _("-- the computer plays at level %d of %d\n"), local->wish.level,
             SEARCH_LEVEL_MAX);
}

void own_quit(struct local *local, const struct deed *deed)
{
    if (local->is_screen && is_at_risk(local, deed))
        show_question(local, ASK_LEAVE, _("Leave without saving (yes or no)? "));
    else
        local_leave(local, local->is_refused && local->is_script ? CLIENT_EXIT_MOVE
                                                                 : CLIENT_EXIT_OK);
}
