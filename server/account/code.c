/* See code.h. */
#include "server/account/code.h"

#include <assert.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "common/base/log.h"
#include "common/base/text.h"

static const char letters[] = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

enum { LETTERS = sizeof letters - 1, HALF = 4, SECRET_MAX = 32 };

char code_letter(unsigned char number)
{
    return letters[number % LETTERS];
}

static void fill_random(unsigned char *bytes, size_t count)
{
    if (RAND_bytes(bytes, (int)count) != 1)
        log_die("code no random numbers");
}

void code_make(char code[CODE_BYTES])
{
    for (int i = 0; i < CODE_BYTES - 1; i++) {
        unsigned char random;

        do
            fill_random(&random, 1);
        while (random >= 256 / LETTERS * LETTERS);
        code[i] = code_letter(random);
    }
    code[HALF] = '-';
    code[CODE_BYTES - 1] = '\0';
}

bool code_plain(char plain[CODE_BYTES], const char *typed)
{
    int len = 0;

    for (; *typed != '\0' && len < CODE_BYTES - 1; typed++) {
        if (*typed == '-')
            continue;
        if (len == HALF)
            plain[len++] = '-';
        plain[len++] =
            (char)(*typed >= 'a' && *typed <= 'z' ? *typed - 'a' + 'A' : *typed);
    }
    plain[len] = '\0';
    return *typed == '\0';
}

void code_make_secret(char *out, size_t count)
{
    unsigned char random[SECRET_MAX];

    assert(count <= sizeof random);
    do {
        fill_random(random, count);
        text_base64url(out, random, count);
    } while (out[0] == '-');
}

void code_digest(unsigned char out[CODE_DIGEST_BYTES], const char *code)
{
    if (EVP_Digest(code, strlen(code), out, NULL, EVP_sha256(), NULL) != 1)
        log_die("code sha256 is missing");
}
