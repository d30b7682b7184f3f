/* See record_pgn.h. */
#include "client/formats/record_pgn.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/formats/notation.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* --- Standard algebraic notation --- */

/* Moves in algebraic notation, "Hc3", "Pab4", "Rxa4+", "Ce1#"; a pass is a king move to
 * its own point, "Ke2". Piece letters are R H E A K C P, points as in uci (notation.h).
 * Ambiguous moves are disambiguated exactly as Fairy-Stockfish does, because it accepts
 * no other form. */
enum { SAN_BYTES = 16 };

static const char letters[KINDS + 1] = ".RHEAKCP"; /* indexed by enum kind */
static const char ours[KINDS + 1] = ".RNBGKCP";

/* Returns the engines' ruleset, which allows every pass except in check. Disambiguation
 * uses its legal moves, whatever the rules of the game are. */
static const struct ruleset *engine_rules(void)
{
    return ruleset_find("kja");
}

/* Writes a point in the engines' coordinates, such as "c10". has_file: write the letter
 * of the file (column). has_rank: write the number of the rank (row). */
static void add_point(struct text *out, int point, bool has_file, bool has_rank)
{
    if (has_file)
        text_addf(out, "%c", 'i' - point_file(point));
    if (has_rank)
        text_addf(out, "%d", BOARD_ROWS - point_row(point));
}

/* --- Writing --- */

/* Writes the origin if another piece of the same kind can reach the same point: the
 * file if it is unique, otherwise the row if that is unique, otherwise both. */
static void add_origin(struct text *out, const struct position *position,
                       struct move move)
{
    struct move_list legal;
    bool is_known = false, has_other = false, shares_file = false, shares_row = false;

    rules_legal_moves(engine_rules(), position, &legal);
    for (int i = 0; i < legal.count; i++) {
        struct move other = legal.move[i];

        if (move_is_same(other, move))
            is_known = true;
        else if (!move_is_pass(other) && other.to == move.to &&
                 position->at[other.from] == position->at[move.from]) {
            has_other = true;
            shares_file |= point_file(other.from) == point_file(move.from);
            shares_row |= point_row(other.from) == point_row(move.from);
        }
    }
    if (!is_known) /* legal in this game, but not in the engines' rules */
        has_other = shares_file = shares_row = true;
    if (has_other)
        add_point(out, move.from, !shares_file || shares_row, shares_file);
}

static void san_format(char out[SAN_BYTES], const struct ruleset *rules,
                       const struct position *position, struct move move)
{
    struct text text = text_into(out, SAN_BYTES);
    int king = position->king[position->side];
    struct position after = *position;
    struct move_list replies;
    struct undo undo;
    enum check check;

    if (move_is_pass(move)) {
        text_add(&text, "K");
        add_point(&text, king, true, true);
    } else {
        text_addf(&text, "%c", letters[position_kind(position, move.from)]);
        add_origin(&text, position, move);
        if (position_kind(position, move.to) != KIND_NONE)
            text_add(&text, "x");
        add_point(&text, move.to, true, true);
    }
    rules_make(rules, &after, move, &undo);
    check = rules_check(&after);
    if (check != CHECK_PIECE && check != CHECK_BOTH)
        return;
    rules_legal_moves(engine_rules(), &after, &replies);
    text_add(&text, replies.count > 0 ? "+" : "#");
}

/* --- Reading --- */

/* A parsed move; -1 or KIND_NONE means not given. */
struct written {
    enum kind kind;
    int from_file;
    int from_row;
    int to;
};

static bool refuse(char why[DRAFT_WHY_BYTES], const char *words)
{
    snprintf(why, DRAFT_WHY_BYTES, "%s", words);
    return false;
}

static void take_file(const char **text, int *out)
{
    if (**text >= 'a' && **text <= 'i')
        *out = 'i' - *(*text)++;
}

static void take_row(const char **text, int *out)
{
    if (strncmp(*text, "10", 2) == 0) {
        *out = 0;
        *text += 2;
    } else if (**text >= '1' && **text <= '9') {
        *out = BOARD_ROWS - (*(*text)++ - '0');
    }
}

/* Parses one or two points after the piece letter. If there are two, the first can lack
 * its file or its row. */
static bool take_points(const char **text, struct written *out)
{
    int file = -1, row = -1;

    take_file(text, &out->from_file);
    take_row(text, &out->from_row);
    if (**text == 'x' || **text == '-')
        (*text)++;
    take_file(text, &file);
    take_row(text, &row);
    if (file < 0 && row < 0 && out->from_file >= 0 && out->from_row >= 0) {
        out->to = point_at(out->from_file, out->from_row);
        out->from_file = out->from_row = -1;
        return true;
    }
    if (file < 0 || row < 0)
        return false;
    out->to = point_at(file, row);
    return true;
}

