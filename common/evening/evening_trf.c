/* See evening_trf.h. Columns are characters, not bytes: names may be Hangul. */
#include "common/evening/evening_trf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/evening/evening_draw.h"
#include "common/evening/evening_table.h"

enum {
    NAME_COLUMNS = 33,
    AT_NUMBER = 4,
    AT_NAME = 14,
    AT_POINTS = 80,
    POINTS_COLUMNS = 4,
    AT_ROUNDS = 91, /* column of the first round; columns count from 0 */
    ROUND_COLUMNS = 10,
    LINE_MAX_BYTES = 1024 /* size of a buffer for the line of a player */
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
    static const char letters[][2] = {
        /* {letter of the second player, letter of the first player} */
        [EVENING_UNDECIDED] = {' ', ' '},    [EVENING_FIRST_WON] = {'0', '1'},
        [EVENING_SECOND_WON] = {'1', '0'},   [EVENING_DRAWN] = {'=', '='},
        [EVENING_NO_RESULT] = {'-', '-'},    [EVENING_SECOND_MISSED] = {'-', '+'},
        [EVENING_FIRST_MISSED] = {'+', '-'}, [EVENING_BOTH_MISSED] = {'-', '-'},
        [EVENING_BYE] = {'U', 'U'},
    };

    return letters[pair->result][is_first];
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

struct reader {
    struct evening_trf *out;
    struct evening_trf_fault *fault;
    int rounds; /* number of rounds that were played; see count_rounds() */
    int planned;
    char name[EVENING_NAME_BYTES];
    char (*row)[LINE_MAX_BYTES]; /* the line of player n is row[n - 1]; "": none */
};

/* Stores what is wrong with the file, and returns false. `line` is the number of the
 * wrong line. If the fault is not in one particular line, `line` is 0. */
PRINTF_LIKE(3, 4)
static bool refuse(struct reader *reader, int line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    reader->fault->line = line;
    vsnprintf(reader->fault->words, sizeof reader->fault->words, format, args);
    va_end(args);
    return false;
}

/* Like refuse(), for the line of the player with that number. */
#define refuse_player(reader, number, ...)                                             \
    refuse(reader, (reader)->out->line[(number)-1], __VA_ARGS__)

/* Returns a pointer to the character at that column, or to the end of the line. */
static const char *at_column(const char *line, int column)
{
    for (; *line != '\0'; line++)
        if (is_start(*line) && column-- == 0)
            break;
    return line;
}

/* Reads a number of four columns. Returns 0 if they are spaces or 0000, and -1 if they
 * are not a number. */
static int number_at(const char *line, int column)
{
    const char *at = at_column(line, column);
    int i = 0, number = 0;

    while (i < 4 && at[i] == ' ')
        i++;
    for (; i < 4 && at[i] >= '0' && at[i] <= '9'; i++)
        number = 10 * number + (at[i] - '0');
    while (i < 4 && at[i] == ' ')
        i++;
    return i == 4 || at[i] == '\0' ? number : -1;
}

/* --- Lines --- */

/* Replaces characters by _ if they separate words, or if they have a meaning in events
 * or answers. */
static void put_underscores(char *text)
{
    for (; *text != '\0'; text++)
        if (strchr(" =\"\\:<>&", *text) != NULL)
            *text = '_';
}

/* Returns the length of the line at text. A line ends with CR LF, LF or CR. *next
 * becomes the start of the line after it, or the end of the text. */
static size_t line_length(const char *text, const char **next)
{
    size_t len = strcspn(text, "\r\n");

    *next = text + len;
    if (**next == '\r' && (*next)[1] == '\n')
        *next += 2;
    else if (**next != '\0')
        *next += 1;
    return len;
}

static bool add_row(struct reader *reader, const char *row, int line)
{
    struct evening_trf *out = reader->out;
    int number = number_at(row, AT_NUMBER);

    if (!utf8_is_showable(row, strlen(row)))
        return refuse(reader, line,
                      "the line is not UTF-8, or has characters that cannot be shown");
    if (number < 1 || number > EVENING_PLAYERS_MAX)
        return refuse(reader, line,
                      "columns 5-8 must have the number of a player, 1 to %d",
                      EVENING_PLAYERS_MAX);
    if (out->line[number - 1] != 0)
        return refuse(reader, line, "player %d is also in line %d", number,
                      out->line[number - 1]);
    out->line[number - 1] = line;
    text_copy(reader->row[number - 1], LINE_MAX_BYTES, row);
    if (number > out->players)
        out->players = number;
    return true;
}

static bool read_line(struct reader *reader, const char *text, size_t len, int line)
{
    char row[LINE_MAX_BYTES];
    bool is_player = strncmp(text, "001 ", 4) == 0;

    if (!text_cut(row, sizeof row, text, len))
        return is_player ? refuse(reader, line, "the line is longer than %d bytes",
                                  LINE_MAX_BYTES - 1)
                         : true;
    if (is_player)
        return add_row(reader, row, line);
    if (strncmp(row, "012 ", 4) == 0 && utf8_is_showable(row, len)) {
        snprintf(reader->name, sizeof reader->name, "%.40s", row + 4);
        put_underscores(reader->name);
    } else if (strncmp(row, "XXR ", 4) == 0 &&
               !text_to_int32(row + 4, 1, EVENING_ROUNDS_MAX, &reader->planned)) {
        return refuse(reader, line, "expected a number of rounds, 1 to %d",
                      EVENING_ROUNDS_MAX);
    }
    return true;
}

static bool read_lines(struct reader *reader, const char *text)
{
    int line = 0;

    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3; /* the byte order mark that some editors write before UTF-8 */
    while (*text != '\0') {
        const char *next;
        size_t len = line_length(text, &next);

        if (!read_line(reader, text, len, ++line))
            return false;
        text = next;
    }
    if (reader->out->players == 0)
        return refuse(reader, 0,
                      "the file has no line of a player, which begins with "
                      "001: it is not a TRF file");
    for (int number = 1; number <= reader->out->players; number++)
        if (reader->out->line[number - 1] == 0)
            return refuse(reader, 0,
                          "player %d is missing: the numbers of the players must go "
                          "from 1 to %d",
                          number, reader->out->players);
    return true;
}

/* --- One round of one player --- */

struct cell {
    int other;            /* the opponent; 0: none; -1: not a number */
    char colour;          /* 'w', 'b' or '-' */
    char result;          /* as in the file, in upper case; ' ': not written */
    bool is_there;        /* the file has an entry for this round */
    bool is_bye, is_half; /* both without an opponent. is_bye: the player gets a point;
                           * is_half: half a point */
};

static struct cell cell_of(const struct reader *reader, int round, int number)
{
    const char *row = reader->row[number - 1];
    const char *at = at_column(row, AT_ROUNDS + (round - 1) * ROUND_COLUMNS);
    struct cell cell = {.colour = '-', .result = ' '};
    size_t len = strlen(at);

