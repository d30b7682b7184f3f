/* What the client of one session may use: lines, chat, lines of strangers, and output
 * of games that it only watches. The use is charged to the client's own budgets. If the
 * client has a pass, the use is also charged to its source (admission.h). Output of
 * watched games is charged only to the source.
 *
 * This module does not use the modules of sessions and wires. The session reports what
 * has happened, and gets an answer. The answer may tell the session to refuse a line,
 * or not to send the output of a watched game. Every now_ms is a time on the monotonic
 * clock (mono.h). */
#ifndef SERVER_NET_ALLOWANCE_H
#define SERVER_NET_ALLOWANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/admission/admission.h"
#include "server/base/budget.h"

struct allowances;
struct event_base;
struct strangers;

/* --- What all allowances share --- */

/* The rates of one client. lines_per_s or chat_per_min 0: no limit. */
struct allowance_rates {
    int lines_per_s, lines_burst;
    int chat_per_min, chat_burst;
};

/* Tells `owner` that its network has budget again. `owner` is the object that was given
 * to allowance_open(). Called from the loop after allowance_may_watch() has returned
 * false. If that function returned false several times, this function is called only
 * once. */
typedef void allowance_budget_fn(void *owner);

/* Makes the state that all allowances share. The caller frees it with
 * allowances_free(). Borrows `base` and `admission`, and copies `rates`. admission
 * NULL: the clients have no passes. Ends the process if there is no memory. */
struct allowances *allowances_new(struct event_base *base,
                                  const struct allowance_rates *rates,
                                  struct admission *admission,
                                  allowance_budget_fn *on_budget) MUST_USE;
/* Uses these rates from now on. */
void allowances_change(struct allowances *allowances,
                       const struct allowance_rates *rates);
/* Frees *allowances. All allowances must have been closed. Accepts NULL. */
void allowances_free(struct allowances *allowances);

/* --- One client --- */

/* Other files may read only pass and meter. They must not write any member. */
struct allowance {
    struct allowances *of;
    void *owner;         /* borrowed, for the callback */
    struct pass *pass;   /* the client's entry in admission; borrowed; NULL: none */
    struct meter meter;  /* what the client has used in the last minute */
    struct budget lines; /* budget for the lines of this client alone */
    struct budget seat_lines; /* lines that the client may send while it plays and its
                               * source has no budget left */
    struct budget chat;       /* for chat without an account */
    struct budget comings;
    struct strangers *strangers; /* the strangers who have sent lines to this client;
                                  * NULL: none */
    size_t unpaid_bytes;         /* output for its commands, not charged yet */
    bool awaits_budget; /* it waits, in a list, until its network has budget again */
    struct allowance *prev, *next;
};

/* Sets up *allowance for a new client, with full budgets. *allowance must stay at the
 * same address until allowance_close(). pass NULL: the client has no pass, or gets one
 * later. */
void allowance_open(struct allowance *allowance, struct allowances *of,
                    struct pass *pass, void *owner);
/* Replaces the pass of the client; the caller owns both passes. pass NULL: the client
 * has no pass any more. */
void allowance_set_pass(struct allowance *allowance, struct pass *pass);
/* Frees what *allowance owns. After this call the callback is not called for its owner.
 * Does not use the pass, so the caller may have given it back before. */
void allowance_close(struct allowance *allowance);

/* --- Lines, and what they cost --- */

/* Returns the milliseconds until the client may send the next line; 0: now. is_playing:
 * the client plays a game. All clients of a network (its source) share a budget. While
 * this budget is used up, a client that plays may use a small budget of its own. */
int64_t allowance_wait_ms(const struct allowance *allowance, bool is_playing,
                          int64_t now_ms);
/* Charges a line that has arrived, also one that is too early. Returns the milliseconds
 * by which it is too early; 0: it may be read. is_playing: as above. */
int64_t allowance_take_line(struct allowance *allowance, bool is_playing,
                            int64_t now_ms);

/* Counts output. is_for_command: a command of this client has caused the output, so the
 * next allowance_charge_output() charges the output. */
void allowance_note_output(struct allowance *allowance, size_t bytes,
                           bool is_for_command);
/* Charges the output for commands that was noted since the last call. A kilobyte costs
 * as much as one line, and half a kilobyte costs half as much. */
void allowance_charge_output(struct allowance *allowance, int64_t now_ms);

/* Charges `lines` lines because the current command is expensive. These lines are added
 * to the one line that every command costs. */
void allowance_charge(struct allowance *allowance, int lines, int64_t now_ms);
/* Charges the current command for bytes that it makes the server send to others: a line
 * for each whole kilobyte. */
void allowance_charge_told(struct allowance *allowance, size_t bytes, int64_t now_ms);
/* Adds seconds to the penalty of the client's network. `fault` decides how many seconds
 * are added. While a network has a high penalty, its new connections are refused. Does
 * nothing if the client has no pass. */
void allowance_penalize(struct allowance *allowance, enum admission_fault fault,
                        int64_t now_ms);

/* --- Games that the client only watches --- */

/* True when the client's source has budget for more output of games that the client
 * only watches. Otherwise the callback tells the owner when the source has budget
 * again. Uses the current time. */
bool allowance_may_watch(struct allowance *allowance) MUST_USE;
/* Charges the source for that many bytes of output of watched games: a line, and one
 * more for each kilobyte. The client's own budget is not charged. Uses the current
 * time. */
void allowance_charge_watching(struct allowance *allowance, size_t bytes);

/* --- Chat and strangers --- */

/* True when the client may send a chat message. chat: the budget of the player's
 * account, which outlives the connection. NULL: the client has no account and uses its
 * own budget. A guest with a pass also uses the budget that all guests of its source
 * share. */
bool allowance_has_chat(const struct allowance *allowance, const struct budget *chat,
                        bool is_guest, int64_t now_ms);
/* Charges a chat message to the same budgets. */
void allowance_charge_chat(struct allowance *allowance, struct budget *chat,
                           bool is_guest, int64_t now_ms);

/* The players of a game get a line when this client, a spectator, comes or goes.
 * Charges one such line. False: there were too many such lines, and this one must not
 * be sent. The budget for these lines is separate from the budget for chat, but has the
 * same size. */
bool allowance_spend_coming(struct allowance *allowance, int64_t now_ms) MUST_USE;

/* Charges one line that a stranger (strangers.h) sends to this client. source: a number
 * for the stranger or for the stranger's network, as in strangers.h. False: the client
 * has received too many lines from strangers, and this one must not be sent. */
bool allowance_spend_stranger(struct allowance *allowance, uint64_t source,
                              int64_t now_ms) MUST_USE;

#endif
