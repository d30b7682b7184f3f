/* See store_row.h. */
#include "server/store/store_row.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"

/* COLUMN: a column of the first schema; LATER: one that schema `since` added. */
#define LATER(type, since, kind, name, member)                                         \
    {                                                                                  \
        name, type, since, offsetof(struct store_##kind, member)                       \
    }
#define COLUMN(type, kind, name, member) LATER(type, 0, kind, name, member)
#define OTHER(type, name)                                                              \
    {                                                                                  \
        name, type, 0, 0                                                               \
    }

static const struct store_column game[STORE_COLUMNS_MAX + 1] = {
    COLUMN('n', game, "id", id),
    COLUMN('f', game, "is_over", is_over),
    COLUMN('i', game, "events", events),
    COLUMN('n', game, "age_ms", age_ms),
    COLUMN('n', game, "ended_s", ended_wall_s),
    COLUMN('t', game, "red", summary.red),
    COLUMN('t', game, "blue", summary.blue),
    COLUMN('t', game, "red_shown", summary.red_shown),
    COLUMN('t', game, "blue_shown", summary.blue_shown),
    COLUMN('t', game, "rules", summary.rules),
    COLUMN('t', game, "time", summary.time),
    COLUMN('t', game, "result", summary.result),
    COLUMN('t', game, "reason", summary.reason),
    COLUMN('i', game, "plies", summary.plies),
    OTHER('s', "seal"),
    LATER('t', 7, game, "log", log)};
static const struct store_column event[STORE_COLUMNS_MAX + 1] = {
    COLUMN('q', event, "seq", seq),
    COLUMN('n', event, "game", game),
    COLUMN('i', event, "number", number),
    COLUMN('n', event, "wall_s", wall_s),
    COLUMN('n', event, "age_ms", age_ms),
    COLUMN('t', event, "text", text),
    OTHER('s', "link")};
static const struct store_column head[STORE_COLUMNS_MAX + 1] = {
    OTHER('o', "id"),
    COLUMN('n', head, "first_seq", first_seq),
    COLUMN('n', head, "last_seq", last_seq),
    COLUMN('n', head, "last_game", last_game),
    COLUMN('n', head, "games", games),
    COLUMN('n', head, "age_ms", age_ms),
    OTHER('s', "seal")};
static const struct store_column name[STORE_COLUMNS_MAX + 1] = {
    COLUMN('t', name, "folded", folded),
    COLUMN('t', name, "shown", shown),
    COLUMN('p', name, "proof", proof),
    COLUMN('b', name, "digest", digest),
    COLUMN('n', name, "seen_s", seen_wall_s),
    OTHER('s', "seal"),
    LATER('n', 4, name, "first_game", first_game),
    LATER('n', 4, name, "accepted", accepted.number),
    LATER('n', 4, name, "accepted_game", accepted.game),
    LATER('f', 4, name, "accepted_offer", accepted.is_offer),
    LATER('n', 5, name, "number", number),
    LATER('n', 5, name, "made_s", made_wall_s),
    LATER('f', 5, name, "is_fresh", is_fresh)};
static const struct store_column device[STORE_COLUMNS_MAX + 1] = {
    COLUMN('t', device, "folded", folded), COLUMN('b', device, "digest", digest),
    COLUMN('p', device, "proof", proof), COLUMN('n', device, "since_s", since_wall_s),
    OTHER('s', "seal")};
static const struct store_column invite[STORE_COLUMNS_MAX + 1] = {
    COLUMN('t', invite, "code", code),
    COLUMN('t', invite, "terms", terms),
    COLUMN('t', invite, "maker", maker),
    COLUMN('t', invite, "first", first),
    COLUMN('n', invite, "made_s", made_wall_s),
    COLUMN('n', invite, "game", game),
    OTHER('s', "seal")};
static const struct store_column unseen[STORE_COLUMNS_MAX + 1] = {
    OTHER('a', "id"), COLUMN('t', unseen, "name", folded),
    COLUMN('n', unseen, "game", game)};
static const struct store_column age[STORE_COLUMNS_MAX + 1] = {
    OTHER('o', "id"), COLUMN('n', age, "age_ms", age_ms), OTHER('s', "seal"),
    LATER('n', 4, age, "number", number)};
static const struct store_column act[STORE_COLUMNS_MAX + 1] = {
    COLUMN('n', act, "id", id), COLUMN('n', act, "wall_s", wall_s),
    COLUMN('t', act, "actor", actor), COLUMN('t', act, "text", text),
    OTHER('s', "seal")};
static const struct store_column mark[STORE_COLUMNS_MAX + 1] = {
    COLUMN('t', mark, "owner", owner), COLUMN('t', mark, "kind", kind),
    COLUMN('t', mark, "subject", subject), COLUMN('t', mark, "value", value),
    OTHER('s', "seal")};
static const struct store_column rating[STORE_COLUMNS_MAX + 1] = {
    COLUMN('n', rating, "seq", seq),
    COLUMN('n', rating, "wall_s", wall_s),
    COLUMN('t', rating, "pool", pool),
    COLUMN('n', rating, "game", game),
    COLUMN('n', rating, "red", account[0]),
    COLUMN('n', rating, "blue", account[1]),
    COLUMN('i', rating, "score", score),
    COLUMN('f', rating, "timeout", is_timeout),
    COLUMN('t', rating, "why", why),
    COLUMN('i', rating, "red_rating", after[0].rating),
    COLUMN('i', rating, "red_rd", after[0].rd),
    COLUMN('i', rating, "red_volatility", after[0].volatility),
    COLUMN('i', rating, "blue_rating", after[1].rating),
    COLUMN('i', rating, "blue_rd", after[1].rd),
    COLUMN('i', rating, "blue_volatility", after[1].volatility),
    OTHER('s', "seal")};

#define LAYOUT(kind, table, keys_, letter_, since_)                                    \
    .name = table, .column = kind, .size = sizeof(struct store_##kind), .keys = keys_, \
    .letter = letter_, .since = since_

const struct store_layout store_row_layouts[STORE_KINDS] = {
    [STORE_GAME] =
        {LAYOUT(game, "game", 1, 'g', 0), .word = "game",
         .indexes = "CREATE INDEX game_red ON game(red, ended_s) WHERE is_over = 1;"
                    "CREATE INDEX game_blue ON game(blue, ended_s) WHERE is_over = 1;"
                    "CREATE INDEX game_aborted ON game(ended_s) WHERE is_over = 1"
                    " AND result = 'none';"},
    [STORE_EVENT] = {LAYOUT(event, "journal", 1, 'e', 7), .word = "event",
                     .is_chain = true},
    [STORE_HEAD] = {LAYOUT(head, "head", 1, 'h', 7), .word = "head"},
    [STORE_NAME] = {LAYOUT(name, "name", 1, 'n', 0), .word = "name"},
    [STORE_DEVICE] = {LAYOUT(device, "device", 2, 'd', 0), .word = "device"},
    [STORE_INVITE] = {LAYOUT(invite, "invite", 1, 'i', 0), .word = "invitation"},
    [STORE_UNSEEN] = {LAYOUT(unseen, "unseen", 0, 0, 0), .word = "unseen end",
                      .indexes = "CREATE INDEX unseen_name ON unseen(name, id);"},
    [STORE_AGE] = {LAYOUT(age, "age", 1, 'a', 0), .word = "age"},
    [STORE_ACT] = {LAYOUT(act, "act", 1, 'c', 5), .word = "act", .is_chain = true,
                   .is_numbered = true},
    [STORE_MARK] = {LAYOUT(mark, "mark", 3, 'm', 5), .word = "mark"},
    [STORE_RATING] = {LAYOUT(rating, "rating", 1, 'r', 6), .word = "rating",
                      .is_numbered = true},
};

/* --- Values --- */

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
    case 'q':
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

    if (column->type == 'n' || column->type == 'q')
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

size_t store_row_bytes(enum store_kind kind, const void *row)
{
    const struct store_column *c = store_row_layouts[kind].column;
    size_t bytes = 0;

    for (; c->type != '\0'; c++)
        if (c->type == 't' && *store_row_text(c, row) != NULL)
            bytes += strlen(*store_row_text(c, row)) + 1;
    return bytes;
}

void store_row_pack(enum store_kind kind, void *row, char **at)
{
    const struct store_column *c = store_row_layouts[kind].column;

    for (; c->type != '\0'; c++)
        if (c->type == 't' && *store_row_text(c, row) != NULL)
            *store_row_text(c, row) = text_pack(at, *store_row_text(c, row));
}

/* --- Statements --- */

static void add_create(struct text *sql, const struct store_layout *layout)
{
    const struct store_column *c = layout->column;
    bool is_rowid =
        c->type == 'n' || c->type == 'q' || c->type == 'o' || c->type == 'a';

    text_addf(sql, "CREATE TABLE %s(", layout->name);
    for (; c->type != '\0'; c++)
        text_addf(sql, "%s%s %s", c == layout->column ? "" : ", ", c->name,
                  c == layout->column && is_rowid
                      ? (c->type == 'a' ? "INTEGER PRIMARY KEY AUTOINCREMENT"
                                        : "INTEGER PRIMARY KEY")
                  : c->type == 't'                   ? "TEXT NOT NULL"
                  : c->type == 'b' || c->type == 's' ? "BLOB NOT NULL"
                                                     : "INTEGER NOT NULL");
    for (int i = 0; !is_rowid && i < layout->keys; i++)
        text_addf(sql, "%s%s", i == 0 ? ", PRIMARY KEY(" : ", ",
                  layout->column[i].name);
    text_addf(sql, "%s;%s", is_rowid ? ")" : ")) WITHOUT ROWID",
              layout->indexes != NULL ? layout->indexes : "");
}

static void add_put(struct text *sql, const struct store_layout *layout)
{
    const struct store_column *c;
    const char *between = "";
    int number = 0;

    text_addf(sql, "INSERT INTO %s(", layout->name);
    for (c = layout->column; c->type != '\0'; c++)
        if (c->type != 'a') {
            text_addf(sql, "%s%s", between, c->name);
            between = ",";
        }
    between = ") VALUES(";
    for (c = layout->column; c->type != '\0'; c++) {
        if (c->type == 'o')
            text_addf(sql, "%s1", between);
        else if (c->type != 'a')
            text_addf(sql, "%s$%d", between, ++number);
        between = c->type != 'a' ? "," : between;
    }
    text_add(sql, ")");
    if (layout->keys == 0 || layout->column[0].type == 'q')
        return;
    for (int i = 0; i < layout->keys; i++)
        text_addf(sql, "%s%s", i == 0 ? " ON CONFLICT(" : ",", layout->column[i].name);
    between = ") DO UPDATE SET ";
    for (c = layout->column + layout->keys; c->type != '\0'; c++) {
        text_addf(sql, "%s%s = excluded.%s", between, c->name, c->name);
        between = ",";
    }
}

static void add_select(struct text *sql, const struct store_layout *layout)
{
    const char *between = "SELECT ";

    for (const struct store_column *c = layout->column; c->type != '\0'; c++)
        if (c->type != 'a' && c->type != 'o') {
            text_addf(sql, "%s%s", between, c->name);
            between = ", ";
        }
    text_addf(sql, " FROM %s", layout->name);
}

bool store_row_sql(char out[STORE_SQL_BYTES], enum store_kind kind,
                   enum store_sql which)
{
    const struct store_layout *layout = &store_row_layouts[kind];
    const struct store_column *c = layout->column + (layout->column->type == 'a');
    struct text sql = text_into(out, STORE_SQL_BYTES);
    int keys = which == STORE_SQL_FIND ? 1 : (int)(which - STORE_SQL_DROP1) + 1;

    if (which == STORE_SQL_CREATE) {
        add_create(&sql, layout);
    } else if (which == STORE_SQL_PUT) {
        add_put(&sql, layout);
    } else if (which == STORE_SQL_LOAD) {
        add_select(&sql, layout);
        for (int i = 0; i == 0 || i < layout->keys; i++)
            text_addf(&sql, "%s%s", i == 0 ? " ORDER BY " : ", ",
                      layout->column[i].name);
    } else {
        if (which == STORE_SQL_FIND)
            add_select(&sql, layout);
        else
            text_addf(&sql, "DELETE FROM %s", layout->name);
        for (int i = 0; i < keys; i++, c++) {
            if (c->type == '\0' || c->type == 'o' || c->type == 's')
                return false;
            text_addf(&sql, "%s%s = $%d", i == 0 ? " WHERE " : " AND ", c->name, i + 1);
        }
    }
    return !sql.is_cut;
}

/* --- Seals --- */

/* The digested bytes must never change, because existing databases
 * contain the digests. The digested bytes are the kind of the row, as one byte, and
 * then its columns. A number has 8 bytes, big-endian. A text is its length, as a
 * number, and its bytes. The columns that a later schema added are last. The columns
 * that schema N added are digested only if at least one column of schema N, or of a
 * newer schema, is not 0. So a row of an older schema keeps its seal. */

/* A row is assembled in one buffer and digested by one call. The reason: each call of
 * OpenSSL needs extra time, as much as the digest of 64 bytes needs. A longer row takes
 * several calls. */
enum { PIECE_BYTES = 1024 };

struct store_sealer {
    EVP_MD *sha256;
    EVP_MD_CTX *running;
    size_t size;
    unsigned char piece[PIECE_BYTES];
};

enum { LETTER_BATCH = 'b' };

struct store_sealer *store_sealer_new(void)
{
    struct store_sealer *sealer = mem_new(sizeof *sealer);

    sealer->sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    sealer->running = EVP_MD_CTX_new();
    if (sealer->sha256 == NULL || sealer->running == NULL)
        log_die("store sha256 is missing");
    return sealer;
}

void store_sealer_free(struct store_sealer *sealer)
{
    if (sealer == NULL)
        return;
    EVP_MD_CTX_free(sealer->running);
    EVP_MD_free(sealer->sha256);
    free(sealer);
}

bool store_seal_is_same(const struct store_seal *one, const struct store_seal *other)
{
    return memcmp(one->bytes, other->bytes, sizeof one->bytes) == 0;
}

/* --- What is digested --- */

static void digest_piece(struct store_sealer *sealer)
{
    if (EVP_DigestUpdate(sealer->running, sealer->piece, sealer->size) != 1)
        log_die("store sha256 failed");
    sealer->size = 0;
}

static void add_bytes(struct store_sealer *sealer, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;

    while (size > PIECE_BYTES - sealer->size) {
        size_t part = PIECE_BYTES - sealer->size;

        memcpy(sealer->piece + sealer->size, at, part);
        sealer->size = PIECE_BYTES;
        digest_piece(sealer);
        at += part;
        size -= part;
    }
    if (size > 0)
        memcpy(sealer->piece + sealer->size, at, size);
    sealer->size += size;
}

static void begin(struct store_sealer *sealer, char letter)
{
    if (EVP_DigestInit_ex2(sealer->running, sealer->sha256, NULL) != 1)
        log_die("store sha256 failed");
    sealer->size = 0;
    add_bytes(sealer, &letter, 1);
}

static void add_number(struct store_sealer *sealer, int64_t number)
{
    unsigned char bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)number >> (56 - 8 * i));
    add_bytes(sealer, bytes, sizeof bytes);
}

