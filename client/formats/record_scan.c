/* See record_scan.h. */
#include "client/formats/record_scan.h"

#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/board.h"

/* Advances to the place `end` in the text and counts the lines on the way. */
static void skip(struct record_scan *scan, const char *end)
{
    for (; scan->at < end; scan->at++)
        scan->line += *scan->at == '\n';
}

static void begin_game(struct record_scan *scan)
{
    scan->count++;
    scan->is_wanted = scan->count == scan->import->number;
    if (scan->is_wanted)
        scan->draft.line = scan->line;
}

/* --- Tags --- */

/* Appends one byte. Drops it if `out` is full: no valid key or value is that long. */
static void put(char *out, size_t size, size_t *len, char c)
{
    if (*len + 1 >= size)
        return;
    out[(*len)++] = c;
    out[*len] = '\0';
}

static bool take_key(const char **text, char out[SCAN_KEY_BYTES])
{
    size_t len = 0;

    out[0] = '\0';
    for (; **text != ' ' && **text != '"'; (*text)++) {
        if (**text == '\0' || **text == '\n' || **text == ']')
            return false;
        put(out, SCAN_KEY_BYTES, &len, **text);
    }
    *text += strspn(*text, " ");
    return len > 0 && **text == '"';
}

static bool take_value(const char **text, char out[SCAN_VALUE_BYTES])
{
    size_t len = 0;

    out[0] = '\0';
    for ((*text)++; **text != '"'; (*text)++) {
        if (**text == '\\' && ((*text)[1] == '"' || (*text)[1] == '\\'))
            (*text)++;
        if (**text == '\0' || **text == '\n')
            return false;
        put(out, SCAN_VALUE_BYTES, &len, **text);
    }
    (*text)++;
    return true;
}

/* Parses [Key "value"]. A tag after a move begins the next game. */
static bool take_tag(struct record_scan *scan, const struct scan_format *format)
{
    char key[SCAN_KEY_BYTES], value[SCAN_VALUE_BYTES];
    const char *at = scan->at + 1;
    bool is_tag;

    at += strspn(at, " ");
    is_tag = take_key(&at, key) && take_value(&at, value);
    at += strspn(at, " ");
    if (!is_tag || *at != ']')
        return record_import_refuse(
            scan->import, scan->line,
            _("expected tags like %s, each on a line of its own"), format->example);
    scan->at = at + 1;
    if (!scan->is_in_tags)
        begin_game(scan);
    scan->is_in_tags = true;
    return !scan->is_wanted || format->take_tag(scan, key, value);
}

/* --- Comments --- */

enum { MS_AN_HOUR = 3600000, MS_A_MINUTE = 60000, MS_A_SECOND = 1000 };

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

static bool parse_clock(const char *at, int64_t *out_ms)
{
    int64_t hours, minutes, seconds;

    if (!take_number(&at, &hours) || *at++ != ':' || !take_number(&at, &minutes) ||
        *at++ != ':' || !take_number(&at, &seconds))
        return false;
    *out_ms = hours * MS_AN_HOUR + minutes * MS_A_MINUTE + seconds * MS_A_SECOND;
    if (*at == '.')
        for (int64_t unit = MS_A_SECOND / 10; *++at >= '0' && *at <= '9'; unit /= 10)
            *out_ms += (*at - '0') * unit;
    return *at == ']';
}

/* Returns the text after `name` in the comment, or NULL. */
static const char *find_value(const char *comment, size_t len, const char *name)
{
    const char *at = memmem(comment, len, name, strlen(name));

    return at == NULL ? NULL : at + strlen(name);
}

/* Skips a comment up to the character `close`: '}' or the LF. If the comment contains a
 * clock time, such as "[%clk 0:09:58]", stores that time in the last move. */
static void take_comment(struct record_scan *scan, char close)
{
    struct record_draft *draft = &scan->draft;
    const char *begin = scan->at + 1, *end = strchr(begin, close);
    size_t len = end == NULL ? strlen(begin) : (size_t)(end - begin);
    const char *clock = find_value(begin, len, "[%clk ");
    const char *periods = find_value(begin, len, "[%periods ");
    int64_t number;

    if (scan->is_wanted && draft->moves > 0 && clock != NULL) {
        struct draft_move *move = &draft->move[draft->moves - 1];

        move->has_left |= parse_clock(clock, &move->left.main_ms);
        if (move->has_left && periods != NULL && take_number(&periods, &number))
            move->left.periods = (int)number;
    }
    skip(scan, begin + len);
    if (end != NULL && close != '\n')
        scan->at++; /* skip the '}'; an LF does not belong to the comment */
}

/* Skips a variation in parentheses, which may contain variations and comments. */
static bool skip_variation(struct record_scan *scan)
{
    int line = scan->line, depth = 0;

    do {
        if (*scan->at == '\0')
            return record_import_refuse(scan->import, line, _("missing ) for this ("));
        if (*scan->at == '{') {
            const char *end = strchr(scan->at, '}');

            skip(scan, end == NULL ? scan->at + strlen(scan->at) - 1 : end);
        }
        depth += *scan->at == '(' ? 1 : *scan->at == ')' ? -1 : 0;
        skip(scan, scan->at + 1);
    } while (depth > 0);
    return true;
}

/* --- The whole --- */

static bool take_word(struct record_scan *scan, const struct scan_format *format)
{
    size_t len = strcspn(scan->at, format->ends);
    char word[SCAN_WORD_BYTES];

    len += len == 0; /* consume an unmatched closing bracket */
    snprintf(word, sizeof word, "%.*s",
             (int)(len < SCAN_WORD_BYTES ? len : SCAN_WORD_BYTES - 1), scan->at);
    scan->at += len;
    if (format->is_pgn && scan->count == 0)
        begin_game(scan);
    scan->is_in_tags = false;
    return format->take_word(scan, word);
}

static bool take_all(struct record_scan *scan, const struct scan_format *format)
{
    bool is_line_begin = true, is_good = true;

    while (is_good && *scan->at != '\0') {
        char c = *scan->at;

        if (c == '\n' || c == ' ')
            skip(scan, scan->at + 1);
        else if (c == '{' || (c == ';' && format->is_pgn))
            take_comment(scan, c == '{' ? '}' : '\n');
        else if (c == '%' && is_line_begin && format->is_pgn)
            skip(scan, scan->at + strcspn(scan->at, "\n"));
        else if (c == '(' && format->is_pgn)
            is_good = skip_variation(scan);
        else
            is_good = c == '[' ? take_tag(scan, format) : take_word(scan, format);
        is_line_begin = c == '\n';
    }
    return is_good;
}

bool record_scan_read(const struct scan_format *format, struct record *out,
                      const char *text, struct record_import *import)
{
    struct record_scan scan = {.import = import, .at = text, .line = 1, .told = -1};
    bool is_read;

    record_draft_init(&scan.draft);
    is_read = take_all(&scan, format) &&
              (scan.count >= import->number ||
               record_import_refuse(import, 0,
                                    translate_count("the file contains %d game in %s",
                                                    "the file contains %d games in %s",
                                                    scan.count),
                                    scan.count, format->name)) &&
              format->build(&scan, out);
    if (is_read && scan.count > 1)
        record_import_note(import, 0,
                           _("the file contains %d games; this is number %d"),
                           scan.count, import->number);
    record_draft_clear(&scan.draft);
    return is_read;
}

/* --- Writing --- */

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
