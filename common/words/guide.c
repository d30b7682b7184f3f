/* See guide.h. A page is a list of paragraphs, wrapped as they come; most are the same
 * for all rulesets, the others are chosen by a column of the ruleset's table entry. */
#include "common/words/guide.h"

#include <string.h>

#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/ruleset.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

/* --- Wrapping --- */

struct page {
    guide_line line;
    void *context;
    const struct ruleset *rules;
};

/* A character takes three bytes at most, and two columns then. */
enum { LINE_BYTES = GUIDE_COLUMNS * 3 / 2 + 1 };

static size_t columns_of(const char *words)
{
    return text_columns(words, strlen(words));
}

/* How many bytes of words fit into width columns, up to a space or the end. A word that
 * is longer than that goes over it: none is. */
static size_t fitting(const char *words, size_t width)
{
    size_t len = strcspn(words, " "), next = len;

    while (text_columns(words, next) <= width) {
        len = next;
        if (words[len] == '\0')
            break;
        next = len + 1 + strcspn(words + len + 1, " ");
    }
    return len;
}

/* words, and empty space up to columns. */
static void add_padded(struct text *out, const char *words, size_t columns)
{
    size_t used = columns_of(words);

    text_addf(out, "%s%*s", words, used < columns ? (int)(columns - used) : 0, "");
}

/* label stands before the first line of words, and as much empty space before the
 * others. */
static void say_labelled(const struct page *page, const char *label, const char *words)
{
    size_t indent = columns_of(label);

    do {
        char line[LINE_BYTES];
        size_t len = fitting(words, GUIDE_COLUMNS - indent);
        struct text text = text_into(line, sizeof line);

        add_padded(&text, label, indent);
        text_addf(&text, "%.*s", (int)len, words);
        page->line(page->context, line);
        label = "";
        words += len;
        words += strspn(words, " ");
    } while (*words != '\0');
}

static void say(const struct page *page, const char *words)
{
    say_labelled(page, "", words);
}

/* --- Facts --- */

static bool ends_by(const struct ruleset *rules, enum reason reason)
{
    for (const enum reason *end = rules->endings; *end != REASON_NONE; end++)
        if (*end == reason)
            return true;
    return false;
}

/* What a piece counts, in halves, as the referee counts it. */
static int halves_of(const struct ruleset *rules, enum kind kind)
{
    enum side first = rules->first_mover;
    struct position empty = {.side = SIDE_RED}, one = empty;

    position_put(&one, 0, piece_code(kind, first));
    return rules_points_halves(rules, &one, first) -
           rules_points_halves(rules, &empty, first);
}

/* What the side that moves second has for that. */
static int second_halves(const struct ruleset *rules)
{
    struct position empty = {.side = SIDE_RED};

    return rules_points_halves(rules, &empty, side_other(rules->first_mover));
}

static void add_halves(struct text *out, int halves)
{
    text_addf(out, "%d%s", halves / 2, halves % 2 == 0 ? "" : ".5");
}

/* --- The page --- */

enum { PARAGRAPH_BYTES = 1000 };

static void say_set_up(const struct page *page)
{
    char words[PARAGRAPH_BYTES];
    struct text text = text_into(words, sizeof words);
    enum side first = page->rules->first_to_set_up;

    text_addf(&text,
              _("First %s, then %s chooses a line-up: NBBN, BNBN, NBNB or BNNB, the "
                "knights and bishops on files B C G H. Then %s moves first."),
              term_side_title(first), term_side_title(side_other(first)),
              term_side_title(page->rules->first_mover));
    say(page, words);
}

static void say_pieces(const struct page *page)
{
    say_labelled(page, _("R rook    "),
                 _("any distance along a line, also along a fortress diagonal"));
    say_labelled(
        page, _("N knight  "),
        _("one step straight, then one diagonally outward; blocked by a piece on "
          "the first point: on C0 it keeps B0 from D1"));
    say_labelled(
        page, _("B bishop  "),
        _("one straight, two diagonally outward; blocked on the points passed"));
    say_labelled(page, _("C cannon  "),
                 _("jumps exactly one piece, never a cannon; takes no cannon"));
    say_labelled(
        page, _("P pawn    "),
        _("one step forward or sideways; in the enemy fortress also forward along "
          "a diagonal"));
    say_labelled(page, "K G       ",
                 _("king and guards: one step along the lines of their own fortress"));
}

static const char *bare_words(const struct ruleset *rules)
{
    switch (rules->bare) {
    case BARE_IS_CHECK:
        return _("gives check with the king, which must be answered, not passed");
    case BARE_IS_OFFER:
        return _("offers to end the game: the other side breaks it up or accepts by a "
                 "pass, even in check");
    default:
        return _("gives no check and forbids no move");
    }
}

