/* One visit to one server, from connecting to leaving: connects keyboard, network,
 * model and screen. Each part owns its state and includes only talk.h and parts of
 * lower layers. Four files know all parts: client.c (start and end), entry.c (trust,
 * name, login), heard.c (lines from the server) and typed.c (lines from the
 * console). */
#ifndef CLIENT_ONLINE_CLIENT_H
#define CLIENT_ONLINE_CLIENT_H

#include <stdbool.h>
#include <stdio.h>

#include "client/base/exit.h"
#include "client/base/link.h"
#include "client/base/prefs.h"
#include "client/play/doubt.h"
#include "client/play/errand.h"
#include "client/play/hook.h"
#include "client/play/lookup.h"
#include "client/play/partner.h"
#include "client/play/reconnect.h"
#include "client/play/save.h"
#include "client/play/talk.h"
#include "client/verb/complete.h"

struct client {
    struct talk talk;
    struct known known;
    FILE *log;
    struct save save;
    struct lookup lookup;
    struct partner partner;
    struct errand errand;
    struct hook hook;
    struct doubt doubt;
    struct reconnect reconnect;
    bool asks_owner;      /* whether the name that is here becomes the owner */
    bool is_name_refused; /* entry.c: the server has refused a name, so a default name
                           * is not offered */
    bool keeps_other; /* entry.c: another key is stored for this address, so that the
                           * address alone leads to a refusal */
    int bad_lines;    /* heard.c: unprintable lines that were not reported yet */
};

/* Runs until the player or the server ends the visit. Returns the exit status. The
 * command `set` may change `prefs`. */
int client_run(struct prefs *prefs, const struct link *to);

/* --- The steps of client_run(), for tests --- */

/* client_open() creates the parts and the console; client_open_visit() creates the
 * visit, which takes ownership of `tls`. */
void client_open(struct client *client, struct prefs *prefs, const struct link *to);
void client_open_visit(struct client *client, SSL_CTX *tls);
void client_close(struct client *client);

#endif
