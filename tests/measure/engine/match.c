/* Plays a match between two players, with common/game as the referee. A player is an
 * engine that speaks UCI, in a process of its own, or plays random legal moves.
 *
 *   match [OPTION...] PLAYER PLAYER
 *
 *   PLAYER             random, or a command: "janggi uci"; after a |, its options:
 *                      "fairy-stockfish|Skill Level=-20|Hash=16"
 *   --games N          number of games; default 2. Each opening is played twice; in the
 *                      second game the players have changed sides
 *   --rules R          martin, courier, vchess or kja; default kja
 *   --go WORDS         what limits a move: "movetime 100", "nodes 5000"
 *   --cpu MS           limits a move by processor time instead of clock time, so that a
 *                      busy machine changes nothing: sends "go nodes N", where N is
 *                      the number of nodes that this player has lately searched in MS
 *   --need N           the first player must win at least N games
 *   --seed N           seed of the openings and of the player "random"
 *
 * Prints a line for each game, and for each engine the average processor time of a
 * move. The last line is "ok match ..." or "not ok match ..." with the first player's
 * share of the points and its 95 % interval. The interval is computed from pairs of
 * games, because two games with the same opening are not independent. */
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client/formats/notation.h"
#include "client/uci/variant.h"
#include "common/base/text.h"
#include "common/game/game.h"
#include "common/words/sentence.h"
#include "tests/unit/random_play.h"

enum { PLAYERS = 2, LINE_BYTES = 32768, WORDS_MAX = 16, HANGS_S = 120 };
enum { OPENING_PLIES = 4 };

struct player {
    char name[256]; /* the player as given on the command line */
    char *spec;     /* the command, a NUL, and then the options, each with a NUL at its
                     * end */
    char *option[WORDS_MAX];
    int options;
    bool is_random;
    pid_t pid;
    FILE *to, *from;
    clockid_t clock; /* counts the processor time of its process */
    double nodes_per_ms;
    double used_ms;
    int moves;
    int wins;
};

struct match {
    struct player player[PLAYERS];
    const struct ruleset *rules;
    const char *go;
    int games, need;
    int cpu_ms; /* 0: `go` limits a move */
    int draws, faults;
    double pairs, sum, squares; /* number of pairs; sum and sum of squares of the first
                                 * player's share of each pair */
    double pair;                /* the first player's share of the current pair so
                                 * far */
};

static void give_up(const char *why, const char *about)
{
    printf("not ok match %s%s%s\n", why, about[0] != '\0' ? ": " : "", about);
    exit(1);
}

/* --- Players --- */

static void become(char *command, int in, int out)
{
    char *word[WORDS_MAX + 1] = {NULL}, *rest = NULL;
    int words = 0;

    for (char *at = strtok_r(command, " ", &rest); at != NULL && words < WORDS_MAX;
         at = strtok_r(NULL, " ", &rest))
        word[words++] = at;
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    execvp(word[0], word);
    _exit(127);
}

static void say(struct player *player, const char *format, ...) PRINTF_LIKE(2, 3);

static void say(struct player *player, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(player->to, format, args);
    va_end(args);
    fputc('\n', player->to);
    fflush(player->to);
}

/* Reads lines until one begins with `word`, and stores that line in `line`. */
static void wait_for(struct player *player, const char *word, char line[LINE_BYTES])
{
    do {
        alarm(HANGS_S);
        if (fgets(line, LINE_BYTES, player->from) == NULL)
            give_up("has gone", player->spec);
        line[strcspn(line, "\r\n")] = '\0';
    } while (strncmp(line, word, strlen(word)) != 0);
    alarm(0);
}

static void open_pipes(struct player *player)
{
    int to[2], from[2];

    if (pipe(to) != 0 || pipe(from) != 0)
        give_up("has no pipes for", player->spec);
    fflush(stdout);
    player->pid = fork();
    if (player->pid == 0)
        become(player->spec, to[0], from[1]);
    close(to[0]);
    close(from[1]);
    player->to = fdopen(to[1], "w");
    player->from = fdopen(from[0], "r");
    if (clock_getcpuclockid(player->pid, &player->clock) != 0)
        give_up("has no clock of", player->spec);
}

enum { FIRST_NODES_PER_MS = 100 };

static void start(struct player *player, const struct ruleset *rules)
{
    char line[LINE_BYTES];

    player->nodes_per_ms = FIRST_NODES_PER_MS;
    player->is_random = strcmp(player->spec, "random") == 0;
    if (player->is_random)
        return;
    open_pipes(player);
    say(player, "uci");
    wait_for(player, "uciok", line);
    say(player, "setoption name UCI_Variant value %s", variant_name(rules));
    for (int i = 0; i < player->options; i++) {
        char *value = strchr(player->option[i], '=');

        if (value == NULL)
            give_up("wants NAME=VALUE", player->option[i]);
        say(player, "setoption name %.*s value %s", (int)(value - player->option[i]),
            player->option[i], value + 1);
    }
    say(player, "isready");
    wait_for(player, "readyok", line);
}

