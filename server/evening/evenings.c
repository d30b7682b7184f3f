/* See evenings.h. */
#include "server/evening/evenings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/utf8.h"

struct evenings {
    struct store *store;
    struct store_sealer *sealer;
    struct evening_entry *by_id;
    int64_t last_id;
    bool is_damaged;
};

/* --- The registry --- */

struct evening_entry *evenings_find(struct evenings *evenings, int64_t id)
{
    struct evening_entry *entry;

    HASH_FIND(hh, evenings->by_id, &id, sizeof id, entry);
    return entry;
}

struct evening_entry *evenings_first(struct evenings *evenings)
{
    return evenings->by_id;
}

struct evening_entry *evenings_next(struct evening_entry *entry)
{
    return entry->hh.next;
}

/* Adds an evening without events. The table keeps the order in which entries are
 * added. */
static struct evening_entry *add(struct evenings *evenings, int64_t id)
{
    struct evening_entry *entry = mem_new(sizeof *entry);

    entry->log.id = id;
    HASH_ADD(hh, evenings->by_id, log.id, sizeof id, entry);
    if (id > evenings->last_id)
        evenings->last_id = id;
    return entry;
}

static void forget(struct evenings *evenings, struct evening_entry *entry)
{
    HASH_DEL(evenings->by_id, entry);
    evening_log_clear(&entry->log);
    free(entry);
}

static void remember(void *arg, const void *row)
{
    const struct store_mark *mark = row;
    struct evenings *evenings = arg;
    int64_t id = evening_log_of(mark);
    struct evening_entry *entry;
    const char *why;

    if (id == 0 || evenings->is_damaged)
        return;
    entry = evenings_find(evenings, id);
    if (entry == NULL)
        entry = add(evenings, id);
    why = evening_log_take(&entry->log, evenings->sealer, mark);
    if (why == NULL)
        return;
    log_warn("evening=%lld damaged=%s : %s; restore a backup", (long long)id,
             mark->subject, why);
    evenings->is_damaged = true;
}

struct evenings *evenings_open(struct store *store)
{
    struct evenings *evenings = mem_new(sizeof *evenings);

    evenings->store = store;
    evenings->sealer = store_sealer_new();
    if (store_load(store, STORE_MARK, remember, evenings) && !evenings->is_damaged)
        return evenings;
    evenings_close(evenings);
    return NULL;
}

void evenings_close(struct evenings *evenings)
{
    struct evening_entry *entry, *next;

    if (evenings == NULL)
        return;
    HASH_ITER (hh, evenings->by_id, entry, next)
        forget(evenings, entry);
    store_sealer_free(evenings->sealer);
    free(evenings);
}

/* --- Events --- */

int evenings_limit(const struct evenings *evenings, const char *maker)
{
    int open = 0, own = 0;

    for (struct evening_entry *e = evenings->by_id; e != NULL; e = e->hh.next) {
        if (e->log.evening.phase == EVENING_OVER)
            continue;
        open++;
        own += strcmp(e->log.evening.maker, maker) == 0;
    }
    if (own >= EVENINGS_EACH_MAX)
        return EVENINGS_EACH_MAX;
    return open >= EVENINGS_OPEN_MAX ? EVENINGS_OPEN_MAX : 0;
}

int64_t evenings_wait_s(const struct evenings *evenings, int64_t account,
                        int64_t now_wall_s)
{
    /* made_s: a ring buffer with the times when the account made its latest evenings */
    int64_t made_s[EVENINGS_DAY_MAX] = {0}, wait_s;
    int count = 0;

    for (const struct evening_entry *e = evenings->by_id; e != NULL; e = e->hh.next)
        if (e->log.evening.maker_account == account)
            made_s[count++ % EVENINGS_DAY_MAX] = e->log.line[0].wall_s;
    wait_s = made_s[count % EVENINGS_DAY_MAX] + DAY_S - now_wall_s;
    return count >= EVENINGS_DAY_MAX && wait_s > 0 ? wait_s : 0;
}

/* True if there is a game that has begun and has no result yet. */
static bool has_running_game(const struct evening *evening)
{
    for (int i = 0; i < evening->pairs; i++)
        if (evening->pair[i].game != 0 && evening->pair[i].result == EVENING_UNDECIDED)
            return true;
    return false;
}

/* Looks only at evenings that are over and were played (is_played false: were not
 * played). Counts all evenings of each maker of such an evening, and chooses the maker
 * with the highest count. Returns the oldest evening of this maker that is over and was
 * played (or was not played). NULL: there is no such evening. */
static struct evening_entry *find_surplus(struct evenings *evenings, bool is_played)
{
    struct evening_entry *found = NULL;
    int most = 0;

