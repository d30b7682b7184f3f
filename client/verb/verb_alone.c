/* Verbs of the modes without a server: a game at one terminal, a replay, a lesson. */
#include "client/verb/verb.h"
#include "common/base/translate.h"

enum { LEVEL_MOST = 10 };

/* --- A game at one terminal --- */

const struct verb verb_hint = {
    .name = "hint",
    .group = VERB_SEE,
    .brief = N_("ask the computer"),
    .help = N_("what the computer would play here"),
    .see = "legal, level",
    .gives = ACTION_HINT,
};

const struct verb verb_undo = {
    .name = "takeback",
    .group = VERB_PLAY,
    .shown = "takeback [N]",
    .brief = N_("undo"),
    .args = {{.kind = ARG_NUMBER,
              .need = ARG_OPTIONAL,
              .label = "N",
              .low = 1,
              .high = VERB_PLIES_MOST}},
    .help = N_("take back your last move, or the last N plies; also after the end"),
    .more = "takeback 2",
    .see = "moves, new",
    .gives = ACTION_TAKEBACK,
};

const struct verb verb_save_here = {
    .name = "save",
    .group = VERB_PLAY,
    .shown = N_("save FILE"),
    .brief = N_("keep the game"),
    .args = {{.kind = ARG_FILE, .need = ARG_OPTIONAL}},
    .may_be_certain = true,
    .help = N_("write the game to FILE, as a record that can be loaded, replayed and "
               "converted"),
    .more = "save sunday.record",
    .see = "load",
    .gives = ACTION_SAVE,
};

const struct verb verb_load = {
    .name = "load",
    .group = VERB_PLAY,
    .shown = N_("load FILE"),
    .brief = N_("continue a game"),
    .args = {{.kind = ARG_FILE}},
    .may_be_certain = true,
    .help = N_("go on with the game in FILE"),
    .more = "load sunday.record",
    .see = "save, new, goto",
    .gives = ACTION_LOAD,
};

const struct verb verb_new = {
    .name = "new",
    .group = VERB_PLAY,
    .brief = N_("another game"),
    .may_be_certain = true,
    .help = N_("another game with the same sides"),
    .see = "rematch, level",
    .gives = ACTION_NEW,
};

const struct verb verb_level = {
    .name = "level",
    .group = VERB_PLAY,
    .shown = "level 1-10",
    .brief = N_("the computer's level"),
    .args = {{.kind = ARG_NUMBER,
              .need = ARG_OPTIONAL,
              .label = "1-10",
              .low = 1,
              .high = LEVEL_MOST}},
    .help = N_("how strong the computer plays"),
    .more = "level 3",
    .see = "hint, new",
    .gives = ACTION_LEVEL,
};

const struct verb verb_quit_game = {
    .name = "quit",
    .brief = N_("leave"),
    .may_be_certain = true,
    .help = N_("leave; asks you first if the game is not saved"),
    .see = "save",
    .gives = ACTION_QUIT,
};

/* --- A replay --- */

const struct verb verb_next = {
    .name = "next",
    .help = N_("show the next move; Enter does the same"),
    .see = "back, goto, play",
    .gives = ACTION_NEXT,
};

const struct verb verb_back_one = {
    .name = "back",
    .help = N_("go back one move; from a private board, back to the record"),
    .see = "next, goto, try",
    .gives = ACTION_BACK,
};

const struct verb verb_go_to = {
    .name = "goto",
    .args = {{.kind = ARG_NUMBER,
              .label = N_("NUMBER"),
              .low = 0,
              .high = VERB_PLIES_MOST}},
    .help = N_("go to that move; 0 is the beginning"),
    .more = "goto 30\ngoto 0",
    .see = "next, back",
    .gives = ACTION_GO_TO,
};

static void play_run(struct verb_call *call)
{
    enum { PARTS = 1000 };

    call->action->kind = ACTION_PLAY;
    call->action->number = (int64_t)(call->args.factor * PARTS);
}

const struct verb verb_play = {
    .name = "play",
    .args = {{.kind = ARG_FACTOR, .need = ARG_OPTIONAL}},
    .help = N_("play the moves automatically; Enter stops that"),
    .more = N_("play       at the speed of the game\n"
               "play 4     four times as fast"),
    .see = "pause, next",
    .run = play_run,
};

const struct verb verb_pause = {
    .name = "pause",
    .help = N_("stop the automatic moves and wait for your command"),
    .see = "play",
    .gives = ACTION_PAUSE,
};

const struct verb verb_leave = {
    .name = "quit",
    .help = N_("leave"),
    .see = "help",
    .gives = ACTION_QUIT,
};

/* --- Lessons --- */

const struct verb verb_task_hint = {
    .name = "hint",
    .help = N_("help with this task"),
    .see = "skip, board",
    .gives = ACTION_HINT,
};

const struct verb verb_skip = {
    .name = "skip",
    .help = N_("go to the next task"),
    .see = "back, lesson",
    .gives = ACTION_NEXT,
};

const struct verb verb_task_before = {
    .name = "back",
    .help = N_("go back one task"),
    .see = "skip, lesson",
    .gives = ACTION_BACK,
};

const struct verb verb_task = {
    .name = "board",
    .help = N_("show the board and the task again; so does Enter"),
    .see = "hint",
    .gives = ACTION_BOARD,
};

const struct verb verb_lesson = {
    .name = "lesson",
    .args = {{.kind = ARG_TEXT, .need = ARG_OPTIONAL, .label = N_("LESSON")}},
    .help = N_("go to a lesson: 5, cannon"),
    .more = "lesson 5\nlesson cannon",
    .see = "lessons, skip",
    .gives = ACTION_LESSON,
};

const struct verb verb_lessons = {
    .name = "lessons",
    .help = N_("the list of lessons"),
    .see = "lesson",
    .gives = ACTION_LESSON,
};

static void task_setup_run(struct verb_call *call)
{
    call->action->kind = ACTION_SETUP;
    call->action->number = args_lineup(&call->args, SIDE_RED);
}

const struct verb verb_task_setup = {
    .name = "setup",
    .args = {{.kind = ARG_LINEUP}},
    .help = N_("choose a line-up, when you are asked for one"),
    .more = "setup 3",
    .see = "hint",
    .run = task_setup_run,
};
