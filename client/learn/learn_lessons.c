/* See learn_lessons.h. tests/unit/client/test_learn.c solves every task, and also tries
 * every wrong move. */
#include "client/learn/learn_lessons.h"

#include "common/base/base.h"
#include "common/base/translate.h"

static const char start[] = "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/"
                            "RNBG1GBNR r - 0 0 1";

static const struct learn_task board_tasks[] = {
    {LEARN_POINT, KIND_NONE, "E1", 1, start, 0, 9,
     N_("On which point does Red's king (K) stand? Type its letter and digit."),
     N_("Go down from the king to the letters: E. Go left to the digits: 1."),
     N_("Yes, E1: in the centre of his fortress.")},
    {LEARN_POINT, KIND_NONE, "H7", 1, start, 0, 9,
     N_("Blue has two cannons (c). One stands on B7; where is the other?"),
     N_("It is in the same row, 7, far to the right."), N_("Yes, H7.")},
    {LEARN_POINT, KIND_NONE, "E8", 1, start, 0, 9,
     N_("Blue's fortress reaches from D7 to F9. What is its centre?"),
     N_("Half-way between D and F, and between 7 and 9."),
     N_("Yes, E8. The four diagonals meet there.")},
};

static const struct learn_task king_tasks[] = {
    {LEARN_TAKE, KIND_KING, "F2", 1, "3k5/9/9/9/3p5/9/9/5n3/4K4/9 r - 0 0 1", 0, 2,
     N_("Take the knight on F2 with your king."),
     N_("From the centre, E1, a diagonal leads there: type e1f2."),
     N_("Yes. A move is two points: from where, and where to.")},
    {LEARN_REACH, KIND_KING, "E0", 2, "3k5/9/9/9/3p5/9/9/9/3K5/9 r - 0 0 1", 0, 2,
     N_("Bring the king from D1 to E0, in two moves."),
     N_("No diagonal begins on D1: go to the corner D0 first, or to the centre E1."),
     N_("Yes. From the middle of an edge, only straight lines lead on.")},
};

static const struct learn_task guard_tasks[] = {
    {LEARN_TAKE, KIND_GUARD, "E1", 1, "3k5/9/9/9/9/3P5/9/3K5/4n4/5G3 r - 0 0 1", 0, 2,
     N_("Take the knight on E1 with the guard."),
     N_("The guard stands on F0, a corner."), N_("Yes, along the diagonal.")},
    {LEARN_REACH, KIND_GUARD, "E1", 1, "3k5/9/9/9/4r4/9/9/9/3G5/4K4 r - 0 0 1", 0, 5,
     N_("The rook on E5 gives check. Put the guard between it and your king."),
     N_("The guard on D1 needs one step to the side."),
     N_("Yes. A guard is the king's shield.")},
};

static const struct learn_task rook_tasks[] = {
    {LEARN_TAKE, KIND_ROOK, "A6", 1, "3k5/9/9/p8/9/9/9/9/5K3/R8 r - 0 0 1", 0, 6,
     N_("Take the pawn on A6 with the rook."), N_("The A file between them is empty."),
     N_("Yes. On an open line the rook goes as far as it likes.")},
    {LEARN_TAKE, KIND_ROOK, "F9", 1, "4kg3/9/3R5/9/9/9/9/9/5K3/9 r - 0 0 1", 5, 9,
     N_("Your rook stands in Blue's fortress. Take the guard on F9."),
     N_("From the corner D7 a diagonal leads over the centre, E8, to F9."),
     N_("Yes. Inside a fortress rooks follow the diagonals too.")},
};

static const struct learn_task cannon_tasks[] = {
    {LEARN_TAKE, KIND_CANNON, "E6", 1, "3k5/9/9/4p4/9/4P4/9/4C4/5K3/9 r - 0 0 1", 1, 7,
     N_("Take the pawn on E6 with the cannon."),
     N_("It jumps over your pawn on E4: from E2 to E6."),
     N_("Yes: over one piece, and then to the next.")},
    {LEARN_TAKE, KIND_CANNON, "H2", 1, "3k5/9/1c7/9/1P7/9/9/1C1p3n1/5K3/9 r - 0 0 1", 1,
     7,
     N_("The cannon on B2 can jump over a piece in two directions. Behind each of\n"
        "these pieces stands an enemy. The cannon may take only one: take that one."),
     N_("There is a cannon on B7, and a cannon may not take a cannon. Look along row "
        "2."),
     N_("Yes. A cannon may jump over a piece of either side.")},
    {LEARN_TAKE, KIND_CANNON, "B9", 2, "1r2k4/9/9/9/3N5/9/9/1C7/5K3/9 r - 0 0 1", 1, 9,
     N_("Nothing stands between the cannon on B2 and the rook on B9. In two moves:\n"
        "put a piece between them, then take the rook."),
     N_("The knight on D5 can go to B4 and to B6."),
     N_("Yes. The piece to jump over is called a \"bridge\" in Korea; you built one.")},
};

