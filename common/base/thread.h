/* Starts a thread. Systems differ in how much stack one gets unless it is asked for. */
#ifndef COMMON_BASE_THREAD_H
#define COMMON_BASE_THREAD_H

#include <pthread.h>

#include "common/base/base.h"

/* All signals are blocked in the new thread: they are the event loop's. 0 or an errno. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *arg) MUST_USE;

#endif
