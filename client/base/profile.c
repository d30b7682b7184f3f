/* See profile.h. The names are in a file of lines "ADDRESS NAME KEY", where KEY is the
 * beginning of the server's key; the lines of a server are in order of preference. A
 * client that uses a name holds a lock on one byte of a lock file, at an offset
 * computed from the server and the name. The system releases the lock when the process
 * ends, for any reason. */
#include "client/base/profile.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/keep.h"
#include "common/base/text.h"

enum { OFFERS_MAX = 99 };

/* --- Names in use --- */

/* Returns the offset in the lock file for a name at this server: an FNV-1a hash. One
 * user has few names, so a collision among 2^30 offsets is very unlikely. */
static off_t place_of(const struct profile *profile, const char *name)
{
    char folded[NAME_BYTES], text[LINK_SERVER_BYTES + NAME_BYTES];
    struct text out = text_into(text, sizeof text);
    uint32_t hash = 2166136261u;

    utf8_fold_name(folded, name);
    text_addf(&out, "%.*s %s",
              profile->server[0] != '\0' ? TLS_KEY_TEXT_SHORT : LINK_SERVER_BYTES,
              profile->server[0] != '\0' ? profile->server : profile->address, folded);
    for (const char *at = text; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    return (off_t)(hash & 0x3fffffff) + 1;
}

static struct flock lock_at(off_t place, short type)
{
    return (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = place, .l_len = 1};
}

static bool is_in_use(const struct profile *profile, const char *name)
{
    struct flock lock = lock_at(place_of(profile, name), F_WRLCK);

    return profile->lock >= 0 && fcntl(profile->lock, F_GETLK, &lock) == 0 &&
           lock.l_type != F_UNLCK;
}

static void use_first_key(struct profile *profile)
{
    text_copy(profile->cert_path, sizeof profile->cert_path, profile->prefs->cert_path);
    text_copy(profile->key_path, sizeof profile->key_path, profile->prefs->key_path);
    profile->is_new_key = false;
}

void profile_open(struct profile *profile, const struct prefs *prefs,
                  const struct link *server)
{
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s.lock", prefs->names_path);

    *profile = (struct profile){.prefs = prefs, .lock = -1};
    link_format_server(profile->address, server);
    use_first_key(profile);
    if (len < (int)sizeof path && keep_make_way(path))
        profile->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

void profile_close(struct profile *profile)
{
    if (profile->lock >= 0)
        close(profile->lock);
    profile->lock = -1;
}

void profile_set_server(struct profile *profile, const char *key)
{
    text_copy(profile->server, sizeof profile->server, key);
}

/* --- Names remembered --- */

/* Returns true if the line has the address or the key of the profile's server. Lines
 * written by earlier versions have no key. */
static bool is_of_server(const struct profile *profile, const struct keep_line *line)
{
    return strcmp(line->server, profile->address) == 0 ||
           (profile->server[0] != '\0' &&
            strncmp(line->word[1], profile->server, TLS_KEY_TEXT_SHORT) == 0);
}

bool profile_recall(const struct profile *profile, char name[NAME_BYTES],
                    char busy[NAME_BYTES])
{
    FILE *file = fopen(profile->prefs->names_path, "re");
    struct keep_line line = {.number = 0};
    char found[NAME_BYTES];

    name[0] = busy[0] = '\0';
    while (keep_next(file, &line)) {
        if (name[0] != '\0' || !utf8_name(found, line.word[0]) ||
            !is_of_server(profile, &line))
            continue;
        if (!is_in_use(profile, found))
            text_copy(name, NAME_BYTES, found);
        else if (busy[0] == '\0')
            text_copy(busy, NAME_BYTES, found);
    }
    return name[0] != '\0';
}

/* Returns true if another client uses a name other than `name` at the server. */
static bool is_further(const struct profile *profile, const char *name)
{
    FILE *file = fopen(profile->prefs->names_path, "re");
    struct keep_line line = {.number = 0};
    char other[NAME_BYTES];
    bool is_found = false;

    while (keep_next(file, &line))
        is_found |= utf8_name(other, line.word[0]) && is_of_server(profile, &line) &&
                    strcmp(other, name) != 0 && is_in_use(profile, other);
    return is_found;
}

void profile_remember(const struct profile *profile, const char *name)
{
    char words[NAME_BYTES + TLS_KEY_TEXT_BYTES];
    struct text text = text_into(words, sizeof words);

    text_addf(&text, "%s%s%.*s", name, profile->server[0] != '\0' ? " " : "",
              TLS_KEY_TEXT_SHORT, profile->server);
    (void)keep_put_word(profile->prefs->names_path, profile->address, name, words,
                        !is_further(profile, name));
}

/* Writes `name`, such as "hong", if number is 1. Otherwise writes `name` with the
 * number appended, such as "hong2", and shortens `name` so that the number fits.
 * Returns false if the result is not a valid name. */
static bool number_name(char out[NAME_BYTES], const char *name, int number)
{
    char text[NAME_BYTES];

    if (number == 1)
        return utf8_name(out, name);
    for (size_t len = strlen(name); len > 0; len--) {
        snprintf(text, sizeof text, "%.*s%d", (int)len, name, number);
        if (utf8_name(out, text))
            return true;
    }
    return false;
}

/* A name cannot contain both hangul and digits, so no number can be added to a user
 * name in hangul. If such a name is in use, offers "player" with a number instead. */
void profile_offer(const struct profile *profile, char out[NAME_BYTES])
{
    static const char plain[] = "player";
    const char *user = getenv("USER");
    char name[NAME_BYTES];

    if (user == NULL || !utf8_name(name, user) || utf8_is_reserved_name(user))
        user = plain;
    for (int i = 1; i <= OFFERS_MAX; i++)
        if ((number_name(out, user, i) || number_name(out, plain, i)) &&
            !is_in_use(profile, out))
            return;
    text_copy(out, NAME_BYTES, plain);
}

/* --- Keys --- */

/* Writes `path` with a dash and `name` before its extension: identity-NAME.key for
 * identity.key. Returns false if the result is too long. */
static bool beside(char out[PATH_MAX], const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash != NULL ? slash : path, '.');
    size_t stem = dot != NULL ? (size_t)(dot - path) : strlen(path);
    struct text text = text_into(out, PATH_MAX);

    text_addf(&text, "%.*s-%s%s", (int)stem, path, name, path + stem);
    return !text.is_cut;
}

/* Writes to `cert` and `key` the paths of the certificate and the key that only `name`
 * uses (identity-NAME.key), whether the files exist or not. Returns false if --cert or
 * --key was given, or a path is too long. */
static bool own_paths(const struct prefs *prefs, const char *name, char cert[PATH_MAX],
                      char key[PATH_MAX])
{
    char folded[NAME_BYTES];

    utf8_fold_name(folded, name);
    return !prefs->has_own_identity && beside(cert, prefs->cert_path, folded) &&
           beside(key, prefs->key_path, folded);
}

bool profile_own_key(const struct prefs *prefs, const char *name, char cert[PATH_MAX],
                     char key[PATH_MAX])
{
    return own_paths(prefs, name, cert, key) && access(key, F_OK) == 0;
}

bool profile_take(struct profile *profile, const char *name)
{
    struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
    struct flock lock = lock_at(place_of(profile, name), F_WRLCK);
    char cert[PATH_MAX], key[PATH_MAX];
    bool is_there = profile_own_key(profile->prefs, name, cert, key);

    use_first_key(profile);
    if (is_there ||
        (is_further(profile, name) && own_paths(profile->prefs, name, cert, key))) {
        profile->is_new_key = !is_there;
        text_copy(profile->cert_path, sizeof profile->cert_path, cert);
        text_copy(profile->key_path, sizeof profile->key_path, key);
    }
    profile->awaited = 0;
    if (profile->lock < 0)
        return true;
    (void)fcntl(profile->lock, F_SETLK, &all);
    if (fcntl(profile->lock, F_SETLK, &lock) == 0)
        return true;
    profile->awaited = lock.l_start;
    return false;
}

void profile_await(struct profile *profile)
{
    struct flock lock = lock_at((off_t)profile->awaited, F_WRLCK);

    if (profile->awaited != 0 && fcntl(profile->lock, F_SETLK, &lock) == 0)
        profile->awaited = 0;
}

bool profile_take_first_key(struct profile *profile)
{
    if (!profile->is_new_key)
        return false;
    unlink(profile->cert_path);
    unlink(profile->key_path);
    use_first_key(profile);
    return true;
}
