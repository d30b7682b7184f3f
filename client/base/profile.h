/* The names that this user has at a server, the keys that prove them, and which
 * names are in use by other clients of this user. Two clients on one machine are
 * therefore two players, and get the same two names again next time.
 *
 * A name that was first used while another one was in use has its own key, in
 * identity-NAME.key; identity.key proves all other names. Opens no connection. */
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
    char address[LINK_SERVER_BYTES]; /* of the server */
    char server[TLS_KEY_TEXT_BYTES]; /* the beginning of the server's key; "": not known
                                      * yet */
    int lock;                        /* descriptor of the lock file; -1: none */
    int64_t awaited; /* offset in the lock file of the wanted name while another
                      * client still has it locked; 0: none */
    char cert_path[PATH_MAX], key_path[PATH_MAX]; /* for the name in use */
    bool is_new_key;                              /* its own key was created just now */
};

void profile_open(struct profile *profile, const struct prefs *prefs,
                  const struct link *server);
/* Releases the name for other clients. */
void profile_close(struct profile *profile);

/* Sets the server's key: 22 to 43 characters, or "". Two addresses with the same key
 * are the same server. */
void profile_set_server(struct profile *profile, const char *key);

/* Writes to name the first remembered name that is free, and to busy the first one that
 * is in use; "": none. Returns false if no remembered name for this server is free. */
bool profile_recall(const struct profile *profile, char name[NAME_BYTES],
                    char busy[NAME_BYTES]) MUST_USE;

/* Suggests a name if none is remembered: $USER, with a number added if that name is in
 * use. */
void profile_offer(const struct profile *profile, char out[NAME_BYTES]);

/* Locks name for this client, and sets cert_path and key_path to the files of its key.
 * Returns false if another client of this user has locked it; the paths are set even
 * then. */
bool profile_take(struct profile *profile, const char *name);
/* Locks the wanted name as soon as the other client has released it. Call it now and
 * then. */
void profile_await(struct profile *profile);

/* Switches to identity.key and deletes the key that was created for the name, because
 * the server knows the name by another key. Returns false if no key was created. */
bool profile_take_first_key(struct profile *profile);

/* Stores name after a successful login. It becomes the preferred one, unless another
 * name is in use now. */
void profile_remember(const struct profile *profile, const char *name);

/* Writes the paths of name's own key. Returns false if it has none and is proved by
 * identity.key. */
bool profile_own_key(const struct prefs *prefs, const char *name, char cert[PATH_MAX],
                     char key[PATH_MAX]);

#endif
