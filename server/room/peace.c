/* See peace.h. */
#include "server/room/peace.h"

#include <string.h>

#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/net/session.h"
#include "server/room/room.h"
#include "server/room/rooms.h"

const char *peace_subject(const struct session *session)
{
    return session->account != NULL ? session->account->folded : MARK_GUESTS;
}

static bool has_mark(const struct marks *marks, const struct account *owner,
                     enum mark_kind kind, const struct session *about)
{
    return owner != NULL && owner != about->account &&
           marks_find(marks, owner->folded, kind, peace_subject(about)) != NULL;
}

bool peace_ignores(const struct marks *marks, const struct account *listener,
                   const struct session *speaker)
{
    return has_mark(marks, listener, MARK_IGNORE, speaker);
}

bool peace_blocks(const struct marks *marks, const struct account *player,
                  const struct session *stranger)
{
    return has_mark(marks, player, MARK_BLOCK, stranger);
}

bool peace_avoids(const struct marks *marks, const struct account *one,
                  const struct account *other)
{
    return marks_find(marks, one->folded, MARK_IGNORE, other->folded) != NULL ||
           marks_find(marks, one->folded, MARK_BLOCK, other->folded) != NULL;
}

bool peace_keeps_apart(const struct marks *marks, const struct account *one,
                       const struct account *other)
{
    return peace_avoids(marks, one, other) || peace_avoids(marks, other, one);
}

/* --- Quiet --- */

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

enum quiet peace_quiet(const struct marks *marks, const struct account *account)
{
    const char *word = marks_find(marks, account->folded, MARK_QUIET, "");
    enum quiet quiet;

    return word != NULL && quiet_parse(word, &quiet) ? quiet : QUIET_AUTO;
}

/* Untimed and correspondence games do not make a player quiet. */
static bool is_played_now(const struct room *room)
{
    const struct time_terms *terms = &room->game.clock.terms;

    return !terms->is_untimed && !time_terms_is_correspondence(terms) &&
           !room->is_frozen && !room->game.is_adjourned &&
           (room->game.phase == GAME_SETUP || room->game.phase == GAME_PLAY);
}

bool peace_is_playing(struct rooms *rooms, const struct account *account)
{
    for (int i = 0; i < account->games; i++) {
        const struct room *room = room_find(rooms, account->game[i]);

        if (room != NULL && is_played_now(room))
            return true;
    }
    return false;
}

bool peace_is_quiet(struct rooms *rooms, const struct account *account)
{
    enum quiet quiet = peace_quiet(accounts_marks(rooms->accounts), account);

    return quiet == QUIET_ON ||
           (quiet == QUIET_AUTO && peace_is_playing(rooms, account));
}
