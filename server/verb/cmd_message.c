/* The verbs tell and messages, for texts to a player who may be absent; and report: a
 * player tells the staff about another one. The report goes to the audit log with the last
 * lines of chat between the two, and to the connected staff. */

#include <stdio.h>
#include <string.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "server/account/accounts.h"
#include "server/account/house.h"
#include "server/account/marks.h"
#include "server/account/messages.h"
#include "server/base/world.h"
#include "server/command/command.h"
#include "server/lobby/lobby.h"
#include "server/net/session.h"
#include "server/room/chatlog.h"
#include "server/room/notice.h"
#include "server/room/presence.h"
#include "server/room/privacy.h"
#include "server/room/room.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

/* --- Whose messages a player takes --- */

static const char *const sources[] = {"played", "all", "none"};

static const char *source_of(const struct world *world, const struct account *account)
{
    const char *word =
        marks_find(accounts_marks(world->accounts), account->folded, MARK_MESSAGES, "");

    return word != NULL ? word : sources[0];
}

/* --- tell --- */

/* A message that waits until the history of its sender has been read. */
struct telling {
    struct world *world;
    uint64_t session;
    char name[NAME_BYTES]; /* of the receiver, normalized */
    int64_t first_game;    /* games before it are of an earlier owner of the name */
    bool have_played;
    char text[MESSAGE_BYTES_MAX + 1];
};

static bool refuse_sender(struct session *session, const struct account *to)
{
    return session_err(session, REPLY_NOT_NOW, "why=messages name=%s", to->shown);
}

/* Keeps the message for a player who is absent. Each network has a limit, so that it
 * cannot fill the memory for all messages. False: the message was refused, and the
 * answer was sent. */
static bool keep(struct call *call, const struct account *to, const char *text)
{
    struct world *world = call->world;
    const char *address = wire_peer_address(call->from->wire);
    enum messages_verdict verdict = MESSAGES_OVERFLOW;
    struct quotas *quotas = accounts_quotas(world->accounts);
    int64_t now_wall_s = mono_wall_s(), wait_s;
    int max;

    wait_s = quota_take(quotas, QUOTA_MESSAGE, call->from->account, address, now_wall_s,
                        &max);

    if (wait_s > 0)
        return session_err(call->from, REPLY_LIMIT,
                           "what=network-messages max=%d in_s=%lld", max,
                           (long long)wait_s);
    if (!lobby_is_storage_full(world->lobby))
        verdict = messages_put(accounts_messages(world->accounts), to->folded,
                               call->from->name, text, now_wall_s);
    if (verdict != MESSAGES_KEPT)
        quota_give_back(quotas, QUOTA_MESSAGE, call->from->account, address,
                        now_wall_s);
    if (verdict == MESSAGES_UNREAD)
        return session_err(call->from, REPLY_LIMIT, "what=unread max=%d name=%s",
                           MESSAGES_UNREAD_MAX, to->shown);
    if (verdict == MESSAGES_FULL)
        return session_err(call->from, REPLY_LIMIT, "what=messages max=%d name=%s",
                           MAILBOX_MAX, to->shown);
    if (verdict != MESSAGES_KEPT)
        return session_err(call->from, REPLY_LIMIT, "what=storage#message");
    return session_ok(call->from,
                      "tell name=%s kept=1 : %s gets it at the next login, or with "
                      "messages",
                      to->shown, to->shown);
}

/* Sends the message now, or keeps it for later if the player is not here, wants quiet,
 * reads slowly, or has heard too much from strangers. Adds the message to the chat logs
 * of both players. A chat log has room for only a few lines (chatlog.h). So a refused
 * message is not logged: otherwise the receiver's log could lose lines that the
 * receiver has seen. */
static bool deliver(struct call *call, struct account *to, const char *text)
{
    const struct world *world = call->world;
    struct session *session = session_find_open(world->sessions, to->session);

    if (session != NULL &&
        quiet_setting(accounts_marks(world->accounts), to) != QUIET_ON &&
        notice_fits(session) && call_may_reach(call, session)) {
        session_sayf(session, "! tell from=%s : %s", call->from->name, text);
        session_ok(call->from, "tell name=%s", to->shown);
    } else if (!keep(call, to, text)) {
        return false;
    }
    notice_log(world->rooms, to, 0, call->from, text);
    notice_log(world->rooms, call->from->account, 0, call->from, text);
    return true;
}

static void on_past(void *arg, const struct store_past *past)
{
    struct telling *telling = arg;
    const struct store_summary *summary = &past->summary;

    if (past->game >= telling->first_game && strcmp(summary->result, "none") != 0 &&
        (strcmp(summary->red, telling->name) == 0 ||
         strcmp(summary->blue, telling->name) == 0))
        telling->have_played = true;
}

