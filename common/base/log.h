/* One line per event on standard error: time, level, then words and key=value. The same
 * words every time, so that grep is a report. Whatever a peer may have written is
 * escaped here; a password, a token or a line from before login is never given to it.
 */
#ifndef COMMON_BASE_LOG_H
#define COMMON_BASE_LOG_H

#include "common/base/base.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_FATAL };

/* Lines below level are not written. LOG_INFO from the start. */
void log_set_level(enum log_level level);

void log_debug(const char *format, ...) PRINTF_LIKE(1, 2);
void log_info(const char *format, ...) PRINTF_LIKE(1, 2);
void log_warn(const char *format, ...) PRINTF_LIKE(1, 2);

/* Logs and ends the program with status 70: our own bug, or a world we cannot run in.
 */
NO_RETURN void die(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
