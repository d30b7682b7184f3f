/* The keyboard and the network of a client, played by a test: what edit.c, net.c and isatty() do
 * that is the same in all tests. A file that includes this once defines the other functions. */
#ifndef TESTS_FUZZ_PLAYED_H
#define TESTS_FUZZ_PLAYED_H

#include <unistd.h>

#include "client/console/edit.h"
#include "client/net/net.h"

static const struct edit_calls *edit_calls; /* the client's callbacks for typed lines */
static void *edit_owner;
static const struct net_calls *net_calls; /* the client's callbacks for the network */
static void *net_owner;
static bool is_up, is_terminal;

bool edit_has_readline(void)
{
    return true;
}

struct edit *edit_open(struct event_base *base, const struct edit_options *options,
                       const struct edit_calls *calls, void *owner)
{
    edit_calls = calls;
    edit_owner = owner;
    return NULL;
}

int isatty(int fd)
{
    return is_terminal;
}

void edit_close(struct edit *edit)
{
}

void edit_hold(struct edit *edit, bool is_held)
{
}

int edit_columns(void)
{
    return 80;
}

struct net *net_new(struct event_base *base, SSL_CTX *ctx, const struct trust *trust,
                    const char *proxy, const struct net_calls *calls, void *owner)
{
    net_calls = calls;
    net_owner = owner;
    return NULL;
}

void net_free(struct net *net)
{
}

void net_set_reconnects(struct net *net, bool reconnects)
{
}

void net_start(struct net *net)
{
}

void net_rest(struct net *net)
{
}

void net_stop(struct net *net)
{
    is_up = false;
}

void net_set_ctx(struct net *net, SSL_CTX *ctx)
{
}

void net_drop(struct net *net)
{
}

bool net_is_up(const struct net *net)
{
    return is_up;
}

bool net_has_other_address(const struct net *net)
{
    return false;
}

#endif
