/* See keep.h. The files are short, so each change writes a new file and renames it over
 * the old file. A change locks the old file before it reads the file, and releases the
 * lock after the rename. Because of the lock, two clients do not undo each other's
 * changes. */
#include "client/base/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/base/text.h"
#include "common/system/disk.h"

/* Returns true if `line` begins with `word` and a space, or consists of `word`, with or
 * without an LF. */
static bool begins_with_word(const char *line, const char *word)
{
    size_t len = strlen(word);

    return strncmp(line, word, len) == 0 && strchr(" \n", line[len]) != NULL;
}

bool keep_next(FILE *file, struct keep_line *line)
{
    char *at = line->server;

    if (file == NULL)
        return false;
    if (fgets(line->server, sizeof line->server, file) == NULL) {
        fclose(file);
        return false;
    }
    line->number++;
    at += strcspn(at, " \n");
    for (size_t i = 0; i < ARRAY_LEN(line->word); i++) {
        size_t len;

        at += strspn(at, " ");
        len = strcspn(at, " \n");
        line->word[i][0] = '\0';
        if (len > 0)
            (void)text_cut(line->word[i], KEEP_WORD_BYTES, at, len);
        at += len;
    }
    line->server[strcspn(line->server, " \n")] = '\0';
    return true;
}

bool keep_find(const char *path, const char *server, struct keep_line *out)
{
    FILE *file = fopen(path, "re");
    struct keep_line line = {.number = 0};
    bool is_found = false;

    while (keep_next(file, &line))
        if (!is_found && strcmp(line.server, server) == 0) {
            *out = line;
            is_found = true;
        }
    return is_found;
}

bool keep_find_key(const char *path, const char *word, char *server, size_t size)
{
    FILE *file = fopen(path, "re");
    struct keep_line line = {.number = 0};
    bool is_found = false, is_whole = false;

    while (keep_next(file, &line))
        if (!is_found && strcmp(line.word[0], word) == 0) {
            is_whole = text_copy(server, size, line.server);
            is_found = true;
        }
    return is_whole;
}

bool keep_make_way(const char *path)
{
    char way[PATH_MAX];

    if (!text_copy(way, sizeof way, path))
        return false;
    for (char *slash = strchr(way + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(way, 0700) != 0 && errno != EEXIST) {
            log_warn("keep mkdir path=%s error=%s", way, strerror(errno));
            return false;
        }
        *slash = '/';
    }
    return true;
}

/* A change to the lines of one server. One line "SERVER WORDS" replaces all lines that
 * the change matches. The new line takes the place of the first matching line. If no
 * line matches, the new line is appended to the file. */
struct change {
    const char *server;
    const char *word;  /* match only lines with this word after the server; NULL: match
                        * all lines of the server */
    const char *words; /* NULL: only remove the matching lines */
    bool is_first;     /* put the line at the beginning of the file */
};

static bool is_changed(const struct change *change, const char *line)
{
    const char *at = line + strlen(change->server);

    return begins_with_word(line, change->server) &&
           (change->word == NULL ||
            (*at == ' ' && begins_with_word(at + 1, change->word)));
}

static void put_line(FILE *to, const struct change *change)
{
    fprintf(to, "%s %s\n", change->server, change->words);
}

/* Copies the lines of `from` to `to` and applies the change. Returns how many lines the
 * change matched. */
static int copy_lines(FILE *from, FILE *to, const struct change *change)
{
    bool is_put = change->words == NULL;
    char line[KEEP_LINE_BYTES]; /* a line, or a part of a long one */
    bool is_ended = true;
    int found = 0;

    if (change->is_first)
        put_line(to, change);
    is_put = is_put || change->is_first;
    while (fgets(line, sizeof line, from) != NULL) {
        if (!is_changed(change, line)) {
            fputs(line, to);
            is_ended = strchr(line, '\n') != NULL;
            continue;
        }
        found++;
        if (!is_put)
            put_line(to, change);
        is_put = true;
    }
    if (!is_ended) /* a person has edited the file, and its last line has no LF */
        fputc('\n', to);
    if (!is_put)
        put_line(to, change);
    return found;
}

