/* See device.h. */
#include "client/play/device.h"
#include "common/base/translate.h"

#include <string.h>
#include <time.h>

/* The server as a link names it, and who can follow it there. */
static enum link_reach find_outside(struct link *outside, char where[LINK_SERVER_BYTES],
                                    const struct proto_line *line,
                                    const struct link *to, bool is_loopback)
{
    enum link_reach reach =
        link_outside(outside, to, is_loopback, proto_line_value(line, "public"),
                     proto_line_value(line, "addresses"));

    link_format_pasted(where, outside);
    return reach;
}

bool device_add_code(struct text *out, const struct proto_line *line, const char *name,
                     const struct link *to, bool is_loopback, const struct tls_key *key)
{
    const char *code = proto_line_value(line, "code");
    char where[LINK_SERVER_BYTES], digest[TLS_KEY_TEXT_BYTES];
    enum link_reach reach;
    struct link outside;

    if (code == NULL)
        return false;
    reach = find_outside(&outside, where, line, to, is_loopback);
    tls_key_format(digest, key);
    text_addf(out,
              _("Type this on your other device, within %lld minutes; it then plays as "
                "%s,\nand this one leaves:\n"
                "  janggi -n %s device janggi://%s/watch/%.*s %s\n"),
              (long long)proto_line_number(line, "minutes", 10), name, name, where,
              TLS_KEY_TEXT_SHORT, digest, code);
    link_add_warning(out, &outside, reach);
    return true;
}

bool device_add_invite(struct text *out, const struct proto_line *line,
                       const struct link *to, bool is_loopback,
                       const struct tls_key *key)
{
    const char *code = proto_line_value(line, "code");
    char where[LINK_SERVER_BYTES], digest[TLS_KEY_TEXT_BYTES];
    enum link_reach reach;
    struct link outside;

    if (code == NULL)
        return false;
    reach = find_outside(&outside, where, line, to, is_loopback);
    tls_key_format(digest, key);
    text_addf(out,
              _("Send this line to your opponent (one game, valid %lld h):\n"
                "  janggi janggi://%s/join/%s/%.*s\n"
                "Without janggi installed, in a clone of its sources:\n"
                "  make play LINK=janggi://%s/join/%s/%.*s\n"),
              (long long)proto_line_number(line, "hours", 24), where, code,
              TLS_KEY_TEXT_SHORT, digest, where, code, TLS_KEY_TEXT_SHORT, digest);
    link_add_warning(out, &outside, reach);
    return true;
}

/* A point of time as the day; "the first login" for none. */
static void add_since(struct text *out, int64_t wall_s)
{
    time_t when = (time_t)wall_s;
    char day[32];
    struct tm local;

    if (wall_s <= 0 || localtime_r(&when, &local) == NULL ||
        strftime(day, sizeof day, "%Y-%m-%d %H:%M", &local) == 0)
        text_add(out, _("the first login"));
    else
        text_add(out, day);
}

void device_add_row(struct text *out, const char *row)
{
    char copy[PROTO_LINE_MAX + 8];
    struct text text = text_into(copy, sizeof copy);
    struct proto_line line;

    text_addf(&text, "OK %s", row); /* a row has the form of an answer */
    proto_parse_line(copy, &line);
    if (text.is_cut || line.mark != PROTO_OK || line.words < 2) {
        text_addf(out, "%s\n", row);
        return;
    }
    text_addf(out, _("%-10s %-5s since "), line.word[1],
              proto_line_value(&line, "proof") != NULL
                  ? proto_line_value(&line, "proof")
                  : "?");
    add_since(out, proto_line_number(&line, "since_s", 0));
    text_addf(out, "%s\n",
              proto_line_number(&line, "here", 0) == 1 ? _(", this device") : "");
}

bool device_take_name(const char *typed, char name[NAME_BYTES],
                      char code[LINK_CODE_BYTES])
{
    size_t len = strcspn(typed, " ");
    const char *at = typed + len + strspn(typed + len, " ");

    if (len >= NAME_BYTES)
        return false;
    memcpy(name, typed, len);
    name[len] = '\0';
    if (strncmp(at, "code=", 5) == 0)
        at += 5;
    return strchr(at, ' ') == NULL && text_copy(code, LINK_CODE_BYTES, at);
}
