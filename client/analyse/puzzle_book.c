/* See puzzle_book.h. A line is "RULES,POSITION DUE SOLVED SOLUTION PLAYED PLAYERS". The
 * position has commas in place of its spaces. */
#include "client/analyse/puzzle_book.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/base/keep.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/game/board.h"
#include "common/game/rules.h"

static const int days_until_next[] = {1, 3, 8};

enum { KEY_BYTES = POSITION_BYTES + 32, DAY_S = 86400 };
enum { WORD_DUE, WORD_SOLVED, WORD_SOLUTION, WORD_PLAYED, WORD_PLAYERS };

/* --- Days --- */

static void format_day(char out[PUZZLE_DATE_BYTES], int days_from_now)
{
    time_t at = (time_t)(mono_wall_s() + (int64_t)days_from_now * DAY_S);
    struct tm day;

    localtime_r(&at, &day);
    strftime(out, PUZZLE_DATE_BYTES, "%Y-%m-%d", &day);
}

bool puzzle_is_due(const struct puzzle_kept *kept)
{
    char today[PUZZLE_DATE_BYTES];

    format_day(today, 0);
    return strcmp(kept->due, today) <= 0;
}

/* --- Lines --- */

static void replace(char *text, char from, char to)
{
    for (; *text != '\0'; text++)
        if (*text == from)
            *text = to;
}

static void format_key(char out[KEY_BYTES], const struct ruleset *rules,
                       const struct position *position)
{
    char text[POSITION_BYTES];

    position_format(text, position);
    snprintf(out, KEY_BYTES, "%s,%s", ruleset_name(rules), text);
    replace(out, ' ', ',');
}

static bool parse_key(const char *key, struct puzzle_kept *out)
{
    char text[KEY_BYTES], *position;

    if (!text_copy(text, sizeof text, key))
        return false;
    position = strchr(text, ',');
    if (position == NULL)
        return false;
    *position++ = '\0';
    replace(position, ',', ' ');
    out->rules = ruleset_find(text);
    return out->rules != NULL && position_parse(position, &out->position, NULL) &&
           rules_position_ok(out->rules, &out->position, NULL);
}

static bool parse_move(const char *text, const struct puzzle_kept *kept,
                       struct move *out)
{
    enum kind kind;

    return move_parse(text, out, &kind) &&
           rules_judge(kept->rules, &kept->position, *out).code == FAULT_NONE;
}

static bool parse_line(const char *key, const struct keep_line *line,
                       struct puzzle_kept *out)
{
    const char *players = line->word[WORD_PLAYERS];

    return parse_key(key, out) &&
           text_to_int32(line->word[WORD_SOLVED], 0, ARRAY_LEN(days_until_next),
                         &out->solved) &&
           text_copy(out->due, sizeof out->due, line->word[WORD_DUE]) &&
           text_copy(out->players, sizeof out->players, players) &&
           utf8_is_showable(out->due, strlen(out->due)) &&
           utf8_is_showable(players, strlen(players)) &&
           parse_move(line->word[WORD_SOLUTION], out, &out->solution) &&
           parse_move(line->word[WORD_PLAYED], out, &out->played);
}

static bool write_line(const char *path, const struct puzzle_kept *kept)
{
    char key[KEY_BYTES], words[256], solution[MOVE_BYTES], played[MOVE_BYTES];

    format_key(key, kept->rules, &kept->position);
    move_format(solution, kept->solution);
    move_format(played, kept->played);
    snprintf(words, sizeof words, "%s %d %s %s %s", kept->due, kept->solved, solution,
             played, kept->players);
    return keep_put(path, key, words);
}

/* --- The book --- */

struct reading {
    struct puzzle_kept *kept; /* [PUZZLE_BOOK_MAX] */
    int count;
};

static void take_row(void *arg, const char *key, const struct keep_line *line)
{
    struct reading *in = arg;

    if (in->count < PUZZLE_BOOK_MAX && parse_line(key, line, &in->kept[in->count]))
        in->count++;
}

static int compare(const void *left, const void *right)
{
    const struct puzzle_kept *a = left, *b = right;

    return strcmp(a->due, b->due);
}

int puzzle_book_read(const char *path, struct puzzle_kept **out)
{
    struct reading in = {.kept = mem_resize(NULL, PUZZLE_BOOK_MAX, sizeof *in.kept)};

    keep_each(path, take_row, &in);
    qsort(in.kept, (size_t)in.count, sizeof *in.kept, compare);
    *out = in.kept;
    return in.count;
}

static void count_row(void *arg, const char *key, const struct keep_line *line)
{
    (void)key;
    (void)line;
    ++*(int *)arg;
}

bool puzzle_book_add(const char *path, const struct analysis *analysis,
                     const struct puzzle *puzzle, const char *players)
{
    struct puzzle_kept kept = {.rules = analysis->rules,
                               .position = analysis->position[puzzle->ply - 1],
                               .solution = puzzle->solution,
                               .played = puzzle->played};
    struct keep_line before;
    char key[KEY_BYTES];
    int count = 0;

    format_key(key, kept.rules, &kept.position);
    keep_each(path, count_row, &count);
    if (count >= PUZZLE_BOOK_MAX || keep_find(path, key, &before))
        return false;
    format_day(kept.due, 0);
    snprintf(kept.players, sizeof kept.players, "%s", players);
    replace(kept.players, ' ', '_'); /* a player's name may contain spaces */
    return write_line(path, &kept);
}

bool puzzle_book_answer(const char *path, struct puzzle_kept *kept, bool is_solved)
{
    struct puzzle_kept next = *kept;
    char key[KEY_BYTES];

    if (is_solved && kept->solved == (int)ARRAY_LEN(days_until_next)) {
        format_key(key, kept->rules, &kept->position);
        return keep_remove(path, key) >= 0;
    }
    format_day(next.due, is_solved ? days_until_next[kept->solved] : 1);
    next.solved = is_solved ? kept->solved + 1 : 0;
    if (!write_line(path, &next))
        return false;
    *kept = next;
    return true;
}
