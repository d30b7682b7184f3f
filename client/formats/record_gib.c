/* See record_gib.h. */
#include "client/formats/record_gib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/formats/notation.h"
#include "common/base/text.h"
#include "common/base/translate.h"

/* --- The tag of the position --- */

/* Length in bytes of one hanja or hangul word for a piece or a side, in UTF-8. */
enum { GIB_WORD_BYTES = 3 };

static const struct {
    enum kind kind;
    const char *blue;
    const char *red;
} pieces[] = {
    {KIND_ROOK, "차", "車"},  {KIND_KNIGHT, "마", "馬"}, {KIND_BISHOP, "상", "象"},
    {KIND_GUARD, "사", "士"}, {KIND_KING, "장", "將"},   {KIND_CANNON, "포", "包"},
    {KIND_PAWN, "졸", "兵"},
};

static const char *piece_word(enum kind kind, enum side side)
{
    for (size_t i = 0; i < ARRAY_LEN(pieces); i++)
        if (pieces[i].kind == kind)
            return side == SIDE_RED ? pieces[i].red : pieces[i].blue;
    return "";
}

/* Parses one row of a board, which lists the files from I to A, and advances *at past
 * it. Writes one character for each file, from A to I, to `out`. Returns false on a
 * syntax error. */
static bool read_row(const char **at, char out[BOARD_FILES + 1])
{
    static const char letters[] = ".RNBGKCP.rnbgkcp"; /* indexed by piece code */
    int file = BOARD_FILES;

    memset(out, '1', BOARD_FILES);
    out[BOARD_FILES] = '\0';
    while (file > 0 && **at != '/' && **at != ' ' && **at != '\0') {
        uint8_t code = 0;

        for (size_t i = 0; i < ARRAY_LEN(pieces); i++)
            if (strncmp(*at, pieces[i].blue, GIB_WORD_BYTES) == 0)
                code = piece_code(pieces[i].kind, SIDE_BLUE);
            else if (strncmp(*at, pieces[i].red, GIB_WORD_BYTES) == 0)
                code = piece_code(pieces[i].kind, SIDE_RED);
        if (code != 0) {
            out[--file] = letters[code];
            *at += GIB_WORD_BYTES;
        } else if (**at >= '1' && **at <= '9' && **at - '0' <= file) {
            file -= *(*at)++ - '0';
        } else {
            return false;
        }
    }
    return **at == '/' || **at == ' ' || **at == '\0';
}

/* Parses the ten rows of a board. The first one may be Red's home row or Blue's; the
 * row of Red's king shows which. side: the side to move. */
static bool read_board(const char *value, enum side side, struct position *out)
{
    char row[BOARD_ROWS][BOARD_FILES + 1], words[POSITION_BYTES];
    struct text text = text_into(words, sizeof words);
    bool is_red_first = false;
    const char *at = value;

    for (int i = 0; i < BOARD_ROWS; i++) {
        if (!read_row(&at, row[i]) || (i < BOARD_ROWS - 1 && *at != '/'))
            return false;
        is_red_first |= i < BOARD_ROWS / 2 && strchr(row[i], 'K') != NULL;
        at += *at == '/';
    }
    for (int i = 0; i < BOARD_ROWS; i++)
        text_addf(&text, "%s%s", i > 0 ? "/" : "",
                  row[is_red_first ? BOARD_ROWS - 1 - i : i]);
    text_addf(&text, " %c - 0 0 1", side == SIDE_RED ? 'r' : 'b');
    return position_parse(words, out, NULL);
}

static void write_board(struct record_text *text, const struct position *position)
{
    record_text_add(text, "[판 \"");
    for (int row = 0; row < BOARD_ROWS; row++) {
        int empty = 0;

        for (int file = BOARD_FILES - 1; file >= 0; file--) {
            int point = point_at(file, row);
            enum kind kind = position_kind(position, point);

            if (kind == KIND_NONE && ++empty > 0 && file > 0)
                continue;
            if (empty > 0)
                record_text_addf(text, "%d", empty);
            empty = 0;
            if (kind != KIND_NONE)
                record_text_add(text, piece_word(kind, position_side(position, point)));
        }
        record_text_add(text, row < BOARD_ROWS - 1 ? "/" : "\"]\n");
    }
}

/* --- Set-ups --- */

/* Knights and bishops from left to right in Blue's view: files H, G, C, B. */
static const char *const lineup_words[LINEUPS] = {
    [LINEUP_NBBN] = "마상상마",
    [LINEUP_BNBN] = "마상마상",
    [LINEUP_NBNB] = "상마상마",
    [LINEUP_BNNB] = "상마마상",
};

