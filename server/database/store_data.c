/* See store_data.h. */
#include "server/database/store_data.h"

#include <string.h>

#include "common/base/text.h"

void store_data_summary_texts(struct store_summary *summary,
                              const char **out[STORE_SUMMARY_TEXTS])
{
    const char **texts[STORE_SUMMARY_TEXTS] = {
        &summary->red,   &summary->blue, &summary->red_shown, &summary->blue_shown,
        &summary->rules, &summary->time, &summary->result,    &summary->reason};

    memcpy(out, texts, sizeof texts);
}

size_t store_data_summary_bytes(struct store_summary summary)
{
    const char **texts[STORE_SUMMARY_TEXTS];
    size_t bytes = 0;

    store_data_summary_texts(&summary, texts);
    for (int i = 0; i < STORE_SUMMARY_TEXTS; i++)
        bytes += strlen(*texts[i]) + 1;
    return bytes;
}

void store_data_pack_summary(struct store_summary *summary, char **at)
{
    const char **texts[STORE_SUMMARY_TEXTS];

    store_data_summary_texts(summary, texts);
    for (int i = 0; i < STORE_SUMMARY_TEXTS; i++)
        *texts[i] = text_pack(at, *texts[i]);
}
