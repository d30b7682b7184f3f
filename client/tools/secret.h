/* A passphrase, asked for at the terminal and not shown there. */
#ifndef CLIENT_TOOLS_SECRET_H
#define CLIENT_TOOLS_SECRET_H

#include <stdbool.h>

#include "common/base/base.h"

enum { SECRET_BYTES = 256, SECRET_LETTERS_MIN = 8 };

/* Asks for one that is to be kept: at least SECRET_LETTERS_MIN bytes, typed twice.
 * False after saying why on standard error. The caller wipes out. */
bool secret_ask_new(char out[SECRET_BYTES], const char *question) MUST_USE;

/* Asks for one that opens something. False after saying why on standard error. */
bool secret_ask(char out[SECRET_BYTES], const char *question) MUST_USE;

#endif