/* Returns the line-up as seen from the opposite side. */
static enum lineup mirror_lineup(enum lineup lineup)
{
    if (lineup == LINEUP_BNBN)
        return LINEUP_NBNB;
    return lineup == LINEUP_NBNB ? LINEUP_BNBN : lineup;
}

/* --- Results --- */

static const struct {
    const char *words;
    enum reason reason; /* the reason of the win; if several rows have the same reason,
                         * we write the words of the first */
} wins[] = {
    {"기권승", REASON_RESIGNATION}, {"시간승", REASON_TIME},
    {"완승", REASON_CHECKMATE},     {"반칙승", REASON_PERPETUAL_CHECK},
    {"점수승", REASON_BIKJANG},     {"판정승", REASON_BIKJANG},
};

static bool begins(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* Parses a result: the winning side and how it won, such as "초 완승" or "楚 시간승",
 * or a draw, "무승부". Ignores any other value. Does not change a reason that our own
 * tag has given. 완승 (complete win) means checkmate or resignation. It is read as
 * resignation here; if the last position is checkmate, the rules end the game with that
 * reason anyway. */
static void read_result(struct record_draft *draft, const char *value)
{
    draft->outcome = OUTCOME_NONE;
    if (begins(value, "초") || begins(value, "楚"))
        draft->outcome = OUTCOME_BLUE;
    else if (begins(value, "한") || begins(value, "漢"))
        draft->outcome = OUTCOME_RED;
    else if (begins(value, "무"))
        draft->outcome = OUTCOME_DRAW;
    if (draft->reason != REASON_NONE || draft->outcome == OUTCOME_NONE)
        return;
    draft->reason =
        draft->outcome == OUTCOME_DRAW ? REASON_AGREEMENT : REASON_RESIGNATION;
    for (size_t i = 0; i < ARRAY_LEN(wins); i++)
        if (strstr(value, wins[i].words) != NULL && wins[i].reason != REASON_CHECKMATE)
            draft->reason = wins[i].reason;
}

static void write_result(struct record_text *text, const struct game *game)
{
    const char *won = "점수승"; /* any other win is written as a win by points */
    char value[40];

    if (game->phase != GAME_OVER || game->outcome == OUTCOME_NONE)
        return;
    for (size_t i = ARRAY_LEN(wins); i-- > 0;)
        if (wins[i].reason == game->reason)
            won = wins[i].words;
    snprintf(value, sizeof value, "%s %s", game->outcome == OUTCOME_RED ? "한" : "초",
             won);
    record_tag_add(text, "대국결과", game->outcome == OUTCOME_DRAW ? "무승부" : value);
}

/* --- Reading tags --- */

static bool take_lineup(struct record_scan *in, enum side side, const char *value)
{
    int found = text_find_word(lineup_words, LINEUPS, value);

    if (found < 0)
        return record_import_refuse(
            in->import, in->line,
            _("not a set-up like 마상상마, 마상마상, 상마상마 or 상마마상"));
    in->draft.lineup[side] = (enum lineup)found;
    return in->draft.has_lineup[side] = true;
}

/* Parses "5분", "1시간 30분" or "20분 30초 3회" (three periods of 30 s); ignores other
 * forms. Our own tag Time is complete and has precedence. */
static void take_time(struct record_draft *draft, const char *value)
{
    static const struct {
        const char *word;
        int64_t ms;
    } units[] = {{"시간", 3600000}, {"분", 60000}, {"초", 1000}};
    struct time_terms terms = {.is_untimed = false};
    char words[TIME_TERMS_BYTES];

    if (draft->has_terms)
        return;
    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        char *at;
        int64_t ms = (strtol(value, &at, 10) % 10000) * units[i].ms;
        int len = 0;

        if (at == value || ms < 0 || !begins(at, units[i].word))
            continue;
        value = at + strlen(units[i].word);
        (void)!sscanf(value, " %2d회%n", &terms.periods, &len);
        if (len > 0)
            terms.period_ms = ms;
        else
            terms.main_ms += ms;
    }
    terms.periods = terms.period_ms > 0 ? terms.periods : 0;
    time_terms_format(words, &terms);
    draft->has_terms = time_terms_parse(words, &draft->terms);
}

