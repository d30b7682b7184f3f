/* See libcourt.h. */
#include "tests/lib/checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <openssl/evp.h>
#include <uthash.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "tests/lib/database.h"
#include "tests/lib/ledger.h"
#include "tests/lib/process.h"

enum { DIGEST_BYTES = 32, SEATS = 2, WATCHED_AT_ONCE = 200, READ_MS = 60000 };

/* One game. */
struct sheet {
    int64_t game;
    bool is_judged; /* the digest is that of its whole log */
    bool is_found;  /* in the last session */
    bool is_told;   /* by the server, to the late watcher */
    unsigned char digest[DIGEST_BYTES];
    struct bot_match *match[SEATS]; /* who can testify; NULL once it has forgotten */
    UT_hash_handle hh;
};

struct court {
    struct bots *bots;
    struct sheet *sheets;
    const char *forge;
    struct court_findings findings;
    int64_t uptime_ms;
    bool is_closing;
};

struct court *court_new(struct bots *bots, const char *forge)
{
    struct court *court = mem_new(sizeof *court);

    court->bots = bots;
    court->forge = forge;
    return court;
}

void court_free(struct court *court)
{
    struct sheet *sheet, *next;

    if (court == NULL)
        return;
    HASH_ITER (hh, court->sheets, sheet, next) {
        HASH_DEL(court->sheets, sheet);
        free(sheet);
    }
    free(court);
}

const struct court_findings *court_findings(const struct court *court)
{
    return &court->findings;
}

/* --- Sheets --- */

static struct sheet *sheet_of(struct court *court, int64_t game)
{
    struct sheet *sheet;

    HASH_FIND(hh, court->sheets, &game, sizeof game, sheet);
    if (sheet != NULL)
        return sheet;
    sheet = mem_new(sizeof *sheet);
    sheet->game = game;
    HASH_ADD(hh, court->sheets, game, sizeof sheet->game, sheet);
    court->findings.games++;
    return sheet;
}

/* Who played what and has not forgotten it. */
static void call_witnesses(struct court *court)
{
    struct sheet *sheet, *next;

    HASH_ITER (hh, court->sheets, sheet, next)
        memset(sheet->match, 0, sizeof sheet->match);
    for (struct bot *bot = court->bots->first; bot != NULL; bot = bot->next)
        for (struct bot_match *m = bot->matches; m != NULL; m = m->next) {
            sheet = sheet_of(court, m->witness.game);
            sheet->match[sheet->match[0] != NULL] = m;
        }
}

static void digest_texts(unsigned char out[DIGEST_BYTES], char *const text[], int count)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    bool is_good = ctx != NULL && EVP_DigestInit_ex(ctx, EVP_sha256(), NULL) == 1;

    for (int i = 0; is_good && i < count; i++)
        is_good = EVP_DigestUpdate(ctx, text[i], strlen(text[i]) + 1) == 1;
    if (!is_good || EVP_DigestFinal_ex(ctx, out, NULL) != 1)
        die("court no digest");
    EVP_MD_CTX_free(ctx);
}

/* --- Judgement --- */

static void judge_sheet(const struct sheet *sheet, const struct script *log,
                        struct verdict *seen, struct verdict *played, int64_t uptime_ms)
{
    for (int i = 0; i < SEATS; i++)
        if (sheet->match[i] != NULL) {
            judge_testimony(seen, &sheet->match[i]->witness, log);
            judge_clocks(played, &sheet->match[i]->witness, log);
        }
    judge_play(played, log, uptime_ms);
}

static void judge_again(struct court *court, struct sheet *sheet,
                        const struct script *log)
{
    struct verdict *seen = &court->findings.seen;
    unsigned char digest[DIGEST_BYTES];

    digest_texts(digest, log->text, log->count);
    seen->checked++;
    if (memcmp(digest, sheet->digest, sizeof digest) != 0)
        verdict_note(seen, &seen->changed,
                     "game %lld: it was over and judged, and is another one now",
                     (long long)sheet->game);
}

static void judge_log(struct court *court, struct sheet *sheet, struct script *log)
{
    if (court->is_closing && court->forge != NULL &&
        ledger_forge_log(log, court->forge))
        court->forge = NULL;
    if (sheet->is_judged) {
        judge_again(court, sheet, log);
        return;
    }
    judge_sheet(sheet, log, &court->findings.seen, &court->findings.played,
                court->uptime_ms);
    digest_texts(sheet->digest, log->text, log->count);
    sheet->is_judged = true;
}

/* --- A session --- */

