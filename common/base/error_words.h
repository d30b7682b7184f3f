/* Describes an errno value in the reader's language. The C library can do that only
 * where the locale is installed. */
#ifndef COMMON_BASE_ERROR_WORDS_H
#define COMMON_BASE_ERROR_WORDS_H

/* Returns the description of the errno value `error`, for example "No such file or
 * directory". It is valid until the next call or until the language changes. */
const char *error_words(int error);

#endif