/* Counts the moves that are legal under `rules` and match `written`; stores the last of
 * them in *out. */
static int count_meant(const struct written *written, const struct ruleset *rules,
                       const struct position *position, struct move *out)
{
    struct move_list legal;
    int count = 0;

    rules_legal_moves(rules, position, &legal);
    for (int i = 0; i < legal.count; i++) {
        struct move move = legal.move[i];

        if (move_is_pass(move) || move.to != written->to ||
            position_kind(position, move.from) != written->kind ||
            (written->from_file >= 0 && point_file(move.from) != written->from_file) ||
            (written->from_row >= 0 && point_row(move.from) != written->from_row))
            continue;
        *out = move;
        count++;
    }
    return count;
}

static bool san_parse(const char *text, const struct ruleset *rules,
                      const struct position *position, struct move *out,
                      char why[DRAFT_WHY_BYTES])
{
    struct written written = {.from_file = -1, .from_row = -1};
    int count;

    *out = move_pass();
    if (strcmp(text, "pass") == 0 || strcmp(text, "--") == 0)
        return true;
    /* Text that begins with a capital letter is not a move in coordinates: in "H8i6", H is
     * a piece. "e2e2" is a pass. */
    if (text[0] >= 'a' && text[0] <= 'i' &&
        notation_parse_move(NOTATION_UCI, text, position, out, NULL))
        return true;
    for (int kind = KIND_ROOK; kind < KINDS; kind++)
        if (*text == letters[kind] || *text == ours[kind])
            written.kind = (enum kind)kind;
    text += written.kind != KIND_NONE;
    if (written.kind == KIND_NONE || !take_points(&text, &written) ||
        text[strspn(text, "+#!?")] != '\0')
        return refuse(why, _("not a move like Hc3, Rxa4 or i4h4"));
    if (written.kind == KIND_KING && written.to == position->king[position->side]) {
        *out = move_pass();
        return true;
    }
    count = count_meant(&written, engine_rules(), position, out);
    if (count != 1)
        count = count_meant(&written, rules, position, out);
    if (count == 0)
        return refuse(why, _("no such move is legal"));
    return count == 1 || refuse(why, _("more than one piece can move there"));
}

/* --- Results --- */

/* PGN results. White is Blue, who moves first in the engines' rules. */
static const char *const results[] = {
    [OUTCOME_NONE] = "*",
    [OUTCOME_RED] = "0-1",
    [OUTCOME_BLUE] = "1-0",
    [OUTCOME_DRAW] = "1/2-1/2",
};

/* --- Reading tags --- */

/* Our own tags Position and Time are more precise than FEN and TimeControl and have precedence,
 * whether they come before or after them. */
static bool take_tag(struct record_scan *in, const char *key, const char *value)
{
    struct record_draft *draft = &in->draft;
    char why[SENTENCE_BYTES], words[40], main[16], more[16];

    if (strcmp(key, "White") == 0) {
        record_draft_name(draft, SIDE_BLUE, value);
    } else if (strcmp(key, "Black") == 0) {
        record_draft_name(draft, SIDE_RED, value);
    } else if (strcmp(key, "FEN") == 0 && !draft->has_position) {
        if (!notation_fen_parse(value, &draft->position, why))
            return record_import_refuse(in->import, in->line, "%s", why);
        draft->has_position = true;
        draft->position_line = in->line;
    } else if (strcmp(key, "Variant") == 0 && strncasecmp(value, "janggi", 6) != 0) {
        return record_import_refuse(in->import, in->line,
                                    _("this is a game of another variant"));
    } else if (strcmp(key, "TimeControl") == 0 && !draft->has_terms) {
        /* "600+5" in seconds; other forms are ignored */
        if (sscanf(value, "%15[0-9]+%15[0-9]", main, more) == 2 &&
            strlen(value) == strlen(main) + strlen(more) + 1) {
            snprintf(words, sizeof words, strcmp(more, "0") == 0 ? "%ss" : "%ss+%ss",
                     main, more);
            draft->has_terms = time_terms_parse(words, &draft->terms);
        }
    } else if (record_draft_take_tag(draft, in->import, key, value, in->line)) {
        in->has_reason |= strcmp(key, "Reason") == 0;
    }
    return true;
}

/* --- Reading moves --- */

