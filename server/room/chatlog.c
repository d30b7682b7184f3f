/* See chatlog.h. */
#include "server/room/chatlog.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/table.h"
#include "common/base/text.h"

/* Owned by its log. */
struct entry {
    struct entry *prev, *next; /* the oldest first */
    struct chat_line line;
    size_t bytes;
    char text[];
};

struct log {
    int64_t player;
    struct entry *entries;
    int count;
    size_t bytes;
    UT_hash_handle hh; /* table order: the log with the oldest last line is first */
};

struct chatlogs {
    struct log *by_player;
};

struct chatlogs *chatlogs_new(void)
{
    return mem_new(sizeof(struct chatlogs));
}

static void remove_entry(struct log *log, struct entry *entry)
{
    DL_DELETE(log->entries, entry);
    log->count--;
    log->bytes -= entry->bytes;
    free(entry);
}

static void remove_log(struct chatlogs *logs, struct log *log)
{
    while (log->entries != NULL)
        remove_entry(log, log->entries);
    HASH_DEL(logs->by_player, log);
    free(log);
}

void chatlogs_free(struct chatlogs *logs)
{
    struct log *log, *next;

    if (logs == NULL)
        return;
    HASH_ITER (hh, logs->by_player, log, next)
        remove_log(logs, log);
    free(logs);
}

static struct log *find(const struct chatlogs *logs, int64_t player)
{
    struct log *log;

    HASH_FIND(hh, logs->by_player, &player, sizeof player, log);
    return log;
}

void chatlogs_add(struct chatlogs *logs, int64_t player, const struct chat_line *line)
{
    struct log *log = find(logs, player);
    size_t size = strlen(line->text) + 1;
    struct entry *entry = mem_new(sizeof *entry + size);

    if (log != NULL) {
        HASH_DEL(logs->by_player, log); /* it goes to the end of the order */
    } else {
        if (HASH_COUNT(logs->by_player) >= CHATLOG_PLAYERS)
            remove_log(logs, logs->by_player);
        log = mem_new(sizeof *log);
        log->player = player;
    }
    HASH_ADD(hh, logs->by_player, player, sizeof log->player, log);
    entry->line = *line;
    entry->line.text = memcpy(entry->text, line->text, size);
    entry->bytes = size;
    DL_APPEND(log->entries, entry);
    log->count++;
    log->bytes += size;
    while (log->count > CHATLOG_LINES || (log->bytes > CHATLOG_BYTES && log->count > 1))
        remove_entry(log, log->entries);
}

static bool is_by(const struct chat_line *line, const char *name)
{
    return strcmp(line->by, name) == 0;
}

static bool has_spoken_in(const struct log *log, const char *name, int64_t game)
{
    const struct entry *entry;

    DL_FOREACH (log->entries, entry)
        if (entry->line.game == game && is_by(&entry->line, name))
            return true;
    return false;
}

void chatlogs_between(const struct chatlogs *logs, int64_t player, const char *name,
                      const char *other, chat_line_fn *see, void *arg)
{
    const struct log *log = find(logs, player);
    const struct entry *entry;

    if (log == NULL)
        return;
    DL_FOREACH (log->entries, entry)
        if (is_by(&entry->line, other) ||
            (is_by(&entry->line, name) && has_spoken_in(log, other, entry->line.game)))
            see(arg, &entry->line);
}
