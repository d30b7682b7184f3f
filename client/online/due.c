/* See due.h. Whenever the server is asked, a new connection is made, because a server
 * closes a connection that does not log in. */
#include "client/online/due.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/exit.h"
#include "client/net/visit.h"
#include "client/view/json.h"
#include "client/view/model.h"
#include "client/view/notice.h"
#include "client/view/told.h"
#include "client/view/words.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/translate.h"

enum {
    ROWS_MAX = 200, /* more games than a player can have */
    ROW_BYTES = 2 * PROTO_LINE_MAX,
    EVERY_MIN_S = 5,
    EVERY_MAX_S = 24 * 60 * 60
};

/* One question to the server, and its answer. */
struct due {
    const struct prefs *prefs;
    struct visit *visit;
    char *row[ROWS_MAX];
    int rows;
    int code;        /* the exit code */
    bool is_passing; /* a later attempt can succeed: the server is full, restarts, says
                      * slow-down, or was not reached */
};

/* --- The answer --- */

static void print_rows(const struct due *due, const char *name)
{
    static struct model model; /* static because it is large; only its name is set */

    text_copy(model.name, sizeof model.name, name);
    for (int i = 0; i < due->rows; i++) {
        char words[ROW_BYTES];
        struct text text = text_into(words, sizeof words);

        if (due->prefs->is_json)
            json_said(&text,
                      &(struct said){SAID_ROW, .verb = "due", .row = due->row[i]});
        else
            told_row(&text, &model, due->row[i]);
        fputs(words, stdout);
    }
    fflush(stdout);
}

static void on_text(void *owner, const struct visit_request *request, const char *row)
{
    struct due *due = owner;

    (void)request;
    if (due->rows < ROWS_MAX)
        due->row[due->rows++] = mem_copy_text(row);
}

static void on_answer(void *owner, const struct visit_request *request,
                      const struct proto_line *line, int64_t now_ms)
{
    struct due *due = owner;
    char words[PROTO_LINE_MAX];
    struct text text = text_into(words, sizeof words);

    (void)request;
    (void)now_ms;
    if (line->mark == PROTO_OK) {
        print_rows(due, words_value(line, "name", ""));
        due->code = due->rows > 0 ? CLIENT_EXIT_OK : DUE_NONE;
    } else {
        told_refusal(&text, line);
        fputs(words, stderr);
        due->code = CLIENT_EXIT_REFUSED;
    }
    due->is_passing = line->mark == PROTO_ERR && line->words > 0 &&
                      strcmp(line->word[0], "slow-down") == 0;
    visit_leave(due->visit);
}

/* --- The visit --- */

/* Prints the reason why the server closes the connection. */
static void on_notice(void *owner, const struct proto_line *line, int64_t now_ms)
{
    static const struct model nobody;
    char words[PROTO_LINE_MAX + 512];
    struct text text = text_into(words, sizeof words);

    (void)owner;
    (void)now_ms;
    if (strcmp(line->word[0], "bye") == 0)
        notice_say(&text, &nobody, line, false);
    fputs(words, stderr);
}

static void on_end(void *owner, enum visit_end end)
{
    struct due *due = owner;
    char words[VISIT_WORDS_BYTES];

    visit_describe_end(words, due->visit, end);
    fputs(words, stderr);
    due->code = visit_exit_code(end);
    due->is_passing = end != VISIT_DISMISSED &&
                      (due->code == CLIENT_EXIT_LOST || end == VISIT_TURNED_AWAY);
    visit_leave(due->visit);
}

/* Asks the server once which games wait for the player, and prints them. Returns an
 * exit code. For *is_passing see struct due. */
static int ask(const struct prefs *prefs, const struct link *to, bool *is_passing)
{
    static const struct visit_calls calls = {.on_text = on_text,
                                             .on_answer = on_answer,
                                             .on_notice = on_notice,
                                             .on_end = on_end};
    struct visit_wish wish = {
        .prefs = prefs, .to = to, .name = "", .is_question = true};
    struct due due = {.prefs = prefs, .code = CLIENT_EXIT_LOST, .is_passing = true};

    *is_passing = false;
    if (!visit_run(&due.visit, &wish, &calls, &due))
        return CLIENT_EXIT_ERROR;
    while (due.rows > 0)
        free(due.row[--due.rows]);
    *is_passing = due.is_passing;
    return due.code;
}

/* --- The tasks --- */

static int complain(const char *words, const char *about)
{
    fprintf(stderr, "janggi: %s: %s\n", about, words);
    return CLIENT_EXIT_USAGE;
}

/* Writes a server to *to: the server in the link `word`, or the server in the settings
 * if `word` is NULL. If the link is invalid, prints the reason and returns false. */
static bool take_server(const struct prefs *prefs, const char *word, struct link *to)
{
    char why[LINK_WHY_BYTES];

    if (link_parse(word != NULL ? word : prefs->server, to, why)) {
        to->kind = LINK_LOBBY; /* only the server of the link is used */
        return true;
    }
    complain(why, word != NULL ? word : prefs->server);
    return false;
}

int due_run(const struct prefs *prefs, int count, char **words)
{
    bool is_passing;
    struct link to;

    if (count > 1)
        return complain(_("janggi due [LINK|HOST[:PORT]]"), _("usage"));
    return take_server(prefs, count == 1 ? words[0] : NULL, &to)
               ? ask(prefs, &to, &is_passing)
               : CLIENT_EXIT_USAGE;
}

int due_wait(const struct prefs *prefs, int count, char **words)
{
    int64_t every_s = DUE_EVERY_S;
    bool was_reached = false, is_passing;
    struct link to;
    int code;

    if (count > 0 && text_to_int(words[count - 1], 0, INT64_MAX, &every_s)) {
        if (every_s < EVERY_MIN_S || every_s > EVERY_MAX_S)
            return complain(_("5 to 86400 seconds"), words[count - 1]);
        count--;
    }
    if (count > 1)
        return complain(_("janggi wait [LINK|HOST[:PORT]] [SECONDS]"), _("usage"));
    if (!take_server(prefs, count == 1 ? words[0] : NULL, &to))
        return CLIENT_EXIT_USAGE;
    for (;; sleep((unsigned)every_s)) {
        code = ask(prefs, &to, &is_passing);
        was_reached = was_reached || code == DUE_NONE;
        if (code != DUE_NONE && !(is_passing && was_reached))
            return code;
    }
}
