/* Hooks: programs of the player's own that are started when it becomes their turn or
 * their board of an evening begins soon (on-turn), and when a game of theirs begins
 * (on-match). A program gets the facts in JANGGI_ variables; its arguments are those of
 * the settings, so no text of a server or an opponent becomes one. A slow or failing
 * program delays nothing. */
#ifndef CLIENT_PLAY_HOOK_H
#define CLIENT_PLAY_HOOK_H

#include "client/play/talk.h"
#include "common/net/proto.h"

struct hook;

/* Borrows talk. The caller owns the result. */
struct hook *hook_new(struct talk *talk) MUST_USE;
/* Leaves programs that run alone. Takes NULL. */
void hook_free(struct hook *hook);

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
