/* Codes that people read aloud and type: K7Q2-9F3M. Says how one is made and in which
 * form they are compared; what a code opens is known elsewhere. */
#ifndef SERVER_ACCOUNT_CODE_H
#define SERVER_ACCOUNT_CODE_H

#include <stdbool.h>

#include "common/base/base.h"

enum { CODE_BYTES = 10 };

/* A new one, by lot. */
void code_make(char code[CODE_BYTES]);

/* The form in which codes are compared: capitals, the dash in its place. False: typed
 * is too long for one. */
bool code_plain(char plain[CODE_BYTES], const char *typed) MUST_USE;

#endif
