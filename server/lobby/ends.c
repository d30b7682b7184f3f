/* See ends.h. */
#include "server/lobby/ends.h"

#include <stdio.h>

#include "common/base/mem.h"
#include "server/account/accounts.h"
#include "server/net/session.h"
#include "server/room/room.h"
#include "server/store/store.h"

void ends_format(char out[ENDS_WORDS_BYTES], const struct store_past *past, char sep)
{
    const struct store_summary *s = &past->summary;

    snprintf(out, ENDS_WORDS_BYTES,
             "game%c%lld red=%s blue=%s rules=%s time=%s plies=%d result=%s reason=%s "
             "ended_s=%lld%s",
             sep, (long long)past->game, s->red_shown, s->blue_shown, s->rules, s->time,
             s->plies, s->result, s->reason, (long long)past->ended_wall_s,
             past->is_private ? " private=yes" : "");
}

/* --- Ends that a session was sent --- */

static bool was_sent(const struct session *session, int64_t game)
{
    for (int i = 0; i < session->end_count; i++)
        if (session->ends[i] == game)
            return true;
    return false;
}

static void note_sent(struct session *session, int64_t game)
{
    session->ends = mem_grow(session->ends, session->end_count, &session->end_room, 4,
                             sizeof *session->ends);
    session->ends[session->end_count++] = game;
}

/* True if the session reads so slowly that the end has not been sent to it yet. */
static bool is_on_its_way(const struct ends *ends, const struct session *session,
                          int64_t game)
{
    const struct room *room = room_find(ends->rooms, game);
    const struct cursor *cursor = room != NULL ? feed_find(&room->feed, session) : NULL;

    return cursor != NULL && cursor->offset < cursor->feed->size;
}

void ends_note(struct ends *ends, struct account *account, int64_t game)
{
    struct session *session = session_find(ends->sessions, account->session);

    account->has_unseen = true;
    if (session != NULL)
        note_sent(session, game);
}

/* --- Ends from the disk --- */

/* A request to the store for the ends of games that a player has not seen. The answer
 * is sent to the session with the id `session`. */
struct recall {
    struct sessions *sessions;
    uint64_t session;
};

/* Sends the end of a game to the session. Does nothing if the session has got it
 * already: the game may have ended between the login and this answer of the store. */
static void on_unseen(void *arg, const struct store_past *past)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->sessions, recall->session);
    char words[ENDS_WORDS_BYTES];

    if (session == NULL || was_sent(session, past->game))
        return;
    ends_format(words, past, '=');
    session_sayf(session, "! over %s", words);
    note_sent(session, past->game);
}

static void on_unseen_end(void *arg, int count)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->sessions, recall->session);

    if (session != NULL && session->account != NULL) {
        session->has_more_ends = count == STORE_UNSEEN_MAX;
        if (count == 0)
            session->account->has_unseen = false;
    }
    store_arg_free(recall);
}

void ends_tell(struct ends *ends, struct account *account)
{
    struct recall *recall = store_arg_new(ends->store, sizeof *recall, NULL);

    *recall = (struct recall){.sessions = ends->sessions, .session = account->session};
    store_read_unseen(ends->store, account->folded, on_unseen, on_unseen_end, recall);
}

/* --- Confirmation --- */

void ends_heard(struct ends *ends, struct session *session)
{
    struct account *account = session->account;
    int kept = 0;

    if (session->end_count == 0 || session_unsent_bytes(session) > 0)
        return;
    store_begin_together(ends->store);
    for (int i = 0; i < session->end_count; i++)
        if (is_on_its_way(ends, session, session->ends[i]))
            session->ends[kept++] = session->ends[i];
        else
            store_drop_unseen(ends->store, account->folded, session->ends[i]);
    store_end_together(ends->store);
    session->end_count = kept;
    if (session->has_more_ends)
        ends_tell(ends, account);
    session->has_more_ends = false;
}
