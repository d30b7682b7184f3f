/* Tests how the server judges the answers of routers that it has asked to forward a
 * port: public and private addresses, hostile words. */
#include "server/net/portmap.h"

#include <stdio.h>

#include "tests/unit/unit.h"

static void check(enum portmap_result said, const char *address, int port,
                  enum portmap_result wanted, const char *wanted_address)
{
    struct portmap_news news = {.result = said, .port = port};

    snprintf(news.address, sizeof news.address, "%s", address);
    portmap_check(&news);
    assert_int_equal(news.result, wanted);
    assert_string_equal(news.address, wanted_address);
}

UNIT_TEST(a_public_address_is_open)
{
    check(PORTMAP_OPEN, "192.0.2.7", 9032, PORTMAP_OPEN, "192.0.2.7");
    check(PORTMAP_OPEN, "2001:db8::7", 65535, PORTMAP_OPEN, "2001:db8::7");
    check(PORTMAP_REFUSED, "192.0.2.7", 9032, PORTMAP_REFUSED, "192.0.2.7");
    check(PORTMAP_NONE, "", 9032, PORTMAP_NONE, "");
}

UNIT_TEST(a_private_address_is_not_reachable)
{
    check(PORTMAP_OPEN, "100.64.1.2", 9032, PORTMAP_PRIVATE, "100.64.1.2");
    check(PORTMAP_REFUSED, "192.168.1.2", 9032, PORTMAP_PRIVATE, "192.168.1.2");
    check(PORTMAP_OPEN, "127.0.0.1", 9032, PORTMAP_PRIVATE, "127.0.0.1");
    check(PORTMAP_TAKEN, "100.64.1.2", 9032, PORTMAP_PRIVATE, "100.64.1.2");
    check(PORTMAP_TAKEN, "192.0.2.7", 9032, PORTMAP_TAKEN, "192.0.2.7");
}

/* The host's terminal shows the address in a link, so it must be numeric. */
UNIT_TEST(words_of_a_hostile_router_are_not_printed)
{
    check(PORTMAP_OPEN, "\033[31mred", 9032, PORTMAP_REFUSED, "");
    check(PORTMAP_OPEN, "evil.example", 9032, PORTMAP_REFUSED, "");
    check(PORTMAP_OPEN, "localhost", 9032, PORTMAP_REFUSED, "");
    check(PORTMAP_OPEN, "192.0.2.7/x", 9032, PORTMAP_REFUSED, "");
    check(PORTMAP_OPEN, "", 9032, PORTMAP_REFUSED, "");
    check(PORTMAP_REFUSED, "\033]0;x", 9032, PORTMAP_REFUSED, "");
    check(PORTMAP_OPEN, "192.0.2.7", 0, PORTMAP_REFUSED, "192.0.2.7");
    check(PORTMAP_OPEN, "192.0.2.7", 65536, PORTMAP_REFUSED, "192.0.2.7");
}

UNIT_MAIN(NULL, NULL)
