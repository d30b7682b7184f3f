/* See record_scan.h. */
#include "client/formats/record_scan.h"
#include "common/base/translate.h"

#include <stdio.h>
#include <string.h>

void record_scan_init(struct record_scan *scan, const char *text,
                      struct record_import *import)
{
    *scan = (struct record_scan){.import = import, .at = text, .line = 1};
    record_draft_init(&scan->draft);
}

void record_scan_skip(struct record_scan *scan, const char *end)
{
    for (; scan->at < end; scan->at++)
        scan->line += *scan->at == '\n';
}

void record_scan_begin_game(struct record_scan *scan)
{
    scan->count++;
    scan->is_wanted = scan->count == scan->import->number;
    if (scan->is_wanted)
        scan->draft.line = scan->line;
}

bool record_scan_take_tag(struct record_scan *scan, const char *example,
                          record_scan_tag_fn *take, void *reading)
{
    struct record_tag tag;

    if (!record_tag_take(&scan->at, &tag))
        return record_import_refuse(
            scan->import, scan->line,
            _("expected tags like %s, each on a line of its own"), example);
    if (!scan->is_in_tags)
        record_scan_begin_game(scan);
    scan->is_in_tags = true;
    return !scan->is_wanted || take(reading, &tag);
}

void record_scan_take_comment(struct record_scan *scan, char close)
{
    struct record_draft *draft = &scan->draft;
    const char *begin = scan->at + 1, *end = strchr(begin, close);
    size_t len = end == NULL ? strlen(begin) : (size_t)(end - begin);

    if (scan->is_wanted && draft->moves > 0)
        record_tag_take_clock(&draft->move[draft->moves - 1], begin, len);
    record_scan_skip(scan, begin + len);
    if (end != NULL && close != '\n')
        scan->at++; /* skip the '}'; an LF does not belong to the comment */
}

bool record_scan_has_wanted(struct record_scan *scan, const char *format)
{
    return scan->count >= scan->import->number ||
           record_import_refuse(scan->import, 0,
                                translate_count("the file contains %d game in %s",
                                                "the file contains %d games in %s",
                                                scan->count),
                                scan->count, format);
}

bool record_scan_end(struct record_scan *scan, bool is_read)
{
    if (is_read && scan->count > 1)
        record_import_note(scan->import, 0,
                           _("the file contains %d games; this is number %d"),
                           scan->count, scan->import->number);
    record_draft_clear(&scan->draft);
    return is_read;
}

void record_scan_take_word(struct record_scan *scan, const char *ends,
                           char out[SCAN_WORD_BYTES])
{
    size_t len = strcspn(scan->at, ends);

    len += len == 0; /* consume an unmatched closing bracket */
    snprintf(out, SCAN_WORD_BYTES, "%.*s",
             (int)(len < SCAN_WORD_BYTES ? len : SCAN_WORD_BYTES - 1), scan->at);
    scan->at += len;
}
