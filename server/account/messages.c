/* See messages.h. */
#include "server/account/messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/table.h"
#include "common/base/text.h"

enum { ID_BYTES = 24, VALUE_BYTES = MESSAGE_BYTES_MAX + NAME_BYTES + 64 };

static const char message_kind[] = "message"; /* the kind of these marks on disk */

struct mailbox {
    char owner[NAME_BYTES];
    struct message *messages;
    int count;
    UT_hash_handle hh;
};

struct messages {
    struct store *store;
    struct deadlines *deadlines;
    struct deadline deadline; /* of the next search for old messages */
    struct deadline_kind kind;
    struct mailbox *mailboxes;
    int count;
};

/* --- In memory --- */

static struct mailbox *find_mailbox(const struct messages *messages, const char *owner)
{
    struct mailbox *mailbox;

    HASH_FIND_STR(messages->mailboxes, owner, mailbox);
    return mailbox;
}

static struct mailbox *get_mailbox(struct messages *messages, const char *owner)
{
    struct mailbox *mailbox = find_mailbox(messages, owner);

    if (mailbox == NULL) {
        mailbox = mem_new(sizeof *mailbox);
        text_copy(mailbox->owner, sizeof mailbox->owner, owner);
        HASH_ADD_STR(messages->mailboxes, owner, mailbox);
    }
    return mailbox;
}

static int by_id(const struct message *a, const struct message *b)
{
    return (a->id > b->id) - (a->id < b->id);
}

static struct message *add_message(struct messages *messages, struct mailbox *mailbox,
                                   const struct message *from, const char *text)
{
    size_t size = strlen(text) + 1;
    struct message *message = mem_new(sizeof *message + size);

    *message = *from;
    memcpy(message->text, text, size);
    DL_INSERT_INORDER(mailbox->messages, message, by_id);
    mailbox->count++;
    messages->count++;
    return message;
}

static void remove_message(struct messages *messages, struct mailbox *mailbox,
                           struct message *message)
{
    DL_DELETE(mailbox->messages, message);
    mailbox->count--;
    messages->count--;
    free(message);
}

static void remove_if_empty(struct messages *messages, struct mailbox *mailbox)
{
    if (mailbox->messages != NULL)
        return;
    HASH_DEL(messages->mailboxes, mailbox);
    free(mailbox);
}

/* --- On disk: "1795000000 0 kim TEXT": the time, whether it was read, the sender --- */

static void write_message(const struct messages *messages,
                          const struct mailbox *mailbox, const struct message *message)
{
    char id[ID_BYTES], value[VALUE_BYTES];
    struct store_mark row = {
        .owner = mailbox->owner, .kind = message_kind, .subject = id, .value = value};

    snprintf(id, sizeof id, "%" PRId64, message->id);
    snprintf(value, sizeof value, "%" PRId64 " %d %s %s", message->sent_wall_s,
             message->is_read, message->from, message->text);
    store_put(messages->store, STORE_MARK, &row);
}

static void erase_message(const struct messages *messages,
                          const struct mailbox *mailbox, const struct message *message)
{
    char id[ID_BYTES];

    snprintf(id, sizeof id, "%" PRId64, message->id);
    store_drop(messages->store, STORE_MARK,
               &(struct store_mark){mailbox->owner, message_kind, id, ""}, 3);
}

/* Copies the first word of *rest to `word`, and moves *rest past it. False: the word is
 * empty, is the last one, or is too long. */
static bool take_word(const char **rest, char *word, size_t size)
{
    size_t len = strcspn(*rest, " ");

    if (len == 0 || len >= size || (*rest)[len] != ' ')
        return false;
    memcpy(word, *rest, len);
    word[len] = '\0';
    *rest += len + 1;
    return true;
}

/* The greatest number or time that a row may have. It is so small that the sum of two
 * such values does not overflow. */
#define NUMBER_MAX (INT64_MAX / 2)

static bool read_row(const struct store_mark *row, struct message *out,
                     const char **text)
{
    char time[ID_BYTES], flag[4];

    *text = row->value;
    *out = (struct message){.id = 0};
    if (!text_to_int(row->subject, 1, NUMBER_MAX, &out->id) ||
        !take_word(text, time, sizeof time) ||
        !text_to_int(time, 0, NUMBER_MAX, &out->sent_wall_s) ||
        !take_word(text, flag, sizeof flag) ||
        !take_word(text, out->from, sizeof out->from))
        return false;
    out->is_read = strcmp(flag, "1") == 0;
    return strlen(*text) <= MESSAGE_BYTES_MAX && strlen(row->owner) < NAME_BYTES;
}

static void remember(void *arg, const void *stored)
{
    const struct store_mark *row = stored;
    struct messages *messages = arg;
    struct message message;
    const char *text;

    if (strcmp(row->kind, message_kind) != 0)
        return;
    if (read_row(row, &message, &text))
        add_message(messages, get_mailbox(messages, row->owner), &message, text);
    else
        log_warn("message owner=%s id=%s why=not-readable", row->owner, row->subject);
}

/* --- Old messages --- */

typedef bool is_meant_fn(const struct message *message, const void *of);

/* Removes the messages for which is_meant() is true, both in memory and on disk. */
static void remove_meant(struct messages *messages, is_meant_fn *is_meant,
                         const void *of)
{
    struct mailbox *mailbox, *next_mailbox;
    struct message *message, *next;

    HASH_ITER (hh, messages->mailboxes, mailbox, next_mailbox) {
        DL_FOREACH_SAFE (mailbox->messages, message, next) {
            if (!is_meant(message, of))
                continue;
            erase_message(messages, mailbox, message);
            remove_message(messages, mailbox, message);
        }
        remove_if_empty(messages, mailbox);
    }
}

