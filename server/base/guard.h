/* Checks before the start. They refuse to run as root, or with files that another user
 * could change or has replaced. */
#ifndef SERVER_BASE_GUARD_H
#define SERVER_BASE_GUARD_H

#include <stdbool.h>

#include "common/base/base.h"

/* True if the process may run. False after printing what to do: it runs as root, and
 * is_allowed is not set. */
bool guard_user(bool is_allowed) MUST_USE;

/* Checks the data directory and the files in it that the server reads: each must belong
 * to this user, must not be a link, and must not be writable for others. Missing files
 * are allowed. Does not check the parents of the directory. False after logging one
 * line for the directory, or else one for each file with a fault. */
bool guard_data(const char *directory) MUST_USE;

#endif
