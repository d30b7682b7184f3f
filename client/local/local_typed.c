/* Lines from the keyboard of a game at one terminal. What a deed of the client would
 * send is done here, without a server; deeds of its own are in local_own.c. See
 * local_parts.h. */
#include <stdlib.h>
#include <string.h>

#include "client/engine/computer.h"
#include "client/local/local_parts.h"
#include "client/verb/verbs.h"
#include "client/view/words.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/translate.h"
#include "common/words/guide.h"
#include "common/words/sentence.h"

enum { INTERRUPT_TWICE_MS = 2000 };

void typed_refuse(struct local *local, const char *words)
{
    char line[PROTO_LINE_MAX];
    struct text text = text_into(line, sizeof line);

    local->is_refused = true;
    text_addf(&text, "-- %s\n", words);
    show_refusal(local, line);
}

/* --- What a server would do --- */

/* What a judgement allows is done; else it is said why not. */
static void take(struct local *local, struct fault fault, const struct game_news *news)
{
    char words[SENTENCE_BYTES];

    if (fault.code == FAULT_NONE) {
        table_take(local, news);
        show_setup_choice(local);
        return;
    }
    sentence_fault(words, fault);
    typed_refuse(local, words);
}

static void do_setup(struct local *local, const char *line)
{
    const char *word = strrchr(line, ' ');
    struct game_news news;
    enum lineup lineup;

    if (word != NULL && lineup_parse(word + 1, &lineup))
        take(local,
             game_judge_setup(&local->game->game, table_turn(local), lineup, &news),
             &news);
}

static void do_resign(struct local *local, const char *line)
{
    struct game_news news;
    struct fault fault =
        game_judge_resign(&local->game->game, local->game->side, &news);

    (void)line;
    local_stop_thinking(local);
    take(local, fault, &news);
}

static void do_abort(struct local *local, const char *line)
{
    enum side by = table_has_computer(local) ? local->game->side : SIDE_NONE;
    struct game_news news;
    struct fault fault = game_judge_abort(&local->game->game, by, &news);

    (void)line;
    local_stop_thinking(local);
    take(local, fault, &news);
}

/* Two people agree by word of mouth; the computer by what it thinks of its position. */
static void do_draw(struct local *local, const char *line)
{
    struct game_news news;
    struct fault fault = game_judge_draw(&local->game->game, &news);

    (void)line;
    if (fault.code == FAULT_NONE && table_has_computer(local) &&
        !computer_takes_draw(&local->game->game, &local->last_report)) {
        show_say(local, _("-- the computer wants to play on\n"));
        return;
    }
    local_stop_thinking(local);
    take(local, fault, &news);
}

static void add_guide_line(void *context, const char *line)
{
    text_addf(context, "%s\n", line);
}

/* The page of a ruleset, of this game's without a word. */
static void do_rules(struct local *local, const char *line)
{
    const char *word = strchr(line, ' ');
    const struct ruleset *rules =
        word != NULL ? ruleset_find(word + 1) : local->game->game.rules;
    char page[RENDER_SCREEN_BYTES];
    struct text text = text_into(page, sizeof page);

    if (rules == NULL) {
        typed_refuse(local, _("rules martin, courier, vchess or kja; rules cannon"));
        return;
    }
    guide_page(rules, add_guide_line, &text);
    show_words(local, page);
}

static void do_rematch(struct local *local, const char *line)
{
    struct local_wish *wish = &local->wish;
    bool is_computer = wish->is_computer[SIDE_RED];
    char name[EVENT_NAME_BYTES];

    (void)line;
    memcpy(name, wish->name[SIDE_RED], sizeof name);
    memcpy(wish->name[SIDE_RED], wish->name[SIDE_BLUE], sizeof name);
    memcpy(wish->name[SIDE_BLUE], name, sizeof name);
    wish->is_computer[SIDE_RED] = wish->is_computer[SIDE_BLUE];
    wish->is_computer[SIDE_BLUE] = is_computer;
    own_begin_again(local);
}

/* A line that would go to a server. */
static void do_send(struct local *local, const char *line)
{
    static const struct {
        const char *verb;
        void (*run)(struct local *local, const char *line);
    } known[] = {
        {"setup", do_setup}, {"resign", do_resign},   {"abort", do_abort},
        {"draw", do_draw},   {"rematch", do_rematch}, {"rules", do_rules},
    };
    size_t len = strcspn(line, " ");

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (strlen(known[i].verb) == len && strncmp(known[i].verb, line, len) == 0) {
            known[i].run(local, line);
            return;
        }
    typed_refuse(local, _("that needs a server; this game is at one terminal"));
}

static void do_move(struct local *local, const struct deed *deed)
{
    const struct game *game = &local->game->game;
    struct game_news news;

    take(local,
         game_judge_move(game, local->game->side, deed->move, mono_now_ms(), &news),
         &news);
}

static void do_flip(struct local *local)
{
    local->is_flipped = !local->is_flipped;
    local->game->is_turned = (local->game->side == SIDE_BLUE) != local->is_flipped;
    show_board(local);
}

