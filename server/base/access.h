/* The words and meanings of the settings `access`, `guests` and `watching`, which say
 * who may enter, play and watch. Pure: the functions use only their arguments. They do
 * not look at sessions, names or invitations. */
#ifndef SERVER_BASE_ACCESS_H
#define SERVER_BASE_ACCESS_H

#include <stdbool.h>

#include "common/base/base.h"

/* The people who may enter under a name and play. */
enum access_door {
    ACCESS_OPEN,    /* everybody */
    ACCESS_INVITED, /* members, and people with an invitation */
    ACCESS_MEMBERS, /* members; nobody may register a new name */
    ACCESS_CLOSED   /* the staff */
};

/* The rights of people without an account. */
enum access_guests { GUESTS_PLAY, GUESTS_WATCH, GUESTS_NONE };

/* The people who may watch games that are not private. */
enum access_watching { WATCHING_ALL, WATCHING_MEMBERS };

struct access {
    enum access_door door;
    enum access_guests guests;
    enum access_watching watching;
};

/* Returns the words that a setting may have, in the form "open|invited|members|closed".
 * NULL: unknown setting. */
const char *access_choices(const char *setting);

/* Sets the setting named `setting` to the value that `word` stands for. False: the
 * setting or the word is unknown. */
bool access_set(struct access *access, const char *setting, const char *word) MUST_USE;

/* Writes the settings: "access=invited guests=watch watching=all". */
enum { ACCESS_BYTES = 64 };
void access_format(char out[ACCESS_BYTES], const struct access *access);

/* True if a stranger, who has no name, may look at games that are not private. */
bool access_shows_games(const struct access *access);

/* Returns the meaning of the setting `access`, in a sentence for the host. */
const char *access_door_words(enum access_door door);

#endif
