/* See keep.h. The files are short, so each change writes a new file and renames it over
 * the old one. */
#include "client/base/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/disk.h"
#include "common/base/log.h"
#include "common/base/text.h"

enum { LINE_BYTES = 512 };

static bool is_line_of(const char *line, const char *server)
{
    size_t len = strlen(server);

    return strncmp(line, server, len) == 0 && (line[len] == ' ' || line[len] == '\n');
}

static void take_words(char *line, struct keep_line *out)
{
    char *at = line + strcspn(line, " \n");

    for (size_t i = 0; i < ARRAY_LEN(out->word); i++) {
        size_t len;

        at += strspn(at, " ");
        len = strcspn(at, " \n");
        out->word[i][0] = '\0';
        if (len > 0 && len < KEEP_WORD_BYTES) {
            memcpy(out->word[i], at, len);
            out->word[i][len] = '\0';
        }
        at += len;
    }
}

bool keep_find(const char *path, const char *server, struct keep_line *out)
{
    FILE *file = fopen(path, "re");
    char line[LINE_BYTES];
    bool is_found = false;

    if (file == NULL)
        return false;
    for (int number = 1; !is_found && fgets(line, sizeof line, file) != NULL; number++)
        if (is_line_of(line, server)) {
            take_words(line, out);
            out->number = number;
            is_found = true;
        }
    fclose(file);
    return is_found;
}

void keep_each(const char *path, keep_row_fn *row, void *arg)
{
    FILE *file = fopen(path, "re");
    char line[LINE_BYTES];
    struct keep_line words = {.number = 0};

    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        words.number++;
        take_words(line, &words);
        line[strcspn(line, " \n")] = '\0';
        row(arg, line, &words);
    }
    fclose(file);
}

bool keep_find_key(const char *path, const char *word, char *server, size_t size)
{
    FILE *file = fopen(path, "re");
    char line[LINE_BYTES];
    struct keep_line words;
    bool is_found = false;

    if (file == NULL)
        return false;
    while (!is_found && fgets(line, sizeof line, file) != NULL) {
        take_words(line, &words);
        line[strcspn(line, " \n")] = '\0';
        is_found = strcmp(words.word[0], word) == 0 && text_copy(server, size, line);
    }
    fclose(file);
    return is_found;
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

/* Copies the lines except those of server, which are replaced by words or dropped. */
static int copy_lines(FILE *from, FILE *to, const char *server, const char *words)
{
    char line[LINE_BYTES];
    int found = 0;

    while (from != NULL && fgets(line, sizeof line, from) != NULL) {
        bool is_its = is_line_of(line, server);

        if (!is_its)
            fputs(line, to);
        else if (words != NULL && found == 0)
            fprintf(to, "%s %s\n", server, words);
        found += is_its;
    }
    if (words != NULL && found == 0)
        fprintf(to, "%s %s\n", server, words);
    return found;
}

static bool finish(FILE *file, const char *beside, const char *path)
{
    bool is_written = fflush(file) == 0 && disk_sync(fileno(file));

    return fclose(file) == 0 && is_written && rename(beside, path) == 0;
}

/* Returns the number of lines of server, -1 on failure. */
static int change(const char *path, const char *server, const char *words)
{
    char beside[PATH_MAX];
    struct text name = text_into(beside, sizeof beside);
    FILE *old, *new;
    int found, fd;

    text_addf(&name, "%s.%ld", path, (long)getpid());
    if (name.is_cut || !keep_make_way(path))
        return -1;
    fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    new = fd < 0 ? NULL : fdopen(fd, "w");
    if (new == NULL) {
        log_warn("keep open path=%s error=%s", beside, strerror(errno));
        return -1;
    }
    old = fopen(path, "re");
    found = copy_lines(old, new, server, words);
    if (old != NULL)
        fclose(old);
    if (finish(new, beside, path))
        return found;
    log_warn("keep write path=%s error=%s", path, strerror(errno));
    unlink(beside);
    return -1;
}

bool keep_put(const char *path, const char *server, const char *words)
{
    return change(path, server, words) >= 0;
}

int keep_remove(const char *path, const char *server)
{
    struct keep_line line;

    if (!keep_find(path, server, &line))
        return 0;
    return change(path, server, NULL);
}
