/* Ends that a player may not have seen. The disk has them with the end itself; they are
 * told after each login, and dropped once a command shows that the lines have arrived.
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/base/mem.h"
#include "server/lobby/lobby_parts.h"
#include "server/net/session.h"

void lobby_past_words(char out[PAST_WORDS_BYTES], const struct store_past *past,
                      char sep)
{
    const struct store_summary *s = &past->summary;

    snprintf(out, PAST_WORDS_BYTES,
             "game%c%lld red=%s blue=%s rules=%s time=%s plies=%d result=%s reason=%s "
             "ended_s=%lld",
             sep, (long long)past->game, s->red_shown, s->blue_shown, s->rules, s->time,
             s->plies, s->result, s->reason, (long long)past->ended_wall_s);
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
    if (session->end_count == session->end_room) {
        session->end_room = session->end_room == 0 ? 4 : session->end_room * 2;
        session->ends =
            mem_resize(session->ends, (size_t)session->end_room, sizeof *session->ends);
    }
    session->ends[session->end_count++] = game;
}

/* A reader that is slow has not been sent the end yet. */
static bool is_on_its_way(const struct lobby *lobby, const struct session *session,
                          int64_t game)
{
    const struct room *room = room_find(lobby->rooms, game);
    const struct cursor *cursor = room != NULL ? feed_find(&room->feed, session) : NULL;

    return cursor != NULL && cursor->offset < cursor->feed->visible;
}

void lobby_note_end(struct lobby *lobby, struct account *account, int64_t game)
{
    struct session *session = lobby_session_of(lobby, account);

    account->has_unseen = true;
    if (session != NULL)
        note_sent(session, game);
}

/* --- Ends from the disk --- */

/* On their way to the session. */
struct recall {
    struct lobby *lobby;
    uint64_t session;
};

/* The end event of a game that ended after the login may have come meanwhile. */
static void on_unseen(void *arg, const struct store_past *past)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->lobby->sessions, recall->session);
    char words[PAST_WORDS_BYTES];

    if (session == NULL || was_sent(session, past->game))
        return;
    lobby_past_words(words, past, '=');
    session_sayf(session, "! over %s", words);
    note_sent(session, past->game);
}

static void on_unseen_end(void *arg, int count)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->lobby->sessions, recall->session);

    if (session != NULL) {
        session->has_more_ends = count == STORE_UNSEEN_MAX;
        if (count == 0)
            session->account->has_unseen = false;
    }
    free(recall);
}

void lobby_tell_unseen(struct lobby *lobby, struct account *account)
{
    struct recall *recall = mem_new(sizeof *recall);

    *recall = (struct recall){.lobby = lobby, .session = account->session};
    store_read_unseen(lobby->store, account->folded, on_unseen, on_unseen_end, recall);
}

/* --- Confirmation --- */

void lobby_heard(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;
    int kept = 0;

    if (session->end_count == 0 || wire_unsent_bytes(session->wire) > 0)
        return;
    store_begin_together(lobby->store);
    for (int i = 0; i < session->end_count; i++)
        if (is_on_its_way(lobby, session, session->ends[i]))
            session->ends[kept++] = session->ends[i];
        else
            store_drop_unseen(lobby->store, account->folded, session->ends[i]);
    store_end_together(lobby->store);
    session->end_count = kept;
    if (session->has_more_ends)
        lobby_tell_unseen(lobby, account);
    session->has_more_ends = false;
}
