/* Admission: decides which connections are accepted, and limits the cost of each caller
 * before and after login. The source of a caller is its IPv4 address or IPv6 /64. The
 * porch is the set of connections that are not logged in yet; a connection that is
 * logged in has a place. The numbers of both are limited. The checks come in this order,
 * the cheapest first:
 *
 *   1. Is the network of the caller banned?
 *   2. Do the budgets of its source allow the connection (sources.h)?
 *   3. Is it the source's turn for a TLS handshake (turns.h)?
 *   4. Does the porch have room?
 *   5. After login: is a place free?
 *
 * A caller that one budget refuses is not charged to the budgets that come later.
 *
 * Everything is counted in constant time. This module only keeps counts: it has no
 * sockets and no sessions, and the time is an argument. The log gets at most one line
 * for a source in 10 s. */
#ifndef SERVER_ADMISSION_ADMISSION_H
#define SERVER_ADMISSION_ADMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/base/prefix.h"

struct admission;
struct pass; /* stands for one connection, from accept to its end */

struct admission_settings {
    bool has_quotas;      /* false: only connections and handshakes are limited */
    int connections;      /* maximum number of connections of all sources together */
    int handshakes_per_s; /* TLS handshakes of all sources; 0: no limit */
    int connects_per_s, connects_burst; /* new connections of one source */
    int open;                           /* maximum number of open connections of one
                                         * source */
    int unnamed;                        /* maximum number of one source's connections
                                         * that are not logged in */
    int work_per_s, work_burst;         /* lines of one source; an expensive line counts
                                         * as several. 0: no limit */
    int chat_per_min, chat_burst;       /* lines of chat of all guests of one source; 0:
                                         * no limit */
    struct prefix_list trusted; /* callers from these networks wait in the queue of the
                                 * known sources (admission_note_login()), get no
                                 * penalties, and have 20 times the budgets */
};

struct admission *admission_new(const struct admission_settings *settings) MUST_USE;
/* Uses these settings from now on. has_quotas, connections and the trusted networks
 * must not change. */
void admission_change(struct admission *admission,
                      const struct admission_settings *settings);
/* Each pass must have been given back with admission_leave(). Accepts NULL. */
void admission_free(struct admission *admission);

/* True for an address in a trusted network. */
bool admission_trusts(const struct admission *admission, const struct prefix *from);
/* True for a network that has addresses in a trusted one. */
bool admission_trusts_some(const struct admission *admission,
                           const struct prefix *network);

/* True when all passes have been given back. */
bool admission_is_empty(const struct admission *admission);

/* --- Bans --- */

/* Refuses connections from that network until until_ms (on the monotonic clock;
 * INT64_MAX: for ever). A second call changes the end. Open connections remain. */
void admission_ban(struct admission *admission, const struct prefix *network,
                   int64_t until_ms);
/* Ends the ban of exactly that network. False: it was not banned. */
bool admission_unban(struct admission *admission, const struct prefix *network);

/* Calls fn for each source from which connections were refused within the last minute
 * or two. The order of the calls has no meaning. Walks all sources, so call it only for
 * the host's requests. */
typedef void admission_refused_fn(void *arg, const struct prefix *network,
                                  int refusals);
void admission_refused(const struct admission *admission, int64_t now_ms,
                       admission_refused_fn *fn, void *arg);

/* --- From accept to the handshake --- */

/* Admits a new connection. fd is only stored for pass_fd(). NULL: refuse the
 * connection; the refusal has been counted. A known source (see admission_note_login())
 * may open one connection a second even if a limit or a penalty would refuse it. This
 * holds for the limits and penalties of the source and of the networks around it. So a
 * player can come back. */
struct pass *admission_arrive(struct admission *admission, const struct prefix *from,
                              int fd, int64_t now_ms) MUST_USE;
/* Moves the next caller from the queue to the porch, and returns it; its TLS handshake
 * may begin. NULL: no caller waits, or the budget of handshakes is used up for now. */
struct pass *admission_next(struct admission *admission, int64_t now_ms);
/* Returns the next caller to refuse, because it has waited too long, or because too
 * many callers wait. NULL: there is none. Give the pass back with admission_leave(). */
struct pass *admission_late(struct admission *admission, int64_t now_ms);
/* Returns the milliseconds until admission_next() or admission_late() has a caller; -1:
 * no caller waits. */
int64_t admission_wait_ms(const struct admission *admission, int64_t now_ms);

/* Admits a caller for whom a proxy of ours has connected. The caller is in the porch at
 * once, because the proxy did the handshake. NULL: refuse it. */
struct pass *admission_enter(struct admission *admission, const struct prefix *from,
                             int64_t now_ms) MUST_USE;

/* Call it when the connection has ended: frees the pass, which may be NULL. */
void admission_leave(struct admission *admission, struct pass *pass);

