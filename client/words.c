/* See words.h. The forms of --plain are read by scripts: change them only together with
 * the manual. */
#include "client/words.h"

#include <string.h>
#include <strings.h>

#include "client/render.h"

/* --- Moves and clocks ---------------------------------------------------------- */

static void format_played(char out[MOVE_BYTES], const struct model_last *last)
{
    move_format(out, last->move);
    if (last->taken != KIND_NONE)
        out[2] = 'x';
}

void words_move(char out[WORDS_MOVE_BYTES], const struct model_last *last)
{
    struct text text = text_into(out, WORDS_MOVE_BYTES);
    char move[MOVE_BYTES];

    format_played(move, last);
    text_add(&text, move);
    if (last->taken != KIND_NONE)
        text_addf(&text, " (%s takes %s)", kind_name(last->mover),
                  kind_name(last->taken));
    else if (last->mover != KIND_NONE)
        text_addf(&text, " (%s)", kind_name(last->mover));
}

static void add_clocks(struct text *out, const struct model_game *game, int64_t now_ms)
{
    char clock[SIDES][RENDER_CLOCK_BYTES];

    if (game->clock.terms.is_untimed)
        return;
    for (int side = 0; side < SIDES; side++)
        render_clock(clock[side], game, (enum side)side, now_ms);
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

/* --- Events in the form of --plain ------------------------------------------------ */

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
    char words[OUTCOME_WORDS_BYTES];

    outcome_describe(words, event->outcome, event->reason);
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

/* --- Events on the screen -----------------------------------------------------------
 */

static void aside_start(struct text *out, const struct model_game *game)
{
    char terms[RENDER_TERMS_BYTES];

    render_terms(terms, &game->game.clock.terms);
    text_addf(out, "Game %lld: red %s, blue %s. %s, rules: %s.", (long long)game->id,
              game->game.name[SIDE_RED], game->game.name[SIDE_BLUE], terms,
              ruleset_name(game->game.rules));
    if (game->is_ours)
        text_addf(out, " You play %s.", side_name(game->side));
    text_add(out, "\n");
}

static void aside_end(struct text *out, const struct model_game *game,
                      const struct event *event)
{
    char words[OUTCOME_WORDS_BYTES];
    enum outcome ours = game->side == SIDE_RED ? OUTCOME_RED : OUTCOME_BLUE;

    outcome_describe(words, event->outcome, event->reason);
    text_addf(out, "Game %lld is over. %s", (long long)game->id, words);
    if (game->is_ours && event->outcome == ours)
        text_add(out, " You win!");
    text_add(out, "\n");
    if (game->is_ours)
        text_add(out, "Type \"rematch\" for another game, or \"quit\".\n");
}

void words_event_aside(struct text *out, const struct model_news *news)
{
    const struct model_game *game = news->game;
    const struct event *event = &news->event;

    if (event->kind == EVENT_START)
        aside_start(out, game);
    else if (event->kind == EVENT_SETUP)
        text_addf(out, "-- %s (%s) sets up %s\n", game->game.name[event->side],
                  side_name(event->side), lineup_name(event->lineup));
    else if (event->kind == EVENT_TAKEBACK && event->ply == 0)
        text_add(out, "-- taken back: the first move is to be made again\n");
    else if (event->kind == EVENT_TAKEBACK)
        text_addf(out, "-- taken back to the position after move %d of %s\n",
                  model_ply_number(game, event->ply - 1),
                  side_name(model_ply_side(game, event->ply - 1)));
    else if (event->kind == EVENT_END)
        aside_end(out, game, event);
}

/* --- Notices
 * --------------------------------------------------------------------------- */

static const char *value_or(const struct proto_line *line, const char *key,
                            const char *otherwise)
{
    const char *value = proto_line_value(line, key);

    return value != NULL ? value : otherwise;
}

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
    return model_is_same_name(value_or(notice->line, key, ""), notice->model->name);
}

static void notice_setup(struct text *out, const struct notice *notice)
{
    const char *word = value_or(notice->line, "side", "");
    int64_t left_ms = model_number(notice->line, "left_ms", 0, MODEL_MS_MAX, -1);
    enum side side = side_parse(word);

    if (notice->game == NULL || notice->game->game.phase == GAME_EMPTY ||
        side == SIDE_NONE || side == notice->game->side)
        return; /* ours: the choice is shown instead */
    text_addf(out, "%s (%s) chooses a set-up", notice->game->game.name[side], word);
    if (left_ms >= 0)
        text_addf(out, ", %d s", (int)((left_ms + 999) / 1000));
}

