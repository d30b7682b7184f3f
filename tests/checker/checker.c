/* See checker.h. */
#include "tests/checker/checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <openssl/evp.h>
#include <uthash.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "tests/checker/database.h"
#include "tests/checker/forge.h"
#include "tests/lib/process.h"

enum { DIGEST_BYTES = 32, SEATS = 2, WATCHED_AT_ONCE = 200, READ_MS = 60000 };

/* What the checker knows about one game. */
struct entry {
    int64_t game;
    bool is_checked; /* its whole log was checked; `digest` is the digest of that log */
    bool is_found;   /* in the database at the end */
    bool is_told;    /* at the end, a new guest has received the whole log of the
                      * game */
    unsigned char digest[DIGEST_BYTES];
    struct bot_match *match[SEATS]; /* the matches of the two players; NULL: not known,
                                     * or the history was freed */
    UT_hash_handle hh;
};

struct checker {
    struct bots *bots;
    struct entry *entries;
    const char *forge;
    struct checker_findings findings;
    int64_t uptime_ms;
    bool is_closing;
};

struct checker *checker_new(struct bots *bots, const char *forge)
{
    struct checker *checker = mem_new(sizeof *checker);

    checker->bots = bots;
    checker->forge = forge;
    return checker;
}

void checker_free(struct checker *checker)
{
    struct entry *entry, *next;

    if (checker == NULL)
        return;
    HASH_ITER (hh, checker->entries, entry, next) {
        HASH_DEL(checker->entries, entry);
        free(entry);
    }
    free(checker);
}

const struct checker_findings *checker_findings(const struct checker *checker)
{
    return &checker->findings;
}

/* --- Entries --- */

static struct entry *entry_of(struct checker *checker, int64_t game)
{
    struct entry *entry;

    HASH_FIND(hh, checker->entries, &game, sizeof game, entry);
    if (entry != NULL)
        return entry;
    entry = mem_new(sizeof *entry);
    entry->game = game;
    HASH_ADD(hh, checker->entries, game, sizeof entry->game, entry);
    checker->findings.games++;
    return entry;
}

/* Each bot has a struct bot_match for each game whose history it still has. Stores these
 * in the entries of the games. */
static void collect_histories(struct checker *checker)
{
    struct entry *entry, *next;

    HASH_ITER (hh, checker->entries, entry, next)
        memset(entry->match, 0, sizeof entry->match);
    for (struct bot *bot = checker->bots->first; bot != NULL; bot = bot->next)
        for (struct bot_match *m = bot->matches; m != NULL; m = m->next) {
            entry = entry_of(checker, m->history.game);
            entry->match[entry->match[0] != NULL] = m;
        }
}

static void digest_texts(unsigned char out[DIGEST_BYTES], char *const text[], int count)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool is_good = ctx != NULL && EVP_DigestInit_ex(ctx, EVP_sha256(), NULL) == 1;

    for (int i = 0; is_good && i < count; i++)
        is_good = EVP_DigestUpdate(ctx, text[i], strlen(text[i]) + 1) == 1;
    if (!is_good || EVP_DigestFinal_ex(ctx, out, NULL) != 1)
        log_die("checker no digest");
    EVP_MD_CTX_free(ctx);
}

/* --- One game --- */

static void check_players(const struct entry *entry, const struct history_log *log,
                          struct verdict *seen, struct verdict *played)
{
    for (int i = 0; i < SEATS; i++)
        if (entry->match[i] != NULL) {
            verdict_check_history(seen, &entry->match[i]->history, log);
            verdict_check_clocks(played, &entry->match[i]->history, log);
        }
}

static void check_entry(const struct entry *entry, const struct history_log *log,
                        struct verdict *seen, struct verdict *played, int64_t uptime_ms)
{
    check_players(entry, log, seen, played);
    verdict_check_play(played, log, uptime_ms);
}

static void check_digest(struct checker *checker, struct entry *entry,
                         const struct history_log *log)
{
    struct verdict *seen = &checker->findings.seen;
    unsigned char digest[DIGEST_BYTES];

    digest_texts(digest, log->text, log->count);
    seen->checked++;
    if (memcmp(digest, entry->digest, sizeof digest) != 0)
        verdict_note(seen, &seen->changed, entry->game,
                     "it was over and checked, and has changed since");
}

static void check_log(struct checker *checker, struct entry *entry,
                      struct history_log *log)
{
    if (checker->is_closing && checker->forge != NULL && forge_log(log, checker->forge))
        checker->forge = NULL;
    if (entry->is_checked) {
        check_digest(checker, entry, log);
        return;
    }
    check_entry(entry, log, &checker->findings.seen, &checker->findings.played,
                checker->uptime_ms);
    digest_texts(entry->digest, log->text, log->count);
    entry->is_checked = true;
}

