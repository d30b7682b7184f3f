/* See notice.h. */
#include "client/view/notice.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/translate.h"

enum { RESTART_MOST_S = 24 * 60 * 60 };

/* A notice to be stored in the model. */
struct taken {
    struct model *model;
    struct model_game *game; /* the game that the notice names; may be NULL */
    const struct proto_line *line;
    int64_t now_ms;
};

/* --- Line-ups --- */

static void take_setup(const struct taken *notice)
{
    int64_t left_ms = model_number(notice->line, "left_ms", 0, MODEL_MS_MAX, -1);
    enum side side = side_parse(words_value(notice->line, "side", ""));
    bool is_sealed = proto_line_value(notice->line, "sealed") != NULL;

    if (side != SIDE_NONE)
        notice->game->has_sealed[side] = is_sealed;
    if (is_sealed)
        return;
    notice->game->setup_until_ms = left_ms < 0 ? 0 : notice->now_ms + left_ms;
}

void notice_add_chooser(struct text *out, const struct model_game *game, enum side side)
{
    char line[64];
    struct proto_line setup;
    struct told told = {.line = &setup, .game = game};

    snprintf(line, sizeof line, "! setup side=%s%s", side_name(side),
             game->has_sealed[side] ? " sealed=1" : "");
    proto_parse_line(line, &setup);
    (void)told_say(out, &told, "=chooser");
}

bool notice_asks_lineup(const struct model_game *game, const struct proto_line *line)
{
    return game->game.phase == GAME_SETUP && model_is_our_turn(game) &&
           side_parse(words_value(line, "side", "")) == game->side;
}

/* --- Offers and challenges --- */

/* Stores an offer or a challenge: "! offer 14 game=3 kind=draw by=hong", "! challenge 13
 * by=kim time=5m rules=martin". */
static void take_offer(const struct taken *notice)
{
    const struct proto_line *line = notice->line;
    bool is_challenge = strcmp(line->word[0], "challenge") == 0;
    const char *by = words_value(line, "by", "");
    const char *kind = is_challenge ? line->word[0] : words_value(line, "kind", "");
    char manners[WORDS_MANNERS_BYTES];
    struct model_offer offer = {.id = 0};

    if (line->words < 2 || !text_to_int(line->word[1], 1, INT64_MAX, &offer.id) ||
        by[0] == '\0' || kind[0] == '\0' ||
        !text_copy(offer.kind, sizeof offer.kind, kind) ||
        !text_copy(offer.by, sizeof offer.by, by))
        return;
    if (is_challenge)
        snprintf(offer.terms, sizeof offer.terms, "%.32s, %.32s%s",
                 words_time_terms(line), words_value(line, "rules", "?"),
                 words_manners(manners, line));
    model_add_offer(is_challenge ? &notice->model->challenges : &notice->game->offers,
                    &offer);
}

static void take_gone(const struct taken *notice)
{
    int64_t id;

    if (notice->line->words > 1 &&
        text_to_int(notice->line->word[1], 0, INT64_MAX, &id))
        model_close_offer(notice->model, id);
}

/* --- Private games --- */

static void take_closed(const struct taken *notice)
{
    notice->game->is_left = true;
    if (notice->model->current == notice->game)
        notice->model->current = NULL;
}

/* Closes the offer of a rematch that has begun. */
static void take_rematch(const struct taken *notice)
{
    struct model_offers *offers = &notice->game->offers;

    for (int i = offers->count - 1; i >= 0; i--)
        if (strcmp(offers->at[i].kind, "rematch") == 0)
            model_close_offer(notice->model, offers->at[i].id);
}

/* --- Presence --- */

/* Stores that a player is here or away, and when the opponent may claim the game: at once,
 * for the notice "claim". */
