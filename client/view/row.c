/* See row.h. */
#include "client/view/row.h"

#include <stdio.h>
#include <string.h>

#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/words/term.h"

enum { NAME_COLUMNS = 16, TIME_COLUMNS = 12, RESULT_COLUMNS = 8 };

/* Adds `words`, padded to `columns` columns, and a space. Counts columns instead of
 * bytes, because Korean letters are wide. */
static void add_column(struct text *out, const char *words, int columns)
{
    int width = utf8_width(words);

    text_addf(out, "%s%*s ", words, width < columns ? columns - width : 0, "");
}

/* Adds a column with the name of a player and the rating that `line` reports. */
static void add_player(struct text *out, const struct proto_line *line,
                       const char *name)
{
    char words[NAME_BYTES + WORDS_RATING_BYTES], rating[WORDS_RATING_BYTES];

    snprintf(words, sizeof words, "%.*s%s", NAME_BYTES, name,
             words_rating(rating, line, ""));
    add_column(out, words, NAME_COLUMNS);
}

static void say_seek(struct text *out, const struct proto_line *line)
{
    char manners[WORDS_MANNERS_BYTES];

    text_addf(out, "  %-4s ", line->word[1]);
    add_player(out, line, words_value(line, "by", "?"));
    add_column(out, words_time_terms(line), TIME_COLUMNS);
    text_addf(out, _("%-8s plays %s%s\n"),
              words_value(line, "rulesets", words_value(line, "rules", "?")),
              words_side(words_value(line, "side", "any")),
              words_manners(manners, line));
}

static void say_challenge(struct text *out, const struct model *model,
                          const struct proto_line *line)
{
    char manners[WORDS_MANNERS_BYTES], rating[WORDS_RATING_BYTES];
    const char *by = words_value(line, "by", "?");
    bool is_ours = model_is_same_name(by, model->name);

    text_addf(out, "  %-4s ", line->word[1]);
    if (is_ours)
        text_addf(out, _("your challenge to %s"), words_value(line, "to", "?"));
    else
        text_addf(out, _("%s challenges you"), by);
    if (!is_ours)
        text_add(out, words_rating(rating, line, ""));
    text_addf(out, _(": %s, %s, %s plays %s%s\n"), words_time_terms(line),
              words_value(line, "rules", "?"), by,
              words_side(words_value(line, "side", "any")),
              words_manners(manners, line));
}

static void say_offer(struct text *out, const struct model *model,
                      const struct proto_line *line)
{
    const char *by = words_value(line, "by", "?");
    struct words_offer offer = words_offer(words_value(line, "kind", "?"));

    text_addf(out, "  %-4s ", line->word[1]);
    if (model_is_same_name(by, model->name))
        text_addf(out, _("your offer (%s)"), offer.name);
    else
        text_addf(out, "%s %s", by, _(offer.asks));
    text_addf(out, _(", game %s\n"), words_value(line, "game", "?"));
}

static void say_invite(struct text *out, const struct proto_line *line)
{
    char manners[WORDS_MANNERS_BYTES];

    text_addf(out,
              proto_line_value(line, "by") != NULL
                  ? _("  your invitation %s: %s, %s%s\n")
                  : _("  you wait for an opponent in invitation %s: %s, %s%s\n"),
              line->word[1], words_time_terms(line), words_value(line, "rules", "?"),
              words_manners(manners, line));
}

static void say_watcher(struct text *out, const struct proto_line *line)
{
    text_addf(out, "  %s\n", line->word[1]);
}

static const char *phase_word(const char *phase)
{
    return strcmp(phase, "adjourned") == 0 ? _("adjourned") : phase;
}

/* Adds the state of one of our running games: "YOUR MOVE", "kim to move",
 * "adjourned". */