static const struct learn_task knight_tasks[] = {
    {LEARN_TAKE, KIND_KNIGHT, "C2", 1, "3k5/9/9/9/9/9/9/2p6/5K3/1NB6 r - 0 0 1", 0, 4,
     N_("Take the pawn on C2 with the knight."),
     N_("One step up to B1, then diagonally to C2."),
     N_("Yes. The bishop on C0 blocks only the way over C0.")},
    {LEARN_TAKE, KIND_KNIGHT, "G5", 1, "3k5/9/9/3p5/4P1p2/4N4/9/9/5K3/9 r - 0 0 1", 1,
     7,
     N_("Two pawns are a knight's move away from E4. Take the one that it can reach."),
     N_("Its step to E5 is blocked by your pawn; its step to F4 is free."),
     N_("Yes. Look at the first point of the way, and only at that.")},
    {LEARN_REACH, KIND_KNIGHT, "D4", 2, "5k3/9/9/9/9/9/9/9/4K4/1NB6 r - 0 0 1", 0, 5,
     N_("Bring the knight from B0 to D4, in two moves."),
     N_("C2 is on the way: from there over C3 to D4."), N_("Yes.")},
};

static const struct learn_task bishop_tasks[] = {
    {LEARN_TAKE, KIND_BISHOP, "G7", 1, "3k5/9/6r2/9/9/4B4/9/9/5K3/9 r - 0 0 1", 1, 8,
     N_("Take the rook on G7 with the bishop."),
     N_("One step up to E5, then two diagonally: F6, G7."),
     N_("Yes. The bishop's leap is long.")},
    {LEARN_TAKE, KIND_BISHOP, "H6", 1, "3k5/9/2n6/3p3p1/9/4B4/9/9/5K3/9 r - 0 0 1", 1,
     8,
     N_("Two pieces are a bishop's leap away from E4. Take the one that it can reach."),
     N_("The pawn on D6 stands in its way to C7. The way over F4 and G5 is free."),
     N_("Yes. Two points must be empty.")},
};

static const struct learn_task pawn_tasks[] = {
    {LEARN_TAKE, KIND_PAWN, "D4", 1, "3k5/9/9/9/9/3pP4/9/9/5K3/9 r - 0 0 1", 1, 6,
     N_("Take Blue's pawn with yours."), N_("Pawns move, and take, sideways too."),
     N_("Yes.")},
    {LEARN_TAKE, KIND_PAWN, "E8", 1, "9/4gk3/3P5/9/9/9/9/9/4K4/9 r - 0 0 1", 5, 9,
     N_("Your pawn is in the enemy's fortress. Take the guard."),
     N_("From the corner D7 a diagonal leads forward to E8."),
     N_("Yes. A pawn follows diagonals only in the fortress, and only forward.")},
    {LEARN_TAKE, KIND_PAWN, "A9", 1, "nP3k3/9/9/9/9/9/9/9/4K4/9 r - 0 0 1", 5, 9,
     N_("Your pawn stands on the last row. Take the knight with it."),
     N_("It can no longer move forward, only sideways."),
     N_("Yes. A pawn is never promoted to another piece.")},
};

static const struct learn_task check_tasks[] = {
    {LEARN_CHECK, KIND_NONE, NULL, 1, "4k4/9/9/9/9/R8/9/9/5K3/9 r - 0 0 1", 0, 9,
     N_("Give check with the rook."),
     N_("Move it to a line that leads to E9: the E file or row 9."),
     N_("Check! Say \"janggun\", as the Koreans do.")},
    {LEARN_ESCAPE, KIND_NONE, NULL, 1, "3k5/9/9/4r4/9/R8/9/9/4K4/9 r - 0 0 1", 0, 9,
     N_("The rook on E6 gives check. Get out of it, in any way."),
     N_("Move the king away (e1f1) or put your rook in between (a4e4)."),
     N_("Yes. The answer to a check is called \"meonggun\".")},
    {LEARN_TAKE, KIND_NONE, "E5", 1, "3k5/9/9/9/R3r4/9/9/9/4K4/9 r - 0 0 1", 0, 9,
     N_("The rook on E5 gives check again. You need not run: take it."),
     N_("Your own rook stands on A5."), N_("Yes. That is the best answer of all.")},
};

static const struct learn_task mate_tasks[] = {
    {LEARN_MATE, KIND_NONE, NULL, 1, "4k4/1R7/9/R8/9/9/9/9/5K3/9 r - 0 0 1", 0, 9,
     N_("Mate in one move."),
     N_("One rook keeps the king from row 8; the other gives check on row 9."),
     N_("Mate! That wins the game.")},
    {LEARN_MATE, KIND_NONE, NULL, 1, "3k5/9/3P1P3/9/9/9/9/9/4K4/R8 r - 0 0 1", 0, 9,
     N_("Again: mate in one move."),
     N_("The pawns guard row 8. Where can the rook come from?"),
     N_("Mate! Pawns in the fortress are strong.")},
};

