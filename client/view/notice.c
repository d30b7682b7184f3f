/* See notice.h. */
#include "client/view/notice.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "client/view/row.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/record/record.h"
#include "common/words/message.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

enum { RESTART_MOST_S = 24 * 60 * 60 };

/* A notice to be stored in the model. */
struct taken {
    struct model *model;
    struct model_game *game; /* the game that the notice names; may be NULL */
    const struct proto_line *line;
    int64_t now_ms;
};

/* A notice to be put into words. */
enum { VALUE_BYTES = 64 };
struct told {
    const struct model *model;
    const struct model_game *game; /* the game that the notice names; may be NULL */
    const struct proto_line *line;
    char *value; /* room of VALUE_BYTES for a value as a reader sees it */
};

static const char *word_at(const struct told *notice, int i)
{
    return i < notice->line->words ? notice->line->word[i] : "?";
}

static bool is_ours(const struct told *notice, const char *key)
{
    return model_is_same_name(words_value(notice->line, key, ""), notice->model->name);
}

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

static void add_chooser(struct text *out, const struct model_game *game, enum side side,
                        bool has_chosen)
{
    text_addf(out,
              has_chosen ? _("%s (%s) has chosen a set-up")
                         : _("%s (%s) chooses a set-up"),
              game->game.name[side], term_side(side));
}

void notice_add_chooser(struct text *out, const struct model_game *game, enum side side)
{
    add_chooser(out, game, side, game->has_sealed[side]);
}

static void say_setup(struct text *out, const struct told *notice)
{
    const char *word = words_value(notice->line, "side", "");
    int64_t left_ms = model_number(notice->line, "left_ms", 0, MODEL_MS_MAX, -1);
    enum side side = side_parse(word);

    if (notice->game == NULL || notice->game->game.phase == GAME_EMPTY ||
        side == SIDE_NONE || side == notice->game->side)
        return; /* for our own set-up, the choice of line-ups is shown instead */
    add_chooser(out, notice->game, side,
                proto_line_value(notice->line, "sealed") != NULL);
    if (left_ms < 0)
        return;
    text_add(out, ", ");
    words_time(out, left_ms);
}

bool notice_asks_lineup(const struct model_game *game, const struct proto_line *line)
{
    return game->game.phase == GAME_SETUP && model_is_our_turn(game) &&
           side_parse(words_value(line, "side", "")) == game->side;
}

/* --- Offers and challenges --- */

static void add_offer(struct model_offers *offers, const struct proto_line *line,
                      const char *kind)
{
    const char *by = words_value(line, "by", "");
    char manners[WORDS_MANNERS_BYTES];
    struct model_offer offer = {.id = 0};

    if (line->words < 2 || !text_to_int(line->word[1], 1, INT64_MAX, &offer.id) ||
        by[0] == '\0' || kind[0] == '\0' ||
        !text_copy(offer.kind, sizeof offer.kind, kind) ||
        !text_copy(offer.by, sizeof offer.by, by))
        return;
    if (strcmp(kind, "challenge") == 0)
        snprintf(offer.terms, sizeof offer.terms, "%.32s, %.32s%s",
                 words_time_terms(line), words_value(line, "rules", "?"),
                 words_manners(manners, line));
    model_add_offer(offers, &offer);
}

/* Stores an offer: "! offer 14 game=3 kind=draw by=hong" */
static void take_offer(const struct taken *notice)
{
    add_offer(&notice->game->offers, notice->line,
              words_value(notice->line, "kind", ""));
}

/* Describes a takeback that the opponent asks for: the move that would have to be made
 * again, and the clocks that would be restored. */
static void add_takeback(struct text *out, const struct told *notice)
{
    const struct model_game *game = notice->game;
    int to = (int)model_number(notice->line, "to", 0, game->game.plies, 0);

    if (to == 0)
        text_add(out, _("asks to go back to the start"));
    else
        text_addf(out, _("asks to go back to ply %d: %s makes move %d again"), to,
                  term_side(game_side_of_ply(&game->game, to + 1)),
                  game_number_of_ply(&game->game, to + 1));
    if (!game->game.clock.terms.is_untimed) {
        text_add(out, _(", with red "));
        words_time(out, record_left(&game->game, to, SIDE_RED).main_ms);
        text_add(out, _(" and blue "));
        words_time(out, record_left(&game->game, to, SIDE_BLUE).main_ms);
        text_add(out, _(" on the clocks"));
    }
    if (game->is_ours)
        text_add(out, _(": \"accept\" or \"decline\""));
}

