/* See announce.h. */
#include "server/net/announce.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <openssl/x509v3.h>

#include "common/base/address.h"
#include "common/base/text.h"
#include "common/net/tls.h"
#include "server/base/config.h"
#include "server/base/world.h"
#include "server/net/listener.h"
#include "server/net/portmap.h"

enum {
    HOST_BYTES = CONFIG_TEXT_BYTES,
    SERVER_BYTES = HOST_BYTES + 16, /* a host with brackets and a port */
    ADDRESSES_MAX = 8
};

/* --- Where this machine can be reached --- */

struct addresses {
    char text[ADDRESSES_MAX][INET6_ADDRSTRLEN];
    int count;
};

static void add(struct addresses *found, const struct sockaddr *address)
{
    const struct sockaddr_in *four = (const void *)address;
    const struct sockaddr_in6 *six = (const void *)address;
    char *out;

    if (found->count == ADDRESSES_MAX)
        return;
    out = found->text[found->count];
    if (address->sa_family == AF_INET)
        inet_ntop(AF_INET, &four->sin_addr, out, INET6_ADDRSTRLEN);
    else if (!IN6_IS_ADDR_LINKLOCAL(&six->sin6_addr)) /* a link-local address would need
                                                       * a zone as well */
        inet_ntop(AF_INET6, &six->sin6_addr, out, INET6_ADDRSTRLEN);
    else
        return;
    found->count++;
}

/* Adds the addresses of one family, in the order in which the system lists them. */
static void add_interfaces(struct addresses *found, const struct ifaddrs *list,
                           int family)
{
    for (const struct ifaddrs *i = list; i != NULL; i = i->ifa_next)
        if (i->ifa_addr != NULL && i->ifa_addr->sa_family == family &&
            (i->ifa_flags & IFF_UP) && !(i->ifa_flags & IFF_LOOPBACK))
            add(found, i->ifa_addr);
}

/* Finds the addresses of this machine to which other machines can connect, IPv4 first.
 * host: the listening address without brackets. */
static struct addresses find_addresses(const char *host)
{
    struct addresses found = {.count = 0};
    bool is_any = strcmp(host, "::") == 0;
    struct ifaddrs *list;

    if (!is_any && strcmp(host, "0.0.0.0") != 0) {
        if (!address_is_loopback(host))
            text_copy(found.text[found.count++], INET6_ADDRSTRLEN, host);
        return found;
    }
    if (getifaddrs(&list) != 0)
        return found;
    add_interfaces(&found, list, AF_INET);
    if (is_any)
        add_interfaces(&found, list, AF_INET6);
    freeifaddrs(list);
    return found;
}

/* Writes the host of the listening address, such as "::" for "[::]:9032". */
static void listening_host(const struct listener *listener, char host[HOST_BYTES])
{
    const char *where = listener_name(listener);
    bool has_brackets = where[0] == '[';

    text_copy(host, HOST_BYTES, where + has_brackets);
    *strrchr(host, has_brackets ? ']' : ':') = '\0';
}

/* --- Its name in links --- */

/* Writes "host:9032", or "[v6]:9032" for an IPv6 address. */
static void format_server(char out[SERVER_BYTES], const char *host, int port)
{
    struct text text = text_into(out, SERVER_BYTES);
    bool is_v6 = host[0] != '[' && strchr(host, ':') != NULL;

    text_addf(&text, is_v6 ? "[%s]:%d" : "%s:%d", host, port);
}

/* Writes the configured public name, with a port. False: no name is configured, or it
 * is not a host. */
static bool public_server(const struct config *config, int port, char out[SERVER_BYTES])
{
    const char *name = config->public_name, *colon = strrchr(name, ':');

    if (name[0] == '\0' || strcspn(name, " \t\",/") != strlen(name))
        return false;
    /* "host:80" and "[v6]:80"; several colons without brackets are an IPv6 address */
    if (colon != NULL &&
        (name[0] == '[' ? colon[-1] == ']' : strchr(name, ':') == colon))
        return text_copy(out, SERVER_BYTES, name);
    format_server(out, name, port);
    return true;
}

