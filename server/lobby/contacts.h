/* An address that a player has confirmed with a code. The host's program can reach the
 * player at this address when the player is not connected. The server does not use the
 * address itself: it only sends lines to the program (helper/notifier.h). There are two
 * kinds of lines. Here the second line is too long, and is shown in two parts:
 *
 *   code account=17 name=hong address=hong@example.org code=K7Q2-9F3M minutes=60
 *   turn account=17 name=hong address=hong@example.org why=waiting games=2 game=3
 *        left_s=86000
 *
 * "turn" tells an absent player which games by correspondence wait for a move. Such a
 * line has why=waiting at most once in CONTACT_HOURS hours. It has why=quarter or
 * why=tenth when that part of the time for a move is left. game and left_s belong to
 * the game with the least time left. An address has only characters that need no
 * quotes. */
#ifndef SERVER_LOBBY_CONTACTS_H
#define SERVER_LOBBY_CONTACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/store/store.h"

struct account;
struct accounts;
struct contacts;
struct deadlines;
struct notifier;
struct rooms;

enum {
    CONTACT_ADDRESS_MAX = 64, /* bytes */
    CONTACT_HOURS = 6,        /* least time between two lines with why=waiting */
    CONTACT_WAIT_S = 600,     /* how long a game waits before the first line about it */
    CONTACT_CODE_MINUTES = 60,
    CONTACT_CODES_EACH = 3,     /* codes in a day to one account, or to one mailbox */
    CONTACT_CODES_NETWORK = 20, /* codes in a day to non-members of one network */
    CONTACT_CODES_ALL = 200,    /* codes in a day to all accounts; non-members get at
                                 * most half. The limit protects people who did not ask
                                 * for a code */
    CONTACT_TRIES = 5           /* after this many wrong codes, the right one is void
                                 * too */
};

/* Borrows all modules; notifier is NULL if there is no program. */
struct contacts_parts {
    struct store *store;
    struct accounts *accounts;
    struct rooms *rooms;
    struct deadlines *spans; /* on the monotonic clock */
    struct notifier *notifier;
};
struct contacts *contacts_new(const struct contacts_parts *parts) MUST_USE;
/* Accepts NULL. */
void contacts_free(struct contacts *contacts);

/* True if `address` has 3 to CONTACT_ADDRESS_MAX letters, digits and characters of
 * "._%+-@:/=~", and the first is a letter, a digit or +. */
bool contacts_is_address(const char *address);

/* Returns the confirmed address of the account, or NULL. The text is valid until the
 * address changes. */
const char *contacts_address(const struct contacts *contacts,
                             const struct account *account);

enum contacts_verdict {
    CONTACTS_DONE,
    CONTACTS_OFF,   /* the host has no program for this, or it has ended */
    CONTACTS_YOUNG, /* the account is a program; or is younger than a day, and not a
                     * member */
    CONTACTS_EACH,  /* the account or the mailbox got CONTACT_CODES_EACH codes today */
    CONTACTS_ALL,  /* CONTACT_CODES_ALL codes were sent today (half, for non-members) */
    CONTACTS_SLOW, /* the host's program does not read its input */
    CONTACTS_CODE, /* the account has no open code, or the given code is wrong */
    CONTACTS_FULL  /* the account has no room for another mark (marks.h) */
};
/* Sends a new code to `address`, which must pass contacts_is_address(). An older code
 * of the account is no longer valid. The caller enforces CONTACT_CODES_NETWORK. */
enum contacts_verdict contacts_ask(struct contacts *contacts, struct account *account,
                                   const char *address, int64_t now_wall_s) MUST_USE;
/* If the code is right, the account gets the address to which the code was sent. If the
 * result is CONTACTS_DONE, calls `done` as store.h says. */
enum contacts_verdict contacts_confirm(struct contacts *contacts,
                                       struct account *account, const char *code,
                                       store_done_fn *done, void *arg) MUST_USE;
/* Forgets the address and the code of the account. Returns false if the account had no
 * address; then `done` is not called. */
bool contacts_drop(struct contacts *contacts, struct account *account,
                   store_done_fn *done, void *arg);

#endif
