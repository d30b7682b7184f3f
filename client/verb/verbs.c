/* See verbs.h. */
#include "client/verb/verbs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "client/view/primer.h"
#include "common/base/translate.h"
#include "common/words/names.h"

static void help_run(struct verb_call *call);
static void set_run(struct verb_call *call);
static void version_run(struct verb_call *call);
static void stop_run(struct verb_call *call);
static void quit_run(struct verb_call *call);

static const struct verb verb_help = {
    .name = "help",
    .alias = "?",
    .usage = N_("help [WORD]"),
    .help = N_("what you can type; with a word, more about it"),
    .more = "help move\nhelp chariot",
    .see = "rules",
    .takes = TAKES_VERB,
    .run = help_run,
};

static const struct verb verb_set = {
    .name = "set",
    .usage = N_("set [NAME VALUE]"),
    .help = N_("settings of this session; without words, the list"),
    .more = N_("set bell off\nset board mine    the board only when it is your turn"),
    .see = "help",
    .takes = TAKES_SETTING,
    .run = set_run,
};

static const struct verb verb_version = {
    .name = "version",
    .usage = "version",
    .help = N_("which janggi this is"),
    .more = "version",
    .see = "help",
    .run = version_run,
};

static const struct verb verb_stop = {
    .name = "stop",
    .usage = "stop",
    .help = N_("without a connection: try no more to come back; Enter tries again"),
    .more = "stop",
    .see = "quit",
    .run = stop_run,
};

static const struct verb verb_quit = {
    .name = "quit",
    .alias = "exit bye logout",
    .usage = "quit",
    .help = N_("leave; a game that runs keeps your seat, and its clock goes on"),
    .more = "quit",
    .see = "resign, abort",
    .run = quit_run,
};

static const struct verb *const verbs[] = {
    &verb_move,    &verb_pass,     &verb_setup,    &verb_draw,        &verb_takeback,
    &verb_resign,  &verb_adjourn,  &verb_continue, &verb_claim,       &verb_record,
    &verb_save,    &verb_abort,    &verb_rematch,  &verb_say,         &verb_board,
    &verb_flip,    &verb_moves,    &verb_last,     &verb_clock,       &verb_captured,
    &verb_legal,   &verb_show,     &verb_score,    &verb_game_choice, &verb_seek,
    &verb_seeks,   &verb_match,    &verb_accept,   &verb_decline,     &verb_withdraw,
    &verb_games,   &verb_who,      &verb_history,  &verb_invite,      &verb_join,
    &verb_watch,   &verb_unwatch,  &verb_whisper,  &verb_rules,       &verb_limits,
    &verb_ping,    &verb_computer, &verb_try,      &verb_back,        &verb_device,
    &verb_devices, &verb_help,     &verb_set,      &verb_version,     &verb_stop,
    &verb_quit,    &verb_describe, &verb_where,    &verb_scan,        &verb_opponent,
};

const struct verb *verbs_at(size_t i)
{
    return i < ARRAY_LEN(verbs) ? verbs[i] : NULL;
}

/* --- Finding a verb --- */

/* True if word, len long, is one of the space-separated aliases; with is_prefix, the
 * beginning of one. */
static bool is_alias(const struct verb *verb, const char *word, bool is_prefix)
{
    size_t len = strlen(word);

    for (const char *at = verb->alias; at != NULL && *at != '\0';) {
        size_t one = strcspn(at, " ");

        if (len <= one && strncmp(at, word, len) == 0 && (is_prefix || len == one))
            return true;
        at += one + (at[one] == ' ');
    }
    return false;
}

static const struct verb *find_exact(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
        if (strcmp(verbs[i]->name, word) == 0 || is_alias(verbs[i], word, false))
            return verbs[i];
    return NULL;
}

/* The only verb that begins with word. *others gets the names if there are several. */
static const struct verb *find_prefix(const char *word, struct text *others)
{
    const struct verb *found = NULL;
    int count = 0;

    for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
        bool is_match = strncmp(verbs[i]->name, word, strlen(word)) == 0;

        if (!is_match && !is_alias(verbs[i], word, true))
            continue;
        found = verbs[i];
        text_addf(others, "%s%s", count++ > 0 ? ", " : "", verbs[i]->name);
    }
    return count == 1 ? found : NULL;
}

const struct verb *verbs_find(const char *word)
{
    char names[256];
    struct text others = text_into(names, sizeof names);
    const struct verb *verb = find_exact(word);

    return verb != NULL ? verb : find_prefix(word, &others);
}

