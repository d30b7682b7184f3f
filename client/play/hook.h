/* Hooks: programs of the player's own that are started when it becomes their turn or
 * their board of an evening begins soon (on-turn), and when a game of theirs begins
 * (on-match). A program gets the facts in JANGGI_ variables; its arguments are those of
 * the settings, so no text of a server or an opponent becomes one. A slow or failing
 * program delays nothing. */
#ifndef CLIENT_PLAY_HOOK_H
#define CLIENT_PLAY_HOOK_H

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "client/play/talk.h"
#include "common/net/proto.h"

enum hook_kind { HOOK_TURN, HOOK_MATCH };
enum { HOOK_KINDS = HOOK_MATCH + 1, HOOK_FACTS_MAX = 12, HOOK_FACT_BYTES = 600 };

/* The facts of one start, "JANGGI_GAME=17". */
struct hook_facts {
    char line[HOOK_FACTS_MAX][HOOK_FACT_BYTES];
    int count;
};

struct hook_run {
    pid_t pid; /* 0: none runs */
    int64_t began_ms;
    bool is_killed;
    bool has_failed; /* the player was told of a failure */
    bool has_next;   /* facts that wait for the end of the program */
    struct hook_facts next;
};

/* Zeroed but for talk at first. Its programs outlive it. */
struct hook {
    struct talk *talk; /* borrowed */
    struct hook_run runs[HOOK_KINDS];
    int64_t evening, round; /* the last board that was announced */
    bool is_first;          /* since the first login no connection was lost */
};

/* Call it after a login; is_first: it was the first one, so the games that it finds are
 * no news. */
void hook_begin(struct hook *hook, bool is_first);
/* A new event of our game has been shown: starts the programs that it is for. */
void hook_take_event(struct hook *hook, const struct model_news *news);
/* A notice has come: starts the program of on-turn if it announces the player's next board
 * of an evening. */
void hook_take_notice(struct hook *hook, const struct proto_line *line);
/* Looks at the programs that run. Call it once a second. */
void hook_tick(struct hook *hook, int64_t now_ms);

#endif
