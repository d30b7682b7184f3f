/* Verbs of one's own name: device, devices. */
#include <string.h>

#include "client/verb/verb.h"
#include "common/base/translate.h"

static void device_run(struct verb_call *call)
{
    const char *word = verb_arg(call, 1), *id = verb_arg(call, 2);

    if (word != NULL && (strcmp(word, "remove") != 0 || id == NULL)) {
        verb_refuse(call, _("Usage: %s"), _(call->verb->usage));
        return;
    }
    call->deed->kind = DEED_SEND;
    call->deed->game = NULL;
    text_add(&call->line, "device");
    if (word != NULL)
        text_addf(&call->line, " remove %s", id);
}

const struct verb verb_device = {
    .name = "device",
    .usage = N_("device [remove ID]"),
    .help = N_("let one more device of yours play under your name"),
    .more = N_("device                 what to type on the other device\n"
               "device remove 2fX_9aBc that device opens your name no longer"),
    .see = "devices",
    .run = device_run,
};

static void devices_run(struct verb_call *call)
{
    call->deed->kind = DEED_SEND;
    call->deed->game = NULL;
    text_add(&call->line, "devices");
}

const struct verb verb_devices = {
    .name = "devices",
    .usage = "devices",
    .help = N_("the devices that open your name here"),
    .more = "devices",
    .see = "device",
    .run = devices_run,
};
