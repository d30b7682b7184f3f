/* What the parts of a game at one terminal share: local.c (the options), local_loop.c
 * (life, clocks, the computer's turns), local_table.c (the game and its record),
 * local_typed.c (lines from the keyboard), local_own.c (deeds of its own) and
 * local_show.c (all output). Nobody else includes this. */
#ifndef CLIENT_LOCAL_LOCAL_PARTS_H
#define CLIENT_LOCAL_LOCAL_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "client/base/prefs.h"
#include "client/console/edit.h"
#include "client/engine/thinker.h"
#include "client/play/client.h"
#include "client/play/trial.h"
#include "client/verb/complete.h"
#include "client/verb/verb.h"
#include "client/view/model.h"
#include "common/base/base.h"
#include "common/record/record.h"

struct event;
struct event_base;

/* What the next game is to be. */
struct local_wish {
    const struct ruleset *rules;
    struct time_terms terms;
    char name[SIDES][EVENT_NAME_BYTES]; /* of people; a computer's says its level */
    bool is_computer[SIDES];
    bool has_lineup[SIDES];
    enum lineup lineup[SIDES];
    bool has_position;
    struct position position;
    int level;
};

/* What the thinker is busy with. */
enum local_thought { THOUGHT_NONE, THOUGHT_MOVE, THOUGHT_HINT };

enum local_question { ASK_NOTHING, ASK_SURE, ASK_LEAVE };

struct local {
    struct prefs prefs; /* with the options taken in */
    struct local_wish wish;
    const char *load_path;    /* of --load, NULL without */
    char save_path[PATH_MAX]; /* where the game was last saved, or came from; "" */
    bool is_saved;            /* nothing has happened since */

    struct event_base *base;
    struct event *tick, *flag;
    struct edit *edit;
    struct complete complete; /* while Tab is pressed */
    struct thinker *thinker;
    enum local_thought thought;
    struct search_report last_report; /* of the computer's last move */
    uint64_t seed;

    struct model model; /* of one game, which is current */
    struct model_game *game;
    struct record record; /* the same, to be saved */
    bool is_flipped;      /* Blue stands below */
    struct trial trial;   /* the private board */

    bool is_screen;  /* a person looks at a terminal; else --plain */
    bool is_editing; /* with the line editor */
    bool has_color;
    bool is_script;     /* commands come from -c or from a pipe */
    const char *script; /* what is left of -c */
    bool is_ended;      /* no more will be typed */
    bool is_refused;    /* something in a script was refused */
    bool is_leaving;
    enum local_question question;
    char sure_line[PROTO_LINE_MAX + 1];
    int64_t interrupt_ms;
    int exit_code;
};

/* --- local_table.c --- */

/* A new game by local->wish; what is already chosen is set up. */
void table_begin(struct local *local);
void table_clear(struct local *local);

/* What a judgement of the game says follows: each event is folded in, recorded and
 * shown. */
void table_take(struct local *local, const struct game_news *news);

/* The side that is to move or to set up now, SIDE_NONE for none. */
enum side table_turn(const struct local *local);
bool table_is_computers_turn(const struct local *local);
/* Whether a person of that side may ask for something: at one terminal, any. */
bool table_has_computer(const struct local *local);

/* Takes back plies, or with 0 the last move of a person; also after the end. False:
 * there are not so many. */
bool table_take_back(struct local *local, int plies) MUST_USE;

/* False after words on why not. */
bool table_save(struct local *local, const char *path) MUST_USE;
bool table_load(struct local *local, const char *path) MUST_USE;

/* --- local_loop.c --- */

int local_live(struct local *local);
void local_leave(struct local *local, int code);
/* After anything that may have changed whose turn it is: the computer thinks, the flag
 * is watched, a script goes on. */
void local_go_on(struct local *local);
void local_stop_thinking(struct local *local);
/* Asks the engine for the side to move; the words come later. */
void local_ask_hint(struct local *local);

/* --- local_typed.c --- */

/* Something was a mistake: it is said, and a script ends with that. */
void typed_refuse(struct local *local, const char *words);
/* For edit_calls. */
void local_on_line(void *owner, const char *line);
void local_on_end(void *owner);
void local_on_interrupt(void *owner);
const char *local_on_complete(void *owner, const char *before, size_t i);

/* --- local_own.c --- */

void own_take_back(struct local *local, const struct deed *deed);
void own_save(struct local *local, const struct deed *deed);
void own_load(struct local *local, const struct deed *deed);
void own_new(struct local *local, const struct deed *deed);
void own_level(struct local *local, const struct deed *deed);
void own_quit(struct local *local, const struct deed *deed);
/* Another game, by local->wish. */
void own_begin_again(struct local *local);

/* --- local_show.c --- */

void show_say(struct local *local, const char *format, ...) PRINTF_LIKE(2, 3);
void show_words(struct local *local, const char *words);
/* The same of what was typed and is not done. */
void show_refusal(struct local *local, const char *words);
void show_event(struct local *local, const struct model_news *news);
/* How boards and prompts are to be drawn now. */
struct render_view show_view(const struct local *local);
void show_board(struct local *local);
void show_board_of(struct local *local, const struct model_game *game);
/* The end was taken back. */
void show_reopened(struct local *local);
/* The four line-ups, if it is a person's turn to choose. */
void show_setup_choice(struct local *local);
void show_hint(struct local *local, const struct search_report *report);
void show_prompt(struct local *local);
void show_question(struct local *local, enum local_question question,
                   const char *words);

#endif