static bool is_old(const struct message *message, const void *calendar_s)
{
    return message->sent_wall_s + MESSAGE_DAYS * (int64_t)DAY_S <=
           *(const int64_t *)calendar_s;
}

static void on_day(void *arg, struct deadline *deadline, int64_t now_wall_s)
{
    struct messages *messages = arg;
    int64_t calendar_s = store_calendar_s(messages->store);

    remove_meant(messages, is_old, &calendar_s);
    deadlines_set(messages->deadlines, deadline, &messages->kind, now_wall_s + DAY_S);
}

/* --- The life of all --- */

struct messages *messages_open(struct store *store, struct deadlines *deadlines)
{
    struct messages *messages = mem_new(sizeof *messages);
    int64_t calendar_s = store_calendar_s(store);

    *messages = (struct messages){
        .store = store, .deadlines = deadlines, .kind = {on_day, messages}};
    if (!store_load(store, STORE_MARK, remember, messages)) {
        messages_close(messages);
        return NULL;
    }
    if (deadlines == NULL)
        remove_meant(messages, is_old, &calendar_s);
    else /* search when the event loop begins, because other modules still load from the
          * store now */
        deadlines_set(deadlines, &messages->deadline, &messages->kind, mono_wall_s());
    return messages;
}

void messages_close(struct messages *messages)
{
    if (messages == NULL)
        return;
    while (messages->mailboxes != NULL)
        messages_forget(messages, messages->mailboxes->owner);
    if (messages->deadlines != NULL)
        deadlines_remove(messages->deadlines, &messages->deadline);
    free(messages);
}

/* --- Messages --- */

static int count_from(const struct mailbox *mailbox, const char *from, bool is_unread)
{
    const struct message *message;
    int count = 0;

    DL_FOREACH (mailbox->messages, message)
        count += !(is_unread && message->is_read) && strcmp(message->from, from) == 0;
    return count;
}

/* Returns the message to remove from a full mailbox. Only a message that was read may
 * be removed. Compares the senders of the read messages: chooses the sender with the
 * most messages in the mailbox, and returns the oldest read message from this sender.
 * So a sender of many messages loses messages first. NULL: no message was read. */
static struct message *find_spare(const struct mailbox *mailbox)
{
    struct message *message, *spare = NULL;
    int most = 0;

    DL_FOREACH (mailbox->messages, message) {
        int count = message->is_read ? count_from(mailbox, message->from, false) : 0;

        if (count > most) {
            most = count;
            spare = message;
        }
    }
    return spare;
}

enum messages_verdict messages_put(struct messages *messages, const char *owner,
                                   const char *from, const char *text,
                                   int64_t now_wall_s)
{
    struct message message = {.sent_wall_s = now_wall_s}, *spare;
    struct mailbox *mailbox = find_mailbox(messages, owner);

    if (strlen(text) > MESSAGE_BYTES_MAX)
        return MESSAGES_TOO_LONG;
    if (messages->count >= MESSAGES_OF_ALL_MAX)
        return MESSAGES_OVERFLOW;
    if (mailbox != NULL && count_from(mailbox, from, true) >= MESSAGES_UNREAD_MAX)
        return MESSAGES_UNREAD;
    mailbox = get_mailbox(messages, owner);
    message.id = mailbox->messages != NULL ? mailbox->messages->prev->id + 1 : 1;
    text_copy(message.from, sizeof message.from, from);
    if (mailbox->count >= MAILBOX_MAX) {
        spare = find_spare(mailbox);
        if (spare == NULL)
            return MESSAGES_FULL;
        erase_message(messages, mailbox, spare);
        remove_message(messages, mailbox, spare);
    }
    write_message(messages, mailbox, add_message(messages, mailbox, &message, text));
    return MESSAGES_KEPT;
}

const struct message *messages_of(const struct messages *messages, const char *owner)
{
    const struct mailbox *mailbox = find_mailbox(messages, owner);

    return mailbox != NULL ? mailbox->messages : NULL;
}

void messages_set_read(struct messages *messages, const char *owner)
{
    struct mailbox *mailbox = find_mailbox(messages, owner);
    struct message *message;

    if (mailbox == NULL)
        return;
    DL_FOREACH (mailbox->messages, message) {
        if (message->is_read)
            continue;
        message->is_read = true;
        write_message(messages, mailbox, message);
    }
}

int messages_clear(struct messages *messages, const char *owner)
{
    const struct mailbox *mailbox = find_mailbox(messages, owner);
    int count = mailbox != NULL ? mailbox->count : 0;

    if (count == 0)
        return 0;
    store_drop(messages->store, STORE_MARK,
               &(struct store_mark){.owner = owner, .kind = message_kind}, 2);
    messages_forget(messages, owner);
    return count;
}

void messages_forget(struct messages *messages, const char *owner)
{
    struct mailbox *mailbox = find_mailbox(messages, owner);

    if (mailbox == NULL)
        return;
    while (mailbox->messages != NULL)
        remove_message(messages, mailbox, mailbox->messages);
    remove_if_empty(messages, mailbox);
}

static bool is_from(const struct message *message, const void *folded)
{
    char from[NAME_BYTES];

    utf8_fold_name(from, message->from);
    return strcmp(from, folded) == 0;
}

void messages_from(const struct messages *messages, const char *folded,
                   messages_see_fn *see, void *arg)
{
    const struct mailbox *mailbox;
    const struct message *message;

    for (mailbox = messages->mailboxes; mailbox != NULL; mailbox = mailbox->hh.next)
        DL_FOREACH (mailbox->messages, message)
            if (is_from(message, folded))
                see(arg, mailbox->owner, message);
}

void messages_drop_from(struct messages *messages, const char *folded)
{
    remove_meant(messages, is_from, folded);
}