static void add_stand(struct text *out, const struct proto_line *line, const char *side,
                      const char *other)
{
    const char *phase = words_value(line, "phase", "");
    bool is_turn = strcmp(words_value(line, "turn", ""), side) == 0;

    if (strcmp(phase, "setup") == 0)
        text_add(out, is_turn ? _("set up now") : _("setting up"));
    else if (strcmp(phase, "play") == 0 && is_turn)
        text_add(out, _("YOUR MOVE"));
    else if (strcmp(phase, "play") == 0)
        text_addf(out, _("%s to move"), other);
    else
        text_add(out, phase_word(phase));
}

void row_add_own_game(struct text *out, const struct model *model,
                      const struct proto_line *line, const char *id)
{
    bool is_red = model_is_same_name(words_value(line, "red", ""), model->name);
    const char *side = is_red ? "red" : "blue";
    const char *other = words_value(line, is_red ? "blue" : "red", "?");
    bool is_here =
        text_list_has(words_value(line, "here", ""), ',', is_red ? "blue" : "red");
    int64_t left_ms = model_number(line, "left_ms", 0, MODEL_MS_MAX, -1);

    text_addf(out, _("game %s: %s against %s%s, %s, ply %s, "), id, words_side(side),
              other, is_here ? _(" (here)") : "", words_time_terms(line),
              words_value(line, "ply", "?"));
    add_stand(out, line, side, other);
    if (left_ms < 0 || strcmp(words_value(line, "phase", ""), "adjourned") == 0)
        return;
    text_add(out, ", ");
    words_time(out, left_ms);
    text_add(out, _(" left"));
}

static void say_running(struct text *out, const struct model *model,
                        const struct proto_line *line)
{
    const char *phase = words_value(line, "phase", "");
    int plies = (int)proto_line_number(line, "ply", 0);

    text_add(out, "  ");
    if (proto_line_value(line, "side") != NULL) {
        row_add_own_game(out, model, line, line->word[1]);
        text_add(out, "\n");
        return;
    }
    text_addf(out, _("game %s: red %s, blue %s, %s, %s, "), line->word[1],
              words_value(line, "red", "?"), words_value(line, "blue", "?"),
              words_time_terms(line), words_value(line, "rules", "?"));
    if (strcmp(phase, "setup") == 0)
        text_add(out, _("setting up"));
    else if (strcmp(phase, "play") == 0)
        text_addf(out,
                  translate_count("%d ply, %s to move", "%d plies, %s to move", plies),
                  plies, words_side(words_value(line, "turn", "?")));
    else
        text_addf(out, translate_count("%d ply, %s", "%d plies, %s", plies), plies,
                  phase_word(phase));
    text_addf(out, _(", %s watching\n"), words_value(line, "watchers", "0"));
}

/* --- Ended games --- */

/* A row of the list `history`: an ended game. The reader is the player who requested
 * the list. */
struct past {
    const char *name[SIDES];
    enum side reader; /* SIDE_NONE: the reader did not play in this game */
    enum outcome outcome;
    enum reason reason;
    enum side by; /* who ended the game, as in the end event */
    int plies;
};

static enum side winner_of(enum outcome outcome)
{
    return outcome == OUTCOME_RED    ? SIDE_RED
           : outcome == OUTCOME_BLUE ? SIDE_BLUE
                                     : SIDE_NONE;
}

/* Returns the side that ended the game, for example by resigning. `told` is the side
 * that the server reports. For old games, the server does not report a side. Then the
 * side is found from the result and the reason. */
static enum side by_of(const struct past *past, const char *told)
{
    enum side by = side_parse(told), winner = winner_of(past->outcome);

    if (by != SIDE_NONE || winner == SIDE_NONE)
        return by;
    if (past->reason == REASON_RESIGNATION || past->reason == REASON_TIME)
        return side_other(winner);
    return past->reason == REASON_ABSENCE ? winner : SIDE_NONE;
}

/* Parses a row of history. Returns false if the result or the reason is unknown,
 * because a newer server may send words that we do not know. */
