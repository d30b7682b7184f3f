/* A janggid-postgres.so that cancels the running statement when it closes a connection.
 * PostgreSQL then stops waiting for its standby, and shows the commit to everybody. A
 * negative control of tests/cluster/cluster.py. Linked with -Wl,--wrap=PQfinish. */
#include <libpq-fe.h>

void __wrap_PQfinish(PGconn *connection);
void __real_PQfinish(PGconn *connection);

void __wrap_PQfinish(PGconn *connection)
{
    PGcancel *cancel = PQgetCancel(connection); /* NULL if `connection` is NULL */
    char why[256];

    if (cancel != NULL)
        (void)!PQcancel(cancel, why, sizeof why);
    PQfreeCancel(cancel);
    __real_PQfinish(connection);
}
