/* See store_row.h. */
#include "server/database/store_row.h"

#include <limits.h>

/* COLUMN describes a column that the table had in its first schema. LATER describes a
 * column that was added later, by the schema with the number `since`. */
#define LATER(type, since, kind, member)                                               \
    {                                                                                  \
        type, since, offsetof(struct store_##kind, member)                             \
    }
#define COLUMN(type, kind, member) LATER(type, 0, kind, member)
#define SEAL                                                                           \
    {                                                                                  \
        's', 0, 0                                                                      \
    }

static const struct store_column name[STORE_COLUMNS_MAX + 1] = {
    COLUMN('t', name, folded),          COLUMN('t', name, shown),
    COLUMN('p', name, proof),           COLUMN('b', name, digest),
    COLUMN('n', name, seen_wall_s),     SEAL,
    LATER('n', 4, name, first_game),    LATER('n', 4, name, accepted.number),
    LATER('n', 4, name, accepted.game), LATER('f', 4, name, accepted.is_offer),
    LATER('n', 5, name, number),        LATER('n', 5, name, made_wall_s),
    LATER('f', 5, name, is_fresh)};
static const struct store_column device[STORE_COLUMNS_MAX + 1] = {
    COLUMN('t', device, folded), COLUMN('b', device, digest),
    COLUMN('p', device, proof), COLUMN('n', device, since_wall_s), SEAL};
static const struct store_column invite[STORE_COLUMNS_MAX + 1] = {
    COLUMN('t', invite, code),
    COLUMN('t', invite, terms),
    COLUMN('t', invite, maker),
    COLUMN('t', invite, first),
    COLUMN('n', invite, made_wall_s),
    COLUMN('n', invite, game),
    SEAL};
static const struct store_column age[STORE_COLUMNS_MAX + 1] = {
    COLUMN('n', age, age_ms), SEAL, LATER('n', 4, age, number)};
static const struct store_column act[STORE_COLUMNS_MAX + 1] = {
    COLUMN('n', act, id), COLUMN('n', act, wall_s), COLUMN('t', act, actor),
    COLUMN('t', act, text), SEAL};
static const struct store_column mark[STORE_COLUMNS_MAX + 1] = {
    COLUMN('t', mark, owner), COLUMN('t', mark, kind), COLUMN('t', mark, subject),
    COLUMN('t', mark, value), SEAL};
static const struct store_column rating[STORE_COLUMNS_MAX + 1] = {
    COLUMN('n', rating, seq),
    COLUMN('n', rating, wall_s),
    COLUMN('t', rating, pool),
    COLUMN('n', rating, game),
    COLUMN('n', rating, account[0]),
    COLUMN('n', rating, account[1]),
    COLUMN('i', rating, score),
    COLUMN('f', rating, is_timeout),
    COLUMN('t', rating, why),
    COLUMN('i', rating, after[0].rating),
    COLUMN('i', rating, after[0].rd),
    COLUMN('i', rating, after[0].volatility),
    COLUMN('i', rating, after[1].rating),
    COLUMN('i', rating, after[1].rd),
    COLUMN('i', rating, after[1].volatility),
    SEAL};

const struct store_layout store_row_layouts[STORE_KINDS] = {
    [STORE_NAME] = {"name", name, sizeof(struct store_name), 1, false, false},
    [STORE_DEVICE] = {"device", device, sizeof(struct store_device), 2, false, false},
    [STORE_INVITE] = {"invitation", invite, sizeof(struct store_invite), 1, false,
                      false},
    [STORE_AGE] = {"age", age, sizeof(struct store_age), 0, false, false},
    [STORE_ACT] = {"act", act, sizeof(struct store_act), 1, true, true},
    [STORE_MARK] = {"mark", mark, sizeof(struct store_mark), 3, false, false},
    [STORE_RATING] = {"rating", rating, sizeof(struct store_rating), 1, false, true},
};

void *store_row_at(const struct store_column *column, const void *row)
{
    return (char *)row + column->offset;
}

const char **store_row_text(const struct store_column *column, const void *row)
{
    return store_row_at(column, row);
}

int64_t store_row_number(const struct store_column *column, const void *row)
{
    const void *at = store_row_at(column, row);

    switch (column->type) {
    case 'n':
        return *(const int64_t *)at;
    case 'i':
        return *(const int *)at;
    case 'f':
        return *(const bool *)at;
    case 'p':
        return *(const enum store_proof *)at;
    default:
        return 0;
    }
}

bool store_row_set(const struct store_column *column, void *row, int64_t number)
{
    void *at = store_row_at(column, row);
    int64_t most = column->type == 'i' ? INT_MAX : 1;

    if (column->type == 'n')
        *(int64_t *)at = number;
    else if (number < 0 || number > most)
        return false;
    else if (column->type == 'i')
        *(int *)at = (int)number;
    else if (column->type == 'f')
        *(bool *)at = number == 1;
    else
        *(enum store_proof *)at = (enum store_proof)number;
    return true;
}

void store_row_give(const struct store_visitor *visitor, const union store_record *row)
{
    switch (visitor->kind) {
    case STORE_NAME:
        visitor->name(visitor->arg, &row->name);
        break;
    case STORE_DEVICE:
        visitor->device(visitor->arg, &row->device);
        break;
    case STORE_INVITE:
        visitor->invite(visitor->arg, &row->invite);
        break;
    case STORE_ACT:
        visitor->act(visitor->arg, &row->act);
        break;
    case STORE_MARK:
        visitor->mark(visitor->arg, &row->mark);
        break;
    case STORE_RATING:
        visitor->rating(visitor->arg, &row->rating);
        break;
    case STORE_AGE: /* not passed to a visitor: survey() reads it (struct
                     * store_survey) */
        break;
    }
}
