/* See access.h. */
#include "server/base/access.h"

#include <stdio.h>
#include <string.h>

enum { SETTINGS = 3, CHOICES_MAX = 4 };

/* The words of each setting are in the order of its enum in access.h. */
static const struct setting {
    const char *name;
    const char *choices;
    const char *words[CHOICES_MAX];
} settings[SETTINGS] = {
    {"access", "open|invited|members|closed", {"open", "invited", "members", "closed"}},
    {"guests", "play|watch|none", {"play", "watch", "none"}},
    {"watching", "all|members", {"all", "members"}},
};

static const struct setting *find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(settings); i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

const char *access_choices(const char *setting)
{
    const struct setting *found = find(setting);

    return found != NULL ? found->choices : NULL;
}

bool access_set(struct access *access, const char *setting, const char *word)
{
    const struct setting *found = find(setting);
    int value = 0;

    if (found == NULL)
        return false;
    while (value < CHOICES_MAX && found->words[value] != NULL &&
           strcmp(found->words[value], word) != 0)
        value++;
    if (value == CHOICES_MAX || found->words[value] == NULL)
        return false;
    if (found == &settings[0])
        access->door = (enum access_door)value;
    else if (found == &settings[1])
        access->guests = (enum access_guests)value;
    else
        access->watching = (enum access_watching)value;
    return true;
}

void access_format(char out[ACCESS_BYTES], const struct access *access)
{
    snprintf(out, ACCESS_BYTES, "access=%s guests=%s watching=%s",
             settings[0].words[access->door], settings[1].words[access->guests],
             settings[2].words[access->watching]);
}

bool access_shows_games(const struct access *access)
{
    return access->door != ACCESS_CLOSED && access->guests != GUESTS_NONE &&
           access->watching == WATCHING_ALL;
}

const char *access_door_words(enum access_door door)
{
    static const char *const words[] = {
        [ACCESS_OPEN] = "anybody who reaches this server may take a name and play",
        [ACCESS_INVITED] = "members play, and people with an invitation",
        [ACCESS_MEMBERS] = "members play; no new names are accepted",
        [ACCESS_CLOSED] = "only the staff may log in and begin games",
    };

    return words[door];
}
