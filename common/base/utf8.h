/* What may be shown and what may be a name. Peer bytes are data until they have passed
 * here. Uses utf8proc for Unicode's tables; owns no state. */
#ifndef COMMON_BASE_UTF8_H
#define COMMON_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"

/* A name with its NUL: 2-16 letters, digits, _ or -, or 2-8 Hangul syllables. */
#define NAME_BYTES 32

/* True when text is strict UTF-8 and every character in it is one that shows: no
 * controls, no line breaks, no bidi or zero-width characters, no tags, no invisible
 * fillers, nothing unassigned or private. An allow-list by category, because glibc
 * calls many of those printable. */
bool utf8_is_showable(const char *text, size_t len) MUST_USE;

/* Columns that a showable text takes on a terminal (Hangul and hanja take two). */
int utf8_width(const char *text);

/* How many bytes the first character of text has, 0 at the end, and in *columns its
 * columns. What is not UTF-8 is a byte of one column. */
size_t utf8_next(const char *text, int *columns);

/* Checks name and writes it to dst in NFC. False: not a name (length, characters, mixed
 * scripts) or a reserved one. dst needs NAME_BYTES. */
bool utf8_name(char *dst, const char *name) MUST_USE;

/* Reserved names, in which the server or its host would seem to speak. The i-th of them,
 * folded; NULL after the last. */
const char *utf8_reserved_name(size_t i);
bool utf8_is_reserved_name(const char *name);

/* The form in which two names are compared: NFC, letters in lower case. dst NAME_BYTES;
 * empty for what can be no name. */
void utf8_fold_name(char *dst, const char *name);

/* src with every byte that may not stand in a log or on a terminal written as \xNN.
 * Cuts at the end of dst, never inside an escape. */
void utf8_escape(char *dst, size_t size, const char *src);

#endif
