/* Tests of server/net/announce: the address in links, on machines of all kinds. The
 * test provides the list of the machine's addresses and the listening address. */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include <openssl/x509v3.h>

#include "common/base/base.h"
#include "common/base/text.h"
#include "common/net/tls.h"
#include "server/base/config.h"
#include "server/base/world.h"
#include "server/net/announce.h"
#include "server/net/listener.h"
#include "server/net/portmap.h"
#include "tests/unit/unit.h"

/* --- The machine --- */

struct interface {
    unsigned flags;
    const char *address; /* NULL: it has none */
};

enum { INTERFACES_MAX = 6 };
static const struct interface *machine; /* INTERFACES_MAX entries (flags 0: not used);
                                         * NULL: getifaddrs() fails */
static const char *listens_on;
static struct ifaddrs list[INTERFACES_MAX];
static struct sockaddr_storage addresses[INTERFACES_MAX];
static int lists_open;

static struct sockaddr *address_of(struct sockaddr_storage *into, const char *text)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)(void *)into;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)(void *)into;

    if (text == NULL)
        return NULL;
    *into = (struct sockaddr_storage){.ss_family = AF_INET};
    if (inet_pton(AF_INET, text, &v4->sin_addr) != 1) {
        into->ss_family = AF_INET6;
        assert_int_equal(inet_pton(AF_INET6, text, &v6->sin6_addr), 1);
    }
    return (struct sockaddr *)into;
}

int __wrap_getifaddrs(struct ifaddrs **out);
void __wrap_freeifaddrs(struct ifaddrs *given);
const char *__wrap_listener_name(const struct listener *listener);
int __wrap_listener_port(const struct listener *listener);

int __wrap_getifaddrs(struct ifaddrs **out)
{
    if (machine == NULL)
        return -1;
    *out = NULL;
    for (int i = INTERFACES_MAX - 1; i >= 0; i--) {
        if (machine[i].flags == 0)
            continue;
        list[i] =
            (struct ifaddrs){.ifa_next = *out,
                             .ifa_flags = machine[i].flags,
                             .ifa_addr = address_of(&addresses[i], machine[i].address)};
        *out = &list[i];
    }
    lists_open++;
    return 0;
}

void __wrap_freeifaddrs(struct ifaddrs *given)
{
    lists_open--;
}

const char *__wrap_listener_name(const struct listener *listener)
{
    return listens_on;
}

int __wrap_listener_port(const struct listener *listener)
{
    return 9032;
}

/* --- What is announced --- */

static const struct interface at_home[INTERFACES_MAX] = {
    {IFF_UP, NULL},           {IFF_UP | IFF_LOOPBACK, "127.0.0.1"},
    {IFF_UP, "2001:db8::7"},  {IFF_BROADCAST, "203.0.113.5"}, /* which is not up */
    {IFF_UP, "192.168.1.20"}, {IFF_UP, "203.0.113.9"},
};

/* Returns the configuration of a server that listens on `address`. Its machine has
 * these interfaces. */
static struct config config_of(const char *address, const char *public_name,
                               const struct interface *interfaces)
{
    struct config config;

    config_init(&config);
    snprintf(config.public_name, sizeof config.public_name, "%s", public_name);
    machine = interfaces;
    listens_on = address;
    return config;
}

static char said[ANNOUNCE_BYTES];
static const struct tls_key server_key;

static void announce_on(const char *address, const char *public_name,
                        const struct interface *interfaces)
{
    struct text text = text_into(said, sizeof said);
    struct config config = config_of(address, public_name, interfaces);

    announce_invite(&text, &(struct world){.config = &config, .key = &server_key},
                    "K7Q2-9F3M");
    assert_int_equal(lists_open, 0);
}

static void links_name(const char *host, bool is_private)
{
    char start[100];

    snprintf(start, sizeof start, "\n  janggi janggi://%s:9032/join/K7Q2-9F3M/", host);
    assert_non_null(strstr(said, start));
    snprintf(start, sizeof start, "\n  janggi janggi://%s:9032/watch/", host);
    assert_non_null(strstr(said, start));
    assert_int_equal(strstr(said, "private address") != NULL, is_private);
}