static void on_past_end(void *arg, int count)
{
    struct telling *telling = arg;
    struct world *world = telling->world;
    struct session *session = session_find(world->sessions, telling->session);
    struct account *to = accounts_find(world->accounts, telling->name);
    struct call call = {.world = world, .from = session, .now_ms = mono_now_ms()};

    (void)count;
    if (session == NULL || session->state != SESSION_MEMBER)
        ; /* the sender has left meanwhile */
    else if (to == NULL || to->first_game != telling->first_game)
        call_no_name(session);
    else if (!telling->have_played)
        refuse_sender(session, to);
    else
        deliver(&call, to, telling->text);
    store_arg_free(telling);
}

/* Reads the last LOOK_BACK_GAMES games of the sender from disk, to find a finished game
 * against `to`. on_past_end() then delivers or refuses the message. */
static void look_up(struct call *call, const struct account *to, const char *text)
{
    enum { LOOK_BACK_GAMES = 200 };
    const struct account *me = call->from->account;
    struct telling *telling = store_arg_new(call->world->store, sizeof *telling, NULL);

    telling->world = call->world;
    telling->session = call->from->id;
    telling->first_game = to->first_game;
    text_copy(telling->name, sizeof telling->name, to->folded);
    text_copy(telling->text, sizeof telling->text, text);
    session_hold(call->from);
    store_read_history(call->world->store, me->folded, me->first_game, LOOK_BACK_GAMES,
                       on_past, on_past_end, telling);
}

static bool tell_run(struct call *call)
{
    const char *text = text_skip_words(call->rest, 1), *source;
    const struct account *me = call->from->account;
    struct account *to = accounts_find(call->world->accounts, call->argv[1]);
    const struct room *silent = NULL; /* a game of the two whose terms forbid chat */

    if (strlen(text) > MESSAGE_BYTES_MAX)
        return call_err_limit(call, "message", MESSAGE_BYTES_MAX);
    if (to == NULL)
        return call_no_name(call->from);
    if (to == me)
        return session_err(call->from, REPLY_NO_SUCH, "#self");
    if (!call_spend_chat(call, "messages"))
        return false;
    source = source_of(call->world, to);
    for (int i = 0; i < me->open[QUOTA_GAME] && silent == NULL; i++) {
        const struct room *room = room_find(call->world->rooms, me->game[i]);

        for (int k = 0; room != NULL && k < to->open[QUOTA_GAME]; k++)
            if (to->game[k] == me->game[i] && room->game.manners.bars_talk)
                silent = room;
    }
    if (silent != NULL)
        return call_err_game(call, REPLY_NOT_NOW, "why=terms#tell", silent->id);
    if (strcmp(source, "none") == 0 ||
        privacy_avoids(accounts_marks(call->world->accounts), to, call->from->account))
        return refuse_sender(call->from, to);
    if (strcmp(source, "all") == 0 || account_plays_with(call->from->account, to) ||
        account_role(call->from->account) >= ROLE_MODERATOR)
        return deliver(call, to, text);
    look_up(call, to, text);
    return true;
}

const struct command cmd_tell = {
    .usage = "tell NAME TEXT",
    .help = N_("tell a player something, or leave a message"),
    .examples =
        N_("tell park shall we play at eight?\n"
           "If park is not here, your words are kept as a message; \"limits\" says\n"
           "for how long (message_days)."),
    .may_cost_chat = true,
    .cost = 4,
    .is_talk = true,
    .run = tell_run,
};

/* --- messages --- */

static bool messages_run(struct call *call)
{
    struct messages *messages = accounts_messages(call->world->accounts);
    const struct account *me = call->from->account;
    const char *word = call->argc > 1 ? call->argv[1] : NULL;
    const struct message *m = messages_of(messages, me->folded);
    int count = 0, source;

    if (word == NULL) {
        for (; m != NULL; m = m->next, count++)
            session_sayf(call->from, "| message %lld from=%s at_s=%lld : %s",
                         (long long)m->id, m->from, (long long)m->sent_wall_s, m->text);
        session_ok(call->from, "messages count=%d from=%s", count,
                   source_of(call->world, me));
        messages_set_read(messages, me->folded);
        return false;
    }
    if (strcmp(word, "clear") == 0) {
        count = messages_clear(messages, me->folded);
        return session_ok(call->from, "messages cleared=%d", count);
    }
    source = text_find_word(sources, ARRAY_LEN(sources), word);
    if (source < 0)
        return call_usage(call,
                          "all, played and none say from whom you accept messages");
    return call_put_mark(call, MARK_MESSAGES, "", sources[source]) &&
           session_ok(call->from, "messages from=%s", sources[source]);
}

