/* See guard.h. */
#include "server/base/guard.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/base/text.h"
#include "server/base/config.h"

bool guard_user(bool is_allowed)
{
    if (geteuid() != 0 || is_allowed)
        return true;
    fprintf(
        stderr,
        "janggid: refusing to run as root, which it does not need; make a user for it "
        "(adduser --system --group janggid) and start it with runuser -u janggid -- "
        "janggid ..., or, if you must, use --allow-root\n");
    return false;
}

/* Returns why the file or directory is not safe. It is not safe if another user can
 * change it or may have replaced it. NULL: it is safe. */
static const char *find_fault(const struct stat *found, bool is_directory)
{
    if (S_ISLNK(found->st_mode))
        return "it is a symbolic link; give the path that it points to, or replace the "
               "link by its target";
    if (is_directory ? !S_ISDIR(found->st_mode) : !S_ISREG(found->st_mode))
        return is_directory ? "it is not a directory" : "it is not a plain file";
    if (found->st_uid != geteuid())
        return "it belongs to another user; change its owner, or run janggid as that "
               "user";
    if ((found->st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return is_directory ? "other users may write into it; use chmod 700"
                            : "other users may write to it; use chmod 600";
    return NULL;
}

static bool check(const char *path, bool is_directory)
{
    char plain[CONFIG_TEXT_BYTES + 32];
    struct stat found;
    const char *fault;
    size_t len = strlen(path);

    if (!text_copy(plain, sizeof plain, path))
        return false;
    /* with "/" or "/." at its end, lstat() would follow a link */
    while ((len > 1 && plain[len - 1] == '/') ||
           (len > 2 && plain[len - 1] == '.' && plain[len - 2] == '/'))
        plain[--len] = '\0';
    if (lstat(plain, &found) == 0)
        fault = find_fault(&found, is_directory);
    else
        fault = errno == ENOENT && !is_directory ? NULL : strerror(errno);
    if (fault != NULL &&
        !log_advise(
            "janggid does not use %s: %s. Mend that, or choose another directory "
            "with --data DIR.",
            path, fault))
        log_warn("data path=%s refused why=\"%s\"", path, fault);
    return fault == NULL;
}

bool guard_data(const char *directory)
{
    static const char *const files[] = {"janggid.db", "janggid.db-wal", "key.pem",
                                        "cert.pem", "reserve"};
    bool is_good = true;

    if (!check(directory, true))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        char path[CONFIG_TEXT_BYTES + 32];
        struct text text = text_into(path, sizeof path);

        text_addf(&text, "%s/%s", directory, files[i]);
        is_good = check(path, false) && is_good;
    }
    return is_good;
}
