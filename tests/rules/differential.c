/* Compares our legal moves with the legal moves of Fairy-Stockfish, an independent
 * program. The moves in courier and vchess must be the same as in its variant
 * janggicasual. The moves in kja must be the same as in its variant janggi. For martin,
 * the expected moves are computed: this program applies rules M3, M7 and M9 of RULES.md
 * to the moves of these two variants. The positions come from random games. A game
 * begins with one of the set-ups or with a random position of few pieces. Unless --seed
 * is given, each run has another seed.
 *
 *   differential [--positions N] [--seed N] [--drop-a-move]
 *
 * --drop-a-move tests this program itself: it hides one of our moves, and the
 * comparison must report that. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/game/points.h"
#include "common/game/position.h"
#include "common/game/rules.h"
#include "tests/checker/fairy.h"
#include "tests/unit/random_play.h"

/* --- Positions --- */

/* A game in progress, or a sparse position and a few plies after it. */
struct walk {
    const struct ruleset *rules;
    struct position position;
    bool was_bare;
    int plies_left;
};

static void walk_start(struct walk *walk, int number)
{
    enum { PLIES_FROM_ARRAY = 250, PLIES_FROM_SPARSE = 30, SPARSE_MEN = 20 };

    walk->rules = ruleset_at(random_below(4));
    walk->was_bare = false;
    walk->plies_left = number % 4 == 0 ? PLIES_FROM_ARRAY : PLIES_FROM_SPARSE;
    if (number % 4 == 0)
        position_set_up(&walk->position, (enum lineup)(number / 4 % LINEUPS),
                        (enum lineup)(number / 16 % LINEUPS),
                        ruleset_first_mover(walk->rules));
    else
        while (!random_sparse(walk->rules, SPARSE_MEN, &walk->position))
            ;
}

/* Rates how useful the position after a move is for the comparison: higher for a check,
 * bare kings or a capture. */
static unsigned interest(const struct walk *walk, struct move move)
{
    struct position after = walk->position;
    struct undo undo;

    rules_make(walk->rules, &after, move, &undo);
    return random_below(4) + (rules_check(&after) != CHECK_NONE ? 4 : 0) +
           (undo.captured != 0 ? 2 : 0);
}

/* Chooses the move of highest interest() among a few random ones. */
static struct move choose(const struct walk *walk, const struct move_list *list)
{
    struct move best = list->move[random_below((unsigned)list->count)];

    for (unsigned tries = random_below(8); tries > 0; tries--) {
        struct move other = list->move[random_below((unsigned)list->count)];

        if (interest(walk, other) > interest(walk, best))
            best = other;
    }
    return best;
}

/* Plays one more ply. False: the game is over, or the other engine does not know the
 * new position. */
static bool walk_on(struct walk *walk)
{
    struct history_view history = {walk->was_bare, 1, SIDE_NONE};
    enum outcome outcome;
    struct position plain;
    struct move_list list;
    struct undo undo;

    if (walk->plies_left-- == 0 ||
        rules_ending(walk->rules, &walk->position, &history, &outcome) != REASON_NONE)
        return false;
    rules_legal_moves(walk->rules, &walk->position, &list);
    walk->was_bare = rules_kings_are_bare(&walk->position);
    rules_make(walk->rules, &walk->position, choose(walk, &list), &undo);
    plain = walk->position;
    plain.forfeits = 0;
    /* In kja, a side in check may pass if the kings are bare (J3). This pass ends the
     * game (J5), and the other engine does not accept the position after it. */
    return rules_position_ok(ruleset_find("courier"), &plain, NULL);
}

/* --- The overlay: RULES.md read once more, without the rules core --- */

struct question {
    struct position position;
    struct move_list casual; /* the engine's moves in its variant janggicasual */
    struct move_list janggi; /* the engine's moves in its variant janggi */
    bool is_check;           /* a piece gives check: `casual` has no pass then (K2) */
    struct points checkers;  /* set only if is_check */
};

/* True if the kings are on one file with nothing between them (C4). Reads only the
 * letters of the board. */
static bool letters_are_bare(const char letters[BOARD_POINTS + 1])
{
    int red = (int)(strchr(letters, 'K') - letters);
    int blue = (int)(strchr(letters, 'k') - letters);

    if (red % BOARD_FILES != blue % BOARD_FILES)
        return false;
    for (int at = red + BOARD_FILES; at < blue; at += BOARD_FILES)
        if (letters[at] != '.')
            return false;
    return true;
}

static void letters_of(const struct position *position, char out[BOARD_POINTS + 1])
{
    for (int point = 0; point < BOARD_POINTS; point++)
        out[point] = position_letter(position, point);
    out[BOARD_POINTS] = '\0';
}

