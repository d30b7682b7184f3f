/* See uci.h. The event loop reads lines while the search runs in its own thread, so
 * "stop" and "isready" work at any time. Errors in the input are answered with "info
 * string", as UCI prescribes. */
#include "client/uci/uci.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "client/base/loop.h"
#include "client/engine/thinker.h"
#include "client/engine/timeman.h"
#include "client/formats/notation.h"
#include "client/uci/variant.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/words/sentence.h"

enum { TABLE_MB = 16, TABLE_MB_MAX = 4096, SEED_MAX = 1 << 30 };

struct uci {
    struct event_base *base;
    struct thinker *thinker;
    struct loop_lines *lines;
    struct uci_board board;
    int level;
    int64_t seed; /* seed of the search; 0: a different one for each search */
    int64_t began_ms;
    bool is_infinite; /* the search sends no answer before "stop" */
    bool is_held;     /* `answer` is ready, but waits for "stop" */
    struct search_report answer;
    bool is_ended; /* the input has ended: leave when the search has ended */
};

/* --- The position --- */

void uci_board_start(struct uci_board *board, const struct ruleset *rules)
{
    board->rules = rules;
    board->past.plies = 0;
    position_set_up(&board->position, LINEUP_NBBN, LINEUP_NBBN,
                    ruleset_first_mover(rules));
}

static bool take_fen(struct uci_board *board, const char *fen, char *why)
{
    char words[SENTENCE_BYTES];
    struct position_fault fault;
    struct position position;
    bool is_read = notation_fen_parse(fen, &position, words);

    if (is_read && !rules_position_ok(board->rules, &position, &fault)) {
        sentence_position(words, &fault);
        is_read = false;
    }
    if (!is_read) {
        snprintf(why, UCI_WHY_BYTES, "invalid position: %s", words);
        return false;
    }
    board->position = position;
    board->past.plies = 0;
    return true;
}

static void play(struct uci_board *board, struct move move)
{
    struct search_past *past = &board->past;
    struct search_ply *ply;
    struct undo undo;
    enum check check;

    if (past->plies ==
        SEARCH_PAST_MAX) { /* drop the oldest: it is unlikely to be repeated */
        past->plies--;
        memmove(past->ply, past->ply + 1, (size_t)past->plies * sizeof past->ply[0]);
    }
    ply = &past->ply[past->plies++];
    ply->key = board->position.key;
    rules_make(board->rules, &board->position, move, &undo);
    check = rules_check(&board->position);
    ply->gave_check = check == CHECK_PIECE || check == CHECK_BOTH;
    if (undo.captured != 0)
        past->plies = 0; /* after a capture, earlier positions cannot occur
                                * again */
}

static bool take_move(struct uci_board *board, const char *word, char *why)
{
    char words[NOTATION_WHY_BYTES], fault_words[SENTENCE_BYTES];
    struct fault fault;
    struct move move;

    if (!notation_parse_move(NOTATION_UCI, word, &board->position, &move, words)) {
        snprintf(why, UCI_WHY_BYTES, "no move: %s", words);
        return false;
    }
    fault = rules_judge(board->rules, &board->position, move);
    if (fault.code != FAULT_NONE) {
        sentence_fault(fault_words, fault);
        snprintf(why, UCI_WHY_BYTES, "illegal move: %s", fault_words);
        return false;
    }
    play(board, move);
    return true;
}

bool uci_board_read(struct uci_board *board, char *text, char why[UCI_WHY_BYTES])
{
    char *moves = strstr(text, "moves"), *rest = NULL;
    size_t len;

    if (moves != NULL) {
        *moves = '\0';
        moves += strlen("moves");
    }
    len = strlen(text);
    while (len > 0 && text[len - 1] == ' ')
        text[--len] = '\0';
    if (strcmp(text, "startpos") == 0) {
        uci_board_start(board, board->rules);
    } else if (strncmp(text, "fen ", 4) == 0) {
        if (!take_fen(board, text + 4, why))
            return false;
    } else {
        snprintf(why, UCI_WHY_BYTES, "position wants startpos or fen");
        return false;
    }
    for (char *word = moves != NULL ? strtok_r(moves, " ", &rest) : NULL; word != NULL;
         word = strtok_r(NULL, " ", &rest))
        if (!take_move(board, word, why))
            return false;
    return true;
}