const struct command cmd_messages = {
    .usage = "messages [clear|all|played|none]",
    .help = N_("list your messages, or say who may send you messages"),
    .examples =
        N_("messages          lists them\n"
           "messages clear    removes them\n"
           "messages played   from players of your finished games (the default)\n"
           "messages all      from everybody\n"
           "messages none     from nobody"),
    .cost = 4,
    .run = messages_run,
};

void cmd_message_deliver(struct world *world, struct session *session)
{
    const struct message *message =
        messages_of(accounts_messages(world->accounts), session->account->folded);

    for (; message != NULL; message = message->next)
        if (!message->is_read)
            session_sayf(session, "! message %lld from=%s at_s=%lld : %s",
                         (long long)message->id, message->from,
                         (long long)message->sent_wall_s, message->text);
}

enum { WORDS_BYTES = CHAT_BYTES_MAX + CHATLOG_BYTES + CHATLOG_LINES * 96 };

/* Returns the shown name of the player, or of a connected guest. Returns NULL for an
 * unknown name. */
static const char *find_name(const struct call *call, const char *name)
{
    const struct account *account = accounts_find(call->world->accounts, name);

    if (account != NULL)
        return account->shown;
    for (const struct session *s = sessions_first_here(call->world->sessions);
         s != NULL; s = sessions_next_here(s))
        if (s->state == SESSION_GUEST && strcmp(s->name, name) == 0)
            return s->name;
    return NULL;
}

/* --- What was said --- */

struct quote {
    struct text words;
    int lines;
};

static void add_line(void *arg, const struct chat_line *line)
{
    struct quote *quote = arg;

    text_addf(&quote->words, "\nchat at_s=%lld game=%lld by=%s : %s",
              (long long)line->wall_s, (long long)line->game, line->by, line->text);
    quote->lines++;
}

/* --- The report --- */

static bool report(struct call *call, const char *name, const char *text)
{
    struct account *me = call->from->account;
    char words[WORDS_BYTES], params[32];
    struct quote quote = {.words = text_into(words, sizeof words)};

    text_add(&quote.words, text);
    chatlogs_between(call->world->rooms->chatlogs,
                     accounts_number(call->world->accounts, me), me->shown, name,
                     add_line, &quote);
    snprintf(params, sizeof params, "lines=%d", quote.lines);
    house_record(call->world->house, &(struct house_act){.actor = me->shown,
                                                         .kind = HOUSE_REPORT,
                                                         .target = name,
                                                         .params = params,
                                                         .words = words});
    session_ok(call->from,
               "report name=%s lines=%d : the host has your report, and the last lines "
               "of chat between you (%d)",
               name, quote.lines, quote.lines);
    for (struct session *s = sessions_first_here(call->world->sessions); s != NULL;
         s = sessions_next_here(s))
        if (account_role(s->account) >= ROLE_MODERATOR)
            session_sayf(s, "! report by=%s about=%s lines=%d : %s", call->from->name,
                         name, quote.lines, text);
    return true;
}

/* Reports are kept for ever, so their number is limited, and the storage must not be
 * full. Charges the caller for a chat message before the search for the name: a search
 * for a guest looks at all sessions, so it must not be free. */
static bool report_run(struct call *call)
{
    struct quotas *quotas = accounts_quotas(call->world->accounts);
    const char *text = text_skip_words(call->rest, 1), *name;
    const char *address = wire_peer_address(call->from->wire);
    int64_t now_wall_s = mono_wall_s(), wait_s;
    int max;

    if (strlen(text) > CHAT_BYTES_MAX)
        return call_err_limit(call, "chat", CHAT_BYTES_MAX);
    wait_s = quota_take(quotas, QUOTA_REPORT, call->from->account, address, now_wall_s,
                        &max);
    if (wait_s > 0)
        return session_err(call->from, REPLY_LIMIT, "what=reports max=%d in_s=%lld",
                           max, (long long)wait_s);
    if (lobby_is_storage_full(call->world->lobby)) {
        call_refuse_storage(call);
    } else if (call_spend_chat(call, "reports")) {
        name = find_name(call, call->argv[1]);
        if (name != NULL && strcmp(name, call->from->name) != 0)
            return report(call, name, text);
        if (name == NULL)
            call_no_name(call->from);
        else
            session_err(call->from, REPLY_NO_SUCH, "#self");
    }
    quota_give_back(quotas, QUOTA_REPORT, call->from->account, address, now_wall_s);
    return false;
}

const struct command cmd_report = {
    .usage = "report NAME [TEXT]",
    .help = N_("report a player to the host, with the last lines of chat between you"),
    .examples = N_("report park insults me\n"
                   "\"ignore park\" hides what park says"),
    .may_cost_chat = true,
    .cost = 4,
    .run = report_run,
};
