/* The questions that "janggi rules" answers. Each question has a function, which takes
 * a struct task: the words that were given (on the command line or in one line of
 * standard input) and the options. */
#ifndef CLIENT_TOOLS_RULES_ANSWER_H
#define CLIENT_TOOLS_RULES_ANSWER_H

#include <stdbool.h>

#include "client/tools/rules_words.h"
#include "common/game/rules.h"
#include "common/words/sentence.h"

/* The exit status of the program. */
enum rules_status { RULES_OK = 0, RULES_FAILED = 1, RULES_BAD = 2, RULES_ILLEGAL = 6 };

struct task {
    const struct ruleset *rules; /* the value of --rules; NULL: not given */
    struct words words;
    bool divides;
    bool is_flipped;
    bool is_picture;           /* "rules show" prints SVG instead of the diagram */
    const char *from;          /* the value of --from; NULL if not given */
    char why[RULES_WHY_BYTES]; /* the reason, unless the status is RULES_OK */
};

/* Each function answers one question. It writes the answer to standard output only if
 * it returns RULES_OK. */
enum rules_status rules_answer_legal(struct task *task);
enum rules_status rules_answer_perft(struct task *task);
enum rules_status rules_answer_why(struct task *task);
enum rules_status rules_answer_show(struct task *task);
enum rules_status rules_play_answer(struct task *task);

/* Returns the ruleset given by --rules, or the default. */
const struct ruleset *task_rules(const struct task *task);

/* Takes the words of a start and checks that a game may begin from it. Returns false
 * with the reason in task->why. */
bool task_take_start(struct task *task, struct position *out) MUST_USE;

/* Checks a move against the rules. kind: the kind of piece whose letter was written in
 * front of the move, or KIND_NONE. */
struct fault task_judge(const struct ruleset *rules, const struct position *position,
                        struct move move, enum kind kind);

/* Formats a fault as one line, such as "leg-blocked at=C0 : the bishop on C0 blocks the
 * knight's step". */
enum { TASK_FAULT_BYTES = SENTENCE_BYTES + 48 };
void task_format_fault(char out[TASK_FAULT_BYTES], struct fault fault);

#endif
