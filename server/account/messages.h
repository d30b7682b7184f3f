/* Messages that wait for their receivers: of each account at most MAILBOX_MAX. In memory,
 * and as rows on disk: marks of the kind "message", which marks.h does not read. They
 * are dropped after MESSAGE_DAYS, and with the name of their receiver. */
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
    MESSAGES_UNREAD_MAX = 3, /* unread ones to one receiver from one sender */
    MESSAGE_DAYS = 30,
    MESSAGES_OF_ALL_MAX = 50000 /* bounds memory */
};

/* Owned by struct messages. */
struct message {
    struct message *prev, *next; /* of the same receiver, the oldest first */
    int64_t id;                  /* in the mailbox: 1, 2, 3 ... */
    int64_t sent_wall_s;
    bool is_read;          /* the receiver has listed it */
    char from[NAME_BYTES]; /* in its shown spelling */
    char text[];
};

/* Borrows the store and the deadlines (NULL: old messages are dropped only now). Returns
 * NULL after logging. */
struct messages *messages_open(struct store *store,
                               struct deadlines *deadlines) MUST_USE;
/* Accepts NULL. */
void messages_close(struct messages *messages);

enum messages_verdict {
    MESSAGES_KEPT,
    MESSAGES_FULL,     /* the receiver has MAILBOX_MAX unread messages */
    MESSAGES_UNREAD,   /* MESSAGES_UNREAD_MAX of this sender are unread */
    MESSAGES_OVERFLOW, /* the server has MESSAGES_OF_ALL_MAX messages */
    MESSAGES_TOO_LONG  /* text has more than MESSAGE_BYTES_MAX bytes */
};
/* Keeps a message to owner, a folded name, from the account with that shown name. In a full
 * mailbox it takes the place of one that was read. Calls done, as in store.h, when it is
 * on disk; only if it returns MESSAGES_KEPT. */
enum messages_verdict messages_put(struct messages *messages, const char *owner,
                                   const char *from, const char *text,
                                   int64_t now_wall_s, store_done_fn *done,
                                   void *arg) MUST_USE;

/* The oldest message to owner, with next for the others; NULL: none. Valid until the next
 * change. */
const struct message *messages_of(const struct messages *messages, const char *owner);
/* Marks all messages to the owner as read. */
void messages_set_read(struct messages *messages, const char *owner);
/* Removes all messages to owner and returns how many there were. Calls done, as in
 * store.h, unless there were none. */
int messages_clear(struct messages *messages, const char *owner, store_done_fn *done,
                   void *arg);

/* The owner's name has a new owner: drops the messages in memory; the caller removes them
 * from the disk with the other marks of the name. */
void messages_forget(struct messages *messages, const char *owner);
/* Calls see() for each message from the account with that folded name; owner: the folded
 * name of the receiver. */
typedef void messages_see_fn(void *arg, const char *owner,
                             const struct message *message);
void messages_from(const struct messages *messages, const char *folded,
                   messages_see_fn *see, void *arg);
/* Removes the messages from the account with that folded name. */
void messages_drop_from(struct messages *messages, const char *folded);

#endif
