/* See pg_read.h. */
#include "server/postgres/pg_read.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/game/event.h"

static const char advice[] = "restore the database from its archive";

/* --- Rows --- */

static bool is_sealed(const PGresult *result, int row, int column,
                      const struct store_seal *seal)
{
    struct store_seal found;

    return pg_link_bytes(result, row, column, found.bytes, sizeof found.bytes) &&
           store_seal_is_same(&found, seal);
}

bool pg_read_columns(const PGresult *result, int row, enum store_kind kind, void *out,
                     struct store_seal *seal)
{
    bool is_good = true;
    int at = 0;

    for (const struct store_column *c = store_row_layouts[kind].column; c->type != '\0';
         c++) {
        int64_t number;

        if (c->type == 'o' || c->type == 'a' || c->type == 'q' ||
            c->since > PG_SINCE_MAX)
            continue;
        if (c->type == 's')
            is_good = pg_link_bytes(result, row, at, seal->bytes, sizeof seal->bytes) &&
                      is_good;
        else if (c->type == 't')
            is_good = pg_link_text(result, row, at, store_row_text(c, out)) && is_good;
        else if (c->type == 'b')
            is_good = pg_link_bytes(result, row, at, store_row_at(c, out),
                                    STORE_DIGEST_BYTES) &&
                      is_good;
        else
            is_good = pg_link_number(result, row, at, &number) &&
                      store_row_set(c, out, number) && is_good;
        at++;
    }
    return is_good;
}

bool pg_read_game_row(struct store_sealer *sealer, const PGresult *result, int row,
                      struct store_game *out)
{
    struct store_seal found, seal;

    *out = (struct store_game){.log = ""};
    if (!pg_read_columns(result, row, STORE_GAME, out, &found))
        return false;
    store_seal_game(sealer, &seal, out);
    return store_seal_is_same(&seal, &found);
}

/* Reads the event in a row, and checks its link: a digest of the event and of the link
 * before it. Before the call, set out->game and out->number to the game and number of
 * the expected event, and set *link to the link of the event before it. The call sets
 * *link to the link of this event. False: the row has another event, or is damaged. */
static bool read_event(struct store_sealer *sealer, const PGresult *result, int row,
                       struct store_event *out, struct store_seal *link)
{
    int64_t game, number;

    out->is_sound = true;
    if (!pg_link_number(result, row, 0, &game) || game != out->game ||
        !pg_link_number(result, row, 1, &number) || number != out->number ||
        !pg_link_text(result, row, 2, &out->text) ||
        !pg_link_number(result, row, 3, &out->wall_s) ||
        !pg_link_number(result, row, 4, &out->age_ms))
        return false;
    store_seal_event(sealer, link, out);
    return is_sealed(result, row, 5, link);
}

/* Reads a row into *out. Writes the seal of the row, a digest, into *seal. If rows of
 * this kind are numbered 1, 2, 3 ..., *out must contain the previous row before the
 * call (all zero before the first row). If the seal also covers the previous row
 * (is_chain in store_row.h), *seal must contain the seal of the previous row before the
 * call. False: the row is damaged. */
static bool read_row(struct store_sealer *sealer, const PGresult *result, int row,
                     enum store_kind kind, void *out, struct store_seal *seal)
{
    const struct store_layout *layout = &store_row_layouts[kind];
    int64_t before = store_row_number(layout->column, out);
    struct store_seal found;

    if (!pg_read_columns(result, row, kind, out, &found) ||
        (layout->is_numbered && store_row_number(layout->column, out) != before + 1))
        return false;
    if (layout->letter == '\0')
        return true;
    store_seal_row(sealer, seal, kind, out);
    return store_seal_is_same(seal, &found);
}

/* --- Queries with one row --- */

struct numbers {
    int count;
    int64_t number[2];
    struct store_seal seal; /* the seal in the second column, if the query has two
                             * columns */
};

static void see_number(void *arg, const PGresult *result, int row)
{
    struct numbers *numbers = arg;

    numbers->count = pg_link_number(result, row, 0, &numbers->number[0]) ? 1 : 0;
    if (PQnfields(result) > 1 &&
        !pg_link_bytes(result, row, 1, numbers->seal.bytes, sizeof numbers->seal.bytes))
        numbers->count = 0;
}

