/* See store_seal.h. Existing databases fix the digested form for ever: the kind of row
 * as a byte; numbers as 8 bytes, big-endian; a text as its length, a number, and its
 * bytes. A column that a later schema added is last and is digested only when it is not
 * 0, so that a row of an older schema keeps its seal. */
#include "server/database/store_seal.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "common/base/log.h"
#include "common/base/mem.h"

/* A row is assembled in one buffer and digested by one call, because each call of
 * OpenSSL costs as much as 64 bytes do. A longer row takes several calls. */
enum { PIECE_BYTES = 1024 };

struct store_sealer {
    EVP_MD *sha256;
    EVP_MD_CTX *running;
    size_t size;
    unsigned char piece[PIECE_BYTES];
};

enum row_kind {
    ROW_EVENT = 'e',
    ROW_GAME = 'g',
    ROW_NAME = 'n',
    ROW_DEVICE = 'd',
    ROW_INVITE = 'i',
    ROW_AGE = 'a',
    ROW_ACT = 'c',
    ROW_MARK = 'm',
    ROW_RATING = 'r',
    ROW_BATCH = 'b'
};

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

static void begin(struct store_sealer *sealer, enum row_kind kind)
{
    unsigned char byte = (unsigned char)kind;

    if (EVP_DigestInit_ex2(sealer->running, sealer->sha256, NULL) != 1)
        log_die("store sha256 failed");
    sealer->size = 0;
    add_bytes(sealer, &byte, 1);
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

void store_seal_event(struct store_sealer *sealer, struct store_seal *link,
                      const struct store_event *event)
{
    begin(sealer, ROW_EVENT);
    add_bytes(sealer, link->bytes, sizeof link->bytes);
    add_number(sealer, event->game);
    add_number(sealer, event->number);
    add_number(sealer, event->wall_s);
    add_number(sealer, event->age_ms);
    add_text(sealer, event->text);
    finish(sealer, link);
}

void store_seal_game(struct store_sealer *sealer, struct store_seal *out,
                     const struct store_game *game)
{
    struct store_summary s = game->summary;
    const char **texts[STORE_SUMMARY_TEXTS];

    store_data_summary_texts(&s, texts);
    begin(sealer, ROW_GAME);
    add_number(sealer, game->id);
    add_number(sealer, game->is_over);
    add_number(sealer, game->events);
    add_number(sealer, game->age_ms);
    add_number(sealer, game->ended_wall_s);
    for (int i = 0; i < STORE_SUMMARY_TEXTS; i++)
        add_text(sealer, *texts[i]);
    add_number(sealer, s.plies);
    finish(sealer, out);
}

void store_seal_name(struct store_sealer *sealer, struct store_seal *out,
                     const struct store_name *name)
{
    bool is_of_schema_5 = name->number != 0 || name->made_wall_s != 0 || name->is_fresh;

    begin(sealer, ROW_NAME);
    add_text(sealer, name->folded);
    add_text(sealer, name->shown);
    add_number(sealer, (int64_t)name->proof);
    add_bytes(sealer, name->digest, sizeof name->digest);
    add_number(sealer, name->seen_wall_s);
    if (is_of_schema_5 || name->first_game != 0 || name->accepted.number != 0 ||
        name->accepted.game != 0 || name->accepted.is_offer) {
        add_number(sealer, name->first_game);
        add_number(sealer, name->accepted.number);
        add_number(sealer, name->accepted.game);
        add_number(sealer, name->accepted.is_offer);
    }
    if (is_of_schema_5) {
        add_number(sealer, name->number);
        add_number(sealer, name->made_wall_s);
        add_number(sealer, name->is_fresh);
    }
    finish(sealer, out);
}

void store_seal_device(struct store_sealer *sealer, struct store_seal *out,
                       const struct store_device *device)
{
    begin(sealer, ROW_DEVICE);
    add_text(sealer, device->folded);
    add_bytes(sealer, device->digest, sizeof device->digest);
    add_number(sealer, (int64_t)device->proof);
    add_number(sealer, device->since_wall_s);
    finish(sealer, out);
}

void store_seal_invite(struct store_sealer *sealer, struct store_seal *out,
                       const struct store_invite *invite)
{
    begin(sealer, ROW_INVITE);
    add_text(sealer, invite->code);
    add_text(sealer, invite->terms);
    add_text(sealer, invite->maker);
    add_text(sealer, invite->first);
    add_number(sealer, invite->made_wall_s);
    add_number(sealer, invite->game);
    finish(sealer, out);
}

void store_seal_age(struct store_sealer *sealer, struct store_seal *out,
                    const struct store_age *age)
{
    begin(sealer, ROW_AGE);
    add_number(sealer, age->age_ms);
    if (age->number != 0)
        add_number(sealer, age->number);
    finish(sealer, out);
}

void store_seal_act(struct store_sealer *sealer, struct store_seal *link,
                    const struct store_act *act)
{
    begin(sealer, ROW_ACT);
    add_bytes(sealer, link->bytes, sizeof link->bytes);
    add_number(sealer, act->id);
    add_number(sealer, act->wall_s);
    add_text(sealer, act->actor);
    add_text(sealer, act->text);
    finish(sealer, link);
}

void store_seal_mark(struct store_sealer *sealer, struct store_seal *out,
                     const struct store_mark *mark)
{
    begin(sealer, ROW_MARK);
    add_text(sealer, mark->owner);
    add_text(sealer, mark->kind);
    add_text(sealer, mark->subject);
    add_text(sealer, mark->value);
    finish(sealer, out);
}

void store_seal_rating(struct store_sealer *sealer, struct store_seal *out,
                       const struct store_rating *rating)
{
    begin(sealer, ROW_RATING);
    add_number(sealer, rating->seq);
    add_number(sealer, rating->wall_s);
    add_text(sealer, rating->pool);
    add_number(sealer, rating->game);
    add_number(sealer, rating->account[0]);
    add_number(sealer, rating->account[1]);
    add_number(sealer, rating->score);
    add_number(sealer, rating->is_timeout);
    add_text(sealer, rating->why);
    for (int side = 0; side < 2; side++) {
        add_number(sealer, rating->after[side].rating);
        add_number(sealer, rating->after[side].rd);
        add_number(sealer, rating->after[side].volatility);
    }
    finish(sealer, out);
}

void store_seal_batch(struct store_sealer *sealer, struct store_seal *out,
                      const struct store_tally *tally, const void *list, size_t size)
{
    begin(sealer, ROW_BATCH);
    add_number(sealer, tally->last_id);
    add_number(sealer, tally->last_game);
    add_number(sealer, tally->running);
    add_number(sealer, tally->age_ms);
    add_number(sealer, (int64_t)size);
    add_bytes(sealer, list, size);
    finish(sealer, out);
}