/* --- While the proof goes on --- */

/* True if both players have received the end of the match's game. */
static bool is_over_for_all(const struct bot *bot, const struct bot_match *match)
{
    const struct bot_match *other =
        bot->partner != NULL ? bot_find_match(bot->partner, match->history.game) : NULL;

    return match->game.phase == GAME_OVER && other != NULL &&
           other->game.phase == GAME_OVER;
}

static bool check_ended(struct checker *checker, sqlite3 *file, struct bot *bot,
                        struct bot_match *match)
{
    struct entry *entry = entry_of(checker, match->history.game);
    struct history_log log;
    bool is_read;

    history_log_init(&log, entry->game);
    is_read = database_read_game(file, entry->game, &log);
    if (is_read)
        check_log(checker, entry, &log);
    history_log_clear(&log);
    bot_forget_match(bot->partner, bot_find_match(bot->partner, entry->game));
    bot_forget_match(bot, match);
    return is_read;
}

/* Checks all games that are over for both players. Looks only at bots with is_maker:
 * each game has one such bot, so each game is checked once. */
static bool check_all_ended(struct checker *checker, sqlite3 *file)
{
    bool is_read = true;

    collect_histories(checker);
    for (struct bot *bot = checker->bots->first; bot != NULL; bot = bot->next) {
        struct bot_match *match = bot->is_maker ? bot->matches : NULL, *next;

        for (; is_read && match != NULL; match = next) {
            next = match->next;
            if (is_over_for_all(bot, match))
                is_read = check_ended(checker, file, bot, match);
        }
    }
    return is_read;
}

static bool check_so_far(struct checker *checker, sqlite3 *file)
{
    struct checker_findings *findings = &checker->findings;
    struct entry *entry, *next;
    bool is_read = true;

    collect_histories(checker);
    HASH_ITER (hh, checker->entries, entry, next) {
        struct history_log log;

        history_log_init(&log, entry->game);
        is_read = is_read && database_read_game(file, entry->game, &log);
        if (is_read)
            check_players(entry, &log, &findings->seen, &findings->played);
        history_log_clear(&log);
    }
    return is_read;
}

/* Calls `check` with a copy of the database, so that the next server finds the files as
 * the last server left them. */
static bool check_copy(struct checker *checker, const char *data,
                       bool (*check)(struct checker *checker, sqlite3 *file))
{
    char copy[PROCESS_PATH_BYTES + 8];
    sqlite3 *file = NULL;
    bool is_good = false;

    snprintf(copy, sizeof copy, "%s-copy", data);
    if (database_copy(data, copy))
        file = database_open(copy);
    if (file != NULL)
        is_good = database_is_in_order(file) && check(checker, file);
    sqlite3_close(file);
    process_remove_scratch(copy);
    return is_good;
}

bool checker_check_ended(struct checker *checker, const char *data, int64_t uptime_ms)
{
    checker->uptime_ms = uptime_ms;
    return check_copy(checker, data, check_all_ended);
}

bool checker_check_running(struct checker *checker, const char *data)
{
    return check_copy(checker, data, check_so_far);
}

/* --- At the end --- */

static void on_log(void *arg, struct history_log *log)
{
    struct checker *checker = arg;
    struct verdict *seen = &checker->findings.seen;
    struct entry *entry;

    HASH_FIND(hh, checker->entries, &log->game, sizeof log->game, entry);
    if (entry == NULL) {
        verdict_note(seen, &seen->changed, log->game,
                     "it is in the database, and nobody played it");
        return;
    }
    entry->is_found = true;
    check_log(checker, entry, log);
}

/* Checks every game that is missing in the database, and notes what was lost. */
static void check_missing(struct checker *checker)
{
    struct verdict *seen = &checker->findings.seen;
    struct entry *entry, *next;
    struct history_log nothing;

    HASH_ITER (hh, checker->entries, entry, next) {
        if (entry->is_found)
            continue;
        history_log_init(&nothing, entry->game);
        if (entry->is_checked)
            verdict_note(seen, &seen->lost, entry->game, "it was over and is gone");
        else
            check_entry(entry, &nothing, seen, &checker->findings.played, INT64_MAX);
    }
}

bool checker_check_all(struct checker *checker, const char *data, int64_t uptime_ms)
{
    sqlite3 *file = database_open(data);
    bool is_good;

    if (file == NULL)
        return false;
    checker->uptime_ms = uptime_ms;
    checker->is_closing = true;
    collect_histories(checker);
    is_good = database_is_in_order(file) && database_read(file, on_log, checker);
    if (is_good)
        check_missing(checker);
    sqlite3_close(file);
    return is_good;
}