    if (len < 4)
        return cell;
    cell.other = number_at(row, AT_ROUNDS + (round - 1) * ROUND_COLUMNS);
    if (len >= 6 && at[5] != ' ')
        cell.colour = at[5] == 'W' || at[5] == 'B' ? (char)(at[5] - 'A' + 'a') : at[5];
    if (len >= 8)
        cell.result = at[7] >= 'a' && at[7] <= 'z' ? (char)(at[7] - 'a' + 'A') : at[7];
    if (cell.result < ' ' || cell.result > '~')
        cell.result = '?';
    cell.is_there = cell.other != 0 || cell.result != ' ';
    cell.is_bye = cell.other == 0 && strchr("UF+", cell.result) != NULL;
    cell.is_half = cell.other == 0 && strchr("H=", cell.result) != NULL;
    return cell;
}

/* Returns the number of the last round that was paired. In such a round, at least one
 * player has an opponent or the bye. The file can also have entries for the next round.
 * Such an entry says that the player will be absent. */
static int count_rounds(const struct reader *reader)
{
    for (int round = EVENING_ROUNDS_MAX; round >= 1; round--)
        for (int i = 1; i <= reader->out->players; i++) {
            struct cell cell = cell_of(reader, round, i);

            if (cell.other != 0 || cell.result == 'U')
                return round;
        }
    return 0;
}

static bool judge_bye(struct reader *reader, int round, int number, struct cell cell)
{
    if (cell.is_bye || cell.is_half || strchr(" Z-", cell.result) != NULL)
        return true;
    return refuse_player(reader, number, "round %d: without an opponent, %c is unknown",
                         round, cell.result);
}

/* Returns the letters that are allowed as the result in the opponent's line if the
 * player's own line has `result`. Returns NULL if `result` is unknown. */
static const char *answers_to(char result)
{
    switch (result) {
    case '1':
    case 'W':
        return "0L";
    case '0':
    case 'L':
        return "1W0L";
    case '=':
    case 'D':
        return "=D";
    case '+':
        return "-";
    case '-':
        return "+-";
    default:
        return NULL;
    }
}

/* Checks one player's round against the line of the opponent. */
static bool judge_cell(struct reader *reader, int round, int number)
{
    struct cell cell = cell_of(reader, round, number), other;
    const char *answers = answers_to(cell.result);

    if (cell.other < 0 || cell.other > reader->out->players || cell.other == number)
        return refuse_player(reader, number,
                             "round %d: the opponent must have the "
                             "number of another player, or 0000",
                             round);
    if (cell.other == 0)
        return judge_bye(reader, round, number, cell);
    other = cell_of(reader, round, cell.other);
    if (other.other != number)
        return refuse_player(reader, number,
                             "round %d: the opponent is player %d, whose line says "
                             "otherwise",
                             round, cell.other);
    if (strchr("wb-", cell.colour) == NULL ||
        (cell.colour == other.colour && cell.colour != '-'))
        return refuse_player(reader, number,
                             "round %d: one of players %d and %d must have w and the "
                             "other one b",
                             round, number, cell.other);
    if (cell.result == ' ')
        return refuse_player(reader, number,
                             "round %d: the game with player %d has no result yet",
                             round, cell.other);
    if (answers == NULL)
        return refuse_player(reader, number, "round %d: the result %c is unknown",
                             round, cell.result);
    if (other.result == ' ' || strchr(answers, other.result) == NULL)
        return refuse_player(reader, number,
                             "round %d: players %d and %d have the results %c and %c, "
                             "which do not fit",
                             round, number, cell.other, cell.result, other.result);
    return true;
}

/* --- Into an evening --- */

PRINTF_LIKE(2, 3)
static bool apply(struct evening *evening, const char *format, ...)
{
    char words[EVENING_EVENT_BYTES];
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(words, sizeof words, format, args);
    va_end(args);
    return len > 0 && len < (int)sizeof words && evening_apply(evening, words);
}

/* Copies the name of player `number` without the spaces around it, and replaces some
 * characters by _. */
static bool read_name(struct reader *reader, int number,
                      char name[EVENING_PLAYER_BYTES])
{
    const char *start = at_column(reader->row[number - 1], AT_NAME);
    const char *end = at_column(reader->row[number - 1], AT_NAME + NAME_COLUMNS);
    struct text text = text_into(name, EVENING_PLAYER_BYTES);

    while (start < end && *start == ' ')
        start++;
    while (end > start && end[-1] == ' ')
        end--;
    text_add_bytes(&text, start, (size_t)(end - start));
    put_underscores(name);
    if (name[0] == '\0' && !text.is_cut)
        return refuse_player(reader, number, "the player has no name in columns 15-47");
    if (text.is_cut)
        return refuse_player(reader, number, "a name may have %d bytes",
                             EVENING_PLAYER_BYTES - 1);
    return true;
}

static bool read_players(struct reader *reader)
{
    struct evening *evening = &reader->out->evening;
    char name[EVENING_PLAYER_BYTES];

    for (int i = 1; i <= reader->out->players; i++) {
        int same;

        if (!read_name(reader, i, name))
            return false;
        same = evening_find_written(evening, name);
        if (same != 0)
            return refuse_player(reader, i, "players %d and %d have the same name",
                                 same, i);
        if (!apply(evening, "join %d %s", i, name))
            return refuse_player(reader, i, "the player does not fit");
    }
    return true;
}

/* Returns true if player `number` is the first player of the pair. The first player has
 * White. If the file gives no colours, the first player has the smaller number. */
static bool gives_pair(const struct reader *reader, int number, struct cell cell,
                       int round)
{
    if (cell.other == 0)
        return false;
    if (cell.colour != '-')
        return cell.colour == 'w';
    return cell_of(reader, round, cell.other).colour == 'b' ||
           (cell_of(reader, round, cell.other).colour == '-' && number < cell.other);
}

static bool read_pairs(struct reader *reader, int round, struct evening_draw *draw)
{
    *draw = (struct evening_draw){0};
    for (int wants_bye = 0; wants_bye < 2; wants_bye++)
        for (int i = 1; i <= reader->out->players; i++) {
            struct cell cell = cell_of(reader, round, i);

            if (wants_bye ? !cell.is_bye : !gives_pair(reader, i, cell, round))
                continue;
            if (draw->pairs == EVENING_BOARDS_MAX)
                return refuse_player(reader, i, "round %d: more than %d pairs", round,
                                     EVENING_BOARDS_MAX);
            draw->pair[draw->pairs].first = i;
            draw->pair[draw->pairs++].second = cell.other;
        }
    if (draw->pairs == 0)
        return refuse(reader, 0, "round %d has no pairs, but a later one has", round);
    return true;
}

static bool apply_result(struct evening *evening, int round, int board, char first,
                         char second)
{
    if (first == '+' || first == '-')
        return apply(evening, "miss %d %d %s", round, board,
                     first == '+'    ? "second"
                     : second == '+' ? "first"
                                     : "both");
    return apply(evening, "result %d %d %s host", round, board,
                 strchr("1W", first) != NULL    ? "first"
                 : strchr("=D", first) != NULL  ? "draw"
                 : strchr("1W", second) != NULL ? "second"
                                                : "none");
}

static bool read_round(struct reader *reader, int round)
{
    struct evening *evening = &reader->out->evening;
    char words[EVENING_EVENT_BYTES];
    struct evening_draw draw;

    for (int i = 1; i <= reader->out->players; i++)
        if (!judge_cell(reader, round, i))
            return false;
    if (!read_pairs(reader, round, &draw))
        return false;
    evening_draw_format(words, evening, &draw);
    if (!evening_apply(evening, words))
        return refuse(reader, 0, "round %d does not fit", round);
    for (int i = 0; i < draw.pairs; i++)
        if (draw.pair[i].second != 0 &&
            !apply_result(evening, round, i + 1,
                          cell_of(reader, round, draw.pair[i].first).result,
                          cell_of(reader, round, draw.pair[i].second).result))
            return refuse(reader, 0, "round %d does not fit", round);
    for (int i = 1; i <= reader->out->players; i++)
        if (cell_of(reader, round, i).is_half &&
            !apply(evening, "adjust %d 1 half a point without a game in round %d", i,
                   round))
            return refuse_player(reader, i, "round %d does not fit", round);
    return true;
}

/* --- Points --- */

/* Reads the points in columns 81-84 as half points. Returns false if nothing is written
 * there. */
static bool read_points(const char *row, int *halves)
{
    const char *at = at_column(row, AT_POINTS), *end = at + strnlen(at, POINTS_COLUMNS);
    int whole = 0;

    while (at < end && *at == ' ')
        at++;
    if (at == end)
        return false;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        whole = 10 * whole + (*at - '0');
    *halves = 2 * whole + (at + 1 < end && *at == '.' && at[1] == '5');
    return true;
}

/* Refuses a file whose points differ from its results: it was changed by hand, or has
 * another scoring. */
static bool judge_points(struct reader *reader)
{
    const struct evening *evening = &reader->out->evening;
    int found[EVENING_PLAYERS_MAX], written;

    evening_table_wins(evening, found);
    for (int i = 1; i <= reader->out->players; i++) {
        char in_file[EVENING_POINTS_BYTES], by_results[EVENING_POINTS_BYTES];
        int sum = found[i - 1] + evening->player[i - 1].adjusted_halves;

        if (!read_points(reader->row[i - 1], &written) || written == sum)
            continue;
        evening_points_format(in_file, written);
        evening_points_format(by_results, sum);
        return refuse_player(reader, i,
                             "columns 81-84 give the player %s points, but the results "
                             "make %s (1 for a win, 0.5 for a draw)",
                             in_file, by_results);
    }
    return true;
}

/* The file can have entries for the round after the last paired round. This next round
 * has no games yet, so an entry says that the player will be absent. Applies the event
 * "leave" for each player with such an entry. */
static bool read_absent(struct reader *reader)
{
    for (int i = 1; i <= reader->out->players && reader->rounds < EVENING_ROUNDS_MAX;
         i++)
        if (cell_of(reader, reader->rounds + 1, i).is_there &&
            !apply(&reader->out->evening, "leave %d", i))
            return false;
    return true;
}

static bool read_evening(struct reader *reader, const char *text)
{
    struct evening *evening = &reader->out->evening;

    if (!read_lines(reader, text))
        return false;
    reader->rounds = count_rounds(reader);
    if (reader->planned < reader->rounds)
        reader->planned = reader->rounds;
    if (reader->planned == 0)
        reader->planned = EVENING_ROUNDS_MAX;
    if (!apply(evening, "new trf rounds=%d system=swiss", reader->planned) ||
        !text_copy(evening->name, sizeof evening->name, reader->name))
        return refuse(reader, 0, "the file does not fit");
    if (!read_players(reader))
        return false;
    for (int round = 1; round <= reader->rounds; round++)
        if (!read_round(reader, round))
            return false;
    return judge_points(reader) && read_absent(reader);
}

bool evening_trf_parse(struct evening_trf *out, const char *text,
                       struct evening_trf_fault *fault)
{
    struct reader reader = {.out = out, .fault = fault, .name = "TRF"};
    bool is_good;

    *fault = (struct evening_trf_fault){.line = 0};
    reader.row = mem_new(EVENING_PLAYERS_MAX * sizeof *reader.row);
    is_good = read_evening(&reader, text);
    free(reader.row);
    if (!is_good)
        evening_trf_clear(out);
    return is_good;
}

void evening_trf_clear(struct evening_trf *trf)
{
    evening_clear(&trf->evening);
    *trf = (struct evening_trf){.players = 0};
}
