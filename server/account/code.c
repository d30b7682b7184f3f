/* See code.h. */
#include "server/account/code.h"

#include <openssl/rand.h>

#include "common/base/log.h"

/* Letters and digits that are not confused when read aloud. */
static const char letters[] = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

enum { LETTERS = sizeof letters - 1, HALF = 4 };

void code_make(char code[CODE_BYTES])
{
    for (int i = 0; i < CODE_BYTES - 1; i++) {
        unsigned char random;

        do
            if (RAND_bytes(&random, 1) != 1)
                die("code no random numbers");
        while (random >= 256 / LETTERS * LETTERS);
        code[i] = letters[random % LETTERS];
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
