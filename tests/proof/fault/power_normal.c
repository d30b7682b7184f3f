/* A negative control: a janggid that does not sync its commits. Linked with
 *
 *     -Wl,--wrap=sqlite3_exec -Wl,--wrap=sqlite3_prepare_v2
 *
 * it asks SQLite for synchronous = NORMAL, under which a commit is not synced, and
 * reports FULL to the server. After a power failure it must lose acknowledged
 * events. */
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "common/base/log.h"

int __real_sqlite3_exec(sqlite3 *file, const char *sql,
                        int (*row)(void *, int, char **, char **), void *arg,
                        char **why);
int __wrap_sqlite3_exec(sqlite3 *file, const char *sql,
                        int (*row)(void *, int, char **, char **), void *arg,
                        char **why);
int __real_sqlite3_prepare_v2(sqlite3 *file, const char *sql, int len,
                              sqlite3_stmt **out, const char **tail);
int __wrap_sqlite3_prepare_v2(sqlite3 *file, const char *sql, int len,
                              sqlite3_stmt **out, const char **tail);

int __wrap_sqlite3_exec(sqlite3 *file, const char *sql,
                        int (*row)(void *, int, char **, char **), void *arg,
                        char **why)
{
    static const char full[] = "synchronous = FULL", normal[] = "synchronous = 1   ";
    char changed[1024];
    char *at;

    if (strstr(sql, full) == NULL)
        return __real_sqlite3_exec(file, sql, row, arg, why);
    if (snprintf(changed, sizeof changed, "%s", sql) >= (int)sizeof changed)
        log_die("normal the script is too long");
    at = strstr(changed, full);
    memcpy(at, normal, sizeof normal - 1);
    return __real_sqlite3_exec(file, changed, row, arg, why);
}

int __wrap_sqlite3_prepare_v2(sqlite3 *file, const char *sql, int len,
                              sqlite3_stmt **out, const char **tail)
{
    if (strcmp(sql, "PRAGMA synchronous") == 0)
        sql = "SELECT 2";
    return __real_sqlite3_prepare_v2(file, sql, len, out, tail);
}
