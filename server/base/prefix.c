/* See prefix.h. */
#include "server/base/prefix.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "common/base/text.h"

enum { V4_BITS = 96, WHOLE = 128 }; /* an IPv4 address follows the first 96 bits */

static const unsigned char v4_head[12] = {[10] = 0xff, [11] = 0xff};

static struct prefix prefix_of_v4(const void *bytes)
{
    struct prefix prefix = {.bits = WHOLE};

    memcpy(prefix.bytes, v4_head, sizeof v4_head);
    memcpy(prefix.bytes + sizeof v4_head, bytes, 4);
    return prefix;
}

static struct prefix prefix_of_v6(const void *bytes)
{
    struct prefix prefix = {.bits = WHOLE};

    memcpy(prefix.bytes, bytes, sizeof prefix.bytes);
    return prefix;
}

struct prefix prefix_of_sockaddr(const struct sockaddr *from)
{
    if (from->sa_family == AF_INET)
        return prefix_of_v4(
            &((const struct sockaddr_in *)(const void *)from)->sin_addr);
    if (from->sa_family == AF_INET6)
        return prefix_of_v6(
            &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr);
    return (struct prefix){.bits = WHOLE};
}

bool prefix_is_v4(const struct prefix *prefix)
{
    return prefix->bits >= V4_BITS &&
           memcmp(prefix->bytes, v4_head, sizeof v4_head) == 0;
}

struct prefix prefix_cut(struct prefix prefix, int bits)
{
    for (int i = 0; i < (int)sizeof prefix.bytes; i++) {
        int kept = bits - 8 * i;

        if (kept <= 0)
            prefix.bytes[i] = 0;
        else if (kept < 8)
            prefix.bytes[i] &= (unsigned char)(0xff << (8 - kept));
    }
    prefix.bits = (unsigned char)bits;
    return prefix;
}

struct prefix prefix_network(const struct prefix *prefix, int v4_bits, int v6_bits)
{
    int bits = prefix_is_v4(prefix) ? V4_BITS + v4_bits : v6_bits;

    return prefix_cut(*prefix, bits < prefix->bits ? bits : prefix->bits);
}

bool prefix_equal(const struct prefix *a, const struct prefix *b)
{
    return a->bits == b->bits && memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

bool prefix_contains(const struct prefix *network, const struct prefix *inner)
{
    struct prefix around = prefix_cut(*inner, network->bits);

    return inner->bits >= network->bits && prefix_equal(&around, network);
}

/* --- Text --- */

bool prefix_parse(const char *text, struct prefix *out)
{
    char address[PREFIX_TEXT_BYTES];
    unsigned char bytes[16];
    const char *slash = strchr(text, '/');
    size_t len = slash != NULL ? (size_t)(slash - text) : strlen(text);
    struct prefix whole;
    int64_t bits, max;

    if (len >= sizeof address)
        return false;
    memcpy(address, text, len);
    address[len] = '\0';
    if (inet_pton(AF_INET, address, bytes) == 1)
        whole = prefix_of_v4(bytes);
    else if (inet_pton(AF_INET6, address, bytes) == 1)
        whole = prefix_of_v6(bytes);
    else
        return false;
    max = strchr(address, ':') == NULL ? WHOLE - V4_BITS : WHOLE;
    bits = max;
    if (slash != NULL && !text_to_int(slash + 1, 0, max, &bits))
        return false;
    *out = prefix_cut(whole, (int)(WHOLE - max + bits));
    return memcmp(out->bytes, whole.bytes, sizeof out->bytes) == 0;
}

void prefix_format(char out[PREFIX_TEXT_BYTES], const struct prefix *prefix)
{
    bool is_v4 = prefix_is_v4(prefix);
    int bits = prefix->bits - (is_v4 ? V4_BITS : 0);
    char address[INET6_ADDRSTRLEN] = "?";

    inet_ntop(is_v4 ? AF_INET : AF_INET6, prefix->bytes + (is_v4 ? sizeof v4_head : 0),
              address, sizeof address);
    if (prefix->bits == WHOLE)
        snprintf(out, PREFIX_TEXT_BYTES, "%s", address);
    else
        snprintf(out, PREFIX_TEXT_BYTES, "%s/%d", address, bits);
}

bool prefix_list_parse(const char *text, struct prefix_list *out)
{
    char word[PREFIX_TEXT_BYTES];

    for (out->count = 0;; out->count++) {
        size_t len;

        text += strspn(text, ", ");
        len = strcspn(text, ", ");
        if (len == 0)
            return true;
        if (len >= sizeof word || out->count == PREFIX_LIST_MAX)
            return false;
        memcpy(word, text, len);
        word[len] = '\0';
        if (!prefix_parse(word, &out->prefixes[out->count]))
            return false;
        text += len;
    }
}

bool prefix_list_has(const struct prefix_list *list, const struct prefix *inner)
{
    for (int i = 0; i < list->count; i++)
        if (prefix_contains(&list->prefixes[i], inner))
            return true;
    return false;
}
