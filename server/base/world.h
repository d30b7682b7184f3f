/* Pointers to all modules that a command may use. */
#ifndef SERVER_BASE_WORLD_H
#define SERVER_BASE_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/types.h>

#include "server/base/access.h"
#include "server/base/closing.h"
#include "server/base/config.h"

struct accounts;
struct admission;
struct command;
struct config;
struct deadlines;
struct evening_run;
struct evenings;
struct host;
struct house;
struct listener;
struct lobby;
struct ratings;
struct reminders;
struct read_source;
struct rooms;
struct sessions;
struct shared_lists;
struct signed_records;
struct store;
struct tickets;
struct tls_key;
struct tv;

typedef void world_change_fn(void *arg, const char *option, bool is_applied);

/* Functions of the server itself, for commands that need them. */
struct world_calls {
    /* Called after the name of the server (the setting `name`) has changed. */
    void (*on_named)(void *arg);
    /* Reads the certificate and the configuration files again, and applies what may
     * change without a restart. Calls see for each option that differs. Returns NULL,
     * or why no option was applied: a line for each error; the caller frees it. */
    char *(*on_reload)(void *arg, world_change_fn *see, void *see_arg);
    /* Called again and again while the server ends. True: the sessions may be closed.
     * *why is the reason that is sent to the clients. The function can replace *why by
     * another reason. */
    bool (*on_shutdown)(void *arg, const char **why);
    /* Returns "HOST:PORT" of the node that has the games; "": unknown. */
    const char *(*leader_at)(void *arg);
};

struct world {
    const struct config *config;
    const struct listener *listener; /* NULL during the start */
    struct admission *admission;
    struct shared_lists *lists;
    struct store *store;
    struct deadlines *deadlines, *spans; /* on the wall clock; on the monotonic clock */
    struct read_source *read_sources; /* client addresses for which ended games are read
                                       * from disk now; only for meant.c */
    struct signed_records *records;   /* only for signed_record.c */
    struct accounts *accounts;
    struct ratings *ratings;
    struct house *house;
    struct tickets *tickets; /* of the accounts */
    struct sessions *sessions;
    struct rooms *rooms;
    struct lobby *lobby;
    struct tv *tv;
    struct reminders *reminders;
    struct evenings *evenings;
    struct evening_run *evening_run;
    struct access access; /* the present settings of access.h */
    char outside[64];     /* "ADDRESS:PORT" of the router that forwards our port; "":
                           * there is no such router */
    char web_origin[CONFIG_TEXT_BYTES + 32]; /* "https://HOST:PORT" for browsers; "":
                                              * not known, or no browser may connect */
    bool is_web_named;         /* HOST in web_origin is from the configuration or the
                        * certificate; false: it is an address of this machine */
    bool has_page;             /* the program contains the page for browsers */
    SSL_CTX *tls;              /* the current certificate and key */
    const struct tls_key *key; /* the digest of that key, which links contain */
    const struct command *const *host_verbs; /* verbs of the host alone; NULL after the
                                              * last */
    struct host *host;
    const struct world_calls *calls;
    void *calls_arg;
    struct closing closing; /* drain.c writes it */
    bool has_outage;        /* writes have to wait for the disk; data.c writes it */
};

#endif
