/* See signed_record.h. */
#include "server/command/signed_record.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <event2/event.h>
#include <openssl/ssl.h>
#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/record/record.h"
#include "common/record/record_sign.h"
#include "server/base/timer.h"
#include "server/base/world.h"
#include "server/command/meant.h"
#include "server/net/session.h"
#include "server/room/room.h"
#include "server/store/store.h"

enum {
    FOLD_EVENTS = 250,     /* number of events that are replayed in one turn of the
                            * event loop: this takes half a millisecond */
    EVENTS_OF_A_LINE = 100 /* the session is charged one line for this number of
                            * events */
};

struct signed_record {
    struct world *world;
    uint64_t session;
    signed_record_judge_fn *judge; /* NULL: the session may have the record */
    signed_record_text_fn *made;
    int64_t number; /* of the game */
    struct read_turn turn;
    struct record record;
    int64_t last_wall_s; /* when the last event was written */
    bool is_damaged;
    struct game game; /* the game after the events that have been replayed */
    int folded;       /* number of replayed events, including those of unknown kinds */
    bool is_folding;  /* its events are being replayed: it is in the list `folding` */
    struct signed_record *prev, *next;
};

/* The records whose events are being replayed. */
struct signed_records {
    struct signed_record *folding;
    struct event *timer; /* replays the next events */
};

static void on_event(void *arg, const struct store_event *event)
{
    struct signed_record *copy = arg;

    copy->is_damaged =
        copy->is_damaged || !event->is_sound || strlen(event->text) >= EVENT_BYTES;
    if (copy->is_damaged)
        return;
    record_add(&copy->record, event->text);
    copy->last_wall_s = event->wall_s;
}

/* Frees the events that were read and the game that was replayed from them. */
static void drop(void *arg)
{
    struct signed_record *copy = arg;

    if (copy->is_folding)
        DL_DELETE(copy->world->records->folding, copy);
    copy->is_folding = false;
    record_clear(&copy->record);
    game_clear(&copy->game);
}

static void free_record(void *arg)
{
    drop(arg);
    store_arg_free(arg);
}

static void finish(struct signed_record *copy)
{
    struct read_source *source = copy->turn.source;
    struct world *world = copy->world;

    free_record(copy);
    read_turn_end(world, source);
}

/* Returns the session that asked for the record, or NULL if it is gone. */
static struct session *find_asker(const struct signed_record *copy)
{
    return session_find_open(copy->world->sessions, copy->session);
}

static void on_read(void *arg, int count)
{
    struct signed_record *copy = arg;
    struct session *session = find_asker(copy);
    struct signed_records *records = copy->world->records;
    bool has_events = copy->record.events > 0;
    struct event start;
    bool has_start =
        has_events && event_parse(copy->record.event[0], &start) == EVENT_OK;

    (void)count; /* the number of events; the record counts them itself */
    if (session == NULL ||
        (copy->judge != NULL &&
         !copy->judge(copy->world, session, copy->number,
                      has_events || copy->is_damaged, has_start ? &start : NULL))) {
        finish(copy);
        return;
    }
    usage_charge(&session->usage, copy->record.events / EVENTS_OF_A_LINE,
                 mono_now_ms());
    if (records->folding == NULL)
        timer_start(records->timer, 0);
    DL_APPEND(records->folding, copy);
    copy->is_folding = true;
}

static void start(void *arg)
{
    struct signed_record *copy = arg;

    record_init(&copy->record);
    game_init(&copy->game);
    copy->record.game = copy->number;
    store_read_game(copy->world->store, copy->number, on_event, on_read, copy);
}

/* --- The text --- */

/* Signs the record with the server's key, and sends it. Without a signature, if the key
 * cannot sign records. */
static void send_text(struct signed_record *copy, struct session *session)
{
    struct record *record = &copy->record;
    SSL_CTX *tls = copy->world->tls;
    time_t when = (time_t)copy->last_wall_s;
    bool is_signed = false;
    char *text = NULL;
    struct tm utc;

    if (!copy->is_damaged && copy->game.phase == GAME_OVER) {
        if (gmtime_r(&when, &utc) == NULL ||
            strftime(record->ended, sizeof record->ended, "%Y-%m-%dT%H:%M:%SZ", &utc) ==
                0)
            record->ended[0] = '\0';
        is_signed = record_sign(record, SSL_CTX_get0_certificate(tls),
                                SSL_CTX_get0_privatekey(tls));
        if (!is_signed)
            record->server[0] = record->public_key[0] = record->signature[0] = '\0';
        text = record_write(record);
    }
    copy->made(copy->world, session, copy->number, text, is_signed);
    free(text);
}

/* Replays the next events. Returns false when no event is left, or when the log is
 * damaged. */
static bool fold_some(struct signed_record *copy)
{
    char why[RECORD_WHY_BYTES];

    for (int i = 0; i < FOLD_EVENTS && !copy->is_damaged; i++)
        if (!record_step(&copy->record, &copy->folded, &copy->game, why)) {
            copy->is_damaged = why[0] != '\0';
            return false;
        }
    return !copy->is_damaged;
}

/* Replays some events of the first record, which then goes to the end of the list, or is
 * sent if it has no more. */
static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct signed_records *records = arg;
    struct signed_record *copy = records->folding;
    struct session *session = copy != NULL ? find_asker(copy) : NULL;

    (void)fd;
    (void)what;
    if (copy == NULL)
        return;
    DL_DELETE(records->folding, copy);
    if (session != NULL && fold_some(copy)) {
        DL_APPEND(records->folding, copy);
    } else {
        copy->is_folding = false;
        if (session != NULL)
            send_text(copy, session);
        finish(copy);
    }
    if (records->folding != NULL)
        timer_start(records->timer, 0);
}

void signed_record_read(struct world *world, struct session *session, int64_t game,
                        signed_record_judge_fn *judge, signed_record_text_fn *made)
{
    struct signed_record *copy = store_arg_new(world->store, sizeof *copy, drop);

    if (world->records == NULL) {
        world->records = mem_new(sizeof *world->records);
        world->records->timer = timer_new(world->rooms->base, on_timer, world->records);
    }
    copy->world = world;
    copy->session = session->id;
    copy->judge = judge;
    copy->made = made;
    copy->number = game;
    copy->turn = (struct read_turn){.start = start, .drop = free_record, .owner = copy};
    session_hold(session);
    read_turn_take(world, session, &copy->turn);
}

void signed_record_forget(struct world *world)
{
    if (world->records == NULL)
        return;
    event_free(world->records->timer);
    free(world->records);
    world->records = NULL;
}