/* Its players have both seen the end, and play another game or none. */
static bool is_over_for_all(const struct bot *bot, const struct bot_match *match)
{
    const struct bot_match *other =
        bot->partner != NULL ? bot_find_match(bot->partner, match->witness.game) : NULL;

    return match->game.phase == GAME_OVER && other != NULL &&
           other->game.phase == GAME_OVER;
}

static bool judge_ended(struct court *court, sqlite3 *file, struct bot *bot,
                        struct bot_match *match)
{
    struct sheet *sheet = sheet_of(court, match->witness.game);
    struct script log;
    bool is_read;

    script_init(&log, sheet->game);
    is_read = database_read_game(file, sheet->game, &log);
    if (is_read)
        judge_log(court, sheet, &log);
    script_clear(&log);
    bot_forget_match(bot->partner, bot_find_match(bot->partner, sheet->game));
    bot_forget_match(bot, match);
    return is_read;
}

/* Makers only: so each game is come across once. */
static bool judge_all_ended(struct court *court, sqlite3 *file)
{
    bool is_read = true;

    call_witnesses(court);
    for (struct bot *bot = court->bots->first; bot != NULL; bot = bot->next) {
        struct bot_match *match = bot->is_maker ? bot->matches : NULL, *next;

        for (; is_read && match != NULL; match = next) {
            next = match->next;
            if (is_over_for_all(bot, match))
                is_read = judge_ended(court, file, bot, match);
        }
    }
    return is_read;
}

static bool judge_so_far(struct court *court, sqlite3 *file)
{
    struct court_findings *findings = &court->findings;
    struct sheet *sheet, *next;
    bool is_read = true;

    call_witnesses(court);
    HASH_ITER (hh, court->sheets, sheet, next) {
        struct script log;

        script_init(&log, sheet->game);
        is_read = is_read && database_read_game(file, sheet->game, &log);
        for (int i = 0; is_read && i < SEATS; i++)
            if (sheet->match[i] != NULL) {
                judge_testimony(&findings->seen, &sheet->match[i]->witness, &log);
                judge_clocks(&findings->played, &sheet->match[i]->witness, &log);
            }
        script_clear(&log);
    }
    return is_read;
}

/* Of a copy, so that the next server finds what the last one left. */
static bool hold(struct court *court, const char *data,
                 bool (*judge)(struct court *court, sqlite3 *file))
{
    char copy[JANGGID_PATH_BYTES + 8];
    sqlite3 *file = NULL;
    bool is_good = false;

    snprintf(copy, sizeof copy, "%s-copy", data);
    if (database_copy(data, copy))
        file = database_open(copy);
    if (file != NULL)
        is_good = database_is_in_order(file) && judge(court, file);
    sqlite3_close(file);
    scratch_remove(copy);
    return is_good;
}

bool court_sit(struct court *court, const char *data, int64_t uptime_ms)
{
    court->uptime_ms = uptime_ms;
    return hold(court, data, judge_all_ended);
}

bool court_look(struct court *court, const char *data)
{
    return hold(court, data, judge_so_far);
}

/* --- The last session --- */

static void take_log(void *arg, struct script *log)
{
    struct court *court = arg;
    struct verdict *seen = &court->findings.seen;
    struct sheet *sheet;

    HASH_FIND(hh, court->sheets, &log->game, sizeof log->game, sheet);
    if (sheet == NULL) {
        verdict_note(seen, &seen->changed, "game %lld is there, and nobody played it",
                     (long long)log->game);
        return;
    }
    sheet->is_found = true;
    judge_log(court, sheet, log);
}

/* Of those all is lost that anybody saw. */
static void judge_missing(struct court *court)
{
    struct verdict *seen = &court->findings.seen;
    struct sheet *sheet, *next;
    struct script nothing;

    HASH_ITER (hh, court->sheets, sheet, next) {
        if (sheet->is_found)
            continue;
        script_init(&nothing, sheet->game);
        if (sheet->is_judged)
            verdict_note(seen, &seen->lost, "game %lld: it was over and is gone",
                         (long long)sheet->game);
        else
            judge_sheet(sheet, &nothing, seen, &court->findings.played, INT64_MAX);
    }
}

bool court_close(struct court *court, const char *data, int64_t uptime_ms)
{
    sqlite3 *file = database_open(data);
    bool is_good;

    if (file == NULL)
        return false;
    court->uptime_ms = uptime_ms;
    court->is_closing = true;
    call_witnesses(court);
    is_good = database_is_in_order(file) && database_read(file, take_log, court);
    if (is_good)
        judge_missing(court);
    sqlite3_close(file);
    return is_good;
}

