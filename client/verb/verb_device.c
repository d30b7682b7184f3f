/* Has the verbs `device` and `devices`, for the devices that may use the player's name.
 * Also writes links to the server. The player types these links on another device or
 * sends them to other people. */
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
    struct verb_link link;
    char people[32], time[32];

    verb_make_link(&link, answer);
    snprintf(people, sizeof people, translate_count("%lld person", "%lld people", uses),
             (long long)uses);
    snprintf(time, sizeof time, translate_count("%lld day", "%lld days", days),
             (long long)days);
    text_addf(
        out,
        _("Send this line to people who are to become members (at most %s, within "
          "%s):\n"
          "  janggi janggi://%s/enter/%s/%.*s\n"),
        people, time, link.where, code, TLS_KEY_TEXT_SHORT, link.key);
    verb_add_web_link(out, answer, "enter", code);
    link_add_warning(out, &link.to, link.reach);
}

void verb_answer_invite(struct text *out, const struct verb_answer *answer)
{
    const char *door = proto_line_value(answer->line, "door");
    const struct proto_line *line = answer->line;
    const char *code = proto_line_value(line, "code");
    struct verb_link link;

    if (door != NULL && answer->server != NULL)
        answer_door(out, answer, door);
    if (code == NULL || answer->server == NULL)
        return;
    verb_make_link(&link, answer);
    text_addf(out,
              _("Send this line to your opponent (one game, valid %lld h):\n"
                "  janggi janggi://%s/join/%s/%.*s\n"
                "Without janggi installed, in a clone of its sources:\n"
                "  make play LINK=janggi://%s/join/%s/%.*s\n"),
              (long long)proto_line_number(line, "hours", 24), link.where, code,
              TLS_KEY_TEXT_SHORT, link.key, link.where, code, TLS_KEY_TEXT_SHORT,
              link.key);
    verb_add_web_link(out, answer, "join", code);
    link_add_warning(out, &link.to, link.reach);
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
    const char *name = answer->model->name;
    struct verb_link link;
    const char *code = verb_take_code(&link, answer, out);

    if (code == NULL)
        return;
    text_addf(
        out,
        _("Type this on your other device, within %lld minutes; it then plays as %s,\n"
          "and this device is disconnected:\n"
          "  janggi -n %s device janggi://%s/watch/%.*s %s\n"),
        (long long)proto_line_number(answer->line, "minutes", 10), name, name,
        link.where, TLS_KEY_TEXT_SHORT, link.key, code);
    link_add_warning(out, &link.to, link.reach);
}

const struct verb verb_device = {
    .name = "device",
    .args = {{.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "remove"},
             {.kind = ARG_WORD, .need = ARG_TOGETHER, .label = "ID"}},
    .help = N_("let another device of yours play under your name"),
    .more = N_("device                  what to type on the other device\n"
               "device remove 2fX_9aBc  that device may no longer use your name"),
    .see = "devices",
    .run = device_run,
    .answer = device_answer,
};

const struct verb verb_devices = {
    .name = "devices",
    .help = N_("the devices that may use your name here"),
    .see = "device",
    .use = VERB_LOOKS,
    .has_rows = true,
};
