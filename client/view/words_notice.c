/* Notices as words: see words.h. */
#include <string.h>

#include "client/view/render.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/record/record.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

struct notice {
    const struct model *model;
    const struct model_game *game; /* NULL: about none that we know */
    const struct proto_line *line;
};

static const char *word_at(const struct notice *notice, int i)
{
    return i < notice->line->words ? notice->line->word[i] : "?";
}

static bool is_ours(const struct notice *notice, const char *key)
{
    return model_is_same_name(words_value(notice->line, key, ""), notice->model->name);
}

static void notice_setup(struct text *out, const struct notice *notice)
{
    const char *word = words_value(notice->line, "side", "");
    int64_t left_ms = model_number(notice->line, "left_ms", 0, MODEL_MS_MAX, -1);
    enum side side = side_parse(word);

    if (notice->game == NULL || notice->game->game.phase == GAME_EMPTY ||
        side == SIDE_NONE || side == notice->game->side)
        return; /* ours: the choice is shown instead */
    text_addf(out, _("%s (%s) chooses a set-up"), notice->game->game.name[side],
              term_side(side));
    if (left_ms < 0)
        return;
    text_add(out, ", ");
    render_time(out, left_ms);
}

/* Which move would be made again, and the clocks that come with it. */
static void add_takeback(struct text *out, const struct notice *notice)
{
    const struct model_game *game = notice->game;
    int to = (int)model_number(notice->line, "to", 0, game->game.plies, 0);

    if (to == 0)
        text_add(out, _("asks to go back to the start"));
    else
        text_addf(out, _("asks to go back to ply %d: %s makes move %d again"), to,
                  term_side(model_ply_side(game, to)), model_ply_number(game, to));
    if (!game->game.clock.terms.is_untimed) {
        text_add(out, _(", with red "));
        render_time(out, record_left(&game->game, to, SIDE_RED).main_ms);
        text_add(out, _(" and blue "));
        render_time(out, record_left(&game->game, to, SIDE_BLUE).main_ms);
        text_add(out, _(" on the clocks"));
    }
    if (game->is_ours)
        text_add(out, _(": \"accept\" or \"decline\""));
}

static void notice_offer(struct text *out, const struct notice *notice)
{
    const char *kind = words_value(notice->line, "kind", "");
    struct words_offer offer = words_offer(kind);

    if (is_ours(notice, "by"))
        return; /* the answer to the command says it */
    text_addf(out, "%s ", words_value(notice->line, "by", "?"));
    if (notice->game != NULL && strcmp(kind, "takeback") == 0 &&
        notice->game->game.phase == GAME_PLAY)
        add_takeback(out, notice);
    else if (notice->game == NULL || !notice->game->is_ours)
        text_addf(out, _("asks: %s"), offer.name);
    else
        text_addf(out, _("%s: \"%s\" or \"decline\""), _(offer.asks), offer.answer);
}

/* The end of an offer in a game. */
static const char *why_words(const char *why)
{
    if (strcmp(why, "declined") == 0)
        return _("declined");
    if (strcmp(why, "withdrawn") == 0)
        return _("withdrawn");
    if (strcmp(why, "playing") == 0)
        return _("withdrawn, because another game has begun");
    return _("dropped");
}

static void add_gone_offer(struct text *out, const struct notice *notice,
                           const char *kind, const char *by, const char *why)
{
    if (model_is_same_name(by, notice->model->name))
        text_add(out, _("your "));
    else
        text_addf(out, _("%s's "), by);
    text_addf(out, _("offer (%s) was %s"), words_offer(kind).name, why_words(why));
}

/* The end of a seek, a challenge or an invitation. In the words %s is the number or the
 * code of our own, and the name of somebody else. What we have withdrawn ourselves, the
 * answer to that says. */
static const struct {
    const char *kind;
    bool is_ours;
    const char *why;
    const char *words;
} ends[] = {
    {"seek", true, "playing",
     N_("your seek %s was withdrawn, because you have begun a game")},
    {"challenge", true, "playing",
     N_("your challenge %s was withdrawn, because you have begun a game")},
    {"challenge", true, "declined", N_("your challenge %s was declined")},
    {"challenge", false, "playing",
     N_("%s has begun another game; the challenge to you is withdrawn")},
    {"challenge", false, "declined", N_("you have declined %s's challenge")},
    {"challenge", false, "withdrawn", N_("%s has withdrawn the challenge to you")},
    {"challenge", false, "left", N_("%s has left; the challenge to you is withdrawn")},
    {"invite", true, "playing",
     N_("your invitation %s was withdrawn, because you have begun a game")},
    {"invite", false, "playing",
     N_("you no longer wait in invitation %s, because you have begun a game")},
};

