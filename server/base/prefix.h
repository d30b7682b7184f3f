/* A network prefix: an address and the number of its significant bits. A full-length
 * prefix is one host. Both families have one form: an IPv4 address a.b.c.d is
 * ::ffff:a.b.c.d. The functions make no system calls. */
#ifndef SERVER_BASE_PREFIX_H
#define SERVER_BASE_PREFIX_H

#include <stdbool.h>

#include "common/base/base.h"

struct sockaddr;

enum { PREFIX_TEXT_BYTES = 56, PREFIX_LIST_MAX = 16 };

/* Insignificant bits are 0, so equal prefixes have equal bytes. */
struct prefix {
    unsigned char bytes[16];
    unsigned char bits; /* 0-128; for IPv4, 96 plus the length: 120 for a /24 */
};

/* Returns the prefix that is the whole address of `from`, or ::/128 if the family is
 * neither IPv4 nor IPv6. */
struct prefix prefix_of_sockaddr(const struct sockaddr *from);

/* Parses "192.0.2.0/24", "192.0.2.7", "2001:db8::/32". False: not a prefix, or bits
 * after the prefix are set. */
bool prefix_parse(const char *text, struct prefix *out) MUST_USE;
/* Writes the text that prefix_parse() reads. */
void prefix_format(char out[PREFIX_TEXT_BYTES], const struct prefix *prefix);

struct prefix_list {
    struct prefix prefixes[PREFIX_LIST_MAX];
    int count;
};

/* Parses prefixes separated by commas or spaces. False: one of them is invalid, or
 * there are more than PREFIX_LIST_MAX. */
bool prefix_list_parse(const char *text, struct prefix_list *out);
/* True if one of the networks contains `inner`. */
bool prefix_list_has(const struct prefix_list *list, const struct prefix *inner);

bool prefix_is_v4(const struct prefix *prefix);
/* Returns the network that contains the address: its first v4_bits bits for IPv4, its
 * first v6_bits bits for IPv6. */
struct prefix prefix_network(const struct prefix *prefix, int v4_bits, int v6_bits);
/* Returns the prefix with only the first `bits` of its 128 bits. For IPv4 too, `bits`
 * counts from the first of the 128 bits, not from the first bit of the address. */
struct prefix prefix_cut(struct prefix prefix, int bits);
bool prefix_contains(const struct prefix *network, const struct prefix *inner);
bool prefix_equal(const struct prefix *a, const struct prefix *b);

#endif
