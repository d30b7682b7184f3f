/* Asks for a passphrase at the terminal without echo. */
#ifndef CLIENT_TOOLS_SECRET_H
#define CLIENT_TOOLS_SECRET_H

#include <stdbool.h>

#include "common/base/base.h"

enum { SECRET_BYTES = 256, SECRET_LETTERS_MIN = 8 };

/* Asks for a new passphrase: at least SECRET_LETTERS_MIN bytes, typed twice. Returns
 * false after printing the reason on standard error. The caller must wipe `out`. */
bool secret_ask_new(char out[SECRET_BYTES], const char *question) MUST_USE;

/* Asks for an existing passphrase. Returns false after printing the reason on standard
 * error. The caller must wipe `out`. */
bool secret_ask(char out[SECRET_BYTES], const char *question) MUST_USE;

#endif
