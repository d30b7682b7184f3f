/* See verbs.h. */
#include "client/verb/verbs.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "client/verb/answers.h"
#include "client/view/primer.h"
#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/base/utf8.h"
#include "common/words/guide.h"
#include "common/words/names.h"

/* --- Finding a verb --- */

/* Other names of verbs, which cannot be abbreviated. If several rows have a word, it
 * means the first verb that the mode has. */
static const struct {
    const char *word, *verb;
} aliases[] = {
    {"?", "help"},          {"a", "accept"},       {"allobservers", "watchers"},
    {"analyze", "analyse"}, {"bye", "quit"},       {"evenings", "evening"},
    {"exit", "quit"},       {"kibitz", "whisper"}, {"logout", "quit"},
    {"match", "challenge"}, {"message", "tell"},   {"n", "decline"},
    {"no", "decline"},      {"observe", "watch"},  {"players", "who"},
    {"points", "score"},    {"refresh", "board"},  {"sought", "seeks"},
    {"time", "clock"},      {"undo", "takeback"},  {"unobserve", "unwatch"},
    {"y", "accept"},        {"yes", "accept"},     {"거절", "decline"},
    {"관전", "watch"},      {"규칙", "rules"},     {"기권", "resign"},
    {"나가기", "quit"},     {"네", "accept"},      {"다음", "next"},
    {"다음", "skip"},       {"다음", "replay"},    {"다시", "rematch"},
    {"다시", "board"},      {"도움말", "help"},    {"무르기", "takeback"},
    {"무승부", "draw"},     {"분석", "analyse"},   {"설정", "set"},
    {"수락", "accept"},     {"아니오", "decline"}, {"아니요", "decline"},
    {"예", "accept"},       {"이전", "back"},      {"저장", "save"},
    {"초대", "invite"},     {"판", "board"},       {"한수쉼", "pass"},
    {"힌트", "hint"},
};

const struct verb *verbs_row(const struct verb_book *book, size_t i)
{
    const struct verb *const tables[] = {verbs_to_tour, verbs_to_play, verbs_to_see,
                                         verbs_of_program};

    for (size_t t = 0; t < ARRAY_LEN(tables); t++)
        for (const struct verb *verb = tables[t]; verb->name != NULL; verb++)
            if ((verb->modes & book->mode) != 0 && i-- == 0)
                return verb;
    return NULL;
}