UNIT_TEST(an_ipv4_address_that_is_up_is_taken)
{
    announce_on("[::]:9032", "", at_home);
    links_name("192.168.1.20", true);
    announce_on("0.0.0.0:9032", "", at_home);
    links_name("192.168.1.20", true);
}

UNIT_TEST(an_address_is_found_among_other_interfaces)
{
    static const struct interface machines[][INTERFACES_MAX] = {
        {{IFF_UP, "203.0.113.9"}, {IFF_UP, "2001:db8::7"}},
        {{IFF_UP, "2001:db8::7"}, {IFF_UP, "203.0.113.9"}},
        {{IFF_UP, "203.0.113.9"},
         {IFF_UP, "10.0.0.1"},
         {IFF_UP | IFF_LOOPBACK, "127.0.0.1"}},
    };

    for (size_t i = 0; i < ARRAY_LEN(machines); i++) {
        announce_on("0.0.0.0:9032", "", machines[i]);
        links_name("203.0.113.9", false);
    }
}

UNIT_TEST(without_an_ipv4_address_an_ipv6_address_is_used)
{
    static const struct interface six[INTERFACES_MAX] = {
        {IFF_UP | IFF_LOOPBACK, "127.0.0.1"},
        {IFF_UP, "fe80::1"}, /* which is useless without a zone */
        {IFF_UP, "2001:db8::7"}};

    announce_on("[::]:9032", "", six);
    links_name("%5B2001:db8::7%5D", false);
    announce_on("0.0.0.0:9032", "", six); /* which accepts no IPv6 connections */
    links_name("localhost", false);
}

UNIT_TEST(without_an_address_the_link_names_this_machine)
{
    static const struct interface alone[INTERFACES_MAX] = {
        {IFF_UP | IFF_LOOPBACK, "127.0.0.1"}, {IFF_UP, "fe80::1"}};

    announce_on("[::]:9032", "", alone);
    links_name("localhost", false);
    assert_non_null(strstr(said, "localhost is this machine alone"));
    announce_on("[::]:9032", "", NULL);
    links_name("localhost", false);
    announce_on("[::]:9032", "", at_home);
    assert_null(strstr(said, "this machine alone"));
}

UNIT_TEST(private_addresses_are_told_as_such)
{
    static const struct {
        const char *address;
        bool is_private;
    } cases[] = {
        {"10.0.0.1", true},     {"10.255.255.254", true},
        {"11.0.0.1", false},    {"9.255.255.255", false},
        {"172.16.0.1", true},   {"172.31.255.254", true},
        {"172.32.0.1", false},  {"172.15.255.254", false},
        {"192.168.0.1", true},  {"192.168.255.254", true},
        {"192.169.0.1", false}, {"192.167.255.254", false},
        {"169.254.3.4", true},  {"169.253.3.4", false},
        {"203.0.113.9", false},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct interface one[INTERFACES_MAX] = {{IFF_UP, cases[i].address}};

        announce_on("0.0.0.0:9032", "", one);
        links_name(cases[i].address, cases[i].is_private);
    }
}

UNIT_TEST(an_option_of_the_host_has_priority)
{
    announce_on("[::]:9032", "janggi.example.org", at_home);
    links_name("janggi.example.org", false);
    announce_on("127.0.0.1:9032", "", at_home);
    links_name("127.0.0.1", false);
    announce_on("[2001:db8::1]:9032", "", at_home); /* a shell would interpret the
                                                     * brackets */
    links_name("%5B2001:db8::1%5D", false);
}

UNIT_TEST(a_public_name_may_have_a_port)
{
    announce_on("[::]:9032", "janggi.example.org:19032", at_home);
    assert_non_null(strstr(said, "janggi://janggi.example.org:19032/join/"));
    announce_on("[::]:9032", "[2001:db8::9]:19032", at_home);
    assert_non_null(strstr(said, "janggi://%5B2001:db8::9%5D:19032/join/"));
    announce_on("[::]:9032", "2001:db8::9", at_home);
    links_name("%5B2001:db8::9%5D", false);
}

/* --- The addresses in the answer to invite --- */

