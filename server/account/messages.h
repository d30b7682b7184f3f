/* Messages that wait for their receivers, at most MAILBOX_MAX for each receiver. They
 * are in memory and on disk. On disk each message is a mark of the kind "message";
 * marks.h does not read that kind. A message is dropped when it is MESSAGE_DAYS old, or
 * when the name of its receiver is removed. */
#ifndef SERVER_ACCOUNT_MESSAGES_H
#define SERVER_ACCOUNT_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/base.h"
#include "common/base/utf8.h"
#include "server/base/deadline.h"
#include "server/store/store.h"

struct messages;

enum {
    MESSAGE_BYTES_MAX = 500,
    MAILBOX_MAX = 20,        /* messages to one receiver */
    MESSAGES_UNREAD_MAX = 3, /* unread messages to one receiver from one sender */
    MESSAGE_DAYS = 30,
    MESSAGES_OF_ALL_MAX = 50000 /* messages on the whole server; bounds memory */
};

/* Owned by struct messages. */
struct message {
    struct message *prev, *next; /* of the same receiver, the oldest first */
    int64_t id;                  /* in the mailbox: 1, 2, 3 ... */
    int64_t sent_wall_s;
    bool is_read;          /* the receiver has listed it */
    char from[NAME_BYTES]; /* the name of the sender, in its shown spelling */
    char text[];
};

/* Reads all messages from the store. Borrows the store and the deadlines. Old messages
 * are dropped when the event loop begins, and then once a day. If deadlines is NULL,
 * they are dropped only once, by this call. Returns NULL after logging why. */
struct messages *messages_open(struct store *store,
                               struct deadlines *deadlines) MUST_USE;
/* `messages` may be NULL. */
void messages_close(struct messages *messages);

enum messages_verdict {
    MESSAGES_KEPT,
    MESSAGES_FULL,     /* the receiver has MAILBOX_MAX unread messages */
    MESSAGES_UNREAD,   /* the receiver has MESSAGES_UNREAD_MAX unread messages from this
                        * sender */
    MESSAGES_OVERFLOW, /* the server has MESSAGES_OF_ALL_MAX messages */
    MESSAGES_TOO_LONG  /* text has more than MESSAGE_BYTES_MAX bytes */
};
/* Keeps a message to `owner`, a folded name, from the account with the shown name
 * `from`. If the mailbox is full, a message that was read is removed. */
enum messages_verdict messages_put(struct messages *messages, const char *owner,
                                   const char *from, const char *text,
                                   int64_t now_wall_s) MUST_USE;

/* Returns the owner's oldest message; NULL: there is none. Follow `next` to the newer
 * ones. Valid until the next change. */
const struct message *messages_of(const struct messages *messages, const char *owner);
/* Marks all messages to the owner as read. */
void messages_set_read(struct messages *messages, const char *owner);
/* Removes all messages to owner and returns how many there were. */
int messages_clear(struct messages *messages, const char *owner);

/* Drops the owner's messages in memory. Call it when the name is removed or gets a new
 * owner. The caller removes the messages from the disk with the other marks of the
 * name. */
void messages_forget(struct messages *messages, const char *owner);
/* Calls see() for each message from one sender. `folded` is the folded name of the
 * sender. The parameter `owner` of see() is the folded name of the receiver. */
typedef void messages_see_fn(void *arg, const char *owner,
                             const struct message *message);
void messages_from(const struct messages *messages, const char *folded,
                   messages_see_fn *see, void *arg);
/* Removes the messages from the account with that folded name. */
void messages_drop_from(struct messages *messages, const char *folded);

#endif