static int min_of(int a, int b)
{
    return a < b ? a : b;
}

enum { WORD_MAX = 24 };

/* How many letters must be changed, added, dropped or swapped with their neighbour to
 * make b of a. */
static int distance(const char *a, const char *b)
{
    int row[3][WORD_MAX + 1];
    int la = (int)strlen(a), lb = (int)strlen(b);

    if (la > WORD_MAX || lb > WORD_MAX)
        return WORD_MAX;
    for (int j = 0; j <= lb; j++)
        row[0][j] = j;
    for (int i = 1; i <= la; i++) {
        int *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];

        now[0] = i;
        for (int j = 1; j <= lb; j++) {
            now[j] = min_of(min_of(up[j], now[j - 1]) + 1,
                            up[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = min_of(now[j], up2[j - 2] + 1);
        }
    }
    return row[la % 3][lb];
}

static const struct verb *find_near(const char *word)
{
    const struct verb *best = NULL;
    int least = strlen(word) < 4 ? 2 : 3; /* more than that is another word */

    for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
        int far = distance(word, verbs[i]->name);

        if (far < least) {
            least = far;
            best = verbs[i];
        }
    }
    return best;
}

/* NULL after a refusal. */
static const struct verb *find(struct verb_call *call, const char *word)
{
    char names[256];
    struct text others = text_into(names, sizeof names);
    const struct verb *verb = find_exact(word);

    if (verb == NULL)
        verb = find_prefix(word, &others);
    if (verb != NULL)
        return verb;
    if (others.len > 0) {
        verb_refuse(call, _("\"%s\" may be %s. Nothing was done."), word, names);
        return NULL;
    }
    verb = find_near(word);
    if (verb != NULL)
        verb_refuse(call, _("\"%s\"? Did you mean %s? Nothing was done."), word,
                    verb->name);
    else
        verb_refuse(call,
                    _("\"%s\"? Type help for what can be typed. Nothing was done."),
                    word);
    return NULL;
}

/* --- For the run functions --- */

void verb_refuse(struct verb_call *call, const char *format, ...)
{
    char words[512];
    struct text text = text_into(call->deed->words, sizeof call->deed->words);
    va_list args;

    call->deed->kind = DEED_REFUSE;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    text_addf(&text, "%s\n", words);
}

const char *verb_arg(const struct verb_call *call, int i)
{
    return i < call->typed.words ? call->typed.word[i] : NULL;
}

struct model_game *verb_game(struct verb_call *call, int i)
{
    const char *word = verb_arg(call, i);
    struct model_game *game = call->model->current;
    int64_t id;

    if (word != NULL && text_to_int(word, 0, INT64_MAX, &id)) {
        game = model_find(call->model, id);
        if (game == NULL)
            verb_refuse(call, _("You do not see game %s; \"watch %s\" shows it."), word,
                        word);
    } else if (game == NULL) {
        verb_refuse(call, _("You are in no game. \"seek\" or \"games\" finds one."));
    }
    if (game != NULL && game->game.phase == GAME_EMPTY) {
        verb_refuse(call, _("Nothing of game %lld has arrived yet."),
                    (long long)game->id);
        return NULL;
    }
    return game;
}

struct model_game *verb_our_game(struct verb_call *call, int i)
{
    struct model_game *game = verb_game(call, i);

    if (game != NULL && !game->is_ours) {
        verb_refuse(call, _("You watch game %lld; its players move."),
                    (long long)game->id);
        return NULL;
    }
    return game;
}

/* --- help, set, version, quit --- */

static const char help_page[] = N_(
    "In a game\n"
    "  b0c2            a move: from, to     pass            move nothing, if allowed\n"
    "  setup 1-4       your line-up         legal [B0]      which moves there are\n"
    "  draw            offer or agree       show B0         where a piece may go\n"
    "  takeback        ask for your move    board, flip     the board; turned round\n"
    "  resign, abort   end the game         moves, last     what was played\n"
    "  adjourn         go on another day    clock, captured, score\n"
    "  claim win|draw  the other is away    rematch         once more\n"
    "  say TEXT        to your opponent     save [FILE]     keep the game\n"
    "Find a game\n"
    "  seek 10 5       10 min + 5 s each    match NAME      ask one player\n"
    "  seeks           games on offer       accept [N], decline [N], withdraw N\n"
    "  invite          a link for a friend  join CODE       use an invitation\n"
    "  games [mine]    what is played       who, history [NAME], record N\n"
    "Watch\n"
    "  watch 3         see game 3           whisper TEXT    to the other watchers\n"
    "  unwatch         see it no more       game 3          choose between several\n"
    "Other\n"
    "  rules [names]   how to play          set [NAME VALUE]\n"
    "  device          play elsewhere too   help WORD       more about a word\n"
    "  quit            leave; your seat is kept; computer [3]: play it (make play)\n"
    "Words may be cut short (res for resign); moves may be in either case.\n");

