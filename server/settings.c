/* See settings.h. */
#include "server/settings.h"

#include "server/base/config.h"
#include "server/base/prefix.h"

enum { HOUR_MS = 3600 * 1000, DAY_MS = 86400 * 1000 };

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

static struct network_limits network_limits(const struct config *config)
{
    struct network_limits limits = {
        .names_per_hour = config->names_per_hour,
        .names_per_day = config->names_per_day,
        .names_per_site = config->names_per_site,
        .per_day = {[NETWORK_REPORT] = config->reports_per_day,
                    [NETWORK_MESSAGE] = config->messages_per_day}};

    (void)prefix_list_parse(config->trusted, &limits.trusted);
    return limits;
}

struct accounts_settings settings_accounts(const struct config *config)
{
    struct accounts_settings names = {.names_max = config->names_max,
                                      .name_days = CONFIG_NAME_DAYS};

    if (config->has_quotas) {
        names.network = network_limits(config);
        names.reports_per_hour = config->reports_per_hour;
    }
    return names;
}

struct lobby_limits settings_lobby(const struct config *config)
{
    struct lobby_limits limits = {
        .seeks = {.seeks = config->seeks_max, .challenges = config->challenges_max},
        .invites = {.player = config->invites_max},
        .seats_max = config->games_each,
        .games_max = config->games_max,
        .may_be_near = config->rates_same_address};

    if (config->has_quotas) {
        limits.games_per_min = CONFIG_GAMES_PER_MIN;
        limits.leaves_max = LEAVES_MAX;
        limits.seeks.network_seeks = config->network_seeks;
        limits.invites.network = config->network_invites;
        limits.network_seats_max = config->network_seats;
    }
    return limits;
}
