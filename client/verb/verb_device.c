/* Verbs of one's own name: device, devices. */
#include "client/verb/verb.h"
#include "common/base/translate.h"

static void device_run(struct verb_call *call)
{
    call->deed->kind = DEED_SEND;
    text_add(&call->line, "device");
    if (args_has(&call->args, ARG_WORD))
        text_addf(&call->line, " remove %s", call->args.text[ARG_WORD]);
}

const struct verb verb_device = {
    .name = "device",
    .args = {{.kind = ARG_CHOICE, .need = ARG_OPTIONAL, .label = "remove"},
             {.kind = ARG_WORD, .need = ARG_TOGETHER, .label = "ID"}},
    .help = N_("let one more device of yours play under your name"),
    .more = N_("device                 what to type on the other device\n"
               "device remove 2fX_9aBc that device opens your name no longer"),
    .see = "devices",
    .run = device_run,
};

static void devices_run(struct verb_call *call)
{
    call->deed->kind = DEED_SEND;
    text_add(&call->line, "devices");
}

const struct verb verb_devices = {
    .name = "devices",
    .help = N_("the devices that open your name here"),
    .more = "devices",
    .see = "device",
    .run = devices_run,
};
