/* See verbs.h. */
#include "client/verb/verbs.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/view/primer.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/base/utf8.h"
#include "common/words/names.h"

/* --- Finding a verb --- */

/* Returns true if `word` is the name or an alias of the verb. An alias cannot be
 * abbreviated. For example, "kibitz" is an alias of whisper, but "k" does not mean
 * whisper. */
static bool has_name(const struct verb *verb, const char *word)
{
    return strcmp(verb->name, word) == 0 ||
           (verb->alias != NULL && text_list_has(verb->alias, ' ', word));
}

static const struct verb *find_exact(const struct verb_book *book, const char *word)
{
    for (size_t i = 0; book->verbs[i] != NULL; i++)
        if (has_name(book->verbs[i], word))
            return book->verbs[i];
    return NULL;
}

/* If exactly one verb has a name that begins with `word`, returns this verb. Otherwise
 * returns NULL. *others gets the names of all verbs that begin with `word`. Leaves out
 * the verbs of the group VERB_STAFF, which cannot be abbreviated. */
static const struct verb *find_prefix(const struct verb_book *book, const char *word,
                                      struct text *others)
{
    const struct verb *found = NULL;
    int count = 0;

    for (size_t i = 0; book->verbs[i] != NULL; i++) {
        if (strncmp(book->verbs[i]->name, word, strlen(word)) != 0 ||
            book->verbs[i]->group == VERB_STAFF)
            continue;
        found = book->verbs[i];
        text_addf(others, "%s%s", count++ > 0 ? ", " : "", found->name);
    }
    return count == 1 ? found : NULL;
}

const struct verb *verbs_find(const struct verb_book *book, const char *word)
{
    char names[256];
    struct text others = text_into(names, sizeof names);
    const struct verb *verb = find_exact(book, word);

    return verb != NULL ? verb : find_prefix(book, word, &others);
}

const struct verb *verbs_find_command(const char *line)
{
    char word[16];

    snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " "), line);
    return find_exact(&verbs_of_client, word);
}

static const struct verb *find_near(const struct verb_book *book, const char *word)
{
    const struct verb *best = NULL;
    int least = strlen(word) < 4 ? 2 : 3; /* a verb is suggested only if its distance
                                           * from `word` is smaller than this */

    for (size_t i = 0; book->verbs[i] != NULL; i++) {
        int far = text_distance(word, book->verbs[i]->name);

        if (far < least && book->verbs[i]->group != VERB_STAFF) {
            least = far;
            best = book->verbs[i];
        }
    }
    return best;
}

/* Returns true if `word` answers a question and is not a verb of the book. Such a word
 * abbreviates no verb, with one exception: the short books have no questions, so there
 * a single letter does, as "n" does for "next". */
static bool is_answer(const struct verb_book *book, const char *word)
{
    return (words_is_yes(word) || words_is_no(word)) &&
           (!book->is_short || strlen(word) > 1);
}

/* Refuses `word`, which is not a verb of the book. others: the verbs that begin with
 * it. */
static void refuse_unknown(struct verb_call *call, const char *word, const char *others)
{
    const struct verb_book *book = call->book;
    const struct verb *near = find_near(book, word);

    if (strlen(word) == 2 && side_parse_point(word) != POINT_NONE)
        verb_refuse(call, _("%s, and where to? A move has two points, like b0c2."),
                    word);
    else if (others[0] != '\0')
        verb_refuse(call, _("\"%s\" can mean %s. Nothing was done."), word, others);
    else if (book->elsewhere != NULL && verbs_find(&verbs_of_client, word) != NULL)
        verb_refuse(call, _(book->elsewhere), verbs_find(&verbs_of_client, word)->name);
    else if (near != NULL)
        verb_refuse(call, _("\"%s\"? Did you mean %s? Nothing was done."), word,
                    near->name);
    else
        verb_refuse(call,
                    _("\"%s\"? Type help for what can be typed. Nothing was done."),
                    word);
}

/* Finds a verb by its name, an alias or a unique prefix. Returns NULL after a
 * refusal. */
static const struct verb *find(struct verb_call *call, const char *word)
{
    char names[256];
    struct text others = text_into(names, sizeof names);
    const struct verb *verb = find_exact(call->book, word);

    if (verb == NULL && is_answer(call->book, word)) {
        verb_refuse(call, _("There is nothing to answer."));
        return NULL;
    }
    if (verb == NULL)
        verb = find_prefix(call->book, word, &others);
    if (verb == NULL)
        refuse_unknown(call, word, names);
    return verb;
}