/* Chooses the "HOST:PORT" that the links contain, and writes it to `server`. Also
 * writes its HOST alone to `host`: the caller can see from it whether the address is
 * private or loopback. */
static void choose_server(const struct world *world, char host[HOST_BYTES],
                          char server[SERVER_BYTES])
{
    int port = listener_port(world->listener);
    struct addresses found;

    text_copy(host, HOST_BYTES, world->config->public_name);
    if (public_server(world->config, port, server))
        return;
    listening_host(world->listener, host);
    found = find_addresses(host);
    if (found.count > 0)
        text_copy(host, HOST_BYTES, found.text[0]);
    else if (!address_is_loopback(host))
        text_copy(host, HOST_BYTES, "localhost");
    format_server(server, host, port);
}

void announce_server(struct text *out, const struct world *world)
{
    char host[HOST_BYTES], server[SERVER_BYTES];

    choose_server(world, host, server);
    text_add(out, server);
}

void announce_places(struct text *out, const struct world *world, bool is_near)
{
    char host[HOST_BYTES], server[SERVER_BYTES];
    int port = listener_port(world->listener);
    struct addresses found;

    if (public_server(world->config, port, server)) {
        text_addf(out, " public=%s", server);
    } else if (world->outside[0] != '\0') {
        text_addf(out, " public=%s", world->outside);
    } else if (is_near) {
        listening_host(world->listener, host);
        found = find_addresses(host);
        for (int i = 0; i < found.count; i++) {
            format_server(server, found.text[i], port);
            text_addf(out, "%s%s", i == 0 ? " addresses=" : ",", server);
        }
    }
}

/* Adds the link "janggi://SERVER/WORD/CODE/KEY", without "/CODE" if `code` is "". */
static void add_link_to(struct text *out, const char *server, const struct tls_key *key,
                        const char *word, const char *code)
{
    char key_text[TLS_KEY_TEXT_BYTES];

    tls_key_format(key_text, key);
    text_add(out, "janggi://");
    for (; *server != '\0'; server++) /* a shell would interpret brackets */
        text_addf(out,
                  *server == '['   ? "%%5B"
                  : *server == ']' ? "%%5D"
                                   : "%c",
                  *server);
    text_addf(out, "/%s%s%s/%.*s", word, code[0] != '\0' ? "/" : "", code,
              TLS_KEY_TEXT_SHORT, key_text);
}

static void add_link(struct text *out, const struct world *world, const char *word,
                     const char *code)
{
    char host[HOST_BYTES], server[SERVER_BYTES];

    choose_server(world, host, server);
    add_link_to(out, server, world->key, word, code);
}

/* Adds the same link for people outside our network, if the router forwards a port. */
static void add_outside_link(struct text *out, const struct world *world,
                             const char *word, const char *code)
{
    if (world->outside[0] == '\0')
        return;
    text_add(out, "From outside your network, the link in that line is:\n\n  ");
    add_link_to(out, world->outside, world->key, word, code);
    text_add(out, "\n\n");
}

static void add_advice(struct text *out, const char *host, int port)
{
    if (address_is_private(host))
        text_addf(out,
                  "%s is a private address, which works only in its own network.\n"
                  "For others use --public-name NAME and forward port %d.\n",
                  host, port);
    else if (address_is_loopback(host))
        text_addf(
            out,
            "%s is this machine alone. For other machines use --public-name NAME.\n",
            host);
}

/* --- Its name for browsers --- */

