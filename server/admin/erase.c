/* See erase.h. The games get the alias in one commit, and everything else goes in a second
 * one; after a crash between them the command can be repeated. */
#include "server/admin/erase.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/game/event.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/account/marks.h"
#include "server/account/messages.h"
#include "server/account/ticket.h"
#include "server/admin/transfer.h"
#include "server/base/config.h"
#include "server/base/deadline.h"
#include "server/evening/evenings.h"
#include "server/store/store.h"

struct erase {
    struct event_base *base;
    struct store *store;
    struct deadlines *deadlines;
    struct accounts *accounts;
    struct house *house;
    struct evenings *evenings;
    char folded[NAME_BYTES];
    bool is_playing;              /* a running game has the name */
    char codes[1000][CODE_BYTES]; /* of open invitations that have the name */
    int code_count;
};

static bool is_name(const struct erase *erase, const char *name)
{
    char folded[NAME_BYTES];

    utf8_fold_name(folded, name);
    return strcmp(folded, erase->folded) == 0;
}

static void on_event(void *arg, const struct store_event *row)
{
    struct erase *erase = arg;
    struct event start;

    if (row->number == 0 && row->is_sound &&
        event_parse(row->text, &start) == EVENT_OK &&
        (is_name(erase, start.name[SIDE_RED]) || is_name(erase, start.name[SIDE_BLUE])))
        erase->is_playing = true;
}

static void on_invite(void *arg, const void *stored)
{
    const struct store_invite *row = stored;
    struct erase *erase = arg;

    if (erase->code_count < (int)ARRAY_LEN(erase->codes) &&
        (is_name(erase, row->maker) || is_name(erase, row->first)))
        text_copy(erase->codes[erase->code_count++], CODE_BYTES, row->code);
}

/* Opens the data as a server does. Returns false after logging why. */
static bool open_data(struct erase *erase, const struct config *config)
{
    const struct accounts_settings settings = {.names_max = config->names_max,
                                               .name_days = CONFIG_NAME_DAYS};

    erase->base = event_base_new();
    erase->deadlines = deadlines_new(erase->base, mono_wall_s);
    erase->store = store_open(erase->base, config->data);
    if (erase->store != NULL)
        erase->accounts = accounts_open(erase->store, erase->deadlines, &settings);
    if (erase->accounts != NULL)
        erase->house = house_open(erase->store, erase->accounts, NULL);
    if (erase->house != NULL)
        erase->evenings = evenings_open(erase->store);
    return erase->evenings != NULL &&
           store_load_running(erase->store, on_event, erase) &&
           store_load(erase->store, STORE_INVITE, on_invite, erase);
}

static void close_data(struct erase *erase)
{
    store_close(erase->store);
    evenings_close(erase->evenings);
    house_close(erase->house);
    accounts_close(erase->accounts);
    deadlines_free(erase->deadlines);
    event_base_free(erase->base);
    free(erase);
}

static bool erase_account(struct erase *erase, struct account *account,
                          const char *alias)
{
    const struct house_person person = {
        .folded = erase->folded, .alias = alias, .since_wall_s = account->made_wall_s};
    char shown[NAME_BYTES];
    int games, damaged;

    text_copy(shown, sizeof shown, account->shown);
    games =
        store_rename(erase->store, erase->folded, alias, account->first_game, &damaged);
    if (games < 0)
        return false;
    house_erase(erase->house, &person);
    marks_drop_about(accounts_marks(erase->accounts), erase->folded);
    messages_drop_from(accounts_messages(erase->accounts), erase->folded);
    tickets_remove_made_by(accounts_tickets(erase->accounts), shown);
    for (int i = 0; i < erase->code_count; i++)
        store_drop(erase->store, STORE_INVITE,
                   &(struct store_invite){.code = erase->codes[i]}, 1);
    evenings_remove_player(erase->evenings, shown);
    evenings_erase(erase->evenings, erase->folded, alias);
    accounts_erase(erase->accounts, account);
    house_record(erase->house, &(struct house_act){
                                   .actor = "host", .kind = "erase", .target = alias});
    if (!store_flush(erase->store))
        return false;
    printf("erased name=%s alias=%s games=%d damaged=%d\n", shown, alias, games,
           damaged);
    return true;
}

int erase_run(const struct config *config, int count, char **words)
{
    struct erase *erase;
    struct account *account;
    const char *why = NULL;
    struct house_hold hold;
    char alias[NAME_BYTES];
    struct text text = text_into(alias, sizeof alias);

    if (count == 0 || config->store[0] != '\0') {
        fprintf(stderr, "janggid: erase: %s\n",
                count == 0 ? "NAME is missing; see --help"
                           : "the log is in PostgreSQL: dump it, erase in that file's "
                             "directory, and load it into a new database");
        return TRANSFER_USAGE;
    }
    erase = calloc(1, sizeof *erase);
    if (erase == NULL)
        return TRANSFER_FAILED;
    utf8_fold_name(erase->folded, words[0]);
    if (!open_data(erase, config)) {
        int status = errno == EBUSY ? TRANSFER_NOT_NOW : TRANSFER_CANNOT;

        fprintf(stderr, "janggid: erase: %s cannot be opened%s\n", config->data,
                status == TRANSFER_NOT_NOW ? "; a server runs on it" : "");
        close_data(erase);
        return status;
    }
    account = accounts_find(erase->accounts, words[0]);
    if (account == NULL)
        why = "unknown name";
    else if (house_bans(erase->house, erase->folded, mono_wall_s(), &hold))
        why = "banned, and an erased name is free for anybody; unban first";
    else if (erase->is_playing)
        why = "has running games, which have to end first (janggid ctl end GAME)";
    if (why == NULL) {
        text_addf(&text, "player-%lld",
                  (long long)accounts_number(erase->accounts, account));
        while (accounts_find(erase->accounts, alias) != NULL)
            text_add(&text, "-");
        if (!erase_account(erase, account, alias))
            why = "the disk is full; repeat it when there is room";
    }
    if (why != NULL)
        fprintf(stderr, "janggid: erase: %s: %s\n", words[0], why);
    close_data(erase);
    return why == NULL ? TRANSFER_DONE : TRANSFER_CANNOT;
}
