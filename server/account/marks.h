/* Small facts about accounts: whom a player ignores, blocks, or admits to a private
 * game. They are kept in memory, and each change is also written to the store. The key
 * of a mark is its owner (a folded name, or "" for the server's own), its kind, and its
 * subject. A folded name is normalized, so that all its spellings are equal. Other
 * kinds of marks on disk belong to other modules and are not changed. */
#ifndef SERVER_ACCOUNT_MARKS_H
#define SERVER_ACCOUNT_MARKS_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/store/store.h"

struct marks;

enum mark_kind {
    MARK_IGNORE, /* subject: a folded name, or MARK_GUESTS */
    MARK_BLOCK,  /* subject: a folded name, or MARK_GUESTS */
    MARK_LET,    /* subject: "GAME NAME", the name folded; value: see privacy.c */
    MARK_NOTIFY, /* subject: a folded name; value: "". The owner is told when the
                  * subject logs in */
    MARK_FOLLOW, /* subject: a folded name; value: "". The owner is shown the subject's
                  * games */
    MARK_QUIET,  /* subject: ""; value: the setting of the verb quiet (presence.h) */
    MARK_MESSAGES, /* subject: ""; value: whose messages the owner takes */
    MARK_WATCH,    /* owner: "#" and the number of the game, for example "#17", which is
                    * not a valid name; subject: ""; value: how many codes of the game's
                    * watch link were revoked */
    MARK_SECRET,   /* owner: "", the server; subject: what the secret is for; value: the
                    * secret, random, in hexadecimal */
    MARK_TOLD      /* subject ""; value: see reminders.c */
};
enum { MARK_KINDS = MARK_TOLD + 1 };
/* The subject that means all guests; not a valid name. */
#define MARK_GUESTS "guest"

/* The server's own marks have no limit. */
enum {
    MARKS_MAX = 200, /* maximum number of marks of one kind that one owner has; for
                      * MARK_LET, the maximum for each game */
    LETS_MAX = 400,  /* maximum number of marks of the kind MARK_LET that one owner has,
                      * for all games together. When one more is added, a mark of the
                      * oldest game is removed. Until then, the marks of ended games
                      * remain */
    MARK_TEXT_BYTES = 96
};

/* Owned by struct marks. */
struct mark {
    enum mark_kind kind;
    char subject[MARK_TEXT_BYTES];
    char value[MARK_TEXT_BYTES];
    struct mark *next; /* of the same owner, the newest first */
    const char *owner;
    /* In the list of the marks of the same kind and subject, the oldest first. Only
     * used for MARK_NOTIFY and MARK_FOLLOW. */
    struct mark *about_prev, *about_next;
};

/* Reads all marks from the store, which is borrowed. Returns NULL after logging why. */
struct marks *marks_open(struct store *store) MUST_USE;
void marks_close(struct marks *marks);

/* Returns the value of the mark, valid until the next change. NULL: there is no such
 * mark. */
const char *marks_find(const struct marks *marks, const char *owner,
                       enum mark_kind kind, const char *subject);
/* True when the owner ignores or blocks that folded name (or MARK_GUESTS). */
bool marks_avoid(const struct marks *marks, const char *owner, const char *subject);
/* Sets the mark. False: the owner has MARKS_MAX such marks, or a text is too long. */
bool marks_put(struct marks *marks, const char *owner, enum mark_kind kind,
               const char *subject, const char *value) MUST_USE;
/* Removes the mark. False: not found. */
bool marks_drop(struct marks *marks, const char *owner, enum mark_kind kind,
                const char *subject);
/* Drops the owner's marks in memory. Call it when the name is removed or gets a new
 * owner. The caller removes the marks from the disk. */
void marks_forget(struct marks *marks, const char *owner);

/* Removes the marks that other accounts have about that folded name. These accounts no
 * longer ignore, block, admit or follow the player, and are no longer told when the
 * player logs in. */
void marks_drop_about(struct marks *marks, const char *folded);

/* Returns the first mark of that kind with that subject; about_next leads to the
 * others. The kind must be MARK_NOTIFY or MARK_FOLLOW. NULL: no such mark. */
const struct mark *marks_about(const struct marks *marks, enum mark_kind kind,
                               const char *subject);
/* Returns how many marks of that kind the owner has. */
int marks_count(const struct marks *marks, const char *owner, enum mark_kind kind);

/* Returns the word for the kind, as on disk. */
const char *marks_kind_name(enum mark_kind kind);
/* Returns the first mark of an owner; `next` leads to the others. NULL: the owner has
 * no marks. */
const struct mark *marks_of(const struct marks *marks, const char *owner);

#endif