/* Finds the first host name in the certificate that is not a pattern ("*..."). */
static bool first_host(const X509 *cert, char host[HOST_BYTES])
{
    GENERAL_NAMES *names = X509_get_ext_d2i(cert, NID_subject_alt_name, NULL, NULL);
    bool is_found = false;

    for (int i = 0; !is_found && i < sk_GENERAL_NAME_num(names); i++) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
        const char *text;

        if (name->type != GEN_DNS)
            continue;
        text = (const char *)ASN1_STRING_get0_data(name->d.dNSName);
        is_found = text[0] != '*' && text[0] != '\0' &&
                   strlen(text) == (size_t)ASN1_STRING_length(name->d.dNSName) &&
                   text_copy(host, HOST_BYTES, text);
    }
    GENERAL_NAMES_free(names);
    return is_found;
}

/* True if browsers accept this certificate for the host, or if the certificate names no
 * host. If this server made the certificate itself, the certificate names no host.
 * web.c makes a similar check for each request. */
static bool is_served(const X509 *cert, const char *host)
{
    bool has_names =
        cert != NULL && X509_get_ext_by_NID(cert, NID_subject_alt_name, -1) >= 0;
    X509 *own = has_names ? X509_dup(cert) : NULL;
    bool is_served =
        !has_names || (own != NULL && (X509_check_ip_asc(own, host, 0) == 1 ||
                                       X509_check_host(own, host, 0, 0, NULL) == 1));

    X509_free(own);
    return is_served;
}

bool announce_origin(struct text *out, const struct world *world, const X509 *cert)
{
    char host[HOST_BYTES], server[SERVER_BYTES];
    bool is_chosen = public_server(world->config, 0, server);
    struct address split;

    if (config_web(world->config) == CONFIG_WEB_OFF)
        return false;
    if (world->config->web_origin[0] != '\0') {
        text_add(out, world->config->web_origin);
        return true;
    }
    choose_server(world, host, server);
    if (address_split(server, strlen(server), &split)) {
        memcpy(host, split.host, split.host_len);
        host[split.host_len] = '\0';
    }
    if (!is_served(cert, host)) {
        if (!first_host(cert, host))
            return false;
        format_server(server, host, listener_port(world->listener));
        is_chosen = true;
    }
    text_addf(out, "https://%s", server);
    return is_chosen;
}

/* Adds links for friends with a browser: a link to play in the game of the invitation
 * `code`, and a link to watch. If browsers see games only as text, adds only the link
 * to watch. */
static void add_web_lines(struct text *out, const struct world *world, const char *code)
{
    if (config_web(world->config) == CONFIG_WEB_OFF)
        return;
    if (world->web_origin[0] == '\0') {
        text_add(out, "There is no link for browsers: the certificate names no host.\n"
                      "Set --web-origin to the address at which they reach this "
                      "server.\n\n");
        return;
    }
    text_addf(out, "In a browser, %s:\n\n",
              world->has_page ? "with nothing to install" : "as text");
    if (world->has_page && config_web(world->config) == CONFIG_WEB_PLAY)
        text_addf(out, "  %s/join#%s\n", world->web_origin, code);
    text_addf(out, "  %s/\n\n", world->web_origin);
}

void announce_invite(struct text *out, const struct world *world, const char *code)
{
    char host[HOST_BYTES], server[SERVER_BYTES];

    text_add(out, "You and your opponent both open this line (one game, valid 24 h):"
                  "\n\n  janggi ");
    add_link(out, world, "join", code);
    text_add(out, "\n\nAnyone may watch:\n\n  janggi ");
    add_link(out, world, "watch", "");
    text_add(out, "\n\n");
    choose_server(world, host, server);
    add_web_lines(out, world, code);
    add_advice(out, host, listener_port(world->listener));
}

bool announce_is_private(const struct world *world)
{
    char host[HOST_BYTES], server[SERVER_BYTES];

    choose_server(world, host, server);
    return address_is_private(host);
}

