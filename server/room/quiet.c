/* See quiet.h. */
#include "server/room/quiet.h"

#include <string.h>

#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/room/room.h"

static const char *const quiet_names[] = {
    [QUIET_AUTO] = "auto", [QUIET_ON] = "on", [QUIET_OFF] = "off"};

const char *quiet_name(enum quiet quiet)
{
    return quiet_names[quiet];
}

bool quiet_parse(const char *word, enum quiet *out)
{
    for (size_t i = 0; i < ARRAY_LEN(quiet_names); i++)
        if (strcmp(word, quiet_names[i]) == 0) {
            *out = (enum quiet)i;
            return true;
        }
    return false;
}

enum quiet quiet_setting(const struct marks *marks, const struct account *account)
{
    const char *word = marks_find(marks, account->folded, MARK_QUIET, "");
    enum quiet quiet;

    return word != NULL && quiet_parse(word, &quiet) ? quiet : QUIET_AUTO;
}

/* True if the game is running and has clocks. False for correspondence games, adjourned
 * games and frozen games. A player is quiet only because of a game for which this
 * function returns true. */
static bool is_played_now(const struct room *room)
{
    const struct time_terms *terms = &room->game.clock.terms;

    return time_terms_has_clocks(terms) && !room->is_frozen &&
           !room->game.is_adjourned &&
           (room->game.phase == GAME_SETUP || room->game.phase == GAME_PLAY);
}

bool quiet_is_playing(struct rooms *rooms, const struct account *account)
{
    for (int i = 0; i < account->games; i++) {
        const struct room *room = room_find(rooms, account->game[i]);

        if (room != NULL && is_played_now(room))
            return true;
    }
    return false;
}

bool quiet_is_now(struct rooms *rooms, const struct account *account)
{
    enum quiet quiet = quiet_setting(accounts_marks(rooms->accounts), account);

    return quiet == QUIET_ON ||
           (quiet == QUIET_AUTO && quiet_is_playing(rooms, account));
}