static bool take_tag(struct record_scan *in, const char *key, const char *value)
{
    if (strcmp(key, "초대국자") == 0)
        record_draft_name(&in->draft, SIDE_BLUE, value);
    else if (strcmp(key, "한대국자") == 0)
        record_draft_name(&in->draft, SIDE_RED, value);
    else if (strcmp(key, "초차림") == 0 || strcmp(key, "초포진") == 0)
        return take_lineup(in, SIDE_BLUE, value);
    else if (strcmp(key, "한차림") == 0 || strcmp(key, "한포진") == 0)
        return take_lineup(in, SIDE_RED, value);
    else if (strcmp(key, "판") == 0 && !in->draft.has_position) {
        if (!read_board(value, SIDE_BLUE, &in->draft.position))
            return record_import_refuse(in->import, in->line,
                                        _("not a board like 車馬象士1士馬象車/..."));
        in->draft.has_position = text_copy(in->board, sizeof in->board, value);
        in->draft.position_line = in->line;
    } else if (strcmp(key, "대국결과") == 0) {
        in->draft.result_line = in->line;
        read_result(&in->draft, value);
    } else if (strcmp(key, "제한시간") == 0) {
        take_time(&in->draft, value);
    } else if (strcmp(key, "총수") == 0) {
        if (!text_to_int(value, 0, INT32_MAX, &in->told))
            in->told = -1;
    } else if (record_draft_take_tag(&in->draft, in->import, key, value, in->line) &&
               strcmp(key, "Position") == 0) {
        in->board[0] = '\0'; /* our own tag Position is more precise */
    }
    return true;
}

/* --- Reading moves --- */

/* Reduces a move to its two points and its piece: "74상42병장군" becomes "74상42".
 * Returns false if the word is not a move. */
static bool cut_move(const char *word, char out[DRAFT_MOVE_BYTES])
{
    static const char *const sides[] = {"楚", "漢", "초", "한"};
    const char *digits = "0123456789", *begin = word, *middle, *to;
    size_t len;

    begin += strcspn(begin, digits); /* skip a leading 楚 or 漢 */
    if (strspn(begin, digits) < 2 || begin - word > GIB_WORD_BYTES)
        return false;
    middle = begin + 2;
    to = middle + strcspn(middle, digits);
    if (strspn(to, digits) < 2 || to[2 + strcspn(to + 2, digits)] != '\0')
        return false;
    len = (size_t)(to - middle);
    /* Without a piece after it, the word for a side means the king. */
    for (size_t i = 0; i < ARRAY_LEN(sides); i++)
        if (len > GIB_WORD_BYTES && begins(middle, sides[i])) {
            len -= GIB_WORD_BYTES;
            middle += GIB_WORD_BYTES;
            break;
        }
    return (size_t)snprintf(out, DRAFT_MOVE_BYTES, "%.2s%.*s%.2s", begin, (int)len,
                            middle, to) < DRAFT_MOVE_BYTES;
}

static bool take_word(struct record_scan *in, const char *word)
{
    size_t digits = strspn(word, "0123456789");
    char move[DRAFT_MOVE_BYTES] = "한수쉼";

    if (word[digits] == '.') /* a move number, as in "12.79졸78" */
        word += digits + 1;
    if (!in->is_wanted || word[0] == '\0' || strchr(word, '<') != NULL)
        return true;
    if (!(begins(word, "한수") && strpbrk(word, "0123456789") == NULL) &&
        !cut_move(word, move))
        return record_import_refuse(in->import, in->line,
                                    _("move %d is not like 79졸78 or 한수쉼"),
                                    in->draft.moves + 1);
    record_draft_add(&in->draft, move, in->line);
    return true;
}

/* --- Reading --- */

static bool read_move(const char *text, const struct ruleset *rules,
                      const struct position *position, struct move *out,
                      char why[DRAFT_WHY_BYTES])
{
    (void)rules;
    return notation_parse_move(NOTATION_KOREAN, text, position, out, why);
}

/* Finds the side that moves first, which the tag 판 does not say. The first move that
 * is not a pass shows that side. If there is no such move, Red moves first in a
 * handicap game (접장기), otherwise Blue. */
static enum side find_first_side(const struct record_scan *in)
{
    const struct record_draft *draft = &in->draft;

    for (int i = 0; i < draft->moves; i++) {
        struct move move;
        enum side side;

        if (!notation_parse_move(NOTATION_KOREAN, draft->move[i].text, NULL, &move,
                                 NULL) ||
            move_is_pass(move))
            continue;
        side = position_side(&draft->position, move.from);
        return i % 2 == 0 || side == SIDE_NONE ? side : side_other(side);
    }
    return strstr(in->board, "접장기") != NULL ? SIDE_RED : SIDE_BLUE;
}

