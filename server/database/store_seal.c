/* See store_seal.h. The digested bytes must never change, because existing databases
 * contain the digests. The digested bytes are the kind of the row, as one byte, and
 * then its columns. A number has 8 bytes, big-endian. A text is its length, as a
 * number, and its bytes. The columns that a later schema added are last. The columns
 * that schema N added are digested only if at least one column of schema N, or of a
 * newer schema, is not 0. So a row of an older schema keeps its seal. */
#include "server/database/store_seal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "common/base/log.h"
#include "common/base/mem.h"

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

static void add_column(struct store_sealer *sealer, const struct store_column *column,
                       const void *row)
{
    if (column->type == 't')
        add_text(sealer, *store_row_text(column, row));
    else if (column->type == 'b')
        add_bytes(sealer, store_row_at(column, row), STORE_DIGEST_BYTES);
    else
        add_number(sealer, store_row_number(column, row));
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
        if (strchr("soqa", c->type) == NULL && c->since <= schema)
            add_column(sealer, c, row);
    finish(sealer, seal);
}

void store_seal_batch(struct store_sealer *sealer, struct store_seal *out,
                      const struct store_tally *tally, const void *list, size_t size)
{
    begin(sealer, LETTER_BATCH);
    add_number(sealer, tally->last_id);
    add_number(sealer, tally->last_game);
    add_number(sealer, tally->running);
    add_number(sealer, tally->age_ms);
    add_number(sealer, (int64_t)size);
    add_bytes(sealer, list, size);
    finish(sealer, out);
}