/* --- The late watcher --- */

/* Some of the games; in the end all were watched. */
struct watch {
    struct court *court;
    struct sheet *sheet[WATCHED_AT_ONCE];
    int count, heard;
};

static void watch_all(void *arg, struct bot *bot)
{
    const struct watch *watch = arg;

    for (int i = 0; i < watch->count; i++)
        bot_watch(bot, watch->sheet[i]->game);
}

static void on_heard(void *arg, struct bot *bot, struct bot_match *match)
{
    struct watch *watch = arg;
    struct verdict *told = &watch->court->findings.told;
    struct sheet *sheet = sheet_of(watch->court, match->witness.game);
    unsigned char digest[DIGEST_BYTES];

    (void)bot;
    watch->heard++;
    sheet->is_told = true;
    digest_texts(digest, match->witness.event, match->game.events);
    told->checked += match->game.events;
    if (memcmp(digest, sheet->digest, sizeof digest) != 0)
        verdict_note(told, &told->changed,
                     "game %lld: a late watcher is told another one than the file has",
                     (long long)sheet->game);
}

static void hear(struct watch *watch, struct event_base *base, int port,
                 const char *key)
{
    struct bots_settings settings = {
        .arg = watch, .on_in = watch_all, .on_over = on_heard};
    struct verdict *told = &watch->court->findings.told;
    struct bots *readers = bots_new(base, &settings);
    int64_t by_ms = mono_now_ms() + READ_MS;

    bots_set_server(readers, port, key);
    if (bots_add(readers, "") == NULL)
        die("court no reader");
    while (watch->heard < watch->count && mono_now_ms() < by_ms)
        event_base_loop(base, EVLOOP_ONCE);
    for (int i = 0; i < watch->count; i++)
        if (!watch->sheet[i]->is_told)
            verdict_note(told, &told->lost,
                         "game %lld: a late watcher is not told all of it",
                         (long long)watch->sheet[i]->game);
    bots_free(readers);
}

void court_hear_watcher(struct court *court, struct event_base *base, int port,
                        const char *key)
{
    struct watch watch = {.court = court};
    struct sheet *sheet, *next;

    HASH_ITER (hh, court->sheets, sheet, next) {
        watch.sheet[watch.count++] = sheet;
        if (watch.count < WATCHED_AT_ONCE && next != NULL)
            continue;
        hear(&watch, base, port, key);
        watch = (struct watch){.court = court};
    }
}

/* --- Controls --- */

static bool judge_silently(const struct sheet *sheet, const struct script *log,
                           int64_t uptime_ms)
{
    struct verdict verdict = {.is_silent = true};

    judge_sheet(sheet, log, &verdict, &verdict, uptime_ms);
    return verdict_faults(&verdict) == 0;
}

static bool finds_forgery(const struct court *court, const struct sheet *sheet,
                          struct script *log, const char *kind)
{
    return ledger_forge_log(log, kind) && !judge_silently(sheet, log, court->uptime_ms);
}

static bool finds_charge(const struct court *court, const struct sheet *sheet,
                         const struct script *log)
{
    for (int seat = 0; seat < SEATS; seat++) {
        struct bot_match *match = sheet->match[seat];

        for (int i = 0; match != NULL && i < match->witness.clocks; i++) {
            struct witness_clock *clock = &match->witness.clock[i], honest = *clock;
            bool is_found;

            if (clock->running == SIDE_NONE)
                continue;
            clock->shown_ms[side_other(clock->running)] -= 1;
            is_found = !judge_silently(sheet, log, court->uptime_ms);
            *clock = honest;
            if (is_found)
                return true;
        }
    }
    return false;
}

static bool finds(const struct court *court, sqlite3 *file, const struct sheet *sheet,
                  const char *kind)
{
    struct script log;
    bool is_found = false;

    script_init(&log, sheet->game);
    if (database_read_game(file, sheet->game, &log))
        is_found = strcmp(kind, "charge") == 0
                       ? finds_charge(court, sheet, &log)
                       : finds_forgery(court, sheet, &log, kind);
    script_clear(&log);
    return is_found;
}

bool court_finds(struct court *court, const char *data, const char *kind)
{
    sqlite3 *file = database_open(data);
    struct sheet *sheet, *next;
    bool is_found = false;

    HASH_ITER (hh, court->sheets, sheet, next)
        if (file != NULL && !is_found && sheet->match[0] != NULL)
            is_found = finds(court, file, sheet, kind);
    sqlite3_close(file);
    return is_found;
}
