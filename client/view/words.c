/* See words.h. */
#include "client/view/words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "client/base/language.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/game/board.h"
#include "common/words/manner_words.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

const char *words_value(const struct proto_line *line, const char *key,
                        const char *otherwise)
{
    const char *value = proto_line_value(line, key);

    return value != NULL ? value : otherwise;
}

const struct ruleset *words_usual_rules(void)
{
    return language_is_korean() ? ruleset_find("kja") : ruleset_at(0);
}

const char *words_time_terms(const struct proto_line *line)
{
    const char *time = words_value(line, "time", "?");

    return strcmp(time, "none") == 0 ? C_("time", "none") : time;
}

/* --- Ratings --- */

const char *words_rank(char out[WORDS_RANK_BYTES], const char *rank)
{
    enum { KYU_MOST = 18, DAN_MOST = 9 };
    size_t digits = strspn(rank, "0123456789");
    char number[4];
    int64_t value;
    bool is_dan = strcmp(rank + digits, "d") == 0;

    snprintf(number, sizeof number, "%.*s", (int)digits, rank);
    out[0] = '\0';
    if (!text_to_int(number, 1, is_dan ? DAN_MOST : KYU_MOST, &value) ||
        (!is_dan && strcmp(rank + digits, "k") != 0))
        return out;
    /* TRANSLATORS: a rank: 4k is the fourth kyu (geup), 1d the first dan. */
    snprintf(out, WORDS_RANK_BYTES, is_dan ? _("%dd") : _("%dk"), (int)value);
    return out;
}

/* Returns the value of the key that consists of `before` and `key`: "rank",
 * "red_rank". */
static const char *value_of(const struct proto_line *line, const char *before,
                            const char *key)
{
    char name[24];

    snprintf(name, sizeof name, "%s%s", before, key);
    return proto_line_value(line, name);
}

const char *words_rating(char out[WORDS_RATING_BYTES], const struct proto_line *line,
                         const char *before)
{
    bool is_side = before[0] != '\0';
    const char *rating = value_of(line, before, is_side ? "" : "rating");
    const char *rank = value_of(line, before, is_side ? "_rank" : "rank");
    char words[WORDS_RANK_BYTES];

    bool is_unsure = !is_side && strcmp(words_value(line, "firm", ""), "no") == 0;

    out[0] = '\0';
    if (rating != NULL)
        snprintf(out, WORDS_RATING_BYTES, " %.6s%s%s%s", rating, is_unsure ? "?" : "",
                 rank != NULL ? " " : "", rank != NULL ? words_rank(words, rank) : "");
    return out;
}

/* --- Time --- */

void words_date(struct text *text, int64_t wall_s, const char *format,
                const char *otherwise)
{
    time_t when = (time_t)wall_s;
    char words[48];
    struct tm local;

    if (wall_s <= 0 || localtime_r(&when, &local) == NULL ||
        strftime(words, sizeof words, format, &local) == 0)
        text_add(text, otherwise);
    else
        text_add(text, words);
}

void words_moment(struct text *text, int64_t wall_s)
{
    words_date(text, wall_s, "%Y-%m-%d %H:%M", "?");
}

void words_until(struct text *text, int64_t wall_s)
{
    char words[48];
    struct text moment = text_into(words, sizeof words);

    words_date(&moment, wall_s, "%Y-%m-%d %H:%M %Z", "?");
    if (wall_s <= 0)
        text_add(text, _("forever"));
    else
        text_addf(text, _("until %s"), words);
}

enum { HOUR_S = 60 * 60 };

void words_time(struct text *text, int64_t ms)
{
    int64_t seconds = mono_whole_s(ms); /* rounds up: 0:00 means that no time is left */

    if (seconds >= DAY_S)
        text_addf(text, _("%d d %d h"), (int)(seconds / DAY_S),
                  (int)(seconds % DAY_S / HOUR_S));
    else if (seconds >= HOUR_S)
        text_addf(text, "%d:%02d:%02d", (int)(seconds / 3600), (int)(seconds / 60 % 60),
                  (int)(seconds % 60));
    else
        text_addf(text, "%d:%02d", (int)(seconds / 60), (int)(seconds % 60));
}

void words_clock(char out[WORDS_CLOCK_BYTES], const struct model_game *game,
                 enum side side, int64_t now_ms)
{
    struct text text = text_into(out, WORDS_CLOCK_BYTES);
    int64_t ms = clock_shown_ms(&game->clock, side, now_ms, &(int){0});
    int more = clock_more_periods(&game->clock, side, now_ms);

    if (ms < 0)
        text_add(&text, "-");
    else
        words_time(&text, ms);
    if (ms >= 0 && more > 0)
        text_addf(&text, " +%dx%llds", more,
                  (long long)game->clock.terms.period_ms / 1000);
}

