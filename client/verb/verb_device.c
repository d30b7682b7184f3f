/* Verbs for the devices that may use one's name: device, devices; and the links to a
 * server for use on other machines. */
#include <stdio.h>

#include "client/base/link.h"
#include "client/verb/verb.h"
#include "common/base/translate.h"
#include "common/net/tls.h"

static void answer_door(struct text *out, const struct verb_answer *answer,
                        const char *code)
{
    int64_t uses = proto_line_number(answer->line, "uses", 0);
    int64_t days = proto_line_number(answer->line, "days", 0);
    char where[LINK_SERVER_BYTES], digest[TLS_KEY_TEXT_BYTES], people[32], time[32];
    struct link outside;
    enum link_reach reach = verb_find_outside(&outside, where, answer);

    tls_key_format(digest, answer->server->key);
    snprintf(people, sizeof people, translate_count("%lld person", "%lld people", uses),
             (long long)uses);
    snprintf(time, sizeof time, translate_count("%lld day", "%lld days", days),
             (long long)days);
    text_addf(
        out,
        _("Send this line to people who are to become members (at most %s, within "
          "%s):\n"
          "  janggi janggi://%s/enter/%s/%.*s\n"),
        people, time, where, code, TLS_KEY_TEXT_SHORT, digest);
    link_add_warning(out, &outside, reach);
}

void verb_answer_invite(struct text *out, const struct verb_answer *answer)
{
    const char *door = proto_line_value(answer->line, "door");
    const struct proto_line *line = answer->line;
    const char *code = proto_line_value(line, "code");
    char where[LINK_SERVER_BYTES], digest[TLS_KEY_TEXT_BYTES];
    enum link_reach reach;
    struct link outside;

    if (door != NULL && answer->server != NULL)
        answer_door(out, answer, door);
    if (code == NULL || answer->server == NULL)
        return;
    reach = verb_find_outside(&outside, where, answer);
    tls_key_format(digest, answer->server->key);
    text_addf(out,
              _("Send this line to your opponent (one game, valid %lld h):\n"
                "  janggi janggi://%s/join/%s/%.*s\n"
                "Without janggi installed, in a clone of its sources:\n"
                "  make play LINK=janggi://%s/join/%s/%.*s\n"),
              (long long)proto_line_number(line, "hours", 24), where, code,
              TLS_KEY_TEXT_SHORT, digest, where, code, TLS_KEY_TEXT_SHORT, digest);
    link_add_warning(out, &outside, reach);
}

static void device_run(struct verb_call *call)
{
    call->action->kind = ACTION_SEND;
    text_add(&call->line, "device");
    if (args_has(&call->args, ARG_WORD))
        text_addf(&call->line, " remove %s", call->args.text[ARG_WORD]);
}

static void device_answer(struct text *out, const struct verb_answer *answer)
{
    const struct proto_line *line = answer->line;
    const char *name = answer->model->name;
    const char *code = proto_line_value(line, "code");
    char where[LINK_SERVER_BYTES], digest[TLS_KEY_TEXT_BYTES];
    enum link_reach reach;
    struct link outside;

    if (code == NULL || answer->server == NULL) {
        verb_answer_human(out, answer);
        return;
    }
    reach = verb_find_outside(&outside, where, answer);
    tls_key_format(digest, answer->server->key);
    text_addf(out,
              _("Type this on your other device, within %lld minutes; it then plays as "
                "%s,\nand this one leaves:\n"
                "  janggi -n %s device janggi://%s/watch/%.*s %s\n"),
              (long long)proto_line_number(line, "minutes", 10), name, name, where,
              TLS_KEY_TEXT_SHORT, digest, code);
    link_add_warning(out, &outside, reach);
}

const struct verb verb_device = {
    .name = "device",
    .args = {{.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "remove"},
             {.kind = ARG_WORD, .need = ARG_TOGETHER, .label = "ID"}},
    .help = N_("let another device of yours play under your name"),
    .more = N_("device                 what to type on the other device\n"
               "device remove 2fX_9aBc that device may no longer use your name"),
    .see = "devices",
    .run = device_run,
    .answer = device_answer,
};

static void devices_run(struct verb_call *call)
{
    call->action->kind = ACTION_SEND;
    text_add(&call->line, "devices");
}

const struct verb verb_devices = {
    .name = "devices",
    .help = N_("the devices that may use your name here"),
    .more = "devices",
    .see = "device",
    .run = devices_run,
    .use = VERB_LOOKS,
    .has_rows = true,
};