static void take_presence(const struct taken *notice)
{
    const struct proto_line *line = notice->line;
    enum side side = side_parse(words_value(line, "side", ""));
    bool is_claim = strcmp(line->word[0], "claim") == 0;
    int64_t claim_ms =
        is_claim ? 0 : model_number(line, "claim_ms", 0, MODEL_MS_MAX, -1);
    struct model_game *game = notice->game;

    if (side == SIDE_NONE)
        return;
    game->is_away[side] = is_claim || proto_line_number(line, "here", 1) == 0;
    game->claim_at_ms[side] =
        game->is_away[side] && claim_ms >= 0 ? notice->now_ms + claim_ms : 0;
    if (is_claim)
        game->is_never_adjourned = strcmp(words_value(line, "adjourn", ""), "no") == 0;
}

/* --- Games --- */

static void take_clock(const struct taken *notice)
{
    model_take_clock(notice->game, notice->line, notice->now_ms);
}

/* --- Watchers and talk --- */

static void take_watcher(const struct taken *notice)
{
    struct model_game *game = notice->game;
    const char *name = proto_line_value(notice->line, "name");
    bool is_here = proto_line_number(notice->line, "here", 0) != 0;
    int at = 0;

    if (name == NULL)
        return;
    while (at < game->watchers && strcmp(game->watcher[at], name) != 0)
        at++;
    if (at < game->watchers && !is_here) {
        game->watchers--;
        memmove(game->watcher[at], game->watcher[at + 1],
                (size_t)(game->watchers - at) * NAME_BYTES);
    } else if (at == game->watchers && !is_here) {
        game->unnamed_watchers -= game->unnamed_watchers > 0;
    } else if (at == game->watchers && at < MODEL_WATCHERS_MAX &&
               text_copy(game->watcher[at], NAME_BYTES, name)) {
        game->watchers++;
    } else if (at == game->watchers && game->unnamed_watchers < INT_MAX) {
        game->unnamed_watchers++;
    }
}

/* Stores how many people watch. If one of them has left, removes all names, because the
 * notice does not say who it was. */
static void take_watchers(const struct taken *notice)
{
    struct model_game *game = notice->game;
    int64_t count = proto_line_number(notice->line, "count", 0);
    bool is_same = proto_line_number(notice->line, "left", 0) == 0;

    if (count < 0 || count > INT_MAX)
        return;
    if (!is_same || game->watchers > (int)count)
        game->watchers = 0;
    game->unnamed_watchers = (int)count - game->watchers;
}

/* Notes who plays our game of the round, so that we know it when it begins. */
static void take_evening(const struct taken *notice)
{
    static const char *const keys[SIDES] = {[SIDE_RED] = "red", [SIDE_BLUE] = "blue"};

    if (proto_line_value(notice->line, "board") == NULL)
        return;
    for (int side = 0; side < SIDES; side++)
        text_copy(notice->model->round[side], sizeof notice->model->round[side],
                  words_value(notice->line, keys[side], ""));
}

/* Follows the game that the server now shows to users of the command `tv`: "! tv game=9
 * next=0 events=57 ...clock..." */
static void take_tv(const struct taken *notice)
{
    struct model_game *game =
        model_get(notice->model, model_number(notice->line, "game", 0, INT64_MAX, 0));

    (void)model_follow(game, notice->line, notice->now_ms);
}

/* --- The server --- */

static void take_host(const struct taken *notice)
{
    struct model *model = notice->model;
    const char *why = words_value(notice->line, "why", "");
    int64_t in_s = model_number(notice->line, "in_s", 0, RESTART_MOST_S, -1);

    if (strcmp(why, "restart") == 0 && in_s >= 0)
        model->restart_at_ms = notice->now_ms + in_s * 1000;
    else if (strcmp(why, "stays") == 0)
        model->restart_at_ms = 0;
}

/* --- Ratings --- */

static void take_rating(const struct taken *notice)
{
    char rating[WORDS_RATING_BYTES];

    for (enum side side = SIDE_RED; side != SIDE_NONE; side++)
        if (proto_line_value(notice->line, side_name(side)) != NULL)
            model_set_rating(notice->game, side,
                             words_rating(rating, notice->line, side_name(side)));
}

/* Stops the clocks until the server has restarted. */
static void take_bye(const struct taken *notice)
{
    const char *why = words_value(notice->line, "why", "");

    if (strcmp(why, "restart") != 0 && strcmp(why, "shutdown") != 0)
        return;
    for (struct model_game *game = notice->model->games; game != NULL;
         game = game->next)
        clock_stop(&game->clock, notice->now_ms);
}

