/* A janggid-postgres.so that does not hear PostgreSQL's warnings, so it takes a commit
 * that was not waited for as durable: a negative control of tests/cluster/cluster.py.
 * Linked with -Wl,--wrap=PQsetNoticeReceiver. */
#include <libpq-fe.h>

PQnoticeReceiver __wrap_PQsetNoticeReceiver(PGconn *connection, PQnoticeReceiver call,
                                            void *arg);

PQnoticeReceiver __wrap_PQsetNoticeReceiver(PGconn *connection, PQnoticeReceiver call,
                                            void *arg)
{
    (void)connection;
    (void)call;
    (void)arg;
    return NULL;
}
