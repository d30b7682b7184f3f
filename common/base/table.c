/* See table.h. */
#include "common/base/table.h"

#include <pthread.h>

#include <openssl/rand.h>

#include "common/base/log.h"

/* One hash key for the whole process. uthash passes only an element's key and its
 * length to the hash function, so a table cannot have a hash key of its own. */
static unsigned char process_key[TABLE_KEY_BYTES];
static pthread_once_t is_made = PTHREAD_ONCE_INIT;

static void make_key(void)
{
    if (RAND_bytes(process_key, sizeof process_key) != 1)
        log_die("table no randomness");
}

uint64_t table_hash(const void *bytes, size_t len)
{
    pthread_once(&is_made, make_key);
    return table_hash_with(process_key, bytes, len);
}

/* --- SipHash --- */

struct sip {
    uint64_t v0, v1, v2, v3;
};

static uint64_t rotate(uint64_t word, int by)
{
    return word << by | word >> (64 - by);
}

static void mix(struct sip *s)
{
    s->v0 += s->v1;
    s->v2 += s->v3;
    s->v1 = rotate(s->v1, 13) ^ s->v0;
    s->v3 = rotate(s->v3, 16) ^ s->v2;
    s->v0 = rotate(s->v0, 32);
    s->v2 += s->v1;
    s->v0 += s->v3;
    s->v1 = rotate(s->v1, 17) ^ s->v2;
    s->v3 = rotate(s->v3, 21) ^ s->v0;
    s->v2 = rotate(s->v2, 32);
}

static void absorb(struct sip *s, uint64_t word)
{
    s->v3 ^= word;
    mix(s);
    s->v0 ^= word;
}

/* Reads eight bytes, little-endian. Compilers turn this into a single load. */
static uint64_t whole_word(const unsigned char *b)
{
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 |
           (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 |
           (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

/* Reads len bytes, fewer than eight, little-endian. */
static uint64_t word_of(const unsigned char *bytes, size_t len)
{
    uint64_t word = 0;

    for (size_t i = 0; i < len; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
    return word;
}

uint64_t table_hash_with(const unsigned char key[TABLE_KEY_BYTES], const void *bytes,
                         size_t len)
{
    const unsigned char *at = bytes;
    uint64_t k0 = whole_word(key), k1 = whole_word(key + 8);
    struct sip s = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
                    k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};
    size_t left = len;

    for (; left >= 8; left -= 8, at += 8)
        absorb(&s, whole_word(at));
    absorb(&s, word_of(at, left) | (uint64_t)len << 56);
    s.v2 ^= 0xff;
    for (int i = 0; i < 3; i++)
        mix(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
