/* See trust.h. */
#include "client/net/trust.h"

#include <time.h>

#include "client/base/keep.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"

static bool find_known(const struct trust *trust, struct keep_line *out)
{
    char server[LINK_SERVER_BYTES];

    link_format_server(server, trust->to);
    return keep_find(trust->path, server, out);
}

enum trust_verdict trust_judge(const struct trust *trust, const struct tls_seen *seen)
{
    struct keep_line known;

    if (trust->given[0] != '\0')
        return tls_key_matches(&seen->key, trust->given) ? TRUST_GIVEN : TRUST_WRONG;
    if (seen->is_chain_good)
        return TRUST_CHAIN;
    if (!find_known(trust, &known))
        return TRUST_UNKNOWN;
    return tls_key_matches(&seen->key, known.word[0]) ? TRUST_KNOWN : TRUST_CHANGED;
}

/* --- Keeping --- */

bool trust_keep(const struct trust *trust, const struct tls_key *key)
{
    char server[LINK_SERVER_BYTES], text[TLS_KEY_TEXT_BYTES], today[16], words[80];
    struct text line = text_into(words, sizeof words);
    time_t now = (time_t)mono_wall_s();
    struct tm day;

    if (localtime_r(&now, &day) == NULL ||
        strftime(today, sizeof today, "%Y-%m-%d", &day) == 0)
        text_copy(today, sizeof today, "-");
    link_format_server(server, trust->to);
    tls_key_format(text, key);
    text_addf(&line, "%s %s", text, today);
    return keep_put(trust->path, server, words);
}

bool trust_keep_given(const struct trust *trust, const struct tls_key *key,
                      bool is_certain)
{
    struct keep_line known;
    bool is_known = find_known(trust, &known);
    bool is_same = is_known && tls_key_matches(key, known.word[0]);

    /* A key from a link never replaces a stored key, because anybody can write a
     * link. */
    if (!is_known || (!is_same && is_certain))
        (void)trust_keep(trust, key);
    return is_known && !is_same && !is_certain;
}

int trust_forget(const char *path, const struct link *server)
{
    char text[LINK_SERVER_BYTES];

    link_format_server(text, server);
    return keep_remove(path, text);
}

/* --- Words --- */

void trust_describe_good(char out[TRUST_WORDS_BYTES], const struct trust *trust,
                         enum trust_verdict verdict)
{
    struct text text = text_into(out, TRUST_WORDS_BYTES);
    char server[LINK_SERVER_BYTES];

    link_format_server(server, trust->to);
    text_addf(&text, _("Connected to %s, "), server);
    if (verdict == TRUST_GIVEN && trust->source == TRUST_BY_PERSON)
        text_add(&text, _("and stored its key.\n"));
    else if (verdict == TRUST_GIVEN)
        text_addf(&text, _("key matches %s.\n"),
                  trust->source != TRUST_BY_LINK ? "--pin"
                  : trust->to->kind == LINK_JOIN || trust->to->kind == LINK_ENTER
                      ? _("the invitation")
                      : _("the link"));
    else if (verdict == TRUST_CHAIN)
        text_add(&text, _("certificate valid.\n"));
    else
        text_add(&text, _("key unchanged.\n"));
}

void trust_describe_bad(char out[TRUST_WORDS_BYTES], const struct trust *trust,
                        enum trust_verdict verdict, const struct tls_key *key)
{
    struct text text = text_into(out, TRUST_WORDS_BYTES);
    char server[LINK_SERVER_BYTES], typed[LINK_SERVER_BYTES], now[TLS_KEY_TEXT_BYTES];
    struct keep_line known;

    link_format_server(server, trust->to);
    link_format_typed(typed, trust->to);
    tls_key_format(now, key);
    if (verdict == TRUST_CHANGED && find_known(trust, &known))
        text_addf(
            &text,
            _("janggi: the key of %s has CHANGED. Not connected.\n"
              "  Either someone is between you and the server, or its owner made a new "
              "key.\n"
              "  known : %s (first seen %s, known_hosts line %d)\n"
              "  now   : %s\n"
              "Ask the owner to read you the output of:   janggid key\n"
              "If the owner made a new key:               janggi --pin %s %s\n"),
            server, known.word[0], known.word[1], known.number, now, now, typed);
    else if (verdict == TRUST_WRONG)
        text_addf(
            &text,
            _("janggi: the key of %s does not match %s. Not connected.\n"
              "  Either someone is between you and the server, or its owner made a "
              "new key.\n"
              "  expected : %s\n"
              "  now      : %s\n"
              "Ask for a new link, or ask the owner to read you the output of: "
              "janggid key\n"),
            server, trust->source == TRUST_BY_LINK ? _("the link") : "--pin",
            trust->given, now);
    else if (trust->to->kind != LINK_LOBBY && trust->to->key[0] == '\0')
        text_addf(
            &text,
            _("janggi: the key of %s is not known, and the link does not end with "
              "it. Not connected.\n"
              "The link was probably cut where its line was wrapped: paste all of "
              "it, in quotes.\n"),
            server);
    else
        text_addf(&text,
                  _("janggi: the key of %s is not known. Not connected.\n"
                    "  now   : %s\n"
                    "Ask the owner to read you the output of:   janggid key\n"
                    "If it is the same:                         janggi --pin %s %s\n"),
                  server, now, now, typed);
}

void trust_describe_ask(char out[TRUST_WORDS_BYTES], const struct trust *trust,
                        const struct tls_key *key)
{
    struct text text = text_into(out, TRUST_WORDS_BYTES);
    char server[LINK_SERVER_BYTES], now[TLS_KEY_TEXT_BYTES];

    link_format_server(server, trust->to);
    tls_key_format(now, key);
    text_addf(&text,
              _("This is your first connection to %s. Its key is\n"
                "  %s\n"
                "Ask the owner to read you the output of:   janggid key\n"),
              server, now);
}
