/* The languages of the pages for browsers without script: English, and the languages of
 * the files in client/po. The translations of these pages are compiled in
 * (web_words.awk). */
#ifndef SERVER_WEB_WEB_LANGUAGE_H
#define SERVER_WEB_WEB_LANGUAGE_H

#include "server/web/web_request.h"

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

/* Returns the language of the answer, such as "ko". If the server does not have the
 * language that the request asks for, returns "en". */
const char *web_language_of(const struct web_request *request);
/* Sets the language of this request: texts are translated into it (translate.h) until
 * web_language_end() is called. */
void web_language_begin(const struct web_request *request);
void web_language_end(void);

#endif
