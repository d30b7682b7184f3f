/* See guide.h. A page is a list of paragraphs, which are wrapped while they are
 * written. Most paragraphs are the same for all rulesets. The others depend on the
 * members of struct ruleset. */
#include "common/words/guide.h"

#include <string.h>

#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/game/position.h"
#include "common/game/ruleset.h"
#include "common/words/names.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

/* --- Wrapping --- */

struct page {
    guide_line line;
    void *context;
    const struct ruleset *rules;
    const char *label; /* before each paragraph */
};

/* Enough bytes for a line of Hangul or hanja. Each of these characters has three bytes
 * and takes two columns. */
enum { LINE_BYTES = GUIDE_COLUMNS * 3 / 2 + 1 };

static size_t columns_of(const char *words)
{
    return text_columns(words, strlen(words));
}

/* Adds `words`, and then spaces until they fill `columns` columns. */
static void add_padded(struct text *out, const char *words, size_t columns)
{
    size_t used = columns_of(words);

    text_addf(out, "%s%*s", words, used < columns ? (int)(columns - used) : 0, "");
}

/* Writes the paragraph `words` with `label` before its first line, and spaces of the
 * same width before the other lines. */
static void say_labelled(const struct page *page, const char *label, const char *words)
{
    size_t indent = columns_of(label);

    do {
        char line[LINE_BYTES];
        size_t len = strcspn(words, " "), next = len; /* at least one word; words are
                                                       * never wider than a line */
        struct text text = text_into(line, sizeof line);

        while (text_columns(words, next) <= GUIDE_COLUMNS - indent) {
            len = next;
            if (words[len] == '\0')
                break;
            next = len + 1 + strcspn(words + len + 1, " ");
        }
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
    say_labelled(page, page->label, words);
}

/* --- Facts --- */

static bool ends_by(const struct ruleset *rules, enum reason reason)
{
    for (const enum reason *end = rules->endings; *end != REASON_NONE; end++)
        if (*end == reason)
            return true;
    return false;
}

/* Returns the value of a piece in half points, as the rules code counts it. */
static int halves_of(const struct ruleset *rules, enum kind kind)
{
    enum side first = rules->first_mover;
    struct position empty = {.side = SIDE_RED}, one = empty;

    position_put(&one, 0, piece_code(kind, first));
    return rules_points_halves(rules, &one, first) -
           rules_points_halves(rules, &empty, first);
}

/* Returns the extra half points of the side that moves second. */
static int second_halves(const struct ruleset *rules)
{
    struct position empty = {.side = SIDE_RED};

    return rules_points_halves(rules, &empty, side_other(rules->first_mover));
}

static void add_halves(struct text *out, int halves)
{
    text_addf(out, "%d%s", halves / 2, halves % 2 == 0 ? "" : ".5");
}

/* --- The page of a ruleset --- */

enum { PARAGRAPH_BYTES = 1000 };

static void say_pieces(const struct page *page)
{
    say_labelled(page, _("R rook (chariot)     "),
                 _("any distance along a line, also along a fortress diagonal"));
    say_labelled(page, _("N knight (horse)     "),
                 _("one step straight, then one diagonally outward; a piece on the "
                   "first point blocks it (a piece on C0 stops B0-D1)"));
    say_labelled(page, _("B bishop (elephant)  "),
                 _("one straight, two diagonally; a piece on the way blocks"));
    say_labelled(page, _("C cannon             "),
                 _("jumps exactly one piece, never a cannon; takes no cannon"));
    say_labelled(
        page, _("P pawn (soldier)     "),
        _("one step forward or sideways; in the enemy fortress also forward along "
          "a diagonal"));
    say_labelled(page, _("K king, G guard      "),
                 _("(general, advisor) one step on a line of their fortress"));
}

static void say_bare_kings(const struct page *page)
{
    static const char *const bares[] = {
        [BARE_IS_NOTHING] = N_("gives no check; the other side need not answer"),
        [BARE_IS_CHECK] =
            N_("gives check with the king; the other side must answer it, and not by "
               "a pass"),
        [BARE_IS_OFFER] =
            N_("offers to end the game: the other side either moves so that they are "
               "no longer bare, or accepts by passing, even in check"),
    };
    char words[PARAGRAPH_BYTES];
    struct text text = text_into(words, sizeof words);

    text_addf(&text,
              _("Kings on one file with no piece between them are bare. The side that "
                "bares them %s"),
              _(bares[page->rules->bare]));
    if (page->rules->baring_forfeits)
        text_add(&text, _(". The side that bared them can no longer win"));
    text_add(&text, ".");
    if (page->rules->has_rule_7b)
        text_add(
            &text,
            _(" A king may not take a checking piece if the two kings would then face "
              "each other."));
    say(page, words);
}

static void say_pass(const struct page *page)
{
    if (page->rules->pass_needs_no_move)
        say(page, _("Pass: only when no other move is legal, and not in check."));
    else if (page->rules->pass_is_king_on_king)
        say(page, _("Pass: instead of any move, but not when a piece gives check. The "
                    "move of your king onto the enemy king, e1e8, is a pass as well."));
    else
        say(page, _("Pass: instead of any move, but not when a piece gives check."));
}

/* The words for the endings that say_endings() lists. With such an ending, the game is
 * a draw, or the points decide. Perpetual check has its own sentence. */
static const char *const end_words[REASONS] = {
    [REASON_BOTH_FORFEITED] = N_("both sides have bared the kings"),
    [REASON_NAKED_CHECK] = N_("no answer to bare kings"),
    [REASON_MATE_BY_FORFEITED] = N_("mate by a side that has bared the kings"),
    [REASON_KING_GUARD] =
        N_("mate by a piece that the king could not take without baring the kings"),
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
                 _(" A side loses if it alone gave check with every repeated move."));
    say(page, words);
}

