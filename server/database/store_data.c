/* See store_data.h. */
#include "server/database/store_data.h"

#include <string.h>

#include "common/base/base.h"
#include "common/base/text.h"

/* In SQLite the log of a game is its rows in the table event, and the rows in the table
 * journal that are not yet parked (copied to event). */
static const char sqlite_events[] =
    "(SELECT game, number, text, wall_s, age_ms, chain FROM event UNION ALL"
    " SELECT game, number, text, wall_s, age_ms, link FROM journal WHERE NOT EXISTS"
    " (SELECT 1 FROM event AS parked WHERE parked.game = journal.game"
    " AND parked.number = journal.number))";

const struct store_table store_data_tables[] = {
    {.name = "game",
     .columns =
         "id, is_over, events, age_ms, ended_s, red, blue, red_shown, blue_shown,"
         " rules, time, result, reason, plies, seal",
     .types = "nnnnnttttttttnb",
     .order = "id"},
    {.name = "event",
     .columns = "game, number, text, wall_s, age_ms, link",
     .types = "nntnnb",
     .order = "game, number",
     .sqlite_columns = "game, number, text, wall_s, age_ms, chain",
     .sqlite_rows = sqlite_events},
    {.name = "name",
     .columns = "folded, shown, proof, digest, seen_s, seal, first_game, accepted,"
                " accepted_game, accepted_offer, number, made_s, is_fresh",
     .types = "ttnbnbnnnnnnn",
     .order = "folded"},
    {.name = "device",
     .columns = "folded, digest, proof, since_s, seal",
     .types = "tbnnb",
     .order = "folded, digest"},
    {.name = "invite",
     .columns = "code, terms, maker, first, made_s, game, seal",
     .types = "ttttnnb",
     .order = "code"},
    {.name = "unseen",
     .columns = "name, game",
     .types = "tn",
     .order = "id",
     .own = "id"},
    {.name = "age",
     .columns = "id, age_ms, seal, number",
     .types = "nnbn",
     .order = "id"},
    {.name = "act",
     .columns = "id, wall_s, actor, text, seal",
     .types = "nnttb",
     .order = "id"},
    {.name = "mark",
     .columns = "owner, kind, subject, value, seal",
     .types = "ttttb",
     .order = "owner, kind, subject"},
    {.name = "rating",
     .columns = "seq, wall_s, pool, game, red, blue, score, timeout, why, red_rating,"
                " red_rd, red_volatility, blue_rating, blue_rd, blue_volatility, seal",
     .types = "nntnnnnntnnnnnnb",
     .order = "seq"},
    {.name = "batch",
     .own = "seq, epoch, node, last_id, last_game, running, age_ms, list, games,"
            " numbers, seal"},
    {.name = "lease", .own = "id, owner, at, until, key, seq, node, seal"},
    {.name = "schema", .own = "version"}, /* only in PostgreSQL */
    {.name = "journal", .own = "id, game, number, text, wall_s, age_ms, link"},
    {.name = "sqlite_sequence", .own = "name, seq"},
};
const size_t store_data_tables_count = ARRAY_LEN(store_data_tables);

/* Returns whether a list like "a, b, c" has that word. */
static bool has_word(const char *list, const char *word)
{
    size_t size = strlen(word);

    while (list != NULL && *list != '\0') {
        size_t length = strcspn(list, ",");

        if (length == size && strncmp(list, word, size) == 0)
            return true;
        list += length;
        list += strspn(list, ", ");
    }
    return false;
}

bool store_data_has_column(const char *table, const char *column, bool is_sqlite)
{
    for (size_t i = 0; i < store_data_tables_count; i++) {
        const struct store_table *t = &store_data_tables[i];
        const char *names =
            is_sqlite && t->sqlite_columns != NULL ? t->sqlite_columns : t->columns;

        if (strcmp(t->name, table) == 0)
            return has_word(names, column) || has_word(t->own, column);
    }
    return false;
}

/* --- Summaries --- */

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
