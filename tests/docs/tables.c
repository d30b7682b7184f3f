/* Prints the tables of the protocol as the programs have them. protocol.py compares
 * them with PROTOCOL.md. Each row is a line: its kind, then its fields, separated by
 * tabs.
 *
 *   tables                  prints all tables
 *   tables time WORD ...    prints each WORD, a time, as the server would write it; or
 *                           "refused"
 *   tables event TEXT ...   does the same for each TEXT, an event of a game */
#include <stdio.h>
#include <string.h>

#include "common/base/utf8.h"
#include "common/game/clock.h"
#include "common/game/event.h"
#include "common/game/rules.h"
#include "common/net/proto.h"
#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/account/messages.h"
#include "server/account/ticket.h"
#include "server/admission/admission.h"
#include "server/base/config.h"
#include "server/command/command.h"
#include "server/evening/evenings.h"
#include "server/verb/verbs.h"

static const char *who(unsigned states)
{
    switch (states) {
    case BY_ALL:
        return "all";
    case BY_READERS:
        return "guests";
    case BY_MEMBERS:
        return "players";
    case IN(SESSION_HELLO) | IN(SESSION_GUEST):
        return "all but players";
    default:
        return "unknown";
    }
}

/* Prints who is allowed to use the verb. For a verb of members or staff, prints the
 * role that it needs. */
static void print_who(const struct command *command)
{
    if (command->role > ROLE_PLAYER)
        printf("%ss", role_name(command->role));
    else
        printf("%s", who(command_states(command) & ~(unsigned)BY_HOST));
}

static void print_commands(void)
{
    char name[COMMAND_NAME_BYTES];

    for (size_t i = 0; commands[i] != NULL; i++) {
        if (command_states(commands[i]) == BY_HOST)
            continue;
        printf("verb\t%s\t%s\t", command_name(name, commands[i]), commands[i]->usage);
        print_who(commands[i]);
        printf("\t%s\n", commands[i]->may_cost_chat ? "chat" : "-");
    }
}

static void print_codes(void)
{
    for (int reply = REPLY_OK + 1; reply < REPLIES; reply++)
        printf("code\t%s\n", reply_code((enum reply)reply));
    for (int fault = FAULT_NONE + 1; fault < FAULTS; fault++)
        printf("fault\t%s\t%s\n", reply_code(call_reply_of((enum fault_code)fault)),
               fault_name((enum fault_code)fault));
}

static void print_game(void)
{
    for (int kind = 0; kind < EVENT_KINDS; kind++)
        printf("event\t%s\n", event_kind_name((enum event_kind)kind));
    for (int reason = REASON_NONE + 1; reason < REASONS; reason++)
        printf("reason\t%s\n", reason_name((enum reason)reason));
    for (int kind = OFFER_NONE + 1; kind <= ROOM_OFFERS_MAX; kind++)
        printf("offer\t%s\n", offer_kind_name((enum offer_kind)kind));
    for (size_t i = 0; ruleset_at(i) != NULL; i++)
        printf("ruleset\t%s\t%s\t%s\n", ruleset_name(ruleset_at(i)),
               side_name(SIDE_RED), side_name(ruleset_first_mover(ruleset_at(i))));
    for (size_t i = 0; utf8_reserved_name(i) != NULL; i++)
        printf("reserved\t%s\n", utf8_reserved_name(i));
}

/* Gives every number of the configuration a value other than its default. */
static void change_all(struct config *config)
{
    const char *name;
    bool takes_value;

    config_init(config);
    for (size_t i = 0; (name = config_limit_name(i)) != NULL; i++) {
        char value[100];

        snprintf(value, sizeof value, "%s=7", name);
        if (!config_set(config, "limits", value, (struct config_origin){0}))
            abort();
    }
    if (!config_finish(config))
        abort();
    for (size_t i = 0; (name = config_option_name(i, &takes_value)) != NULL; i++)
        if (!config_set(config, name, takes_value ? "7" : "1",
                        (struct config_origin){0}))
            continue; /* the option is not a number, so the limits do not depend on
                       * it */
}

static int count_places(const struct config *config)
{
    struct admission_settings settings = {.has_quotas = config->has_quotas,
                                          .connections = config->connections_max};
    struct admission *admission = admission_new(&settings);
    int places = admission_places(admission);

    admission_free(admission);
    return places;
}

static void print_limits(void)
{
    struct config usual, changed;
    const char *name;
    int value, other;

    config_init(&usual);
    change_all(&changed);
    for (size_t i = 0; (name = cmd_about_limits_row(&usual, i, &value)) != NULL; i++) {
        cmd_about_limits_row(&changed, i, &other);
        printf("limit\t%s\t%d\t%s\n", name, value, value == other ? "-" : "*");
    }
    printf("max\tplaces\t%d\n", count_places(&usual));
    printf("max\tnames\t%d\nmax\tdevices\t%d\nmax\tseeks\t%d\nmax\tchallenges\t%d\n"
           "max\tinvites\t%d\nmax\tgames\t%d\nmax\twatch\t%"
           "d\nmax\tevents\t%d\n"
           "max\tchat\t%d\nmax\tmessage\t%d\nmax\tmessages\t%d\nmax\tunread\t%"
           "d\nmax\tpeople\t%d\nmax\tmarks\t%d\nmax\tdoors\t%d\nmax\treports\t%d\n"
           "max\tnetwork-messages\t%d\nmax\tnew-names\t%d\nmax\tnew-seats\t%d\n",
           usual.names_max, DEVICES_MAX, usual.quota[QUOTA_SEEK].account,
           usual.quota[QUOTA_CHALLENGE].account, usual.quota[QUOTA_INVITE].account,
           ACCOUNT_GAMES_MAX, usual.watch_max, CALL_EVENTS_MAX, CHAT_BYTES_MAX,
           MESSAGE_BYTES_MAX, MAILBOX_MAX, MESSAGES_UNREAD_MAX, PEOPLE_MAX, MARKS_MAX,
           TICKETS_MAX, usual.quota[QUOTA_REPORT].account,
           usual.quota[QUOTA_MESSAGE].source, usual.quota[QUOTA_NAME].per_hour,
           usual.quota[QUOTA_GAME].source);
    printf("max\tevenings\t%d\nmax\tjoins\t%d\nmax\tplayers\t%d\nmax\tnew-evenings\t%"
           "d\nmax\tchanges\t%d\n",
           EVENINGS_EACH_MAX, EVENINGS_JOINS_MAX, EVENING_PLAYERS_MAX, EVENINGS_DAY_MAX,
           EVENINGS_CHANGES_MAX);
}

static void print_time(const char *word)
{
    char text[TIME_TERMS_BYTES] = "refused";
    struct time_terms terms;

    if (time_terms_parse(word, &terms))
        time_terms_format(text, &terms);
    printf("%s\n", text);
}

static void print_event(const char *words)
{
    char text[EVENT_BYTES] = "refused";
    struct event event;

    if (event_parse(words, &event) == EVENT_OK)
        event_format(text, &event);
    printf("%s\n", text);
}

int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[1], "time") == 0)
            print_time(argv[i]);
        else
            print_event(argv[i]);
    }
    if (argc > 1)
        return 0;
    print_commands();
    print_codes();
    print_game();
    print_limits();
    return 0;
}