static void places_are(const char *wanted, const char *address, const char *public_name,
                       bool is_near)
{
    char places[512];
    struct text text = text_into(places, sizeof places);
    struct config config = config_of(address, public_name, at_home);

    announce_places(&text, &(struct world){.config = &config}, is_near);
    assert_string_equal(places, wanted);
    assert_int_equal(lists_open, 0);
}

UNIT_TEST(the_public_name_is_for_everybody)
{
    places_are(" public=janggi.example.org:9032", "[::]:9032", "janggi.example.org",
               true);
    places_are(" public=janggi.example.org:9032", "127.0.0.1:9032",
               "janggi.example.org", false);
}

UNIT_TEST(addresses_are_for_this_machine)
{
    places_are(" addresses=192.168.1.20:9032,203.0.113.9:9032,[2001:db8::7]:9032",
               "[::]:9032", "", true);
    places_are(" addresses=192.168.1.20:9032,203.0.113.9:9032", "0.0.0.0:9032", "",
               true);
    places_are(" addresses=192.168.1.20:9032", "192.168.1.20:9032", "", true);
    places_are("", "[::]:9032", "", false);
    places_are("", "127.0.0.1:9032", "", true);
    places_are("", "[::1]:9032", "", true);
}

UNIT_TEST(unusable_addresses_are_left_out)
{
    places_are("", "127.0.0.1:9032", "my board", true);
    places_are("", "127.0.0.1:9032", "a\"b", true);
    places_are("", "127.0.0.1:9032", "a,b", true);
}

UNIT_TEST(a_forwarded_port_is_for_everybody)
{
    char places[512];
    struct text text = text_into(places, sizeof places);
    struct config config = config_of("[::]:9032", "", at_home);
    const struct world world = {.config = &config, .outside = "9.9.9.1:9032"};

    announce_places(&text, &world, false);
    assert_string_equal(places, " public=9.9.9.1:9032");
    assert_true(announce_is_private(&world));
    snprintf(config.public_name, sizeof config.public_name, "board.example");
    text = text_into(places, sizeof places);
    announce_places(&text, &world, false);
    assert_string_equal(places, " public=board.example:9032");
    assert_false(announce_is_private(&world));
}

UNIT_TEST(each_reason_is_shown)
{
    static const struct {
        struct portmap_news news;
        const char *words;
    } rows[] = {
        {{.result = PORTMAP_NONE}, "no router answered"},
        {{.result = PORTMAP_PRIVATE, .address = "100.64.7.1"},
         "100.64.7.1, is private"},
        {{.result = PORTMAP_REFUSED, .way = "UPnP"}, "refused port 9032 (UPnP)"},
        {{.result = PORTMAP_TAKEN, .way = "UPnP"},
         "forwards port 9032 to another address in your network (UPnP)"},
        {{.result = PORTMAP_NO_WAY}, "without libminiupnpc"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char words[ANNOUNCE_BYTES];
        struct text text = text_into(words, sizeof words);

        announce_no_outside(&text, &rows[i].news, 9032);
        assert_non_null(strstr(words, rows[i].words));
        assert_non_null(strstr(words, "AT HOME"));
    }
}

UNIT_TEST(browsers_get_lines_of_their_own)
{
    static const struct {
        const char *web, *origin, *has, *lacks;
    } rows[] = {
        {"off", "", "janggi janggi://", "https://"},
        {"watch", "", "\n  https://192.168.1.20:9032/\n", "#"},
        {"play", "", "\n  https://192.168.1.20:9032/join#K7Q2-9F3M\n", "//join"},
        {"play", "https://club.example", "\n  https://club.example/join#K7Q2-9F3M\n",
         "https://192"},
    };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct config config = config_of("0.0.0.0:9032", "", at_home);
        struct world world = {.config = &config, .key = &server_key, .has_page = true};
        struct text text = text_into(world.web_origin, sizeof world.web_origin);

        snprintf(config.web, sizeof config.web, "%s", rows[i].web);
        snprintf(config.web_origin, sizeof config.web_origin, "%s", rows[i].origin);
        announce_origin(&text, &world, NULL);
        text = text_into(said, sizeof said);
        announce_invite(&text, &world, "K7Q2-9F3M");
        assert_non_null(strstr(said, rows[i].has));
        assert_null(strstr(said, rows[i].lacks));
    }
}

