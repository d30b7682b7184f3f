/* The questions that "janggi rules" answers, each a function of one task: the words of
 * the command line, or of one line of standard input. */
#ifndef CLIENT_TOOLS_RULES_TASK_H
#define CLIENT_TOOLS_RULES_TASK_H

#include <stdbool.h>

#include "client/tools/rules_words.h"
#include "common/game/rules.h"
#include "common/words/sentence.h"

/* What the program ends with. */
enum rules_status { RULES_OK = 0, RULES_FAILED = 1, RULES_BAD = 2, RULES_ILLEGAL = 6 };

struct task {
    const struct ruleset *rules; /* NULL: not said */
    struct words words;
    bool divides;
    bool is_flipped;
    bool is_picture;  /* SVG in place of the figure */
    const char *from; /* of --from and --to, NULL without */
    const char *to;
    char why[RULES_WHY_BYTES]; /* of any status but RULES_OK */
};

/* Each writes its answer to standard output if and only if it returns RULES_OK. */
enum rules_status rules_answer_legal(struct task *task);
enum rules_status rules_answer_perft(struct task *task);
enum rules_status rules_answer_why(struct task *task);
enum rules_status rules_answer_show(struct task *task);
enum rules_status rules_answer_play(struct task *task);
enum rules_status rules_answer_convert(struct task *task);

/* The ruleset asked for, or the default. */
const struct ruleset *task_rules(const struct task *task);

/* Takes a start that a game may begin from. False: task->why. */
bool task_take_start(struct task *task, struct position *out) MUST_USE;

/* What the rules say of a move as it was written: kind is the letter before it. */
struct fault task_judge(const struct ruleset *rules, const struct position *position,
                        struct move move, enum kind kind);

/* "leg-blocked at=C0 : the bishop on C0 blocks the knight's step" */
enum { TASK_FAULT_BYTES = SENTENCE_BYTES + 48 };
void task_format_fault(char out[TASK_FAULT_BYTES], struct fault fault);

#endif
