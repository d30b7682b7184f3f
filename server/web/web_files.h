/* The files of the page for browsers, as server/web/web_files.sh packed them into the
 * program at build time. */
#ifndef SERVER_WEB_WEB_FILES_H
#define SERVER_WEB_WEB_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct web_file {
    const char *name; /* "page.js"; NULL after the last */
    const char *type; /* its Content-Type */
    const unsigned char *bytes;
    size_t len;
    bool is_packed; /* with gzip */
};

extern const struct web_file web_files[];
/* The hash in the addresses of all files; it changes when any file changes. */
extern const char web_files_hash[];

#endif
