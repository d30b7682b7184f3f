/* See record_tag.h. */
#include "client/formats/record_tag.h"

#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/board.h"

void record_tag_add(struct record_text *text, const char *key, const char *value)
{
    record_text_addf(text, "[%s \"", key);
    for (; *value != '\0'; value++)
        record_text_addf(text, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    record_text_add(text, "\"]\n");
}

void record_tag_add_own(struct record_text *text, const struct record *record,
                        const struct game *game)
{
    char time[TIME_TERMS_BYTES], position[POSITION_BYTES], number[24];
    struct position start = game_start(game);

    record_tag_add(text, "Rules", ruleset_name(game->rules));
    time_terms_format(time, &game->clock.terms);
    record_tag_add(text, "Time", time);
    if (!game->has_lineup[SIDE_RED] && !game->has_lineup[SIDE_BLUE] &&
        game->phase != GAME_SETUP) {
        position_format(position, &start);
        record_tag_add(text, "Position", position);
    }
    if (game->phase == GAME_OVER)
        record_tag_add(text, "Reason", reason_name(game->reason));
    if (game->phase == GAME_OVER && game->ended_by != SIDE_NONE)
        record_tag_add(text, "EndedBy", side_name(game->ended_by));
    if (record->server[0] != '\0')
        record_tag_add(text, "Server", record->server);
    snprintf(number, sizeof number, "%lld", (long long)record->game);
    if (record->game >= 0)
        record_tag_add(text, "Game", number);
    if (record->ended[0] != '\0')
        record_tag_add(text, "Ended", record->ended);
}

enum { MS_AN_HOUR = 3600000, MS_A_MINUTE = 60000, MS_A_SECOND = 1000 };

void record_tag_add_clock(struct record_text *text, const struct game *game, int ply)
{
    int64_t ms;
    struct time_left left = record_left(game, ply, game_side_of_ply(game, ply));

    if (game->clock.terms.is_untimed)
        return;
    ms = left.main_ms;
    record_text_addf(text, " {[%%clk %lld:%02d:%02d", (long long)(ms / MS_AN_HOUR),
                     (int)(ms % MS_AN_HOUR / MS_A_MINUTE),
                     (int)(ms % MS_A_MINUTE / MS_A_SECOND));
    if (ms % MS_A_SECOND != 0)
        record_text_addf(text, ".%03d", (int)(ms % MS_A_SECOND));
    record_text_add(text, "]");
    if (game->clock.terms.periods > 0)
        record_text_addf(text, " [%%periods %d]", left.periods);
    record_text_add(text, "}");
}