    for (struct evening_entry *e = evenings->by_id; e != NULL; e = e->hh.next) {
        const struct evening *evening = &e->log.evening;
        /* A round that is only paired does not count as played: anybody can make such
         * a round in a moment. */
        bool was_played = has_running_game(evening);
        int count = 0;

        for (int i = 0; i < evening->pairs && !was_played; i++)
            was_played = evening_was_played(&evening->pair[i]);
        if (evening->phase != EVENING_OVER || was_played != is_played)
            continue;
        /* Compares the numbers of the accounts, because a name may have had several
         * owners; if both are unknown (0), the names. */
        for (const struct evening_entry *o = evenings->by_id; o != NULL; o = o->hh.next)
            count += o->log.evening.maker_account == evening->maker_account &&
                     (evening->maker_account != 0 ||
                      strcmp(o->log.evening.maker, evening->maker) == 0);
        if (count <= most)
            continue;
        most = count;
        found = e;
    }
    return found;
}

bool evenings_append(struct evenings *evenings, struct evening_entry *entry,
                     const char *text)
{
    return evening_log_append(&entry->log, evenings->sealer, evenings->store,
                              mono_wall_s(), text);
}

void evenings_remove_player(struct evenings *evenings, const char *name)
{
    for (struct evening_entry *e = evenings->by_id; e != NULL; e = e->hh.next) {
        const struct evening *evening = &e->log.evening;
        int number = evening_find(evening, name);
        char event[24];

        if (evening->phase == EVENING_OVER || number == 0 ||
            !evening->player[number - 1].is_here)
            continue;
        snprintf(event, sizeof event, "leave %d", number);
        if (!evenings_append(evenings, e, event))
            log_warn("evening=%lld number=%d leave=refused", (long long)e->log.id,
                     number);
    }
}

/* One maker's many evenings, played or not, must not displace the results of other
 * makers' evenings. */
struct evening_entry *evenings_new(struct evenings *evenings, const char *text)
{
    struct evening_entry *entry = NULL;

    if (HASH_COUNT(evenings->by_id) >= EVENINGS_MAX) {
        entry = find_surplus(evenings, false);
        if (entry == NULL)
            entry = find_surplus(evenings, true);
    }
    if (entry != NULL) {
        evening_log_drop(&entry->log, evenings->store);
        forget(evenings, entry);
    }
    entry = add(evenings, evenings->last_id + 1);
    if (evenings_append(evenings, entry, text))
        return entry;
    forget(evenings, entry);
    return NULL;
}

bool evenings_find_game(struct evenings *evenings, int64_t game,
                        struct evening_entry **entry, const struct evening_pair **pair)
{
    for (struct evening_entry *e = evenings->by_id; e != NULL; e = e->hh.next) {
        const struct evening *evening = &e->log.evening;

        if (evening->phase == EVENING_OVER && !e->has_all_results)
            e->has_all_results = !has_running_game(evening);
        if (evening->phase == EVENING_OPEN || e->has_all_results)
            continue;
        *entry = e;
        *pair = evening_board_of_game(evening, game);
        if (*pair != NULL)
            return true;
    }
    return false;
}

bool evenings_await(struct evenings *evenings, int64_t game)
{
    const struct evening_pair *pair;
    struct evening_entry *entry;

    return evenings_find_game(evenings, game, &entry, &pair) &&
           pair->result == EVENING_UNDECIDED;
}

/* --- A person in the logs: export --- */

static bool is_person(const char *name, const char *folded)
{
    char found[NAME_BYTES];

    utf8_fold_name(found, name);
    return strcmp(found, folded) == 0;
}

/* The roles of a person in an evening. */
struct part {
    bool is_maker;
    int number;                        /* number of the player; 0: the person is no
                                        * player */
    int board[EVENING_ROUNDS_MAX + 1]; /* board[r]: the player's board in round r (from
                                        * 1); 0: none */
};

static bool is_about(const struct part *part, const char *text)
{
    const char *space = strchr(text, ' ');
    const char *const words[] = {"join", "leave", "adjust", "result", "miss", "new"};
    enum { BOARDS = 3, NEW = 5 };
    size_t kind = 0, len = space != NULL ? (size_t)(space - text) : 0;
    char *board;
    long number;

    while (kind < ARRAY_LEN(words) &&
           (strlen(words[kind]) != len || strncmp(words[kind], text, len) != 0))
        kind++;
    if (kind == ARRAY_LEN(words))
        return false;
    if (kind == NEW)
        return part->is_maker;
    number = strtol(space, &board, 10);
    if (kind < BOARDS)
        return number == part->number;
    return number > 0 && number <= EVENING_ROUNDS_MAX && part->board[number] != 0 &&
           strtol(board, NULL, 10) == part->board[number];
}

