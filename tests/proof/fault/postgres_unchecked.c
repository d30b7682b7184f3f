/* A janggid-postgres.so that does not notice when PostgreSQL stops requiring a standby.
 * If the setting synchronous_standby_names is empty, this library still sees a name in
 * it. A negative control of tests/cluster/cluster_faults.py. Linked with
 * -Wl,--wrap=PQgetvalue -Wl,--wrap=PQgetlength. */
#include <stdbool.h>
#include <string.h>

#include <libpq-fe.h>

char *__wrap_PQgetvalue(const PGresult *result, int row, int column);
char *__real_PQgetvalue(const PGresult *result, int row, int column);
int __wrap_PQgetlength(const PGresult *result, int row, int column);
int __real_PQgetlength(const PGresult *result, int row, int column);

static char somebody[] = "somebody";

/* True for the value of synchronous_standby_names, the second of the five settings in
 * the result. */
static bool is_standbys(const PGresult *result, int column)
{
    return PQnfields(result) == 5 && column == 1 &&
           strcmp(PQfname(result, 0), "current_setting") == 0;
}

char *__wrap_PQgetvalue(const PGresult *result, int row, int column)
{
    return is_standbys(result, column) ? somebody
                                       : __real_PQgetvalue(result, row, column);
}

int __wrap_PQgetlength(const PGresult *result, int row, int column)
{
    return is_standbys(result, column) ? (int)strlen(somebody)
                                       : __real_PQgetlength(result, row, column);
}
