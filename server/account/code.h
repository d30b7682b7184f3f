/* Makes secrets as text: short codes that people read aloud and type, such as
 * K7Q2-9F3M, and long secrets for links and tokens. Also makes the digest of a secret.
 * Other modules know what a secret is for. */
#ifndef SERVER_ACCOUNT_CODE_H
#define SERVER_ACCOUNT_CODE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"

enum { CODE_BYTES = 10, CODE_DIGEST_BYTES = 32 };

/* Makes a new random code. */
void code_make(char code[CODE_BYTES]);

/* Normalizes `typed` for comparison: capitals, with the dash. False: `typed` is too
 * long. */
bool code_plain(char plain[CODE_BYTES], const char *typed) MUST_USE;

/* Returns one of the letters and digits that are not confused when read aloud; `number`
 * chooses which. */
char code_letter(unsigned char number);

/* Writes count random bytes as base64url, with a NUL: (4 * count + 2) / 3 + 1 bytes;
 * count is at most 32. The first character is not "-", so no shell command takes the
 * secret for an option. */
void code_make_secret(char *out, size_t count);

/* Writes the SHA-256 of a code or token to `out`. Only the digest is kept, so that a
 * stolen database opens no account. */
void code_digest(unsigned char out[CODE_DIGEST_BYTES], const char *code);

#endif