static void say_bare_kings(const struct page *page)
{
    char words[PARAGRAPH_BYTES];
    struct text text = text_into(words, sizeof words);

    text_addf(&text,
              _("Kings on one file with nothing between are bare. Who bares them %s"),
              bare_words(page->rules));
    if (page->rules->baring_forfeits)
        text_add(&text, _(", and can no longer win"));
    text_add(&text, ".");
    if (page->rules->has_rule_7b)
        text_add(&text,
                 _(" A king may not take a checking piece if that bares the kings."));
    say(page, words);
}

static void say_pass(const struct page *page)
{
    if (page->rules->pass_needs_no_move)
        say(page, _("Pass: only when no other move is legal, and out of check."));
    else
        say(page, _("Pass: in place of any move, but not when a piece gives check."));
}

/* The ends that nobody has won by mate, in the order of the tests. Perpetual check has
 * its own sentence. */
static const char *const end_words[REASONS] = {
    [REASON_BOTH_FORFEITED] = N_("both sides have bared the kings"),
    [REASON_NAKED_CHECK] = N_("bare kings that nothing answers"),
    [REASON_MATE_BY_FORFEITED] = N_("mate by a side that has bared the kings"),
    [REASON_KING_GUARD] = N_("mate by a piece that only the bare king guards"),
    [REASON_BIKJANG] = N_("kings left bare for two plies"),
    [REASON_DOUBLE_PASS] = N_("two passes in a row"),
    [REASON_REPETITION] = N_("a position for the third time"),
    [REASON_NO_CAPTURE] = N_("100 plies without a capture"),
};

static void say_endings(const struct page *page)
{
    const struct ruleset *rules = page->rules;
    char words[PARAGRAPH_BYTES];
    struct text text = text_into(words, sizeof words);
    const char *between = "";

    text_add(&text, rules->counts_points ? _("The points decide: ") : _("Draws: "));
    for (const enum reason *end = rules->endings; *end != REASON_NONE; end++)
        if (end_words[*end] != NULL) {
            text_addf(&text, "%s%s", between, _(end_words[*end]));
            between = "; ";
        }
    text_add(&text,
             rules->counts_points ? _(". Draws: by agreement.") : _("; agreement."));
    if (ends_by(rules, REASON_PERPETUAL_CHECK))
        text_add(&text,
                 _(" A side that alone repeats by checking with each move loses."));
    say(page, words);
}

static void say_points(const struct page *page)
{
    static const enum kind counted[] = {KIND_ROOK,   KIND_CANNON, KIND_KNIGHT,
                                        KIND_BISHOP, KIND_GUARD,  KIND_PAWN};
    const struct ruleset *rules = page->rules;
    char words[PARAGRAPH_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!rules->counts_points)
        return;
    text_add(&text, _("Points:"));
    for (size_t i = 0; i < ARRAY_LEN(counted); i++) {
        text_addf(&text, "%s %s ", i > 0 ? "," : "", term_kind(counted[i]));
        add_halves(&text, halves_of(rules, counted[i]));
    }
    text_addf(&text, _("; %s, who moves second, has "),
              term_side_title(side_other(rules->first_mover)));
    add_halves(&text, second_halves(rules));
    text_add(&text, _(" more."));
    say(page, words);
}

void guide_page(const struct ruleset *rules, guide_line line, void *context)
{
    const struct page page = {line, context, rules};
    char words[PARAGRAPH_BYTES];
    struct text text = text_into(words, sizeof words);

    text_addf(&text, "%s: %s.", rules->name, sentence_ruleset(rules));
    say(&page, words);
    say(&page,
        _("Files A to I, rows 0 to 9. Red (capitals) begins on rows 0-3, Blue on "
          "rows 6-9. The fortresses D0-F2 and D7-F9 have two diagonals each."));
    say_set_up(&page);
    say_pieces(&page);
    say(&page,
        _("A move may not leave the own king in check. Who is in check by a piece "
          "and has no legal answer is mated and has lost."));
    say_bare_kings(&page);
    say_pass(&page);
    say_endings(&page);
    say_points(&page);
}

/* --- The table --- */

/* What a row says of a ruleset; what does not come about there is "-". */
enum { CELL_BYTES = 64 };
struct row {
    const char *label;
    void (*cell)(struct text *out, const struct ruleset *rules, enum reason reason);
    enum reason reason; /* for rows about an end */
};

static void cell_first(struct text *out, const struct ruleset *rules,
                       enum reason reason)
{
    (void)reason;
    text_add(out, term_side(rules->first_mover));
}