static const char *offer_words(const char *kind)
{
    if (strcmp(kind, "draw") == 0)
        return "offers a draw: \"draw\" or \"decline\"";
    if (strcmp(kind, "rematch") == 0)
        return "asks for a rematch: \"rematch\" or \"decline\"";
    if (strcmp(kind, "abort") == 0)
        return "asks to end the game without a result: \"accept\" or \"decline\"";
    return "makes an offer: \"accept\" or \"decline\"";
}

static void add_takeback(struct text *out, const struct notice *notice)
{
    int to = (int)model_number(notice->line, "to", 0, notice->game->game.plies, 0);

    text_addf(out, "asks to go back to %s's move %d",
              side_name(model_ply_side(notice->game, to)),
              model_ply_number(notice->game, to));
    if (notice->game->is_ours)
        text_add(out, ": \"accept\" or \"decline\"");
}

static void notice_offer(struct text *out, const struct notice *notice)
{
    const char *kind = value_or(notice->line, "kind", "");

    if (is_ours(notice, "by"))
        return; /* the answer to the command says it */
    text_addf(out, "%s ", value_or(notice->line, "by", "?"));
    if (notice->game != NULL && strcmp(kind, "takeback") == 0 &&
        notice->game->game.phase == GAME_PLAY)
        add_takeback(out, notice);
    else if (notice->game == NULL || !notice->game->is_ours)
        text_addf(out, "asks: %s", kind);
    else
        text_add(out, offer_words(kind));
}

static void add_gone_offer(struct text *out, const struct notice *notice,
                           const struct model_offer *offer, const char *why)
{
    if (model_is_same_name(offer->by, notice->model->name))
        text_add(out, "your ");
    else
        text_addf(out, "%s's ", offer->by);
    text_addf(out, "offer (%s) was %s", offer->kind,
              strcmp(why, "left") == 0 ? "dropped" : why);
}

static void notice_gone(struct text *out, const struct notice *notice)
{
    const char *why = value_or(notice->line, "why", "");
    const struct model_offer *offer = NULL;
    int64_t id = -1;

    if (strcmp(why, "declined") != 0 && strcmp(why, "withdrawn") != 0 &&
        strcmp(why, "left") != 0)
        return; /* accepted, moved, over: what happened shows itself */
    if (text_to_int(word_at(notice, 1), 0, INT64_MAX, &id) &&
        model_find_offer(notice->model, id, &offer) != NULL)
        add_gone_offer(out, notice, offer, why);
    else
        text_addf(out, "%s is off the table: %s", word_at(notice, 1), why);
}

static void notice_challenge(struct text *out, const struct notice *notice)
{
    const char *id = word_at(notice, 1);

    text_addf(out,
              "%s challenges you: time %s, rules %s, plays %s: \"accept %s\" or "
              "\"decline %s\"",
              value_or(notice->line, "by", "?"), value_or(notice->line, "time", "?"),
              value_or(notice->line, "rules", "?"),
              value_or(notice->line, "side", "any"), id, id);
}

static void notice_rematch(struct text *out, const struct notice *notice)
{
    const char *new_game = value_or(notice->line, "new", "?");

    text_addf(out, "the rematch of game %s is game %s",
              value_or(notice->line, "game", "?"), new_game);
    if (notice->game == NULL || !notice->game->is_ours)
        text_addf(out, ": \"watch %s\" shows it", new_game);
}

static void notice_presence(struct text *out, const struct notice *notice)
{
    enum side side = side_parse(value_or(notice->line, "side", ""));
    bool is_here = proto_line_number(notice->line, "here", 1) != 0;

    if (notice->game == NULL || notice->game->game.phase == GAME_EMPTY ||
        side == SIDE_NONE || side == notice->game->side)
        return;
    text_addf(out, "%s (%s) is %s", notice->game->game.name[side], side_name(side),
              is_here ? "here" : "disconnected; the clock goes on");
}

static void notice_watcher(struct text *out, const struct notice *notice)
{
    if (is_ours(notice, "name"))
        return;
    text_addf(out, "%s %s", value_or(notice->line, "name", "?"),
              proto_line_number(notice->line, "here", 0) != 0 ? "is watching"
                                                              : "watches no more");
}

static void notice_say(struct text *out, const struct notice *notice)
{
    if (!is_ours(notice, "by"))
        text_addf(out, "%s says: %s", value_or(notice->line, "by", "?"),
                  notice->line->human);
}

static void notice_whisper(struct text *out, const struct notice *notice)
{
    if (!is_ours(notice, "by"))
        text_addf(out, "%s whispers: %s", value_or(notice->line, "by", "?"),
                  notice->line->human);
}

