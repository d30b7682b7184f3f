/* See evening_log.h. The value of an event's mark is "WALL_S LINK EVENT". */
#include "server/evening/evening_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"

#define KIND "evening"

enum {
    SUBJECT_BYTES = 40,
    LINK_BYTES = TEXT_BASE64_BYTES(STORE_SEAL_BYTES),
    VALUE_BYTES = EVENING_EVENT_BYTES + LINK_BYTES + 24
};

/* Writes the subject of the mark of event `number` of evening `id`. Subjects sort in
 * the order of the evenings, then of the events. */
static void subject_of(char out[SUBJECT_BYTES], int64_t id, int number)
{
    snprintf(out, SUBJECT_BYTES, "%012lld.%08d", (long long)id, number);
}

/* Replaces *link, the link of event `number` - 1, by the link of event `number`. */
static void continue_link(struct store_seal *link, struct store_sealer *sealer,
                          int64_t id, int number, int64_t wall_s, const char *text)
{
    char subject[SUBJECT_BYTES];

    subject_of(subject, id, number);
    store_seal_row(sealer, link, STORE_ACT,
                   &(struct store_act){
                       .id = number, .wall_s = wall_s, .actor = subject, .text = text});
}

int64_t evening_log_of(const struct store_mark *mark)
{
    int64_t id;
    int number, end = 0;

    if (mark->owner[0] != '\0' || strcmp(mark->kind, KIND) != 0 ||
        sscanf(mark->subject, "%12" SCNd64 ".%8d%n", &id, &number, &end) != 2 ||
        mark->subject[end] != '\0')
        return 0;
    return id;
}

/* Applies the event to log->evening and keeps its text. Returns false if the event does
 * not fit. */
static bool apply(struct evening_log *log, int64_t wall_s, const char *text)
{
    size_t count = (size_t)log->evening.events;

    if (!evening_apply(&log->evening, text))
        return false;
    log->line = mem_resize(log->line, count + 1, sizeof *log->line);
    log->line[count] =
        (struct evening_line){.wall_s = wall_s, .text = mem_copy_text(text)};
    return true;
}

void evening_log_clear(struct evening_log *log)
{
    for (int i = 0; i < log->evening.events; i++)
        free(log->line[i].text);
    free(log->line);
    evening_clear(&log->evening);
    *log = (struct evening_log){.id = log->id};
}

const char *evening_log_take(struct evening_log *log, struct store_sealer *sealer,
                             const struct store_mark *mark)
{
    struct store_seal link = log->link;
    char subject[SUBJECT_BYTES], written[LINK_BYTES], found[LINK_BYTES];
    int number = log->evening.events, end = 0;
    int64_t wall_s;

    subject_of(subject, log->id, number);
    if (strcmp(subject, mark->subject) != 0)
        return "an event is missing";
    if (sscanf(mark->value, "%" SCNd64 " %n", &wall_s, &end) != 1 || end == 0 ||
        strlen(mark->value) < (size_t)end + LINK_BYTES)
        return "an event cannot be read";
    memcpy(written, mark->value + end, LINK_BYTES - 1);
    written[LINK_BYTES - 1] = '\0';
    continue_link(&link, sealer, log->id, number, wall_s,
                  mark->value + end + LINK_BYTES);
    text_base64url(found, link.bytes, sizeof link.bytes);
    if (strcmp(written, found) != 0)
        return "an event was changed";
    if (!apply(log, wall_s, mark->value + end + LINK_BYTES))
        return "an event is not possible";
    log->link = link;
    return NULL;
}

bool evening_log_append(struct evening_log *log, struct store_sealer *sealer,
                        struct store *store, int64_t wall_s, const char *text)
{
    char subject[SUBJECT_BYTES], link[LINK_BYTES], value[VALUE_BYTES];
    struct text words = text_into(value, sizeof value);
    int number = log->evening.events;

    if (!apply(log, wall_s, text))
        return false;
    continue_link(&log->link, sealer, log->id, number, wall_s, text);
    subject_of(subject, log->id, number);
    text_base64url(link, log->link.bytes, sizeof log->link.bytes);
    text_addf(&words, "%lld %s %s", (long long)wall_s, link, text);
    store_put(store, STORE_MARK,
              &(struct store_mark){
                  .owner = "", .kind = KIND, .subject = subject, .value = value});
    return true;
}

void evening_log_drop(const struct evening_log *log, struct store *store)
{
    char subject[SUBJECT_BYTES];

    for (int i = 0; i < log->evening.events; i++) {
        subject_of(subject, log->id, i);
        store_drop(store, STORE_MARK, &(struct store_mark){"", KIND, subject, ""}, 3);
    }
}

const char *evening_log_audit(struct evening_audit *audit,
                              const struct store_mark *mark)
{
    int64_t id = mark != NULL ? evening_log_of(mark) : 0;
    const char *why;

    if (id == 0 || id != audit->log.id) {
        evening_log_clear(&audit->log);
        audit->log = (struct evening_log){.id = id};
        audit->is_damaged = false;
        audit->evenings += id != 0;
    }
    if (id == 0 || audit->is_damaged)
        return NULL;
    why = evening_log_take(&audit->log, audit->sealer, mark);
    audit->is_damaged = why != NULL;
    audit->events += why == NULL;
    return why;
}
