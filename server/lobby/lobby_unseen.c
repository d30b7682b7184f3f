/* Ends that a player has missed: told after each login, and dropped from the disk once
 * a command shows that the lines have arrived. */
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

/* Games that an account has not heard of, on their way from the disk to its session. */
struct recall {
    struct lobby *lobby;
    uint64_t session;
    int64_t mark;
};

static void on_unseen(void *arg, const struct store_past *past)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->lobby->sessions, recall->session);
    char words[PAST_WORDS_BYTES];

    recall->mark = past->mark;
    if (session == NULL)
        return;
    lobby_past_words(words, past, '=');
    session_sayf(session, "! over %s", words);
}

static void on_unseen_end(void *arg, int count)
{
    struct recall *recall = arg;
    struct session *session = session_find(recall->lobby->sessions, recall->session);
    struct account *account = session != NULL ? session->account : NULL;

    if (account != NULL && account->session == session->id) {
        account->told_mark = recall->mark;
        account->is_told_all = count < STORE_UNSEEN_MAX;
        account->has_unseen = count > 0;
    }
    free(recall);
}

void lobby_tell_unseen(struct lobby *lobby, struct account *account)
{
    struct recall *recall = mem_new(sizeof *recall);

    *recall = (struct recall){.lobby = lobby, .session = account->session};
    store_read_unseen(lobby->store, account->folded, on_unseen, on_unseen_end, recall);
}

/* Who came back while the end was on its way to the disk is told at once. */
void lobby_note_unseen(struct lobby *lobby, struct account *account)
{
    account->has_unseen = true;
    if (account->session != 0)
        lobby_tell_unseen(lobby, account);
}

void lobby_note_end(struct lobby *lobby, const struct account *account, int64_t game)
{
    struct session *session = lobby_session_of(lobby, account);

    if (session != NULL && session->ends < SESSION_ENDS_MAX)
        session->ended[session->ends++] = game;
}

/* A connection may have been dead for long before anybody notices. */
void lobby_keep_ends(struct lobby *lobby, struct session *session)
{
    for (int i = 0; i < session->ends && !session->has_closed; i++) {
        store_put_unseen(lobby->store, session->account->folded, session->ended[i]);
        session->account->has_unseen = true;
    }
    session->ends = 0;
}

void lobby_heard(struct lobby *lobby, struct session *session)
{
    struct account *account = session->account;

    session->ends = 0;
    if (account == NULL || account->session != session->id || account->told_mark == 0)
        return;
    store_drop_unseen(lobby->store, account->folded, account->told_mark);
    account->told_mark = 0;
    account->has_unseen = !account->is_told_all;
    if (account->has_unseen)
        lobby_tell_unseen(lobby, account);
}
