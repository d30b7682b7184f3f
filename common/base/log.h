/* Writes one line per event to standard error: time, level, words, key=value. An event
 * always has the same words, so that grep finds it. The log functions escape text from
 * a peer. Never log a password, a token, or a line that was received before login. */
#ifndef COMMON_BASE_LOG_H
#define COMMON_BASE_LOG_H

#include <stdbool.h>

#include "common/base/base.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_FATAL };

/* Drops lines below level. The default is LOG_INFO. */
void log_set_level(enum log_level level);

void log_line(enum log_level level, const char *format, ...) PRINTF_LIKE(2, 3);
#define log_debug(...) log_line(LOG_DEBUG, __VA_ARGS__)
#define log_info(...)  log_line(LOG_INFO, __VA_ARGS__)
#define log_warn(...)  log_line(LOG_WARN, __VA_ARGS__)

/* Writes a sentence that says what went wrong and what to do, if a person reads standard
 * error at a terminal. False: nobody does; write a line of the log instead. */
bool log_advise(const char *format, ...) PRINTF_LIKE(1, 2);

/* Logs the message and ends the process with exit status 70. Use it for a bug in this
 * program, or when the program cannot run in its environment. */
NO_RETURN void log_die(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