/* Adds the usage of a verb, such as "draw [GAME]". */
static void add_usage(struct text *out, const struct verb_call *call,
                      const struct verb *verb)
{
    text_add(out, verb->name);
    args_add_usage(out, verb->args, call->book->has_games);
}

/* --- Answers --- */

/* Adds the line below a list. It says that the list is empty or cut, or what the player
 * can do next. */
static void answer_list(struct text *out, const struct verb *verb,
                        const struct proto_line *line)
{
    int64_t count = proto_line_number(line, "count", -1);
    int64_t shown = proto_line_number(line, "shown", count);
    const char *words = count == 0 ? verb->if_none : verb->if_some;

    if (count > shown)
        text_addf(out, _("%lld of %lld are shown"), (long long)shown, (long long)count);
    else if (words != NULL)
        text_add(out, _(words));
}

static void add_told(struct text *out, const struct verb *verb,
                     const struct proto_line *line)
{
    bool is_off = verb->told_off != NULL && proto_line_value(line, "off") != NULL;
    bool is_there = (verb->told_off == NULL && verb->told_none == NULL) ||
                    proto_line_value(line, verb->keys[0]) != NULL;

    if (is_there)
        words_tell(out, is_off ? verb->told_off : verb->told, verb->keys, line);
    else if (verb->told_none != NULL && proto_line_number(line, "count", 0) == 0)
        text_add(out, _(verb->told_none));
}

void verbs_add_answer(struct text *out, const struct verb_answer *answer)
{
    const struct proto_line *line = answer->line;
    const struct verb *verb =
        line->words > 0 ? verbs_find_command(line->word[0]) : NULL;
    char words[PROTO_LINE_MAX + 128];
    struct text text = text_into(words, sizeof words);

    if (verb != NULL && verb->has_rows &&
        ((verb->answer == NULL && verb->told == NULL) ||
         proto_line_value(line, "count") != NULL))
        answer_list(&text, verb, line);
    if (verb != NULL && verb->told != NULL)
        add_told(&text, verb, line);
    else if (text.len == 0 && verb != NULL && verb->answer != NULL)
        verb->answer(&text, answer);
    else if (text.len == 0 && (verb == NULL || !verb->has_rows))
        verb_answer_human(&text, answer);
    if (text.len > 0 && words[text.len - 1] == '\n')
        text_add(out, words);
    else if (text.len > 0)
        text_addf(out, "-- %s\n", words);
}

/* --- help, set, version, quit --- */

/* Adds each line of `more`, indented by two spaces. */
static void add_indented(struct text *out, const char *more)
{
    while (*more != '\0') {
        size_t len = strcspn(more, "\n");

        text_addf(out, "  %.*s\n", (int)len, more);
        more += len + (more[len] == '\n');
    }
}

/* Adds those verbs of the list `see` ("a, b") that exist in this book. */
static void add_see_also(struct verb_call *call, const char *see)
{
    char words[128], one[32];
    struct text list = text_into(words, sizeof words);

    for (; *see != '\0'; see += strspn(see, ", ")) {
        size_t len = strcspn(see, ",");

        snprintf(one, sizeof one, "%.*s", (int)len, see);
        if (find_exact(call->book, one) != NULL || names_find_kind(one) != KIND_NONE)
            text_addf(&list, "%s%s", list.len > 0 ? ", " : "", one);
        see += len;
    }
    if (list.len > 0)
        text_addf(&call->words, _("See also: %s\n"), words);
}

static void help_verb(struct verb_call *call, const struct verb *verb)
{
    char words[256];
    struct text usage = text_into(words, sizeof words);

    add_usage(&usage, call, verb);
    text_addf(&call->words, _("Usage: %s\n  %s\n"), words, _(verb->help));
    if (verb->alias != NULL)
        text_addf(&call->words, _("Also: %s\n"), verb->alias);
    text_add(&call->words, _("Examples:\n"));
    add_indented(&call->words, verb->more != NULL ? _(verb->more) : verb->name);
    /* show the moves of a knight, which explain more than words */
    if (verb == &verb_move && !call->view->is_spoken)
        primer_board(&call->words, KIND_KNIGHT, call->view->pieces,
                     call->view->has_color);
    if (verb->see != NULL)
        add_see_also(call, verb->see);
}