void announce_outside(struct text *out, const struct world *world, const char *code)
{
    text_addf(out, "Your router forwards %s to this server.\n", world->outside);
    if (code == NULL)
        return;
    text_add(out, "Send this line to an opponent outside your network:\n\n  janggi ");
    add_link_to(out, world->outside, world->key, "join", code);
    text_add(out, "\n\n");
}

void announce_no_outside(struct text *out, const struct portmap_news *news, int port)
{
    text_add(out, "Nobody outside your network can connect: ");
    if (news->result == PORTMAP_PRIVATE)
        text_addf(out,
                  "your router's own address, %s, is private.\nYour provider shares "
                  "one address among several customers, so forwarding does not help.\n",
                  news->address);
    else if (news->result == PORTMAP_REFUSED)
        text_addf(out,
                  "your router refused port %d (%s);\nit is taken, or the router has "
                  "no public address itself, or does not "
                  "allow this.\n",
                  port, news->way);
    else if (news->result == PORTMAP_TAKEN)
        text_addf(out,
                  "your router forwards port %d to another address in your network "
                  "(%s).\nChoose another port with --listen, or end that in the "
                  "router's settings.\n",
                  port, news->way);
    else if (news->result == PORTMAP_NONE)
        text_addf(out,
                  "no router answered (NAT-PMP, UPnP).\nForward TCP port %d to this "
                  "machine in your router's settings.\n",
                  port);
    else
        text_addf(out,
                  "this program was built without libminiupnpc and libnatpmp.\n"
                  "Forward TCP port %d to this machine in your router's settings.\n",
                  port);
    text_add(out, "janggid(8), AT HOME, has other ways.\n");
}

void announce_door(struct text *out, const struct world *world, const char *code,
                   int uses, int days)
{
    char host[HOST_BYTES], server[SERVER_BYTES];

    text_addf(out,
              "Send this line to people who are to become members (at most %d, within "
              "%d days):\n\n  janggi ",
              uses, days);
    add_link(out, world, "enter", code);
    text_add(out, "\n\n");
    choose_server(world, host, server);
    add_advice(out, host, listener_port(world->listener));
    add_outside_link(out, world, "enter", code);
}

void announce_owner(struct text *out, const struct world *world, const char *code,
                    int minutes)
{
    text_addf(out,
              "This line makes the person who opens it an owner of this server.\n"
              "It works once, within %d min. Keep it to yourself:\n\n  janggi ",
              minutes);
    add_link(out, world, "owner", code);
    text_add(out, "\n\n");
    add_outside_link(out, world, "owner", code);
}

/* The link contains the server's key, so that a client that has lost its data trusts
 * the server. */
void announce_reset(struct text *out, const struct world *world, const char *name,
                    const char *code, int hours)
{
    text_addf(out,
              "The person who types this line within %d h logs in as %s with a new "
              "key, and all\n"
              "earlier keys become invalid. Make sure that it is %s who asks you.\n"
              "\n"
              "  janggi -n %s device ",
              hours, name, name, name);
    add_link(out, world, "watch", "");
    text_addf(out, " %s\n", code);
    add_outside_link(out, world, "watch", "");
}

void announce(const struct world *world, const char *code, bool is_new)
{
    char key_text[TLS_KEY_TEXT_BYTES], words[ANNOUNCE_BYTES];
    struct text text = text_into(words, sizeof words);

    tls_key_format(key_text, world->key);
    printf("janggid %s  data %s%s\n", JANGGI_VERSION, world->config->data,
           is_new ? "  (new: key and database made)" : "");
    printf("listening on %s (TLS 1.3)\n", listener_name(world->listener));
    printf("key %s\n", key_text);
    if (config_web(world->config) != CONFIG_WEB_OFF && !world->has_page)
        printf("no page for browsers: this program was built without clang for "
               "wasm32-wasi.\n"
               "They see the games as text, and cannot play.\n");
    if (code != NULL) {
        announce_invite(&text, world, code);
        printf("\n%sCtrl-C stops the server; games are kept.\n", words);
    }
    fflush(stdout);
}
