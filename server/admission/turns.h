/* The queue of callers that wait for a TLS handshake. They are not taken in the order
 * of arrival. Wide networks (IPv4 /16, IPv6 /32) take turns. Within a wide network, its
 * parts (IPv4 /24; IPv6 /48, then /56) take turns. Within a part, its sources (IPv4
 * /32, IPv6 /64) take turns. So a network with a thousand callers gets as many turns as
 * a network with a single caller. */
#ifndef SERVER_ADMISSION_TURNS_H
#define SERVER_ADMISSION_TURNS_H

#include <stdint.h>

#include "common/base/base.h"
#include "server/admission/crowd.h"
#include "server/base/prefix.h"

struct turns;
struct turns_node;

/* A caller in the queue. It is part of a larger struct, which belongs to the user of
 * this module. */
struct turn {
    struct turns_node *node; /* NULL: does not wait */
    int64_t since_ms;
    struct turn *prev, *next;     /* of the same source, in order of arrival */
    struct turn *older, *younger; /* of all sources, in order of arrival */
    struct crowd_member wide;     /* in the group of its wide network */
};

struct turns *turns_new(void) MUST_USE;
/* Frees the queue, which must be empty. Accepts NULL. */
void turns_free(struct turns *turns);

void turns_add(struct turns *turns, const struct prefix *from, struct turn *turn,
               int64_t now_ms);
/* Ignores a caller that does not wait. */
void turns_remove(struct turns *turns, struct turn *turn);

int turns_count(const struct turns *turns);
/* Returns the caller whose turn is next, and removes it from the queue. NULL: the queue
 * is empty. */
struct turn *turns_take(struct turns *turns);
/* Returns the caller that has waited longest, and leaves it in the queue. NULL: the
 * queue is empty. */
struct turn *turns_oldest(const struct turns *turns);
/* Returns the caller to evict when too many wait: the newest from the wide network with
 * the most callers. Leaves it in the queue. NULL: the queue is empty. */
struct turn *turns_least_entitled(const struct turns *turns);

#endif
