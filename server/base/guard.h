/* Checks before the start. The server must not run as root, unless the host allows it.
 * The server also must not use files that another user can change or may have
 * replaced. */
#ifndef SERVER_BASE_GUARD_H
#define SERVER_BASE_GUARD_H

#include <stdbool.h>

#include "common/base/base.h"

/* Returns true if the process does not run as root, or if is_allowed is true. Otherwise
 * prints what to do, and returns false. */
bool guard_user(bool is_allowed) MUST_USE;

/* Checks the data directory and the files in it that the server reads. Each must belong
 * to this user, and must not be a link. Other users must not be able to write to it.
 * Missing files are allowed. Does not check the parents of the directory. Returns false
 * after logging what is wrong: only one line if the directory has a fault, otherwise
 * one line for each file that has a fault. */
bool guard_data(const char *directory) MUST_USE;

#endif
