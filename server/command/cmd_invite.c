/* Verbs for inviting a friend: invite, join. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "server/account/accounts.h"
#include "server/base/config.h"
#include "server/command/act.h"
#include "server/command/command.h"
#include "server/command/verbs.h"
#include "server/lobby/lobby.h"
#include "server/room/room.h"
#include "server/store/store.h"

/* An answer that waits until its invitation is on disk. */
struct promise {
    struct world *world;
    uint64_t session;
    char words[PROTO_LINE_MAX / 2];
};

static void on_promise(void *arg)
{
    struct promise *promise = arg;
    struct session *session = session_find(promise->world->sessions, promise->session);

    if (session != NULL && session->state != SESSION_LEAVING)
        session_ok(session, "%s", promise->words);
    free(promise);
}

static struct promise *promise_new(struct call *call)
{
    struct promise *promise = mem_new(sizeof *promise);

    promise->world = call->world;
    promise->session = call->from->id;
    session_hold(call->from);
    return promise;
}

static void invite_run(struct call *call)
{
    struct promise *promise;
    const struct invite *invite;
    struct terms terms;
    struct text text;

    if (!act_take_terms(call, 1, &terms) || call_is_draining(call))
        return;
    promise = promise_new(call);
    invite = lobby_invite(call->world->lobby, call->from->account->folded, &terms,
                          on_promise, promise);
    if (invite == NULL) {
        free(promise);
        session_err(call->from, REPLY_LIMIT,
                    "what=invites max=%d : too many open invitations",
                    call->world->config->challenges_max);
        return;
    }
    text = text_into(promise->words, sizeof promise->words);
    text_addf(&text, "invite code=%s hours=%d", invite->code, INVITE_HOURS);
    act_add_places(&text, call);
    text_addf(&text, " : whoever types join %s first plays you", invite->code);
}

const struct command cmd_invite = {
    .name = "invite",
    .usage = "invite [time=10m+5s] [rules=martin] [side=any]",
    .help = "make a code that brings one friend to a game with you",
    .args_max = 3,
    .states = BY_MEMBERS,
    .run = invite_run,
};

/* After the game has begun the code only leads its two players back. */
static void join_begun(struct call *call, const struct invite *invite)
{
    struct room *room = room_find(call->world->rooms, invite->game);

    if (room != NULL && room_wait(room, call->from, call->raw))
        return;
    for (int i = 0; i < call->from->account->games; i++)
        if (call->from->account->game[i] == invite->game) {
            session_ok(call->from, "join game=%lld : your game goes on",
                       (long long)invite->game);
            return;
        }
    session_err(call->from, REPLY_NO_SUCH,
                "why=used game=%lld : invite %s was already used; ask for a new one",
                (long long)invite->game, invite->code);
}

/* The first player of a host's invitation waits in it. */
static void join_first(struct call *call, struct invite *invite)
{
    struct promise *promise = promise_new(call);

    snprintf(promise->words, sizeof promise->words,
             "join waiting=1 : the game begins when the other player has joined");
    text_copy(invite->first, sizeof invite->first, call->from->account->folded);
    lobby_save_invite(call->world->lobby, invite, on_promise, promise);
}

static void join_second(struct call *call, struct invite *invite, struct account *host)
{
    if (!call_is_draining(call))
        act_answer_start(call, lobby_join(call->world->lobby, invite, host,
                                          call->from->account, "join"));
}

static void join_run(struct call *call)
{
    struct invite *invite = lobby_find_invite(call->world->lobby, call->argv[1]);
    const char *me = call->from->account->folded, *host;

    if (invite == NULL || lobby_invite_is_old(invite)) {
        session_err(
            call->from, REPLY_NO_SUCH,
            "why=%s : there is no such invitation, or its %d hours or its game are "
            "over, or its maker plays another game; ask for a new one",
            invite == NULL ? "unknown" : "old", INVITE_HOURS);
        return;
    }
    if (invite->game != 0) {
        join_begun(call, invite);
        return;
    }
    host = invite->maker[0] != '\0' ? invite->maker : invite->first;
    if (host[0] == '\0' || (strcmp(host, me) == 0 && invite->maker[0] == '\0')) {
        join_first(call, invite);
    } else if (strcmp(host, me) == 0) {
        session_ok(call->from,
                   "join waiting=1 : it is your own invitation; send the code on");
    } else {
        join_second(call, invite, accounts_find(call->world->accounts, host));
    }
}

const struct command cmd_join = {
    .name = "join",
    .usage = "join CODE",
    .help = "take the seat of an invitation",
    .args_min = 1,
    .args_max = 1,
    .states = BY_MEMBERS,
    .run = join_run,
};
