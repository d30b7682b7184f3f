/* Hooks: programs of the player. on-turn is started when it becomes the player's turn,
 * or when the player's next game of a club evening (a tournament) begins soon; on-match
 * is started when a game of the player begins. A program gets the facts in JANGGI_
 * variables. Its arguments come only from the settings, so no text from a server or an
 * opponent becomes an argument. A slow or failing program delays nothing. */
#ifndef CLIENT_PLAY_HOOK_H
#define CLIENT_PLAY_HOOK_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "client/play/talk.h"
#include "common/net/proto.h"

enum hook_kind { HOOK_TURN, HOOK_MATCH };
enum { HOOK_KINDS = HOOK_MATCH + 1, HOOK_FACTS_MAX = 12, HOOK_FACT_BYTES = 600 };

/* The facts that a program gets when it is started: environment variables such as
 * "JANGGI_GAME=17". */
struct hook_facts {
    char line[HOOK_FACTS_MAX][HOOK_FACT_BYTES];
    int count;
};

struct hook_run {
    pid_t pid; /* the running program; 0: none */
    int64_t began_ms;
    bool is_killed;
    bool has_failed; /* the player was told that the program failed */
    bool has_next;   /* `next` waits for the end of the running program */
    struct hook_facts next;
};

/* All members except `talk` are zeroed at first. When the struct no longer exists, the
 * programs may still be running. */
struct hook {
    struct talk *talk; /* borrowed */
    struct hook_run runs[HOOK_KINDS];
    int64_t evening, round; /* the player's game that was announced last: its evening
                             * and its round */
    bool is_first;          /* since the first login, no connection was lost */
};

/* To be called after a login. is_first: it is the first login, so the games that exist
 * are not reported as new. */
void hook_begin(struct hook *hook, bool is_first);
/* To be called after each new event of a game. If the game is ours, starts the programs
 * for that event. */
void hook_take_event(struct hook *hook, const struct model_news *news);
/* To be called for every notice. If the notice announces the player's next game of an
 * evening, starts the on-turn program. */
void hook_take_notice(struct hook *hook, const struct proto_line *line);
/* To be called once a second. Reports programs that failed, and kills slow programs. If
 * a program has ended and must be started once more, starts it. */
void hook_tick(struct hook *hook, int64_t now_ms);

#endif
