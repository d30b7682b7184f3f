/* Manages the names that this user has at a server, and the keys that prove the names.
 * Also finds out which names other clients of this user are using now. So two clients
 * on one machine can play as two players, and get the same two names at the next start.
 * If a name is used for the first time while another client uses another name, the new
 * name gets its own key, in identity-NAME.key. All other names share the key in
 * identity.key. Does not open a connection. */
#ifndef CLIENT_BASE_PROFILE_H
#define CLIENT_BASE_PROFILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "client/base/link.h"
#include "client/base/prefs.h"
#include "common/base/base.h"
#include "common/base/utf8.h"
#include "common/net/tls.h"

struct profile {
    const struct prefs *prefs;       /* borrowed */
    char address[LINK_SERVER_BYTES]; /* of the server: "host:port" */
    char server[TLS_KEY_TEXT_BYTES]; /* the beginning of the server's key; "": not known
                                      * yet */
    int lock;                        /* descriptor of the lock file; -1: not open */
    int64_t awaited; /* offset in the lock file of the name for which profile_await()
                      * waits; 0: not waiting */
    char cert_path[PATH_MAX], key_path[PATH_MAX]; /* files of the key for the name in
                                                   * use */
    bool is_new_key;                              /* the name in use gets its own key,
                                                   * which did not exist before */
};

void profile_open(struct profile *profile, const struct prefs *prefs,
                  const struct link *server);
/* Unlocks the name in use, so that other clients can use it. */
void profile_close(struct profile *profile);

/* Sets the server's key: 22 to 43 characters, or "". Two addresses with the same key
 * are the same server. */
void profile_set_server(struct profile *profile, const char *key);

/* Looks through the remembered names for this server in order, until a name is free.
 * Writes the free name to `name`, and the first name that was in use to `busy`. If
 * there is no such name, writes "" instead. Returns false if all remembered names for
 * this server are in use. */
bool profile_recall(const struct profile *profile, char name[NAME_BYTES],
                    char busy[NAME_BYTES]) MUST_USE;

/* Writes a name to suggest to a user who has no remembered name: $USER or, if $USER is
 * not a valid name, "player". Adds a number if that name is in use. */
void profile_offer(const struct profile *profile, char out[NAME_BYTES]);

/* Locks `name` for this client, and sets cert_path and key_path to the files of its
 * key. Returns false if another client of this user has locked it; the paths are set
 * even then. */
bool profile_take(struct profile *profile, const char *name);
/* Locks the name that profile_take() could not lock, if the other client has released
 * it. Call it regularly. */
void profile_await(struct profile *profile);

/* Deletes the key that was created for the name in use, and switches to identity.key.
 * Call it if the server refuses the new key, because the server knows the name with
 * another key. Returns false if a key was not created for the name. */
bool profile_take_first_key(struct profile *profile);

/* Stores `name` after a successful login. It becomes the preferred name, unless another
 * client now uses another name at this server. */
void profile_remember(const struct profile *profile, const char *name);

/* Finds the key that `name` does not share with other names (identity-NAME.key). Writes
 * the path of its certificate to `cert`, and the path of the key to `key`. Returns
 * false if that key does not exist, or if --cert or --key was given. */
bool profile_own_key(const struct prefs *prefs, const char *name, char cert[PATH_MAX],
                     char key[PATH_MAX]);

#endif
