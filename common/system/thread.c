/* See thread.h. By default a thread gets 8 MB of stack with glibc, 512 KB on macOS and
 * 128 KB with musl. thread_start() sets one size everywhere, so that code that works on
 * one system does not overflow the stack on another. */
#include "common/system/thread.h"

#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>

/* On Linux each thread has its own priority, and setpriority() with the number 0 sets
 * the priority of the calling thread. On other systems the priority belongs to the
 * process. */
#ifndef PORTABLE_ONLY
#ifdef __linux__
#define THREAD_HAS_PRIORITY
#endif
#endif

enum { STACK_BYTES = 2 * 1024 * 1024 };

int thread_start(pthread_t *thread, void *(*run)(void *), void *arg)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);

    if (error != 0)
        return error;
    error = pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (error == 0)
        error = pthread_create(thread, &attributes, run, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

void thread_be_nice(void)
{
#ifdef THREAD_HAS_PRIORITY
    enum { NICE = 10 };

    (void)setpriority(PRIO_PROCESS, 0, NICE);
#endif
}