static bool read_past(struct past *past, const struct model *model,
                      const struct proto_line *line)
{
    past->name[SIDE_RED] = words_value(line, "red", "?");
    past->name[SIDE_BLUE] = words_value(line, "blue", "?");
    past->reader = SIDE_NONE;
    for (int side = 0; side < SIDES; side++)
        if (model_is_same_name(past->name[side], model->name))
            past->reader = (enum side)side;
    if (!outcome_parse(words_value(line, "result", ""), &past->outcome) ||
        !reason_parse(words_value(line, "reason", ""), &past->reason))
        return false;
    past->by = by_of(past, words_value(line, "by", ""));
    past->plies = (int)model_number(line, "plies", 0, MODEL_COUNT_MAX, 0);
    return true;
}

static const char *past_result(const struct past *past)
{
    enum side winner = winner_of(past->outcome);

    if (past->outcome == OUTCOME_NONE)
        return past->reason == REASON_ABORTED ? _("aborted") : _("no result");
    if (winner == SIDE_NONE)
        return _("draw");
    if (past->reader != SIDE_NONE)
        return winner == past->reader ? _("won") : _("lost");
    return winner == SIDE_RED ? _("red won") : _("blue won");
}

/* Returns why the game ended, in words that do not name a side. If one side ended the
 * game, add_act() names that side. */
static const char *past_reason(const struct past *past)
{
    static const char *const words[REASONS] = {
        [REASON_CHECKMATE] = N_("checkmate"),
        [REASON_NAKED_CHECK] = N_("no answer to the bare kings"),
        [REASON_MATE_BY_FORFEITED] = N_("mate by a side that had bared the kings"),
        [REASON_KING_GUARD] =
            N_("mate by a piece that the king could not take without baring the kings"),
        [REASON_BOTH_FORFEITED] = N_("both had bared the kings"),
        [REASON_BIKJANG] = N_("the kings were left bare"),
        [REASON_PERPETUAL_CHECK] = N_("perpetual check"),
        [REASON_DOUBLE_PASS] = N_("both passed"),
        [REASON_REPETITION] = N_("the same position for the third time"),
        [REASON_NO_CAPTURE] = N_("100 plies without a capture"),
        [REASON_RESIGNATION] = N_("resignation"),
        [REASON_TIME] = N_("time"),
        [REASON_ABSENCE] = N_("absence"),
        [REASON_AGREEMENT] = N_("agreed"),
        [REASON_ABORTED] = N_("agreed"),
        [REASON_HOST] = N_("the host decided"),
    };

    if (past->reason == REASON_ABORTED && past->plies < SIDES)
        return _("before both had moved");
    return words[past->reason] != NULL ? _(words[past->reason]) : "?";
}

/* Adds how one side ended the game: "kim resigned", "you were away too long". */
static void add_act(struct text *out, const struct past *past)
{
    static const char *const acts[REASONS][2] = {
        [REASON_RESIGNATION] = {N_("you resigned"), N_("%s resigned")},
        [REASON_TIME] = {N_("you ran out of time"), N_("%s ran out of time")},
        [REASON_ABSENCE] = {N_("you were away too long"), N_("%s was away too long")},
        [REASON_ABORTED] = {N_("by you"), N_("by %s")},
    };
    const char *const *words = acts[past->reason];
    enum side who = past->reason == REASON_ABSENCE ? side_other(past->by) : past->by;

    if (words[0] == NULL)
        text_add(out, past_reason(past));
    else if (who == past->reader)
        text_add(out, _(words[0]));
    else
        text_addf(out, _(words[1]), past->name[who]);
}

static void add_players(struct text *out, const struct past *past)
{
    enum side reader = past->reader;

    if (reader == SIDE_NONE)
        text_addf(out, _("red %s, blue %s"), past->name[SIDE_RED],
                  past->name[SIDE_BLUE]);
    else
        text_addf(out, _("%s against %s"), term_side(reader),
                  past->name[side_other(reader)]);
}

/* Adds a line like:
 * "  17 2026-11-19 won      red against kim, 34 moves, 10m+5s, martin: kim resigned" */