static bool ask(struct pg_reader *reader, enum pg_statement statement,
                struct numbers *out)
{
    *out = (struct numbers){0};
    return pg_link_call(reader->link, statement, 0, NULL, see_number, out) == PG_DONE;
}

/* --- The survey --- */

struct survey {
    struct pg_reader *reader;
    struct store_tail *tail;
    struct store_age age;
    bool is_damaged;
};

static void see_age(void *arg, const PGresult *result, int row)
{
    struct survey *survey = arg;
    struct store_seal seal;

    if (!read_row(survey->reader->sealer, result, row, STORE_AGE, &survey->age, &seal))
        survey->is_damaged = true;
}

static void see_end(void *arg, const PGresult *result, int row)
{
    struct survey *survey = arg;
    struct store_seal link = {0};
    int64_t game, number;
    int listed;

    if (!pg_link_number(result, row, 0, &game) ||
        !pg_link_number(result, row, 1, &number) ||
        !pg_link_int(result, row, 3, &listed) || listed == INT_MAX || number >= INT_MAX)
        survey->is_damaged = true;
    else if (number < listed) /* the last events are missing; new events must not get
                               * their numbers */
        store_tail_add(survey->tail, game, listed + 1, &link);
    else if (pg_link_bytes(result, row, 2, link.bytes, sizeof link.bytes))
        store_tail_add(survey->tail, game, (int)number + 1, &link);
    else
        survey->is_damaged = true;
}

static bool read_all(struct pg_reader *reader, enum pg_statement statement,
                     pg_row_fn *row, void *arg)
{
    enum pg_outcome outcome = pg_link_call(reader->link, statement, 0, NULL, row, arg);

    if (outcome == PG_REFUSED)
        pg_link_complain(reader->link, pg_link_error(reader->link));
    return outcome == PG_DONE;
}

bool pg_read_survey(struct pg_reader *reader, const struct store_tally *tally,
                    struct store_tail *tail, struct store_survey *out)
{
    struct survey survey = {.reader = reader, .tail = tail};
    struct numbers game, act;

    if (!ask(reader, PG_LAST_GAME, &game) || !ask(reader, PG_LAST_ACT, &act) ||
        !read_all(reader, PG_LOAD_AGE, see_age, &survey) ||
        !read_all(reader, PG_LOAD_ENDS, see_end, &survey))
        return false;
    if (survey.is_damaged) {
        log_warn("store damaged=database table=age,game : %s", advice);
        return false;
    }
    *out = (struct store_survey){
        .last_game = game.number[0], .last_act = act.number[0], .age = survey.age};
    if (out->last_game < tally->last_game)
        out->last_game = tally->last_game;
    if (out->age.age_ms < tally->age_ms)
        out->age.age_ms = tally->age_ms;
    tail->now.last_game = out->last_game;
    tail->now.age_ms = tally->age_ms;
    tail->now.act.id = act.number[0];
    tail->now.act.link = act.seal;
    tail->kept = tail->now;
    return true;
}

/* --- All rows of a kind --- */

/* How far the log of one game was read. */
struct reading {
    int64_t game;
    int next;               /* number of the next event */
    struct store_seal link; /* of the event before it */
    bool has_end;           /* the last event was the end */
    bool is_damaged;        /* the log is damaged from event `next` on */
};

struct load {
    struct store_sealer *sealer;
    enum store_kind kind;
    store_row_fn *row;
    store_event_fn *event;
    void *arg;
    bool is_damaged;
    union store_record last; /* the last row */
    struct store_seal seal;  /* its seal */
    struct reading reading;  /* the game whose events are being read; game 0: none */
};

static void tell_damage(struct load *load, const PGresult *result, int row)
{
    const char *key;

    if (!pg_link_text(result, row, 0, &key))
        key = "";
    log_warn("store damaged=%s row=\"%s\" : %s", store_row_layouts[load->kind].word,
             key, advice);
    load->is_damaged = true;
}

/* Passes a sound row on. If rows of this kind are numbered, the rows after a damaged row
 * are not passed on. */
static void load_row(void *arg, const PGresult *result, int row)
{
    struct load *load = arg;

    if (load->is_damaged && store_row_layouts[load->kind].is_numbered)
        return;
    if (read_row(load->sealer, result, row, load->kind, &load->last, &load->seal))
        load->row(load->arg, &load->last);
    else
        tell_damage(load, result, row);
}

/* --- Logs --- */

