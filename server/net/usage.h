/* What the client of one session uses: lines, output, chat. Lines and output are charged
 * to the budget of its source (admission.h). The session reports what has happened, and
 * gets an answer, which may tell it to refuse a line or not to send the output of a
 * watched game. Every now_ms is a time on the monotonic clock (mono.h). */
#ifndef SERVER_NET_USAGE_H
#define SERVER_NET_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/admission/admission.h"
#include "server/base/budget.h"

struct event_base;
struct usages;

/* Tells `owner`, which was given to usage_open(), that its source has budget again.
 * Called once from the loop after usage_may_watch() has returned false. */
typedef void usage_budget_fn(void *owner);

/* Makes the state that all clients share: chat is the limit of the chat of one. Borrows
 * `base` and `admission` (NULL: the clients have no slots). */
struct usages *usages_new(struct event_base *base, struct rate chat,
                          struct admission *admission,
                          usage_budget_fn *on_budget) MUST_USE;
void usages_change(struct usages *usages, struct rate chat);
/* All clients must have been closed. Accepts NULL. */
void usages_free(struct usages *usages);

/* Other files may read only slot and meter. They must not write any member. */
struct usage {
    struct usages *of;
    void *owner;        /* borrowed, for the callback */
    struct slot *slot;  /* borrowed; NULL: no limits */
    struct meter meter; /* what the client has used in the last minute */
    struct budget seat; /* lines while it plays and its source has no budget */
    struct budget chat; /* for chat without an account */
    struct budget comings;
    struct budget strangers; /* lines of strangers to this client */
    uint64_t last_stranger;
    size_t unpaid_bytes; /* output for its commands, not charged yet */
    size_t free_bytes;   /* other output, not metered yet */
    bool awaits_budget;  /* is in the list of those who wait for budget */
    struct usage *prev, *next;
};

/* Sets up *usage for a new client. It must stay at the same address until
 * usage_close(). */
void usage_open(struct usage *usage, struct usages *of, struct slot *slot, void *owner);
/* After this call the callback is not called for its owner. Does not use the slot, so
 * the caller may have given it back before. */
void usage_close(struct usage *usage);

/* --- Lines, and what they cost --- */

/* Charges a line that has arrived, also one that is too early, and the output for the
 * commands before it. Returns the milliseconds by which the line is too early; 0: it
 * may be read. */
int64_t usage_take_line(struct usage *usage, int64_t now_ms);
/* Call it when usage_take_line() refuses a line of a client that plays: it has a small
 * budget that its neighbours cannot use up. True: the line may be read all the same. */
bool usage_spend_seat(struct usage *usage, int64_t now_ms) MUST_USE;

/* Counts output. is_for_command: a command of this client has caused it, so it is
 * charged, a line for each kilobyte. */
void usage_note_output(struct usage *usage, size_t bytes, bool is_for_command);
/* Charges what usage_note_output() has counted. */
void usage_charge_output(struct usage *usage, int64_t now_ms);
/* Charges the current command for being expensive: `lines` besides the one that each
 * command costs, or a line for each whole kilobyte that others are sent. */
void usage_charge(struct usage *usage, int lines, int64_t now_ms);
void usage_charge_told(struct usage *usage, size_t bytes, int64_t now_ms);

/* What the client has used in the last minute. */
struct meter_sum usage_read(struct usage *usage, int64_t now_ms);

/* --- Games that the client only watches --- */

/* True when the source has budget for more output of games that the client only
 * watches. Otherwise the callback tells the owner when it has budget again. */
bool usage_may_watch(struct usage *usage) MUST_USE;
/* Charges the source for that many bytes of output of watched games: a line, and one
 * more for each kilobyte. */
void usage_charge_watching(struct usage *usage, size_t bytes);

/* --- Chat and strangers --- */

/* True when the client may send a chat message. chat: the budget of the player's
 * account, which outlives the connection. NULL: the client has no account and uses its
 * own budget. */
bool usage_has_chat(const struct usage *usage, const struct budget *chat,
                    int64_t now_ms);
/* Charges a chat message. That of a guest, who has logged in without an account, also
 * costs the source as much as a connection, so that connecting again does not help. */
void usage_charge_chat(struct usage *usage, struct budget *chat, bool is_guest,
                       int64_t now_ms);

/* The players of a game get a line when this client, a spectator, comes or goes.
 * Charges one such line. False: there were too many, and this one must not be sent. */
bool usage_spend_coming(struct usage *usage, int64_t now_ms) MUST_USE;

/* Charges one line that a stranger sends to this client: somebody who has no game with
 * it. It gets about one a second of all strangers together. source: a number for the
 * stranger, or for the network of the stranger; the one who was heard last cannot take
 * all lines. False: there were too many lines, and this one must not be sent. */
bool usage_spend_stranger(struct usage *usage, uint64_t source,
                          int64_t now_ms) MUST_USE;

#endif
