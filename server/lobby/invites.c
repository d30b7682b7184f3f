/* See invites.h. */
#include "server/lobby/invites.h"

#include <stdlib.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "server/base/world.h"
#include "server/lobby/seeks.h"
#include "server/room/room.h"
#include "server/room/rooms.h"

enum { LIFE_S = INVITES_HOURS * 3600 };

struct invites {
    const struct world *world;
    struct invite *by_code, *by_game;
    int hosts_count; /* number of open invitations that the host made */
    struct deadline_kind expiry;
};

/* Adds an open invitation to the list of its owner. */
static void own_invite(struct invite *invite, struct account *owner)
{
    invite->owner = owner;
    DL_APPEND2(owner->invites, invite, owner_prev, owner_next);
    if (!invite->is_hosts)
        quota_count(owner, QUOTA_INVITE, 1);
}

static void disown_invite(struct invite *invite)
{
    struct account *owner = invite->owner;

    if (owner == NULL)
        return;
    DL_DELETE2(owner->invites, invite, owner_prev, owner_next);
    if (!invite->is_hosts)
        quota_count(owner, QUOTA_INVITE, -1);
}

/* Removes an invitation from the open ones: it no longer expires, and no longer counts
 * for its maker. */
static void close_invite(struct invites *invites, struct invite *invite)
{
    deadlines_remove(invites->world->deadlines, &invite->deadline);
    invites->hosts_count -= invite->is_hosts;
    disown_invite(invite);
}

