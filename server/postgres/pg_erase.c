/* See pg_erase.h. */
#include "server/postgres/pg_erase.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"
#include "server/database/store_erase.h"

/* The player's games, newest first, and how many of their rows are damaged. */
struct games {
    struct pg_reader *reader;
    const struct store_erasure *erasure;
    struct pg_calls *calls;
    int64_t *id;
    int count, room, damaged;
};

static void rename_row(struct games *games, struct store_game *game)
{
    struct store_summary *summary = &game->summary;
    struct store_seal seal;

    store_erase_rename(summary, games->erasure);
    store_seal_game(games->reader->sealer, &seal, game);
    pg_calls_add(games->calls, PG_RENAME_GAME);
    pg_calls_number(games->calls, game->id);
    pg_calls_text(games->calls, summary->red);
    pg_calls_text(games->calls, summary->blue);
    pg_calls_text(games->calls, summary->red_shown);
    pg_calls_text(games->calls, summary->blue_shown);
    pg_calls_bytes(games->calls, seal.bytes, sizeof seal.bytes);
}

static void see_game(void *arg, const PGresult *result, int row)
{
    struct games *games = arg;
    struct store_game game;

    if (!pg_read_game_row(games->reader->sealer, result, row, &game)) {
        games->damaged++;
        return;
    }
    games->id = mem_grow(games->id, games->count, &games->room, 64, sizeof *games->id);
    games->id[games->count++] = game.id;
    rename_row(games, &game);
}

static bool find_games(struct games *games)
{
    struct pg_calls find = {0};
    bool is_read;

    pg_calls_add(&find, PG_READ_HISTORY);
    pg_calls_text(&find, games->erasure->folded);
    pg_calls_number(&find, games->erasure->first_game);
    pg_calls_number(&find, INT64_MAX);
    is_read = pg_link_run(games->reader->link, &find, see_game, games) == PG_DONE;
    pg_calls_free(&find);
    return is_read;
}

/* The new events of one game, up to its first damaged event. An event has a number, a
 * text and a link. The link is a digest of the event and of the previous link. */
struct log {
    struct games *games;
    struct store_seal link;
    struct pg_array numbers, texts, links;
};

static void relink(void *arg, const struct store_event *old)
{
    struct log *log = arg;
    struct store_event event = *old;
    char start[STORE_START_BYTES];

    if (!event.is_sound)
        return;
    if (event.number == 0) {
        store_erase_rename_start(start, event.text, log->games->erasure);
        event.text = start;
    }
    store_seal_event(log->games->reader->sealer, &log->link, &event);
    pg_array_number(&log->numbers, event.number);
    pg_array_bytes(&log->texts, event.text, strlen(event.text));
    pg_array_bytes(&log->links, log->link.bytes, sizeof log->link.bytes);
}

static bool rename_log(struct games *games, int64_t game, bool *is_damaged)
{
    struct store_reading reading = {.game = game};
    struct log log = {.games = games};
    struct pg_calls *calls = games->calls;
    bool is_read = pg_read_game(games->reader, &reading, INT_MAX, relink, &log);

    if (is_read) {
        pg_calls_add(calls, PG_RELINK_EVENTS);
        pg_calls_number(calls, game);
        pg_calls_array(calls, 'N', &log.numbers);
        pg_calls_array(calls, 'T', &log.texts);
        pg_calls_array(calls, 'B', &log.links);
    }
    *is_damaged = reading.is_damaged;
    pg_array_free(&log.numbers);
    pg_array_free(&log.texts);
    pg_array_free(&log.links);
    return is_read;
}

bool pg_erase_player(struct pg_reader *reader, struct store_erasure *erasure,
                     struct pg_calls *calls)
{
    struct games games = {.reader = reader, .erasure = erasure, .calls = calls};
    bool is_read = find_games(&games), is_damaged;

    erasure->games = 0;
    erasure->damaged = games.damaged;
    for (int i = 0; is_read && i < games.count; i++) {
        is_read = rename_log(&games, games.id[i], &is_damaged);
        erasure->games++;
        erasure->damaged += is_read && is_damaged;
    }
    free(games.id);
    return is_read;
}