/* --- The page of all verbs --- */

enum {
    NAME_COLUMNS = 9,
    SHOWN_COLUMNS = 16,
    CELL_COLUMNS = 39,
    LINE_COLUMNS = 17,
    PAGE_COLUMNS = 79
};

static const struct {
    enum verb_group group;
    const char *title;
} groups[] = {
    {VERB_PLAY, N_("In a game")},   {VERB_SEE, N_("Look at it")},
    {VERB_FIND, N_("Find a game")}, {VERB_WATCH, N_("Watch")},
    {VERB_OTHER, N_("Other")},
};

/* Adds `words`, padded to a width of `columns`. Counts columns instead of bytes,
 * because Korean letters are wide. */
static void add_padded(struct text *out, const char *words, int columns)
{
    int width = utf8_width(words);

    text_addf(out, "%s%*s", words, width < columns ? columns - width : 0, "");
}

/* Adds one entry of the help page: how the verb is typed, and its description. */
static void add_cell(struct text *out, const struct verb *verb, bool is_last)
{
    char cell[128];
    struct text text = text_into(cell, sizeof cell);

    text_add(&text, "  ");
    add_padded(&text, verb->shown != NULL ? _(verb->shown) : verb->name, SHOWN_COLUMNS);
    text_add(&text, _(verb->brief));
    add_padded(out, cell, is_last ? 0 : CELL_COLUMNS);
}

/* Adds the verbs of a group that have a description, two per line. */
static void add_cells(struct text *out, const struct verb_book *book,
                      enum verb_group group)
{
    const struct verb *left = NULL;

    for (size_t i = 0; book->verbs[i] != NULL; i++) {
        const struct verb *verb = book->verbs[i];

        if (verb->group != group || verb->brief == NULL)
            continue;
        if (left == NULL) {
            left = verb;
            continue;
        }
        add_cell(out, left, false);
        add_cell(out, verb, true);
        text_add(out, "\n");
        left = NULL;
    }
    if (left != NULL) {
        add_cell(out, left, true);
        text_add(out, "\n");
    }
}

/* Adds a name to a list; begins a new line if the current one would become too long. */
static void add_name(struct text *out, const char *before, const char *name,
                     int *columns)
{
    int width = utf8_width(before) + utf8_width(name);
    bool is_wide = *columns + width >= PAGE_COLUMNS;

    if (!is_wide) {
        text_addf(out, "%s%s", before, name);
        *columns += width;
        return;
    }
    text_addf(out, ",\n    %s", name);
    *columns = 4 + utf8_width(name);
}

/* Adds the title of a group and then the names of its verbs. If has_all is true, adds
 * all names. Otherwise adds only the names of the verbs that have no description. If
 * book->is_short is true, takes the verbs of the whole book instead of the group. */
static void add_title(struct text *out, const struct verb_book *book,
                      enum verb_group group, const char *title, bool has_all)
{
    const char *before = has_all ? ": " : _("; also ");
    int columns = utf8_width(_(title));

    text_add(out, _(title));
    for (size_t i = 0; book->verbs[i] != NULL; i++) {
        const struct verb *verb = book->verbs[i];

        if ((verb->group != group && !book->is_short) ||
            (!has_all && verb->brief != NULL))
            continue;
        add_name(out, before, verb->name, &columns);
        before = ", ";
    }
    text_add(out, has_all ? ".\n" : "\n");
}

static bool has_group(const struct verb_book *book, enum verb_group group)
{
    for (size_t i = 0; book->verbs[i] != NULL; i++)
        if (book->verbs[i]->group == group)
            return true;
    return false;
}

/* Adds all verbs by group. For a screen reader, adds only their names. */
static void help_groups(struct verb_call *call)
{
    bool is_spoken = call->view->is_spoken;

    if (call->book->is_short)
        add_title(&call->words, call->book, VERB_OTHER, N_("You can type"), true);
    for (size_t i = 0; !call->book->is_short && i < ARRAY_LEN(groups); i++) {
        if (!has_group(call->book, groups[i].group))
            continue;
        add_title(&call->words, call->book, groups[i].group, groups[i].title,
                  is_spoken);
        if (!is_spoken)
            add_cells(&call->words, call->book, groups[i].group);
    }
    if (is_spoken)
        text_add(&call->words,
                 _("A move is two points, like b0c2. \"help WORD\" says more.\n"));
    else
        text_addf(&call->words, "%s%s",
                  _("Words may be shortened (res for resign); case does not matter in "
                    "moves.\n"),
                  names_legend());
}

