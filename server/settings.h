/* The settings of the parts of the server that follow from the configuration. Knows no
 * part that runs. A reload asks again. */
#ifndef SERVER_SETTINGS_H
#define SERVER_SETTINGS_H

#include "server/account/accounts.h"
#include "server/admission/admission.h"
#include "server/lobby/lobby.h"
#include "server/net/session.h"
#include "server/room/rooms.h"

struct config;

struct admission_settings settings_admission(const struct config *config);
/* Without the greeting, the farewell and admission. */
struct session_settings settings_sessions(const struct config *config);
struct room_settings settings_rooms(const struct config *config);
struct accounts_settings settings_accounts(const struct config *config);
/* Without bytes_max, which depends on the disk. */
struct lobby_limits settings_lobby(const struct config *config);

#endif