/* --- What is said --- */

static void say_wrong(const char *what, const char *why)
{
    printf("info string %s%s%s\n", what, why[0] != '\0' ? ": " : "", why);
}

static void say_options(void)
{
    struct variant variant;

    printf("option name Hash type spin default %d min 1 max %d\n", TABLE_MB,
           TABLE_MB_MAX);
    puts("option name Clear Hash type button");
    printf("option name Skill Level type spin default %d min 1 max %d\n",
           SEARCH_LEVEL_MAX, SEARCH_LEVEL_MAX);
    printf("option name Seed type spin default 0 min 0 max %d\n", SEED_MAX);
    printf("option name UCI_Variant type combo default janggi");
    for (size_t i = 0; (variant = variant_at(i)).rules != NULL; i++)
        printf(" var %s", variant.name);
    puts("");
}

static void say_who(struct uci *uci, char *rest)
{
    (void)uci;
    (void)rest;
    puts("id name janggi " JANGGI_VERSION "\nid author the janggi developers");
    say_options();
    puts("uciok");
}

/* Prints the result at one depth. Each move is formatted in the position in which it is
 * made. UCI's score is in centipawns and our pawn is worth 200, so the score is halved. */
static void on_report(void *owner, const struct search_report *report)
{
    const struct uci *uci = owner;
    int64_t spent_ms = mono_now_ms() - uci->began_ms;
    struct position position = uci->board.position;
    char text[NOTATION_BYTES];
    struct undo undo;

    printf("info depth %d ", report->depth);
    if (report->end_plies > 0)
        printf("score mate %d", (report->end_plies + 1) / 2);
    else if (report->end_plies < 0)
        printf("score mate %d", report->end_plies / 2);
    else
        printf("score cp %d", report->score / 2);
    printf(" nodes %llu nps %lld time %lld pv", (unsigned long long)report->nodes,
           (long long)((int64_t)report->nodes * 1000 / (spent_ms + 1)),
           (long long)spent_ms);
    for (int i = 0;
         i < report->line_plies &&
         notation_format_move(text, NOTATION_UCI, report->line[i], &position, NULL);
         i++) {
        printf(" %s", text);
        rules_make(uci->board.rules, &position, report->line[i], &undo);
    }
    puts("");
}

static void say_answer(const struct uci *uci, const struct search_report *report)
{
    char text[NOTATION_BYTES];

    if (report->has_move && notation_format_move(text, NOTATION_UCI, report->move,
                                                 &uci->board.position, NULL))
        printf("bestmove %s\n", text);
    else
        puts("bestmove (none)");
}

static void on_done(void *owner, const struct search_report *report)
{
    struct uci *uci = owner;

    uci->is_held = uci->is_infinite;
    uci->answer = *report;
    if (!uci->is_held)
        say_answer(uci, report);
    if (uci->is_ended)
        event_base_loopbreak(uci->base);
}

/* --- What is asked for --- */

/* Returns the next word of *rest, or NULL at the end. */
static char *next_word(char **rest)
{
    char *word;

    do
        word = strsep(rest, " \t");
    while (word != NULL && *word == '\0');
    return word;
}

static void be_ready(struct uci *uci, char *rest)
{
    (void)uci;
    (void)rest;
    puts("readyok");
}

/* Returns true if a search runs or its answer waits for "stop". The command `what` is
 * not possible then, and a message says so. */
static bool is_busy(const struct uci *uci, const char *what)
{
    if (thinker_is_busy(uci->thinker) || uci->is_held)
        say_wrong(what, "not while a search runs; stop it first");
    return thinker_is_busy(uci->thinker) || uci->is_held;
}

static void begin_game(struct uci *uci, char *rest)
{
    (void)rest;
    if (!is_busy(uci, "ucinewgame"))
        thinker_forget(uci->thinker);
}