UNIT_TEST(without_the_page_no_link_to_a_seat_is_printed)
{
    struct text text = text_into(said, sizeof said);
    struct config config = config_of("0.0.0.0:9032", "", at_home);

    snprintf(config.web, sizeof config.web, "play");
    announce_invite(&text,
                    &(struct world){.config = &config,
                                    .key = &server_key,
                                    .web_origin = "https://192.168.1.20:9032"},
                    "K7Q2-9F3M");
    assert_non_null(strstr(said, "In a browser, as text:\n\n"
                                 "  https://192.168.1.20:9032/\n"));
    assert_null(strstr(said, "join#"));
}

/* Makes a certificate. names: its names, as in an openssl.cnf; NULL: it has none. */
static X509 *certificate(const char *names)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *cert = X509_new();
    X509_EXTENSION *extension;

    assert_non_null(cert);
    assert_non_null(X509_gmtime_adj(X509_getm_notBefore(cert), 0));
    assert_non_null(X509_gmtime_adj(X509_getm_notAfter(cert), 1000));
    assert_int_equal(X509_set_pubkey(cert, key), 1);
    if (names != NULL) {
        extension = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, names);
        assert_non_null(extension);
        assert_int_equal(X509_add_ext(cert, extension, -1), 1);
        X509_EXTENSION_free(extension);
    }
    assert_true(X509_sign(cert, key, EVP_sha256()) > 0);
    EVP_PKEY_free(key);
    return cert;
}

/* A browser gets the HTTP status 421 if it uses a host name that the certificate does
 * not contain. */
UNIT_TEST(browsers_get_a_name_of_the_certificate)
{
    static const struct {
        const char *names, *public_name, *origin;
        bool is_chosen;
    } rows[] = {
        {NULL, "", "https://192.168.1.20:9032", false},
        {NULL, "board.example:443", "https://board.example:443", true},
        {"DNS:club.example,DNS:www.club.example", "", "https://club.example:9032",
         true},
        {"DNS:*.club.example,DNS:club.example", "", "https://club.example:9032", true},
        {"DNS:club.example,DNS:board.example", "board.example",
         "https://board.example:9032", true},
        {"DNS:*.club.example", "board.club.example", "https://board.club.example:9032",
         true},
        {"DNS:club.example,DNS:board.example", "board.example:19032",
         "https://board.example:19032", true},
        {"DNS:club.example", "board.example", "https://club.example:9032", true},
        {"IP:192.168.1.20", "", "https://192.168.1.20:9032", false},
        {"IP:203.0.113.77", "", "", false},
        {"DNS:*.club.example", "", "", false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        X509 *cert = certificate(rows[i].names);
        char origin[512];
        struct text text = text_into(origin, sizeof origin);
        struct config config = config_of("0.0.0.0:9032", rows[i].public_name, at_home);

        snprintf(config.web, sizeof config.web, "play");
        assert_int_equal(
            announce_origin(&text, &(struct world){.config = &config}, cert),
            rows[i].is_chosen);
        assert_string_equal(origin, rows[i].origin);
        X509_free(cert);
    }
    struct text text = text_into(said, sizeof said);
    struct config config = config_of("0.0.0.0:9032", "", at_home);

    snprintf(config.web, sizeof config.web, "play");
    announce_invite(
        &text, &(struct world){.config = &config, .key = &server_key, .has_page = true},
        "K7Q2-9F3M");
    assert_non_null(strstr(said, "There is no link for browsers"));
    assert_null(strstr(said, "https://"));
}

/* Only a link may be longer than a terminal is wide. */
UNIT_TEST(sentences_fit_a_terminal)
{
    struct text text = text_into(said, sizeof said);
    struct config config = config_of("0.0.0.0:9032", "", at_home);
    size_t len;

    announce_owner(&text, &(struct world){.config = &config, .key = &server_key},
                   "K7Q2-9F3M", 15);
    assert_non_null(strstr(said, "/owner/K7Q2-9F3M/"));
    for (const char *line = said; *line != '\0'; line += len + (line[len] == '\n')) {
        len = strcspn(line, "\n");
        assert_true(len < 80 || strncmp(line, "  janggi ", 9) == 0);
    }
}

UNIT_MAIN(NULL, NULL)
