/* See record_tag.h. */
#include "client/formats/record_tag.h"

#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/game/board.h"

/* --- Tags --- */

/* Appends one byte. Drops it if `out` is full: no valid key or value is that long. */
static void put(char *out, size_t size, size_t *len, char c)
{
    if (*len + 1 >= size)
        return;
    out[(*len)++] = c;
    out[*len] = '\0';
}

static bool take_key(const char **text, struct record_tag *out)
{
    size_t len = 0;

    out->key[0] = '\0';
    for (; **text != ' ' && **text != '"'; (*text)++) {
        if (**text == '\0' || **text == '\n' || **text == ']')
            return false;
        put(out->key, sizeof out->key, &len, **text);
    }
    *text += strspn(*text, " ");
    return len > 0 && **text == '"';
}

static bool take_value(const char **text, struct record_tag *out)
{
    size_t len = 0;

    out->value[0] = '\0';
    for ((*text)++; **text != '"'; (*text)++) {
        if (**text == '\\' && ((*text)[1] == '"' || (*text)[1] == '\\'))
            (*text)++;
        if (**text == '\0' || **text == '\n')
            return false;
        put(out->value, sizeof out->value, &len, **text);
    }
    (*text)++;
    return true;
}

bool record_tag_take(const char **text, struct record_tag *out)
{
    const char *at = *text;

    if (*at != '[')
        return false;
    at++;
    at += strspn(at, " ");
    if (!take_key(&at, out) || !take_value(&at, out))
        return false;
    at += strspn(at, " ");
    if (*at != ']')
        return false;
    *text = at + 1;
    return true;
}

void record_tag_add(struct record_text *text, const char *key, const char *value)
{
    record_text_addf(text, "[%s \"", key);
    for (; *value != '\0'; value++)
        record_text_addf(text, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
    record_text_add(text, "\"]\n");
}

static void add_start(struct record_text *text, const struct game *game)
{
    char time[TIME_TERMS_BYTES], position[POSITION_BYTES];
    struct position start = game_start(game);

    record_tag_add(text, "Rules", ruleset_name(game->rules));
    time_terms_format(time, &game->clock.terms);
    record_tag_add(text, "Time", time);
    if (game->has_lineup[SIDE_RED] || game->has_lineup[SIDE_BLUE] ||
        game->phase == GAME_SETUP)
        return;
    position_format(position, &start);
    record_tag_add(text, "Position", position);
}

void record_tag_add_own(struct record_text *text, const struct record *record,
                        const struct game *game)
{
    char number[24];

    add_start(text, game);
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

/* --- Clocks --- */

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

/* --- Notes --- */

void record_tag_add_note(struct record_text *text, const struct record_note *note)
{
    if (note != NULL && note->comment[0] != '\0')
        record_text_addf(text, " {%s}", note->comment);
}

void record_tag_add_glyph(struct record_text *text, const struct record_note *note)
{
    if (note != NULL && note->glyph != 0)
        record_text_addf(text, " $%d", note->glyph);
}

void record_tag_add_evaluation(struct record_text *text, const struct record_note *note)
{
    if (note == NULL || note->eval[0] == '\0')
        return;
    record_text_addf(text, " {[%%eval %s]%s%s}", note->eval,
                     note->comment[0] != '\0' ? " " : "", note->comment);
}

/* Parses a number of at most five digits. Returns false if there is none. */
static bool take_number(const char **at, int64_t *out)
{
    size_t len = strspn(*at, "0123456789");

    *out = 0;
    if (len == 0 || len > 5)
        return false;
    for (; len > 0; len--, (*at)++)
        *out = *out * 10 + (**at - '0');
    return true;
}

/* Parses a fraction of a second, such as ".5" or ".123". Returns it in milliseconds; 0:
 * there is none. */
static int64_t take_fraction(const char **at)
{
    int64_t ms = 0, unit = MS_A_SECOND / 10;

    if (**at != '.')
        return 0;
    for ((*at)++; **at >= '0' && **at <= '9'; (*at)++, unit /= 10)
        ms += (**at - '0') * unit;
    return ms;
}

static bool parse_clock(const char *at, int64_t *out_ms)
{
    int64_t hours, minutes, seconds;

    if (!take_number(&at, &hours) || *at++ != ':' || !take_number(&at, &minutes) ||
        *at++ != ':' || !take_number(&at, &seconds))
        return false;
    *out_ms = hours * MS_AN_HOUR + minutes * MS_A_MINUTE + seconds * MS_A_SECOND;
    *out_ms += take_fraction(&at);
    return *at == ']';
}

/* Returns the text after `name` in the comment, or NULL if the comment does not contain
 * `name`. */
static const char *find_value(const char *comment, size_t len, const char *name)
{
    const char *at = memmem(comment, len, name, strlen(name));

    return at == NULL ? NULL : at + strlen(name);
}

void record_tag_take_clock(struct draft_move *move, const char *comment, size_t len)
{
    const char *clock = find_value(comment, len, "[%clk ");
    const char *periods = find_value(comment, len, "[%periods ");
    int64_t number;

    if (clock == NULL || !parse_clock(clock, &move->left.main_ms))
        return;
    move->has_left = true;
    if (periods != NULL && take_number(&periods, &number))
        move->left.periods = (int)number;
}
