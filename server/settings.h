/* Makes the settings of each part of the server from the configuration. Does not call
 * the parts: the caller passes the settings to them, at the start and after a
 * reload. */
#ifndef SERVER_SETTINGS_H
#define SERVER_SETTINGS_H

#include "server/account/accounts.h"
#include "server/admission/admission.h"
#include "server/lobby/lobby.h"
#include "server/net/session.h"
#include "server/room/rooms.h"

struct config;

struct admission_settings settings_admission(const struct config *config);
/* Leaves the greeting, the farewell and admission unset. */
struct session_settings settings_sessions(const struct config *config);
struct room_settings settings_rooms(const struct config *config);
struct accounts_settings settings_accounts(const struct config *config);
/* Leaves bytes_max unset: the caller sets it, because it depends on the disk. */
struct lobby_limits settings_lobby(const struct config *config);

#endif