static void do_set(struct local *local, const struct deed *deed)
{
    char words[RENDER_SCREEN_BYTES] = "";

    if (deed->line[0] == '\0')
        prefs_list(&local->prefs, words, sizeof words);
    else if (!prefs_set(&local->prefs, deed->line, deed->words, words))
        typed_refuse(local, words);
    if (deed->line[0] == '\0')
        show_words(local, words);
    local->has_color = prefs_wants_color(&local->prefs, local->is_screen);
}

static void do_ask(struct local *local, const struct deed *deed)
{
    char words[128];
    struct text text = text_into(words, sizeof words);

    if (!local->is_screen) {
        do_send(local, deed->line);
        return;
    }
    text_copy(local->sure_line, sizeof local->sure_line, deed->line);
    text_addf(&text, _("%.100s (yes or no) "), deed->words);
    show_question(local, ASK_SURE, words);
}

static void do_try(struct local *local, const struct deed *deed)
{
    struct trial *trial = &local->trial;
    char words[SENTENCE_BYTES];
    struct fault fault;

    if (!trial_move(trial, local->game, deed->move, &fault)) {
        sentence_fault(words, fault);
        typed_refuse(local, words);
        return;
    }
    show_board_of(local, &trial->board);
    show_say(local, _("-- a private board, %d from the game; \"back\" returns\n"),
             trial->tried);
}

static void do_back(struct local *local)
{
    if (!local->trial.is_on) {
        typed_refuse(local, _("no private board is on; nothing was done"));
        return;
    }
    trial_end(&local->trial);
    show_board(local);
}

static void carry_out(struct local *local, const struct deed *deed)
{
    switch (deed->kind) {
    case DEED_NOTHING:
        break;
    case DEED_REFUSE:
        local->is_refused = true;
        show_refusal(local, deed->words);
        break;
    case DEED_SAY:
        show_words(local, deed->words);
        break;
    case DEED_SEND:
        do_send(local, deed->line);
        break;
    case DEED_ASK:
        do_ask(local, deed);
        break;
    case DEED_MOVE:
        do_move(local, deed);
        break;
    case DEED_FLIP:
        do_flip(local);
        break;
    case DEED_BOARD:
    case DEED_CHOOSE:
        show_board(local);
        break;
    case DEED_SET:
        do_set(local, deed);
        break;
    case DEED_TRY:
        do_try(local, deed);
        break;
    case DEED_BACK:
        do_back(local);
        break;
    case DEED_HINT:
        local_ask_hint(local);
        break;
    case DEED_TAKEBACK:
        own_take_back(local, deed);
        break;
    case DEED_SAVE:
        own_save(local, deed);
        break;
    case DEED_LOAD:
        own_load(local, deed);
        break;
    case DEED_NEW:
        own_new(local, deed);
        break;
    case DEED_LEVEL:
        own_level(local, deed);
        break;
    case DEED_QUIT:
        own_quit(local, deed);
        break;
    default:
        break; /* of no verb in this book */
    }
}

static void run_line(struct local *local, const char *line)
{
    struct deed *deed = mem_new(sizeof *deed);
    struct render_view view = show_view(local);
    struct typed_board board;

    if (view.tried > 0)
        board = (struct typed_board){local->trial.board.game.rules,
                                     &local->trial.board.game.position};
    verbs_read(&verbs_of_local, &local->model, view.tried > 0 ? &board : NULL, line,
               &view, deed);
    carry_out(local, deed);
    free(deed);
}

/* --- From the editor --- */

static void answer(struct local *local, const char *line)
{
    enum local_question question = local->question;
    bool is_yes = words_is_yes(line);

    local->question = ASK_NOTHING;
    if (!is_yes)
        show_say(local, _("Nothing was done.\n"));
    else if (question == ASK_LEAVE)
        local_leave(local, CLIENT_EXIT_OK);
    else
        do_send(local, local->sure_line);
}

void local_on_line(void *owner, const char *line)
{
    struct local *local = owner;

    if (local->is_leaving)
        return;
    if (local->question != ASK_NOTHING) {
        answer(local, line);
    } else {
        edit_remember(local->edit, line);
        /* A hint that was not waited for is not wanted any more. */
        if (local->thought == THOUGHT_HINT)
            local_stop_thinking(local);
        run_line(local, line);
    }
    local_go_on(local);
}

void local_on_end(void *owner)
{
    struct local *local = owner;

    local->is_ended = true;
    if (local->is_script)
        local_go_on(local);
    else
        local_leave(local, CLIENT_EXIT_OK);
}

void local_on_interrupt(void *owner)
{
    struct local *local = owner;
    int64_t now_ms = mono_now_ms();
    bool is_second =
        local->interrupt_ms != 0 && now_ms - local->interrupt_ms < INTERRUPT_TWICE_MS;

    local->interrupt_ms = now_ms;
    if (!local->is_screen || is_second) {
        local_leave(local, CLIENT_EXIT_INTERRUPT);
        return;
    }
    local->question = ASK_NOTHING;
    show_say(local, _("Type \"quit\" to leave, or Ctrl-C once more.\n"));
    show_prompt(local);
}

const char *local_on_complete(void *owner, const char *before, size_t i)
{
    struct local *local = owner;
    struct complete *complete = &local->complete;

    if (i == 0)
        complete_gather(complete, &verbs_of_local, &local->model, NULL, before,
                        edit_word(local->edit));
    return i < (size_t)complete->count ? complete->word[i] : NULL;
}