static void help_line(struct verb_call *call, const struct verb *verb)
{
    char words[64];
    struct text usage = text_into(words, sizeof words);

    add_usage(&usage, call, verb);
    text_add(&call->words, "  ");
    add_padded(&call->words, words, LINE_COLUMNS);
    text_addf(&call->words, " %s\n", _(verb->help));
}

/* Adds one line for each verb. */
static void help_lines(struct verb_call *call)
{
    const struct verb_book *book = call->book;

    if (book->first != NULL)
        text_add(&call->words, _(book->first));
    for (size_t i = 0; book->verbs[i] != NULL; i++)
        help_line(call, book->verbs[i]);
}

/* Lists the verbs of members and staff with their descriptions. */
static void staff_run(struct verb_call *call)
{
    call->action->kind = ACTION_SAY;
    for (size_t i = 0; call->book->verbs[i] != NULL; i++) {
        const struct verb *verb = call->book->verbs[i];

        if (verb->group != VERB_STAFF)
            continue;
        text_add(&call->words, "  ");
        add_padded(&call->words, verb->name, NAME_COLUMNS);
        text_addf(&call->words, "%s\n", _(verb->help));
    }
}

static void help_book(struct verb_call *call)
{
    if (call->book->is_short && !call->view->is_spoken)
        help_lines(call);
    else
        help_groups(call);
}

static void help_run(struct verb_call *call)
{
    const char *word = call->args.text[ARG_TOPIC];
    const struct verb *verb = word != NULL ? find_exact(call->book, word) : NULL;

    call->action->kind = ACTION_SAY;
    if (word == NULL)
        help_book(call);
    else if (verb == NULL && primer_tell(&call->words, word, call->view->pieces,
                                         call->view->has_color, call->view->is_spoken))
        return;
    else if (verb == NULL)
        verb = find(call, word); /* refuses an unknown word */
    if (verb != NULL)
        help_verb(call, verb);
}

static void set_run(struct verb_call *call)
{
    call->action->kind = ACTION_SET;
    if (!args_has(&call->args, ARG_SETTING))
        return;
    if (strcmp(call->args.text[ARG_SETTING], "messages") == 0 &&
        call->book->has_games) {
        call->action->kind = ACTION_SEND; /* the server keeps this setting */
        text_addf(&call->line, "messages %s", call->args.text[ARG_VALUE]);
        return;
    }
    text_add(&call->line, call->args.text[ARG_SETTING]);
    text_add(&call->words, call->args.text[ARG_VALUE]);
}

static void version_run(struct verb_call *call)
{
    call->action->kind = ACTION_SAY;
    text_add(&call->words, "janggi " JANGGI_VERSION "\n");
}

/* --- A typed line --- */

/* Handles the mark "!" after the verb, as in "resign!": the verb then does not ask the
 * player before it acts. If the verb never asks, refuses the mark and returns false. */
static bool take_mark(struct verb_call *call, bool is_marked)
{
    if (is_marked && !call->verb->may_be_certain) {
        verb_refuse(
            call,
            _("\"%s\" never asks you first, so it takes no \"!\". Nothing was done."),
            call->verb->name);
        return false;
    }
    call->action->is_certain = is_marked;
    return true;
}

/* Refuses the arguments. why: what is wrong with them. If this and the usage do not fit
 * on one line of the screen, the usage gets a line of its own. */
static void refuse_args(struct verb_call *call, const char *why, const char *usage)
{
    char words[768], first[512], second[320];

    snprintf(words, sizeof words, _("%s Nothing was done. Usage: %s"), why, usage);
    if (call->view->columns == 0 || utf8_width(words) <= call->view->columns) {
        verb_refuse(call, "%s", words);
        return;
    }
    snprintf(first, sizeof first, _("%s Nothing was done."), why);
    snprintf(second, sizeof second, _("Usage: %s"), usage);
    verb_refuse(call, "%s\n%s", first, second);
}