static void give_damage(struct reading *reading, store_event_fn *row, void *arg)
{
    struct store_event event = {
        .game = reading->game, .number = reading->next, .text = ""};

    reading->is_damaged = true;
    log_warn("store game=%lld damaged-from-event=%d : %s", (long long)reading->game,
             reading->next, advice);
    row(arg, &event);
}

/* Passes the event in the row to `call`, if the event continues the events before it.
 * Otherwise passes an event with an empty text, which reports the damage. */
static void give_event(struct store_sealer *sealer, struct reading *reading,
                       const PGresult *result, int row, store_event_fn *call, void *arg)
{
    struct store_event event = {.game = reading->game, .number = reading->next};
    struct store_seal link = reading->link;

    if (reading->is_damaged)
        return;
    if (!read_event(sealer, result, row, &event, &link)) {
        give_damage(reading, call, arg);
        return;
    }
    call(arg, &event);
    reading->has_end = strncmp(event.text, "end ", 4) == 0;
    reading->link = link;
    reading->next++;
}

static void load_event(void *arg, const PGresult *result, int row)
{
    struct load *load = arg;
    int64_t game;

    if (!pg_link_number(result, row, 0, &game))
        return;
    if (game != load->reading.game)
        load->reading = (struct reading){.game = game};
    give_event(load->sealer, &load->reading, result, row, load->event, load->arg);
}

bool pg_read_running(struct pg_reader *reader, store_event_fn *row, void *arg)
{
    struct load load = {.sealer = reader->sealer, .event = row, .arg = arg};

    return read_all(reader, PG_LOAD_RUNNING, load_event, &load);
}

bool pg_read_load(struct pg_reader *reader, enum store_kind kind, store_row_fn *row,
                  void *arg)
{
    static const enum pg_statement loads[STORE_KINDS] = {
        [STORE_NAME] = PG_LOAD_NAMES,     [STORE_DEVICE] = PG_LOAD_DEVICES,
        [STORE_INVITE] = PG_LOAD_INVITES, [STORE_AGE] = PG_LOAD_AGE,
        [STORE_ACT] = PG_LOAD_ACTS,       [STORE_MARK] = PG_LOAD_MARKS,
        [STORE_RATING] = PG_LOAD_RATINGS, [STORE_UNSEEN] = PG_LOAD_UNSEEN};
    struct load load = {.sealer = reader->sealer, .kind = kind, .row = row, .arg = arg};

    memset(&load.last, 0, sizeof load.last);
    return read_all(reader, loads[kind], load_row, &load) && !load.is_damaged;
}

/* --- One game --- */

struct found {
    struct store_sealer *sealer;
    enum store_row state;
    int events; /* number of events that the game must have; a running game can have
                 * more */
    bool is_over;
};

static void see_game(void *arg, const PGresult *result, int row)
{
    struct found *found = arg;
    struct store_game game;

    found->state = pg_read_game_row(found->sealer, result, row, &game)
                       ? STORE_ROW_SOUND
                       : STORE_ROW_DAMAGED;
    found->events = game.events;
    found->is_over = game.is_over;
}

/* Takes the number of the last event that the table batch lists for the game. A game
 * that is not listed must have at least its first event. */
static void see_listed(void *arg, const PGresult *result, int row)
{
    int number;

    if (pg_link_int(result, row, 0, &number) && number < INT_MAX)
        ((struct found *)arg)->events = number + 1;
}

/* Finds out how many events a running game must have. Reads all of batch, but this is
 * seldom needed: a running game is read from disk only if it is damaged. */
static bool find_listed(struct pg_reader *reader, int64_t game, struct found *found)
{
    found->events = 1;
    return pg_link_call(reader->link, PG_FIND_LISTED, 1, &game, see_listed, found) ==
           PG_DONE;
}

static bool find_game(struct pg_reader *reader, int64_t game, struct found *found)
{
    *found = (struct found){.sealer = reader->sealer, .state = STORE_ROW_MISSING};
    if (pg_link_call(reader->link, PG_FIND_GAME, 1, &game, see_game, found) != PG_DONE)
        return false;
    return found->state != STORE_ROW_SOUND || found->is_over ||
           find_listed(reader, game, found);
}

/* True if no event is missing at the end of the game. If the row of the game is damaged
 * or missing, the number of events is not known. Then the game is complete if its last
 * event ends the game. */
