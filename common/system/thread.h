/* Starts threads, and lowers the priority of a running thread. Systems differ in the
 * default size of a stack, and in whether a thread has a priority of its own. */
#ifndef COMMON_SYSTEM_THREAD_H
#define COMMON_SYSTEM_THREAD_H

#include <pthread.h>

#include "common/base/base.h"

/* Calls run(arg) in a new thread. All signals are blocked in that thread, because the
 * event loop of the main thread handles them. Returns 0, or an errno value on
 * failure. */
int thread_start(pthread_t *thread, void *(*run)(void *), void *arg) MUST_USE;

/* Lowers the priority of the calling thread, where the system can do that for one
 * thread; otherwise does nothing. */
void thread_be_nice(void);

#endif