/* Each line of more with two blanks in front. */
static void add_indented(struct text *out, const char *more)
{
    while (*more != '\0') {
        size_t len = strcspn(more, "\n");

        text_addf(out, "  %.*s\n", (int)len, more);
        more += len + (more[len] == '\n');
    }
}

static void help_verb(struct verb_call *call, const struct verb *verb)
{
    text_addf(&call->words, _("Usage: %s\n  %s\n"), _(verb->usage), _(verb->help));
    if (verb->alias != NULL)
        text_addf(&call->words, _("Also: %s\n"), verb->alias);
    if (verb->more != NULL) {
        text_add(&call->words, _("Examples:\n"));
        add_indented(&call->words, _(verb->more));
    }
    /* a move is best seen: a knight, and the points where it may go */
    if (verb == &verb_move && !call->view->is_spoken)
        primer_board(&call->words, KIND_KNIGHT, call->view->pieces,
                     call->view->has_color);
    if (verb->see != NULL)
        text_addf(&call->words, _("See also: %s\n"), verb->see);
}

static void help_run(struct verb_call *call)
{
    const char *word = verb_arg(call, 1);
    const struct verb *verb = word != NULL ? find_exact(word) : NULL;

    call->deed->kind = DEED_SAY;
    if (word == NULL) {
        text_add(&call->words, _(help_page));
        text_add(&call->words, names_legend());
    } else if (verb == NULL &&
               primer_tell(&call->words, word, call->view->pieces,
                           call->view->has_color, call->view->is_spoken)) {
        return;
    } else if (verb == NULL) {
        verb = find(call, word); /* or refuses */
    }
    if (verb != NULL)
        help_verb(call, verb);
}

static void set_run(struct verb_call *call)
{
    const char *name = verb_arg(call, 1), *value = verb_arg(call, 2);

    if (name != NULL && value == NULL) {
        verb_refuse(call, _("Usage: %s"), _(call->verb->usage));
        return;
    }
    call->deed->kind = DEED_SET;
    text_add(&call->line, name != NULL ? name : "");
    text_add(&call->words, value != NULL ? value : "");
}

static void version_run(struct verb_call *call)
{
    call->deed->kind = DEED_SAY;
    text_add(&call->words, "janggi " JANGGI_VERSION "\n");
}

static void stop_run(struct verb_call *call)
{
    call->deed->kind = DEED_STOP;
}

static void quit_run(struct verb_call *call)
{
    call->deed->kind = DEED_QUIT;
}

/* --- A typed line --- */

/* "resign!" is resign and certain. */
static void take_mark(struct verb_call *call)
{
    char *verb = call->typed.word[0];
    size_t len = strlen(verb);

    if (len > 1 && verb[len - 1] == '!') {
        verb[len - 1] = '\0';
        call->is_certain = true;
    }
}

static void run_words(struct verb_call *call)
{
    take_mark(call);
    text_lower(call->typed.word[0]);
    call->verb = find(call, call->typed.word[0]);
    if (call->verb != NULL)
        call->verb->run(call);
}

void verbs_read(const struct model *model, const char *typed,
                const struct render_view *view, struct deed *out)
{
    char line[PROTO_LINE_MAX + 1], rest[PROTO_LINE_MAX + 1];
    struct verb_call call = {
        .model = model, .view = view, .now_ms = view->now_ms, .deed = out};
    struct move move;
    enum kind claimed;

    out->kind = DEED_NOTHING;
    out->game = model->current;
    call.line = text_into(out->line, sizeof out->line);
    call.words = text_into(out->words, sizeof out->words);
    if (!text_copy(line, sizeof line, typed) ||
        !utf8_is_showable(typed, strlen(typed))) {
        verb_refuse(&call, _("That line is too long or not plain text."));
        return;
    }
    if (move_parse(line, &move, &claimed)) {
        verb_play_move(&call, move, claimed);
        return;
    }
    if (!proto_parse_command(line, rest, sizeof rest, &call.typed))
        verb_refuse(&call, _("A line begins with a word; type help for the words."));
    else if (call.typed.words > 0)
        run_words(&call);
}
