/* The verb record: an ended game as signed text. */
#include <stdlib.h>
#include <string.h>

#include "common/base/mono.h"
#include "common/base/translate.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/command/signed_record.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/verb/verbs.h"

/* Adds each line of the text to the answer, as a row. Returns the number of lines. */
static int add_rows(struct session *session, const char *text)
{
    int lines = 0;

    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1, lines++)
        session_rowf(session, "%.*s", (int)(end - text), text);
    return lines;
}

static void on_text(struct world *world, struct session *session, int64_t game,
                    const char *text, bool is_signed)
{
    (void)world;
    if (text == NULL)
        session_err(session, REPLY_NOT_NOW, "why=frozen#log game=%lld",
                    (long long)game);
    else
        session_ok(session, "record game=%lld lines=%d%s", (long long)game,
                   add_rows(session, text),
                   is_signed ? ""
                             : " : not signed: the key of this server cannot sign");
}

/* Called when the events of the game have been read from disk. Sends the record if the
 * session may read the game. This permission depends on the players in the start event.
 * If the start event is missing, the record does not contain names, so everybody may
 * read it. */
static void on_read(struct world *world, struct session *session,
                    struct signed_record *record)
{
    int64_t game = signed_record_game(record);
    struct event start;
    struct readable what;

    if (!signed_record_is_found(record)) {
        call_no_game(session, game);
    } else if (!signed_record_start(record, &start)) {
        signed_record_make(record, on_text);
    } else {
        what = privacy_readable(game, &start);
        if (!privacy_may_read(world->rooms, &what, session, NULL))
            call_no_game(session, game);
        else if (entry_may_read(world, session, what))
            signed_record_make(record, on_text);
    }
}

static const char too_many[] = "records";

/* Returns true if the record of this game in memory is not sent now, for one of three
 * reasons. The game has no record yet: the answer was sent. The caller may not read the
 * game: the answer was sent; for a private game, the answer and the price are those for
 * a game that does not exist. The game is still being read: the command waits. */
static bool is_refused(struct call *call, struct room *room)
{
    long long game = (long long)room->id;
    struct readable what = privacy_readable_room(room);

    if (what.is_private &&
        !privacy_may_read(call->world->rooms, &what, call->from, NULL)) {
        if (call_spend_chat(call, too_many))
            call_no_game(call->from, room->id);
        return true;
    }
    if (room_wait(room, call->from, call->raw))
        return true;
    if (room->game.phase != GAME_OVER && !room->is_frozen)
        session_err(call->from, REPLY_NOT_NOW, "why=not-over#record game=%lld", game);
    return call->from->is_answered;
}

static bool record_run(struct call *call)
{
    struct room *room = room_find(call->world->rooms, call->game);

    if ((room != NULL && is_refused(call, room)) || !call_spend_chat(call, too_many))
        return false;
    signed_record_read(call->world, call->from, call->game, on_read);
    return true;
}

const struct command cmd_record = {
    .name = "record",
    .usage = "record GAME",
    .group = GROUP_FIND,
    .help = N_("show the signed record of a game that has ended"),
    .examples = "record 17",
    .may_cost_chat = true,
    .cost = 10,
    .states = BY_READERS,
    .run = record_run,
};
