/* See record.h. */
#include "common/record/record.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/record/record_text.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

enum { EVENTS_CHUNK = 64 };

static const char first_line[] = "janggi-record 1";
static const char key_is[] = "key=", signature_is[] = "signature=";
static const char base64url[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void record_init(struct record *record)
{
    *record = (struct record){.game = -1};
}

void record_clear(struct record *record)
{
    for (int i = 0; i < record->events; i++)
        free(record->event[i]);
    free(record->event);
    record_init(record);
}

void record_add(struct record *record, const char *event)
{
    assert(strlen(event) < EVENT_BYTES);
    if (record->events == record->room) {
        record->room += EVENTS_CHUNK;
        record->event =
            mem_resize(record->event, (size_t)record->room, sizeof *record->event);
    }
    record->event[record->events++] = mem_copy_text(event);
}

void record_add_event(struct record *record, const struct event *event)
{
    char text[EVENT_BYTES];

    event_format(text, event);
    record_add(record, text);
}

/* --- Folding --- */

/* Writes the reason to why. Always returns false, so that a caller can refuse in one
 * line. */
static PRINTF_LIKE(2, 3) bool refuse(char why[RECORD_WHY_BYTES], const char *format,
                                     ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(why, RECORD_WHY_BYTES, format, args);
    va_end(args);
    return false;
}

/* Call it when `game` has refused `event`. Writes the reason to `why`, as specifically
 * as possible. Always returns false. */
static bool refuse_event(const struct game *game, const struct event *event,
                         char why[RECORD_WHY_BYTES])
{
    char words[SENTENCE_BYTES], move[MOVE_BYTES];
    struct fault fault;

    if (game->phase == GAME_OVER)
        return refuse(why, _("the game had ended before this event"));
    if (event->kind != EVENT_MOVE || game->phase != GAME_PLAY)
        return refuse(why, _("this event is not possible at this point of the game"));
    if (game->is_adjourned)
        return refuse(
            why, _("the game is adjourned, and was not continued before this event"));
    if (game_turn(game) == SIDE_NONE)
        return refuse(why, _("the rules have ended the game: %s"),
                      term_reason(game->due_reason));
    if (event->side != game_turn(game))
        return refuse(why, _("it is %s's turn"), term_side(game_turn(game)));
    if (event->ply != game->plies + 1)
        return refuse(why, _("the number of this ply must be %d"), game->plies + 1);
    fault = rules_judge(game->rules, &game->position, event->move);
    if (fault.code == FAULT_NONE)
        return refuse(
            why,
            _("the times of this event do not fit the times of the event before it"));
    move_format(move, event->move);
    sentence_fault(words, fault);
    return refuse(why, _("%s is not legal: %s"), move, words);
}

bool record_play(struct record *record, struct game *game, const struct event *event,
                 char why[RECORD_WHY_BYTES])
{
    if (!game_apply(game, event, 0))
        return refuse_event(game, event, why);
    record_add_event(record, event);
    return true;
}

bool record_has_play(const struct game *game)
{
    return game->first_number > 0;
}

struct time_left record_left(const struct game *game, int ply, enum side side)
{
    return ply < game->plies ? game->ply[ply].left_before[side]
                             : game->clock.left[side];
}

bool record_step(const struct record *record, int *at, struct game *game,
                 char why[RECORD_WHY_BYTES])
{
    struct event event;

    why[0] = '\0';
    for (; *at < record->events; (*at)++)
        switch (event_parse(record->event[*at], &event)) {
        case EVENT_UNKNOWN:
            continue;
        case EVENT_BAD:
            return refuse(why, _("this is not an event"));
        case EVENT_OK:
            if (!game_apply(game, &event, 0))
                return refuse_event(game, &event, why);
            (*at)++;
            return true;
        }
    return false;
}

bool record_fold(const struct record *record, struct game *game,
                 char why[RECORD_WHY_BYTES])
{
    char words[RECORD_WHY_BYTES];
    int at = 0;

    while (record_step(record, &at, game, words))
        continue;
    return words[0] == '\0' || refuse(why, _("event %d: %.200s"), at, words);
}

/* --- Writing --- */

static void write_meta(struct record_text *text, const struct record *record)
{
    const char *sep = "";

    if (record->server[0] != '\0') {
        record_text_addf(text, "server=%s", record->server);
        sep = " ";
    }
    if (record->game >= 0) {
        record_text_addf(text, "%sgame=%lld", sep, (long long)record->game);
        sep = " ";
    }
    if (record->ended[0] != '\0') {
        record_text_addf(text, "%sended=%s", sep, record->ended);
        sep = " ";
    }
    if (sep[0] != '\0')
        record_text_add(text, "\n");
}

/* Writes one of the last two lines, unless its value is empty. */
static void write_signed(struct record_text *text, const char *name, const char *value)
{
    if (value[0] == '\0')
        return;
    record_text_add(text, name);
    record_text_add(text, value);
    record_text_add(text, "\n");
}

char *record_write(const struct record *record)
{
    struct record_text text = {.at = NULL};

    record_text_addf(&text, "%s\n", first_line);
    write_meta(&text, record);
    for (int i = 0; i < record->events; i++)
        record_text_addf(&text, "%d %s\n", i, record->event[i]);
    write_signed(&text, key_is, record->public_key);
    write_signed(&text, signature_is, record->signature);
    return record_text_take(&text);
}

/* --- Reading --- */

struct reading {
    struct record record;
    struct game game;
    int folded; /* number of events that were applied to game, or skipped */
    const char *text;
    size_t len;
    size_t at;                    /* start of the next line */
    char line[RECORD_LINE_BYTES]; /* the line that was read last */
    int number;                   /* number of that line, from 1 */
    char *why;
};

/* Reads the next line into in->line, without its LF. At the end of the text, returns
 * false and does not change *in->why. On an error, returns false and writes the reason
 * to *in->why. */
static bool next_line(struct reading *in)
{
    const char *begin = in->text + in->at;
    const char *end = in->at < in->len ? memchr(begin, '\n', in->len - in->at) : NULL;
    size_t len;

    if (in->at == in->len)
        return false;
    in->number++;
    if (end == NULL)
        return refuse(in->why, _("the file ends within the line"));
    len = (size_t)(end - begin);
    if (len >= sizeof in->line)
        return refuse(in->why, _("the line is too long"));
    if (memchr(begin, '\0', len) != NULL)
        return refuse(in->why, _("there is a NUL byte in the line"));
    if (len > 0 && begin[len - 1] == '\r')
        return refuse(
            in->why,
            _("the line ends with CR LF; the lines of a record end with LF alone"));
    memcpy(in->line, begin, len);
    in->line[len] = '\0';
    in->at += len + 1;
    return true;
}

static bool is_base64url(const char *text)
{
    return text[strspn(text, base64url)] == '\0';
}

/* Returns true if the two digits at `text` are a number from `lo` to `hi`. */
static bool is_number(const char *text, int lo, int hi)
{
    int number = (text[0] - '0') * 10 + text[1] - '0';

    return number >= lo && number <= hi;
}

bool record_is_ended_text(const char *text)
{
    static const char form[] = "0000-00-00T00:00:00Z";

    for (size_t i = 0; i < sizeof form; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return is_number(text + 5, 1, 12) && is_number(text + 8, 1, 31) &&
           is_number(text + 11, 0, 23) && is_number(text + 14, 0, 59) &&
           is_number(text + 17, 0, 60);
}

static bool take_meta_key(struct reading *in, const char *key, const char *value)
{
    struct record *record = &in->record;

    if (strcmp(key, "server") == 0) {
        if (strlen(value) != RECORD_KEY_BYTES - 1 || !is_base64url(value))
            return refuse(in->why, _("server= is not a key of 43 characters"));
        return text_copy(record->server, sizeof record->server, value);
    }
    if (strcmp(key, "game") == 0 && !text_to_int(value, 0, INT64_MAX, &record->game))
        return refuse(in->why, _("game= is not a number"));
    if (strcmp(key, "ended") == 0) {
        if (!record_is_ended_text(value))
            return refuse(in->why, _("ended= is not a time like 2026-11-21T19:06:24Z"));
        return text_copy(record->ended, sizeof record->ended, value);
    }
    return true;
}

/* Parses the second line of a record, which has only "key=value" words. Changes
 * in->line. */
static bool take_meta(struct reading *in)
{
    for (char *word = in->line, *next; word != NULL; word = next) {
        char *value = strchr(word, '=');

        next = strchr(word, ' ');
        if (next != NULL)
            *next++ = '\0';
        if (value == NULL || (next != NULL && value > next))
            return refuse(in->why, _("neither a word like game=17 nor an event"));
        *value++ = '\0';
        if (!take_meta_key(in, word, value))
            return false;
    }
    return true;
}

/* Parses and applies a line with an event, "17 move 3 red ...", where 17 must be the
 * number of the next event. */
static bool take_event(struct reading *in)
{
    char *text = strchr(in->line, ' ');
    int number;

    if (text == NULL)
        return refuse(in->why,
                      _("the number of an event must be followed by the event"));
    *text++ = '\0';
    if (!text_to_int32(in->line, 0, INT32_MAX, &number) || number != in->record.events)
        return refuse(in->why, _("expected event %d here"), in->record.events);
    if (strlen(text) >= EVENT_BYTES)
        return refuse(in->why, _("the event is too long"));
    record_add(&in->record, text);
    (void)!record_step(&in->record, &in->folded, &in->game, in->why);
    return in->why[0] == '\0';
}

/* Returns the rest of the line after `name`; NULL if the line does not begin with
 * name. */
static const char *value_of(const struct reading *in, const char *name)
{
    size_t len = strlen(name);

    return strncmp(in->line, name, len) == 0 ? in->line + len : NULL;
}

static bool take_signed(struct reading *in, char out[RECORD_SIGNED_BYTES],
                        const char *value)
{
    if (value[0] == '\0' || !is_base64url(value) ||
        !text_copy(out, RECORD_SIGNED_BYTES, value))
        return refuse(in->why, _("this is not base64url"));
    return true;
}

/* Stores `value`, the value of key=. Then reads the next line, which must be
 * signature=, and stores its value. */
static bool take_key(struct reading *in, const char *value)
{
    if (!take_signed(in, in->record.public_key, value))
        return false;
    in->record.signed_bytes = in->at;
    in->line[0] = '\0';
    if (!next_line(in)) {
        if (in->why[0] != '\0')
            return false;
        in->number++;
    }
    value = value_of(in, signature_is);
    if (value == NULL)
        return refuse(in->why, _("expected the signature here, after the key"));
    return take_signed(in, in->record.signature, value);
}

/* Parses any line except the first. */
static bool take_line(struct reading *in)
{
    const char *key = value_of(in, key_is);

    if (key != NULL && in->record.events > 0)
        return take_key(in, key);
    if (in->line[0] >= '0' && in->line[0] <= '9')
        return take_event(in);
    if (in->number > 2)
        return refuse(in->why, _("expected event %d or the key here"),
                      in->record.events);
    return take_meta(in);
}

static bool read_all(struct reading *in)
{
    if (!next_line(in) || strcmp(in->line, first_line) != 0) {
        in->number = 1;
        return refuse(in->why,
                      _("a record begins with the line \"%s\", ended with LF alone"),
                      first_line);
    }
    while (next_line(in)) {
        if (in->record.signature[0] != '\0')
            return refuse(in->why, _("nothing may follow the signature"));
        if (!take_line(in))
            return false;
    }
    if (in->why[0] == '\0' && in->record.events == 0)
        return refuse(in->why, _("the record ends without any event"));
    return in->why[0] == '\0';
}

bool record_read(struct record *out, const char *text, size_t len,
                 char why[RECORD_WHY_BYTES])
{
    char words[RECORD_WHY_BYTES] = "";
    struct reading in = {.text = text, .len = len, .why = words};
    bool is_read;

    record_init(&in.record);
    game_init(&in.game);
    in.record.signed_bytes = len;
    is_read = read_all(&in);
    game_clear(&in.game);
    if (is_read) {
        *out = in.record;
        return true;
    }
    record_clear(&in.record);
    return refuse(why, _("line %d: %.200s"), in.number, words);
}
