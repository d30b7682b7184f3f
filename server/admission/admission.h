/* Admission: which connections are accepted, and what the callers of one source may
 * cost. A source is an IPv4 address or an IPv6 /64. The networks around it (IPv4 /24;
 * IPv6 /56 and /48) are sources too, with larger budgets. One table has all of them,
 * and each has one budget for its connections and its lines. The checks come in this
 * order:
 *
 *   1. Is the network of the caller banned?
 *   2. Do its source and the networks around it have budget, no penalty, and few open
 *      connections?
 *   3. Its TLS handshake: the waiting caller whose source has used least goes first.
 *   4. Do few enough connections wait for their login? If not, the oldest of the source
 *      with most of them is closed.
 *   5. At the login: is a place free? If not, a player gets the place of the guest who
 *      has been idle longest. Members, staff and players with a game always get in.
 *
 * A check charges only the source that it refuses. A source where somebody has proved a
 * name within a day is known: penalties and the networks around it do not keep its
 * callers out, so that a player can come back.
 *
 * This module only keeps counts: it has no sockets and no sessions, and the time is an
 * argument. The log gets at most one line for a source in 10 s. */
#ifndef SERVER_ADMISSION_ADMISSION_H
#define SERVER_ADMISSION_ADMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/base/budget.h"
#include "server/base/prefix.h"

struct admission;
struct slot; /* stands for one connection, from accept to its end */

struct admission_settings {
    bool has_quotas;        /* false: only connections and handshakes are limited */
    int connections;        /* of all sources together */
    int per_address;        /* open connections of one source */
    struct rate handshakes; /* TLS handshakes of all sources */
    struct rate work;       /* of one source: lines, which count as several if they are
                             * expensive, and connections (admission_share_milli()) */
    struct prefix_list trusted; /* have 20 times the budgets, and no penalties */
};

struct admission *admission_new(const struct admission_settings *settings) MUST_USE;
/* Uses these settings from now on. has_quotas, connections and the trusted networks
 * must not change. */
void admission_change(struct admission *admission,
                      const struct admission_settings *settings);
/* Each slot must have been given back with admission_leave(). Accepts NULL. */
void admission_free(struct admission *admission);

/* True for an address in a trusted network. */
bool admission_trusts(const struct admission *admission, const struct prefix *from);
/* True for a network that has addresses in a trusted one. */
bool admission_trusts_some(const struct admission *admission,
                           const struct prefix *network);

/* True when all slots have been given back. */
bool admission_is_empty(const struct admission *admission);

/* --- Bans --- */

/* Refuses connections from that network until until_ms (on the monotonic clock;
 * INT64_MAX: for ever). A second call changes the end. Open connections remain. */
void admission_ban(struct admission *admission, const struct prefix *network,
                   int64_t until_ms);
/* Ends the ban of exactly that network. False: it was not banned. */
bool admission_unban(struct admission *admission, const struct prefix *network);

struct admission_refused {
    struct prefix network;
    int refusals;
};
/* Writes to `most` the sources from which most connections were refused within the last
 * minute or two: the one with most first, equal ones in the order of their addresses.
 * Returns how many there are, at most `max`. Walks all sources, so call it only for the
 * host's requests. */
int admission_refused(const struct admission *admission, int64_t now_ms,
                      struct admission_refused *most, int max);

/* --- From accept to the login --- */

/* Admits a new connection, which waits for its handshake. fd is only stored for
 * slot_fd(). NULL: refuse the connection; the refusal has been counted. */
struct slot *admission_arrive(struct admission *admission, const struct prefix *from,
                              int fd, int64_t now_ms) MUST_USE;
/* Returns the caller whose TLS handshake may begin now. NULL: no caller waits, or the
 * budget of handshakes is used up for now. */
struct slot *admission_next(struct admission *admission, int64_t now_ms);
/* Returns the next caller to refuse, because it has waited too long, or because too
 * many wait. NULL: there is none. Give the slot back with admission_leave(). */
struct slot *admission_late(struct admission *admission, int64_t now_ms);
/* Returns the milliseconds until admission_next() or admission_late() has a caller; -1:
 * no caller waits. */