static bool is_whole(const struct reading *reading, const struct found *found)
{
    if (found->state == STORE_ROW_SOUND && found->is_over)
        return reading->next == found->events;
    if (found->state == STORE_ROW_SOUND)
        return reading->next >= found->events;
    return reading->has_end ||
           (found->state == STORE_ROW_MISSING && reading->next == 0);
}

bool pg_read_game(struct pg_reader *reader, int64_t game, store_event_fn *row,
                  void *arg, int *count)
{
    struct load load = {
        .sealer = reader->sealer, .event = row, .arg = arg, .reading.game = game};
    struct found found;

    if (!find_game(reader, game, &found) ||
        pg_link_call(reader->link, PG_READ_LOG, 1, &game, load_event, &load) != PG_DONE)
        return false;
    if (!load.reading.is_damaged && !is_whole(&load.reading, &found))
        give_damage(&load.reading, row, arg);
    *count = load.reading.next;
    return true;
}

/* --- Ended games --- */

struct past_list {
    struct past_list *next;
    struct store_past past;
    char bytes[]; /* the texts of `past` */
};

struct pasts {
    struct store_sealer *sealer;
    struct past_list *first, **last;
};

/* Keeps a copy of the row, because the start event of each game can only be read after
 * all rows have come. */
static void keep_past(struct pasts *pasts, const struct store_game *game)
{
    struct store_summary s = game->summary;
    struct past_list *item = mem_new(sizeof *item + store_data_summary_bytes(s));
    char *at = item->bytes;

    store_data_pack_summary(&s, &at);
    item->past = (struct store_past){.game = game->id,
                                     .ended_wall_s = game->ended_wall_s,
                                     .is_private = true,
                                     .summary = s};
    *pasts->last = item;
    pasts->last = &item->next;
}

static void see_past(void *arg, const PGresult *result, int row)
{
    struct pasts *pasts = arg;
    struct store_game game;

    if (pg_read_game_row(pasts->sealer, result, row, &game))
        keep_past(pasts, &game);
    else
        log_warn("store game=%lld damaged=row : %s", (long long)game.id, advice);
}

struct start {
    struct store_sealer *sealer;
    struct store_past *past;
};

/* Sets is_private to the value in the start event of the game. If the start event
 * cannot be read, the game still counts as private. */
static void see_start(void *arg, const PGresult *result, int row)
{
    struct start *start = arg;
    struct store_event event = {.game = start->past->game};
    struct store_seal link = {0};
    struct event parsed;

    if (read_event(start->sealer, result, row, &event, &link) &&
        event_parse(event.text, &parsed) == EVENT_OK)
        start->past->is_private = parsed.manners.is_private;
}

static bool read_start(struct pg_reader *reader, struct store_past *past)
{
    struct start start = {.sealer = reader->sealer, .past = past};

    return pg_link_call(reader->link, PG_READ_START, 1, &past->game, see_start,
                        &start) == PG_DONE;
}

static bool give_pasts(struct pg_reader *reader, const struct pg_calls *calls,
                       store_past_fn *row, void *arg)
{
    struct pasts pasts = {.sealer = reader->sealer, .last = &pasts.first};
    bool is_read = pg_link_run(reader->link, calls, see_past, &pasts) == PG_DONE;
    struct past_list *next;

    for (struct past_list *item = pasts.first; item != NULL; item = next) {
        is_read = is_read && read_start(reader, &item->past);
        if (is_read)
            row(arg, &item->past);
        next = item->next;
        free(item);
    }
    return is_read;
}

bool pg_read_history(struct pg_reader *reader, const char *folded, int64_t first,
                     int limit, store_past_fn *row, void *arg)
{
    struct pg_calls calls = {0};
    bool is_read;

    pg_calls_add(&calls, PG_READ_HISTORY);
    pg_calls_text(&calls, folded);
    pg_calls_number(&calls, first);
    pg_calls_number(&calls, limit);
    is_read = give_pasts(reader, &calls, row, arg);
    pg_calls_free(&calls);
    return is_read;
}

bool pg_read_unseen(struct pg_reader *reader, const char *folded, store_past_fn *row,
                    void *arg)
{
    struct pg_calls calls = {0};
    bool is_read;

    pg_calls_add(&calls, PG_READ_UNSEEN);
    pg_calls_text(&calls, folded);
    pg_calls_number(&calls, STORE_UNSEEN_MAX);
    is_read = give_pasts(reader, &calls, row, arg);
    pg_calls_free(&calls);
    return is_read;
}