/* True for a kind that has its words above, also when there are none for this end. */
static bool add_end(struct text *out, const struct notice *notice, const char *kind,
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

static void notice_gone(struct text *out, const struct notice *notice)
{
    const char *kind = words_value(notice->line, "kind", "");
    const char *why = words_value(notice->line, "why", "");
    const struct model_offer *offer = NULL;
    int64_t id = -1;

    if (add_end(out, notice, kind, why) || strcmp(why, "accepted") == 0 ||
        strcmp(why, "moved") == 0 || strcmp(why, "over") == 0)
        return; /* what happened shows itself */
    if (text_to_int(word_at(notice, 1), 0, INT64_MAX, &id) &&
        model_find_offer(notice->model, id, &offer) != NULL)
        add_gone_offer(out, notice, offer->kind, offer->by, why);
    else if (kind[0] != '\0')
        add_gone_offer(out, notice, kind, words_value(notice->line, "by", "?"), why);
    else
        text_addf(out, _("offer %s was %s"), word_at(notice, 1), why_words(why));
}

static void notice_challenge(struct text *out, const struct notice *notice)
{
    const char *id = word_at(notice, 1);

    text_addf(out,
              _("%s challenges you: time %s, rules %s, plays %s: \"accept %s\" or "
                "\"decline %s\""),
              words_value(notice->line, "by", "?"),
              words_value(notice->line, "time", "?"),
              words_value(notice->line, "rules", "?"),
              words_side(words_value(notice->line, "side", "any")), id, id);
}

static void notice_rematch(struct text *out, const struct notice *notice)
{
    const char *new_game = words_value(notice->line, "new", "?");

    text_addf(out, _("the rematch of game %s is game %s"),
              words_value(notice->line, "game", "?"), new_game);
    if (notice->game == NULL || !notice->game->is_ours)
        text_addf(out, _(": \"watch %s\" shows it"), new_game);
}

/* The opponent, or a player of a game that is watched, came or went. */
static void notice_presence(struct text *out, const struct notice *notice)
{
    enum side side = side_parse(words_value(notice->line, "side", ""));
    int64_t claim_ms = model_number(notice->line, "claim_ms", 0, MODEL_MS_MAX, -1);
    const struct model_game *game = notice->game;

    if (game == NULL || game->game.phase == GAME_EMPTY || side == SIDE_NONE ||
        side == game->side)
        return;
    text_addf(out, _("%s (%s) is "), game->game.name[side], term_side(side));
    if (proto_line_number(notice->line, "here", 1) != 0) {
        text_add(out, _("here"));
        return;
    }
    text_add(out, _("away"));
    if (!model_is_slow(game) && game->game.phase == GAME_PLAY)
        text_add(out, _("; the clock goes on"));
    if (game->is_ours && claim_ms > 0) {
        text_add(out, _("; you may claim in "));
        render_time(out, claim_ms);
    }
}

static void notice_claim(struct text *out, const struct notice *notice)
{
    enum side side = side_parse(words_value(notice->line, "side", ""));
    const struct model_game *game = notice->game;

    if (game == NULL || !model_is_playing(game) || side == SIDE_NONE ||
        side == game->side)
        return;
    text_addf(
        out, _("%s has been away too long: wait on, or type %s"), game->game.name[side],
        game->game.is_adjourned ? _("\"claim draw\"")
                                : _("\"claim win\", \"claim draw\" or \"adjourn\""));
}

static void notice_frozen(struct text *out, const struct notice *notice)
{
    text_addf(out,
              _("game %s is damaged on the server's disk from event %s on: it can be "
                "looked at, and not be played; ask the host"),
              words_value(notice->line, "game", "?"),
              words_value(notice->line, "events", "?"));
}

/* "game 3 against kim ended while you were away: Red wins on time. You played blue" Not
 * of a game whose events this program has or is about to get: the server repeats an end
 * until it knows that it arrived. */
static void notice_over(struct text *out, const struct notice *notice)
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

static void notice_mine(struct text *out, const struct notice *notice)
{
    text_add(out, _("your "));
    words_own_game(out, notice->model, notice->line,
                   words_value(notice->line, "game", "?"));
}

static void notice_watcher(struct text *out, const struct notice *notice)
{
    if (is_ours(notice, "name"))
        return;
    text_addf(out, "%s %s", words_value(notice->line, "name", "?"),
              proto_line_number(notice->line, "here", 0) != 0 ? _("is watching")
                                                              : _("watches no more"));
}

static void notice_say(struct text *out, const struct notice *notice)
{
    if (!is_ours(notice, "by"))
        text_addf(out, _("%s says: %s"), words_value(notice->line, "by", "?"),
                  notice->line->human);
}

/* The players of a game hear after its end what was whispered, and when that was. */
static void notice_whisper(struct text *out, const struct notice *notice)
{
    const struct model_game *game = notice->game;
    const char *by = words_value(notice->line, "by", "?");
    int ply = -1;

    if (is_ours(notice, "by"))
        return;
    if (game != NULL && game->is_ours)
        ply = (int)model_number(notice->line, "ply", 0, game->game.plies - 1, -1);
    if (ply > 0)
        text_addf(out, _("%s whispered after %s's move %d: "), by,
                  _(side_name(model_ply_side(game, ply - 1))),
                  model_ply_number(game, ply - 1));
    else if (ply == 0)
        text_addf(out, _("%s whispered before the first move: "), by);
    else
        text_addf(out, _("%s whispers: "), by);
    text_add(out, notice->line->human);
}

/* What the server says of itself, in words of our own where the reason is known. */
static void notice_host(struct text *out, const struct notice *notice)
{
    static const char *const words[][2] = {
        {"storage-full",
         N_("the server's disk is full: moves wait and their clocks stand "
            "still until there is room")},
        {"storage-back", N_("the server's disk has room again: play goes on")},
        {"storage-slow", N_("the server's disk is slow: a move may take a while")},
        {"draining", N_("the server ends when the games that run are over; no new one "
                        "can begin")},
        {"stays", N_("the server does not end, after all")},
    };
    const char *why = words_value(notice->line, "why", "");
    int64_t in_s = proto_line_number(notice->line, "in_s", -1);

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcmp(words[i][0], why) == 0) {
            text_add(out, _(words[i][1]));
            return;
        }
    if (strcmp(why, "restart") == 0 && in_s >= 0)
        text_addf(out,
                  _("the server restarts in %lld s: games are kept, clocks stop "
                    "meanwhile, and this program comes back by itself"),
                  (long long)in_s);
    else
        text_addf(out, _("the host says: %s"), notice->line->human);
}