static void add_text(struct store_sealer *sealer, const char *text)
{
    size_t size = strlen(text);

    add_number(sealer, (int64_t)size);
    add_bytes(sealer, text, size);
}

static void finish(struct store_sealer *sealer, struct store_seal *out)
{
    unsigned char digest[EVP_MAX_MD_SIZE];

    digest_piece(sealer);
    if (EVP_DigestFinal_ex(sealer->running, digest, NULL) != 1)
        log_die("store sha256 failed");
    memcpy(out->bytes, digest, sizeof out->bytes);
}

/* --- Rows --- */

/* Returns the newest schema that added a column whose value in this row is not 0 or "";
 * 0: there is none. */
static int newest_schema(const struct store_column *column, const void *row)
{
    int schema = 0;

    for (; column->type != '\0'; column++)
        if (column->since > schema &&
            (column->type == 't' ? (*store_row_text(column, row))[0] != '\0'
                                 : store_row_number(column, row) != 0))
            schema = column->since;
    return schema;
}

void store_seal_row(struct store_sealer *sealer, struct store_seal *seal,
                    enum store_kind kind, const void *row)
{
    const struct store_layout *layout = &store_row_layouts[kind];
    int schema = newest_schema(layout->column, row);

    assert(layout->letter != '\0');
    begin(sealer, layout->letter);
    if (layout->is_chain)
        add_bytes(sealer, seal->bytes, sizeof seal->bytes);
    for (const struct store_column *c = layout->column; c->type != '\0'; c++)
        if (strchr("soqa", c->type) != NULL || c->since > schema)
            ; /* not sealed */
        else if (c->type == 't')
            add_text(sealer, *store_row_text(c, row));
        else if (c->type == 'b')
            add_bytes(sealer, store_row_at(c, row), STORE_DIGEST_BYTES);
        else
            add_number(sealer, store_row_number(c, row));
    finish(sealer, seal);
}

void store_seal_batch(struct store_sealer *sealer, struct store_seal *out,
                      const void *bytes, size_t size)
{
    begin(sealer, LETTER_BATCH);
    add_bytes(sealer, bytes, size);
    finish(sealer, out);
}
