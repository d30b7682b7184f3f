/* Tickets: codes that give a right to the person who presents one. A code is shown once,
 * when it is made; of the stored ones only a digest is kept. A verb says what using a
 * ticket means. (The code of an invitation to a game is shown to its maker again:
 * lobby/invites.h. That of a watch link is computed: room/privacy.h.) */
#ifndef SERVER_ACCOUNT_TICKET_H
#define SERVER_ACCOUNT_TICKET_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/table.h"
#include "common/base/utf8.h"
#include "server/account/code.h"
#include "server/store/store.h"

struct account;
struct tickets;

enum ticket_kind {
    TICKET_ENTER, /* makes its users members; a short code */
    TICKET_OWNER, /* makes its user an owner */
    TICKET_RESET, /* target: one login with a new key */
    TICKET_DEVICE /* target: adds a device; a short code, only in memory */
};
enum { TICKET_KINDS = TICKET_DEVICE + 1 };

enum {
    TICKET_CODE_BYTES = 23, /* of the longest: 128 bits as base64url, and a NUL */
    TICKET_DIGEST_BYTES = 44,
    TICKET_BEGIN_BYTES = 5,
    TICKET_USES = 20,
    TICKET_USES_MAX = 1000,
    TICKET_DAYS = 7,
    TICKET_DAYS_MAX = 365,
    OWNER_MINUTES = 15,
    RESET_HOURS = 24,
    DEVICE_CODE_MINUTES = 10
};
/* TICKETS_MAX: at most this many of TICKET_ENTER are open. A used-up one is kept until it
 * expires, so that a school class that opens a link too often is refused, but not
 * penalized; when one is made and TICKETS_USED_UP_MAX are kept, the first goes. A ticket
 * gets back at most TICKET_GIVES_BACK uses in a run of the server: each leaves two
 * entries in the audit log, which is kept for good. */
enum { TICKETS_MAX = 100, TICKETS_USED_UP_MAX = 100, TICKET_GIVES_BACK = 20 };

/* Owned by struct tickets. */
struct ticket {
    char digest[TICKET_DIGEST_BYTES]; /* of its code */
    enum ticket_kind kind;
    char begin[TICKET_BEGIN_BYTES]; /* TICKET_ENTER: the beginning of its code, which
                                     * names it in lists; nobody can use it so */
    char maker[NAME_BYTES];         /* TICKET_ENTER: a shown name, or HOUSE_OPERATOR */
    char target[NAME_BYTES + 2];    /* else: a letter of the kind, and a folded name */
    int uses, left, given_back;
    int64_t until_wall_s;
    char old_code[CODE_BYTES]; /* its row is of 0.1.0; "": it is not */
    uint64_t
        used_up; /* counts up from the first that was used up; 0: before the start */
    UT_hash_handle hh, by_target;
    struct ticket *prev, *next; /* in the list of TICKET_ENTER, the oldest first */
};

/* Reads the tickets, and which accounts they admitted: sets account->door of those that
 * `find` finds. Returns NULL after logging why. Borrows the store. */
typedef struct account *ticket_find_fn(void *arg, const char *folded);
struct tickets *tickets_open(struct store *store, ticket_find_fn *find,
                             void *arg) MUST_USE;
/* Accepts NULL. */
void tickets_close(struct tickets *tickets);

/* Makes a ticket of TICKET_ENTER. Returns NULL if TICKETS_MAX are open. */
struct ticket *tickets_make_enter(struct tickets *tickets, const char *maker, int uses,
                                  int days, int64_t now_wall_s,
                                  char code[TICKET_CODE_BYTES]);
/* Makes a ticket of another kind, which replaces that of the same kind and target. It has
 * one use. target: a folded name; "" for TICKET_OWNER. */
void tickets_make(struct tickets *tickets, enum ticket_kind kind, const char *target,
                  int64_t now_wall_s, char code[TICKET_CODE_BYTES]);

/* Finds the ticket with that code, short codes in any spelling. NULL: it is unknown, of
 * another kind or target, used up, or expired. The ticket stays, because the login may
 * still be refused. */
struct ticket *tickets_find(struct tickets *tickets, enum ticket_kind kind,
                            const char *target, const char *code, int64_t now_wall_s);
/* Finds a ticket of TICKET_ENTER by its code or its beginning, also a used-up one. */
struct ticket *tickets_find_enter(struct tickets *tickets, const char *code);

/* Uses the ticket once, for `account` if it is of TICKET_ENTER. Call it in one batch with
 * what it gives. */
void tickets_use(struct tickets *tickets, struct ticket *ticket,
                 struct account *account);
/* Call it when a new member has not received the token of `account`: the ticket that
 * admitted it gets the use back. */
void tickets_give_back(struct tickets *tickets, struct account *account);

void tickets_remove(struct tickets *tickets, struct ticket *ticket);
/* Removes the ticket of that kind and target, if there is one. */
void tickets_void(struct tickets *tickets, enum ticket_kind kind, const char *target);
/* Removes the ticket that admitted the account, and all that `maker` made. */
void tickets_remove_of(struct tickets *tickets, const struct account *account);
void tickets_remove_made_by(struct tickets *tickets, const char *maker);

/* Drops expired tickets of TICKET_ENTER, and returns the first; `next` leads to the
 * others, used-up ones too. NULL: there is none. */
struct ticket *tickets_first(struct tickets *tickets, int64_t now_wall_s);
/* Returns the ticket that admitted the account; NULL: none, or it has gone. */
struct ticket *tickets_of(const struct tickets *tickets, const struct account *account);

#endif
