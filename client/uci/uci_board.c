/* See uci_board.h. */
#include "client/uci/uci_board.h"

#include <stdio.h>
#include <string.h>

#include "client/formats/notation.h"
#include "common/base/text.h"
#include "common/words/sentence.h"

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

/* Returns the entry for the next ply. If all entries are in use, drops the oldest
 * entry: a repetition of that position is unlikely. */
static struct search_ply *next_ply(struct search_past *past)
{
    if (past->plies == SEARCH_PAST_MAX) {
        past->plies--;
        memmove(past->ply, past->ply + 1, (size_t)past->plies * sizeof past->ply[0]);
    }
    return &past->ply[past->plies++];
}

static void play(struct uci_board *board, struct move move)
{
    struct search_ply *ply = next_ply(&board->past);
    struct undo undo;
    enum check check;

    ply->key = board->position.key;
    rules_make(board->rules, &board->position, move, &undo);
    check = rules_check(&board->position);
    ply->gave_check = check == CHECK_PIECE || check == CHECK_BOTH;
    if (undo.captured != 0)
        board->past.plies = 0; /* after a capture, earlier positions cannot occur
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

static bool take_moves(struct uci_board *board, char *text, char *why)
{
    char *rest = NULL;

    for (char *word = strtok_r(text, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest))
        if (!take_move(board, word, why))
            return false;
    return true;
}

static void cut_spaces(char *text)
{
    size_t len = strlen(text);

    while (len > 0 && text[len - 1] == ' ')
        text[--len] = '\0';
}

bool uci_board_read(struct uci_board *board, char *text, char why[UCI_WHY_BYTES])
{
    char *moves = strstr(text, "moves");
    static char none[] = "";

    if (moves != NULL) {
        *moves = '\0';
        moves += strlen("moves");
    }
    cut_spaces(text);
    if (strcmp(text, "startpos") == 0) {
        uci_board_start(board, board->rules);
    } else if (strncmp(text, "fen ", 4) == 0) {
        if (!take_fen(board, text + 4, why))
            return false;
    } else {
        snprintf(why, UCI_WHY_BYTES, "position wants startpos or fen");
        return false;
    }
    return take_moves(board, moves != NULL ? moves : none, why);
}