/* --- The late watcher --- */

/* Games that one late watcher watches at the same time; checker_read_watcher() goes
 * through all games in such groups. */
struct watch {
    struct checker *checker;
    struct entry *entry[WATCHED_AT_ONCE];
    int count, heard;
};

static void watch_all(void *arg, struct bot *bot)
{
    const struct watch *watch = arg;

    for (int i = 0; i < watch->count; i++)
        bot_watch(bot, watch->entry[i]->game);
}

static void on_heard(void *arg, struct bot *bot, struct bot_match *match)
{
    struct watch *watch = arg;
    struct verdict *told = &watch->checker->findings.told;
    struct entry *entry = entry_of(watch->checker, match->history.game);
    unsigned char digest[DIGEST_BYTES];

    (void)bot;
    watch->heard++;
    entry->is_told = true;
    digest_texts(digest, match->history.event, match->game.events);
    told->checked += match->game.events;
    if (memcmp(digest, entry->digest, sizeof digest) != 0)
        verdict_note(told, &told->changed, entry->game,
                     "a late watcher is told another log than the database has");
}

static void hear(struct watch *watch, struct event_base *base, int port,
                 const char *key)
{
    struct bots_settings settings = {
        .arg = watch, .on_in = watch_all, .on_over = on_heard};
    struct verdict *told = &watch->checker->findings.told;
    struct bots *readers = bots_new(base, &settings);
    int64_t by_ms = mono_now_ms() + READ_MS;

    bots_set_server(readers, port, key);
    if (bots_add(readers, "") == NULL)
        log_die("checker no reader");
    while (watch->heard < watch->count && mono_now_ms() < by_ms)
        event_base_loop(base, EVLOOP_ONCE);
    for (int i = 0; i < watch->count; i++)
        if (!watch->entry[i]->is_told)
            verdict_note(told, &told->lost, watch->entry[i]->game,
                         "a late watcher is not told all of it");
    bots_free(readers);
}

void checker_read_watcher(struct checker *checker, struct event_base *base, int port,
                          const char *key)
{
    struct watch watch = {.checker = checker};
    struct entry *entry, *next;

    HASH_ITER (hh, checker->entries, entry, next) {
        watch.entry[watch.count++] = entry;
        if (watch.count < WATCHED_AT_ONCE && next != NULL)
            continue;
        hear(&watch, base, port, key);
        watch = (struct watch){.checker = checker};
    }
}

/* --- Controls --- */

static bool passes_silently(const struct entry *entry, const struct history_log *log,
                            int64_t uptime_ms)
{
    struct verdict verdict = {.is_silent = true};

    check_entry(entry, log, &verdict, &verdict, uptime_ms);
    return verdict_faults(&verdict) == 0;
}

static bool finds_forgery(const struct checker *checker, const struct entry *entry,
                          struct history_log *log, const char *kind)
{
    return forge_log(log, kind) && !passes_silently(entry, log, checker->uptime_ms);
}

static bool finds_charge(const struct checker *checker, const struct entry *entry,
                         const struct history_log *log)
{
    for (int seat = 0; seat < SEATS; seat++) {
        struct bot_match *match = entry->match[seat];

        for (int i = 0; match != NULL && i < match->history.clocks; i++) {
            struct history_clock *clock = &match->history.clock[i], honest = *clock;
            bool is_found;

            if (clock->running == SIDE_NONE)
                continue;
            clock->shown_ms[side_other(clock->running)] -= 1;
            is_found = !passes_silently(entry, log, checker->uptime_ms);
            *clock = honest;
            if (is_found)
                return true;
        }
    }
    return false;
}

static bool finds(const struct checker *checker, sqlite3 *file,
                  const struct entry *entry, const char *kind)
{
    struct history_log log;
    bool is_found = false;

    history_log_init(&log, entry->game);
    if (database_read_game(file, entry->game, &log))
        is_found = strcmp(kind, "charge") == 0
                       ? finds_charge(checker, entry, &log)
                       : finds_forgery(checker, entry, &log, kind);
    history_log_clear(&log);
    return is_found;
}

bool checker_detects(struct checker *checker, const char *data, const char *kind)
{
    sqlite3 *file = database_open(data);
    struct entry *entry, *next;
    bool is_found = false;

    HASH_ITER (hh, checker->entries, entry, next)
        if (file != NULL && !is_found && entry->match[0] != NULL)
            is_found = finds(checker, file, entry, kind);
    sqlite3_close(file);
    return is_found;
}