static void add_values(struct text *out, const struct ruleset *rules)
{
    static const enum kind counted[] = {KIND_ROOK,   KIND_CANNON, KIND_KNIGHT,
                                        KIND_BISHOP, KIND_GUARD,  KIND_PAWN};

    for (size_t i = 0; i < ARRAY_LEN(counted); i++) {
        text_addf(out, "%s %s ", i > 0 ? "," : "", term_kind(counted[i]));
        add_halves(out, halves_of(rules, counted[i]));
    }
}

static void say_values(const struct page *page)
{
    const struct ruleset *rules = page->rules;
    char words[PARAGRAPH_BYTES];
    struct text text = text_into(words, sizeof words);

    if (rules->counts_points) {
        text_add(&text, _("Points:"));
        add_values(&text, rules);
        text_addf(&text, _("; %s, who moves second, has "),
                  term_side_title(side_other(rules->first_mover)));
        add_halves(&text, second_halves(rules));
        text_add(&text, _(" more."));
    } else if (rules->has_values) {
        text_add(&text, _("Values of the pieces, which decide nothing:"));
        add_values(&text, rules);
        text_add(&text, ".");
    }
    if (text.len > 0)
        say(page, words);
}

static void say_head(const struct page *page)
{
    char words[PARAGRAPH_BYTES];
    struct text text = text_into(words, sizeof words);

    text_addf(&text, "%s: %s.", page->rules->name, sentence_ruleset(page->rules));
    say(page, words);
    text = text_into(words, sizeof words);
    text_addf(&text,
              _("Files A to I, rows 0 to 9. Red (Han, capitals) starts on rows 0-3, "
                "Blue (Cho) on rows 6-9. Fortresses: D0-F2, D7-F9. First %s, then %s "
                "chooses a line-up for files B C G H: NBBN, BNBN, NBNB or BNNB. Then "
                "%s moves first."),
              term_side_title(SIDE_RED), term_side_title(SIDE_BLUE),
              term_side_title(page->rules->first_mover));
    say(page, words);
}

static void say_rules(const struct page *page)
{
    say(page,
        _("A move may not leave your own king in check. If a piece gives check and the "
          "side in check has no legal move, that side is mated and loses."));
    say_bare_kings(page);
    say_pass(page);
    say_endings(page);
    say_values(page);
    if (page->rules->swaps_before_first_move) /* as Game Courier's preset (K1) */
        say(page,
            _("The preset lets a side set up with its first move: \"swap b1 c1; swap "
              "g1 h1; P a4-a5\". So Blue may wait for Red's first move; here both "
              "sides set up before the first move. The preset counts rows from 1, and "
              "its letters are R N E F G C P: E elephant, F counsellor, G general."));
}

void guide_page(const struct ruleset *rules, guide_line line, void *context)
{
    const struct page page = {line, context, rules, ""};

    say_head(&page);
    say_pieces(&page);
    say_rules(&page);
    say(&page, _("See also: rules names, xiangqi, bikjang, pass, setup"));
}

void guide_rules(const struct ruleset *rules, guide_line line, void *context)
{
    const struct page page = {line, context, rules, ""};

    say_head(&page);
    say_rules(&page);
}

/* --- The table --- */

enum { CELL_BYTES = 64, LABEL_COLUMNS = 24, CELL_COLUMNS = 14 };

/* Returns the text of the table for an ending of the game: "-" if the ruleset has none. */
static const char *end_cell(const struct ruleset *rules, enum reason reason)
{
    if (!ends_by(rules, reason))
        return "-";
    if (reason == REASON_CHECKMATE)
        return _("wins");
    if (reason == REASON_PERPETUAL_CHECK)
        return _("loses");
    return rules->counts_points ? _("points") : _("draw");
}