/* Checks the arguments of the verb before it runs. Returns false after a refusal. */
static bool take_args(struct verb_call *call, const char *rest)
{
    char words[400], usage[256];
    struct text why = text_into(words, sizeof words);
    struct text form = text_into(usage, sizeof usage);

    if (args_read(call->verb->args, call->book->has_games, &call->board, rest,
                  &call->args, &why))
        return true;
    add_usage(&form, call, call->verb);
    if (why.len == 0)
        verb_refuse(call, _("Usage: %s"), usage);
    else
        refuse_args(call, words, usage);
    return false;
}

static void give(struct verb_call *call)
{
    const struct args *args = &call->args;

    call->action->kind = call->verb->gives;
    call->action->number = args->number[ARG_NUMBER]; /* 0 if it was not given */
    if (args_has(args, ARG_FILE))
        text_add(&call->words, args->text[ARG_FILE]);
    if (args_has(args, ARG_TEXT))
        text_add(&call->words, args->text[ARG_TEXT]);
}

static void run(struct verb_call *call)
{
    const struct verb *verb = call->verb;

    if (verb->run != NULL) {
        verb->run(call);
        return;
    }
    if (verb->is_about_game || verb->tell != NULL)
        call->action->game = verb_game(call);
    if (call->action->kind == ACTION_REFUSE)
        return;
    if (verb->tell != NULL) {
        call->action->kind = ACTION_SAY;
        verb->tell(call, call->action->game);
    } else if (verb->gives != ACTION_NOTHING) {
        give(call);
    } else {
        verb_send(call);
    }
}

/* The first `len` bytes of `typed` are the name of a verb, perhaps with "!" at the end.
 * Runs this verb. `rest` is the text after this name. */
static void run_words(struct verb_call *call, const char *typed, size_t len,
                      const char *rest)
{
    char word[64];
    bool is_marked = len > 1 && typed[len - 1] == '!';

    snprintf(word, sizeof word, "%.*s", (int)len - is_marked, typed);
    text_lower(word);
    call->word = word;
    call->verb = find(call, word);
    if (call->verb != NULL && take_mark(call, is_marked) && take_args(call, rest))
        run(call);
}

/* Refuses a move that is followed by other words, and names the first of these words.
 * Returns false if the line does not begin with a move. */
static bool refuse_more_than_a_move(struct verb_call *call, const char *typed)
{
    struct typed_move move;
    char line[64], word[64], why[192];
    size_t len = strlen(typed), more = 0;

    if (len >= sizeof line)
        return false;
    memcpy(line, typed, len + 1);
    while (more == 0 && strrchr(line, ' ') != NULL) {
        size_t at = (size_t)(strrchr(line, ' ') - line);

        line[at] = '\0';
        if (typed_move_read(line, &call->board, &move))
            more = at + 1;
    }
    if (more > 0) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(typed + more, " "),
                 typed + more);
        snprintf(why, sizeof why, _("\"%s\" is one word too many."), word);
        verb_refuse(call, _("%s Nothing was done."), why);
    }
    return more > 0;
}

/* Refuses a link, alone or behind the word "janggi", and says how to use it. Returns
 * false if the line is not a link. */
static bool refuse_link(struct verb_call *call, const char *typed)
{
    static const char begin[] = "janggi://", program[] = "janggi ";
    char text[PROTO_LINE_MAX + 1], why[LINK_WHY_BYTES];
    struct link link;
    size_t len;

    if (strncasecmp(typed, program, strlen(program)) == 0)
        typed += strlen(program) + strspn(typed + strlen(program), " ");
    if (strncasecmp(typed, begin, strlen(begin)) != 0)
        return false;
    len = strlen(typed);
    while (typed[len - 1] == ' ')
        len--;
    snprintf(text, sizeof text, "%.*s", (int)len, typed);
    if (link_parse(text, &link, why))
        verb_refuse(call,
                    _("That is a link. To use it, type \"quit\" here, and then in the "
                      "shell:\n  janggi %s"),
                    text);
    else
        verb_refuse(call, _("That link does not work: %s. Nothing was done."), why);
    return true;
}

/* Returns the board of the current game. */
static struct typed_board find_board(const struct model *model)
{
    const struct model_game *game = model->current;

    if (game == NULL || game->is_broken || game->game.phase == GAME_EMPTY)
        return (struct typed_board){NULL, NULL};
    return (struct typed_board){game->game.rules, &game->game.position};
}

