/* The arguments of a verb. The verb's table entry has a list of rules, and the parser
 * here compares the words of a typed line with that list. A verb runs only if every
 * word matches; otherwise the player learns which word did not match and what was
 * expected. The functions here are pure: they use only their parameters. */
#ifndef CLIENT_VERB_ARGS_H
#define CLIENT_VERB_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/verb/typed_move.h"
#include "common/base/base.h"
#include "common/base/text.h"
#include "common/game/side.h"
#include "common/net/proto.h"

enum arg_kind {
    ARG_NONE,    /* ends a list of rules */
    ARG_GAME,    /* the number of a game, as the first or the last argument */
    ARG_OFFER,   /* the number of a seek, a challenge or an offer */
    ARG_NUMBER,  /* a number from arg.low to arg.high */
    ARG_CHOICE,  /* one of the words in arg.label, "win|draw" */
    ARG_POINT,   /* a point: B0 */
    ARG_LINE,    /* a file or a row: E, 3 */
    ARG_PIECE,   /* a kind of piece: knight, knights */
    ARG_MOVE,    /* a move of one or more words: b0c2, b0 c2 */
    ARG_LINEUP,  /* a line-up: NBNB, 3, 마상마상 */
    ARG_PLAYER,  /* a name */
    ARG_FACTOR,  /* a speed factor, 0.01 to 1000 */
    ARG_SETTING, /* the name of a setting */
    ARG_VALUE,   /* the value of a setting */
    ARG_TOPIC,   /* a topic of help or rules */
    ARG_WORD,    /* any one word */
    ARG_FILE,    /* a path; in double quotes if it contains spaces */
    ARG_TEXT     /* the rest of the line, as typed */
};
enum { ARG_KINDS = ARG_TEXT + 1 };

enum arg_need {
    ARG_NEEDED,
    ARG_OPTIONAL,
    ARG_TOGETHER /* required if the argument before it is given, otherwise not allowed:
                  * [NAME VALUE] */
};

/* One rule for the arguments of a verb. A verb has at most one rule of each kind. */
struct arg {
    enum arg_kind kind;
    enum arg_need need;
    const char *label; /* what the usage shows; NULL: the default of the kind */
    int64_t low, high; /* for ARG_NUMBER: the limits */
};

enum { ARGS_MAX = 4 };

/* The parsed arguments. `text` and `number` have one element for each kind. If an
 * argument of a kind is missing, the element of `text` for this kind is NULL. */
struct args {
    const char *text[ARG_KINDS]; /* the word; for ARG_TEXT the rest of the line */
    int64_t number[ARG_KINDS];   /* the parsed number; only for kinds that are
                                  * numbers */
    int point;
    enum kind piece;
    bool has_lineup; /* false: the typed word was not a line-up, but another word of the
                      * label */
    bool is_lineup_as_seen; /* the line-up was typed in Korean or Chinese characters:
                             * the pieces from left to right, as their owner sees
                             * them */
    enum lineup lineup;     /* see args_lineup() */
    struct typed_move move; /* may be ambiguous: the verb's `run` must check this */
    double factor;

    char room[PROTO_LINE_MAX + 1]; /* holds the words to which `text` points */
};

/* Parses `rest`, the text after the verb, by the list `rules`, which ends with ARG_NONE or
 * after ARGS_MAX rules, and is NULL if there are none. If has_games is false, ARG_GAME
 * rules are ignored. `board` is the board that typed moves refer to. Returns false if a
 * word does not match; `why` then says in a sentence which word that is and what was
 * expected. If a word is missing, also returns false, but leaves `why` empty. */
bool args_read(const struct arg *rules, bool has_games, const struct typed_board *board,
               const char *rest, struct args *out, struct text *why) MUST_USE;

static inline bool args_has(const struct args *args, enum arg_kind kind)
{
    return args->text[kind] != NULL;
}

/* Returns true for a word that the verb "setup" accepts: "4", "nbbn", "마상마상" or
 * "same". */
bool args_is_lineup(const char *word);

/* Returns the typed line-up of `side`, with the pieces in the order of the files B, C,
 * G and H. If is_lineup_as_seen is true and `side` is Blue, the typed line-up is
 * mirrored, because Blue sees the files in the opposite order. */
enum lineup args_lineup(const struct args *args, enum side side);

/* Adds the usage, such as " win|draw [GAME]": a space precedes each argument. Adds
 * nothing if there are no rules. */
void args_add_usage(struct text *out, const struct arg *rules, bool has_games);

/* Returns true if an argument of this kind may follow the complete words in `done`, the
 * text after the verb. */
bool args_may_follow(const struct arg *rules, bool has_games, const char *done,
                     enum arg_kind kind);

/* Parses a speed factor, 0.01 to 1000. */
bool args_parse_factor(const char *word, double *out) MUST_USE;

#endif
