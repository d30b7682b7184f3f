/* What is packed into the program at build time: the files of the page for browsers
 * (web_files.sh), and the translations of the pages for browsers without script, which are
 * in English and in the languages of client/po (web_words.awk). */
#ifndef SERVER_WEB_WEB_FILES_H
#define SERVER_WEB_WEB_FILES_H

#include <stddef.h>

struct web_file {
    const char *name; /* "page.js"; NULL after the last */
    const char *type; /* its Content-Type */
    const unsigned char *bytes;
    size_t len;
    const unsigned char
        *packed; /* the same with gzip; NULL: page.html, which is not sent as it is */
    size_t packed_len;
};

extern const struct web_file web_files[];
/* The hash in the addresses of all files; it changes when any file changes. */
extern const char web_files_hash[];

/* One text and its translation. The element after the last has key NULL. */
struct web_words {
    const char *key; /* as in translate.h */
    const char *words;
};

/* A language and its texts. The element after the last has name NULL. */
struct web_language {
    const char *name; /* "ko" */
    const struct web_words *words;
};

extern const struct web_language web_languages[];

#endif
