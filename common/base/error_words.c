/* See error_words.h. */
#include "common/base/error_words.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "common/base/base.h"
#include "common/base/translate.h"

/* Errors that a player can cause or cure. For other errors, error_words() returns the C
 * library's text. */
static const struct {
    int error;
    const char *words;
} known[] = {
    {ENOENT, N_("No such file or directory")},
    {EACCES, N_("Permission denied")},
    {EEXIST, N_("File exists")},
    {EISDIR, N_("Is a directory")},
    {ENOTDIR, N_("Not a directory")},
    {EROFS, N_("Read-only file system")},
    {EFBIG, N_("File too large")},
    {EMFILE, N_("Too many open files")},
    {EPIPE, N_("Broken pipe")},
    {ENOSPC, N_("No space left on device")},
    {EADDRNOTAVAIL, N_("Cannot assign requested address")},
    {ECONNREFUSED, N_("Connection refused")},
    {ECONNRESET, N_("Connection reset by peer")},
    {ETIMEDOUT, N_("Connection timed out")},
    {ENETUNREACH, N_("Network is unreachable")},
    {EHOSTUNREACH, N_("No route to host")},
};

const char *error_words(int error)
{
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (known[i].error == error)
            return _(known[i].words);
    return strerror(error);
}
