/* Tests of the signatures of records: every kind of server key, and every possible
 * change to a signed record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "common/base/base.h"
#include "common/base/log.h"
#include "common/game/event.h"
#include "common/record/record.h"
#include "common/record/record_sign.h"
#include "tests/unit/unit.h"

struct identity {
    EVP_PKEY *key;
    X509 *cert;
};

static struct identity make_identity(EVP_PKEY *key)
{
    struct identity identity = {.key = key, .cert = X509_new()};

    assert_non_null(key);
    assert_non_null(identity.cert);
    assert_int_equal(X509_set_pubkey(identity.cert, key), 1);
    return identity;
}

static void clear_identity(struct identity *identity)
{
    X509_free(identity->cert);
    EVP_PKEY_free(identity->key);
}

/* Fills record with the game of tests/data/mate_game.txt, a game number and an end
 * time. */
static void read_game(struct record *record)
{
    FILE *file = fopen("tests/data/mate_game.txt", "r");
    char line[EVENT_BYTES];

    assert_non_null(file);
    record_init(record);
    record->game = 17;
    strcpy(record->ended, "2026-11-21T19:06:24Z");
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        record_add(record, line);
    }
    fclose(file);
}

/* Returns the text of the record that read_game() makes, signed with the key of
 * `identity`. */
static char *sign_game(const struct identity *identity)
{
    struct record record;
    char *text;

    read_game(&record);
    assert_true(record_sign(&record, identity->cert, identity->key));
    text = record_write(&record);
    record_clear(&record);
    return text;
}

/* Reads len bytes of text as a record, and returns whether its signature is right.
 * *is_read false: the bytes are not a record. */
static enum record_proof judge(const char *text, size_t len, bool *is_read)
{
    char why[RECORD_WHY_BYTES];
    struct record record;
    enum record_proof proof;

    *is_read = record_read(&record, text, len, why);
    if (!*is_read)
        return RECORD_CHANGED;
    proof = record_sign_prove(&record, text);
    record_clear(&record);
    return proof;
}

static enum record_proof judge_whole(const char *text)
{
    bool is_read;
    enum record_proof proof = judge(text, strlen(text), &is_read);

    assert_true(is_read);
    return proof;
}

/* --- Keys --- */

static void proves(EVP_PKEY *key)
{
    struct identity identity = make_identity(key);
    char *text = sign_game(&identity);

    assert_true(record_sign_is_possible(identity.cert, identity.key));
    assert_int_equal(judge_whole(text), RECORD_PROVED);
    free(text);
    clear_identity(&identity);
}

