/* See fairy.h. */
#include "tests/checker/fairy.h"
#include "common/game/board.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/text.h"
#include "common/game/points.h"
#include "common/game/position.h"

struct fairy {
    pid_t pid;
    FILE *to;
    FILE *from;
};

static void give_up(const char *why)
{
    printf("not ok fairy-stockfish %s\n", why);
    exit(1);
}

/* --- Its board and ours --- */

void fairy_fen(char out[FAIRY_FEN_BYTES], const struct position *position)
{
    struct text text = text_into(out, FAIRY_FEN_BYTES);

    for (int row = 0; row < BOARD_ROWS; row++) {
        int empty = 0;

        for (int file = BOARD_FILES - 1; file >= 0; file--) {
            int letter = position_letter(position, point_at(file, row));

            empty += letter == '.';
            if (empty > 0 && (letter != '.' || file == 0))
                text_addf(&text, "%d", empty);
            if (letter == '.')
                continue;
            empty = 0;
            letter = letter == 'G' ? 'A' : letter == 'g' ? 'a' : letter;
            text_addf(&text, "%c", isupper(letter) ? tolower(letter) : toupper(letter));
        }
        text_add(&text, row < BOARD_ROWS - 1 ? "/" : " ");
    }
    text_addf(&text, "%c - - %u %u", position->side == SIDE_BLUE ? 'w' : 'b',
              (unsigned)position->quiet, (unsigned)position->move_number);
}

static void add_point(struct text *text, int point)
{
    text_addf(text, "%c%d", 'i' - point_file(point), BOARD_ROWS - point_row(point));
}

void fairy_move(char out[FAIRY_MOVE_BYTES], const struct position *position,
                struct move move)
{
    struct text text = text_into(out, FAIRY_MOVE_BYTES);
    int king = position->king[position->side];

    add_point(&text, move_is_pass(move) ? king : move.from);
    add_point(&text, move_is_pass(move) ? king : move.to);
}

/* Parses a point in the engine's notation, such as "i10", and returns our number of
 * that point; *text moves past it. POINT_NONE: not a point. */
static int take_point(const char **text)
{
    int file = 'i' - **text;
    int rank;
    char *end;

    if (file < 0 || file >= BOARD_FILES || !isdigit((unsigned char)(*text)[1]))
        return POINT_NONE;
    rank = (int)strtol(*text + 1, &end, 10);
    *text = end;
    if (rank < 1 || rank > BOARD_ROWS)
        return POINT_NONE;
    return point_at(file, BOARD_ROWS - rank);
}

/* --- The conversation --- */

static void become_engine(int in, int out)
{
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    execlp("fairy-stockfish", "fairy-stockfish", (char *)NULL);
    /* Debian installs games in a directory that is not in root's PATH. */
    execl("/usr/games/fairy-stockfish", "fairy-stockfish", (char *)NULL);
    _exit(127);
}

/* Reads the next line, without its end. */
static void read_line(struct fairy *fairy, char *line, size_t size)
{
    if (fgets(line, (int)size, fairy->from) == NULL)
        give_up("has gone");
    line[strcspn(line, "\r\n")] = '\0';
}

struct fairy *fairy_start(const char *variant)
{
    struct fairy *fairy = calloc(1, sizeof *fairy);
    int to[2], from[2];
    char line[8192] = "";

    signal(SIGPIPE, SIG_IGN);
    if (fairy == NULL || pipe(to) != 0 || pipe(from) != 0)
        give_up("cannot be started");
    fflush(stdout);
    fairy->pid = fork();
    if (fairy->pid == 0)
        become_engine(to[0], from[1]);
    close(to[0]);
    close(from[1]);
    fairy->to = fdopen(to[1], "w");
    fairy->from = fdopen(from[0], "r");
    fprintf(fairy->to, "uci\nsetoption name UCI_Variant value %s\nisready\n", variant);
    fflush(fairy->to);
    while (strcmp(line, "readyok") != 0) {
        if (fgets(line, sizeof line, fairy->from) == NULL) {
            printf("# no program fairy-stockfish: apt-get install fairy-stockfish\n");
            fairy_stop(fairy);
            return NULL;
        }
        line[strcspn(line, "\r\n")] = '\0';
    }
    return fairy;
}

void fairy_stop(struct fairy *fairy)
{
    if (fairy == NULL)
        return;
    fputs("quit\n", fairy->to);
    fclose(fairy->to);
    fclose(fairy->from);
    waitpid(fairy->pid, NULL, 0);
    free(fairy);
}

static void ask(struct fairy *fairy, const struct position *position, const char *what)
{
    char fen[FAIRY_FEN_BYTES];

    fairy_fen(fen, position);
    fprintf(fairy->to, "position fen %s\n%s\n", fen, what);
}

void fairy_ask_moves(struct fairy *fairy, const struct position *position)
{
    ask(fairy, position, "go perft 1");
}

/* Parses "a1b1: 1" as a move; false for any other line. */
static bool move_of_line(const char *line, struct move *out)
{
    int from = take_point(&line);
    int to = from == POINT_NONE ? POINT_NONE : take_point(&line);

    if (to == POINT_NONE || *line != ':')
        return false;
    *out = from == to ? move_pass() : (struct move){(int8_t)from, (int8_t)to};
    return true;
}

void fairy_read_moves(struct fairy *fairy, struct move_list *out)
{
    char line[256] = "";

    fflush(fairy->to);
    out->count = 0;
    while (strncmp(line, "Nodes searched: ", 16) != 0) {
        struct move move;

        read_line(fairy, line, sizeof line);
        if (move_of_line(line, &move) && out->count < MOVES_MAX)
            out->move[out->count++] = move;
    }
    if (atoi(line + 16) != out->count)
        give_up("counts other moves than it lists");
}

void fairy_ask_checkers(struct fairy *fairy, const struct position *position)
{
    ask(fairy, position, "d");
}

struct points fairy_read_checkers(struct fairy *fairy)
{
    struct points checkers = points_none();
    char line[256] = "";

    fflush(fairy->to);
    while (strncmp(line, "Checkers:", 9) != 0)
        read_line(fairy, line, sizeof line);
    for (const char *text = line + 9; *text != '\0';) {
        int point = *text == ' ' ? POINT_NONE : take_point(&text);

        if (point == POINT_NONE)
            text++;
        else
            checkers = points_or(checkers, points_of(point));
    }
    return checkers;
}

uint64_t fairy_perft(struct fairy *fairy, const struct position *position, int depth)
{
    char what[32], line[256] = "";

    snprintf(what, sizeof what, "go perft %d", depth);
    ask(fairy, position, what);
    fflush(fairy->to);
    while (strncmp(line, "Nodes searched: ", 16) != 0)
        read_line(fairy, line, sizeof line);
    return strtoull(line + 16, NULL, 10);
}