/* Adds the label of row `i`, or the text of a ruleset in it. Returns false after the last
 * row. */
static bool add_cell(struct text *out, const struct ruleset *rules, bool is_label,
                     size_t i)
{
    static const char *const bare[] = {
        [BARE_IS_NOTHING] = N_("not needed"),
        [BARE_IS_CHECK] = N_("required"),
        [BARE_IS_OFFER] = N_("move or pass"),
    };
    char time[CELL_BYTES], second[CELL_BYTES];
    struct text text = text_into(time, sizeof time);
    const struct {
        const char *label, *words;
    } rows[] = {
        {"", rules->name},
        {_("first move"), term_side(rules->first_mover)},
        {_("sets up first"), term_side(SIDE_RED)},
        {_("time to set up"), time},
        {_("pass"), rules->pass_needs_no_move ? _("no other move") : _("any turn")},
        {_("pass in check"),
         rules->bare == BARE_IS_OFFER ? _("kings bare") : _("never")},
        {_("two passes in a row"), end_cell(rules, REASON_DOUBLE_PASS)},
        {_("answer to bare kings"), _(bare[rules->bare])},
        {_("after baring the kings"), rules->baring_forfeits ? _("cannot win") : "-"},
        {_("both bared the kings"), end_cell(rules, REASON_BOTH_FORFEITED)},
        {_("kings bare for 2 plies"), end_cell(rules, REASON_BIKJANG)},
        {_("bare kings unanswered"), end_cell(rules, REASON_NAKED_CHECK)},
        {_("king may take and bare"), rules->has_rule_7b ? _("no") : _("yes")},
        {_("mate"), end_cell(rules, REASON_CHECKMATE)},
        {_("mate after baring"), end_cell(rules, REASON_MATE_BY_FORFEITED)},
        {_("mate, guarded by king"), end_cell(rules, REASON_KING_GUARD)},
        {_("position, third time"), end_cell(rules, REASON_REPETITION)},
        {_("perpetual check"), end_cell(rules, REASON_PERPETUAL_CHECK)},
        {_("100 plies, no capture"), end_cell(rules, REASON_NO_CAPTURE)},
        {_("points for second mover"), second_halves(rules) == 0 ? "-" : second},
    };

    text_addf(&text, _("%d s"), RULES_SETUP_S);
    text = text_into(second, sizeof second);
    add_halves(&text, second_halves(rules));
    if (i < ARRAY_LEN(rows))
        text_add(out, is_label ? rows[i].label : rows[i].words);
    return i < ARRAY_LEN(rows);
}

void guide_compare(guide_line line, void *context)
{
    const struct ruleset *rules;

    for (size_t row = 0;; row++) {
        char words[LINE_BYTES], cell[CELL_BYTES];
        struct text text = text_into(words, sizeof words),
                    label = text_into(cell, sizeof cell);

        if (!add_cell(&label, ruleset_at(0), true, row))
            return;
        add_padded(&text, cell, LABEL_COLUMNS);
        for (size_t i = 0; (rules = ruleset_at(i)) != NULL; i++) {
            struct text value = text_into(cell, sizeof cell);

            add_cell(&value, rules, false, row);
            add_padded(&text, cell, ruleset_at(i + 1) == NULL ? 0 : CELL_COLUMNS);
        }
        line(context, words);
    }
}

/* --- Names --- */

enum {
    NAME_COLUMNS = 11,
    KOREAN_COLUMNS = 13,
    SIGN_COLUMNS = 7,
    PINYIN_COLUMNS = 7,
    CANTONESE_COLUMNS = 11
};

static void tell_names(const struct page *page)
{
    static const char letters[KINDS + 1] = ".RNBGKCP";
    const struct piece_names *row;
    enum kind before = KIND_NONE;
    char line[LINE_BYTES], cell[CELL_BYTES];
    struct text text = text_into(line, sizeof line), words;

    say(page, _("The pieces and what others call them. janggi prints the names on the "
                "left and understands the others: \"where horses\", \"rules "
                "chariot\"."));
    add_padded(&text, "", NAME_COLUMNS);
    add_padded(&text, _("Korean"), KOREAN_COLUMNS + SIGN_COLUMNS);
    add_padded(&text, "Pinyin", PINYIN_COLUMNS);
    add_padded(&text, "Cantonese", CANTONESE_COLUMNS);
    text_add(&text, _("English"));
    page->line(page->context, line);
    for (size_t i = 0; (row = names_at(i)) != NULL; i++) {
        text = text_into(line, sizeof line);
        words = text_into(cell, sizeof cell);
        if (row->kind != before)
            text_addf(&words, "%c %s", letters[row->kind], term_kind(row->kind));
        else /* the second line of a piece */
            text_addf(&words, "  %s", term_side_title(row->side));
        before = row->kind;
        add_padded(&text, cell, NAME_COLUMNS);
        add_padded(&text, row->korean, KOREAN_COLUMNS);
        words = text_into(cell, sizeof cell);
        text_addf(&words, "%s %s", row->hangul, row->hanja);
        add_padded(&text, cell, SIGN_COLUMNS);
        add_padded(&text, row->pinyin, PINYIN_COLUMNS);
        add_padded(&text, row->cantonese,
                   row->english[0] == '\0' ? 0 : CANTONESE_COLUMNS);
        text_add(&text, row->english);
        page->line(page->context, line);
    }
    say(page, _("Where a piece has two rows, the first is Red's. Red is Han (한 漢); "
                "Blue, which is green in many sets, is Cho (초 楚). The kings carry "
                "these two characters; koung and tyang are other names for a king."));
    say(page, _("The fortress is also called palace or castle, in Korean gung (궁). "
                "Check is janggun (장군), bare kings are bikjang (빅장), the set-up is "
                "charim (차림) or pozin, a pass is hansu-swim (한수쉼)."));
}