static void add_span(struct text *text, int64_t ms)
{
    if (ms >= 3600000 && ms % 3600000 == 0)
        text_addf(text, _("%d h"), (int)(ms / 3600000));
    else if (ms >= 60000 && ms % 60000 == 0)
        text_addf(text, _("%d min"), (int)(ms / 60000));
    else
        text_addf(text, _("%d s"), (int)(ms / 1000));
}

void words_terms(char out[WORDS_TERMS_BYTES], const struct time_terms *terms)
{
    struct text text = text_into(out, WORDS_TERMS_BYTES);

    if (terms->is_untimed) {
        text_add(&text, _("untimed"));
        return;
    }
    if (time_terms_is_correspondence(terms)) {
        int days = (int)(terms->period_ms / 1000 / DAY_S);

        text_addf(&text, translate_count("%d day a move", "%d days a move", days),
                  days);
        return;
    }
    add_span(&text, terms->main_ms);
    if (terms->increment_ms > 0) {
        text_add(&text, " + ");
        add_span(&text, terms->increment_ms);
    }
    if (terms->periods > 0) {
        text_addf(&text, " + %d x ", terms->periods);
        add_span(&text, terms->period_ms);
    }
}

/* --- Terms of an offer --- */

const char *words_side(const char *side)
{
    enum side known = side_parse(side);

    if (strcmp(side, "any") == 0)
        return C_("side", "either side");
    if (strcmp(side, "rank") == 0)
        return C_("side", "red or blue by rank");
    return known == SIDE_NONE ? side : term_side(known);
}

const char *words_manners(char out[WORDS_MANNERS_BYTES], const struct proto_line *line)
{
    struct text text = text_into(out, WORDS_MANNERS_BYTES);
    char items[PROTO_LINE_MAX + 1];
    struct text list = text_into(items, sizeof items);

    for (int i = 0; i < line->words; i++)
        if (strchr(line->word[i], '=') != NULL && strchr(line->word[i], ' ') == NULL)
            text_addf(&list, " %s", line->word[i]);
    if (proto_line_value(line, "position") != NULL)
        text_add(&list, " position=-");
    manner_words_add_items(&text, items);
    return out;
}

void words_tell_manners(struct text *out, const struct game *game)
{
    const struct manners *manners = &game->manners;
    const struct {
        bool is_so;
        const char *words;
    } usual[] = {{manners->is_private, N_("The game is private.")},
                 {manners->bars_takebacks, N_("No takebacks.")},
                 {manners->bars_talk, N_("The players cannot talk.")},
                 {manners->is_rated, N_("It is rated.")}};
    char words[WORDS_MANNERS_BYTES];
    struct text rare = text_into(words, sizeof words);

    for (size_t i = 0; i < ARRAY_LEN(usual); i++)
        if (usual[i].is_so)
            text_addf(out, " %s", _(usual[i].words));
    manner_words_add_rare(&rare, manners, game->rules);
    if (rare.len > 0) {
        text_add(out, " ");
        text_addf(out, _("Terms: %s."), words + strspn(words, ", "));
    }
    if (game->phase == GAME_PLAY && game->has_position && !manners->has_odds)
        text_addf(out, " %s", _("It starts from a custom position."));
}

void words_move(char out[WORDS_MOVE_BYTES], const struct game_last *last)
{
    struct text text = text_into(out, WORDS_MOVE_BYTES);
    char move[MOVE_BYTES];

    facts_format_move(move, last);
    text_add(&text, move_is_pass(last->move) ? _("pass") : move);
    if (last->taken != KIND_NONE)
        text_addf(&text, _(" (%s takes %s)"), term_piece(last->mover, last->side),
                  term_piece(last->taken, side_other(last->side)));
    else if (last->mover != KIND_NONE)
        text_addf(&text, " (%s)", term_piece(last->mover, last->side));
}

/* --- Events --- */

void words_start(struct text *out, const struct model_game *game)
{
    char terms[WORDS_TERMS_BYTES];

    words_terms(terms, &game->game.clock.terms);
    text_addf(out, _("Game %lld: red %s, blue %s. %s, rules: %s."), (long long)game->id,
              game->game.name[SIDE_RED], game->game.name[SIDE_BLUE], terms,
              ruleset_name(game->game.rules));
    words_tell_manners(out, &game->game);
    if (game->is_ours) {
        text_add(out, " ");
        text_addf(out, _("You play %s."), term_side(game->side));
    }
    text_add(out, "\n");
}

const char *words_after_pass(const struct game *game)
{
    int plies = game->plies;

    if (game->phase != GAME_PLAY || plies == 0 ||
        !move_is_pass(game->ply[plies - 1].move) ||
        (plies > 1 && move_is_pass(game->ply[plies - 2].move)))
        return "";
    return ruleset_counts_points(game->rules)
               ? _("A second pass ends the game by points.")
               : _("A second pass ends the game: a draw.");
}

