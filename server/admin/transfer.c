/* See transfer.h. */
#include "server/admin/transfer.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "server/admin/verify.h"
#include "server/base/config.h"
#include "server/store/store.h"
#include "server/store/store_copy.h"

static volatile sig_atomic_t is_stopped;

static void on_signal(int number)
{
    (void)number;
    is_stopped = 1;
    store_copy_stop();
}

/* Lets the first signal stop the copy in an orderly way; a second one ends the
 * program. */
static void watch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        sigaction(numbers[i], &action, NULL);
    signal(SIGXFSZ, SIG_IGN); /* so that a write beyond the limit of the file size
                               * fails, and does not end the program */
}

/* Checks that FILE and --store are given. False after printing which of them is
 * missing. */
static bool has_both(const struct config *config, int count, const char *task)
{
    if (count == 0)
        fprintf(stderr, "janggid: %s: FILE is missing; see --help\n", task);
    else if (config->store[0] == '\0')
        fprintf(stderr, "janggid: %s: --store postgres://HOST/DATABASE is missing\n",
                task);
    else
        return true;
    return false;
}

/* Prints `why`, unless it is "" because the reason has been logged. Returns the exit
 * status for `reason`, an errno. */
static int explain(const char *task, const char *path, const char *why, int reason)
{
    if (why[0] != '\0')
        fprintf(stderr, "janggid: %s: %s: %s\n", task, path, why);
    if (is_stopped)
        return TRANSFER_STOPPED;
    if (reason == EAGAIN || reason == EBUSY)
        return TRANSFER_NOT_NOW;
    return reason == EIO || reason == ECANCELED ? TRANSFER_FAILED : TRANSFER_CANNOT;
}

static void report(const char *word, const struct store_copied *copied)
{
    printf("%s games=%lld events=%lld names=%lld\n", word, (long long)copied->games,
           (long long)copied->events, (long long)copied->names);
}

int transfer_dump(const struct config *config, int count, char **words)
{
    const struct store_place place = store_place_of(config);
    char why[STORE_WHY_BYTES];
    struct store_copied copied;

    if (!has_both(config, count, "dump"))
        return TRANSFER_USAGE;
    watch_signals();
    if (!store_copy_dump(&place, words[0], &copied, why))
        return explain("dump", words[0], why, errno);
    report("dumped", &copied);
    return TRANSFER_DONE;
}

int transfer_load(const struct config *config, int count, char **words)
{
    const struct store_place place = store_place_of(config);
    char why[STORE_WHY_BYTES];
    struct store_copied copied;
    struct store_audit *audit;
    int status;

    if (!has_both(config, count, "load"))
        return TRANSFER_USAGE;
    audit = store_audit_open(words[0], why);
    if (audit == NULL)
        return explain("load", words[0], why, ENOENT);
    status = verify_audit(audit, words[0]);
    if (status == VERIFY_DAMAGED)
        fprintf(stderr, "janggid: load: %s: it is damaged, so nothing was loaded\n",
                words[0]);
    if (status == VERIFY_SOUND) {
        watch_signals();
        if (store_copy_load(audit, &place, &copied, why))
            report("loaded", &copied);
        else
            status = explain("load", words[0], why, errno);
    }
    store_audit_close(audit);
    return status;
}