static bool take_result(struct record_scan *in, const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(results); i++) {
        if (strcmp(word, results[i]) != 0)
            continue;
        if (!in->is_wanted)
            return true;
        in->draft.result_line = in->line;
        in->draft.outcome = (enum outcome)i;
        if (!in->has_reason)
            in->draft.reason = i == OUTCOME_NONE   ? REASON_NONE
                               : i == OUTCOME_DRAW ? REASON_AGREEMENT
                                                   : REASON_RESIGNATION;
        in->is_wanted = false; /* ignore the games that follow */
        return true;
    }
    return false;
}

/* Parses a move, a move number, an annotation ($ and a number), or the result. */
static bool take_word(struct record_scan *in, const char *word)
{
    size_t digits = strspn(word, "0123456789");

    if (take_result(in, word))
        return true;
    if (word[digits] == '.' || word[digits] == '\0')
        word += digits + strspn(word + digits, ".");
    if (in->is_wanted && word[0] != '\0' && word[0] != '$')
        record_draft_add(&in->draft, word, in->line);
    return true;
}

static bool build(struct record_scan *in, struct record *out)
{
    struct record_draft *draft = &in->draft;

    if (!draft->has_position) {
        draft->has_lineup[SIDE_RED] = draft->has_lineup[SIDE_BLUE] = true;
        draft->lineup[SIDE_RED] = draft->lineup[SIDE_BLUE] = LINEUP_NBBN;
    }
    return record_draft_build(draft, in->import, san_parse, out);
}

bool record_pgn_read(struct record *out, const char *text, struct record_import *import)
{
    static const struct scan_format pgn = {.name = "PGN",
                                           .example = "[White \"hong\"]",
                                           .ends = " \n{}();[",
                                           .is_pgn = true,
                                           .take_tag = take_tag,
                                           .take_word = take_word,
                                           .build = build};

    return record_scan_read(&pgn, out, text, import);
}

/* --- Writing --- */

static void write_head(struct record_text *text, const struct record *record,
                       const struct game *game)
{
    struct position start = game_start(game);
    const struct time_terms *terms = &game->clock.terms;
    char fen[NOTATION_FEN_BYTES], date[] = "????.??.??", time[64] = "-";

    record_tag_add(text, "Event", "?");
    record_tag_add(text, "Site", "?");
    if (record->ended[0] != '\0') {
        memcpy(date, record->ended, sizeof date - 1);
        date[4] = date[7] = '.';
    }
    record_tag_add(text, "Date", date);
    record_tag_add(text, "Round", "-");
    record_tag_add(text, "White", game->name[SIDE_BLUE]);
    record_tag_add(text, "Black", game->name[SIDE_RED]);
    record_tag_add(text, "Result", results[game->outcome]);
    if (terms->periods > 0)
        snprintf(time, sizeof time, "?"); /* PGN has no notation for byoyomi */
    else if (!terms->is_untimed)
        snprintf(time, sizeof time, "%lld+%lld", (long long)terms->main_ms / 1000,
                 (long long)terms->increment_ms / 1000);
    record_tag_add(text, "TimeControl", time);
    record_tag_add(text, "Variant", "Janggi");
    notation_fen_format(fen, &start);
    record_tag_add(text, "FEN", fen);
    record_tag_add(text, "SetUp", "1");
    record_tag_add_own(text, record, game);
}

char *record_pgn_write(const struct record *record, const struct game *game,
                       const struct record_note *notes)
{
    struct record_text text = {.at = NULL};
    struct position position = game_start(game);
    bool is_white_first = game->first == SIDE_BLUE;

    write_head(&text, record, game);
    record_text_add(&text, "\n");
    for (int i = 0; i < game->plies; i++) {
        const struct record_note *note = notes == NULL ? NULL : &notes[i];
        char move[SAN_BYTES];
        struct undo undo;

        /* The number is in front of each move of White, and of a first move of Black: "1...".
         * It grows after each move of Black, even if Black moved first. */
        if (is_white_first == (i % 2 == 0))
            record_text_addf(&text, "%d. ",
                             game->first_number + (i + !is_white_first) / 2);
        else if (i == 0)
            record_text_addf(&text, "%d... ", game->first_number);
        san_format(move, game->rules, &position, game->ply[i].move);
        record_text_add(&text, move);
        if (note != NULL && note->glyph != 0)
            record_text_addf(&text, " $%d", note->glyph);
        record_tag_add_clock(&text, game, i + 1);
        if (note != NULL && note->eval[0] != '\0')
            record_text_addf(&text, " {[%%eval %s]%s%s}", note->eval,
                             note->comment[0] != '\0' ? " " : "", note->comment);
        record_text_add(&text, position.side == SIDE_BLUE ? " " : "\n");
        rules_make(game->rules, &position, game->ply[i].move, &undo);
    }
    record_text_addf(&text, "%s\n", results[game->outcome]);
    return record_text_take(&text);
}