static void say_offer(struct text *out, const struct told *notice)
{
    const char *kind = words_value(notice->line, "kind", "");
    struct words_offer offer = words_offer(kind);

    if (is_ours(notice, "by"))
        return; /* the answer to our command reports it */
    text_addf(out, "%s ", words_value(notice->line, "by", "?"));
    if (notice->game != NULL && strcmp(kind, "takeback") == 0 &&
        notice->game->game.phase == GAME_PLAY)
        add_takeback(out, notice);
    else if (notice->game == NULL || !notice->game->is_ours)
        text_addf(out, _("proposes: %s"), offer.name);
    else
        text_addf(out, _("%s: \"%s\" or \"decline\""), _(offer.asks), offer.answer);
}

/* An offer in a game has ended for the reason `why`. Returns the words for this
 * reason. */
static const char *why_words(const char *why)
{
    if (strcmp(why, "declined") == 0)
        return _("declined");
    if (strcmp(why, "withdrawn") == 0)
        return _("withdrawn");
    if (strcmp(why, "playing") == 0)
        return _("withdrawn, because another game has begun");
    return _("cancelled");
}

static void add_gone_offer(struct text *out, const struct told *notice,
                           const char *kind, const char *by, const char *why)
{
    if (model_is_same_name(by, notice->model->name))
        text_add(out, _("your "));
    else
        text_addf(out, _("%s's "), by);
    text_addf(out, _("offer (%s) was %s"), words_offer(kind).name, why_words(why));
}

/* The texts for the end of a seek, a challenge or an invitation. %s is replaced by the
 * number or code of the seek, challenge or invitation, or by the name of the other
 * player. The table does not have texts for a withdrawal by ourselves, because the
 * answer to our command reports it. */
static const struct {
    const char *kind;
    bool is_ours;
    const char *why;
    const char *words;
} ends[] = {
    {"seek", true, "playing",
     N_("your seek %s was withdrawn, because you have begun a game")},
    {"seek", true, "expired",
     N_("no opponent found; your search (%s) has ended; \"play\" searches again")},
    {"challenge", true, "playing",
     N_("your challenge %s was withdrawn, because you have begun a game")},
    {"challenge", true, "declined", N_("your challenge %s was declined")},
    {"challenge", true, "replaced", N_("your new challenge replaces %s")},
    {"challenge", false, "replaced", N_("%s has changed the terms of the challenge")},
    {"challenge", false, "playing",
     N_("%s has begun another game; the challenge to you was withdrawn")},
    {"challenge", false, "declined", N_("you have declined %s's challenge")},
    {"challenge", false, "withdrawn", N_("%s has withdrawn the challenge to you")},
    {"challenge", false, "left", N_("%s has left; the challenge to you was withdrawn")},
    {"invite", true, "playing",
     N_("your invitation %s was withdrawn, because you have begun a game")},
    {"invite", false, "playing",
     N_("you no longer wait for an opponent in invitation %s, because you have begun a "
        "game")},
};

/* A seek, challenge or invitation has ended for the reason `why`. If the table `ends`
 * has a text for this end, adds that text. Returns true if the table has any entry of
 * this `kind`. */
static bool add_end(struct text *out, const struct told *notice, const char *kind,
                    const char *why)
{
    const char *by = words_value(notice->line, "by", "");
    bool is_mine = is_ours(notice, "by"), is_known = false;
    const char *about = is_mine || by[0] == '\0' ? word_at(notice, 1) : by;

    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        if (strcmp(ends[i].kind, kind) != 0)
            continue;
        is_known = true;
        if (ends[i].is_ours == is_mine && strcmp(ends[i].why, why) == 0)
            text_addf(out, _(ends[i].words), about);
    }
    return is_known;
}

static void take_gone(const struct taken *notice)
{
    int64_t id;

    if (notice->line->words > 1 &&
        text_to_int(notice->line->word[1], 0, INT64_MAX, &id))
        model_close_offer(notice->model, id);
}

