/* A janggid-postgres.so whose reader and writer take turns, as if they had one
 * connection. A negative control of tests/cluster/cluster.py. Linked with
 * -Wl,--wrap=pg_link_open -Wl,--wrap=pg_link_run -Wl,--wrap=pg_link_commit. */
#include <pthread.h>

#include "server/postgres/pg_link.h"

bool __wrap_pg_link_open(struct pg_link *link);
bool __real_pg_link_open(struct pg_link *link);
enum pg_outcome __wrap_pg_link_run(struct pg_link *link, struct pg_calls *calls,
                                   pg_row_fn *row, void *arg);
enum pg_outcome __real_pg_link_run(struct pg_link *link, struct pg_calls *calls,
                                   pg_row_fn *row, void *arg);
enum pg_outcome __wrap_pg_link_commit(struct pg_link *link, struct pg_calls *calls);
enum pg_outcome __real_pg_link_commit(struct pg_link *link, struct pg_calls *calls);

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

bool __wrap_pg_link_open(struct pg_link *link)
{
    bool is_open;

    pthread_mutex_lock(&turn);
    is_open = __real_pg_link_open(link);
    pthread_mutex_unlock(&turn);
    return is_open;
}

enum pg_outcome __wrap_pg_link_run(struct pg_link *link, struct pg_calls *calls,
                                   pg_row_fn *row, void *arg)
{
    enum pg_outcome outcome;

    pthread_mutex_lock(&turn);
    outcome = __real_pg_link_run(link, calls, row, arg);
    pthread_mutex_unlock(&turn);
    return outcome;
}

enum pg_outcome __wrap_pg_link_commit(struct pg_link *link, struct pg_calls *calls)
{
    enum pg_outcome outcome;

    pthread_mutex_lock(&turn);
    outcome = __real_pg_link_commit(link, calls);
    pthread_mutex_unlock(&turn);
    return outcome;
}
