/* See verify.h. */
#include "server/admin/verify.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/game/clock.h"
#include "common/game/event.h"
#include "common/game/game.h"
#include "server/account/ratings.h"
#include "server/base/config.h"
#include "server/evening/evening_log.h"
#include "server/store/store.h"
#include "server/store/store_audit.h"
#include "server/store/store_copy.h"

struct verify {
    int games, events, damaged;
    struct ratings *ratings;
    int rating_rows;
    /* the log that is being read */
    struct game game;
    int64_t ended_wall_s, age_ms; /* time and age of the last event of the log */
    int bad_event;                /* the first damaged event, or -1 */
    const char *why;
    struct evening_audit evenings;
};

/* --- One log --- */

static void begin_log(struct verify *verify)
{
    game_clear(&verify->game);
    game_init(&verify->game);
    verify->bad_event = -1;
}

static void doubt(struct verify *verify, int number, const char *why)
{
    if (verify->bad_event >= 0)
        return;
    verify->bad_event = number;
    verify->why = why;
}

static void on_event(void *arg, const struct store_event *stored)
{
    struct verify *verify = arg;
    struct event event;

    verify->events += stored->is_sound;
    verify->age_ms = stored->age_ms;
    verify->ended_wall_s = stored->wall_s;
    if (!stored->is_sound)
        doubt(verify, stored->number,
              "this event and those after it are missing or were changed");
    else if (event_parse(stored->text, &event) != EVENT_OK)
        doubt(verify, stored->number, "this is not an event");
    else if (verify->bad_event < 0 && !game_apply(&verify->game, &event, 0))
        doubt(verify, stored->number, "illegal under the rules");
}

/* --- Its row --- */