/* Opens the file at `path`, or creates it, and locks it for writing until fclose(). If
 * another client replaced the file while we waited for the lock, opens the new file.
 * Returns NULL on failure, with errno set. */
static FILE *open_locked(const char *path)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat locked, now;
    FILE *file;

    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

        file = fd < 0 ? NULL : fdopen(fd, "r");
        if (file == NULL)
            return NULL;
        while (fcntl(fd, F_SETLKW, &lock) != 0)
            if (errno != EINTR)
                return file; /* the file system has no locks: continue without one */
        if (fstat(fd, &locked) == 0 && stat(path, &now) == 0 &&
            locked.st_dev == now.st_dev && locked.st_ino == now.st_ino)
            return file;
        fclose(file);
    }
}

/* Writes the lines of `old`, with the change applied, to the file `beside`, and renames
 * that file to `path`. Returns how many lines the change matched, or -1 after logging
 * the reason. */
static int replace(FILE *old, const char *beside, const char *path,
                   const struct change *change)
{
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    FILE *new = fd < 0 ? NULL : fdopen(fd, "w");
    bool is_written;
    int found;

    if (new == NULL) {
        log_warn("keep open path=%s error=%s", beside, strerror(errno));
        return -1;
    }
    found = copy_lines(old, new, change);
    is_written = fflush(new) == 0 && disk_sync(fileno(new));
    if (fclose(new) == 0 && is_written && rename(beside, path) == 0)
        return found;
    log_warn("keep write path=%s error=%s", path, strerror(errno));
    unlink(beside);
    return -1;
}

/* Applies the change to the file. Returns how many lines the change matched, or -1 on
 * failure. */
static int apply(const char *path, const struct change *change)
{
    char beside[PATH_MAX];
    struct text name = text_into(beside, sizeof beside);
    FILE *old;
    int found;

    text_addf(&name, "%s.%ld", path, (long)getpid());
    if (name.is_cut || !keep_make_way(path))
        return -1;
    old = open_locked(path);
    if (old == NULL) {
        log_warn("keep open path=%s error=%s", path, strerror(errno));
        return -1;
    }
    found = replace(old, beside, path, change);
    fclose(old); /* after the rename, because fclose() releases the lock */
    return found;
}

bool keep_put(const char *path, const char *server, const char *words)
{
    struct change change = {.server = server, .words = words};

    return apply(path, &change) >= 0;
}

/* Returns true if the file already has the line "SERVER WORDS" of the change: as its
 * first line if is_first is set, otherwise anywhere. */
static bool is_put_already(const char *path, const struct change *change)
{
    FILE *file = fopen(path, "re");
    char line[KEEP_LINE_BYTES];
    bool is_put = false;

    if (file == NULL)
        return false;
    for (int i = 0; !is_put && fgets(line, sizeof line, file) != NULL; i++) {
        line[strcspn(line, "\n")] = '\0';
        is_put = (i == 0 || !change->is_first) &&
                 strncmp(line, change->server, strlen(change->server)) == 0 &&
                 line[strlen(change->server)] == ' ' &&
                 strcmp(line + strlen(change->server) + 1, change->words) == 0;
    }
    fclose(file);
    return is_put;
}

bool keep_put_word(const char *path, const char *server, const char *word,
                   const char *words, bool is_first)
{
    struct change change = {
        .server = server, .word = word, .words = words, .is_first = is_first};

    return is_put_already(path, &change) || apply(path, &change) >= 0;
}

int keep_remove(const char *path, const char *server)
{
    struct change change = {.server = server};
    struct keep_line line;

    if (!keep_find(path, server, &line))
        return 0;
    return apply(path, &change);
}
