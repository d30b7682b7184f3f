/* Tests of client/net/trust and its file: the four checks in their order, and the
 * stored keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client/base/keep.h"
#include "client/base/link.h"
#include "client/net/trust.h"
#include "common/base/text.h"
#include "tests/unit/unit.h"

static char dir[] = "/tmp/janggi-trust-XXXXXX"; /* created for this run of the tests */
static char path[64];
static struct link here;

static struct tls_key key_of(unsigned char byte)
{
    struct tls_key key;

    memset(key.digest, byte, sizeof key.digest);
    return key;
}

static struct trust trust_of(const char *given, enum trust_source source)
{
    return (struct trust){path, &here, given, source};
}

static enum trust_verdict judge(const char *given, unsigned char byte,
                                bool is_chain_good)
{
    struct trust trust = trust_of(given, TRUST_BY_LINK);
    struct tls_seen seen = {key_of(byte), is_chain_good};

    return trust_judge(&trust, &seen);
}

static int set_up(void **state)
{
    unlink(path);
    return 0;
}

UNIT_TEST_WITH(the_rules_hold_in_their_order, set_up, NULL)
{
    struct tls_key known = key_of(1), other = key_of(2);
    struct trust trust = trust_of("", TRUST_BY_LINK);
    char text[TLS_KEY_TEXT_BYTES], short_text[TLS_KEY_TEXT_SHORT + 1];

    tls_key_format(text, &other);
    memcpy(short_text, text, TLS_KEY_TEXT_SHORT);
    short_text[TLS_KEY_TEXT_SHORT] = '\0';
    assert_int_equal(judge("", 1, false), TRUST_UNKNOWN);
    assert_int_equal(judge("", 1, true), TRUST_CHAIN);
    assert_true(trust_keep(&trust, &known));
    assert_int_equal(judge("", 1, false), TRUST_KNOWN);
    assert_int_equal(judge("", 2, false), TRUST_CHANGED);
    assert_int_equal(judge("", 2, true), TRUST_CHAIN);
    assert_int_equal(judge(text, 2, false), TRUST_GIVEN);
    assert_int_equal(judge(short_text, 2, false), TRUST_GIVEN);
    assert_int_equal(judge(text, 1, true), TRUST_WRONG);
}

UNIT_TEST_WITH(a_link_never_replaces_a_known_key, set_up, NULL)
{
    struct tls_key known = key_of(1), other = key_of(2);
    struct trust trust = trust_of("", TRUST_BY_LINK);

    assert_false(trust_keep_given(&trust, &known, false));
    assert_int_equal(judge("", 1, false), TRUST_KNOWN);
    assert_true(trust_keep_given(&trust, &other, false));
    assert_int_equal(judge("", 1, false), TRUST_KNOWN);
    assert_false(trust_keep_given(&trust, &other, true));
    assert_int_equal(judge("", 2, false), TRUST_KNOWN);
    assert_int_equal(trust_forget(path, &here), 1);
    assert_int_equal(judge("", 2, false), TRUST_UNKNOWN);
    assert_int_equal(trust_forget(path, &here), 0);
}

UNIT_TEST_WITH(the_text_of_a_change_says_all, set_up, NULL)
{
    struct tls_key old = key_of(1), now = key_of(2);
    struct trust trust = trust_of("", TRUST_BY_LINK);
    char words[TRUST_WORDS_BYTES], wanted[TRUST_WORDS_BYTES], today[16];
    struct keep_line kept;

    assert_true(keep_put(path, "other:1", "x y"));
    assert_true(trust_keep(&trust, &old));
    trust_describe_bad(words, &trust, TRUST_CHANGED, &now);
    assert_true(keep_find(path, "play.example.org:9032", &kept));
    assert_true(text_copy(today, sizeof today, kept.word[1]));
    snprintf(wanted, sizeof wanted,
             "janggi: the key of play.example.org:9032 has CHANGED. Not connected.\n"
             "  Either someone is between you and the server, or its owner made a new "
             "key.\n"
             "  known : AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE (first seen %s, "
             "known_hosts line 2)\n"
             "  now   : AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI\n"
             "Ask the owner to read you the output of:   janggid key\n"
             "If the owner made a new key:               janggi --pin "
             "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI play.example.org\n",
             today);
    assert_string_equal(words, wanted);
}

UNIT_TEST_WITH(a_kept_file_keeps_the_other_lines, set_up, NULL)
{
    struct keep_line line;
    struct stat info;

    assert_false(keep_find(path, "a:1", &line));
    assert_true(keep_put(path, "a:1", "one 1"));
    assert_true(keep_put(path, "b:2", "two"));
    assert_true(keep_put(path, "a:11", "eleven"));
    assert_true(keep_put(path, "a:1", "uno"));
    assert_true(keep_find(path, "a:1", &line));
    assert_string_equal(line.word[0], "uno");
    assert_string_equal(line.word[1], "");
    assert_int_equal(line.number, 1);
    assert_int_equal(keep_remove(path, "a:1"), 1);
    assert_false(keep_find(path, "a:1", &line));
    assert_true(keep_find(path, "a:11", &line));
    assert_int_equal(line.number, 2);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

int main(void)
{
    char why[LINK_WHY_BYTES];
    int failed;

    if (mkdtemp(dir) == NULL || !link_parse("play.example.org", &here, why))
        return 1;
    snprintf(path, sizeof path, "%s/deep/known_hosts", dir);
    failed = unit_run(NULL, NULL);
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(dir);
    return failed;
}