/* --- For players of xiangqi --- */

static void tell_xiangqi(const struct page *page)
{
    say(page, _("Xiangqi and Korean chess have the same board and pieces. In Korean "
                "chess:"));
    say_labelled(
        page, _("board      "),
        _("There is no river. The kings start in the centre of the fortress, on "
          "E1 and E8. Before the first move each side may exchange knight and "
          "bishop (horse and elephant) on either wing."));
    say_labelled(page, _("P soldier  "),
                 _("It moves sideways from the start, and forward along the diagonals "
                   "of the enemy fortress. It never moves backward."));
    say_labelled(page, _("B elephant "),
                 _("One step straight, then two diagonally outward, anywhere on the "
                   "board. A piece on either of the two points on the way blocks it."));
    say_labelled(
        page, _("C cannon   "),
        _("It needs exactly one screen to move as well as to capture. A cannon "
          "is never the screen and never captured by a cannon. So no cannon "
          "can make the first move, and a double cannon is harmless: the rear "
          "one cannot jump the front one."));
    say_labelled(page, "G K        ",
                 _("Advisors and general (guards and king) move one step along all "
                   "painted lines of their fortress, straight and diagonal."));
    say_labelled(
        page, "R N        ",
        _("Chariot and horse move as in xiangqi. Chariots also move along fortress "
          "diagonals; cannons jump there from corner to corner."));
    say_labelled(page, _("pass       "),
                 _("There is no stalemate. A side that has no legal move and is not in "
                   "check must pass; in all rulesets but martin a side may also pass "
                   "when it has legal moves, unless a piece gives check."));
    say_labelled(
        page, _("kings      "),
        _("The two kings may face each other. In martin that gives check, and the side "
          "that did it can no longer win; mate is a draw if the king could take the "
          "mating piece, but would then face the other king. In the other rulesets "
          "facing kings can end the game: \"rules courier\", \"rules kja\"."));
}

/* --- Pages by their names --- */

static const struct topic {
    const char *name;
    void (*tell)(const struct page *page);
    const char *words; /* in place of `tell` */
    bool is_for_each;  /* it is told for each ruleset, after the ruleset's name */
} topics[] = {
    {"names", tell_names, NULL, false},
    {"xiangqi", tell_xiangqi, NULL, false},
    {"bikjang", say_bare_kings, NULL, true},
    {"pass", say_pass, NULL, true},
    {"setup", NULL,
     N_("Before the first move each side chooses how its knights and bishops "
        "stand on files B, C, G and H: setup 1 is NBBN, setup 2 BNBN, setup 3 "
        "NBNB, setup 4 BNNB. \"setup same\" takes the opponent's line-up, so "
        "that equal pieces face each other, as Martin advises."),
     false},
};

const char *guide_topic_at(size_t i)
{
    return i < ARRAY_LEN(topics) ? topics[i].name : NULL;
}

bool guide_topic(const char *name, guide_line line, void *context)
{
    const struct page page = {line, context, NULL, ""};

    const struct ruleset *rules;
    size_t at = 0;

    while (at < ARRAY_LEN(topics) && strcmp(topics[at].name, name) != 0)
        at++;
    if (at == ARRAY_LEN(topics))
        return false;
    if (topics[at].tell == NULL)
        say(&page, _(topics[at].words));
    else if (!topics[at].is_for_each)
        topics[at].tell(&page);
    for (size_t i = 0; topics[at].is_for_each && (rules = ruleset_at(i)) != NULL; i++) {
        char label[CELL_BYTES];
        struct text text = text_into(label, sizeof label);

        add_padded(&text, rules->name, KOREAN_COLUMNS);
        topics[at].tell(&(struct page){line, context, rules, label});
    }
    return true;
}
