/* See words.h. The forms of --plain are read by scripts: change them only together with
 * the manual. */
#include "client/view/words.h"

#include <string.h>
#include <strings.h>

#include "common/base/translate.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

const char *words_value(const struct proto_line *line, const char *key,
                        const char *otherwise)
{
    const char *value = proto_line_value(line, key);

    return value != NULL ? value : otherwise;
}

/* --- Time --- */

enum { HOUR_S = 60 * 60, DAY_S = 24 * HOUR_S };

void words_time(struct text *text, int64_t ms)
{
    int64_t seconds = (ms + 999) / 1000; /* 0:00 is shown when nothing is left */

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
    int periods = 0;
    int64_t ms = model_shown_ms(game, side, now_ms, &periods);

    if (ms < 0) {
        text_add(&text, "-");
        return;
    }
    words_time(&text, ms);
    if (game->clock.terms.periods > 0 &&
        !time_terms_is_correspondence(&game->clock.terms))
        text_addf(&text, " x%d", periods);
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

/* --- Moves --- */

static void format_played(char out[MOVE_BYTES], const struct model_last *last)
{
    move_format(out, last->move);
    if (last->taken != KIND_NONE)
        out[2] = 'x';
}

const char *words_kind(enum kind kind, enum side side)
{
    if (kind == KIND_PAWN && side == SIDE_RED)
        return C_("red", "pawn");
    if (kind == KIND_PAWN && side == SIDE_BLUE)
        return C_("blue", "pawn");
    return term_kind(kind);
}

const char *words_side(const char *side)
{
    enum side known = side_parse(side);

    if (strcmp(side, "any") == 0)
        return C_("side", "any");
    return known == SIDE_NONE ? side : term_side(known);
}

/* --- Offers --- */

struct words_offer words_offer(const char *kind)
{
    static const struct words_offer known[] = {
        {"draw", N_("draw"), N_("offers a draw"), "draw", N_("draw offered to %s")},
        {"takeback", N_("takeback"), N_("asks to take back"), "accept",
         N_("%s is asked to take back")},
        {"abort", N_("abort"), N_("asks to end the game without a result"), "accept",
         N_("%s is asked to end the game without a result")},
        {"adjourn", N_("adjourn"),
         N_("asks to adjourn (clocks stand still until both \"continue\")"), "adjourn",
         N_("%s is asked to adjourn")},
        {"continue", N_("continue"), N_("asks to go on with the game"), "continue",
         N_("%s is asked to go on")},
        {"rematch", N_("rematch"), N_("asks for a rematch"), "rematch",
         N_("rematch offered to %s")},
    };
    struct words_offer offer = {kind, kind, N_("makes an offer"), "accept",
                                N_("%s is asked")};

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (strcmp(known[i].kind, kind) == 0) {
            offer = known[i];
            offer.name = _(offer.name);
        }
    return offer;
}

void words_open(struct text *out, const struct model_open *open)
{
    const struct model_offer *offer = open->offer;

    if (open->game == NULL)
        text_addf(out, _("%s challenges you: %s"), offer->by, offer->terms);
    else
        text_addf(out, _("%s %s, game %lld"), offer->by,
                  _(words_offer(offer->kind).asks), (long long)open->game->id);
}

void words_move(char out[WORDS_MOVE_BYTES], const struct model_last *last)
{
    struct text text = text_into(out, WORDS_MOVE_BYTES);
    char move[MOVE_BYTES];

    format_played(move, last);
    text_add(&text, move);
    if (last->taken != KIND_NONE)
        text_addf(&text, _(" (%s takes %s)"), words_kind(last->mover, last->side),
                  words_kind(last->taken, side_other(last->side)));
    else if (last->mover != KIND_NONE)
        text_addf(&text, " (%s)", words_kind(last->mover, last->side));
}

static void add_clocks(struct text *out, const struct model_game *game, int64_t now_ms)
{
    char clock[SIDES][WORDS_CLOCK_BYTES];

    if (game->clock.terms.is_untimed)
        return;
    for (int side = 0; side < SIDES; side++)
        words_clock(clock[side], game, (enum side)side, now_ms);
    text_addf(out, "; blue %s red %s", clock[SIDE_BLUE], clock[SIDE_RED]);
}

static void add_turn(struct text *out, const struct model_game *game, int64_t now_ms)
{
    if (game->game.phase == GAME_SETUP)
        text_addf(out, "; %s to set up", side_name(game_turn(&game->game)));
    if (game->game.phase != GAME_PLAY)
        return;
    if (rules_check(&game->game.position) != CHECK_NONE)
        text_add(out, "; check");
    if (game_turn(&game->game) == SIDE_NONE)
        return; /* the end follows */
    text_addf(out, "; %s to move", side_name(game_turn(&game->game)));
    if (ruleset_counts_points(game->game.rules)) {
        char points[POINTS_BYTES];

        rules_points_format(points, game->game.rules, &game->game.position);
        text_addf(out, "; points %s", points);
    }
    add_clocks(out, game, now_ms);
}

/* --- Events in the form of --plain --- */

static void add_start(struct text *out, const struct model_game *game)
{
    char terms[TIME_TERMS_BYTES];

    time_terms_format(terms, &game->game.clock.terms);
    text_addf(out, "start blue %s red %s rules %s time %s", game->game.name[SIDE_BLUE],
              game->game.name[SIDE_RED], ruleset_name(game->game.rules), terms);
    if (game->is_ours)
        text_addf(out, "; you are %s", side_name(game->side));
}

static void add_move(struct text *out, const struct model_game *game)
{
    char move[MOVE_BYTES];
    struct model_last last;

    if (!model_last(game, &last))
        return;
    format_played(move, &last);
    text_addf(out, "move %d %s %s", last.number, side_name(last.side), move);
    if (last.taken != KIND_NONE)
        text_addf(out, " %s takes %s", kind_name(last.mover), kind_name(last.taken));
    else if (last.mover != KIND_NONE)
        text_addf(out, " %s", kind_name(last.mover));
}

static void add_end(struct text *out, const struct event *event)
{
    char words[SENTENCE_BYTES];

    sentence_outcome(words, event->outcome, event->reason);
    text_addf(out, "end %s %s; %s", outcome_name(event->outcome),
              reason_name(event->reason), words);
}

void words_event(struct text *out, const struct model_news *news, int64_t now_ms)
{
    const struct model_game *game = news->game;
    const struct event *event = &news->event;

    text_addf(out, "game %lld ", (long long)game->id);
    switch (event->kind) {
    case EVENT_START:
        add_start(out, game);
        break;
    case EVENT_SETUP:
        text_addf(out, "setup %s %s", side_name(event->side),
                  lineup_name(event->lineup));
        break;
    case EVENT_MOVE:
        add_move(out, game);
        break;
    case EVENT_TAKEBACK:
        text_addf(out, "takeback %d", event->ply);
        break;
    case EVENT_ADJOURN:
        text_add(out, "adjourn");
        break;
    case EVENT_CONTINUE:
        text_add(out, "continue");
        break;
    case EVENT_END:
        add_end(out, event);
        break;
    }
    add_turn(out, game, now_ms);
    text_add(out, "\n");
}

/* --- Events on the screen --- */

static void aside_start(struct text *out, const struct model_game *game)
{
    char terms[WORDS_TERMS_BYTES];

    words_terms(terms, &game->game.clock.terms);
    text_addf(out, _("Game %lld: red %s, blue %s. %s, rules: %s."), (long long)game->id,
              game->game.name[SIDE_RED], game->game.name[SIDE_BLUE], terms,
              ruleset_name(game->game.rules));
    if (game->is_ours)
        text_addf(out, _(" You play %s."), term_side(game->side));
    text_add(out, "\n");
}

static void aside_adjourn(struct text *out, const struct model_game *game)
{
    text_add(out, _("-- the game is adjourned: clocks stand still"));
    text_add(out, game->is_ours ? _("; \"continue\" asks to go on\n") : "\n");
}

void words_end(struct text *out, const struct model_game *game)
{
    enum outcome ours = game->side == SIDE_RED ? OUTCOME_RED : OUTCOME_BLUE;
    enum side by = game->game.ended_by;
    char words[SENTENCE_BYTES];

    if (game->game.reason == REASON_ABORTED && by != SIDE_NONE) {
        if (game->is_ours && by == game->side)
            text_add(out, _("You aborted the game."));
        else
            text_addf(out, _("%s aborted the game."), game->game.name[by]);
        return;
    }
    sentence_outcome(words, game->game.outcome, game->game.reason);
    text_add(out, words);
    if (game->is_ours && game->game.outcome == ours)
        text_add(out, _(" You win!"));
}

static void aside_end(struct text *out, const struct model_game *game)
{
    text_addf(out, _("Game %lld is over. "), (long long)game->id);
    words_end(out, game);
    text_add(out, "\n");
    if (game->is_ours)
        text_add(out, _("Type \"rematch\" for another game, or \"quit\".\n"));
}

void words_event_aside(struct text *out, const struct model_news *news)
{
    const struct model_game *game = news->game;
    const struct event *event = &news->event;

    if (event->kind == EVENT_START)
        aside_start(out, game);
    else if (event->kind == EVENT_SETUP)
        text_addf(out, _("-- %s (%s) sets up %s\n"), game->game.name[event->side],
                  term_side(event->side), lineup_name(event->lineup));
    else if (event->kind == EVENT_TAKEBACK && event->ply == 0)
        text_add(out, _("-- taken back: the first move is to be made again\n"));
    else if (event->kind == EVENT_TAKEBACK)
        text_addf(out, _("-- taken back to the position after move %d of %s\n"),
                  model_ply_number(game, event->ply - 1),
                  term_side(model_ply_side(game, event->ply - 1)));
    else if (event->kind == EVENT_ADJOURN)
        aside_adjourn(out, game);
    else if (event->kind == EVENT_CONTINUE)
        text_add(out, _("-- the game goes on\n"));
    else if (event->kind == EVENT_END)
        aside_end(out, game);
}

static void add_check(struct text *out, const struct model_game *game)
{
    enum check check = rules_check(&game->game.position);

    if (check == CHECK_PIECE || check == CHECK_BOTH)
        text_addf(out, _("; %s is in check"), term_side(game_turn(&game->game)));
    if (check == CHECK_KINGS || check == CHECK_BOTH)
        text_add(out, _("; the kings are bare: answer it"));
}

void words_played(struct text *out, const struct model *model,
                  const struct model_game *game)
{
    char move[WORDS_MOVE_BYTES];
    struct model_last last;

    if (!model_last(game, &last))
        return;
    words_move(move, &last);
    text_add(out, "-- ");
    if (game != model->current)
        text_addf(out, _("game %lld: "), (long long)game->id);
    text_addf(out, "%d. %s %s", last.number, term_side(last.side), move);
    if (game_turn(&game->game) != SIDE_NONE) /* else the end follows */
        add_check(out, game);
    if (model_is_our_turn(game))
        text_add(out, _("; your move"));
    text_add(out, "\n");
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

/* --- Answers --- */

/* Answers whose effect shows itself, or is shown in another way. */
static bool is_quiet(const char *verb)
{
    static const char *const quiet[] = {
        "move",  "setup", "say",   "whisper", "ping",   "login",  "resume", "watch",
        "clock", "help",  "rules", "limits",  "resign", "invite", "quit",   "claim"};

    for (size_t i = 0; i < ARRAY_LEN(quiet); i++)
        if (strcmp(quiet[i], verb) == 0)
            return true;
    return false;
}

/* The end of a list: an empty one is said, and one that was cut. */
static bool answer_list(struct text *out, const struct proto_line *line)
{
    static const struct {
        const char *verb;
        const char *none, *some; /* NULL: nothing is said */
    } lists[] = {
        {"seeks", N_("nothing is on offer; \"seek\" offers a game"),
         N_("\"accept NUMBER\" plays one")},
        {"pending", N_("nothing is open"),
         N_("\"accept NUMBER\" and \"decline NUMBER\" answer, \"withdraw NUMBER\" "
            "takes back what is yours")},
        {"games", N_("no such game is being played"), N_("\"watch NUMBER\" shows one")},
        {"watchers", N_("nobody watches that game"), NULL},
        {"who", NULL, NULL},
        {"history", N_("no game has ended"), NULL},
        {"devices", NULL, NULL},
    };
    int64_t count = proto_line_number(line, "count", -1);
    int64_t shown = proto_line_number(line, "shown", count);

    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        const char *words = count == 0 ? lists[i].none : lists[i].some;

        if (strcmp(lists[i].verb, line->word[0]) != 0)
            continue;
        if (count > shown)
            text_addf(out, _("%lld of %lld are shown"), (long long)shown,
                      (long long)count);
        else if (words != NULL)
            text_add(out, _(words));
        return true;
    }
    return false;
}

/* "draw offered to kim (offer 14)": who is asked for what. False: nobody is. */
static bool answer_asking(struct text *out, const struct model *model,
                          const struct proto_line *line)
{
    const struct model_game *game =
        model_find(model, proto_line_number(line, "game", -1));
    const char *offer = proto_line_value(line, "offer");
    int64_t to = model_number(line, "to", 0, MODEL_COUNT_MAX, -1);

    if (offer == NULL || strcmp(line->word[0], "accept") == 0)
        return false;
    text_addf(out, _(words_offer(line->word[0]).asked),
              game != NULL && game->side != SIDE_NONE
                  ? game->game.name[side_other(game->side)]
                  : _("your opponent"));
    if (to == 0)
        text_add(out, _(" to the start"));
    else if (to > 0)
        text_addf(out, _(" to ply %lld"), (long long)to);
    text_addf(out, _(" (offer %s)"), offer);
    return true;
}

/* What was open under the number about, which is now agreed to. */
static void answer_accept(struct text *out, const struct model *model,
                          const char *about)
{
    struct model_open open[MODEL_OPEN_MAX];
    int count = model_list_open(model, open);
    int64_t id;

    for (int i = 0; i < count && text_to_int(about, 1, INT64_MAX, &id); i++)
        if (open[i].offer->id == id) {
            text_add(out, _("accepted: "));
            words_open(out, &open[i]);
        }
}

static void answer_seek(struct text *out, const struct proto_line *line)
{
    const char *id = words_value(line, "id", "?");
    const char *fits = proto_line_value(line, "fits");

    if (fits != NULL)
        text_addf(out,
                  _("seek %s is open; seek %s is the same: \"accept %s\" plays it"), id,
                  fits, fits);
    else
        text_addf(out,
                  _("seek %s is open: others see it in \"seeks\"; \"withdraw %s\" "
                    "takes it back"),
                  id, id);
}

static void answer_words(struct text *out, const struct model *model,
                         const struct proto_line *line, const char *about)
{
    const char *verb = line->word[0];
    const char *id = words_value(line, "id", "?");

    if (answer_list(out, line) || answer_asking(out, model, line))
        return;
    if (strcmp(verb, "seek") == 0)
        answer_seek(out, line);
    else if (strcmp(verb, "challenge") == 0 && proto_line_value(line, "id") != NULL)
        text_addf(out, _("challenge %s sent to %s; \"withdraw %s\" takes it back"), id,
                  about, id);
    else if (strcmp(verb, "accept") == 0)
        answer_accept(out, model, about);
    else if (strcmp(verb, "join") == 0 && proto_line_value(line, "waiting") != NULL)
        text_add(out, _("you have a seat; the game begins when your opponent comes"));
    else if (strcmp(verb, "withdraw") == 0)
        text_addf(out, _("%s is withdrawn"), id);
    else if (strcmp(verb, "unwatch") == 0)
        text_addf(out, _("game %s is left"), words_value(line, "game", "?"));
    else if (!is_quiet(verb) && line->human[0] != '\0')
        text_add(out, line->human);
}

void words_answer(struct text *out, const struct model *model,
                  const struct proto_line *line, const char *about)
{
    char words[PROTO_LINE_MAX + 128];
    struct text text = text_into(words, sizeof words);

    if (line->words == 0)
        return;
    answer_words(&text, model, line, about);
    if (text.len > 0)
        text_addf(out, "-- %s\n", words);
}