static bool is_bare_after(const struct position *position, struct move move)
{
    char letters[BOARD_POINTS + 1];

    letters_of(position, letters);
    if (!move_is_pass(move)) {
        letters[move.to] = letters[move.from];
        letters[move.from] = '.';
    }
    return letters_are_bare(letters);
}

/* True if rule 7b forbids the move: the king takes a checking piece, and the kings are
 * then bare (M7). */
static bool is_7b(const struct question *question, struct move move)
{
    char letter = position_letter(&question->position, move.from);

    return (letter == 'K' || letter == 'k') &&
           points_has(question->checkers, move.to) &&
           is_bare_after(&question->position, move);
}

struct expected {
    struct move_list list;
    bool has_7b; /* a move is forbidden only by rule 7b */
};

/* Works out the legal moves of martin. If the kings are bare, starts with the moves of
 * the engine's variant janggi, because this variant demands the same answer to bare
 * kings (M3, J4). Otherwise, starts with the moves of the engine's variant
 * janggicasual. Then applies rules M7 and M9. */
static void expect_martin(const struct question *question, struct expected *out)
{
    bool is_bare = is_bare_after(&question->position, move_pass());
    const struct move_list *base = is_bare ? &question->janggi : &question->casual;

    *out = (struct expected){.has_7b = false};
    for (int i = 0; i < base->count; i++) {
        struct move move = base->move[i];

        if (move_is_pass(move))
            continue;
        if (is_7b(question, move))
            out->has_7b = true;
        else
            out->list.move[out->list.count++] = move;
    }
    if (!question->is_check && !is_bare && out->list.count == 0) /* rule M9: pass */
        out->list.move[out->list.count++] = move_pass();
}

/* Returns the reason for which martin ends the game if no reply is left (M4, M5, M8,
 * M13). */
static enum reason expect_mate(const struct question *question,
                               const struct expected *expected)
{
    unsigned mover = question->position.side == SIDE_RED ? 2 : 1; /* forfeit bit of the
                                                                   * other side */

    if (question->position.forfeits == 3)
        return REASON_BOTH_FORFEITED;
    if (is_bare_after(&question->position, move_pass()))
        return REASON_NAKED_CHECK;
    if (question->position.forfeits & mover)
        return REASON_MATE_BY_FORFEITED;
    return expected->has_7b ? REASON_KING_GUARD : REASON_CHECKMATE;
}

/* --- Comparing --- */

static struct {
    long positions, moves, in_check, bare, mates, forbidden_by_7b;
    bool drop_a_move; /* --drop-a-move was given, and no move has been hidden yet */
    int reported;
} run;

static void report(const char *rules, const struct position *position, struct move move,
                   const char *what)
{
    char text[POSITION_BYTES], fen[FAIRY_FEN_BYTES], name[MOVE_BYTES];

    position_format(text, position);
    fairy_fen(fen, position);
    move_format(name, move);
    printf("not ok differential %s \"%s\" (engine: %s): %s %s\n", rules, text, fen,
           name, what);
    if (++run.reported == 20) {
        printf("# and so on\n");
        exit(1);
    }
}

static void compare(const char *rules, const struct position *position,
                    const struct move_list *theirs)
{
    struct move_list ours;

    rules_legal_moves(ruleset_find(rules), position, &ours);
    if (run.drop_a_move && ours.count > 0 && run.positions > 100) {
        ours.move[random_below((unsigned)ours.count)] = ours.move[ours.count - 1];
        ours.count--;
        run.drop_a_move = false;
    }
    for (int i = 0; i < theirs->count; i++)
        if (!list_has(&ours, theirs->move[i]))
            report(rules, position, theirs->move[i], "is legal, but not here");
    for (int i = 0; i < ours.count; i++)
        if (!list_has(theirs, ours.move[i]))
            report(rules, position, ours.move[i], "is legal only here");
    if (ours.count != theirs->count)
        report(rules, position, move_pass(), "aside, the lists differ in length");
    run.moves += theirs->count;
}

/* If there is no reply, checks that the rules core ends the game for the expected
 * reason. If there is a reply, checks that the rules core does not end the game, except
 * when both sides have forfeited. */
static void compare_mate(const char *rules, const struct position *position,
                         bool has_reply, enum reason expected)
{
    struct history_view history = {false, 1, SIDE_NONE};
    struct position fresh = *position;
    enum outcome outcome;
    enum reason reason;

    fresh.passes = 0; /* so that passes or missing captures do not end the game */
    fresh.quiet = 0;
    reason = rules_ending(ruleset_find(rules), &fresh, &history, &outcome);
    if (has_reply && reason == REASON_BOTH_FORFEITED)
        return;
    if (reason != (has_reply ? REASON_NONE : expected))
        report(rules, position, move_pass(), reason_name(reason));
}

