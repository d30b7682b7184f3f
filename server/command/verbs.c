/* The index of all verbs, in the order in which help prints them. */
#include "server/command/verbs.h"

#include <stddef.h>

#include "server/command/command.h"

const struct command *const commands[] = {
    &cmd_login,     &cmd_seek,     &cmd_seeks,    &cmd_challenge, &cmd_accept,
    &cmd_decline,   &cmd_withdraw, &cmd_invite,   &cmd_join,      &cmd_setup,
    &cmd_move,      &cmd_pass,     &cmd_moves,    &cmd_board,     &cmd_clock,
    &cmd_state,     &cmd_draw,     &cmd_takeback, &cmd_abort,     &cmd_resign,
    &cmd_adjourn,   &cmd_continue, &cmd_claim,    &cmd_rematch,   &cmd_say,
    &cmd_games,     &cmd_watch,    &cmd_unwatch,  &cmd_resume,    &cmd_whisper,
    &cmd_who,       &cmd_history,  &cmd_record,   &cmd_view,      &cmd_rules,
    &cmd_limits,    &cmd_ping,     &cmd_help,     &cmd_device,    &cmd_devices,
    &cmd_quit,      &cmd_pending,  &cmd_watchers, &cmd_let,       &cmd_unlet,
    &cmd_watchlink, &cmd_ignore,   &cmd_unignore, &cmd_block,     &cmd_unblock,
    &cmd_quiet,     &cmd_members,  &cmd_kick,     &cmd_ban,       &cmd_unban,
    &cmd_bans,      &cmd_mute,     &cmd_unmute,   &cmd_end,       &cmd_notice,
    &cmd_role,      &cmd_audit,    &cmd_reports,  &cmd_motd,      &cmd_name,
    &cmd_reload,    NULL,
};
