/* All verbs by name, and the functions that run a line with a verb. Each verb is in the
 * cmd_ file of its kind. */
#ifndef SERVER_VERB_VERBS_H
#define SERVER_VERB_VERBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/command/command.h"

struct account;
struct room;
struct config;
struct session;
struct world;

/* All verbs; NULL after the last. */
extern const struct command *const commands[];

/* Runs one line of a session, also of the host's; changes the line. When it returns, the
 * line has been answered or the session is held for a later answer; an empty line gets no
 * answer. */
void verbs_run(struct world *world, struct session *session, char *line,
               int64_t now_ms);

/* The verbs of a session. `own` has those of the host alone, for the host's session and
 * for janggid ctl: they come first, and stand in place of others with the same name.
 * NULL: the verbs of everybody else. verbs_at() counts the verbs of both tables, and
 * returns NULL after the last. verbs_look_up() returns NULL for an unknown verb, and for one
 * that is not for the host, or for the host alone. verbs_nearest() writes the name that is
 * most like a mistyped word; false: none is. */
typedef const struct command *const verbs_own;
const struct command *verbs_at(verbs_own *own, size_t i);
const struct command *verbs_look_up(verbs_own *own, const char *name);
bool verbs_nearest(verbs_own *own, const char *word, char out[COMMAND_NAME_BYTES]);

/* --- The entries --- */

/* cmd_login.c */
extern const struct command cmd_login, cmd_view, cmd_quit, cmd_device, cmd_devices;
/* If the caller proves to be the owner of the account `name`, returns the account.
 * word: "token=T", or "" for the caller's key. Does not log in. NULL: the answer was
 * sent. */
struct account *cmd_login_prove(struct call *call, const char *name, const char *word);
/* A token that was made for a login must reach its client. Otherwise the new name would be
 * lost: then the name becomes free, or the token of the further device is revoked.
 * cmd_login_heard(): the output of the session has been sent. cmd_login_gone(): the session
 * has ended. */
void cmd_login_heard(struct session *session);
void cmd_login_gone(struct world *world, struct session *session);
/* cmd_about.c */
extern const struct command cmd_rules, cmd_limits, cmd_ping, cmd_export;
/* Returns the name of row i of the answer to the verb `limits`, and sets *value to its
 * value. NULL after the last row. */
const char *cmd_about_limits_row(const struct config *config, size_t i, int *value);
/* cmd_lobby.c */
extern const struct command cmd_seek, cmd_play, cmd_challenge, cmd_rematch, cmd_accept,
    cmd_decline, cmd_withdraw, cmd_invite, cmd_join;
/* cmd_list.c */
extern const struct command cmd_seeks, cmd_pending, cmd_games, cmd_due, cmd_watchers,
    cmd_who, cmd_history, cmd_rank, cmd_top, cmd_annul;
/* cmd_play.c */
extern const struct command cmd_setup, cmd_move, cmd_pass, cmd_resign, cmd_say,
    cmd_draw, cmd_takeback, cmd_abort, cmd_adjourn, cmd_continue, cmd_claim;
/* cmd_watch.c */
extern const struct command cmd_watch, cmd_unwatch, cmd_resume, cmd_whisper, cmd_moves,
    cmd_board, cmd_clock, cmd_state, cmd_let, cmd_unlet, cmd_watchlink, cmd_record;
/* cmd_people.c */
enum { PEOPLE_MAX = 50 }; /* the most names on each of the lists of notify and follow */
extern const struct command cmd_notify, cmd_follow, cmd_tv, cmd_ignore, cmd_unignore,
    cmd_block, cmd_unblock, cmd_quiet;
/* Notifies the players who asked for it (verb `notify`) that the session's player has
 * logged in. */
void cmd_people_come(struct world *world, struct session *session, int64_t now_ms);
/* Call it when a game has begun. Shows the game to the players
 * who follow one of its players. */
void cmd_people_begin(struct world *world, struct room *room);
/* cmd_message.c */
extern const struct command cmd_tell, cmd_messages, cmd_report;
/* Sends the unread messages of the session's player to the session. The session must
 * have logged in. */
void cmd_message_deliver(struct world *world, struct session *session);
/* cmd_staff.c */
extern const struct command cmd_kick, cmd_ban, cmd_unban, cmd_bans, cmd_mute,
    cmd_unmute, cmd_end;
/* cmd_house.c */
extern const struct command cmd_role, cmd_members, cmd_notice, cmd_motd, cmd_name,
    cmd_audit, cmd_reports, cmd_reload, cmd_access, cmd_guests, cmd_watching, cmd_doors,
    cmd_reset, cmd_owner;
/* cmd_evening.c */
extern const struct command cmd_evening;

#endif