UNIT_TEST(every_kind_of_server_key_can_sign)
{
    proves(EVP_EC_gen("P-256"));
    proves(EVP_EC_gen("P-384"));
    proves(EVP_RSA_gen(2048));
    proves(EVP_RSA_gen(4096));
    proves(EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"));
    proves(EVP_PKEY_Q_keygen(NULL, NULL, "ED448"));
}

UNIT_TEST(keys_that_cannot_sign_are_refused)
{
    struct identity weak = make_identity(EVP_RSA_gen(1024));
    struct identity other = make_identity(EVP_PKEY_Q_keygen(NULL, NULL, "X25519"));
    struct record record;

    assert_false(record_sign_is_possible(weak.cert, weak.key));
    assert_false(record_sign_is_possible(other.cert, other.key));
    read_game(&record);
    assert_false(record_sign(&record, weak.cert, weak.key));
    assert_false(record_sign(&record, other.cert, other.key));
    record_clear(&record);
    clear_identity(&weak);
    clear_identity(&other);
}

/* --- Changes --- */

/* Changes each byte of the text in turn, from the index `from` (counted from 0) to the
 * end, by xor with mask. Returns how many of the changed texts are still accepted as a
 * signed record. */
static int count_unnoticed(const char *text, size_t from, unsigned mask)
{
    size_t len = strlen(text);
    char *copy = malloc(len + 1);
    int unnoticed = 0;

    assert_non_null(copy);
    memcpy(copy, text, len + 1);
    for (size_t i = from; i < len; i++) {
        bool is_read;

        copy[i] = (char)((unsigned char)copy[i] ^ mask);
        unnoticed += judge(copy, len, &is_read) == RECORD_PROVED;
        copy[i] = text[i];
    }
    free(copy);
    return unnoticed;
}

static void notices_every_byte(EVP_PKEY *key)
{
    static const unsigned masks[] = {0x01, 0x02, 0x20, 0x80, 0xff};
    struct identity identity = make_identity(key);
    char *text = sign_game(&identity);
    size_t len = strlen(text);

    /* Checks count_unnoticed() itself: the mask 0 changes nothing, so all ten texts
     * must pass. */
    assert_int_equal(count_unnoticed(text, len - 10, 0), 10);
    for (size_t i = 0; i < ARRAY_LEN(masks); i++)
        assert_int_equal(count_unnoticed(text, 0, masks[i]), 0);
    /* Changes the last letters of the signature. Every change must be noticed, even of
     * bits that encode nothing. */
    for (unsigned mask = 1; mask < 256; mask++)
        assert_int_equal(count_unnoticed(text, len - 4, mask), 0);
    free(text);
    clear_identity(&identity);
}

UNIT_TEST(a_changed_byte_invalidates_the_signature)
{
    notices_every_byte(EVP_EC_gen("P-256"));
    notices_every_byte(EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"));
    notices_every_byte(EVP_RSA_gen(2048));
}

/* Does three things with each line: leaves it out, doubles it, and cuts the text before
 * it. */
UNIT_TEST(a_missing_or_doubled_line_invalidates_the_signature)
{
    struct identity identity = make_identity(EVP_EC_gen("P-256"));
    char *text = sign_game(&identity), *copy = malloc(2 * strlen(text) + 1);
    char *signature = strstr(text, "\nsignature=") + 1;
    bool is_read;

    assert_non_null(copy);
    for (char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        int before = (int)(line - text), len = (int)(strchr(line, '\n') + 1 - line);

        sprintf(copy, "%.*s%s", before, text, line + len);
        assert_int_not_equal(judge(copy, strlen(copy), &is_read), RECORD_PROVED);
        sprintf(copy, "%.*s%.*s%s", before, text, len, line, line);
        assert_int_not_equal(judge(copy, strlen(copy), &is_read), RECORD_PROVED);
        assert_int_not_equal(judge(text, (size_t)before, &is_read), RECORD_PROVED);
    }
    assert_int_not_equal(judge(text, (size_t)(signature - text), &is_read),
                         RECORD_PROVED);
    free(copy);
    free(text);
    clear_identity(&identity);
}

/* --- Lies --- */

/* An attacker signs the record with another key, but leaves the digest of the server's
 * own key in the field server= of the record. */
UNIT_TEST(another_key_is_noticed)
{
    struct identity server = make_identity(EVP_EC_gen("P-256"));
    struct identity liar = make_identity(EVP_EC_gen("P-256"));
    struct record record;
    char name[RECORD_KEY_BYTES], *text;

    read_game(&record);
    assert_true(record_sign(&record, server.cert, server.key));
    strcpy(name, record.server);
    assert_true(record_sign(&record, liar.cert, liar.key));
    assert_string_not_equal(name, record.server);
    strcpy(record.server, name);
    text = record_write(&record);
    assert_int_equal(judge_whole(text), RECORD_KEY_FOREIGN);
    free(text);
    record_clear(&record);
    clear_identity(&server);
    clear_identity(&liar);
}

/* The record names the server's key, but is signed with another key. */
UNIT_TEST(another_signature_is_noticed)
{
    struct identity server = make_identity(EVP_EC_gen("P-256"));
    struct identity liar = make_identity(EVP_EC_gen("P-256"));
    struct record record;
    char *text;

    read_game(&record);
    assert_true(record_sign(&record, server.cert, liar.key));
    text = record_write(&record);
    assert_int_equal(judge_whole(text), RECORD_CHANGED);
    free(text);
    record_clear(&record);
    clear_identity(&server);
    clear_identity(&liar);
}

UNIT_TEST(a_record_without_a_key_is_unsigned)
{
    struct identity server = make_identity(EVP_EC_gen("P-256"));
    struct record record;
    char *text;

    read_game(&record);
    text = record_write(&record);
    assert_int_equal(judge_whole(text), RECORD_UNSIGNED);
    free(text);
    assert_true(record_sign(&record, server.cert, server.key));
    strcpy(record.public_key, "AAAA");
    text = record_write(&record);
    assert_int_equal(judge_whole(text), RECORD_KEY_UNREADABLE);
    free(text);
    record_clear(&record);
    clear_identity(&server);
}

UNIT_MAIN(unit_be_quiet, NULL)
