/* Reads translations from a file made by msgfmt (the .mo format of GNU gettext). We do
 * not use libintl, for two reasons. It translates nothing where only the locales C and
 * C.UTF-8 are installed, as on small systems and in containers. It also cannot change
 * the language while the program runs, which `set lang` needs. The caller chooses the
 * language and the file. */
#ifndef CLIENT_BASE_CATALOGUE_H
#define CLIENT_BASE_CATALOGUE_H

#include <stdbool.h>

#include "common/base/base.h"

struct catalogue;

/* Reads and checks the whole file at `path`. Returns NULL if the file is missing or
 * damaged, or if its language has more than one plural form, which translate.h does not
 * support. The caller owns the result. */
struct catalogue *catalogue_open(const char *path) MUST_USE;
void catalogue_close(struct catalogue *catalogue);

/* Returns the translation of `key`, borrowed from the catalogue, or NULL if the
 * catalogue has none. */
const char *catalogue_find(const struct catalogue *catalogue, const char *key);

#endif
