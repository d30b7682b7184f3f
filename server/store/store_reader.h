/* A second thread of the store, for an engine that reads on a connection of its own: a
 * long history does not delay a commit. */
#ifndef SERVER_STORE_STORE_READER_H
#define SERVER_STORE_STORE_READER_H

#include <stdbool.h>

#include "common/base/base.h"
#include "server/database/store_engine.h"
#include "server/store/store_job.h"

struct store_reader;

/* Called on the reader's thread when a job is done. The callee owns the job from then
 * on. */
typedef void store_reader_done_fn(void *arg, struct store_job *job);

/* Starts the thread. Returns NULL after logging. The log must stay open until the
 * reader is stopped. */
struct store_reader *store_reader_start(const struct store_engine *engine, void *log,
                                        store_reader_done_fn *done, void *arg) MUST_USE;
/* Ends the thread; jobs that are not done are freed. Accepts NULL. */
void store_reader_stop(struct store_reader *reader);

/* Takes a job that reads a game, a history or unseen ends. In an outage the job is
 * tried again every second. */
void store_reader_add(struct store_reader *reader, struct store_job *job);

/* Runs a reading job on the thread of the caller. Returns false if there is an outage;
 * the job is then unchanged. */
bool store_reader_run(const struct store_engine *engine, void *log,
                      struct store_job *job) MUST_USE;

#endif
