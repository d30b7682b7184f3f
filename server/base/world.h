/* Pointers to all modules that a command may use. Defines nothing. */
#ifndef SERVER_BASE_WORLD_H
#define SERVER_BASE_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/types.h>

#include "server/base/access.h"

struct accounts;
struct admission;
struct contacts;
struct config;
struct doors;
struct evening_run;
struct evenings;
struct house;
struct listener;
struct lobby;
struct passes;
struct ratings;
struct rooms;
struct sessions;
struct shared_lists;
struct store;
struct tv;

typedef void world_change_fn(void *arg, const char *option, bool is_applied);

/* Functions of the server itself, for commands that need it. */
struct world_calls {
    /* The setting "name" has changed. */
    void (*on_named)(void *arg);
    /* Reads the certificate and the configuration files again, and applies what may
     * change without a restart. Calls see for each option that differs. Returns NULL,
     * or why no option was applied: a line for each error; the caller frees it. */
    char *(*on_reload)(void *arg, world_change_fn *see, void *see_arg);
    /* Called again and again while the server ends. True: the sessions may be closed, for
     * the reason *why, which may be another one now. */
    bool (*on_shutdown)(void *arg, const char **why);
};

struct world {
    const struct config *config;
    const struct listener *listener; /* NULL during the start */
    struct admission *admission;
    struct shared_lists *lists;
    struct store *store;
    struct accounts *accounts;
    struct ratings *ratings;
    struct house *house;
    struct passes *passes;
    struct doors *doors;
    struct sessions *sessions;
    struct rooms *rooms;
    struct lobby *lobby;
    struct tv *tv;
    struct contacts *contacts;
    struct evenings *evenings;
    struct evening_run *evening_run;
    struct access access; /* the present settings of access.h */
    char outside[64];     /* "ADDRESS:PORT" of the router that forwards our port; "" */
    SSL_CTX *tls;         /* the current certificate and key */
    const struct world_calls *calls;
    void *calls_arg;
    bool is_draining; /* no new game may start; drain.c writes this and ends_ms */
    int64_t ends_ms;  /* the announced shutdown; INT64_MAX: none */
};

#endif
