/* Translations from a file made by msgfmt (the .mo format of GNU gettext). We do not
 * use libintl: it translates nothing where only the locales C and C.UTF-8 are
 * installed, as on small systems and in containers, and it cannot change the language
 * while the program runs, which `set lang` does. This module chooses neither the
 * language nor the file. */
#ifndef CLIENT_BASE_CATALOGUE_H
#define CLIENT_BASE_CATALOGUE_H

#include <stdbool.h>

#include "common/base/base.h"

struct catalogue;

/* Reads and checks the whole file. Returns NULL if it is missing or damaged, or if its
 * language has more than one plural form, which translate.h does not support. The
 * caller owns the result. */
struct catalogue *catalogue_open(const char *path) MUST_USE;
void catalogue_close(struct catalogue *catalogue);

/* The translation of key, borrowed from the catalogue, or NULL. */
const char *catalogue_find(const struct catalogue *catalogue, const char *key);

#endif