static void say_ended(struct text *out, const struct model *model,
                      const struct proto_line *line)
{
    bool is_untimed = strcmp(words_value(line, "time", ""), "none") == 0;
    struct past past;
    int moves;

    if (!read_past(&past, model, line)) {
        text_addf(out, "%4s %s %s\n", line->word[1], words_value(line, "result", "?"),
                  words_value(line, "reason", "?"));
        return;
    }
    moves = (past.plies + 1) / SIDES;
    text_addf(out, "%4s ", line->word[1]);
    words_date(out, model_number(line, "ended_s", 0, INT64_MAX, 0), "%Y-%m-%d ",
               "-          ");
    add_column(out, past_result(&past), RESULT_COLUMNS);
    add_players(out, &past);
    text_add(out, ", ");
    text_addf(out, translate_count("%d move", "%d moves", moves), moves);
    text_addf(out, ", %s, %s: ", is_untimed ? _("untimed") : words_time_terms(line),
              words_value(line, "rules", "?"));
    if (past.by == SIDE_NONE)
        text_add(out, past_reason(&past));
    else
        add_act(out, &past);
    text_add(out, "\n");
}

static void say_player(struct text *out, const struct proto_line *line)
{
    const char *games = words_value(line, "games", "-");
    int64_t hidden = proto_line_number(line, "private", 0);

    text_add(out, "  ");
    add_player(out, line, line->word[1]);
    if (strcmp(games, "-") != 0)
        text_addf(out, _("plays game %s"), games);
    if (hidden > 0)
        text_addf(out,
                  strcmp(games, "-") != 0 ? _(", and private games: %lld")
                                          : _("plays private games: %lld"),
                  (long long)hidden);
    text_add(out, "\n");
}

static void say_device(struct text *out, const struct proto_line *line)
{
    text_addf(out, _("%-10s %-5s since "), line->word[1],
              words_value(line, "proof", "?"));
    words_date(out, proto_line_number(line, "since_s", 0), "%Y-%m-%d %H:%M",
               _("the first login"));
    text_addf(out, "%s\n",
              proto_line_number(line, "here", 0) == 1 ? _(", this device") : "");
}

static void say_game(struct text *out, const struct model *model,
                     const struct proto_line *line)
{
    if (proto_line_value(line, "result") != NULL)
        say_ended(out, model, line);
    else
        say_running(out, model, line);
}

static void say_member(struct text *out, const struct proto_line *line)
{
    text_add(out, "  ");
    add_column(out, line->word[1], NAME_COLUMNS);
    text_add(out, term_role(words_value(line, "role", "?")));
    if (strcmp(words_value(line, "here", "0"), "1") == 0) {
        text_add(out, _(", here"));
    } else {
        text_add(out, _(", last here "));
        words_moment(out, proto_line_number(line, "seen_s", 0));
    }
    text_add(out, "\n");
}

static void say_ban(struct text *out, const struct proto_line *line)
{
    text_add(out, "  ");
    add_column(out, line->word[1], NAME_COLUMNS);
    words_until(out, proto_line_number(line, "until_s", 0));
    text_addf(out, _(", by %s: %s\n"), words_value(line, "by", "?"), line->human);
}

/* Adds an action of the staff. Shows the verb of the action untranslated, as a person
 * types it. */
static void say_act(struct text *out, const struct proto_line *line)
{
    text_add(out, "  ");
    words_moment(out, proto_line_number(line, "at_s", 0));
    text_addf(out, "  %s: %s %s", words_value(line, "by", "?"), line->word[1],
              words_value(line, "target", words_value(line, "door", "")));
    if (proto_line_value(line, "role") != NULL)
        text_addf(out, " (%s)", term_role(words_value(line, "role", "")));
    if (line->human[0] != '\0')
        text_addf(out, ": %s", line->human);
    text_add(out, "\n");
}

