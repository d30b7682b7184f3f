/* The words of errno in the reader's language: the C library knows them only where the
 * locale is installed. */
#ifndef COMMON_BASE_ERROR_WORDS_H
#define COMMON_BASE_ERROR_WORDS_H

/* "No such file or directory". Valid until the next call or a change of the language. */
const char *error_words(int error);

#endif
