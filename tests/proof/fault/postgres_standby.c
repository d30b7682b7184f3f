/* A janggid-postgres.so whose reader accepts a standby instead of the primary. The
 * reader omits its own commits and the question for the timeline, because a standby can
 * do neither. A negative control of tests/cluster/cluster_faults.py. Linked with
 * -Wl,--wrap=PQconnectStartParams -Wl,--wrap=PQsendPrepare -Wl,--wrap=pg_link_commit_own. */
#include <string.h>

#include "server/postgres/pg_link.h"

enum { OPTIONS_MAX = 32 };

PGconn *__wrap_PQconnectStartParams(const char *const *names, const char *const *values,
                                    int expand);
PGconn *__real_PQconnectStartParams(const char *const *names, const char *const *values,
                                    int expand);
int __wrap_PQsendPrepare(PGconn *connection, const char *name, const char *sql,
                         int count, const Oid *types);
int __real_PQsendPrepare(PGconn *connection, const char *name, const char *sql,
                         int count, const Oid *types);
enum pg_outcome __wrap_pg_link_commit_own(struct pg_link *link);
enum pg_outcome __real_pg_link_commit_own(struct pg_link *link);

static _Thread_local bool is_reader; /* the reader has a thread of its own */

PGconn *__wrap_PQconnectStartParams(const char *const *names, const char *const *values,
                                    int expand)
{
    const char *other[OPTIONS_MAX];
    int count = 0;

    for (; names[count] != NULL; count++) {
        other[count] = values[count];
        if (strcmp(names[count], "application_name") == 0)
            is_reader = strcmp(values[count], "janggid reader") == 0;
    }
    other[count] = NULL;
    for (int i = 0; i < count && is_reader; i++)
        if (strcmp(names[i], "target_session_attrs") == 0)
            other[i] = "standby";
    return __real_PQconnectStartParams(names, other, expand);
}

int __wrap_PQsendPrepare(PGconn *connection, const char *name, const char *sql,
                         int count, const Oid *types)
{
    bool is_timeline = is_reader && strstr(sql, "pg_walfile_name") != NULL;

    return __real_PQsendPrepare(
        connection, name, is_timeline ? "SELECT 1::bigint, 1::bigint, 1::bigint" : sql,
        count, types);
}

enum pg_outcome __wrap_pg_link_commit_own(struct pg_link *link)
{
    return is_reader ? PG_DONE : __real_pg_link_commit_own(link);
}
