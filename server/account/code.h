/* Codes that people read aloud and type: K7Q2-9F3M. Makes them and puts them into the
 * form in which they are compared; what a code opens is not known here. */
#ifndef SERVER_ACCOUNT_CODE_H
#define SERVER_ACCOUNT_CODE_H

#include <stdbool.h>

#include "common/base/base.h"

enum { CODE_BYTES = 10 };

/* Makes a new random code. */
void code_make(char code[CODE_BYTES]);

/* Writes typed in the form for comparison: capitals, with the dash. False: typed is too
 * long. */
bool code_plain(char plain[CODE_BYTES], const char *typed) MUST_USE;

#endif