void words_end(struct text *out, const struct facts *facts)
{
    const struct model_game *game = facts->game;
    enum outcome ours = game->side == SIDE_RED ? OUTCOME_RED : OUTCOME_BLUE;
    enum reason reason = game->game.reason;
    enum side by = game->game.ended_by;
    char words[SENTENCE_BYTES], points[POINTS_BYTES];

    if (reason == REASON_ABORTED && by != SIDE_NONE) {
        if (game->is_ours && by == game->side)
            text_add(out, _("You aborted the game."));
        else
            text_addf(out, _("%s aborted the game."), game->game.name[by]);
        return;
    }
    sentence_outcome(words, game->game.outcome, reason);
    text_add(out, words);
    /* the points decide a game that would otherwise be a draw (RULES.md J2) */
    if (ruleset_counts_points(game->game.rules) &&
        (reason == REASON_BIKJANG || reason == REASON_DOUBLE_PASS ||
         reason == REASON_REPETITION || reason == REASON_NO_CAPTURE)) {
        rules_points_format(points, game->game.rules, &game->game.position);
        text_add(out, " ");
        text_addf(out, _("Points, red/blue: %s."), points);
    }
    if (game->is_ours && game->game.outcome == ours)
        text_addf(out, " %s", _("You win!"));
}

void words_event(struct text *out, const struct model *model, const struct facts *facts,
                 bool has_board)
{
    const struct model_game *game = facts->game;
    const struct event *event = facts->event;
    char move[WORDS_MOVE_BYTES];

    if (event->kind == EVENT_START) {
        words_start(out, game);
        return;
    }
    if (event->kind == EVENT_END) {
        text_addf(out, _("Game %lld is over. "), (long long)game->id);
        words_end(out, facts);
        text_add(out, "\n");
        return;
    }
    if (event->kind == EVENT_MOVE && (has_board || !facts->has_last))
        return;
    text_add(out, "-- ");
    if (game != model->current)
        text_addf(out, _("game %lld: "), (long long)game->id);
    switch (event->kind) {
    case EVENT_SETUP:
        /* without a name, the player of a game at one terminal is called "you" */
        if (game->is_ours && event->side == game->side &&
            strcmp(game->game.name[event->side], "you") == 0)
            text_addf(out, _("you (%s) set up %s"), term_side(event->side),
                      lineup_name(event->lineup));
        else
            text_addf(out, _("%s (%s) sets up %s"), game->game.name[event->side],
                      term_side(event->side), lineup_name(event->lineup));
        break;
    case EVENT_MOVE:
        words_move(move, &facts->last);
        text_addf(out, "%d. %s %s", facts->last.number, term_side(facts->last.side),
                  move);
        if (facts->turn == SIDE_NONE)
            break; /* the end event follows */
        if (facts_is_piece_check(facts))
            text_addf(out, _("; %s is in check"), term_side(facts->turn));
        if (facts_is_bare_kings(facts))
            text_add(out, _("; the kings are bare"));
        break;
    case EVENT_TAKEBACK:
        if (event->ply == 0)
            text_add(out, _("taken back to the start: the first move is next"));
        else
            text_addf(out, _("taken back to the position after move %d of %s"),
                      game_number_of_ply(&game->game, event->ply),
                      term_side(game_side_of_ply(&game->game, event->ply)));
        break;
    case EVENT_ADJOURN:
        text_add(out, _("the game is adjourned: clocks stand still"));
        text_add(out, game->is_ours ? _("; type \"continue\" to ask to go on") : "");
        break;
    default:
        text_add(out, _("the game goes on"));
        break;
    }
    if (!has_board && facts->is_our_turn && game->game.phase == GAME_PLAY)
        text_add(out, _("; your move"));
    text_add(out, "\n");
}

void words_standing(struct text *out, const struct model_game *game, int64_t now_ms)
{
    int64_t left_ms = model_turn_left(game, now_ms);

    if (!model_is_our_turn(game))
        text_addf(out, _("%s's turn"), term_side(model_turn(game)));
    else if (game->game.phase == GAME_SETUP)
        text_add(out, _("you choose a set-up"));
    else
        text_add(out, _("your move"));
    if (left_ms < 0)
        return;
    text_add(out, ", ");
    words_time(out, left_ms);
}

/* --- Yes and no --- */

bool words_is_yes(const char *answer)
{
    return strcasecmp(answer, "yes") == 0 || strcasecmp(answer, "y") == 0 ||
           strcmp(answer, "예") == 0 || strcmp(answer, "네") == 0;
}

bool words_is_no(const char *answer)
{
    return strcasecmp(answer, "no") == 0 || strcasecmp(answer, "n") == 0 ||
           strcmp(answer, "아니오") == 0 || strcmp(answer, "아니요") == 0;
}