static void say_door(struct text *out, const struct proto_line *line)
{
    text_add(out, "  ");
    add_column(out, line->word[1], NAME_COLUMNS);
    text_addf(out, _("%s of %s left, "), words_value(line, "left", "?"),
              words_value(line, "uses", "?"));
    words_until(out, proto_line_number(line, "until_s", 0));
    text_addf(out, _(", by %s\n"), words_value(line, "by", "?"));
}

/* Adds a row like "message 5 from=kim at_s=1795000000 : text". */
static void say_message(struct text *out, const struct proto_line *line)
{
    text_add(out, "  ");
    words_moment(out, proto_line_number(line, "at_s", 0));
    text_addf(out, "  %s: %s\n",
              words_value(line, "from", words_value(line, "to", "?")), line->human);
}

/* Adds a row like "rank pool=kja rating=1512 rd=62 firm=yes rank=4k won=22 drawn=0
 * lost=19 best=1544". */
static void say_rank(struct text *out, const struct proto_line *line)
{
    char words[WORDS_RANK_BYTES];
    bool is_firm = strcmp(words_value(line, "firm", ""), "yes") == 0;

    text_addf(out, "  %-8s %s%s %s", words_value(line, "pool", "?"),
              words_value(line, "rating", "?"), is_firm ? " " : "?",
              words_rank(words, words_value(line, "rank", "")));
    text_addf(out, _(", %s won, %s drawn, %s lost"), words_value(line, "won", "?"),
              words_value(line, "drawn", "?"), words_value(line, "lost", "?"));
    if (proto_line_value(line, "best") != NULL)
        text_addf(out, _(", best %s"), words_value(line, "best", "?"));
    text_add(out, is_firm ? "\n" : _(" (not firm yet)\n"));
}

/* Adds a row like "top 1 name=hong rating=1822 rank=2d games=120". */
static void say_top(struct text *out, const struct proto_line *line)
{
    text_addf(out, "  %3s. ", line->word[1]);
    add_player(out, line, words_value(line, "name", "?"));
    text_addf(out, _(" %s games\n"), words_value(line, "games", "?"));
}

/* Adds a line of chat that belongs to a report. */
static void say_chat(struct text *out, const struct proto_line *line)
{
    text_add(out, "    ");
    words_moment(out, proto_line_number(line, "at_s", 0));
    text_addf(out, "  %s: %s\n", words_value(line, "by", "?"), line->human);
}

/* --- Club evenings --- */

/* Adds a line like "   4 club             round 2 of 5, 12 players, by park". The
 * number of rounds of a round robin is unknown until it begins. */
static void say_evening(struct text *out, const struct proto_line *line)
{
    const char *state = words_value(line, "state", "");
    int64_t at_s = proto_line_number(line, "at_s", 0);

    text_addf(out, "%4s ", line->word[1]);
    add_column(out, words_value(line, "name", "?"), NAME_COLUMNS);
    if (strcmp(state, "over") == 0)
        text_add(out, _("over, "));
    else if (at_s > 0) {
        text_add(out, _("begins at "));
        words_moment(out, at_s);
        text_add(out, ", ");
    } else if (strcmp(state, "open") == 0)
        text_add(out, _("open, "));
    if (strcmp(state, "open") != 0)
        text_addf(out, _("round %s of %s, "), words_value(line, "round", "?"),
                  words_value(line, "rounds", "?"));
    text_addf(out, _("%s players, by %s\n"), words_value(line, "players", "?"),
              words_value(line, "by", "?"));
}

/* Adds a line like "   1 hong             points 2.5, played 3, Buchholz 4". */
static void say_place(struct text *out, const struct model *model,
                      const struct proto_line *line)
{
    const char *name = words_value(line, "name", "?");

    text_addf(out, "%4s ", line->word[1]);
    add_column(out, name, NAME_COLUMNS);
    text_addf(out, _("points %-4s played %s, Buchholz %s"),
              words_value(line, "score", "?"), words_value(line, "played", "?"),
              words_value(line, "buchholz", "?"));
    if (proto_line_number(line, "missed", 0) > 0)
        text_addf(out, _(", rounds missed: %s"), words_value(line, "missed", "?"));
    if (strcmp(words_value(line, "here", "yes"), "no") == 0)
        text_add(out, _(", has left"));
    if (model_is_same_name(name, model->name))
        text_add(out, _(" (you)"));
    text_add(out, "\n");
}