static void forget_invite(struct invites *invites, struct invite *invite)
{
    HASH_DEL(invites->by_code, invite);
    if (invite->game == 0) {
        close_invite(invites, invite);
    } else {
        /* The analyzer does not understand uthash's macros, and thinks that the table
         * may be empty. It is not empty, because it contains `invite`.
         * NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        HASH_DELETE(by_game, invites->by_game, invite);
    }
    free(invite);
}

/* Removes an invitation from memory and from the disk. */
static void drop_invite(struct invites *invites, struct invite *invite)
{
    store_drop(invites->world->store, STORE_INVITE,
               &(struct store_invite){.code = invite->code}, 1);
    forget_invite(invites, invite);
}

static void save_invite(struct invites *invites, const struct invite *invite)
{
    const char *owner = invite->owner != NULL ? invite->owner->folded : "";
    char terms[TERMS_BYTES];
    struct store_invite row = {.code = invite->code,
                               .terms = terms,
                               .maker = invite->is_hosts ? "" : owner,
                               .first = invite->is_hosts ? owner : "",
                               .made_wall_s = invite->made_wall_s,
                               .game = invite->game};

    terms_format(terms, &invite->terms);
    store_put(invites->world->store, STORE_INVITE, &row);
}

bool invites_is_old(const struct invite *invite)
{
    return invite->game == 0 && mono_wall_s() - invite->made_wall_s > LIFE_S;
}

bool invites_admits_name(const struct invite *invite)
{
    return invite->names < INVITES_NAMES * (invite->is_hosts ? SIDES : 1);
}

void invites_count_name(struct invite *invite)
{
    invite->names++;
}

static void on_invite_due(void *arg, struct deadline *deadline, int64_t now_wall_s)
{
    (void)now_wall_s;
    drop_invite(arg, OWNER_OF(deadline, struct invite, deadline));
}

/* Adds an invitation to the open ones. owner NULL: no player waits in it yet. */
static void open_invite(struct invites *invites, struct invite *invite,
                        struct account *owner)
{
    invites->hosts_count += invite->is_hosts;
    if (owner != NULL)
        own_invite(invite, owner);
    deadlines_set(invites->world->deadlines, &invite->deadline, &invites->expiry,
                  invite->made_wall_s + LIFE_S + 1);
}

struct invite *invites_open(struct invites *invites, struct account *maker,
                            const struct terms *terms, int *max)
{
    struct invite *invite;

    if (quota_judge(accounts_quotas(invites->world->accounts), QUOTA_INVITE, maker,
                    max) != QUOTA_FREE ||
        (maker == NULL && invites->hosts_count >= *max))
        return NULL;
    invite = mem_new(sizeof *invite);
    code_make(invite->code);
    invite->is_hosts = maker == NULL;
    invite->terms = *terms;
    invite->made_wall_s = mono_wall_s();
    HASH_ADD_STR(invites->by_code, code, invite);
    open_invite(invites, invite, maker);
    save_invite(invites, invite);
    return invite;
}

void invites_wait_in(struct invites *invites, struct invite *invite,
                     struct account *account)
{
    if (invite->owner == NULL)
        own_invite(invite, account);
    save_invite(invites, invite);
}

static void set_game(struct invites *invites, struct invite *invite, int64_t game)
{
    invite->game = game;
    HASH_ADD(by_game, invites->by_game, game, sizeof invite->game, invite);
}

void invites_begin(struct invites *invites, struct invite *invite, int64_t game)
{
    close_invite(invites, invite);
    set_game(invites, invite, game);
    save_invite(invites, invite);
    invite->owner = NULL;
}

static void withdraw(struct invites *invites, struct invite *invite,
                     const struct account *account, const char *why)
{
    struct gone gone = {.kind = "invite", .why = why};

    text_copy(gone.id, sizeof gone.id, invite->code);
    text_copy(gone.by, sizeof gone.by, invite->is_hosts ? "" : account->shown);
    gone_tell(invites->world->sessions, account->session, &gone);
    if (invite->is_hosts) {
        disown_invite(invite);
        invite->owner = NULL;
        save_invite(invites, invite);
    } else {
        drop_invite(invites, invite);
    }
}

void invites_withdraw_all(struct invites *invites, struct account *account,
                          const char *why)
{
    struct invite *invite, *next;

    DL_FOREACH_SAFE2 (account->invites, invite, next, owner_next)
        withdraw(invites, invite, account, why);
}

bool invites_withdraw(struct invites *invites, const struct account *account,
                      const char *code)
{
    struct invite *invite = invites_find(invites, code);

    if (invite == NULL || invite->owner != account || invite->game != 0)
        return false;
    withdraw(invites, invite, account, "withdrawn");
    return true;
}

struct invite *invites_find_standing(struct invites *invites)
{
    struct invite *best = NULL;

    for (struct invite *i = invites->by_code; i != NULL; i = i->hh.next) {
        struct room *room = i->is_hosts && i->game != 0
                                ? room_find(invites->world->rooms, i->game)
                                : NULL;
        bool is_of_use = i->game == 0 ? !invites_is_old(i)
                                      : room != NULL && room->game.phase != GAME_OVER;

        if (i->is_hosts && is_of_use &&
            (best == NULL || i->made_wall_s >= best->made_wall_s))
            best = i;
    }
    return best;
}

struct invite *invites_find(struct invites *invites, const char *code)
{
    char plain[CODE_BYTES];
    struct invite *invite = NULL;

    if (code_plain(plain, code))
        HASH_FIND_STR(invites->by_code, plain, invite);
    return invite;
}

static void remember(void *arg, const void *stored)
{
    const struct store_invite *row = stored;
    struct invites *invites = arg;
    bool is_hosts = row->maker[0] == '\0';
    const char *whose = is_hosts ? row->first : row->maker;
    struct account *owner =
        whose[0] != '\0' ? accounts_find(invites->world->accounts, whose) : NULL;
    struct invite *invite = mem_new(sizeof *invite);

    if (!text_copy(invite->code, sizeof invite->code, row->code) ||
        !terms_parse(row->terms, &invite->terms)) {
        log_warn("invite=%s why=not-readable", row->code);
        free(invite);
        return;
    }
    invite->is_hosts = is_hosts;
    invite->made_wall_s = row->made_wall_s;
    HASH_ADD_STR(invites->by_code, code, invite);
    if (row->game != 0)
        set_game(invites, invite, row->game);
    else if (is_hosts || owner != NULL)
        open_invite(invites, invite, owner);
}

/* Drops each invitation that is no longer valid: it is too old, its game has ended, or
 * its maker has no account any more. */
void invites_drop_useless(struct invites *invites)
{
    struct invite *invite, *next;

    HASH_ITER (hh, invites->by_code, invite, next) {
        bool is_begun = invite->game != 0;
        bool is_lost = !is_begun && !invite->is_hosts && invite->owner == NULL;

        if (invites_is_old(invite) || is_lost ||
            (is_begun && rooms_peek(invites->world->rooms, invite->game) == NULL))
            drop_invite(invites, invite);
    }
}

void invites_end(struct invites *invites, int64_t game)
{
    struct invite *invite;

    HASH_FIND(by_game, invites->by_game, &game, sizeof game, invite);
    if (invite != NULL)
        drop_invite(invites, invite);
}

struct invites *invites_new(const struct world *world)
{
    struct invites *invites = mem_new(sizeof *invites);

    *invites = (struct invites){.world = world, .expiry = {on_invite_due, invites}};
    if (!store_load(invites->world->store, STORE_INVITE, remember, invites)) {
        invites_free(invites);
        return NULL;
    }
    return invites;
}

void invites_free(struct invites *invites)
{
    struct invite *invite, *next;

    if (invites == NULL)
        return;
    HASH_ITER (hh, invites->by_code, invite, next)
        forget_invite(invites, invite);
    free(invites);
}