/* Changes position so that martin allows it: if the kings are bare, the side that bared
 * them has forfeited (G9). */
static void make_martins(struct position *position)
{
    if (rules_kings_are_bare(position))
        position->forfeits |= (uint8_t)(position->side == SIDE_RED ? 2 : 1);
    position->key = position_key(position);
}

static void compare_check(const struct question *question)
{
    enum check check = rules_check(&question->position);
    bool is_check = check == CHECK_PIECE || check == CHECK_BOTH;
    bool is_bare = check == CHECK_KINGS || check == CHECK_BOTH;

    if (is_check != question->is_check)
        report("all", &question->position, move_pass(), "has another check");
    if (is_bare != is_bare_after(&question->position, move_pass()))
        report("all", &question->position, move_pass(), "has kings that differ");
    run.in_check += is_check;
    run.bare += is_bare;
}

static void judge(struct question *question)
{
    struct expected martin;
    struct position plain = question->position, martins = question->position;

    plain.forfeits = 0; /* only martin has forfeits */
    make_martins(&martins);
    compare_check(question);
    compare("courier", &plain, &question->casual);
    compare("vchess", &plain, &question->casual);
    compare("kja", &plain, &question->janggi);
    expect_martin(question, &martin);
    compare("martin", &martins, &martin.list);
    compare_mate("courier", &plain, question->casual.count > 0, REASON_CHECKMATE);
    compare_mate("kja", &plain, question->janggi.count > 0, REASON_CHECKMATE);
    question->position = martins;
    compare_mate("martin", &martins, martin.list.count > 0,
                 expect_mate(question, &martin));
    run.mates += martin.list.count == 0;
    run.forbidden_by_7b += martin.has_7b;
    run.positions++;
}

/* --- Asking --- */

struct engines {
    struct fairy *casual, *janggi;
};

static void ask_all(struct engines engines, struct question *questions, int count)
{
    for (int i = 0; i < count; i++) {
        fairy_ask_moves(engines.casual, &questions[i].position);
        fairy_ask_moves(engines.janggi, &questions[i].position);
    }
    for (int i = 0; i < count; i++) {
        fairy_read_moves(engines.casual, &questions[i].casual);
        questions[i].is_check = !list_has(&questions[i].casual, move_pass());
    }
    for (int i = 0; i < count; i++) {
        fairy_read_moves(engines.janggi, &questions[i].janggi);
        if (questions[i].is_check)
            fairy_ask_checkers(engines.casual, &questions[i].position);
    }
    for (int i = 0; i < count; i++)
        if (questions[i].is_check)
            questions[i].checkers = fairy_read_checkers(engines.casual);
}

static void compare_positions(struct engines engines, long positions)
{
    static struct question questions[FAIRY_BATCH];
    struct walk walk = {.plies_left = 0};
    int number = 0;
    bool is_on = false;

    while (run.positions < positions) {
        for (int i = 0; i < FAIRY_BATCH; i++) {
            while (!is_on) {
                walk_start(&walk, number++);
                is_on = true;
            }
            questions[i] = (struct question){.position = walk.position};
            is_on = walk_on(&walk);
        }
        ask_all(engines, questions, FAIRY_BATCH);
        for (int i = 0; i < FAIRY_BATCH; i++)
            judge(&questions[i]);
    }
}

/* --- Starting --- */

static uint64_t fresh_seed(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return ((uint64_t)now.tv_sec << 20 ^ (uint64_t)now.tv_nsec) | 1;
}

static int usage(void)
{
    fprintf(stderr, "usage: differential [--positions N] [--seed N] [--drop-a-move]\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct engines engines;
    long positions = 40000;

    random_state = fresh_seed();
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--drop-a-move") == 0)
            run.drop_a_move = true;
        else if (strcmp(argv[i], "--positions") == 0 && i + 1 < argc)
            positions = atol(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            random_state = strtoull(argv[++i], NULL, 10);
        else
            return usage();
    }
    printf("# seed %llu\n", (unsigned long long)random_state);
    engines = (struct engines){fairy_start("janggicasual"), fairy_start("janggi")};
    if (engines.casual == NULL || engines.janggi == NULL) {
        printf("not ok differential there is no engine to ask\n");
        return 1;
    }
    compare_positions(engines, positions);
    fairy_stop(engines.casual);
    fairy_stop(engines.janggi);
    printf("# %ld moves compared; %ld positions in check, %ld with bare kings, %ld "
           "mates of martin, %ld with a capture that rule 7b forbids\n",
           run.moves, run.in_check, run.bare, run.mates, run.forbidden_by_7b);
    if (run.reported == 0)
        printf("ok differential: %ld positions have the moves of Fairy-Stockfish\n",
               run.positions);
    return run.reported != 0;
}
