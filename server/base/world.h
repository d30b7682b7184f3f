/* Pointers to everything that a command may use. Defines nothing. */
#ifndef SERVER_BASE_WORLD_H
#define SERVER_BASE_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/types.h>

struct accounts;
struct config;
struct listener;
struct lobby;
struct rooms;
struct sessions;
struct store;

struct world {
    const struct config *config;
    const struct listener *listener; /* NULL during the start */
    struct store *store;
    struct accounts *accounts;
    struct sessions *sessions;
    struct rooms *rooms;
    struct lobby *lobby;
    SSL_CTX *tls;     /* the current certificate and key */
    bool is_draining; /* no new game may begin; written by drain.c, as is the next */
    int64_t ends_ms;  /* the announced shutdown; INT64_MAX: none */
};

#endif
