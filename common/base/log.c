/* See log.h. */
#include "common/base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/utf8.h"

enum { LINE_BYTES = 1024, EXIT_SOFTWARE = 70 };

/* write_line() drops lines below this level. Static, because a process has one log;
 * atomic, because reloading the configuration changes it while other threads log. */
static atomic_int lowest = LOG_INFO;

void log_set_level(enum log_level level)
{
    atomic_store_explicit(&lowest, (int)level, memory_order_relaxed);
}

/* Writes each line with one write(), so that lines of several threads do not mix. */
static void write_line(enum log_level level, const char *format, va_list args)
{
    static const char *const names[] = {"debug", "info", "warn", "fatal"};
    char words[LINE_BYTES], safe[LINE_BYTES], line[LINE_BYTES + 64];
    struct text out = text_into(line, sizeof line);
    time_t now_s = (time_t)mono_wall_s();
    struct tm calendar;
    ssize_t written;

    if ((int)level < atomic_load_explicit(&lowest, memory_order_relaxed))
        return;
    vsnprintf(words, sizeof words, format, args);
    utf8_escape(safe, sizeof safe, words);
    gmtime_r(&now_s, &calendar);
    text_addf(&out, "%04d-%02d-%02dT%02d:%02d:%02dZ %s %s\n", calendar.tm_year + 1900,
              calendar.tm_mon + 1, calendar.tm_mday, calendar.tm_hour, calendar.tm_min,
              calendar.tm_sec, names[level], safe);
    written = write(STDERR_FILENO, line, out.len);
    (void)written; /* the error cannot be reported */
}

void log_line(enum log_level level, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    write_line(level, format, args);
    va_end(args);
}

bool log_advise(const char *format, ...)
{
    va_list args;

    if (!isatty(STDERR_FILENO))
        return false;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return true;
}

void log_die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    write_line(LOG_FATAL, format, args);
    va_end(args);
    exit(EXIT_SOFTWARE);
}
