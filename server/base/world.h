/* Pointers to what a command may reach. Nothing is defined here. */
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
    const struct listener *listener; /* NULL while starting */
    struct store *store;
    struct accounts *accounts;
    struct sessions *sessions;
    struct rooms *rooms;
    struct lobby *lobby;
    SSL_CTX *tls;     /* with the certificate and key as they are now */
    bool is_draining; /* no new game may begin; written by the drain, as is: */
    int64_t ends_ms;  /* the announced end; INT64_MAX for none */
};

#endif
