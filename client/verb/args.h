/* The arguments of a verb: a list of rules in its table entry, and the parser that
 * compares the words of a typed line with that list. A verb runs only if every word
 * matches; otherwise the player learns which word did not match and what was expected.
 * Pure: knows no game and no verb. */
#ifndef CLIENT_VERB_ARGS_H
#define CLIENT_VERB_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/verb/typed_move.h"
#include "common/base/base.h"
#include "common/base/text.h"
#include "common/game/clock.h"
#include "common/game/side.h"
#include "common/net/proto.h"

enum arg_kind {
    ARG_NONE,    /* ends a list of rules */
    ARG_GAME,    /* the number of a game, as the first or the last argument */
    ARG_OFFER,   /* the number of a seek, a challenge or an offer */
    ARG_NUMBER,  /* from low to high */
    ARG_CHOICE,  /* one of the words of its label, "win|draw" */
    ARG_POINT,   /* B0 */
    ARG_LINE,    /* a file or a row: E, 3 */
    ARG_PIECE,   /* knight, knights */
    ARG_MOVE,    /* one word or several: b0c2, b0 c2 */
    ARG_LINEUP,  /* NBNB, 3, 마상마상 */
    ARG_PLAYER,  /* a name */
    ARG_TERMS,   /* of a new game: time, side and rules, in any order */
    ARG_FACTOR,  /* a speed factor, 0.01 to 1000 */
    ARG_SETTING, /* the name of a setting */
    ARG_VALUE,   /* its value */
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

/* One rule. A verb has at most one of each kind. */
struct arg {
    enum arg_kind kind;
    enum arg_need need;
    const char *label; /* for the usage; NULL: the default label of the kind */
    int64_t low, high; /* for ARG_NUMBER */
    bool has_counts;   /* ARG_TERMS may contain "uses=5" and "days=7" */
    bool has_lists;    /* ARG_TERMS are lists of times and of rulesets, and "bots" */
};

enum { ARGS_MAX = 4, ARGS_TERMS_BYTES = 512 };

/* The parsed arguments. The text of a kind that was not given is NULL. */
struct args {
    const char *text[ARG_KINDS]; /* the word; for ARG_TEXT the rest of the line */
    int64_t number[ARG_KINDS];   /* for the numeric kinds */
    int point;
    enum kind piece;
    bool has_lineup; /* false: another word of the label was typed */
    bool
        is_lineup_as_seen; /* "마상마상": from left to right as the side itself sees it */
    enum lineup lineup;     /* see args_lineup() */
    struct typed_move move; /* may be ambiguous: the function that runs the verb checks
                             * that */
    double factor;
    char terms[ARGS_TERMS_BYTES]; /* in the form of the protocol: " time=10m+5s
                                  * side=red"; with has_lists " 10m+5s,5m rules=kja" */

    char room[PROTO_LINE_MAX + 1]; /* copies of the words */
};

/* Parses rest, the text after the verb, by the rules, a list that ends with ARG_NONE or
 * after ARGS_MAX. If has_games is false, ARG_GAME rules are ignored. Moves are read on
 * board. Returns false if a word does not match: why then says in one sentence which
 * word and what was expected, and is empty if a word is missing. */
bool args_read(const struct arg rules[ARGS_MAX], bool has_games,
               const struct typed_board *board, const char *rest, struct args *out,
               struct text *why) MUST_USE;

static inline bool args_has(const struct args *args, enum arg_kind kind)
{
    return args->text[kind] != NULL;
}

/* Returns true for a word that `setup` takes: "4", "nbbn", "마상마상" or "same". */
bool args_is_lineup(const char *word);

/* Returns the line-up on the files B, C, G and H if side chooses it. */
enum lineup args_lineup(const struct args *args, enum side side);

/* Adds the usage, "win|draw [GAME]", with a space before each argument; nothing if
 * there are no rules. */
void args_add_usage(struct text *out, const struct arg rules[ARGS_MAX], bool has_games);

/* Returns true if an argument of kind may follow the complete words in done, which are
 * typed after the verb. */
bool args_may_follow(const struct arg rules[ARGS_MAX], bool has_games, const char *done,
                     enum arg_kind kind);

/* Parses a time in the forms that people type: 10m+5s, 10+5, 10/5, 10m5s, 20+3x40,
 * 10분+5초, blitz, rapid, club, days. */
bool args_parse_time(const char *word, struct time_terms *out) MUST_USE;
/* Parses a speed factor, 0.01 to 1000. */
bool args_parse_factor(const char *word, double *out) MUST_USE;

#endif
