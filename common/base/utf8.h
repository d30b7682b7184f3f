/* Decides which text may be shown and which may be a name. Check text from a peer here
 * before any use. Uses utf8proc for the Unicode tables; has no state. */
#ifndef COMMON_BASE_UTF8_H
#define COMMON_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/base.h"

/* The bytes that a name needs, with its NUL. A name has 2 to 16 letters, digits, _ or
 * -, or 2 to 8 Hangul syllables. */
#define NAME_BYTES 32

/* True when text is strict UTF-8 and every character in it is visible. False if the
 * text has controls, line breaks, bidi or zero-width characters, tags, invisible
 * fillers, unassigned or private characters, or more than four marks on one letter.
 * Decides by Unicode category, because glibc calls many of these characters
 * printable. */
bool utf8_is_showable(const char *text, size_t len) MUST_USE;

bool utf8_is_valid(const char *text, size_t len) MUST_USE;

/* True when the first character of a showable text can be seen by itself: it is neither
 * a space nor a mark, which would combine with the character before the text. */
bool utf8_begins_visibly(const char *text) MUST_USE;

/* Returns the number of terminal columns of a showable text. Hangul and hanja take two
 * each. */
int utf8_width(const char *text);

/* Returns the length in bytes of the first character of text; 0 at the end of text.
 * *columns gets its width. An invalid byte counts as a character of one column. */
size_t utf8_next(const char *text, int *columns);

/* Checks name and writes it to dst in NFC. dst needs NAME_BYTES. False: name is not a
 * valid name (length, characters, mixed scripts), or no account may have it. dst is ""
 * then. */
bool utf8_name(char *dst, const char *name) MUST_USE;

/* Returns reserved name number i, from 0, in lower case; NULL after the last. Reserved
 * names are words of the game, and names that could be taken for the server or its
 * staff. utf8_name() refuses the names from "red" to "host", which come first. It
 * accepts the others, because the person who runs a server may give them to its
 * staff. */
const char *utf8_reserved_name(size_t i);
/* True for a reserved name, and for a name that looks like one, also if digits, _ or -
 * stand around a name of the staff ("staff1", "_host"). Also true for a name that begins
 * with "admin", and for "player-" with a number, because erased accounts get such
 * names. */
bool utf8_is_reserved_name(const char *name);

/* True for a reserved name that the person who runs a server may give to its staff:
 * "root", "moderator" and others. False for a name that only looks like one of
 * these. */
bool utf8_is_staff_name(const char *name);

/* Writes the skeleton of a name: the name in NFC and lower case, with 0 replaced by o,
 * 1 and l by i, 5 by s, - by _, rn by m, and vv by w. Two names with the same skeleton
 * are easily confused. dst needs NAME_BYTES. */
void utf8_look_of_name(char *dst, const char *name);

/* Folds a name for comparison: NFC, letters in lower case. dst needs NAME_BYTES; it is
 * empty if name is not UTF-8 or too long. */
void utf8_fold_name(char *dst, const char *name);

/* Copies src to dst, which has size bytes. Replaces a backslash, and every byte that is
 * not allowed in a log or on a terminal, by \xNN. Cuts a result that is too long, but
 * never inside a \xNN. */
void utf8_escape(char *dst, size_t size, const char *src);

#endif
