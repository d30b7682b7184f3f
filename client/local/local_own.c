/* Words that only a game at one terminal knows: a table, a function for each. See
 * local_parts.h. */
#include <string.h>
#include <unistd.h>

#include "client/local/local_parts.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/words/names.h"

static bool is_running(const struct local *local)
{
    return local->game->game.plies > 0 && local->game->game.phase == GAME_PLAY;
}

/* --- Words of our own --- */

struct own_call {
    struct local *local;
    const char *rest;
    bool is_certain; /* "quit!" */
};

static void run_help(const struct own_call *call);

static void run_hint(const struct own_call *call)
{
    local_ask_hint(call->local);
}

static void run_takeback(const struct own_call *call)
{
    struct local *local = call->local;
    int64_t plies = 0;

    if (call->rest[0] != '\0' && !text_to_int(call->rest, 1, INT32_MAX, &plies)) {
        typed_refuse(local, _("takeback N takes back N moves, counted for both sides"));
        return;
    }
    local_stop_thinking(local);
    if (!table_take_back(local, (int)plies))
        typed_refuse(local, _("there is no such move to take back"));
}

static void run_save(const struct own_call *call)
{
    struct local *local = call->local;
    const char *path = call->rest[0] != '\0' ? call->rest : local->save_path;
    bool is_other = strcmp(path, local->save_path) != 0;

    if (path[0] == '\0')
        typed_refuse(local, _("save FILE: where to?"));
    else if (strlen(path) >= PATH_MAX)
        typed_refuse(local, _("that path is too long"));
    else if (is_other && !call->is_certain && access(path, F_OK) == 0)
        typed_refuse(local, _("there is such a file; save! FILE writes over it"));
    else if (!table_save(local, path))
        local->is_refused = true;
}

static void run_load(const struct own_call *call)
{
    struct local *local = call->local;

    if (call->rest[0] == '\0')
        typed_refuse(local, _("load FILE: which one?"));
    else if (!local->is_saved && is_running(local) && !call->is_certain)
        typed_refuse(local, _("this game is not saved; load! FILE gives it up"));
    else if (!table_load(local, call->rest))
        local->is_refused = true;
    else
        show_setup_choice(local);
}

void own_begin_again(struct local *local)
{
    local_stop_thinking(local);
    thinker_forget(local->thinker);
    local->save_path[0] = '\0';
    table_begin(local);
    show_setup_choice(local);
}

static void run_new(const struct own_call *call)
{
    struct local *local = call->local;

    if (!local->is_saved && is_running(local) && !call->is_certain)
        typed_refuse(local, _("this game is not over; new! gives it up"));
    else
        own_begin_again(local);
}

static void run_level(const struct own_call *call)
{
    struct local *local = call->local;
    int64_t level;

    if (call->rest[0] != '\0' &&
        !text_to_int(call->rest, 1, SEARCH_LEVEL_MAX, &level)) {
        typed_refuse(local, _("a level is a number from 1 to 10"));
        return;
    }
    if (call->rest[0] != '\0')
        local->wish.level = (int)level;
    show_say(local, _("-- the computer plays at level %d of %d\n"), local->wish.level,
             SEARCH_LEVEL_MAX);
}

static void run_quit(const struct own_call *call)
{
    struct local *local = call->local;

    if (local->is_screen && !local->is_saved && is_running(local) && !call->is_certain)
        show_question(local, ASK_LEAVE, _("Leave without saving (yes or no)? "));
    else
        local_leave(local, local->is_refused && local->is_script ? CLIENT_EXIT_MOVE
                                                                 : CLIENT_EXIT_OK);
}

static const struct own_verb {
    const char *name;
    const char *alias; /* another name, or NULL */
    const char *usage;
    const char *help;
    const char *example;
    const char *see;
    void (*run)(const struct own_call *call);
} own_verbs[] = {
    {"help", "?", N_("help [WORD]"),
     N_("what you can type; with a word, more about it"), "help move", "rules",
     run_help},
    {"hint", NULL, "hint", N_("what the computer would play here"), "hint",
     "legal, level", run_hint},
    {"takeback", "undo", N_("takeback [N]"),
     N_("take back your last move, or the last N of both sides; also after the end"),
     "takeback 2", "moves, new", run_takeback},
    {"save", NULL, N_("save [FILE]"),
     N_("write the game to FILE, as a record that can "
        "be loaded, replayed and converted"),
     "save sunday.record", "load", run_save},
    {"load", NULL, N_("load FILE"), N_("go on with the game in FILE"),
     "load sunday.record", "save, new", run_load},
    {"new", NULL, "new", N_("another game, sides as they are"), "new", "rematch, level",
     run_new},
    {"level", NULL, N_("level [1-10]"), N_("how strong the computer plays"), "level 3",
     "hint, new", run_level},
    {"quit", "exit", "quit", N_("leave; asks if the game is not saved"), "quit", "save",
     run_quit},
};

static const char help_page[] = N_(
    "At the board\n"
    "  b0c2            a move: from, to     pass            move nothing, if allowed\n"
    "  setup 1-4       a line-up            legal [B0]      which moves there are\n"
    "  hint            ask the computer     show B0         where a piece may go\n"
    "  takeback [N]    undo                 board, flip     the board; turned round\n"
    "  resign, abort   end the game         moves, last     what was played\n"
    "  draw            agree on a draw      clock, captured\n"
    "  new, rematch    another game; with   score           points on the board\n"
    "                  sides changed\n"
    "Other\n"
    "  save [FILE]     keep the game        load FILE       go on with it\n"
    "  level [1-10]    of the computer      set [NAME VALUE]\n"
    "  rules [names]   how to play\n"
    "  help WORD       more about a word    quit            leave\n"
    "Words may be cut short (res for resign); moves may be in either case.\n");

static const struct own_verb *find_own(const char *word, size_t len)
{
    for (size_t i = 0; i < ARRAY_LEN(own_verbs); i++) {
        const struct own_verb *verb = &own_verbs[i];

        if ((strncmp(verb->name, word, len) == 0 && verb->name[len] == '\0') ||
            (verb->alias != NULL && strncmp(verb->alias, word, len) == 0 &&
             verb->alias[len] == '\0'))
            return verb;
    }
    return NULL;
}

static void run_help(const struct own_call *call)
{
    const struct own_verb *verb = find_own(call->rest, strlen(call->rest));
    char line[PROTO_LINE_MAX];
    struct text text = text_into(line, sizeof line);

    if (call->rest[0] == '\0') {
        show_words(call->local, _(help_page));
        show_words(call->local, names_legend());
    } else if (verb != NULL) {
        show_say(call->local, _("Usage: %s\n  %s\n"), _(verb->usage), _(verb->help));
        show_say(call->local, "%s  %s\n", _("Examples:\n"), verb->example);
        show_say(call->local, _("See also: %s\n"), verb->see);
    } else {
        text_addf(&text, "help %s", call->rest);
        typed_other(call->local, line);
    }
}

bool own_run(struct local *local, const char *line)
{
    const char *word = line + strspn(line, " \t");
    size_t len = strcspn(word, " \t!");
    const struct own_verb *verb = len == 0 ? NULL : find_own(word, len);
    struct own_call call = {.local = local, .rest = word + len};

    if (verb == NULL)
        return false;
    if (*call.rest == '!') {
        call.is_certain = true;
        call.rest++;
    }
    call.rest += strspn(call.rest, " \t");
    verb->run(&call);
    return true;
}

const char *own_name(size_t i)
{
    return i < ARRAY_LEN(own_verbs) ? own_verbs[i].name : NULL;
}