static void say_gone(struct text *out, const struct told *notice)
{
    const char *kind = words_value(notice->line, "kind", "");
    const char *why = words_value(notice->line, "why", "");
    const struct model_offer *offer = NULL;
    int64_t id = -1;

    if (add_end(out, notice, kind, why) || strcmp(why, "accepted") == 0 ||
        strcmp(why, "moved") == 0 || strcmp(why, "over") == 0)
        return; /* the event itself shows what happened */
    if (text_to_int(word_at(notice, 1), 0, INT64_MAX, &id) &&
        model_find_offer(notice->model, id, &offer) != NULL)
        add_gone_offer(out, notice, offer->kind, offer->by, why);
    else if (kind[0] != '\0')
        add_gone_offer(out, notice, kind, words_value(notice->line, "by", "?"), why);
    else
        text_addf(out, _("offer %s was %s"), word_at(notice, 1), why_words(why));
}

/* Stores a challenge: "! challenge 13 by=kim time=5m rules=martin" */
static void take_challenge(const struct taken *notice)
{
    add_offer(&notice->model->challenges, notice->line, "challenge");
}

static void say_challenge(struct text *out, const struct told *notice)
{
    const char *id = word_at(notice, 1);
    char manners[WORDS_MANNERS_BYTES], rating[WORDS_RATING_BYTES];

    text_addf(out,
              _("%s%s challenges you (time %s, rules %s) and plays %s%s: \"accept %s\" "
                "or \"decline %s\""),
              words_value(notice->line, "by", "?"),
              words_rating(rating, notice->line, ""), words_time_terms(notice->line),
              words_value(notice->line, "rules", "?"),
              words_side(words_value(notice->line, "side", "any")),
              words_manners(manners, notice->line), id, id);
}

/* Describes a new seek, which the server reports after the command `seeks on`: "! seek
 * 12 by=kim time=10m+5s rules=kja side=any" */
static void say_seek(struct text *out, const struct told *notice)
{
    const struct proto_line *line = notice->line;
    const char *id = word_at(notice, 1);
    char manners[WORDS_MANNERS_BYTES], rating[WORDS_RATING_BYTES];

    text_addf(out,
              _("%s%s looks for an opponent (time %s, rules %s) and plays %s%s: "
                "\"accept %s\""),
              words_value(line, "by", "?"), words_rating(rating, line, ""),
              words_time_terms(line), words_value(line, "rules", "?"),
              words_side(words_value(line, "side", "any")),
              words_manners(manners, line), id);
}

/* --- Private games --- */

static void take_closed(const struct taken *notice)
{
    notice->game->is_left = true;
    if (notice->model->current == notice->game)
        notice->model->current = NULL;
}

static const char *key_closed(const struct told *notice)
{
    bool is_slow = strcmp(words_value(notice->line, "why", ""), "slow") == 0;

    return is_slow ? "closed/slow" : "closed";
}

/* Closes the offer of a rematch that has begun. */
static void take_rematch(const struct taken *notice)
{
    struct model_offers *offers = &notice->game->offers;

    for (int i = offers->count - 1; i >= 0; i--)
        if (strcmp(offers->at[i].kind, "rematch") == 0)
            model_close_offer(notice->model, offers->at[i].id);
}

static const char *key_rematch(const struct told *notice)
{
    return notice->game == NULL || !notice->game->is_ours ? "rematch#watch" : "rematch";
}

/* --- Presence --- */

static void take_presence(const struct taken *notice)
{
    enum side side = side_parse(words_value(notice->line, "side", ""));
    int64_t claim_ms = model_number(notice->line, "claim_ms", 0, MODEL_MS_MAX, -1);
    struct model_game *game = notice->game;

    if (side == SIDE_NONE)
        return;
    game->is_away[side] = proto_line_number(notice->line, "here", 1) == 0;
    game->claim_at_ms[side] =
        game->is_away[side] && claim_ms >= 0 ? notice->now_ms + claim_ms : 0;
}

