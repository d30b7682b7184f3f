/* See signed_record.h. */
#include "server/command/signed_record.h"

#include <string.h>
#include <time.h>

#include <openssl/ssl.h>

#include "common/record/record.h"
#include "common/record/record_sign.h"
#include "server/base/world.h"
#include "server/net/session.h"
#include "server/store/store.h"

struct signed_record {
    struct world *world;
    uint64_t session;
    signed_record_fn *done;
    struct record record;
    int64_t last_wall_s; /* when the last event was written */
    bool is_damaged;
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

static void drop(void *arg)
{
    record_clear(&((struct signed_record *)arg)->record);
}

static void on_read(void *arg, int count)
{
    struct signed_record *copy = arg;
    struct session *session = session_find(copy->world->sessions, copy->session);

    (void)count; /* the number of events; the record counts them itself */
    if (session != NULL && session->state != SESSION_LEAVING)
        copy->done(copy->world, session, copy);
    drop(copy);
    store_arg_free(copy);
}

void signed_record_read(struct world *world, struct session *session, int64_t game,
                        signed_record_fn *done)
{
    struct signed_record *copy = store_arg_new(world->store, sizeof *copy, drop);

    copy->world = world;
    copy->session = session->id;
    copy->done = done;
    record_init(&copy->record);
    copy->record.game = game;
    session_hold(session);
    store_read_game(world->store, game, on_event, on_read, copy);
}

int signed_record_events(const struct signed_record *copy)
{
    return copy->record.events;
}

int64_t signed_record_game(const struct signed_record *copy)
{
    return copy->record.game;
}

bool signed_record_is_found(const struct signed_record *copy)
{
    return copy->record.events > 0 || copy->is_damaged;
}

bool signed_record_start(const struct signed_record *copy, struct event *start)
{
    return copy->record.events > 0 &&
           event_parse(copy->record.event[0], start) == EVENT_OK;
}

/* --- The text --- */

/* True for a complete, ended game. */
static bool is_complete(const struct signed_record *copy)
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

/* Signs the record. False: a key of this kind cannot sign, and the record has no
 * signature. */
static bool sign(const struct signed_record *copy, struct record *record)
{
    SSL_CTX *tls = copy->world->tls;

    if (record_sign(record, SSL_CTX_get0_certificate(tls),
                    SSL_CTX_get0_privatekey(tls)))
        return true;
    record->server[0] = record->public_key[0] = record->signature[0] = '\0';
    return false;
}

char *signed_record_text(struct signed_record *copy, bool *is_signed)
{
    *is_signed = false;
    if (!is_complete(copy))
        return NULL;
    set_ended(&copy->record, copy->last_wall_s);
    *is_signed = sign(copy, &copy->record);
    return record_write(&copy->record);
}
