/* See settings.h. */
#include "server/settings.h"

#include "server/base/config.h"
#include "server/base/prefix.h"

enum { HOUR_MS = 3600 * 1000 };
enum { SITE_TIMES = 4 }; /* an IPv6 /48 makes so many times as much as a source in it */

/* Returns the rate of that many units in span_ms; 0: no limit. */
static struct rate rate_of(int units, int span_ms, int burst)
{
    return (struct rate){units == 0 ? 0 : span_ms / units, burst};
}

struct admission_settings settings_admission(const struct config *config)
{
    struct admission_settings settings = {
        .has_quotas = config->has_quotas,
        .connections = config->connections_max,
        .per_address = config->per_address_max,
        .handshakes = rate_of(config->accepts_per_s, 1000, config->accepts_per_s),
        .work = rate_of(config->work_per_s, 1000, config->work_burst)};

    (void)prefix_list_parse(config->trusted, &settings.trusted);
    return settings;
}

struct session_settings settings_sessions(const struct config *config)
{
    return (struct session_settings){
        .login_ms = (int64_t)config->login_s * 1000,
        .has_web = config_web(config) != CONFIG_WEB_OFF,
        .guest_idle_ms =
            (config->has_quotas ? config->guest_idle_s : 0) * INT64_C(1000),
        .slow_reader_ms = (int64_t)config->slow_reader_s * 1000,
        .chat = rate_of(config->chat_per_min, 60000, config->chat_burst)};
}

struct room_settings settings_rooms(const struct config *config)
{
    return (struct room_settings){
        .setup_ms = (int64_t)config->setup_s * 1000,
        .grace_ms = (int64_t)config->grace_s * 1000,
        .keep_ms = (int64_t)config->keep_s * 1000,
        .absence_ms = (int64_t)config->absence_s * 1000,
        .aborted_keep_ms = config->has_quotas ? 0 : (int64_t)config->keep_s * 1000,
        .unmoved_ms = config->has_quotas ? (int64_t)CONFIG_UNMOVED_HOURS * HOUR_MS : 0,
        .ended_bytes = (int64_t)config->ended_mb << 20,
        .lag_ms = config->lag_max_ms,
        .adjourned_ms = (int64_t)CONFIG_ADJOURNED_DAYS * DAY_MS};
}

struct accounts_settings settings_accounts(const struct config *config)
{
    struct accounts_settings settings = {.names_max = config->names_max,
                                         .name_days = CONFIG_NAME_DAYS};
    struct quota_limit *of = settings.quotas.of;

    for (int i = 0; i < QUOTA_KINDS; i++)
        if (config->has_quotas)
            of[i] = config->quota[i];
        else if (i < QUOTA_OPEN)
            of[i].account = config->quota[i].account;
    of[QUOTA_REPORT].site = SITE_TIMES * of[QUOTA_REPORT].source;
    of[QUOTA_MESSAGE].site = SITE_TIMES * of[QUOTA_MESSAGE].source;
    (void)prefix_list_parse(config->trusted, &settings.quotas.trusted);
    return settings;
}

struct lobby_limits settings_lobby(const struct config *config)
{
    return (struct lobby_limits){.games_per_min =
                                     config->has_quotas ? CONFIG_GAMES_PER_MIN : 0,
                                 .leaves_max = config->has_quotas ? LEAVES_MAX : 0,
                                 .games_max = config->games_max,
                                 .may_be_near = config->rates_same_address};
}