static void take_position(struct uci *uci, char *rest)
{
    char why[UCI_WHY_BYTES];

    if (!is_busy(uci, "position") && !uci_board_read(&uci->board, rest, why))
        say_wrong("position", why);
}

/* --- Options --- */

static bool set(struct uci *uci, const char *name, const char *value)
{
    const struct ruleset *rules = variant_find(value);
    int64_t number;

    if (strcasecmp(name, "Skill Level") == 0)
        return text_to_int32(value, 1, SEARCH_LEVEL_MAX, &uci->level);
    if (strcasecmp(name, "Seed") == 0)
        return text_to_int(value, 0, SEED_MAX, &uci->seed);
    if (strcasecmp(name, "Hash") == 0) {
        if (!text_to_int(value, 1, TABLE_MB_MAX, &number))
            return false;
        thinker_set_table(uci->thinker, (size_t)number);
        return true;
    }
    if (strcasecmp(name, "UCI_Variant") == 0) {
        if (rules == NULL)
            return false;
        uci_board_start(&uci->board, rules);
    } else if (strcasecmp(name, "Clear Hash") != 0) {
        return false;
    }
    thinker_forget(uci->thinker);
    return true;
}

/* Handles "name N value V". N and V may contain spaces. */
static void set_option(struct uci *uci, char *rest)
{
    static char none[] = "";
    char *value = strstr(rest, " value ");

    if (is_busy(uci, "setoption"))
        return;
    if (value != NULL) {
        *value = '\0';
        value += strlen(" value ");
    } else {
        value = none;
    }
    if (strncmp(rest, "name ", 5) != 0 || !set(uci, rest + 5, value))
        say_wrong("setoption", "no such option, or not a value that it takes");
}

/* --- go --- */

/* The numbers after "go", each of which follows its keyword. */
struct going {
    int64_t depth, nodes, movetime, wtime, btime, winc, binc, movestogo, perft;
    bool is_infinite;
};

static bool take_number(struct going *going, const char *word, const char *value)
{
    const struct {
        const char *word;
        int64_t *number;
    } known[] = {
        {"depth", &going->depth},       {"nodes", &going->nodes},
        {"movetime", &going->movetime}, {"wtime", &going->wtime},
        {"btime", &going->btime},       {"winc", &going->winc},
        {"binc", &going->binc},         {"movestogo", &going->movestogo},
        {"perft", &going->perft},
    };

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (strcmp(known[i].word, word) == 0)
            return value != NULL &&
                   text_to_int(value, INT64_MIN, INT64_MAX, known[i].number);
    return false;
}

/* Sets the limits of the search. UCI's White is our Blue. */
static void allot(const struct uci *uci, const struct going *going,
                  struct search_limits *limits)
{
    bool is_white = uci->board.position.side == SIDE_BLUE;
    int64_t left_ms = is_white ? going->wtime : going->btime;
    struct timeman_clock clock = {.left_ms = left_ms < 1 ? 1 : left_ms,
                                  .increment_ms = is_white ? going->winc : going->binc,
                                  .moves = (int)going->movestogo};

    limits->depth = going->depth < SEARCH_DEPTH_MAX ? (int)going->depth : 0;
    limits->nodes = (uint64_t)going->nodes;
    if (going->movetime > 0)
        limits->hard_ms = going->movetime;
    else if (going->wtime >= 0 || going->btime >= 0)
        timeman_allot(limits, &clock);
}

/* For each legal move, prints the move and a number: how many sequences of `depth`
 * plies begin with this move. The output has the form that other engines use. */
static void say_perft(const struct uci *uci, int depth)
{
    struct position position = uci->board.position;
    bool was_bare = rules_kings_are_bare(&position);
    uint64_t total = 0;
    struct move_list list;

    rules_legal_moves(uci->board.rules, &position, &list);
    for (int i = 0; i < list.count; i++) {
        char text[NOTATION_BYTES] = "";
        struct undo undo;
        uint64_t count;

        if (!notation_format_move(text, NOTATION_UCI, list.move[i], &position, NULL))
            continue;
        rules_make(uci->board.rules, &position, list.move[i], &undo);
        count = rules_perft(uci->board.rules, &position, depth - 1, was_bare);
        rules_unmake(&position, list.move[i], &undo);
        printf("%s: %llu\n", text, (unsigned long long)count);
        total += count;
    }
    printf("\nNodes searched: %llu\n\n", (unsigned long long)total);
}

