/* See args.h. */
#include "client/verb/args.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/base/translate.h"
#include "common/words/names.h"

enum { WORDS_MAX = PROTO_WORDS_MAX, WHY_BYTES = 400 };

/* The comparison of one line with a list of rules. */
struct reader {
    const struct arg *rule[ARGS_MAX]; /* in the order in which they are tried */
    int rules;
    const char *word[WORDS_MAX];
    const char *from[WORDS_MAX]; /* where each word begins in the line */
    bool is_quoted[WORDS_MAX];
    int words;
    const struct typed_board *board;
    enum arg_kind
        next; /* ARG_NONE, or the kind of argument that may follow the words */
    struct args *out;
    int far; /* highest index of a word that was refused; -1: no word was refused yet */
    bool is_needed; /* the argument expected at `far` is required */
    char why[WHY_BYTES];
};

/* Stores the reason why the word with index `at` was refused. Several attempts to match
 * the line may fail, but only one reason is kept. If the new reason is about a word
 * with a higher index, the new reason replaces the stored reason. If both reasons are
 * about the same word, the new reason replaces the stored reason only in one case: the
 * new reason is about a required argument, and the stored reason is not. */
PRINTF_LIKE(4, 5)
static void refuse(struct reader *r, int at, bool is_needed, const char *format, ...)
{
    va_list args;

    if (at < r->far || (at == r->far && (r->is_needed || !is_needed)))
        return;
    r->far = at;
    r->is_needed = is_needed;
    va_start(args, format);
    vsnprintf(r->why, sizeof r->why, format, args);
    va_end(args);
}

/* --- Words --- */

/* Splits `line` into words at its spaces, except in double quotes. If there are too
 * many words, the last one keeps the rest of the line, and then only ARG_TEXT matches
 * it. */
static void cut(struct reader *r, const char *line, char room[PROTO_LINE_MAX + 1])
{
    char *at = room;

    if (!text_copy(room, PROTO_LINE_MAX + 1, line))
        return;
    for (at += strspn(at, " "); *at != '\0'; at += strspn(at, " ")) {
        bool is_quoted = *at == '"' && strchr(at + 1, '"') != NULL;

        r->is_quoted[r->words] = is_quoted;
        r->from[r->words] = line + (at - room);
        at += is_quoted;
        r->word[r->words++] = at;
        if (r->words == WORDS_MAX)
            return;
        at += strcspn(at, is_quoted ? "\"" : " ");
        if (*at != '\0')
            *at++ = '\0';
    }
}

/* --- One argument --- */

enum lineup args_lineup(const struct args *args, enum side side)
{
    if (args->is_lineup_as_seen && side == SIDE_BLUE && args->lineup == LINEUP_BNBN)
        return LINEUP_NBNB;
    if (args->is_lineup_as_seen && side == SIDE_BLUE && args->lineup == LINEUP_NBNB)
        return LINEUP_BNBN;
    return args->lineup; /* the other two are their own mirror images */
}

bool args_parse_factor(const char *word, double *out)
{
    char *end;
    double factor = strtod(word, &end);

    if (end == word || *end != '\0' || !(factor >= 0.01 && factor <= 1000))
        return false;
    *out = factor;
    return true;
}

static int take_move(struct reader *r, int at)
{
    char words[64];

    for (int most = r->words - at; most > 0; most--) {
        struct text text = text_into(words, sizeof words);

        for (int i = 0; i < most; i++)
            text_addf(&text, "%s ", r->word[at + i]);
        if (!text.is_cut && typed_move_read(words, r->board, &r->out->move))
            return most;
    }
    return 0;
}

/* Returns 1 if word `at` is one of the words in the rule's label, such as "win|draw",
 * in upper or lower case; otherwise 0. */
static int take_choice(struct reader *r, int at, const struct arg *rule)
{
    const char *word = r->word[at];

    for (const char *one = rule->label; *one != '\0'; one += *one == '|') {
        size_t len = strcspn(one, "|");

        if (strlen(word) == len && strncasecmp(word, one, len) == 0)
            return 1;
        one += len;
    }
    return 0;
}

/* Parses a line-up in Hangul or Chinese characters, "마상마상" or "馬象馬象": ma is the
 * knight, sang the bishop. */
static bool parse_hangul(const char *word, enum lineup *out)
{
    static const struct {
        const char *syllable;
        char letter;
    } pieces[] = {{"마", 'N'}, {"馬", 'N'}, {"상", 'B'}, {"象", 'B'}};
    char letters[5] = "";

    for (int i = 0; i < 4; i++)
        for (size_t p = 0; p < ARRAY_LEN(pieces); p++) {
            size_t len = strlen(pieces[p].syllable);

            if (letters[i] == '\0' && strncmp(word, pieces[p].syllable, len) == 0) {
                letters[i] = pieces[p].letter;
                word += len;
            }
        }
    return *word == '\0' && lineup_parse(letters, out);
}

