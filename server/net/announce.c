/* See announce.h. */
#include "server/net/announce.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "common/base/text.h"
#include "common/net/tls.h"
#include "server/base/config.h"
#include "server/net/listener.h"

enum { HOST_BYTES = CONFIG_TEXT_BYTES, LINK_HOST_BYTES = HOST_BYTES + 4 };

/* 10/8, 172.16/12, 192.168/16, 169.254/16: cannot be reached from another network. */
static bool is_private(struct in_addr address)
{
    uint32_t a = ntohl(address.s_addr);

    return a >> 24 == 10 || a >> 20 == 0xac1 || a >> 16 == 0xc0a8 || a >> 16 == 0xa9fe;
}

/* The first address of this machine that is not its own loopback. */
static bool guess_address(struct in_addr *out)
{
    struct ifaddrs *list, *i;
    bool is_found = false;

    if (getifaddrs(&list) != 0)
        return false;
    for (i = list; i != NULL && !is_found; i = i->ifa_next) {
        if (i->ifa_addr == NULL || i->ifa_addr->sa_family != AF_INET ||
            !(i->ifa_flags & IFF_UP) || (i->ifa_flags & IFF_LOOPBACK))
            continue;
        *out = ((struct sockaddr_in *)(void *)i->ifa_addr)->sin_addr;
        is_found = true;
    }
    freeifaddrs(list);
    return is_found;
}

/* The host of the links, and whether a word about private addresses is due. */
static bool choose_host(const struct config *config, const char *listens_on,
                        char host[HOST_BYTES])
{
    struct in_addr address;
    bool is_any =
        strncmp(listens_on, "[::]", 4) == 0 || strncmp(listens_on, "0.0.0.0", 7) == 0;

    if (config->public_name[0] != '\0') {
        text_copy(host, HOST_BYTES, config->public_name);
        return false;
    }
    if (!is_any) {
        text_copy(host, HOST_BYTES, listens_on);
        *strrchr(host, ':') = '\0';
        return false;
    }
    if (!guess_address(&address)) {
        text_copy(host, HOST_BYTES, "localhost");
        return false;
    }
    inet_ntop(AF_INET, &address, host, HOST_BYTES);
    return is_private(address);
}

/* The host of a link: its brackets would want quotes in a shell. */
static void escape_brackets(char link_host[LINK_HOST_BYTES], const char *host)
{
    struct text text = text_into(link_host, LINK_HOST_BYTES);

    link_host[0] = '\0';
    for (; *host != '\0'; host++)
        text_addf(&text, *host == '[' ? "%%5B" : *host == ']' ? "%%5D" : "%c", *host);
}

void announce_invite(struct text *out, const struct config *config,
                     const struct listener *listener, const struct tls_key *key,
                     const char *code)
{
    char where[LISTENER_NAME_BYTES], key_text[TLS_KEY_TEXT_BYTES], host[HOST_BYTES];
    char link_host[LINK_HOST_BYTES];
    int port = listener_port(listener);
    bool is_private_host;

    listener_name(listener, where);
    tls_key_format(key_text, key);
    is_private_host = choose_host(config, where, host);
    escape_brackets(link_host, host);
    text_addf(out,
              "Send this line to your opponent (one game, valid 24 h):\n\n"
              "  janggi janggi://%s:%d/join/%s/%.*s\n\nAnyone may watch:\n\n"
              "  janggi janggi://%s:%d/watch/%.*s\n\n",
              link_host, port, code, TLS_KEY_TEXT_SHORT, key_text, link_host, port,
              TLS_KEY_TEXT_SHORT, key_text);
    if (is_private_host)
        text_addf(out,
                  "%s is a private address. From outside your network use "
                  "--public-name NAME and forward port %d.\n",
                  host, port);
}

void announce(const struct config *config, const struct listener *listener,
              const struct tls_key *key, const char *code, bool is_new)
{
    char where[LISTENER_NAME_BYTES], key_text[TLS_KEY_TEXT_BYTES];
    char words[ANNOUNCE_BYTES];
    struct text text = text_into(words, sizeof words);

    listener_name(listener, where);
    tls_key_format(key_text, key);
    printf("janggid %s  data %s%s\n", JANGGI_VERSION, config->data,
           is_new ? "  (new: key and database made)" : "");
    printf("listening on %s (TLS 1.3)\n", where);
    printf("key %s\n", key_text);
    if (code != NULL) {
        announce_invite(&text, config, listener, key, code);
        printf("\n%sCtrl-C stops the server; games are kept.\n", words);
    }
    fflush(stdout);
}