static void cell_set_up(struct text *out, const struct ruleset *rules,
                        enum reason reason)
{
    (void)reason;
    text_add(out, term_side(rules->first_to_set_up));
}

static void cell_set_up_time(struct text *out, const struct ruleset *rules,
                             enum reason reason)
{
    (void)reason;
    text_addf(out, _("%d s"), rules->setup_s);
}

static void cell_pass(struct text *out, const struct ruleset *rules, enum reason reason)
{
    (void)reason;
    text_add(out, rules->pass_needs_no_move ? _("no other move") : _("any turn"));
}

static void cell_pass_in_check(struct text *out, const struct ruleset *rules,
                               enum reason reason)
{
    (void)reason;
    text_add(out, rules->bare == BARE_IS_OFFER ? _("kings bare") : _("never"));
}

static void cell_bare(struct text *out, const struct ruleset *rules, enum reason reason)
{
    static const char *const words[] = {
        [BARE_IS_NOTHING] = N_("nothing"),
        [BARE_IS_CHECK] = N_("answer"),
        [BARE_IS_OFFER] = N_("answer, pass"),
    };

    (void)reason;
    text_add(out, _(words[rules->bare]));
}

static void cell_forfeit(struct text *out, const struct ruleset *rules,
                         enum reason reason)
{
    (void)reason;
    text_add(out, rules->baring_forfeits ? _("cannot win") : "-");
}

static void cell_rule_7b(struct text *out, const struct ruleset *rules,
                         enum reason reason)
{
    (void)reason;
    text_add(out, rules->has_rule_7b ? _("no") : _("yes"));
}

static void cell_end(struct text *out, const struct ruleset *rules, enum reason reason)
{
    if (!ends_by(rules, reason))
        text_add(out, "-");
    else if (reason == REASON_CHECKMATE)
        text_add(out, _("wins"));
    else if (reason == REASON_PERPETUAL_CHECK)
        text_add(out, _("loses"));
    else
        text_add(out, rules->counts_points ? _("points") : _("draw"));
}

static void cell_second(struct text *out, const struct ruleset *rules,
                        enum reason reason)
{
    (void)reason;
    if (second_halves(rules) == 0)
        text_add(out, "-");
    else
        add_halves(out, second_halves(rules));
}

static const struct row rows[] = {
    {N_("first move"), cell_first, REASON_NONE},
    {N_("sets up first"), cell_set_up, REASON_NONE},
    {N_("time to set up"), cell_set_up_time, REASON_NONE},
    {N_("pass"), cell_pass, REASON_NONE},
    {N_("pass in check"), cell_pass_in_check, REASON_NONE},
    {N_("two passes in a row"), cell_end, REASON_DOUBLE_PASS},
    {N_("bare kings ask for"), cell_bare, REASON_NONE},
    {N_("who bares the kings"), cell_forfeit, REASON_NONE},
    {N_("both have bared them"), cell_end, REASON_BOTH_FORFEITED},
    {N_("kings bare for 2 plies"), cell_end, REASON_BIKJANG},
    {N_("bare kings, no answer"), cell_end, REASON_NAKED_CHECK},
    {N_("king may take and bare"), cell_rule_7b, REASON_NONE},
    {N_("mate"), cell_end, REASON_CHECKMATE},
    {N_("mate by who bared them"), cell_end, REASON_MATE_BY_FORFEITED},
    {N_("mate by king's guard"), cell_end, REASON_KING_GUARD},
    {N_("third repetition"), cell_end, REASON_REPETITION},
    {N_("perpetual check"), cell_end, REASON_PERPETUAL_CHECK},
    {N_("100 plies, no capture"), cell_end, REASON_NO_CAPTURE},
    {N_("points for second mover"), cell_second, REASON_NONE},
};

enum { LABEL_COLUMNS = 24, CELL_COLUMNS = 14 };

static void compare_row(const struct page *page, const struct row *row)
{
    char line[LINE_BYTES];
    struct text text = text_into(line, sizeof line);
    const struct ruleset *rules;

    add_padded(&text, row == NULL ? "" : _(row->label), LABEL_COLUMNS);
    for (size_t i = 0; (rules = ruleset_at(i)) != NULL; i++) {
        char cell[CELL_BYTES];
        struct text words = text_into(cell, sizeof cell);

        if (row == NULL)
            text_add(&words, rules->name);
        else
            row->cell(&words, rules, row->reason);
        add_padded(&text, cell, ruleset_at(i + 1) == NULL ? 0 : CELL_COLUMNS);
    }
    page->line(page->context, line);
}

void guide_compare(guide_line line, void *context)
{
    const struct page page = {line, context, NULL};

    compare_row(&page, NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        compare_row(&page, &rows[i]);
}