const struct verb *verbs_get(const struct verb_book *book, const char *name)
{
    const struct verb *verb;

    for (size_t i = 0; (verb = verbs_row(book, i)) != NULL; i++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

/* Finds the verb of the server; NULL if this mode has no server. */
static const struct model_verb *find_of_server(const struct verb_book *book,
                                               const struct model *model,
                                               const char *word)
{
    return book->has_games ? model_find_verb(model, word) : NULL;
}

/* Returns the name of the verb with this name or alias; NULL: there is none. */
static const char *find_exact(const struct verb_book *book, const struct model *model,
                              const char *word)
{
    if (verbs_get(book, word) != NULL || find_of_server(book, model, word) != NULL)
        return word;
    for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
        if (strcmp(aliases[i].word, word) == 0 &&
            (verbs_get(book, aliases[i].verb) != NULL ||
             find_of_server(book, model, aliases[i].verb) != NULL ||
             (book->has_games && !model->has_verbs)))
            return aliases[i].verb;
    return NULL;
}

enum {
    NAME_COLUMNS = 9,
    SHOWN_COLUMNS = 16,
    CELL_COLUMNS = 39,
    LINE_COLUMNS = 17,
    PAGE_COLUMNS = 79
};

/* Sets *out to verb number `i` as help and completion show it: the verbs of the book, then
 * those of the server that the book does not have. Returns false after the last. */
static bool entry_at(const struct verb_book *book, const struct model *model, size_t i,
                     struct verb *out)
{
    static const char *const groups[] = {
        [VERB_PLAY] = "play", [VERB_FIND] = "find", [VERB_WATCH] = "watch"};
    const struct verb *own = verbs_row(book, i);
    size_t count = 0;

    if (own != NULL) {
        *out = *own;
        return true;
    }
    while (verbs_row(book, count) != NULL)
        count++;
    for (int k = 0; book->has_games && k < model->verb_count; k++) {
        const struct model_verb *verb = &model->verbs[k];
        int group = text_find_word(groups, ARRAY_LEN(groups), verb->group);

        if (verbs_get(book, verb->name) != NULL || i-- > count)
            continue;
        *out = (struct verb){
            .name = verb->name,
            .group = verb->is_for_staff ? VERB_STAFF
                     : group > 0        ? (enum verb_group)group
                                        : VERB_OTHER,
            .shown = strlen(verb->usage) < SHOWN_COLUMNS ? verb->usage : NULL,
            .brief = verb->brief[0] != '\0' ? verb->brief : NULL,
            .help = verb->help,
        };
        return true;
    }
    return false;
}

const char *verbs_name_at(const struct verb_book *book, const struct model *model,
                          size_t i)
{
    struct verb entry;

    return entry_at(book, model, i, &entry) ? entry.name : NULL;
}

/* If exactly one verb has a name that begins with `word`, returns this name. Otherwise
 * returns NULL. *others gets the names of all verbs that begin with `word`. Leaves out
 * the verbs of the group VERB_STAFF, which cannot be abbreviated. */
static const char *find_prefix(const struct verb_book *book, const struct model *model,
                               const char *word, struct text *others)
{
    const char *found = NULL;
    struct verb entry;
    int count = 0;

    for (size_t i = 0; entry_at(book, model, i, &entry); i++) {
        if (strncmp(entry.name, word, strlen(word)) != 0 || entry.group == VERB_STAFF)
            continue;
        found = entry.name;
        text_addf(others, "%s%s", count++ > 0 ? ", " : "", found);
    }
    return count == 1 ? found : NULL;
}

const char *verbs_find(const struct verb_book *book, const struct model *model,
                       const char *word)
{
    char names[256];
    struct text others = text_into(names, sizeof names);
    const char *name = find_exact(book, model, word);

    return name != NULL ? name : find_prefix(book, model, word, &others);
}

static const char *find_near(const struct verb_book *book, const struct model *model,
                             const char *word)
{
    const char *best = NULL;
    struct verb entry;
    int least = strlen(word) < 4 ? 2 : 3; /* a verb is suggested only if its distance
                                           * from `word` is smaller than this */

    for (size_t i = 0; entry_at(book, model, i, &entry); i++) {
        int far = text_distance(word, entry.name);

        if (far < least && entry.group != VERB_STAFF) {
            least = far;
            best = entry.name;
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

/* Finds the name of a verb by its name, an alias or a unique prefix. Returns NULL after a
 * refusal. */
static const char *find(struct verb_call *call, const char *word)
{
    const struct verb_book *book = call->book;
    char names[256] = "";
    struct text others = text_into(names, sizeof names);
    const char *name = find_exact(book, call->model, word), *near;
    bool is_elsewhere = answers_know(word) || verbs_get(&verbs_of_client, word) != NULL;

    for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
        is_elsewhere |= strcmp(aliases[i].word, word) == 0;
    if (name == NULL && is_answer(book, word)) {
        verb_refuse(call, _("There is nothing to answer."));
        return NULL;
    }
    if (name == NULL)
        name = find_prefix(book, call->model, word, &others);
    if (name != NULL)
        return name;
    near = find_near(book, call->model, word);
    if (strlen(word) == 2 && side_parse_point(word) != POINT_NONE)
        verb_refuse(call, _("%s, and where to? A move has two points, like b0c2."),
                    word);
    else if (names[0] != '\0')
        verb_refuse(call, _("\"%s\" can mean %s. Nothing was done."), word, names);
    else if (book->elsewhere != NULL && is_elsewhere)
        verb_refuse(call, _(book->elsewhere), word);
    else if (near != NULL)
        verb_refuse(call, _("\"%s\"? Did you mean %s? Nothing was done."), word, near);
    else
        verb_refuse(call,
                    _("\"%s\"? Type help for what can be typed. Nothing was done."),
                    word);
    return NULL;
}

/* Adds the usage of a verb, such as "draw [GAME]". */
static void add_usage(struct text *out, const struct verb_call *call,
                      const struct verb *verb)
{
    text_add(out, verb->name);
    args_add_usage(out, verb->args, call->book->has_games);
}

/* --- Verbs of the server --- */

static bool is_number(const char *word, size_t len)
{
    return len > 0 && strspn(word, "0123456789") >= len;
}

/* Sends a verb of the server with what was typed after it. If the verb is about a game
 * and no number of a game was typed, adds that of the current game. People may also type
 * the number last. */
static void pass_on(struct verb_call *call, const char *name, const char *rest)
{
    const struct model_verb *verb = model_find_verb(call->model, name);
    const char *usage = verb != NULL ? verb->usage + strcspn(verb->usage, " ") : "";
    const char *last = strrchr(rest, ' ');
    bool has_game = strncmp(rest, "game=", 5) == 0;

    call->action->kind = ACTION_SEND;
    text_add(&call->line, name);
    if (strncmp(usage, " [GAME]", 7) == 0 && !has_game &&
        !is_number(rest, strcspn(rest, " "))) {
        if (last != NULL && is_number(last + 1, strlen(last + 1))) {
            text_addf(&call->line, " game=%s %.*s", last + 1, (int)(last - rest), rest);
            return;
        }
        has_game = call->model->current == NULL;
    } else if (strncmp(usage, " [game=GAME]", 12) != 0) {
        has_game = true;
    }
    if (!has_game && call->model->current != NULL)
        text_addf(&call->line, " game=%lld", (long long)call->model->current->id);
    if (*rest != '\0')
        text_addf(&call->line, " %s", rest);
}

/* --- help, set, version, quit --- */

/* Adds those verbs of the list `see` ("a, b") that exist in this book. */
static void add_see_also(struct verb_call *call, const char *see)
{
    char words[128], one[32];
    struct text list = text_into(words, sizeof words);

    for (; *see != '\0'; see += strspn(see, ", ")) {
        size_t len = strcspn(see, ",");

        snprintf(one, sizeof one, "%.*s", (int)len, see);
        if (find_exact(call->book, call->model, one) != NULL ||
            names_find_kind(one) != KIND_NONE)
            text_addf(&list, "%s%s", list.len > 0 ? ", " : "", one);
        see += len;
    }
    if (list.len > 0)
        text_addf(&call->words, _("See also: %s\n"), words);
}

static void help_verb(struct verb_call *call, const struct verb *verb)
{
    char words[256], names[128];
    struct text usage = text_into(words, sizeof words);
    struct text also = text_into(names, sizeof names);

    add_usage(&usage, call, verb);
    text_addf(&call->words, _("Usage: %s\n  %s\n"), words, _(verb->help));
    for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
        if (strcmp(aliases[i].verb, verb->name) == 0)
            text_addf(&also, "%s%s", also.len > 0 ? " " : "", aliases[i].word);
    if (also.len > 0)
        text_addf(&call->words, _("Also: %s\n"), also.at);
    text_add(&call->words, _("Examples:\n"));
    for (const char *more = verb->more != NULL ? _(verb->more) : verb->name, *end;
         *more != '\0'; more = end + (*end == '\n')) {
        end = more + strcspn(more, "\n");
        text_addf(&call->words, "  %.*s\n", (int)(end - more), more);
    }
    /* show the moves of a knight, which explain more than words */
    if (strcmp(verb->name, "move") == 0 && !call->view->is_spoken)
        primer_board(&call->words, KIND_KNIGHT, call->view->pieces,
                     call->view->has_color);
    if (verb->see != NULL)
        add_see_also(call, verb->see);
}

/* --- The page of all verbs --- */

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

/* Adds the entries of a group that have a description, two per line. */
static void add_cells(struct text *out, struct verb_call *call, enum verb_group group)
{
    struct verb entry;
    bool is_right = false;

    for (size_t i = 0; entry_at(call->book, call->model, i, &entry); i++) {
        char cell[128];
        struct text text = text_into(cell, sizeof cell);

        if (entry.group != group || entry.brief == NULL)
            continue;
        text_add(&text, "  ");
        add_padded(&text, entry.shown != NULL ? _(entry.shown) : entry.name,
                   SHOWN_COLUMNS);
        text_add(&text, _(entry.brief));
        if (is_right)
            text_addf(out, "%s\n", cell);
        else
            add_padded(out, cell, CELL_COLUMNS);
        is_right = !is_right;
    }
    if (is_right)
        text_add(out, "\n");
}

/* Adds the title of a group and then the names of its verbs. If has_all is true, adds
 * all names. Otherwise adds only the names of the verbs that have no description. If
 * the book is short, takes all its verbs instead of the group. */
static void add_title(struct verb_call *call, enum verb_group group, const char *title,
                      bool has_all)
{
    const char *before = has_all ? ": " : _("; also ");
    int columns = utf8_width(_(title));
    struct verb entry;

    text_add(&call->words, _(title));
    for (size_t i = 0; entry_at(call->book, call->model, i, &entry); i++) {
        if ((entry.group != group && !call->book->is_short) ||
            (!has_all && entry.brief != NULL))
            continue;
        columns += utf8_width(before) + utf8_width(entry.name);
        if (columns >= PAGE_COLUMNS) {
            before = ",\n    ";
            columns = 4 + utf8_width(entry.name);
        }
        text_addf(&call->words, "%s%s", before, entry.name);
        before = ", ";
    }
    text_add(&call->words, has_all ? ".\n" : "\n");
}

/* Adds all verbs by group. For a screen reader, adds only their names. */
static void help_groups(struct verb_call *call)
{
    bool is_spoken = call->view->is_spoken, has_group[VERB_GROUPS] = {false};
    struct verb entry;

    if (call->book->is_short)
        add_title(call, VERB_OTHER, N_("You can type"), true);
    for (size_t i = 0; entry_at(call->book, call->model, i, &entry); i++)
        has_group[entry.group] = !call->book->is_short;
    for (size_t i = 0; i < ARRAY_LEN(groups); i++) {
        if (!has_group[groups[i].group])
            continue;
        add_title(call, groups[i].group, groups[i].title, is_spoken);
        if (!is_spoken)
            add_cells(&call->words, call, groups[i].group);
    }
    if (call->book->has_games && !call->model->has_verbs)
        text_add(&call->words,
                 _("A server understands more; \"help\" lists it when you are "
                   "connected.\n"));
    if (is_spoken)
        text_add(&call->words,
                 _("A move is two points, like b0c2. \"help WORD\" says more.\n"));
    else
        text_addf(&call->words, "%s%s",
                  _("Words may be shortened (res for resign); case does not matter in "
                    "moves.\n"),
                  names_legend());
}

/* Lists the verbs of members and staff with their descriptions. */
static void staff_run(struct verb_call *call)
{
    struct verb entry;

    for (size_t i = 0; entry_at(call->book, call->model, i, &entry); i++) {
        if (entry.group != VERB_STAFF)
            continue;
        text_add(&call->words, "  ");
        add_padded(&call->words, entry.name, NAME_COLUMNS);
        text_addf(&call->words, "%s\n", _(entry.help));
    }
}

static void help_run(struct verb_call *call)
{
    const struct verb_book *book = call->book;
    const char *word = call->args.text[ARG_TOPIC];
    const char *name = word != NULL ? find_exact(book, call->model, word) : NULL;
    const struct verb *verb;

    if (word == NULL && book->is_short && !call->view->is_spoken) {
        text_add(&call->words, book->first != NULL ? _(book->first) : "");
        for (size_t i = 0; (verb = verbs_row(book, i)) != NULL; i++) {
            char words[64];
            struct text usage = text_into(words, sizeof words);

            add_usage(&usage, call, verb);
            text_add(&call->words, "  ");
            add_padded(&call->words, words, LINE_COLUMNS);
            text_addf(&call->words, " %s\n", _(verb->help));
        }
        return;
    }
    if (word == NULL) {
        help_groups(call);
        return;
    }
    if (name == NULL && primer_tell(&call->words, word, call->view->pieces,
                                    call->view->has_color, call->view->is_spoken))
        return;
    if (name == NULL && book->has_games && !call->model->has_verbs)
        name = word; /* let the server judge it */
    if (name == NULL)
        name = find(call, word); /* refuses an unknown word */
    verb = name != NULL ? verbs_get(book, name) : NULL;
    if (verb != NULL) {
        help_verb(call, verb);
    } else if (name != NULL) {
        call->action->kind = ACTION_SEND;
        text_addf(&call->line, "help %s", name);
    }
}

/* Shows the client's own text about a ruleset, in the current language. An unknown
 * ruleset may belong to a later version of the server, so its name is sent to the
 * server. */
static void rules_run(struct verb_call *call)
{
    const struct model_game *game = call->model->current;
    const char *word = call->args.text[ARG_TOPIC];
    const struct ruleset *rules = word != NULL ? ruleset_find(word)
                                  : game != NULL && game->game.phase != GAME_EMPTY
                                      ? game->game.rules
                                      : words_usual_rules();

    if (rules != NULL) {
        guide_page(rules, primer_add_line, &call->words);
    } else if (!primer_tell(&call->words, word, call->view->pieces,
                            call->view->has_color, call->view->is_spoken)) {
        call->action->kind = ACTION_SEND;
        text_addf(&call->line, "rules %s", word);
    }
}

static void set_run(struct verb_call *call)
{
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
    text_add(&call->words, "janggi " JANGGI_VERSION "\n");
}

/* --- A typed line --- */

/* Checks the arguments of the verb before it runs. Returns false after a refusal. */
static bool take_args(struct verb_call *call, const char *rest)
{
    char words[400], usage[256], line[768];
    struct text why = text_into(words, sizeof words);
    struct text form = text_into(usage, sizeof usage);

    if (args_read(call->verb->args, call->book->has_games, &call->board, rest,
                  &call->args, &why))
        return true;
    add_usage(&form, call, call->verb);
    snprintf(line, sizeof line, _("%s Nothing was done. Usage: %s"), words, usage);
    if (why.len == 0) {
        verb_refuse(call, _("Usage: %s"), usage);
    } else if (call->view->columns == 0 || utf8_width(line) <= call->view->columns) {
        verb_refuse(call, "%s", line);
    } else { /* the usage gets a line of its own */
        snprintf(line, sizeof line, _("%s Nothing was done."), words);
        form = text_into(words, sizeof words);
        text_addf(&form, _("Usage: %s"), usage);
        verb_refuse(call, "%s\n%s", line, words);
    }
    return false;
}

static void run(struct verb_call *call)
{
    const struct verb *verb = call->verb;
    const struct args *args = &call->args;
    struct action *action = call->action;

    if (verb->about != VERB_NO_GAME) {
        action->game =
            verb->about == VERB_OUR_GAME ? verb_our_game(call) : verb_game(call);
        if (action->game == NULL)
            return; /* refused */
    }
    call->game = action->game;
    action->kind = verb->gives;
    if (verb->run != NULL) {
        verb->run(call);
        return;
    }
    action->number = args->number[ARG_NUMBER]; /* 0 if it was not given */
    if (args_has(args, ARG_FILE))
        text_add(&call->words, args->text[ARG_FILE]);
    if (args_has(args, ARG_TEXT))
        text_add(&call->words, args->text[ARG_TEXT]);
}

/* The first `len` bytes of `typed` are the name of a verb, perhaps with "!" at the end.
 * Runs this verb. `rest` is the text after this name. */
static void run_words(struct verb_call *call, const char *typed, size_t len,
                      const char *rest)
{
    char word[64];
    const char *name;
    bool is_marked = len > 1 && typed[len - 1] == '!';
    bool is_unread = call->book->has_games && !call->model->has_verbs;

    snprintf(word, sizeof word, "%.*s", (int)len - is_marked, typed);
    text_lower(word);
    call->word = word;
    /* Before the server has sent its verbs, it judges what this book does not have. */
    name = is_unread && !is_answer(call->book, word)
               ? verbs_find(call->book, call->model, word)
               : find(call, word);
    if (name == NULL && call->action->kind != ACTION_REFUSE && is_unread &&
        len < sizeof word && strspn(word, "abcdefghijklmnopqrstuvwxyz") == strlen(word))
        name = word;
    else if (name == NULL && call->action->kind != ACTION_REFUSE)
        name = find(call, word); /* refuses it */
    if (name == NULL)
        return;
    call->verb = verbs_get(call->book, name);
    if (is_marked && (call->verb == NULL || (call->verb->modes & VERB_ASKS) == 0)) {
        verb_refuse(
            call,
            _("\"%s\" never asks you first, so it takes no \"!\". Nothing was done."),
            name);
        return;
    }
    call->action->is_certain = is_marked;
    if (call->verb == NULL)
        pass_on(call, name, rest);
    else if (take_args(call, rest))
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

void verbs_read(const struct verb_book *book, const struct model *model,
                const struct typed_board *board, const char *typed,
                const struct render_view *view, struct action *out)
{
    struct verb_call call = {.book = book, .model = model, .view = view, .action = out};
    const struct model_game *game = model->current;
    struct typed_move move;
    size_t len;

    out->kind = ACTION_NOTHING;
    out->is_certain = false;
    out->game = NULL;
    out->number = -1;
    if (board != NULL)
        call.board = *board;
    else if (game != NULL && !game->is_broken && game->game.phase != GAME_EMPTY)
        call.board = (struct typed_board){game->game.rules, &game->game.position};
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
    else if ((book->mode & VERB_GAMES) != 0 && verb_takes_lineup(model) &&
             args_is_lineup(typed))
        run_words(&call, "setup", 5, typed);
    else if ((book->mode & VERB_GAMES) != 0 && verb_refuse_lineup(&call, typed))
        ; /* refused */
    else if (len > 0 && !refuse_more_than_a_move(&call, typed))
        run_words(&call, typed, len, typed + len + strspn(typed + len, " "));
    else if (view->takes_enter && book->on_empty != NULL)
        book->on_empty(&call);
    if (call.line.is_cut) /* the line to send may be longer than the typed line */
        verb_refuse(&call, _("That line is too long or not plain text."));
}

/* --- The other verbs --- */

static const struct arg page[ARGS_MAX] = {{.kind = ARG_TOPIC,
                                           .need = ARG_OPTIONAL,
                                           .label = N_("RULESET|PIECE|names|xiangqi")}};
static const struct arg topic[ARGS_MAX] = {{.kind = ARG_TOPIC, .need = ARG_OPTIONAL}};
static const struct arg setting[ARGS_MAX] = {
    {.kind = ARG_SETTING, .need = ARG_OPTIONAL},
    {.kind = ARG_VALUE, .need = ARG_TOGETHER}};

/* name, modes, group, arguments, shown, brief,
 * help, more,
 * see, about, gives, run */
const struct verb verbs_of_program[] = {
    {"rules", VERB_GAMES, VERB_OTHER, page, "rules [names]", N_("how to play"),
     N_("how to play: the rules of a ruleset, or what one piece does"),
     N_("rules\n"
        "rules kja\n"
        "rules chariot  what the rook does: every name of a piece works\n"
        "rules names    what the pieces are called in other languages\n"
        "rules xiangqi  for players of Chinese chess"),
     "legal, show", VERB_NO_GAME, ACTION_SAY, rules_run},
    {"help", VERB_BOARDS | VERB_LEARN, VERB_OTHER, topic, N_("help WORD"),
     N_("more about a word"), N_("what you can type; with a word, more about it"),
     "help move\nhelp chariot", "rules, quit", VERB_NO_GAME, ACTION_SAY, help_run},
    {"set", VERB_GAMES, VERB_OTHER, setting, NULL, N_("settings"),
     N_("change a setting of this session; without words, list the settings"),
     N_("set bell off\nset board mine    the board only when it is your turn"), "help",
     VERB_NO_GAME, ACTION_SET, set_run},
    {"quit", VERB_ONLINE, VERB_OTHER, NULL, NULL, N_("your seat is kept"),
     N_("leave; a running game keeps your seat, and its clock goes on"), NULL,
     "resign, abort", VERB_NO_GAME, ACTION_QUIT, NULL},
    {"quit", VERB_LOCAL | VERB_ASKS, VERB_OTHER, NULL, NULL, N_("leave"),
     N_("leave; asks you first if the game is not saved"), NULL, "save", VERB_NO_GAME,
     ACTION_QUIT, NULL},
    {"quit", VERB_REPLAY | VERB_LEARN, VERB_OTHER, NULL, NULL, NULL, N_("leave"), NULL,
     "help", VERB_NO_GAME, ACTION_QUIT, NULL},
    {"stop", VERB_ONLINE, VERB_OTHER, NULL, NULL, NULL,
     N_("without a connection: stop trying to connect; Enter tries again"), NULL,
     "quit", VERB_NO_GAME, ACTION_STOP, NULL},
    {"version", VERB_GAMES, VERB_OTHER, NULL, NULL, NULL, N_("the version of janggi"),
     NULL, "help", VERB_NO_GAME, ACTION_SAY, version_run},
    {"staff", VERB_ONLINE, VERB_OTHER, NULL, NULL, NULL,
     N_("what members and staff of the server can type"),
     N_("help ban    shows how to write that command"), "help", VERB_NO_GAME,
     ACTION_SAY, staff_run},
    {.name = NULL}};

/* --- The books --- */

static const char learn_first[] =
    N_("  b0c2              a move: from, to\n"
       "  E1                a point, if the task asks for one\n");

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
    .mode = VERB_ONLINE,
    .has_games = true,
    .on_move = verb_take_move,
    .on_empty = verb_take_empty,
};

const struct verb_book verbs_of_local = {
    .mode = VERB_LOCAL,
    .on_move = verb_take_move,
    .on_empty = verb_take_empty,
    .elsewhere = N_("\"%s\" needs a server; this game is at one terminal."),
};

const struct verb_book verbs_of_replay = {
    .mode = VERB_REPLAY,
    .on_move = replay_move,
    .is_short = true,
};

const struct verb_book verbs_of_learn = {
    .mode = VERB_LEARN,
    .on_move = judged_move,
    .first = learn_first,
    .is_short = true,
};
