/* The verb record: an ended game as signed text. Reads the events from disk, replays
 * them through the rules, and signs the record with the server's key only if it is
 * consistent. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/ssl.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/record/record.h"
#include "common/record/record_sign.h"
#include "common/record/record_text.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* A record that is being read from disk. */
struct copy {
    struct world *world;
    uint64_t session;
    struct record record;
    int64_t last_wall_s; /* when the last event was written */
    bool is_damaged;
};

static void on_event(void *arg, const struct store_event *event)
{
    struct copy *copy = arg;

    copy->is_damaged =
        copy->is_damaged || !event->is_sound || strlen(event->text) >= EVENT_BYTES;
    if (copy->is_damaged)
        return;
    record_add(&copy->record, event->text);
    copy->last_wall_s = event->wall_s;
}

/* True for a complete, ended game. */
static bool is_complete(const struct copy *copy)
{
    char why[RECORD_WHY_BYTES];
    struct game game;
    bool is_over;

    game_init(&game);
    is_over = !copy->is_damaged && record_fold(&copy->record, &game, why) &&
              game.phase == GAME_OVER;
    game_clear(&game);
    return is_over;
}

static void set_ended(struct record *record, int64_t wall_s)
{
    time_t when = (time_t)wall_s;
    struct tm utc;

    if (gmtime_r(&when, &utc) == NULL ||
        strftime(record->ended, sizeof record->ended, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        record->ended[0] = '\0';
}

/* False after logging: a key of this kind cannot sign, and records are sent without a
 * signature. */
static bool sign(const struct copy *copy, struct record *record)
{
    SSL_CTX *tls = copy->world->tls;

    if (record_sign(record, SSL_CTX_get0_certificate(tls),
                    SSL_CTX_get0_privatekey(tls)))
        return true;
    record->server[0] = record->public_key[0] = record->signature[0] = '\0';
    return false;
}

/* Makes a text block of text; the caller frees it. */
static char *make_block(const char *text, int *lines)
{
    struct record_text block = {.at = NULL};

    *lines = 0;
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        record_text_addf(&block, "| %.*s\n", (int)(end - text), text);
        ++*lines;
    }
    return record_text_take(&block);
}

static void send_record(struct session *session, struct copy *copy)
{
    bool is_signed;
    char *text, *block;
    int lines;

    set_ended(&copy->record, copy->last_wall_s);
    is_signed = sign(copy, &copy->record);
    text = record_write(&copy->record);
    block = make_block(text, &lines);
    free(text);
    session_ok_block(session, block, "record game=%lld lines=%d%s",
                     (long long)copy->record.game, lines,
                     is_signed ? "" : " : not signed: the key of this server cannot");
}

/* The start event names the players. Without one there is nothing to hide. */
static bool may_read(const struct copy *copy, const struct session *session)
{
    struct readable what;
    struct event start;

    if (copy->record.events == 0 ||
        event_parse(copy->record.event[0], &start) != EVENT_OK)
        return true;
    what = privacy_readable(copy->record.game, &start, true);
    return room_may_read(copy->world->rooms, &what, session, NULL);
}

/* False: only members may watch here; has answered. */
static bool may_watch(struct copy *copy, struct session *session)
{
    struct event start;

    return copy->record.events == 0 ||
           event_parse(copy->record.event[0], &start) != EVENT_OK ||
           entry_may_read(copy->world, session, copy->record.game, start.name);
}

static void on_read(void *arg, int count)
{
    struct copy *copy = arg;
    struct session *session = session_find(copy->world->sessions, copy->session);
    long long game = (long long)copy->record.game;

    if (session != NULL && session->state != SESSION_LEAVING) {
        if (count == 0 || !may_read(copy, session))
            call_no_game(session, copy->record.game);
        else if (!is_complete(copy))
            session_err(
                session, REPLY_NOT_NOW,
                "why=frozen game=%lld : the log of game %lld is damaged on this "
                "server; it is not signed",
                game, game);
        else if (may_watch(copy, session))
            send_record(session, copy);
    }
    record_clear(&copy->record);
    free(copy);
}

/* A game in memory that has no record yet. True: has answered, or the command waits. */
static bool is_refused(struct call *call, struct room *room)
{
    long long game = (long long)room->id;
    struct readable what = room_readable(room);

    if (what.is_private &&
        !room_may_read(call->world->rooms, &what, call->from, NULL)) {
        call_no_game(call->from, room->id);
        return true;
    }
    if (room_wait(room, call->from, call->raw))
        return true;
    if (room->game.phase != GAME_OVER && !room->is_frozen)
        session_err(
            call->from, REPLY_NOT_NOW,
            "why=not-over game=%lld : game %lld goes on; there is a record once "
            "it is over",
            game, game);
    return call->from->is_answered;
}

static void record_run(struct call *call)
{
    struct room *room;
    struct copy *copy;

    room = room_find(call->world->rooms, call->game);
    if ((room != NULL && is_refused(call, room)) ||
        !call_spend_chat(call, "too many records at once"))
        return;
    copy = mem_new(sizeof *copy);
    copy->world = call->world;
    copy->session = call->from->id;
    record_init(&copy->record);
    copy->record.game = call->game;
    session_hold(call->from);
    store_read_game(call->world->store, call->game, on_event, on_read, copy);
}

const struct command cmd_record = {
    .name = "record",
    .usage = "record GAME",
    .help = "an ended game as a signed text: janggi verify checks it",
    .game = GAME_ARG_NEEDED,
    .may_cost_chat = true,
    .cost = 10,
    .states = BY_READERS,
    .run = record_run,
};
