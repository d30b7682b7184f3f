/* See question.h. A new connection for each question: a server closes a connection that
 * does not log in. */
#include "client/online/question.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/exit.h"
#include "client/net/visit.h"
#include "client/view/json.h"
#include "client/view/notice.h"
#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/text.h"
#include "common/base/translate.h"

enum {
    BYTES_MAX =
        4 << 20, /* no record is longer; a server that sends more is not trusted */
    EVERY_S = 30,
    EVERY_MIN_S = 5,
    EVERY_MAX_S = 24 * 60 * 60
};

static void finish(struct question *question, int code, bool is_passing)
{
    question->code = code;
    question->is_passing = is_passing;
    visit_leave(question->visit);
}

static void fail(struct question *question, const char *why)
{
    fprintf(stderr, "janggi: %s\n", why);
    finish(question, CLIENT_EXIT_ERROR, false);
}

static void on_ready(void *owner, const struct proto_line *line, bool is_first)
{
    struct question *question = owner;

    (void)line;
    (void)is_first;
    (void)visit_send(question->visit, question->command, -1, false);
}

static void on_text(void *owner, const struct visit_request *request, const char *row)
{
    struct question *question = owner;

    (void)request;
    if (question->rows.len + strlen(row) + 2 > BYTES_MAX) {
        fail(question, _("the server sends too much data"));
        return;
    }
    record_text_add(&question->rows, row);
    record_text_add(&question->rows, "\n");
}

static void on_refused(void *owner, const struct proto_line *line)
{
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    (void)owner;
    told_refusal(&text, line);
    fputs(words, stderr);
}

static void on_answer(void *owner, const struct visit_request *request,
                      const struct proto_line *line, int64_t now_ms)
{
    struct question *question = owner;
    bool is_ok = line->mark == PROTO_OK;

    (void)request;
    (void)now_ms;
    text_copy(question->name, sizeof question->name, words_value(line, "name", ""));
    if (!is_ok)
        on_refused(question, line);
    finish(question, is_ok ? CLIENT_EXIT_OK : CLIENT_EXIT_REFUSED,
           !is_ok && line->words > 0 && strcmp(line->word[0], "slow-down") == 0);
}

/* Prints the reason why the server closes the connection. */
static void on_notice(void *owner, const struct proto_line *line, int64_t now_ms)
{
    static const struct model nobody;
    char words[PROTO_LINE_MAX + 512];
    struct text text = text_into(words, sizeof words);

    (void)owner;
    (void)now_ms;
    if (notice_use(line) == NOTICE_BYE)
        notice_say(&text, &nobody, line, false);
    fputs(words, stderr);
}

static void on_bad_line(void *owner)
{
    struct question *question = owner;

    if (question->command != NULL) /* a record of a game must be complete */
        fail(question, _("the server sends characters that cannot be shown"));
}

static void on_end(void *owner, enum visit_end end)
{
    struct question *question = owner;
    int code = visit_exit_code(end);
    char words[VISIT_WORDS_BYTES];

    visit_describe_end(words, question->visit, end);
    fputs(words, stderr);
    finish(question, code,
           end != VISIT_DISMISSED &&
               (code == CLIENT_EXIT_LOST || end == VISIT_TURNED_AWAY));
}

int question_ask(struct question *question)
{
    static const struct visit_calls calls = {
        .on_refused = on_refused,
        .on_ready = on_ready,
        .on_notice = on_notice,
        .on_text = on_text,
        .on_answer = on_answer,
        .on_bad_line = on_bad_line,
        .on_end = on_end,
    };
    struct visit_wish wish = {.prefs = question->prefs,
                              .to = question->to,
                              .name = "",
                              .is_guest = question->command != NULL,
                              .is_question = question->command == NULL};

    question->code = CLIENT_EXIT_LOST;
    question->is_passing = true;
    if (!visit_run(&question->visit, &wish, &calls, question)) {
        question->is_passing = false;
        return CLIENT_EXIT_ERROR;
    }
    return question->code;
}

/* --- The tasks `janggi due` and `janggi wait` --- */

/* Asks the server once which games wait for the player, and prints them. Returns an
 * exit code. For *is_passing see struct question. */
static int print_due(const struct prefs *prefs, const struct link *to, bool *is_passing)
{
    static struct model model; /* static because it is large; only its name is set */
    struct question question = {.prefs = prefs, .to = to};
    int code = question_ask(&question);
    char *row = question.rows.at;

    *is_passing = question.is_passing;
    text_copy(model.name, sizeof model.name, question.name);
    if (code == CLIENT_EXIT_OK && question.rows.len == 0)
        code = QUESTION_NO_GAME;
    for (char *end; code == CLIENT_EXIT_OK && *row != '\0'; row = end + 1) {
        char words[JSON_BYTES];
        struct text text = text_into(words, sizeof words);

        end = strchr(row, '\n');
        *end = '\0';
        if (prefs->is_json)
            json_said(&text, &(struct said){SAID_ROW, .verb = "due", .row = row});
        else
            told_row(&text, &model, row);
        fputs(words, stdout);
    }
    fflush(stdout);
    free(question.rows.at);
    return code;
}

static int complain(const char *words, const char *about)
{
    fprintf(stderr, "janggi: %s: %s\n", about, words);
    return CLIENT_EXIT_USAGE;
}

int question_due(const struct prefs *prefs, bool waits, int count, char **words)
{
    int64_t every_s = EVERY_S;
    bool was_reached = false, is_passing;
    char why[LINK_WHY_BYTES];
    const char *server;
    struct link to;
    int code;

    if (waits && count > 0 && text_to_int(words[count - 1], 0, INT64_MAX, &every_s)) {
        if (every_s < EVERY_MIN_S || every_s > EVERY_MAX_S)
            return complain(_("5 to 86400 seconds"), words[count - 1]);
        count--;
    }
    if (count > 1)
        return complain(waits ? _("janggi wait [LINK|HOST[:PORT]] [SECONDS]")
                              : _("janggi due [LINK|HOST[:PORT]]"),
                        _("usage"));
    server = count == 1 ? words[0] : prefs->server;
    if (!link_parse(server, &to, why))
        return complain(why, server);
    to.kind = LINK_LOBBY; /* only the server of the link is used */
    for (;; sleep((unsigned)every_s)) {
        code = print_due(prefs, &to, &is_passing);
        was_reached = was_reached || code == QUESTION_NO_GAME;
        if (!waits || (code != QUESTION_NO_GAME && !(is_passing && was_reached)))
            return code;
    }
}