/* The opponent, or a player of a watched game, has arrived or left. */
static const char *key_presence(const struct told *notice)
{
    enum side side = side_parse(words_value(notice->line, "side", ""));
    int64_t claim_ms = model_number(notice->line, "claim_ms", 0, MODEL_MS_MAX, -1);
    const struct model_game *game = notice->game;
    bool has_clock;

    if (game == NULL || game->game.phase == GAME_EMPTY || side == SIDE_NONE ||
        side == game->side)
        return NULL;
    if (proto_line_number(notice->line, "here", 1) != 0)
        return "presence#here";
    has_clock = !model_is_slow(game) && game->game.phase == GAME_PLAY;
    if (game->is_ours && claim_ms > 0)
        return has_clock ? "presence#clock-claim" : "presence#claim";
    return has_clock ? "presence#clock" : "presence";
}

static bool excludes_adjourn(const struct proto_line *line)
{
    return strcmp(words_value(line, "adjourn", ""), "no") == 0;
}

static void take_claim(const struct taken *notice)
{
    enum side side = side_parse(words_value(notice->line, "side", ""));

    if (side == SIDE_NONE)
        return;
    notice->game->is_away[side] = true;
    notice->game->claim_at_ms[side] = notice->now_ms;
    notice->game->is_never_adjourned = excludes_adjourn(notice->line);
}

static const char *key_claim(const struct told *notice)
{
    enum side side = side_parse(words_value(notice->line, "side", ""));
    const struct model_game *game = notice->game;

    if (game == NULL || !model_is_playing(game) || side == SIDE_NONE ||
        side == game->side)
        return NULL;
    if (game->game.is_adjourned)
        return "claim#draw";
    return excludes_adjourn(notice->line) ? "claim#end" : "claim";
}

/* --- Games --- */

static void take_clock(const struct taken *notice)
{
    model_take_clock(notice->game, notice->line, notice->now_ms);
}

/* Says "game 3 against kim ended while you were away: Red wins on time. You played
 * blue". If the model has the game and we are one of its players, says nothing: this
 * program has received the events of the game, or will receive them. (The server
 * repeats this notice until it knows that the client has received the end.) */
static void say_over(struct text *out, const struct told *notice)
{
    const char *red = words_value(notice->line, "red", "?");
    const char *blue = words_value(notice->line, "blue", "?");
    bool is_red = model_is_same_name(red, notice->model->name);
    char words[SENTENCE_BYTES];
    enum outcome outcome;
    enum reason reason;

    if (notice->game != NULL && notice->game->is_ours)
        return;
    if (!outcome_parse(words_value(notice->line, "result", ""), &outcome) ||
        !reason_parse(words_value(notice->line, "reason", ""), &reason))
        return;
    sentence_outcome(words, outcome, reason);
    text_addf(out,
              _("game %s against %s ended while you were away: %s You played %s; "
                "\"save %s\" keeps it"),
              words_value(notice->line, "game", "?"), is_red ? blue : red, words,
              is_red ? _("red") : _("blue"), words_value(notice->line, "game", "?"));
}

static void say_mine(struct text *out, const struct told *notice)
{
    text_add(out, _("your "));
    row_add_own_game(out, notice->model, notice->line,
                     words_value(notice->line, "game", "?"));
}

/* --- Watchers and talk --- */

static int find_watcher(const struct model_game *game, const char *name)
{
    for (int i = 0; i < game->watchers; i++)
        if (strcmp(game->watcher[i], name) == 0)
            return i;
    return -1;
}

static void add_watcher(struct model_game *game, const char *name)
{
    if (game->watchers < MODEL_WATCHERS_MAX &&
        text_copy(game->watcher[game->watchers], NAME_BYTES, name))
        game->watchers++;
    else if (game->unnamed_watchers < INT_MAX)
        game->unnamed_watchers++;
}

/* Removes the watcher with the index `at`; -1: one whose name is unknown. */
static void remove_watcher(struct model_game *game, int at)
{
    if (at < 0) {
        game->unnamed_watchers -= game->unnamed_watchers > 0;
        return;
    }
    game->watchers--;
    memmove(game->watcher[at], game->watcher[at + 1],
            (size_t)(game->watchers - at) * NAME_BYTES);
}