/* What the server says of itself, in words of our own where the reason is known. */
static void notice_host(struct text *out, const struct notice *notice)
{
    static const char *const words[][2] = {
        {"storage-full", "the server's disk is full: moves wait and their clocks stand "
                         "still until there is room" },
        {"storage-back", "the server's disk has room again: play goes on"    },
        {"storage-slow", "the server's disk is slow: a move may take a while"},
        {"draining",     "the server ends when the games that run are over; no new one "
                     "can begin"                         },
        {"stays",        "the server does not end, after all"                },
    };
    const char *why = value_or(notice->line, "why", "");
    int64_t in_s = proto_line_number(notice->line, "in_s", -1);

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcmp(words[i][0], why) == 0) {
            text_add(out, words[i][1]);
            return;
        }
    if (strcmp(why, "restart") == 0 && in_s >= 0)
        text_addf(out,
                  "the server restarts in %lld s: games are kept, clocks stop "
                  "meanwhile, and this program comes back by itself",
                  (long long)in_s);
    else
        text_addf(out, "the host says: %s", notice->line->human);
}

static void notice_bye(struct text *out, const struct notice *notice)
{
    static const char *const words[][2] = {
        {"quit",       ""                                                                },
        {"taken-over", "you came in from elsewhere; that one goes on, this one ends"     },
        {"idle",       "nothing was heard from here for too long"                        },
        {"login",      "no name was given in time"                                       },
        {"flood",      "too much was sent from here"                                     },
        {"slow",       "this connection takes the news too slowly"                       },
        {"full",       "the server is full; try again later"                             },
        {"shutdown",   "the server stops; games are kept and their clocks stand still"   },
        {"restart",    "the server restarts; games are kept and their clocks stand still"},
        {"fault",      "the server is in trouble; games are kept"                        },
    };
    const char *why = value_or(notice->line, "why", "?");

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcmp(words[i][0], why) == 0) {
            text_add(out, words[i][1]);
            return;
        }
    text_addf(out, "the server ends the connection (%s)", why);
}

static const struct {
    const char *kind;
    void (*say)(struct text *out, const struct notice *notice);
} notices[] = {
    {"setup",     notice_setup    },
    {"offer",     notice_offer    },
    {"gone",      notice_gone     },
    {"challenge", notice_challenge},
    {"rematch",   notice_rematch  },
    {"presence",  notice_presence },
    {"watcher",   notice_watcher  },
    {"say",       notice_say      },
    {"whisper",   notice_whisper  },
    {"notice",    notice_host     },
    {"bye",       notice_bye      },
};

void words_notice(struct text *out, const struct model *model,
                  const struct proto_line *line, bool is_numbered)
{
    char words[PROTO_LINE_MAX + 256];
    struct text text = text_into(words, sizeof words);
    int64_t id = proto_line_number(line, "game", -1);
    struct notice notice = {model, model_find(model, id), line};

    for (size_t i = 0; i < ARRAY_LEN(notices); i++)
        if (line->words > 0 && strcmp(notices[i].kind, line->word[0]) == 0)
            notices[i].say(&text, &notice);
    if (text.len == 0)
        return;
    text_add(out, "-- ");
    if (is_numbered && id >= 0)
        text_addf(out, "game %lld: ", (long long)id);
    text_addf(out, "%s\n", words);
}

/* --- Yes and no
 * ----------------------------------------------------------------------------- */

bool words_is_yes(const char *answer)
{
    return strcasecmp(answer, "yes") == 0 || strcasecmp(answer, "y") == 0;
}

bool words_is_no(const char *answer)
{
    return strcasecmp(answer, "no") == 0 || strcasecmp(answer, "n") == 0;
}

/* --- Answers
 * ---------------------------------------------------------------------------- */

/* Answers whose effect shows itself, or is shown in another way. */
static bool is_quiet(const char *verb)
{
    static const char *const quiet[] = {"move",  "setup",  "say",    "whisper", "ping",
                                        "login", "resume", "watch",  "clock",   "help",
                                        "rules", "limits", "resign", "invite",  "quit"};

    for (size_t i = 0; i < ARRAY_LEN(quiet); i++)
        if (strcmp(quiet[i], verb) == 0)
            return true;
    return false;
}

