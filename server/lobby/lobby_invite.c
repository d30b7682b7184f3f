/* See lobby.h, "Invitations": codes that bring two players to a game, kept on disk. */
#include <stdlib.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/account/code.h"
#include "server/lobby/lobby_parts.h"

void lobby_forget_invite(struct lobby *lobby, struct invite *invite)
{
    HASH_DEL(lobby->invites, invite);
    if (invite->game != 0) {
        /* uthash's macros lose the analyzer: a table that holds invite is not empty.
         * NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        HASH_DELETE(by_game, lobby->invites_by_game, invite);
    }
    free(invite);
}

/* From the disk as well. */
void lobby_drop_invite(struct lobby *lobby, struct invite *invite)
{
    store_drop_invite(lobby->store, invite->code);
    lobby_forget_invite(lobby, invite);
}

void lobby_save_invite(struct lobby *lobby, const struct invite *invite,
                       store_done_fn *done, void *arg)
{
    char terms[TERMS_BYTES];
    struct store_invite row = {.code = invite->code,
                               .terms = terms,
                               .maker = invite->maker,
                               .first = invite->first,
                               .made_wall_s = invite->made_wall_s,
                               .game = invite->game};

    terms_format(terms, &invite->terms);
    store_put_invite(lobby->store, &row, done, arg);
}

static bool is_old(const struct invite *invite, int64_t now_wall_s)
{
    return invite->game == 0 &&
           now_wall_s - invite->made_wall_s > (int64_t)INVITE_HOURS * 3600;
}

/* Open ones of one maker. Old ones, whoever made them, go on this occasion. */
static int count_invites(struct lobby *lobby, const char *maker)
{
    int64_t now_wall_s = wall_now_s();
    struct invite *invite, *next;
    int count = 0;

    HASH_ITER (hh, lobby->invites, invite, next) {
        if (is_old(invite, now_wall_s))
            lobby_drop_invite(lobby, invite);
        else
            count += invite->game == 0 && strcmp(invite->maker, maker) == 0;
    }
    return count;
}

struct invite *lobby_invite(struct lobby *lobby, const char *maker,
                            const struct terms *terms, store_done_fn *done, void *arg)
{
    struct invite *invite;

    if (count_invites(lobby, maker) >= lobby->limits.invites_max)
        return NULL;
    invite = mem_new(sizeof *invite);
    code_make(invite->code);
    text_copy(invite->maker, sizeof invite->maker, maker);
    invite->terms = *terms;
    invite->made_wall_s = wall_now_s();
    HASH_ADD_STR(lobby->invites, code, invite);
    lobby_save_invite(lobby, invite, done, arg);
    return invite;
}

bool lobby_invite_is_old(const struct invite *invite)
{
    return is_old(invite, wall_now_s());
}

const struct invite *lobby_next_invite(const struct lobby *lobby,
                                       const struct account *account,
                                       const struct invite *invite)
{
    invite = invite == NULL ? lobby->invites : invite->hh.next;
    for (; invite != NULL; invite = invite->hh.next) {
        const char *whose = invite->maker[0] != '\0' ? invite->maker : invite->first;

        if (invite->game == 0 && !lobby_invite_is_old(invite) &&
            strcmp(whose, account->folded) == 0)
            return invite;
    }
    return NULL;
}

static void set_game(struct lobby *lobby, struct invite *invite, int64_t game)
{
    invite->game = game;
    HASH_ADD(by_game, lobby->invites_by_game, game, sizeof invite->game, invite);
}

void lobby_begin_invite(struct lobby *lobby, struct invite *invite, int64_t game)
{
    set_game(lobby, invite, game);
    lobby_save_invite(lobby, invite, NULL, NULL);
}

static void withdraw(struct lobby *lobby, struct invite *invite,
                     const struct account *account, int64_t game)
{
    bool is_hosts = invite->maker[0] == '\0';
    const char *whose = is_hosts ? invite->first : invite->maker;
    struct gone gone = {.kind = "invite", .why = "playing"};

    if (invite->game != 0 || strcmp(whose, account->folded) != 0)
        return;
    text_copy(gone.id, sizeof gone.id, invite->code);
    text_copy(gone.by, sizeof gone.by, is_hosts ? "" : account->shown);
    lobby_tell_gone(lobby, account->session, &gone, game);
    if (is_hosts) {
        invite->first[0] = '\0';
        lobby_save_invite(lobby, invite, NULL, NULL);
    } else {
        lobby_drop_invite(lobby, invite);
    }
}

void lobby_withdraw_invites(struct lobby *lobby, const struct account *account,
                            int64_t game)
{
    struct invite *invite, *next;

    HASH_ITER (hh, lobby->invites, invite, next)
        withdraw(lobby, invite, account, game);
}

struct invite *lobby_standing_invite(struct lobby *lobby)
{
    struct invite *best = NULL;

    for (struct invite *i = lobby->invites; i != NULL; i = i->hh.next) {
        struct room *room = i->game != 0 ? room_find(lobby->rooms, i->game) : NULL;
        bool is_of_use = i->game == 0 ? !lobby_invite_is_old(i)
                                      : room != NULL && room->game.phase != GAME_OVER;

        if (i->maker[0] == '\0' && is_of_use &&
            (best == NULL || i->made_wall_s >= best->made_wall_s))
            best = i;
    }
    return best;
}

struct invite *lobby_find_invite(struct lobby *lobby, const char *code)
{
    char plain[CODE_BYTES];
    struct invite *invite = NULL;

    if (code_plain(plain, code))
        HASH_FIND_STR(lobby->invites, plain, invite);
    return invite;
}

void lobby_remember_invite(void *arg, const struct store_invite *row)
{
    struct lobby *lobby = arg;
    struct invite *invite = mem_new(sizeof *invite);

    if (!text_copy(invite->code, sizeof invite->code, row->code) ||
        !text_copy(invite->maker, sizeof invite->maker, row->maker) ||
        !text_copy(invite->first, sizeof invite->first, row->first) ||
        !terms_parse(row->terms, &invite->terms)) {
        log_warn("invite=%s why=not-readable", row->code);
        free(invite);
        return;
    }
    invite->made_wall_s = row->made_wall_s;
    HASH_ADD_STR(lobby->invites, code, invite);
    if (row->game != 0)
        set_game(lobby, invite, row->game);
}

/* Those of no use to anybody any more. */
void lobby_drop_useless_invites(struct lobby *lobby)
{
    struct invite *invite, *next;

    HASH_ITER (hh, lobby->invites, invite, next)
        if (lobby_invite_is_old(invite) ||
            (invite->game != 0 && room_find(lobby->rooms, invite->game) == NULL))
            lobby_drop_invite(lobby, invite);
}