void verbs_read(const struct verb_book *book, const struct model *model,
                const struct typed_board *board, const char *typed,
                const struct render_view *view, struct action *out)
{
    struct verb_call call = {.book = book, .model = model, .view = view, .action = out};
    struct typed_move move;
    size_t len;

    out->kind = ACTION_NOTHING;
    out->is_certain = false;
    out->game = NULL;
    out->number = -1;
    call.board = board != NULL ? *board : find_board(model);
    call.line = text_into(out->line, sizeof out->line);
    call.words = text_into(out->words, sizeof out->words);
    typed += strspn(typed, " ");
    len = strcspn(typed, " ");
    if (strlen(typed) > PROTO_LINE_MAX || !utf8_is_showable(typed, strlen(typed)))
        verb_refuse(&call, _("That line is too long or not plain text."));
    else if (refuse_link(&call, typed))
        ; /* refused */
    else if (typed_move_read(typed, &call.board, &move))
        book->on_move(&call, &move);
    else if (find_exact(book, "setup") == &verb_setup && verb_takes_lineup(model) &&
             args_is_lineup(typed))
        run_words(&call, "setup", 5, typed);
    else if (find_exact(book, "setup") == &verb_setup &&
             verb_refuse_lineup(&call, typed))
        ; /* refused */
    else if (len > 0 && !refuse_more_than_a_move(&call, typed))
        run_words(&call, typed, len, typed + len + strspn(typed + len, " "));
    else if (view->takes_enter && book->on_empty != NULL)
        book->on_empty(&call);
    if (call.line.is_cut) /* the line to send may be longer than the typed line */
        verb_refuse(&call, _("That line is too long or not plain text."));
}

/* --- The verbs of all modes --- */

static const struct verb verb_help = {
    .name = "help",
    .alias = "? 도움말",
    .shown = N_("help WORD"),
    .brief = N_("more about a word"),
    .args = {{.kind = ARG_TOPIC, .need = ARG_OPTIONAL}},
    .help = N_("what you can type; with a word, more about it"),
    .more = "help move\nhelp chariot",
    .see = "rules, quit",
    .run = help_run,
};

static const struct verb verb_set = {
    .name = "set",
    .brief = N_("settings"),
    .args = {{.kind = ARG_SETTING, .need = ARG_OPTIONAL},
             {.kind = ARG_VALUE, .need = ARG_TOGETHER}},
    .help = N_("change a setting of this session; without words, list the settings"),
    .more = N_("set bell off\nset board mine    the board only when it is your turn"),
    .see = "help",
    .run = set_run,
};

static const struct verb verb_version = {
    .name = "version",
    .help = N_("the version of janggi"),
    .see = "help",
    .run = version_run,
};

static const struct verb verb_stop = {
    .name = "stop",
    .help = N_("without a connection: stop trying to connect; Enter tries again"),
    .see = "quit",
    .gives = ACTION_STOP,
};

static const struct verb verb_quit = {
    .name = "quit",
    .alias = "exit bye logout 나가기",
    .brief = N_("your seat is kept"),
    .help = N_("leave; a running game keeps your seat, and its clock goes on"),
    .see = "resign, abort",
    .gives = ACTION_QUIT,
};

const struct verb verb_staff = {
    .name = "staff",
    .help = N_("what members and staff of the server can type"),
    .more = N_("help ban    shows how to write that command"),
    .see = "help",
    .run = staff_run,
};

/* --- The books --- */

static const char learn_first[] =
    N_("  b0c2              a move: from, to\n"
       "  E1                a point, if the task asks for one\n");