bool args_is_lineup(const char *word)
{
    enum lineup lineup;

    return lineup_parse(word, &lineup) || parse_hangul(word, &lineup) ||
           strcasecmp(word, "same") == 0;
}

/* Returns how many words, from index `at`, match the rule; 0: none. */
static int take(struct reader *r, const struct arg *rule, int at)
{
    const char *word = r->word[at];
    bool is_letters;

    if (r->is_quoted[at] && rule->kind != ARG_FILE && rule->kind != ARG_TEXT)
        return 0;
    switch (rule->kind) {
    case ARG_GAME:
        return text_to_int(word, 0, INT64_MAX, &r->out->number[ARG_GAME]);
    case ARG_OFFER:
        return text_to_int(word, 1, INT64_MAX, &r->out->number[ARG_OFFER]);
    case ARG_NUMBER:
        return text_to_int(word, rule->low, rule->high, &r->out->number[ARG_NUMBER]);
    case ARG_CHOICE:
        return take_choice(r, at, rule);
    case ARG_POINT:
        r->out->point = strlen(word) == 2 ? side_parse_point(word) : POINT_NONE;
        return r->out->point != POINT_NONE;
    case ARG_LINE:
        return strlen(word) == 1 &&
               strchr("abcdefghiABCDEFGHI0123456789", *word) != NULL;
    case ARG_PIECE:
        r->out->piece = names_find_kind(word);
        return r->out->piece != KIND_NONE;
    case ARG_MOVE:
        return take_move(r, at);
    case ARG_LINEUP:
        is_letters = lineup_parse(word, &r->out->lineup);
        r->out->is_lineup_as_seen = !is_letters && parse_hangul(word, &r->out->lineup);
        r->out->has_lineup = is_letters || r->out->is_lineup_as_seen;
        return r->out->has_lineup || (rule->label != NULL && take_choice(r, at, rule));
    case ARG_FACTOR:
        return args_parse_factor(word, &r->out->factor);
    case ARG_TEXT:
        return r->words - at;
    default:
        return 1; /* matches any word */
    }
}

/* --- What was expected --- */

static const struct {
    const char *label;  /* for the usage */
    const char *wanted; /* the message for a word that does not match the kind; %s is
                         * the word */
} kinds[ARG_KINDS] = {
    [ARG_GAME] = {N_("GAME"), N_("\"%s\" is not the number of a game.")},
    [ARG_OFFER] = {N_("NUMBER"), N_("\"%s\" is not the number of an offer.")},
    [ARG_NUMBER] = {N_("NUMBER"), NULL},
    [ARG_CHOICE] = {NULL, NULL},
    [ARG_POINT] = {N_("POINT"), N_("\"%s\" is not a point (a letter A to I and a "
                                   "digit, like B0).")},
    [ARG_LINE] = {N_("FILE|ROW"), N_("\"%s\" is not a file (A to I) or a row (0 to "
                                     "9).")},
    [ARG_PIECE] = {N_("PIECE"), N_("\"%s\" is not a piece (\"rules names\" lists "
                                   "them).")},
    [ARG_MOVE] =
        {N_("MOVE"),
         N_("\"%s\" cannot begin a move: type two points, from and to, like b0c2.")},
    [ARG_LINEUP] = {"1|2|3|4", N_("\"%s\" is not a line-up (1, 2, 3, 4, or NBBN, BNBN, "
                                  "NBNB, BNNB).")},
    [ARG_PLAYER] = {N_("NAME"), NULL},
    [ARG_FACTOR] = {N_("FACTOR"), N_("\"%s\" is not a factor from 0.01 to 1000.")},
    [ARG_SETTING] = {N_("NAME"), NULL},
    [ARG_VALUE] = {N_("VALUE"), NULL},
    [ARG_TOPIC] = {N_("WORD"), NULL},
    [ARG_WORD] = {N_("WORD"), NULL},
    [ARG_FILE] = {N_("FILE"), NULL},
    [ARG_TEXT] = {N_("TEXT"), NULL},
};

/* Reports that the word with index `at` does not match the rule. If the word is
 * missing, the reason is empty, because the usage is shown instead. */
