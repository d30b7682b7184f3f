/* See evening_trf.h. Columns are characters, not bytes: names may be Hangul. */
#include "common/evening/evening_trf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/evening/evening_table.h"

enum {
    NAME_COLUMNS = 33,
    AT_NUMBER = 4,
    AT_NAME = 14,
    AT_ROUNDS = 91, /* the first round; columns from 0 */
    ROUND_COLUMNS = 10,
    LINE_MAX_BYTES = 1024
};

static bool is_start(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* --- Writing --- */

static int count_characters(const char *text)
{
    int count = 0;

    for (; *text != '\0'; text++)
        count += is_start(*text);
    return count;
}

static char result_letter(const struct evening_pair *pair, bool is_first)
{
    switch (pair->result) {
    case EVENING_FIRST_WON:
        return is_first ? '1' : '0';
    case EVENING_SECOND_WON:
        return is_first ? '0' : '1';
    case EVENING_DRAWN:
        return '=';
    case EVENING_SECOND_MISSED:
        return is_first ? '+' : '-';
    case EVENING_FIRST_MISSED:
        return is_first ? '-' : '+';
    case EVENING_BYE:
        return 'U';
    case EVENING_UNDECIDED:
        return ' ';
    case EVENING_NO_RESULT:
    case EVENING_BOTH_MISSED:
        break;
    }
    return '-';
}

static void add_round(struct text *out, const struct evening *evening, int round,
                      int number)
{
    const struct evening_pair *pair = evening_pair_of(evening, round, number);
    bool is_first = pair != NULL && pair->first == number;

    if (pair == NULL)
        text_add(out, "  0000 - Z");
    else if (pair->second == 0)
        text_add(out, "  0000 - U");
    else
        text_addf(out, "  %4d %c %c", is_first ? pair->second : pair->first,
                  is_first ? 'w' : 'b', result_letter(pair, is_first));
}

static void add_player(struct text *out, const struct evening *evening,
                       const struct evening_place *place, int rank, int rounds,
                       int rating)
{
    const struct evening_player *player = evening_player(evening, place->number);
    int pad = NAME_COLUMNS - count_characters(player->name);

    text_addf(out, "001 %4d      %s%*s ", place->number, player->name, pad, "");
    if (rating > 0)
        text_addf(out, "%4d", rating);
    else
        text_add(out, "    ");
    text_addf(out, "%*s%2d.%d %4d", 28, "", place->wins / 2,
              place->wins % 2 != 0 ? 5 : 0, rank);
    for (int round = 1; round <= rounds; round++)
        add_round(out, evening, round, place->number);
    if (evening->phase != EVENING_OVER && rounds < evening->rounds && !player->is_here)
        text_add(out, "  0000 - Z");
    text_add(out, "\n");
}

static void add_head(struct text *out, const struct evening *evening)
{
    text_addf(out, "012 %s\n", evening->name);
    text_addf(out, "062 %d\n", evening->players);
    text_addf(out, "092 Individual: %s\n",
              evening->system == EVENING_SWISS ? "Swiss-System" : "Round-Robin");
    text_addf(out, "122 %s\n", evening->time);
    text_addf(out, "XXR %d\nXXC white1\n", evening->rounds);
}

size_t evening_trf_format(char *out, size_t size, const struct evening *evening,
                          const int *rating)
{
    struct evening_place place[EVENING_PLAYERS_MAX];
    int rounds = evening->round - (evening_count_undecided(evening) > 0);
    struct text text = text_into(out, size);

    evening_table(evening, place);
    add_head(&text, evening);
    for (int number = 1; number <= evening->players; number++)
        for (int i = 0; i < evening->players; i++)
            if (place[i].number == number)
                add_player(&text, evening, &place[i], i + 1, rounds,
                           rating != NULL ? rating[number - 1] : 0);
    return text.len;
}

/* --- Reading --- */

/* One result of a player: the opponent, or 0; ' ' when not written. */
struct cell {
    int other;
    char colour, result;
};

static const char *const no_trf = "it is not a TRF file that can be read";

/* Copies the line at *text without its end; moves *text behind it. */
static bool take_line(const char **text, char line[LINE_MAX_BYTES])
{
    size_t len = strcspn(*text, "\r\n");

    if (**text == '\0' || len >= LINE_MAX_BYTES)
        return false;
    memcpy(line, *text, len);
    line[len] = '\0';
    *text += len;
    *text += strspn(*text, "\r\n");
    return true;
}

/* The byte at that column, or the end of the line. */
static const char *at_column(const char *line, int column)
{
    for (; *line != '\0'; line++)
        if (is_start(*line) && column-- == 0)
            break;
    return line;
}

/* A number of four columns; 0: spaces, or 0000; -1: not a number. */
static int number_at(const char *line, int column)
{
    const char *at = at_column(line, column);
    int number = 0;

    for (int i = 0; i < 4 && at[i] != '\0'; i++) {
        if (at[i] == ' ')
            continue;
        if (at[i] < '0' || at[i] > '9')
            return -1;
        number = 10 * number + (at[i] - '0');
    }
    return number;
}

static struct cell cell_at(const char *line, int round)
{
    const char *at = at_column(line, AT_ROUNDS + (round - 1) * ROUND_COLUMNS);
    struct cell cell = {.colour = ' ', .result = ' '};

    if (strlen(at) < 6)
        return cell;
    cell.other = number_at(line, AT_ROUNDS + (round - 1) * ROUND_COLUMNS);
    cell.colour = at[5];
    if (strlen(at) >= 8)
        cell.result = at[7];
    return cell;
}

/* The lines of the players: line[n - 1]. */
struct file {
    const char *why;
    int players, rounds;
    char name[EVENING_NAME_BYTES];
    char (*line)[LINE_MAX_BYTES];
};

static void put_underscores(char *text)
{
    for (; *text != '\0'; text++)
        if (*text == ' ' || *text == '=')
            *text = '_';
}

static bool add_line(struct file *file, const char *line)
{
    if (number_at(line, AT_NUMBER) != file->players + 1 ||
        file->players == EVENING_PLAYERS_MAX)
        return false;
    file->line = mem_resize(file->line, (size_t)file->players + 1, sizeof *file->line);
    return text_copy(file->line[file->players++], LINE_MAX_BYTES, line);
}

static bool read_line(struct file *file, const char *line)
{
    int64_t rounds;

    if (strncmp(line, "001 ", 4) == 0)
        return add_line(file, line);
    if (strncmp(line, "012 ", 4) == 0) {
        snprintf(file->name, sizeof file->name, "%.*s", 40, line + 4);
        put_underscores(file->name);
    } else if (strncmp(line, "XXR ", 4) == 0) {
        if (!text_to_int(line + 4, 1, EVENING_ROUNDS_MAX, &rounds))
            return false;
        file->rounds = (int)rounds;
    }
    return true;
}

/* Players must be in the order of their numbers. */
static struct file read_file(const char *text)
{
    struct file file = {.rounds = EVENING_ROUNDS_MAX, .name = "TRF"};
    char line[LINE_MAX_BYTES];

    while (*text != '\0')
        if (!take_line(&text, line) || !read_line(&file, line)) {
            file.why = no_trf;
            break;
        }
    if (file.players == 0)
        file.why = no_trf;
    return file;
}

/* Copies the name without the spaces around it. */
static bool name_of(const char *line, char name[EVENING_PLAYER_BYTES])
{
    const char *start = at_column(line, AT_NAME);
    const char *end = at_column(line, AT_NAME + NAME_COLUMNS);
    struct text text = text_into(name, EVENING_PLAYER_BYTES);

    while (start < end && *start == ' ')
        start++;
    while (end > start && end[-1] == ' ')
        end--;
    text_add_bytes(&text, start, (size_t)(end - start));
    put_underscores(name);
    return !text.is_cut && name[0] != '\0';
}

static bool apply(struct evening *evening, const char *format, int number,
                  const char *word)
{
    char words[EVENING_EVENT_BYTES];
    struct text text = text_into(words, sizeof words);

    text_addf(&text, format, number, word);
    return !text.is_cut && evening_apply(evening, words);
}

/* Reads the pairs of the round. False: the two lines of a pair do not agree. */
static bool read_round(const struct file *file, int round, struct evening_draw *draw)
{
    struct evening_draw byes = {0};

    *draw = (struct evening_draw){0};
    for (int i = 1; i <= file->players; i++) {
        struct cell cell = cell_at(file->line[i - 1], round);

        if (cell.other < 0 || cell.other > file->players || cell.other == i ||
            (cell.other > 0 && cell_at(file->line[cell.other - 1], round).other != i))
            return false;
        if (cell.other > 0 && cell.colour == 'w' && draw->pairs < EVENING_BOARDS_MAX) {
            draw->pair[draw->pairs].first = i;
            draw->pair[draw->pairs++].second = cell.other;
        } else if (cell.other == 0 && (cell.result == 'U' || cell.result == 'F') &&
                   byes.pairs < EVENING_BOARDS_MAX) {
            byes.pair[byes.pairs++].first = i;
        }
    }
    for (int i = 0; i < byes.pairs && draw->pairs < EVENING_BOARDS_MAX; i++)
        draw->pair[draw->pairs++] = byes.pair[i];
    return true;
}

/* The event for the result of the first player; NULL: it has none. */
static const char *result_event(char first, char second)
{
    switch (first) {
    case '1':
        return "result %d %s first host";
    case '0':
        return second == '1' ? "result %d %s second host" : "result %d %s none host";
    case '=':
        return "result %d %s draw host";
    case '+':
        return "miss %d %s second";
    case '-':
        return second == '+' ? "miss %d %s first" : "miss %d %s both";
    default:
        return NULL;
    }
}

static bool apply_round(const struct file *file, int round, struct evening *evening)
{
    char words[EVENING_EVENT_BYTES];
    struct evening_draw draw;

    if (!read_round(file, round, &draw))
        return false;
    if (draw.pairs == 0)
        return true;
    evening_draw_format(words, evening, &draw);
    if (evening->round + 1 != round || !evening_apply(evening, words))
        return false;
    for (int i = 0; i < draw.pairs; i++) {
        int first = draw.pair[i].first, second = draw.pair[i].second;
        char board[12];
        const char *event;

        if (second == 0)
            continue;
        snprintf(board, sizeof board, "%d", i + 1);
        event = result_event(cell_at(file->line[first - 1], round).result,
                             cell_at(file->line[second - 1], round).result);
        if (event == NULL || !apply(evening, event, round, board))
            return false;
    }
    return true;
}

static bool build(const struct file *file, struct evening *out)
{
    char name[EVENING_PLAYER_BYTES];

    if (!apply(out, "new trf rounds=%d system=swiss name=%s", file->rounds,
               file->name) ||
        !text_copy(out->name, sizeof out->name, file->name))
        return false;
    for (int i = 1; i <= file->players; i++)
        if (!name_of(file->line[i - 1], name) || !apply(out, "join %d %s", i, name))
            return false;
    for (int round = 1; round <= file->rounds; round++)
        if (!apply_round(file, round, out))
            return false;
    return true;
}

const char *evening_trf_parse(struct evening *out, const char *text)
{
    struct file file = read_file(text);
    const char *why = file.why;

    if (why == NULL && !build(&file, out)) {
        evening_clear(out);
        why = no_trf;
    }
    free(file.line);
    return why;
}

const char *evening_trf_parse_draw(const struct evening *evening, const char *text,
                                   struct evening_draw *out)
{
    struct file file = read_file(text);
    const char *why = file.why;

    if (why == NULL && (file.players != evening->players ||
                        !read_round(&file, evening->round + 1, out) || out->pairs == 0))
        why = "the file has no pairs of the next round for these players";
    free(file.line);
    return why;
}