static const struct learn_task bare_tasks[] = {
    {LEARN_BARE, KIND_NONE, NULL, 1, "9/4k4/9/9/4N4/9/9/9/4K4/9 r - 0 0 1", 0, 9,
     N_("Bare the kings."), N_("Any move of the knight opens the E file."),
     N_("The kings face each other: Blue must answer, but you can no longer win.")},
    {LEARN_ESCAPE, KIND_NONE, NULL, 1, "9/5k3/9/9/4P4/9/9/9/5K3/9 r b 0 1 2", 0, 9,
     N_("Now Blue has bared the kings. Answer the check."),
     N_("Leave the F file (f1e1), or put the pawn between (e5f5)."),
     N_("Yes. From now on Blue cannot win.")},
};

static const struct learn_task pass_tasks[] = {
    {LEARN_PASS, KIND_NONE, NULL, 1, "4k4/3P1P3/9/9/9/9/9/9/9/3K5 b - 0 0 1", 0, 9,
     N_("This time you are Blue, and your king is all you have. He is not in check,\n"
        "but the pawns attack D9, E8 and F9. What can you do?"),
     N_("Type pass."),
     N_("Yes. In chess this would be stalemate; here the game goes on.")},
};

static const struct learn_task lineup_tasks[] = {
    {LEARN_LINEUP, KIND_NONE, "NBNB", 1,
     "rnbg1gbnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBG1GNBR r - 0 0 1", 0, 3,
     N_("Choose the line-up that has knights on B and G, as on this board."),
     N_("Name the pieces on B, C, G and H, in this order: N, B, N, B. Type setup 3."),
     N_("Yes. In a game Red chooses first, then Blue.")},
};

#define TASKS(of) of, (int)ARRAY_LEN(of)

static const struct learn_lesson lessons[] = {
    {N_("the board"), KIND_NONE,
     N_("Korean chess is played on the points where lines cross. Files are called\n"
        "A to I, rows 0 to 9. Red, in ( ) and capitals, begins below and moves first;\n"
        "Blue, in [ ] and small letters, begins above. R is a rook (chariot), N a\n"
        "knight (horse), B a bishop (elephant), G a guard (advisor), K the king\n"
        "(general), C a cannon, P a pawn (soldier). The squares with an X are the\n"
        "fortresses. \"help names\" has more names; \"help xiangqi\" is for players "
        "of\n"
        "Chinese chess.\n"),
     TASKS(board_tasks)},
    {N_("the king"), KIND_KING, NULL, TASKS(king_tasks)},
    {N_("the guard"), KIND_GUARD, NULL, TASKS(guard_tasks)},
    {N_("the rook"), KIND_ROOK, NULL, TASKS(rook_tasks)},
    {N_("the cannon"), KIND_CANNON, NULL, TASKS(cannon_tasks)},
    {N_("the knight"), KIND_KNIGHT, NULL, TASKS(knight_tasks)},
    {N_("the bishop"), KIND_BISHOP, NULL, TASKS(bishop_tasks)},
    {N_("the pawn"), KIND_PAWN, NULL, TASKS(pawn_tasks)},
    {N_("check"), KIND_NONE,
     N_("A king is in check when an enemy piece could take him with its next move. "
        "The\n"
        "check must be answered at once: the king moves away, a piece moves between\n"
        "them (or, against a cannon, the piece that it jumps over moves away), or the\n"
        "attacker is taken.\n"),
     TASKS(check_tasks)},
    {N_("checkmate"), KIND_NONE,
     N_("A check that nothing answers is checkmate, and wins the game.\n"),
     TASKS(mate_tasks)},
    {N_("bare kings"), KIND_NONE,
     N_("Two kings on one file with nothing between them are bare, in Korean bikjang.\n"
        "In Martin's rules the side that bares the kings gives check, which must be\n"
        "answered; but that side can no longer win, so baring helps only a side that\n"
        "would lose. In the other rules bare kings are no check, but they can end the\n"
        "game (\"janggi rules\" compares them).\n"),
     TASKS(bare_tasks)},
    {N_("passing"), KIND_NONE,
     N_("There is no stalemate. A side that has no legal move and is not in check\n"
        "must pass. In Martin's rules that is the only time to pass; in the other "
        "rules\n"
        "you may pass whenever no piece gives check.\n"),
     TASKS(pass_tasks)},
    {N_("the set-up"), KIND_NONE,
     N_("Before the first move each side chooses how its knights and bishops stand:\n"
        "  setup 1   NBBN   knights outside     setup 2   BNBN   left pair changed\n"
        "  setup 3   NBNB   right pair changed  setup 4   BNNB   bishops outside\n"
        "Martin advises you to change one pair, on the same columns as your opponent:\n"
        "\"setup same\" does that in a game. Enter does the same, or takes setup 3 if "
        "you\n"
        "choose first.\n"),
     TASKS(lineup_tasks)},
};

const struct learn_lesson *learn_lesson_at(int i)
{
    return i >= 0 && i < learn_lessons() ? &lessons[i] : NULL;
}

int learn_lessons(void)
{
    return (int)ARRAY_LEN(lessons);
}
