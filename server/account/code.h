/* Codes that people read aloud and type: K7Q2-9F3M. Generates and normalizes them;
 * other modules know their meaning. */
#ifndef SERVER_ACCOUNT_CODE_H
#define SERVER_ACCOUNT_CODE_H

#include <stdbool.h>

#include "common/base/base.h"

enum { CODE_BYTES = 10 };

/* Makes a new random code. */
void code_make(char code[CODE_BYTES]);

/* Normalizes typed for comparison: capitals, with the dash. False: typed is too
 * long. */
bool code_plain(char plain[CODE_BYTES], const char *typed) MUST_USE;

#endif