int pass_fd(const struct pass *pass);
const struct prefix *pass_from(const struct pass *pass);
/* Sets the session of the connection. Other functions return this session when the
 * connection must be closed. */
void pass_set_session(struct pass *pass, uint64_t session);

/* --- The porch and places --- */

/* Returns the id of a session that must be closed because the porch is too full.
 * Returns each such session once. 0: there is none. Call it again until it returns
 * 0. */
uint64_t admission_crowded_out(struct admission *admission);

enum admission_rank {
    ADMISSION_GUEST,
    ADMISSION_PLAYER, /* has a name */
    ADMISSION_MEMBER, /* a member or staff: has reserved places */
    ADMISSION_SEATED  /* plays a game: never refused */
};

/* Gives a place to a connection that logs in. Call it also when a guest, who has a
 * place already, logs in to an account. *evicted: the session of a guest whom the
 * caller must disconnect to make room, or 0. False: there is no place, and the
 * connection stays in the porch, or keeps its place as a guest.
 *
 * Also returns false if a guest logs in on a connection that was admitted above a limit
 * of open connections. A known source may exceed this limit (see admission_arrive()),
 * but only for players. */
bool admission_take_place(struct admission *admission, struct pass *pass,
                          enum admission_rank rank, int64_t now_ms,
                          uint64_t *evicted) MUST_USE;

/* Call it when the proof of an existing name was correct: the source of the pass is now
 * known for a day. Callers from known sources wait in a queue of their own, which gets
 * half of all handshakes. */
void admission_note_login(struct admission *admission, const struct pass *pass,
                          int64_t now_ms);
/* True if the source of the pass is known: somebody has logged in from there during the
 * last day. */
bool admission_is_known(const struct admission *admission, const struct pass *pass,
                        int64_t now_ms);
/* Reads and writes the file of known sources (regulars.h). */
void admission_load(struct admission *admission, const char *path, int64_t now_ms,
                    int64_t now_wall_s);
void admission_save(const struct admission *admission, const char *path, int64_t now_ms,
                    int64_t now_wall_s);

/* Records that a guest is not idle, because the guest has chatted or started to
 * watch. */
void admission_touch(struct admission *admission, struct pass *pass, int64_t now_ms);
/* Returns the session of the guest who has been idle longest, if that guest has been
 * idle since since_ms or longer; 0: there is none. */
uint64_t admission_idle_guest(const struct admission *admission, int64_t since_ms);

/* --- Faults and work --- */

enum admission_fault {
    ADMISSION_WRONG_PROOF, /* a wrong proof or a wrong code */
    ADMISSION_HANDSHAKE,   /* a handshake that was broken off or is not TLS */
    ADMISSION_NO_LOGIN,    /* no login in time */
    ADMISSION_GARBAGE,     /* an invalid line */
    ADMISSION_FLOOD        /* keeps sending lines although they are refused */
};
enum { ADMISSION_FAULTS = ADMISSION_FLOOD + 1 };

/* Adds the seconds for that fault to the penalty of the pass's source, unless the
 * source is trusted. While a source has a penalty of more than PENALTY_FROM_MS
 * (admission.c), its new connections are refused. */
void admission_penalize(const struct pass *pass, enum admission_fault fault,
                        int64_t now_ms);
/* Returns the milliseconds until the source may try a proof again; 0: now. */
int64_t admission_proof_wait_ms(const struct pass *pass, int64_t now_ms);

/* Returns the milliseconds until the source may send a line again; 0: now. */
int64_t admission_work_wait_ms(const struct admission *admission,
                               const struct pass *pass, int64_t now_ms);
/* Charges `milli` thousandths of a line to the source and to the networks around it. */
void admission_charge(struct admission *admission, const struct pass *pass,
                      int64_t milli, int64_t now_ms);
/* Charges a refused line to the source, but not to the networks around it. If these
 * networks were charged too, one address that continues to send could silence its whole
 * network. */
void admission_charge_refused(struct admission *admission, const struct pass *pass,
                              int64_t milli, int64_t now_ms);

/* True when the guests of the source may say another line of chat. The source, and each
 * network around it, has one budget for all its guests. */
bool admission_has_chat(const struct admission *admission, const struct pass *pass,
                        int64_t now_ms);
/* Charges a line of chat to the source and to the networks around it. */
void admission_charge_chat(struct admission *admission, const struct pass *pass,
                           int64_t now_ms);

/* --- For limits and status --- */

struct admission_counts {
    int waiting, unnamed, guests, placed, sources, bans;
    int64_t refused; /* number of refused connections since the start */
};
struct admission_counts admission_counts(const struct admission *admission);
/* admission_places() returns the number of places. admission_guest_places() returns how
 * many of these places guests may use. */
int admission_places(const struct admission *admission);
int admission_guest_places(const struct admission *admission);

#endif