void evenings_about(const struct evenings *evenings, const char *folded, int most,
                    evenings_event_fn *fn, void *arg)
{
    const struct UT_hash_table *table =
        evenings->by_id != NULL ? evenings->by_id->hh.tbl : NULL;
    const struct evening_entry *e =
        table != NULL ? ELMT_FROM_HH(table, table->tail) : NULL;
    int told = 0;

    for (; e != NULL && told < most; e = e->hh.prev) {
        const struct evening_log *log = &e->log;
        const struct evening *evening = &log->evening;
        struct part part = {.is_maker = is_person(evening->maker, folded),
                            .number = evening_find(evening, folded)};
        int events = part.number != 0 ? evening->events : part.is_maker ? 1 : 0;

        for (int i = 0; i < evening->pairs && part.number != 0; i++) {
            const struct evening_pair *pair = &evening->pair[i];

            if (pair->first == part.number || pair->second == part.number)
                part.board[pair->round] = pair->board;
        }
        for (int i = 0; i < events; i++) {
            if (!is_about(&part, log->line[i].text))
                continue;
            fn(arg, log->id, log->line[i].wall_s, log->line[i].text);
            told++;
        }
    }
}

/* --- A person in the logs: erasure --- */

/* Appends a word of a sentence to `out`. If the word is a spelling of the name
 * `folded`, appends the alias in place of the name. The word may have punctuation marks
 * before and after the name, as in "(kim),": the marks are kept. */
static void add_renamed(struct text *out, const char *word, const char *folded,
                        const char *alias)
{
    static const char marks[] = ".,;:!?()[]\"'";
    size_t before = strspn(word, marks), len = strcspn(word + before, marks);
    char name[NAME_BYTES];

    /* no spelling is shorter than the folded name, so shorter words are not folded */
    if (len >= strlen(folded) && len < sizeof name) {
        memcpy(name, word + before, len);
        name[len] = '\0';
        if (is_person(name, folded)) {
            text_addf(out, "%.*s%s%s", (int)before, word, alias, word + before + len);
            return;
        }
    }
    text_add(out, word);
}

/* Writes the event to `out`, with the alias in place of the name. Names are in "join N
 * NAME" and "maker=NAME", and in the free text of the maker at the end of "adjust N
 * HALVES" and "result R BOARD RESULT host". Returns false if the name is not in the
 * event. */
static bool rename_in(const char *text, const char *folded, const char *alias,
                      char out[EVENING_EVENT_BYTES])
{
    char copy[EVENING_EVENT_BYTES], *at = copy, *word;
    struct text words = text_into(out, EVENING_EVENT_BYTES);
    bool is_new = strncmp(text, "new ", 4) == 0,
         is_join = strncmp(text, "join ", 5) == 0;
    int words_at = strncmp(text, "adjust ", 7) == 0   ? 3
                   : strncmp(text, "result ", 7) == 0 ? 5
                                                      : INT_MAX;

    if (!is_new && !is_join && words_at == INT_MAX) {
        text_add(&words, text);
        return false;
    }
    text_copy(copy, sizeof copy, text);
    for (int i = 0; (word = strsep(&at, " ")) != NULL; i++) {
        bool is_maker = is_new && strncmp(word, "maker=", 6) == 0;
        const char *name = is_maker ? word + 6 : word;

        text_add(&words, i > 0 ? " " : "");
        text_add(&words, is_maker ? "maker=" : "");
        if (i >= words_at)
            add_renamed(&words, word, folded, alias);
        else if ((is_maker || (is_join && i == 2)) && is_person(name, folded))
            text_add(&words, alias);
        else
            text_add(&words, name);
    }
    return strcmp(out, text) != 0;
}

void evenings_erase(struct evenings *evenings, const char *folded, const char *alias)
{
    for (struct evening_entry *e = evenings->by_id; e != NULL; e = e->hh.next) {
        struct evening_log *log = &e->log, fresh = {.id = log->id};
        char text[EVENING_EVENT_BYTES];
        bool is_named = false;

        for (int i = 0; i < log->evening.events && !is_named; i++)
            is_named = rename_in(log->line[i].text, folded, alias, text);
        if (!is_named)
            continue;
        for (int i = 0; i < log->evening.events; i++) {
            (void)rename_in(log->line[i].text, folded, alias, text);
            if (!evening_log_append(&fresh, evenings->sealer, evenings->store,
                                    log->line[i].wall_s, text))
                log_die("evening=%lld bug=\"an event does not fit without a name\"",
                        (long long)log->id);
        }
        evening_log_clear(log);
        *log = fresh;
    }
}
