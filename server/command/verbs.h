/* All verbs by name. Each is in the cmd_ file of its kind; verbs.c lists them. */
#ifndef SERVER_COMMAND_VERBS_H
#define SERVER_COMMAND_VERBS_H

#include <stddef.h>

struct command;
struct config;

/* cmd_login.c */
extern const struct command cmd_login, cmd_ping, cmd_view, cmd_help, cmd_rules,
    cmd_limits, cmd_quit;
/* Row i of the answer to limits; NULL after the last. */
const char *cmd_login_limits_row(const struct config *config, size_t i, int *value);
/* cmd_device.c */
extern const struct command cmd_device, cmd_devices;
/* cmd_lobby.c */
extern const struct command cmd_seek, cmd_challenge, cmd_accept, cmd_decline,
    cmd_withdraw;
/* cmd_invite.c */
extern const struct command cmd_invite, cmd_join;
/* cmd_list.c */
extern const struct command cmd_seeks, cmd_pending, cmd_games, cmd_watchers, cmd_who,
    cmd_history;
/* cmd_play.c */
extern const struct command cmd_setup, cmd_move, cmd_pass, cmd_resign, cmd_say;
/* cmd_offer.c */
extern const struct command cmd_draw, cmd_takeback, cmd_abort, cmd_rematch;
/* cmd_absence.c */
extern const struct command cmd_adjourn, cmd_continue, cmd_claim;
/* cmd_watch.c */
extern const struct command cmd_watch, cmd_unwatch, cmd_resume, cmd_whisper, cmd_moves,
    cmd_board, cmd_clock, cmd_state;
/* cmd_privacy.c */
extern const struct command cmd_let, cmd_unlet, cmd_watchlink;
/* cmd_peace.c */
extern const struct command cmd_ignore, cmd_unignore, cmd_block, cmd_unblock, cmd_quiet;
/* cmd_staff.c */
extern const struct command cmd_kick, cmd_ban, cmd_unban, cmd_bans, cmd_mute,
    cmd_unmute, cmd_end;
/* cmd_house.c */
extern const struct command cmd_role, cmd_members, cmd_notice, cmd_motd, cmd_name,
    cmd_audit, cmd_reports, cmd_reload;
/* cmd_record.c */
extern const struct command cmd_record;

#endif
