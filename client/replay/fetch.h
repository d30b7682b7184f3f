/* Reads a game from a file, or downloads its record from the server where it was played.
 * A download logs in as a guest, asks no question (an unknown key is refused), and
 * disconnects after the answer. */
#ifndef CLIENT_REPLAY_FETCH_H
#define CLIENT_REPLAY_FETCH_H

#include <stdbool.h>

#include "client/base/options.h"
#include "client/base/prefs.h"
#include "client/formats/records.h"

/* Codes of the options --from and --game. Every command that reads a game has these
 * options in its own table (options.h). */
enum fetch_option { FETCH_OPTION_FROM = 768, FETCH_OPTION_GAME };
/* Stores in *wish the value of one of these options, or of --rules, whose code is 'r'.
 * Returns false if `value` is invalid or `code` belongs to another option. */
bool fetch_take_option(struct records_wish *wish, int code, const char *value) MUST_USE;
/* Returns true if 1 to `most` arguments follow the options, or if --help was given.
 * Otherwise prints that a FILE is expected and returns false. */
bool fetch_has_file(const struct options *words, int most) MUST_USE;

/* Reads the game named by the words after the options: FILE or "-", LINK/NUMBER, or a
 * host and a number. Downloads the record of a game on a server. Returns false after
 * printing the reason on standard error. The caller frees *out with records_clear(). */
bool fetch_game(struct records_file *out, const struct prefs *prefs,
                const struct records_wish *wish, const struct options *words) MUST_USE;

/* Like fetch_game(), but for one word: the word with index `at` after the options. Word
 * 0 is FILE, "-" or LINK/NUMBER; a later word is the number of a game on the host that
 * word 0 names. */
bool fetch_game_at(struct records_file *out, const struct prefs *prefs,
                   const struct records_wish *wish, const struct options *words,
                   int at) MUST_USE;

#endif
