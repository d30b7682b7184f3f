/* See names.h. */
#include "common/words/names.h"

#include <string.h>

#include "common/base/translate.h"
#include "common/words/term.h"

/* Martin's spellings of the Korean names come from Young Won, Gollon and Culin. */
static const struct piece_names rows[] = {
    {KIND_ROOK, SIDE_NONE, "cha, tcha", "차", "車", "ju", "kui", "chariot, car, tank",
     ""},
    {KIND_KNIGHT, SIDE_NONE, "ma", "마", "馬", "ma", "ma", "horse", ""},
    {KIND_BISHOP, SIDE_RED, "sang, syang", "상", "象", "xiang", "sheung",
     "prime minister", "相"},
    {KIND_BISHOP, SIDE_BLUE, "sang, syang", "상", "象", "xiang", "cheung",
     "elephant, minister", ""},
    {KIND_GUARD, SIDE_NONE, "sa", "사", "士", "shi", "see", "advisor, counsellor",
     "adviser, councellor, counselor"},
    {KIND_KING, SIDE_RED, "jang", "장", "漢", "shuai", "sui", "general, emperor",
     "將, 帥, koung, tyang, tjyang, gung, 궁"},
    {KIND_KING, SIDE_BLUE, "wang", "왕", "楚", "jiang", "cheung", "", ""},
    {KIND_CANNON, SIDE_NONE, "po, hpo", "포", "包", "pao", "pow", "catapult", "砲, 炮"},
    {KIND_PAWN, SIDE_RED, "byung, pyeng", "병", "兵", "bing", "ping",
     "soldier, foot soldier", "byeong"},
    {KIND_PAWN, SIDE_BLUE, "jol, tjol", "졸", "卒", "zu", "tsut", "", ""},
};

const struct piece_names *names_at(size_t i)
{
    return i < ARRAY_LEN(rows) ? &rows[i] : NULL;
}

static char small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter | 0x20) : letter;
}

/* Returns true if `word` is the first `len` bytes of `name`, or these bytes and a
 * plural s. Ignores case. */
static bool is_name(const char *word, const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (small(word[i]) != small(name[i]))
            return false;
    return len > 0 &&
           (word[len] == '\0' || (small(word[len]) == 's' && word[len + 1] == '\0'));
}

static bool is_in(const char *word, const char *list)
{
    while (*list != '\0') {
        size_t len = strcspn(list, ",");

        if (is_name(word, list, len))
            return true;
        list += len;
        list += strspn(list, ", ");
    }
    return false;
}

static bool has_name(const struct piece_names *row, const char *word)
{
    return is_in(word, kind_name(row->kind)) || is_in(word, row->korean) ||
           is_in(word, row->hangul) || is_in(word, row->hanja) ||
           is_in(word, row->pinyin) || is_in(word, row->cantonese) ||
           is_in(word, row->english) || is_in(word, row->also) ||
           is_in(word, term_kind(row->kind));
}

enum kind names_find_kind(const char *word)
{
    enum kind found = KIND_NONE;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (!has_name(&rows[i], word))
            continue;
        if (found != KIND_NONE && found != rows[i].kind)
            return KIND_NONE;
        found = rows[i].kind;
    }
    return found;
}

static void add_to_list(struct text *out, const char *list, size_t len, size_t before)
{
    if (len > 0)
        text_addf(out, "%s%.*s", out->len > before ? ", " : "", (int)len, list);
}

void names_describe(struct text *out, enum kind kind)
{
    size_t before = out->len;
    const char *last = "";

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].kind == kind)
            add_to_list(out, rows[i].english, strlen(rows[i].english), before);
    text_add(out, _("; in Korean "));
    before = out->len;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].kind == kind && strcmp(rows[i].korean, last) != 0) {
            last = rows[i].korean; /* both sides may have the same name */
            add_to_list(out, last, strcspn(last, ","), before);
        }
}

const char *names_legend(void)
{
    return _("On the board: R rook, N knight, B bishop, C cannon, G guard, K king, P "
             "pawn\n");
}

enum side names_find_side(const char *word)
{
    static const char *const lists[SIDES] = {
        [SIDE_RED] = "red, han, 한, 漢",
        [SIDE_BLUE] = "blue, cho, 초, 楚",
    };

    for (int side = 0; side < SIDES; side++)
        if (is_in(word, lists[side]) || is_in(word, term_side((enum side)side)))
            return (enum side)side;
    return SIDE_NONE;
}