static void take_watcher(const struct taken *notice)
{
    struct model_game *game = notice->game;
    const char *name = proto_line_value(notice->line, "name");
    bool is_here = proto_line_number(notice->line, "here", 0) != 0;
    int at = name == NULL ? -1 : find_watcher(game, name);

    if (name == NULL)
        return;
    if (is_here && at < 0)
        add_watcher(game, name);
    if (!is_here)
        remove_watcher(game, at);
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

static const char *key_watcher(const struct told *notice)
{
    if (is_ours(notice, "name"))
        return NULL;
    return proto_line_number(notice->line, "here", 0) != 0 ? "watcher#here" : "watcher";
}

static const char *key_talk(const struct told *notice)
{
    return is_ours(notice, "by") ? NULL : "say";
}

static const char *key_report(const struct told *notice)
{
    return notice->line->human[0] != '\0' ? "report" : "report#plain";
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

/* News of a club evening, a small tournament: "! evening 4 round=2 board=3 red=hong
 * blue=kim in_s=60"; other forms have bye= or open=, or only the state. */
static const char *key_evening(const struct told *notice)
{
    const char *state = words_value(notice->line, "state", "");

    if (proto_line_value(notice->line, "bye") != NULL)
        return "evening#bye";
    if (proto_line_value(notice->line, "board") != NULL)
        return "evening#board";
    if (proto_line_value(notice->line, "open") != NULL)
        return "evening#open";
    if (strcmp(state, "over") == 0)
        return "evening#over";
    return strcmp(state, "open") == 0 && proto_line_number(notice->line, "at_s", 0) > 0
               ? "evening#at"
               : "evening";
}

/* Follows the game that the server now shows to users of the command `tv`: "! tv game=9
 * next=0 events=57 ...clock..." */
static void take_tv(const struct taken *notice)
{
    struct model_game *game =
        model_get(notice->model, model_number(notice->line, "game", 0, INT64_MAX, 0));

    (void)model_follow(game, notice->line, notice->now_ms);
}

/* The ply after which a whisper was sent, for a player, who receives the whispers only
 * after the end; otherwise -1. */
static int whispered_at(const struct told *notice)
{
    return notice->game != NULL && notice->game->is_ours
               ? (int)model_number(notice->line, "ply", 0, notice->game->game.plies - 1,
                                   -1)
               : -1;
}

static const char *key_whisper(const struct told *notice)
{
    int ply = whispered_at(notice);

    if (is_ours(notice, "by"))
        return NULL;
    return ply > 0 ? "whisper#move" : ply == 0 ? "whisper#start" : "whisper";
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

static void say_host(struct text *out, const struct told *notice)
{
    if (strcmp(words_value(notice->line, "why", ""), "motd") == 0)
        text_add(out, notice->line->human);
    else
        words_message(out, notice->line);
}

/* --- Ratings --- */

/* Describes the new ratings: "! rating game=3 pool=kja red=1512 red_by=+12 red_rank=4k
 * blue=1488? blue_by=-12" */
static void say_rating(struct text *out, const struct told *notice)
{
    const struct proto_line *line = notice->line;

    if (strcmp(words_value(line, "counted", ""), "no") == 0) {
        words_message(out, line);
        return;
    }
    text_add(out, _("ratings: "));
    for (int side = 0; side < SIDES; side++) {
        const char *name = side_name((enum side)side);
        const char *by =
            words_value(line, side == SIDE_RED ? "red_by" : "blue_by", "?");
        char rating[WORDS_RATING_BYTES];

        text_addf(out, "%s%s%s (%s)", side > 0 ? ", " : "",
                  notice->game != NULL ? notice->game->game.name[side]
                                       : term_side((enum side)side),
                  words_rating(rating, line, name), by);
    }
}

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

static void say_bye(struct text *out, const struct told *notice)
{
    if (strcmp(words_value(notice->line, "why", ""), "quit") != 0)
        words_message(out, notice->line);
}

/* --- The table --- */

static const struct notice {
    const char *name;
    /* Updates the model; NULL: no change. */
    void (*take)(const struct taken *notice);
    bool needs_game; /* call take() only if we know the game that the notice names */
    /* Adds the words that a person sees, or adds nothing. May be NULL. */
    void (*say)(struct text *out, const struct told *notice);
    /* In place of say(): returns the key of its sentence in the catalogue of messages;
     * NULL: a person need not be told. Without both, and for a notice that is not in this
     * table, the key is its name. */
    const char *(*key)(const struct told *notice);
    bool names_its_game; /* the words contain the game's number, so it is not put in
                          * front of them */
    bool rings;          /* the bell rings; for "claim" only if we can make the claim */
    enum notice_use use;
} notices[] = {
    {.name = "setup",
     .take = take_setup,
     .needs_game = true,
     .say = say_setup,
     .use = NOTICE_LINEUP},
    {.name = "offer", .take = take_offer, .needs_game = true, .say = say_offer},
    {.name = "gone", .take = take_gone, .say = say_gone},
    {.name = "challenge", .take = take_challenge, .say = say_challenge, .rings = true},
    {.name = "seek", .say = say_seek},
    {.name = "rematch", .take = take_rematch, .needs_game = true, .key = key_rematch},
    {.name = "closed", .take = take_closed, .needs_game = true, .key = key_closed},
    {.name = "rating", .take = take_rating, .needs_game = true, .say = say_rating},
    {.name = "presence",
     .take = take_presence,
     .needs_game = true,
     .key = key_presence},
    {.name = "claim",
     .take = take_claim,
     .needs_game = true,
     .key = key_claim,
     .rings = true},
    {.name = "clock", .take = take_clock, .needs_game = true},
    {.name = "mine", .say = say_mine, .names_its_game = true, .use = NOTICE_OWN_GAME},
    {.name = "over", .say = say_over, .names_its_game = true},
    {.name = "watcher", .take = take_watcher, .needs_game = true, .key = key_watcher},
    {.name = "watchers", .take = take_watchers, .needs_game = true},
    {.name = "say", .key = key_talk},
    {.name = "whisper", .key = key_whisper},
    {.name = "tell", .rings = true},
    {.name = "evening", .take = take_evening, .key = key_evening, .rings = true},
    {.name = "tv", .take = take_tv},
    {.name = "report", .key = key_report},
    {.name = "notice", .take = take_host, .say = say_host},
    {.name = "bye", .take = take_bye, .say = say_bye, .use = NOTICE_BYE},
};

static const char *value_of(const void *of, const char *key)
{
    const struct told *notice = of;
    const struct proto_line *line = notice->line;
    struct text text = text_into(notice->value, VALUE_BYTES);
    enum side side = side_parse(words_value(line, "side", ""));
    bool is_red = is_ours(notice, "red");
    int ply = whispered_at(notice);

    if (strcmp(key, "words") == 0)
        return line->human;
    if (strcmp(key, "id") == 0)
        return word_at(notice, 1);
    if (strcmp(key, "player") == 0)
        return notice->game->game.name[side];
    if (strcmp(key, "side") == 0)
        return term_side(side);
    if (strcmp(key, "own_side") == 0)
        return term_side(is_red ? SIDE_RED : SIDE_BLUE);
    if (strcmp(key, "opponent") == 0)
        return words_value(line, is_red ? "blue" : "red", "?");
    if (strcmp(key, "mover") == 0)
        return term_side(game_side_of_ply(&notice->game->game, ply));
    if (strcmp(key, "move") == 0)
        text_add_int(&text, game_number_of_ply(&notice->game->game, ply));
    else if (strcmp(key, "at_s") == 0)
        words_moment(&text, proto_line_number(line, key, 0));
    else if (strcmp(key, "claim_ms") == 0)
        words_time(&text, proto_line_number(line, key, 0));
    else
        return words_value(line, key, "?");
    return notice->value;
}

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
    char words[PROTO_LINE_MAX + 256], value[VALUE_BYTES];
    struct text text = text_into(words, sizeof words);
    int64_t id = proto_line_number(line, "game", -1);
    const struct notice *notice = find(line);
    struct told told = {model, game_of(model, line), line, value};
    const char *key = notice->key != NULL ? notice->key(&told)
                      : line->words > 0   ? line->word[0]
                                          : "";
    const char *sentence = key != NULL ? message_find(key) : NULL;

    if (notice->say != NULL)
        notice->say(&text, &told);
    else if (sentence != NULL)
        (void)message_fill(&text, _(sentence), value_of, &told);
    if (text.len == 0)
        return;
    text_add(out, "-- ");
    if (is_numbered && !notice->names_its_game && id >= 0 &&
        (sentence == NULL || notice->say != NULL || strstr(sentence, "{game}") == NULL))
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
           (notice->take != take_claim ||
            (game != NULL && model_claim_left(game, now_ms, &left_ms)));
}

enum notice_use notice_use(const struct proto_line *line)
{
    return find(line)->use;
}