/* Builds the record. Some programs write Red's set-up from left to right as Red sees
 * it, not as Blue sees it. So if the moves cannot be played, tries again with Red's
 * set-up mirrored. */
static bool build(struct record_scan *in, struct record *out)
{
    struct record_draft *draft = &in->draft;
    enum lineup *red = &draft->lineup[SIDE_RED];
    char why[RECORD_WHY_BYTES];

    if (in->board[0] != '\0')
        (void)!read_board(in->board, find_first_side(in), &draft->position);
    if (in->told >= 0 && in->told != draft->moves)
        record_import_note(in->import, draft->line,
                           _("the file states %lld moves but contains %d"),
                           (long long)in->told, draft->moves);
    if (record_draft_build(draft, in->import, read_move, out))
        return true;
    if (draft->has_position || mirror_lineup(*red) == *red)
        return false;
    memcpy(why, in->import->why, sizeof why);
    *red = mirror_lineup(*red);
    if (!record_draft_build(draft, in->import, read_move, out)) {
        memcpy(in->import->why, why, sizeof why);
        return false;
    }
    record_import_note(
        in->import, draft->line,
        _("reading Red's set-up (한차림) from Red's view; otherwise the moves "
          "are not legal"));
    return true;
}

bool record_gib_read(struct record *out, const char *text, struct record_import *import)
{
    static const struct scan_format gib = {.name = "GIB",
                                           .example = "[초대국자 \"hong\"]",
                                           .ends = " \n{",
                                           .take_tag = take_tag,
                                           .take_word = take_word,
                                           .build = build};

    return record_scan_read(&gib, out, text, import);
}

/* --- Writing --- */

static void write_head(struct record_text *text, const struct record *record,
                       const struct game *game)
{
    struct position start = game_start(game);
    enum lineup lineup[SIDES];
    char number[16];

    record_tag_add(text, "대회명", "");
    if (record->ended[0] != '\0') {
        char day[] = "2026-11-21";

        memcpy(day, record->ended, sizeof day - 1);
        record_tag_add(text, "대국일자", day);
    }
    record_tag_add(text, "초대국자", game->name[SIDE_BLUE]);
    record_tag_add(text, "한대국자", game->name[SIDE_RED]);
    if (record_draft_find_lineups(&start, game->rules, lineup)) {
        record_tag_add(text, "초차림", lineup_words[lineup[SIDE_BLUE]]);
        record_tag_add(text, "한차림", lineup_words[lineup[SIDE_RED]]);
    } else {
        write_board(text, &start);
    }
    snprintf(number, sizeof number, "%d", game->plies);
    record_tag_add(text, "총수", number);
    write_result(text, game);
    record_tag_add_own(text, record, game);
}

/* Writes move number `ply` (counted from 1) and then plays it in *position, which must
 * be the position before the move. */
static void write_move(struct record_text *text, const struct game *game, int ply,
                       struct position *position)
{
    struct move move = game->ply[ply - 1].move;
    enum kind taken = move_is_pass(move) ? KIND_NONE : position_kind(position, move.to);
    char words[NOTATION_BYTES] = "";
    struct undo undo;
    enum check check;

    (void)!notation_format_move(words, NOTATION_KOREAN, move, position, NULL);
    record_text_addf(text, "%d. %s", ply, words);
    if (taken == KIND_PAWN && position_side(position, move.to) == SIDE_RED)
        record_text_add(text, "병"); /* Red's pawn has its own word */
    else if (taken != KIND_NONE)
        record_text_add(text, piece_word(taken, SIDE_BLUE));
    rules_make(game->rules, position, move, &undo);
    check = rules_check(position);
    if (check == CHECK_PIECE || check == CHECK_BOTH)
        record_text_add(text, "장군");
    record_tag_add_clock(text, game, ply);
}

enum { MOVES_A_LINE = 6 };

char *record_gib_write(const struct record *record, const struct game *game,
                       const struct record_note *notes)
{
    struct record_text text = {.at = NULL};
    struct position position = game_start(game);

    write_head(&text, record, game);
    for (int ply = 1; ply <= game->plies; ply++) {
        record_text_add(&text, ply % MOVES_A_LINE == 1 ? "\n" : " ");
        write_move(&text, game, ply, &position);
        if (notes != NULL && notes[ply - 1].comment[0] != '\0')
            record_text_addf(&text, " {%s}", notes[ply - 1].comment);
    }
    record_text_add(&text, "\n");
    return record_text_take(&text);
}