static void refuse_word(struct reader *r, const struct arg *rule, int at)
{
    bool is_needed = rule->need != ARG_OPTIONAL;
    const char *word = at < r->words ? r->word[at] : "";

    if (at == r->words)
        refuse(r, at, is_needed, "%s", "");
    else if (rule->kind == ARG_NUMBER)
        refuse(r, at, is_needed, _("\"%s\" is not a number from %lld to %lld."), word,
               (long long)rule->low, (long long)rule->high);
    else if (rule->kind == ARG_CHOICE)
        refuse(r, at, is_needed, _("\"%s\" is not one of: %s."), word, rule->label);
    else if (kinds[rule->kind].wanted != NULL)
        refuse(r, at, is_needed, _(kinds[rule->kind].wanted), word);
    else
        refuse(r, at, is_needed, _("\"%s\" was not understood."), word);
}

/* --- All of them --- */

/* Returns true if all words from index `at` match the rules from index `rule`, and then one of
 * the kind r->next may follow. was_given: a word matched the rule before `rule`. */
static bool match(struct reader *r, int rule, int at, bool was_given)
{
    const struct arg *here = rule < r->rules ? r->rule[rule] : NULL;
    int taken;

    if (here == NULL && at < r->words)
        refuse(r, at, false, _("\"%s\" is one word too many."), r->word[at]);
    if (here == NULL)
        return at == r->words && r->next == ARG_NONE;
    if (here->need == ARG_TOGETHER && !was_given)
        return match(r, rule + 1, at, false);
    if (at == r->words && here->kind == r->next)
        return true;
    taken = at < r->words ? take(r, here, at) : 0;
    if (taken > 0 && match(r, rule + 1, at + taken, true)) {
        r->out->text[here->kind] = here->kind == ARG_TEXT ? r->from[at] : r->word[at];
        return true;
    }
    /* In "setup 5", the 5 is more likely a wrong line-up than the number of a game whose
     * line-up is missing: then the reason about the line-up stays. */
    if (taken == 0 && !(at == r->words && was_given && rule > 0 &&
                        r->rule[rule - 1]->kind == ARG_GAME))
        refuse_word(r, here, at);
    return here->need == ARG_OPTIONAL && match(r, rule + 1, at, false);
}

static void order_rules(struct reader *r, const struct arg *rules, bool has_games)
{
    for (int i = 0; rules != NULL && i < ARGS_MAX && rules[i].kind != ARG_NONE; i++)
        if (has_games || rules[i].kind != ARG_GAME)
            r->rule[r->rules++] = &rules[i];
}

/* Moves the rule for the number of a game, which is the first or the last rule, to the
 * other end. Returns false if neither the first nor the last rule is for a game. */
static bool move_game(struct reader *r)
{
    int last = r->rules - 1;
    const struct arg *game;
    bool is_first;

    if (last < 1)
        return false;
    is_first = r->rule[0]->kind == ARG_GAME;
    game = r->rule[is_first ? 0 : last];
    if (game->kind != ARG_GAME)
        return false;
    memmove(&r->rule[!is_first], &r->rule[is_first], (size_t)last * sizeof game);
    r->rule[is_first ? last : 0] = game;
    return true;
}

/* Splits `rest` into words and compares them with the rules. */
static bool read_words(struct reader *r, const struct arg *rules, bool has_games,
                       const char *rest)
{
    order_rules(r, rules, has_games);
    cut(r, rest, r->out->room);
    return match(r, 0, 0, false) || (move_game(r) && match(r, 0, 0, false));
}

bool args_read(const struct arg *rules, bool has_games, const struct typed_board *board,
               const char *rest, struct args *out, struct text *why)
{
    struct reader r = {.board = board, .out = out, .far = -1};

    memset(out, 0, offsetof(struct args, room));
    if (read_words(&r, rules, has_games, rest))
        return true;
    text_add(why, r.why);
    return false;
}

void args_add_usage(struct text *out, const struct arg *rules, bool has_games)
{
    struct reader r = {.far = -1};

    order_rules(&r, rules, has_games);
    for (int i = 0; i < r.rules; i++) {
        const struct arg *rule = r.rule[i];
        bool goes_on = i + 1 < r.rules && r.rule[i + 1]->need == ARG_TOGETHER;
        bool is_optional = rule->need == ARG_OPTIONAL;

        text_addf(out, " %s%s%s", is_optional ? "[" : "",
                  _(rule->label != NULL ? rule->label : kinds[rule->kind].label),
                  (is_optional && !goes_on) || rule->need == ARG_TOGETHER ? "]" : "");
    }
}

bool args_may_follow(const struct arg *rules, bool has_games, const char *done,
                     enum arg_kind kind)
{
    const struct typed_board none = {NULL, NULL};
    struct args args;
    struct reader r = {.board = &none, .next = kind, .out = &args, .far = -1};

    return read_words(&r, rules, has_games, done);
}
