/* The names that this user has at a server, each with the key that proves it, and which
 * of them another client of this user has in use now. So two clients on one machine are
 * two players, and come back as the same two.
 *
 * A name that was first taken while another one was in use has a key of its own, in
 * identity-NAME.key; all others are proved by identity.key. Opens no connection. */
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
    char server[TLS_KEY_TEXT_BYTES]; /* the beginning of its key; "" not known yet */
    int lock;                        /* a descriptor; -1: none */
    int64_t awaited; /* a name of ours that another client has not let go of yet, as a
                        place in that file; 0: none */
    char cert_path[PATH_MAX], key_path[PATH_MAX]; /* of the name that was taken */
    bool is_new_key;                              /* it was made for this name, now */
};

void profile_open(struct profile *profile, const struct prefs *prefs,
                  const struct link *server);
/* The name is free for other clients from now on. */
void profile_close(struct profile *profile);

/* The server's key is known: 22 to 43 characters, or "". Two addresses with the same key
 * are one server. */
void profile_set_server(struct profile *profile, const char *key);

/* The name to go by, and one that comes before it and is in use ("": none). False: every
 * name that is remembered for this server is in use, or there is none. */
bool profile_recall(const struct profile *profile, char name[NAME_BYTES],
                    char busy[NAME_BYTES]) MUST_USE;

/* A name to offer where none is remembered: $USER, or with a number behind it if that
 * name is in use. */
void profile_offer(const struct profile *profile, char out[NAME_BYTES]);

/* From now on name is in use by us, and cert_path and key_path are those of its key.
 * False: another client of this user has it in use; the paths are set all the same. */
bool profile_take(struct profile *profile, const char *name);
/* Now and then: marks a name that was taken all the same as in use by us, as soon as the
 * other client has ended. */
void profile_await(struct profile *profile);

/* The server knows name by another key of ours: that of the other names. False: there is
 * nothing else to try. */
bool profile_take_first_key(struct profile *profile);

/* The server has taken us in by that name. It is the first to be recalled from now on,
 * unless another one is in use now. */
void profile_remember(const struct profile *profile, const char *name);

/* The files of name's own key. False: it has none, and is proved by identity.key. */
bool profile_own_key(const struct prefs *prefs, const char *name, char cert[PATH_MAX],
                     char key[PATH_MAX]);

#endif