static void complain(struct verify *verify, const char *format, ...) PRINTF_LIKE(2, 3);
static void complain(struct verify *verify, const char *format, ...)
{
    va_list args;

    verify->damaged++;
    va_start(args, format);
    printf("damaged ");
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

static bool has_names(const struct game *game, const struct store_summary *summary)
{
    const char *const folded[SIDES] = {summary->red, summary->blue};
    const char *const shown[SIDES] = {summary->red_shown, summary->blue_shown};

    for (int side = 0; side < SIDES; side++) {
        char name[NAME_BYTES];

        utf8_fold_name(name, game->name[side]);
        if (strcmp(folded[side], name) != 0 ||
            strcmp(shown[side], game->name[side]) != 0)
            return false;
    }
    return true;
}

/* Compares the row of an ended game with the log of the game. Returns the name of the
 * first part of the row that is different, for example "result". NULL: all parts are
 * equal. */
static const char *wrong_part(const struct verify *verify, const struct store_game *row)
{
    const struct store_summary *summary = &row->summary;
    const struct game *game = &verify->game;
    char time[TIME_TERMS_BYTES], reason[GAME_REASON_BYTES];

    time_terms_format(time, &game->clock.terms);
    game_format_reason(reason, game);
    if (!has_names(game, summary))
        return "names";
    if (strcmp(summary->rules, ruleset_name(game->rules)) != 0 ||
        strcmp(summary->time, time) != 0)
        return "rules or time";
    if (strcmp(summary->result, outcome_name(game->outcome)) != 0 ||
        strcmp(summary->reason, reason) != 0)
        return "result";
    if (summary->plies != game->plies)
        return "number of plies";
    return row->ended_wall_s != verify->ended_wall_s ? "time of its end" : NULL;
}

/* Compares the row of a game with its log. Of a running game only the state (running or
 * over) is compared, because not every event of the game changes its row. */
static void check_row(struct verify *verify, const struct store_game *row)
{
    bool is_over = verify->game.phase == GAME_OVER;
    const char *part = NULL;

    if (row->is_over != is_over)
        part = "state";
    else if (is_over && row->age_ms != verify->age_ms)
        part = "age";
    else if (is_over)
        part = wrong_part(verify, row);
    if (part != NULL)
        complain(verify, "game=%lld : the %s in its row is not that of its log",
                 (long long)row->id, part);
}

/* Reports the first damaged event of a log. If the row of the game says that the game
 * is over, also prints the result from the row. Then the host knows that players do not
 * wait for this game to continue. */
static void complain_of_event(struct verify *verify, const struct store_game *row,
                              enum store_row state)
{
    bool is_over = state == STORE_ROW_SOUND && row->is_over;

    complain(verify, "game=%lld event=%d : %s%s%s%s%s", (long long)row->id,
             verify->bad_event, verify->why,
             is_over ? "; its row says that it is over: " : "",
             is_over ? row->summary.result : "", is_over ? " " : "",
             is_over ? row->summary.reason : "");
}

static void on_game(void *arg, const struct store_game *row, enum store_row state)
{
    struct verify *verify = arg;

    verify->games++;
    if (verify->bad_event >= 0)
        complain_of_event(verify, row, state);
    else if (state == STORE_ROW_DAMAGED)
        complain(verify, "game=%lld : its row does not fit its seal",
                 (long long)row->id);
    else
        check_row(verify, row);
    begin_log(verify);
}

/* Reports damage in one line: SQLite's report may have several lines, and a damaged key
 * may contain any bytes. */
static void on_damage(void *arg, const char *what, const char *which, const char *why)
{
    bool is_showable = utf8_is_showable(which, strlen(which));
    char line[1000];

    if (!text_copy(line, sizeof line, why))
        text_copy(line, sizeof line, "much of it");
    for (char *end = strchr(line, '\n'); end != NULL; end = strchr(end, '\n'))
        *end = ';';
    complain(arg, "%s%s%s : %s", what, which[0] != '\0' ? "=" : "",
             is_showable ? which : "(unreadable)", line);
}

/* Each row of ratings has those after one game: they are computed again from the rows
 * before it. The events of club evenings are stored as marks. */
static void on_row(void *arg, enum store_kind kind, const void *row)
{
    struct verify *verify = arg;
    const struct evening_log *evening = &verify->evenings.log;
    const struct store_rating *rating = row;
    const char *why = NULL;

    if (kind == STORE_RATING) {
        why = ratings_take(verify->ratings, rating, true);
        verify->rating_rows++;
        if (why != NULL)
            complain(verify, "rating=%lld game=%lld : %s", (long long)rating->seq,
                     (long long)rating->game, why);
    } else if (kind == STORE_MARK) {
        why = evening_log_audit(&verify->evenings, row);
        if (why != NULL)
            complain(verify, "evening=%lld event=%d : %s", (long long)evening->id,
                     evening->evening.events, why);
    }
}

/* --- The command --- */

int verify_audit(struct store_audit *audit, const char *path)
{
    static const struct store_audit_calls calls = {.on_event = on_event,
                                                   .on_game = on_game,
                                                   .on_row = on_row,
                                                   .on_damage = on_damage};
    struct verify verify = {.ratings = ratings_new()};
    char ratings[40] = "";
    bool is_certain;

    begin_log(&verify);
    verify.evenings.sealer = store_sealer_new();
    is_certain = store_audit_run(audit, &calls, &verify);
    (void)evening_log_audit(&verify.evenings, NULL);
    store_sealer_free(verify.evenings.sealer);
    game_clear(&verify.game);
    ratings_free(verify.ratings);
    if (!is_certain) {
        fprintf(stderr,
                "janggid: %s: a server was started on it meanwhile; verify a backup: "
                "janggid ctl backup FILE\n",
                path);
        return VERIFY_CANNOT;
    }
    if (verify.rating_rows > 0)
        snprintf(ratings, sizeof ratings, " ratings=%d", verify.rating_rows);
    printf("verified games=%d events=%d%s damaged=%d\n", verify.games, verify.events,
           ratings, verify.damaged);
    return verify.damaged == 0 ? VERIFY_SOUND : VERIFY_DAMAGED;
}

int verify_database(const struct config *config, int count, char **words)
{
    const struct store_place place = store_place_of(config);
    char path[CONFIG_TEXT_BYTES + 16], why[STORE_WHY_BYTES];
    bool is_file = count > 0 || config->store[0] == '\0';
    struct text text = text_into(path, sizeof path);
    struct store_audit *audit;
    int status;

    if (count > 0)
        text_add(&text, words[0]);
    else if (is_file)
        text_addf(&text, "%s/janggid.db", config->data);
    else
        text_add(&text, "--store");
    audit = is_file ? store_audit_open(path, why) : store_copy_audit(&place, why);
    if (audit == NULL && why[0] != '\0')
        fprintf(stderr, "janggid: %s: %s\n", path, why);
    if (audit == NULL)
        return VERIFY_CANNOT;
    status = verify_audit(audit, path);
    store_audit_close(audit);
    return status;
}