int64_t admission_wait_ms(const struct admission *admission, int64_t now_ms);

/* Admits a caller for whom a proxy of ours has connected and done the handshake. NULL:
 * refuse it. */
struct slot *admission_enter(struct admission *admission, const struct prefix *from,
                             int64_t now_ms) MUST_USE;

/* Call it when the connection has ended: frees the slot, which may be NULL. */
void admission_leave(struct admission *admission, struct slot *slot);

int slot_fd(const struct slot *slot);
const struct prefix *slot_from(const struct slot *slot);
/* Sets the session of the connection. Other functions return this session when the
 * connection must be closed. */
void slot_set_session(struct slot *slot, uint64_t session);

/* Returns the id of a session that must be closed because too many have not logged in.
 * Returns each such session once. 0: there is none. Call it again until it returns
 * 0. */
uint64_t admission_crowded_out(struct admission *admission);

/* --- Places --- */

enum admission_rank {
    ADMISSION_GUEST,
    ADMISSION_PLAYER, /* has a name */
    ADMISSION_MEMBER  /* a member, staff, or a player with a game: never refused */
};

/* Gives a place to a connection that logs in. Call it also when a guest, who has a
 * place already, logs in to an account. *evicted: the session of a guest whom the
 * caller must disconnect to make room, or 0. False: there is no place. A connection
 * that a known source has opened above --per-address is for players: a guest gets false
 * on it. */
bool admission_take_place(struct admission *admission, struct slot *slot,
                          enum admission_rank rank, int64_t now_ms,
                          uint64_t *evicted) MUST_USE;

/* Call it when the proof of an existing name was correct: the source is now known for a
 * day. */
void admission_note_login(const struct slot *slot, int64_t now_ms);
bool admission_is_known(const struct slot *slot, int64_t now_ms);

/* Records that a guest is not idle. */
void admission_touch(struct admission *admission, struct slot *slot, int64_t now_ms);
/* Returns the session of the guest who has been idle longest, if that guest has been
 * idle since since_ms or longer; 0: there is none. */
uint64_t admission_idle_guest(const struct admission *admission, int64_t since_ms);

/* --- Faults and lines. `slot` may be NULL: then there is no limit --- */

enum admission_fault {
    ADMISSION_WRONG_PROOF, /* a wrong proof or a wrong code */
    ADMISSION_HANDSHAKE,   /* a handshake that was broken off or is not TLS */
    ADMISSION_NO_LOGIN,    /* no login in time */
    ADMISSION_GARBAGE,     /* an invalid line */
    ADMISSION_FLOOD        /* keeps sending lines although they are refused */
};
enum { ADMISSION_FAULTS = ADMISSION_FLOOD + 1 };

/* Adds the seconds for that fault to the penalty of the source, unless it is trusted.
 * While a source has a penalty of more than PENALTY_FROM_MS (admission.c), its new
 * connections are refused. */
void admission_penalize(const struct slot *slot, enum admission_fault fault,
                        int64_t now_ms);
/* Returns the milliseconds until the source may try a proof again; 0: now. */
int64_t admission_proof_wait_ms(const struct slot *slot, int64_t now_ms);

/* Returns the milliseconds until the source, and each network around it, has budget for
 * a line; 0: now. */
int64_t admission_line_wait_ms(const struct admission *admission,
                               const struct slot *slot, int64_t now_ms);
/* Charges `milli` thousandths of a line to the source and to the networks around it. A
 * refused line is charged to the source alone: otherwise one address that goes on
 * sending could silence its network. */
void admission_charge(const struct admission *admission, const struct slot *slot,
                      int64_t milli, bool is_refused, int64_t now_ms);

/* Returns what a connection costs, and a chat line without an account, in thousandths
 * of a line: a 64th of what a source may use at once. */
int64_t admission_share_milli(const struct admission *admission);

/* --- For limits and status --- */

struct admission_counts {
    int waiting, unnamed, guests, placed, sources, bans;
    int64_t refused; /* number of refused connections since the start */
};
struct admission_counts admission_counts(const struct admission *admission);
/* The number of places: connections that are logged in. */
int admission_places(const struct admission *admission);

#endif