static void notice_bye(struct text *out, const struct notice *notice)
{
    static const char *const words[][2] = {
        {"quit", ""},
        {"taken-over",
         N_("you came in from elsewhere; that one goes on, this one ends")},
        {"idle", N_("nothing was heard from here for too long")},
        {"login", N_("no name was given in time")},
        {"flood", N_("too much was sent from here")},
        {"slow", N_("this connection takes the news too slowly")},
        {"full", N_("the server is full; try again later")},
        {"shutdown",
         N_("the server stops; games are kept and their clocks stand still")},
        {"restart",
         N_("the server restarts; games are kept and their clocks stand still")},
        {"fault", N_("the server is in trouble; games are kept")},
    };
    const char *why = words_value(notice->line, "why", "?");

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcmp(words[i][0], why) == 0) {
            text_add(out, _(words[i][1]));
            return;
        }
    text_addf(out, _("the server ends the connection (%s)"), why);
}

static const struct {
    const char *kind;
    void (*say)(struct text *out, const struct notice *notice);
    bool names_its_game;
} notices[] = {
    {"setup", notice_setup, false},     {"offer", notice_offer, false},
    {"gone", notice_gone, false},       {"challenge", notice_challenge, false},
    {"rematch", notice_rematch, true},  {"presence", notice_presence, false},
    {"claim", notice_claim, false},     {"mine", notice_mine, true},
    {"over", notice_over, true},        {"frozen", notice_frozen, true},
    {"watcher", notice_watcher, false}, {"say", notice_say, false},
    {"whisper", notice_whisper, false}, {"notice", notice_host, false},
    {"bye", notice_bye, false},
};

void words_notice(struct text *out, const struct model *model,
                  const struct proto_line *line, bool is_numbered)
{
    char words[PROTO_LINE_MAX + 256];
    struct text text = text_into(words, sizeof words);
    int64_t id = proto_line_number(line, "game", -1);
    struct notice notice = {model, model_find(model, id), line};

    for (size_t i = 0; i < ARRAY_LEN(notices); i++)
        if (line->words > 0 && strcmp(notices[i].kind, line->word[0]) == 0) {
            notices[i].say(&text, &notice);
            is_numbered = is_numbered && !notices[i].names_its_game;
        }
    if (text.len == 0)
        return;
    text_add(out, "-- ");
    if (is_numbered && id >= 0)
        text_addf(out, _("game %lld: "), (long long)id);
    text_addf(out, "%s\n", words);
}