static void go(struct uci *uci, char *rest)
{
    struct search_task task = {.rules = uci->board.rules,
                               .position = uci->board.position,
                               .past = uci->board.past,
                               .level = uci->level};
    struct going going = {.wtime = -1, .btime = -1};
    bool is_good = true;
    char *word;

    if (is_busy(uci, "go"))
        return;
    while (is_good && (word = next_word(&rest)) != NULL)
        if (strcmp(word, "infinite") == 0)
            going.is_infinite = true;
        else
            is_good = take_number(&going, word, next_word(&rest));
    if (!is_good || going.depth < 0 || going.nodes < 0 || going.movetime < 0) {
        say_wrong("go", "not a limit that is known, or not a number");
        return;
    }
    if (going.perft > 0) {
        say_perft(uci, (int)going.perft);
        return;
    }
    allot(uci, &going, &task.limits);
    task.seed = (uint64_t)(uci->seed != 0 ? uci->seed : mono_now_us());
    uci->is_infinite =
        going.is_infinite ||
        (task.limits.depth == 0 && task.limits.nodes == 0 && task.limits.hard_ms == 0);
    uci->began_ms = mono_now_ms();
    thinker_start(uci->thinker, &task);
}

static void stop(struct uci *uci, char *rest)
{
    (void)rest;
    uci->is_infinite = false;
    if (uci->is_held)
        say_answer(uci, &uci->answer);
    uci->is_held = false;
    if (thinker_is_busy(uci->thinker))
        thinker_stop(uci->thinker);
}

static void quit(struct uci *uci, char *rest)
{
    (void)rest;
    event_base_loopbreak(uci->base);
}

/* --- Lines --- */

static void on_line(void *owner, char *line)
{
    static const struct {
        const char *word;
        void (*run)(struct uci *uci, char *rest);
    } commands[] = {
        {"uci", say_who},
        {"isready", be_ready},
        {"setoption", set_option},
        {"ucinewgame", begin_game},
        {"position", take_position},
        {"go", go},
        {"stop", stop},
        {"quit", quit},
    };
    static char none[] = "";
    char *rest = line, *word = next_word(&rest);

    if (word == NULL)
        return;
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (strcmp(commands[i].word, word) == 0) {
            commands[i].run(owner, rest != NULL ? rest : none);
            return;
        }
    say_wrong("no such command", ""); /* UCI: ignore an unknown command and continue */
}

/* Handles the end of the input: leaves, but not before the answer to the last
 * command. */
static void on_end(void *owner)
{
    struct uci *uci = owner;

    uci->is_ended = true;
    if (uci->is_infinite || uci->is_held)
        stop(uci, NULL);
    if (!thinker_is_busy(uci->thinker))
        event_base_loopbreak(uci->base);
}

int uci_run(void)
{
    static const struct thinker_calls thinker_calls = {on_report, on_done};
    static const struct loop_lines_calls lines_calls = {on_line, on_end};
    struct uci uci = {.base = loop_new(), .level = SEARCH_LEVEL_MAX};
    int code = 1;

    setvbuf(stdout, NULL, _IOLBF, 0);
    uci.thinker = thinker_new(uci.base, TABLE_MB, &thinker_calls, &uci);
    if (uci.thinker != NULL) {
        uci_board_start(&uci.board, ruleset_find("kja"));
        uci.lines = loop_read_lines(uci.base, STDIN_FILENO, &lines_calls, &uci);
        code = event_base_dispatch(uci.base) < 0;
        loop_lines_free(uci.lines);
    }
    thinker_free(uci.thinker);
    event_base_free(uci.base);
    return code;
}
