/* A janggid-postgres.so that ignores PostgreSQL's warnings, so it takes a commit for
 * durable although PostgreSQL did not wait for the standby. A negative control of
 * tests/cluster/cluster.py. Linked with -Wl,--wrap=PQsetNoticeReceiver. */
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