/* --- The table --- */

static const struct notice {
    const char *name;
    /* Updates the model; NULL: no change. */
    void (*take)(const struct taken *notice);
    bool needs_game; /* call take() only if we know the game that the notice names */
    bool rings;      /* the bell rings; for "claim" only if we can make the claim */
    enum notice_use use;
} notices[] = {
    {"setup", take_setup, true, false, NOTICE_LINEUP},
    {"offer", take_offer, true, false, NOTICE_WORDS},
    {"gone", take_gone, false, false, NOTICE_WORDS},
    {"challenge", take_offer, false, true, NOTICE_WORDS},
    {"rematch", take_rematch, true, false, NOTICE_WORDS},
    {"closed", take_closed, true, false, NOTICE_WORDS},
    {"rating", take_rating, true, false, NOTICE_WORDS},
    {"presence", take_presence, true, false, NOTICE_WORDS},
    {"claim", take_presence, true, true, NOTICE_WORDS},
    {"clock", take_clock, true, false, NOTICE_WORDS},
    {"mine", NULL, false, false, NOTICE_OWN_GAME},
    {"watcher", take_watcher, true, false, NOTICE_WORDS},
    {"watchers", take_watchers, true, false, NOTICE_WORDS},
    {"tell", NULL, false, true, NOTICE_WORDS},
    {"evening", take_evening, false, true, NOTICE_WORDS},
    {"tv", take_tv, false, false, NOTICE_WORDS},
    {"notice", take_host, false, false, NOTICE_WORDS},
    {"bye", take_bye, false, false, NOTICE_BYE},
};

/* Returns the table entry for `line`. If the table has none, because a later version
 * has added the notice, returns an empty entry. */
static const struct notice *find(const struct proto_line *line)
{
    static const struct notice unknown = {.name = ""};

    for (size_t i = 0; line->words > 0 && i < ARRAY_LEN(notices); i++)
        if (strcmp(notices[i].name, line->word[0]) == 0)
            return &notices[i];
    return &unknown;
}

static struct model_game *game_of(const struct model *model,
                                  const struct proto_line *line)
{
    return model_find(model, proto_line_number(line, "game", -1));
}

void notice_take(struct model *model, const struct proto_line *line, int64_t now_ms)
{
    const struct notice *notice = find(line);
    struct taken taken = {model, game_of(model, line), line, now_ms};

    if (notice->take != NULL && (taken.game != NULL || !notice->needs_game))
        notice->take(&taken);
}

void notice_say(struct text *out, const struct model *model,
                const struct proto_line *line, bool is_numbered)
{
    char words[PROTO_LINE_MAX + 256];
    struct text text = text_into(words, sizeof words);
    int64_t id = proto_line_number(line, "game", -1);
    struct told told = {.model = model, .line = line, .game = game_of(model, line)};
    const char *kind = line->words > 0 ? line->word[0] : "", *sentence;
    int64_t offer;

    if (strcmp(kind, "gone") == 0 && line->words > 1 &&
        text_to_int(line->word[1], 0, INT64_MAX, &offer))
        (void)!model_find_offer(model, offer, &told.offer);
    sentence = told_say(&text, &told, kind);
    if (text.len == 0)
        return;
    text_add(out, "-- ");
    if (is_numbered && id >= 0 && strstr(sentence, "game}") == NULL)
        text_addf(out, _("game %lld: "), (long long)id);
    text_addf(out, "%s\n", words);
}

bool notice_rings(const struct model *model, const struct proto_line *line,
                  int64_t now_ms)
{
    const struct notice *notice = find(line);
    const struct model_game *game = game_of(model, line);
    int64_t left_ms;

    return notice->rings &&
           (strcmp(notice->name, "claim") != 0 ||
            (game != NULL && model_claim_left(game, now_ms, &left_ms)));
}

enum notice_use notice_use(const struct proto_line *line)
{
    return find(line)->use;
}