static void stop(struct player *player)
{
    if (player->is_random)
        return;
    say(player, "quit");
    fclose(player->to);
    fclose(player->from);
    waitpid(player->pid, NULL, 0);
}

/* --- Moves --- */

static struct move any_move(const struct ruleset *rules,
                            const struct position *position)
{
    struct move_list list;

    rules_legal_moves(rules, position, &list);
    return list.move[random_below((unsigned)list.count)];
}

static void tell_position(struct player *player, const struct game *game)
{
    char line[LINE_BYTES], text[NOTATION_BYTES], fen[NOTATION_FEN_BYTES];
    struct text out = text_into(line, sizeof line);
    struct position position = game_start(game);

    notation_fen_format(fen, &position);
    text_addf(&out, "position fen %s moves", fen);
    for (int i = 0; i < game->plies; i++) {
        struct undo undo;

        if (!notation_format_move(text, NOTATION_UCI, game->ply[i].move, &position,
                                  NULL))
            give_up("cannot write a move", "");
        text_addf(&out, " %s", text);
        rules_make(game->rules, &position, game->ply[i].move, &undo);
    }
    say(player, "%s", line);
}

static double cpu_ms(const struct player *player)
{
    struct timespec time;

    if (clock_gettime(player->clock, &time) != 0)
        give_up("has no time of", player->spec);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Updates nodes_per_ms, a moving average over about 20 moves. nodes: searched for this
 * move; 0: unknown. */
static void learn_speed(struct player *player, double used_ms, double nodes)
{
    enum { MOVES = 20 };

    player->used_ms += used_ms;
    player->moves++;
    if (used_ms > 0 && nodes > 0)
        player->nodes_per_ms += (nodes / used_ms - player->nodes_per_ms) / MOVES;
}

/* Reads the player's reports until its answer, which is stored in `line`. Returns the
 * number of nodes in the last report. */
static double wait_for_move(struct player *player, char line[LINE_BYTES])
{
    double nodes = 0;

    do {
        const char *found;

        wait_for(player, "", line);
        found = strstr(line, " nodes ");
        if (found != NULL)
            nodes = strtod(found + strlen(" nodes "), NULL);
    } while (strncmp(line, "bestmove", strlen("bestmove")) != 0);
    return nodes;
}

static void think(const struct match *match, struct player *player,
                  char line[LINE_BYTES])
{
    double began_ms = cpu_ms(player), nodes;
    double most = player->nodes_per_ms * match->cpu_ms;

    if (match->cpu_ms > 0)
        say(player, "go nodes %.0f", most);
    else
        say(player, "go %s", match->go);
    nodes = wait_for_move(player, line);
    /* The nodes of the last report may be out of date, so `most` is used. A search that
     * ended early says nothing about the speed. */
    learn_speed(player, cpu_ms(player) - began_ms, nodes > most / 4 ? most : 0);
}

/* Asks player for its move. False: the answer is not a move. */
static bool ask(const struct match *match, struct player *player,
                const struct game *game, struct move *out)
{
    char line[LINE_BYTES], *rest = NULL, *word;

    if (player->is_random) {
        *out = any_move(match->rules, &game->position);
        return true;
    }
    tell_position(player, game);
    think(match, player, line);
    strtok_r(line, " ", &rest);
    word = strtok_r(NULL, " ", &rest);
    return word != NULL &&
           notation_parse_move(NOTATION_UCI, word, &game->position, out, NULL);
}

/* --- Games --- */

/* Makes a start position: random line-ups, and then a few random plies without a
 * capture. */
static void make_opening(const struct match *match, struct position *out)
{
    struct undo undo;

    position_set_up(out, (enum lineup)random_below(LINEUPS),
                    (enum lineup)random_below(LINEUPS),
                    ruleset_first_mover(match->rules));
    for (int plies = 0; plies < OPENING_PLIES;) {
        struct move move = any_move(match->rules, out);

        if (move_is_pass(move) || position_kind(out, move.to) != KIND_NONE)
            continue;
        rules_make(match->rules, out, move, &undo);
        plies++;
    }
    out->quiet = 0;
    out->move_number = 1;
}

/* Returns the index of the player who won, -1 for a draw. */
static int winner_of(const struct game *game, const int player_of[SIDES])
{
    if (game->outcome == OUTCOME_RED)
        return player_of[SIDE_RED];
    return game->outcome == OUTCOME_BLUE ? player_of[SIDE_BLUE] : -1;
}

/* Adds the first player's share of a game to its pair. Games 1 and 2 are a pair with
 * the same opening, then games 3 and 4, and so on. */
static void count_pair(struct match *match, int number, double share)
{
    match->pair += share / PLAYERS;
    if (number % PLAYERS != 0)
        return;
    match->pairs++;
    match->sum += match->pair;
    match->squares += match->pair * match->pair;
    match->pair = 0;
}

static void note(struct match *match, int number, const struct game *game,
                 const int player_of[SIDES])
{
    int winner = winner_of(game, player_of);
    char words[SENTENCE_BYTES];

    if (winner < 0)
        match->draws++;
    else
        match->player[winner].wins++;
    count_pair(match, number, winner < 0 ? 0.5 : winner == 0);
    sentence_outcome(words, game->outcome, game->reason);
    printf("# game %d, red is player %d: %s (%d plies)\n", number,
           player_of[SIDE_RED] + 1, words, game->plies);
    fflush(stdout);
}

static void play_game(struct match *match, int number, const struct position *opening)
{
    const int player_of[SIDES] = {number % 2, 1 - number % 2};
    struct game game;
    struct move move;

    for (int i = 0; i < PLAYERS; i++)
        if (!match->player[i].is_random)
            say(&match->player[i], "ucinewgame");
    if (!game_begin_at(&game, match->rules, opening))
        give_up("cannot begin a game", "");
    while (game.phase == GAME_PLAY) {
        int at = player_of[game.position.side];

        if (ask(match, &match->player[at], &game, &move) &&
            game_play(&game, move).code == FAULT_NONE)
            continue;
        printf("# game %d, ply %d: not a legal move of %s\n", number, game.plies + 1,
               match->player[at].spec);
        match->faults++;
        break;
    }
    if (game.phase == GAME_OVER)
        note(match, number, &game, player_of);
    game_clear(&game);
}

static void report_speed(const struct match *match)
{
    for (int i = 0; i < PLAYERS; i++) {
        const struct player *player = &match->player[i];

        if (player->moves > 0)
            printf("# %s: %.1f ms of the processor for a move\n", player->name,
                   player->used_ms / player->moves);
    }
}

/* Prints the first player's share of the points and half its 95 % interval, in
 * percent. */
static void report_share(const struct match *match)
{
    double mean = match->sum / match->pairs;
    double variance = match->squares / match->pairs - mean * mean;

    if (match->pairs > 1)
        printf(": %.1f %% +- %.1f", 100 * mean,
               196 * sqrt(fmax(variance, 0) / (match->pairs - 1)));
}

static int report(const struct match *match)
{
    bool is_ok = match->faults == 0 && match->player[0].wins >= match->need;

    report_speed(match);
    printf("%sok match %s against %s: %d won, %d lost, %d drawn of %d",
           is_ok ? "" : "not ", match->player[0].name, match->player[1].name,
           match->player[0].wins, match->player[1].wins, match->draws, match->games);
    report_share(match);
    if (match->need > 0)
        printf(" (%d must be won)", match->need);
    if (match->faults > 0)
        printf(", %d ended by a move that is none", match->faults);
    puts("");
    return is_ok ? 0 : 1;
}

static void take_player(struct player *player, char *spec)
{
    char *rest = NULL, *option;

    if (!text_copy(player->name, sizeof player->name, spec))
        give_up("wants a shorter player", "");
    player->spec = strtok_r(spec, "|", &rest);
    if (player->spec == NULL)
        give_up("wants a player", "");
    while ((option = strtok_r(NULL, "|", &rest)) != NULL && player->options < WORDS_MAX)
        player->option[player->options++] = option;
}

static void take_options(struct match *match, int argc, char **argv)
{
    static const struct option options[] = {
        {"games", required_argument, NULL, 'g'},
        {"rules", required_argument, NULL, 'r'},
        {"go", required_argument, NULL, 'l'},
        {"cpu", required_argument, NULL, 'c'},
        {"need", required_argument, NULL, 'n'},
        {"seed", required_argument, NULL, 's'},
        {NULL, 0, NULL, 0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (option) {
        case 'g':
            match->games = atoi(optarg);
            break;
        case 'r':
            match->rules = ruleset_find(optarg);
            break;
        case 'l':
            match->go = optarg;
            break;
        case 'c':
            match->cpu_ms = atoi(optarg);
            break;
        case 'n':
            match->need = atoi(optarg);
            break;
        case 's':
            random_state = (uint64_t)atoi(optarg) * 2654435761u + 1;
            break;
        default:
            exit(2);
        }
    if (match->rules == NULL || optind + PLAYERS != argc)
        give_up("wants a ruleset and two players", "");
    for (int i = 0; i < PLAYERS; i++)
        take_player(&match->player[i], argv[optind + i]);
}

int main(int argc, char **argv)
{
    struct match match = {.rules = ruleset_find("kja"), .go = "nodes 5000", .games = 2};
    struct position opening;

    signal(SIGPIPE, SIG_IGN);
    take_options(&match, argc, argv);
    for (int i = 0; i < PLAYERS; i++)
        start(&match.player[i], match.rules);
    for (int number = 1; number <= match.games; number++) {
        if (number % 2 == 1)
            make_opening(&match, &opening);
        play_game(&match, number, &opening);
    }
    for (int i = 0; i < PLAYERS; i++)
        stop(&match.player[i]);
    return report(&match);
}
