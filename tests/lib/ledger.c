/* See libledger.h. */
#include "tests/lib/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <sqlite3.h>

#include "common/base/mem.h"
#include "common/base/mono.h"
#include "tests/lib/database.h"

enum { READ_MS = 60000 };

/* One game. */
struct page {
    struct script told;   /* by the server, to a late watcher */
    struct script stored; /* in the database */
};

struct ledger {
    const struct bots *bots;
    struct page *page;
    int count, room;
    bool has_stranger; /* a game in the database that nobody played */
};

static struct page *find_page(const struct ledger *ledger, int64_t game)
{
    for (int i = 0; i < ledger->count; i++)
        if (ledger->page[i].stored.game == game)
            return &ledger->page[i];
    return NULL;
}

static void add_page(struct ledger *ledger, int64_t game)
{
    if (find_page(ledger, game) != NULL)
        return;
    if (ledger->count == ledger->room) {
        ledger->room = ledger->room == 0 ? 64 : ledger->room * 2;
        ledger->page =
            mem_resize(ledger->page, (size_t)ledger->room, sizeof *ledger->page);
    }
    script_init(&ledger->page[ledger->count].told, game);
    script_init(&ledger->page[ledger->count].stored, game);
    ledger->count++;
}

struct ledger *ledger_new(const struct bots *bots)
{
    struct ledger *ledger = mem_new(sizeof *ledger);

    ledger->bots = bots;
    for (const struct bot *bot = bots->first; bot != NULL; bot = bot->next)
        for (const struct bot_match *m = bot->matches; m != NULL; m = m->next)
            add_page(ledger, m->witness.game);
    return ledger;
}

void ledger_free(struct ledger *ledger)
{
    for (int i = 0; i < ledger->count; i++) {
        script_clear(&ledger->page[i].told);
        script_clear(&ledger->page[i].stored);
    }
    free(ledger->page);
    free(ledger);
}

int ledger_count(const struct ledger *ledger)
{
    return ledger->count;
}

/* --- From the server --- */

static bool has_all(const struct ledger *ledger, const struct bot *reader)
{
    for (int i = 0; i < ledger->count; i++) {
        const struct bot_match *match =
            bot_find_match(reader, ledger->page[i].told.game);

        if (match == NULL || match->game.phase != GAME_OVER)
            return false;
    }
    return true;
}

static void watch_all(void *arg, struct bot *bot)
{
    const struct ledger *ledger = arg;

    for (int i = 0; i < ledger->count; i++)
        bot_watch(bot, ledger->page[i].told.game);
}

void ledger_read_server(struct ledger *ledger, struct event_base *base, int port,
                        const char *key)
{
    struct bots_settings settings = {.arg = ledger, .on_in = watch_all};
    struct bots *readers = bots_new(base, &settings);
    int64_t by_ms = mono_now_ms() + READ_MS;
    struct bot *reader;

    bots_set_server(readers, port, key);
    reader = bots_add(readers, "");
    while (!has_all(ledger, reader) && mono_now_ms() < by_ms)
        event_base_loop(base, EVLOOP_ONCE);
    for (int i = 0; i < ledger->count; i++) {
        const struct bot_match *match =
            bot_find_match(reader, ledger->page[i].told.game);

        for (int n = 0; match != NULL && n < match->game.events; n++)
            script_add(&ledger->page[i].told, match->witness.event[n]);
    }
    bots_free(readers);
}

/* --- From the file --- */

/* Nobody played a game that the bots know nothing of. */
static void take_log(void *arg, struct script *log)
{
    struct ledger *ledger = arg;
    struct page *page = find_page(ledger, log->game);

    if (page == NULL) {
        printf("# the database has game %lld, which nobody played\n",
               (long long)log->game);
        ledger->has_stranger = true;
        return;
    }
    script_clear(&page->stored);
    script_copy(&page->stored, log);
}

bool ledger_read_database(struct ledger *ledger, const char *data)
{
    sqlite3 *file = database_open(data);
    bool is_good;

    if (file == NULL)
        return false;
    is_good = database_is_in_order(file) && database_read(file, take_log, ledger) &&
              !ledger->has_stranger;
    sqlite3_close(file);
    return is_good;
}

/* --- Controls --- */

void ledger_lose(const char *data, int games)
{
    sqlite3 *file = database_open(data);
    char sql[320], *why = NULL;

    if (file == NULL)
        return;
    snprintf(sql, sizeof sql,
             "DELETE FROM event WHERE (game, number) IN (SELECT game, max(number) FROM "
             "event JOIN game ON game.id = event.game WHERE is_over = 0 GROUP BY game "
             "HAVING max(number) > 2 LIMIT %d)",
             games);
    if (sqlite3_exec(file, sql, NULL, NULL, &why) != SQLITE_OK)
        printf("# lose: %s\n", why);
    else
        printf("# lost %d events on purpose\n", sqlite3_changes(file));
    sqlite3_free(why);
    sqlite3_close(file);
}

/* Another letter in the last word but the end: "B0-C2" becomes "B0-C3" or so. */
static void alter(char *text)
{
    char *dash = strchr(text, '-');

    if (dash != NULL)
        dash[2] = dash[2] == '9' ? '0' : (char)(dash[2] + 1);
    else
        text[0] ^= 1;
}

/* red_ms=1... becomes red_ms=9...: a clock that went up. */
static bool raise_clock(struct script *log)
{
    for (int n = 3; n < log->count; n++) {
        char *clock = strstr(log->text[n], "red_ms=1");

        if (clock == NULL)
            continue;
        clock[7] = '9';
        return true;
    }
    return false;
}

bool ledger_forge_log(struct script *log, const char *kind)
{
    if (log->count < 4)
        return false;
    if (strcmp(kind, "clock") == 0)
        return raise_clock(log);
    if (strcmp(kind, "alter") == 0)
        alter(log->text[log->count / 2]);
    else if (strcmp(kind, "drop") == 0)
        free(log->text[--log->count]);
    else if (strcmp(kind, "double") == 0)
        script_add(log, log->text[log->count - 2]);
    else
        return false;
    return true;
}

void ledger_forge(struct ledger *ledger, const char *kind)
{
    for (int i = ledger->count / 2; i < ledger->count; i++)
        if (ledger_forge_log(&ledger->page[i].stored, kind))
            return;
}

/* --- Judgement --- */

void ledger_judge_seen(const struct ledger *ledger, struct verdict *verdict)
{
    for (const struct bot *bot = ledger->bots->first; bot != NULL; bot = bot->next)
        for (const struct bot_match *m = bot->matches; m != NULL; m = m->next) {
            const struct script *log = &find_page(ledger, m->witness.game)->stored;

            judge_testimony(verdict, &m->witness, log);
            judge_clocks(verdict, &m->witness, log);
        }
}

void ledger_judge_told(const struct ledger *ledger, struct verdict *verdict)
{
    for (int i = 0; i < ledger->count; i++)
        judge_equal(verdict, &ledger->page[i].stored, &ledger->page[i].told);
}

void ledger_judge_played(const struct ledger *ledger, int64_t uptime_ms,
                         struct verdict *verdict)
{
    for (int i = 0; i < ledger->count; i++)
        judge_play(verdict, &ledger->page[i].stored, uptime_ms);
}