/* The verbs of each group, in the order of the help page. */
static const struct verb *const client_verbs[] = {
    /* in a game */
    &verb_move, &verb_setup, &verb_draw, &verb_takeback, &verb_resign, &verb_accept,
    &verb_say, &verb_rematch, &verb_save, &verb_pending, &verb_pass, &verb_swap,
    &verb_abort, &verb_adjourn, &verb_continue, &verb_claim, &verb_decline,
    &verb_withdraw,
    /* the board */
    &verb_board, &verb_moves, &verb_legal, &verb_try, &verb_replay, &verb_back,
    &verb_analyse, &verb_show, &verb_flip, &verb_last, &verb_clock, &verb_captured,
    &verb_score, &verb_opponent, &verb_describe, &verb_where, &verb_scan,
    &verb_game_choice,
    /* other players */
    &verb_play_now, &verb_seek, &verb_seeks, &verb_match, &verb_invite, &verb_computer,
    &verb_games, &verb_join, &verb_who, &verb_history, &verb_rank, &verb_top,
    &verb_record, &verb_notify,
    /* watching */
    &verb_watch, &verb_whisper, &verb_unwatch, &verb_watchers, &verb_let,
    &verb_watchlink, &verb_unlet, &verb_follow, &verb_tv,
    /* other */
    &verb_rules, &verb_help, &verb_set, &verb_quit, &verb_device, &verb_devices,
    &verb_tell, &verb_messages, &verb_evening, &verb_ignore, &verb_unignore,
    &verb_quiet, &verb_block, &verb_unblock, &verb_report, &verb_export, &verb_limits,
    &verb_door, &verb_ping, &verb_stop, &verb_version, &verb_staff,
    /* members and staff */
    &verb_members, &verb_kick, &verb_mute, &verb_unmute, &verb_ban, &verb_unban,
    &verb_bans, &verb_end, &verb_annul, &verb_notice, &verb_role, &verb_owner,
    &verb_reload, &verb_audit, &verb_reports, &verb_motd, &verb_name, &verb_doors,
    &verb_access, &verb_guests, &verb_watching, &verb_reset, NULL};

static const struct verb *const local_verbs[] = {
    &verb_move, &verb_setup, &verb_undo, &verb_draw, &verb_resign, &verb_new,
    &verb_rematch_here, &verb_save_here, &verb_load, &verb_level, &verb_pass,
    &verb_swap, &verb_abort,
    /* the board */
    &verb_board, &verb_moves, &verb_legal, &verb_hint, &verb_try, &verb_replay,
    &verb_back, &verb_analyse, &verb_show, &verb_flip, &verb_last, &verb_clock,
    &verb_captured, &verb_score, &verb_opponent, &verb_describe, &verb_where,
    &verb_scan,
    /* other */
    &verb_rules, &verb_help, &verb_set, &verb_quit_game, &verb_version, NULL};

static const struct verb *const replay_verbs[] = {&verb_next,           &verb_back_one,
                                                  &verb_go_to,          &verb_play,
                                                  &verb_pause,          &verb_board,
                                                  &verb_moves,          &verb_flip,
                                                  &verb_legal,          &verb_show,
                                                  &verb_last,           &verb_captured,
                                                  &verb_score,          &verb_describe,
                                                  &verb_where,          &verb_scan,
                                                  &verb_load,           &verb_try,
                                                  &verb_analyse_record, &verb_help,
                                                  &verb_leave,          NULL};

static const struct verb *const learn_verbs[] = {
    &verb_task_hint,  &verb_skip,   &verb_task_before,
    &verb_task,       &verb_lesson, &verb_lessons,
    &verb_task_setup, &verb_pass,   &verb_help,
    &verb_leave,      NULL};

/* In a replay, a move typed without a verb is tried only while a private board is open.
 * Otherwise "try" must be typed. */
static void replay_move(struct verb_call *call, const struct typed_move *typed)
{
    char move[MOVE_BYTES];

    if (call->view->is_private || !verb_is_clear(call, typed)) {
        verb_try_move(call, typed);
        return;
    }
    move_format(move, typed->move);
    verb_refuse(call, _("To try a move of your own, type \"try %s\""), move);
}

/* Handles a typed move in a lesson: passes it to the caller, which judges it. */
static void judged_move(struct verb_call *call, const struct typed_move *typed)
{
    if (verb_is_clear(call, typed)) {
        call->action->kind = ACTION_MOVE;
        call->action->move = typed->move;
        call->action->claimed = typed->claimed;
    }
}

const struct verb_book verbs_of_client = {
    .verbs = client_verbs,
    .has_games = true,
    .on_move = verb_take_move,
    .on_empty = verb_take_empty,
};

const struct verb_book verbs_of_local = {
    .verbs = local_verbs,
    .on_move = verb_take_move,
    .on_empty = verb_take_empty,
    .elsewhere = N_("\"%s\" needs a server; this game is at one terminal."),
};

const struct verb_book verbs_of_replay = {
    .verbs = replay_verbs,
    .on_move = replay_move,
    .is_short = true,
};

const struct verb_book verbs_of_learn = {
    .verbs = learn_verbs,
    .on_move = judged_move,
    .first = learn_first,
    .is_short = true,
};