static void answer_words(struct text *out, const struct proto_line *line)
{
    const char *verb = line->word[0];

    if (strcmp(verb, "seek") == 0)
        text_addf(out, "seek %s is open: %s; \"withdraw %s\" takes it back",
                  value_or(line, "id", "?"), line->human, value_or(line, "id", "?"));
    else if (strcmp(verb, "challenge") == 0)
        text_addf(out, "challenge %s: %s", value_or(line, "id", "?"), line->human);
    else if (strcmp(verb, "join") == 0 && proto_line_value(line, "waiting") != NULL)
        text_add(out, "you have a seat; the game begins when your opponent comes");
    else if (strcmp(verb, "withdraw") == 0)
        text_addf(out, "%s is withdrawn", value_or(line, "id", "?"));
    else if (strcmp(verb, "unwatch") == 0)
        text_addf(out, "game %s is left", value_or(line, "game", "?"));
    else if (!is_quiet(verb) && line->human[0] != '\0')
        text_add(out, line->human);
}

void words_answer(struct text *out, const struct proto_line *line)
{
    char words[PROTO_LINE_MAX + 128];
    struct text text = text_into(words, sizeof words);

    if (line->words == 0)
        return;
    answer_words(&text, line);
    if (text.len > 0)
        text_addf(out, "-- %s\n", words);
}

void words_refusal(struct text *out, const struct proto_line *line)
{
    const char *code = line->words > 0 ? line->word[0] : "?";
    int64_t retry = proto_line_number(line, "retry", -1);

    text_addf(out, "-- %s: ", strcmp(code, "illegal") == 0 ? "not played" : "not done");
    if (line->human[0] != '\0')
        text_add(out, line->human);
    else
        text_addf(out, "%s%s%s", code, proto_line_value(line, "why") ? ", " : "",
                  value_or(line, "why", ""));
    if (retry >= 0)
        text_addf(out, " (try again in %lld s)", (long long)retry);
    text_add(out, "\n");
}

/* --- Lists
 * ------------------------------------------------------------------------------- */

/* Names may be wide: padded by columns, not by bytes. */
static void add_name(struct text *out, const char *name)
{
    int width = utf8_width(name);

    text_addf(out, "%s%*s ", name, width < 16 ? 16 - width : 0, "");
}

static void list_seek(struct text *out, const struct proto_line *line)
{
    text_addf(out, "  %-4s ", line->word[1]);
    add_name(out, value_or(line, "by", "?"));
    text_addf(out, "%-12s %-8s plays %s\n", value_or(line, "time", "?"),
              value_or(line, "rules", "?"), value_or(line, "side", "any"));
}

static void list_running(struct text *out, const struct proto_line *line)
{
    text_addf(out, "  game %s: red %s, blue %s, %s, %s, ", line->word[1],
              value_or(line, "red", "?"), value_or(line, "blue", "?"),
              value_or(line, "time", "?"), value_or(line, "rules", "?"));
    if (strcmp(value_or(line, "phase", ""), "setup") == 0)
        text_add(out, "setting up");
    else
        text_addf(out, "%s plies, %s to move", value_or(line, "ply", "?"),
                  value_or(line, "turn", "?"));
    text_addf(out, ", %s watching\n", value_or(line, "watchers", "0"));
}

static void list_ended(struct text *out, const struct proto_line *line)
{
    text_addf(out, "  game %s: red %s, blue %s, %s, %s, %s plies: %s %s\n",
              line->word[1], value_or(line, "red", "?"), value_or(line, "blue", "?"),
              value_or(line, "time", "?"), value_or(line, "rules", "?"),
              value_or(line, "plies", "?"), value_or(line, "result", "?"),
              value_or(line, "reason", "?"));
}

static void list_player(struct text *out, const struct proto_line *line)
{
    const char *games = value_or(line, "games", "-");

    text_add(out, "  ");
    add_name(out, line->word[1]);
    if (strcmp(games, "-") != 0)
        text_addf(out, "plays game %s", games);
    text_add(out, "\n");
}

static void list_game(struct text *out, const struct proto_line *line)
{
    if (proto_line_value(line, "result") != NULL)
        list_ended(out, line);
    else
        list_running(out, line);
}

void words_list_line(struct text *out, const char *line)
{
    static const struct {
        const char *kind;
        void (*say)(struct text *out, const struct proto_line *line);
    } lists[] = {
        {"seek",   list_seek  },
        {"game",   list_game  },
        {"player", list_player},
    };
    char copy[PROTO_LINE_MAX + 8];
    struct text text = text_into(copy, sizeof copy);
    struct proto_line parsed;

    /* A list line is made of items, as news are. */
    text_addf(&text, "! %s", line);
    proto_parse_line(copy, &parsed);
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        if (parsed.words > 1 && strcmp(lists[i].kind, parsed.word[0]) == 0) {
            lists[i].say(out, &parsed);
            return;
        }
    text_addf(out, "%s\n", line);
}