static void add_board_result(struct text *out, const struct proto_line *line)
{
    const char *result = words_value(line, "result", "");
    const char *game = words_value(line, "game", "0");

    if (strcmp(result, "red") == 0)
        text_add(out, _("red won"));
    else if (strcmp(result, "blue") == 0)
        text_add(out, _("blue won"));
    else if (strcmp(result, "draw") == 0)
        text_add(out, _("draw"));
    else if (result[0] != '\0')
        text_add(out, _("no result"));
    else if (strcmp(game, "0") == 0)
        text_add(out, _("about to begin"));
    else
        text_addf(out, _("game %s is running: \"watch %s\""), game, game);
    if (strcmp(words_value(line, "reason", ""), "missed") == 0)
        text_add(out, _(", the opponent did not come"));
}

/* Adds a line like "  round 2, board 1: red hong, blue kim: red won". */
static void say_board(struct text *out, const struct model *model,
                      const struct proto_line *line)
{
    const char *bye = proto_line_value(line, "bye");
    const char *red = words_value(line, "red", "?");
    const char *blue = words_value(line, "blue", "?");

    text_addf(out, _("  round %s, board %s: "), words_value(line, "round", "?"),
              line->word[1]);
    if (bye != NULL) {
        text_addf(out, _("%s has no opponent, and gets a win\n"), bye);
        return;
    }
    text_addf(out, _("red %s, blue %s"), red, blue);
    text_add(out, ": ");
    add_board_result(out, line);
    if (model_is_same_name(red, model->name) || model_is_same_name(blue, model->name))
        text_add(out, _(" (you)"));
    text_add(out, "\n");
}

void row_parse(const char *row, char copy[ROW_COPY_BYTES], struct proto_line *out)
{
    struct text text = text_into(copy, ROW_COPY_BYTES);

    text_addf(&text, "! %s", row);
    proto_parse_line(copy, out);
}

void row_say(struct text *out, const struct model *model, const char *row)
{
    static const struct {
        const char *kind;
        void (*say)(struct text *out, const struct proto_line *line);
        void (*tell)(struct text *out, const struct model *model,
                     const struct proto_line *line);
    } rows[] = {
        {"seek", say_seek, NULL},       {"challenge", NULL, say_challenge},
        {"offer", NULL, say_offer},     {"invite", say_invite, NULL},
        {"watcher", say_watcher, NULL}, {"game", NULL, say_game},
        {"player", say_player, NULL},   {"device", say_device, NULL},
        {"let", say_watcher, NULL},     {"ignore", say_watcher, NULL},
        {"block", say_watcher, NULL},   {"member", say_member, NULL},
        {"ban", say_ban, NULL},         {"act", say_act, NULL},
        {"chat", say_chat, NULL},       {"door", say_door, NULL},
        {"message", say_message, NULL}, {"sent", say_message, NULL},
        {"evening", say_evening, NULL}, {"place", NULL, say_place},
        {"board", NULL, say_board},     {"rank", say_rank, NULL},
        {"top", say_top, NULL},         {"notify", say_watcher, NULL},
        {"follow", say_watcher, NULL},
    };
    char copy[ROW_COPY_BYTES];
    struct proto_line line;

    row_parse(row, copy, &line);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (line.words > 1 && strcmp(rows[i].kind, line.word[0]) == 0) {
            if (rows[i].say != NULL)
                rows[i].say(out, &line);
            else
                rows[i].tell(out, model, &line);
            return;
        }
    text_addf(out, "%s\n", row);
}
