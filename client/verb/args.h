/* What may follow a verb: a list of rules in its table entry, and the one place where the
 * words of a typed line are compared with that list. A verb runs only when every word was
 * understood; otherwise the player is told which word was not, and what was expected.
 * Pure: knows no game and no verb. */
#ifndef CLIENT_VERB_ARGS_H
#define CLIENT_VERB_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/verb/typed_move.h"
#include "common/base/base.h"
#include "common/base/text.h"
#include "common/game/board.h"
#include "common/game/clock.h"
#include "common/net/proto.h"

enum arg_kind {
    ARG_NONE,    /* ends a list of rules */
    ARG_GAME,    /* the number of a game; it may stand in front or at the end */
    ARG_OFFER,   /* the number of a seek, a challenge or an offer */
    ARG_NUMBER,  /* from low to high */
    ARG_CHOICE,  /* one of the words of its label, "win|draw" */
    ARG_POINT,   /* B0 */
    ARG_LINE,    /* a file or a row: E, 3 */
    ARG_PIECE,   /* knight, knights */
    ARG_MOVE,    /* one word or several: b0c2, b0 c2 */
    ARG_LINEUP,  /* NBNB, 3, 마상마상 */
    ARG_PLAYER,  /* a name */
    ARG_TERMS,   /* of a game to come: time, side and rules, in any order */
    ARG_FACTOR,  /* of speed, 0.01 to 1000 */
    ARG_SETTING, /* the name of a setting, */
    ARG_VALUE,   /* and its value */
    ARG_TOPIC,   /* what help or rules are asked about */
    ARG_WORD,    /* any one word */
    ARG_FILE,    /* a path; with spaces in it, in double quotes */
    ARG_TEXT     /* all that is left, as typed */
};
enum { ARG_KINDS = ARG_TEXT + 1 };

enum arg_need {
    ARG_NEEDED,
    ARG_OPTIONAL,
    ARG_TOGETHER /* exactly when the one before it is given: [NAME VALUE] */
};

/* One rule. A verb has at most one of each kind. */
struct arg {
    enum arg_kind kind;
    enum arg_need need;
    const char *label; /* in the usage; NULL: the usual one of the kind */
    int64_t low, high; /* of ARG_NUMBER */
};

enum { ARGS_MAX = 4, ARGS_TERMS_BYTES = 96 };

/* What was understood. A kind that was not given has no text. */
struct args {
    const char *text[ARG_KINDS]; /* the word, or of ARG_TEXT all that is left */
    int64_t number[ARG_KINDS];   /* of what is a number */
    int point;
    enum kind piece;
    bool has_lineup;        /* else it was another word of the label */
    bool is_lineup_as_seen; /* "마상마상": by its own side, from left to right */
    enum lineup lineup;     /* see args_lineup() */
    struct typed_move move; /* may be unclear: who runs the verb says so */
    double factor;
    char
        terms[ARGS_TERMS_BYTES]; /* as the server takes them: " time=10m+5s side=red" */

    char room[PROTO_LINE_MAX + 1]; /* the words, cut */
};

/* Compares rest, all that stands behind a verb, with the rules, a list that ARG_NONE or
 * ARGS_MAX ends. Without has_games no rule is about ARG_GAME. A move is one on board.
 * False: why says which word was not understood and what was expected there, as one
 * sentence; it stays empty when something is missing. */
bool args_read(const struct arg rules[ARGS_MAX], bool has_games,
               const struct typed_board *board, const char *rest, struct args *out,
               struct text *why) MUST_USE;

static inline bool args_has(const struct args *args, enum arg_kind kind)
{
    return args->text[kind] != NULL;
}

/* The line-up on the files B, C, G and H, when side chooses it. */
enum lineup args_lineup(const struct args *args, enum side side);

/* Adds "win|draw [GAME]", with a space in front of each; nothing for no rules. */
void args_add_usage(struct text *out, const struct arg rules[ARGS_MAX], bool has_games);

/* True when one who has typed done behind the verb, whole words, may go on with kind. */
bool args_may_follow(const struct arg rules[ARGS_MAX], bool has_games, const char *done,
                     enum arg_kind kind);

/* A time as people type it. */
bool args_parse_time(const char *word, struct time_terms *out) MUST_USE;
/* A speed factor, 0.01 to 1000. */
bool args_parse_factor(const char *word, double *out) MUST_USE;

#endif
