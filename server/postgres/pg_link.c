/* See pg_link.h. */
#include "server/postgres/pg_link.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "server/postgres/pg_rows.h"

enum {
    WHY_BYTES = sizeof(((struct pg_refusal *)0)->why),
    PLACE_BYTES = 256,
    OTHERS_MS = 1000,    /* how long another host is waited for, which may be newer */
    LOOK_MS = 500,       /* how often a wait checks whether it has to end earlier */
    ANSWER_MUST = 120000 /* limit of the doubled time. We close the connection after a
                          * missed deadline, but a primary that waits for its standby
                          * keeps the connection. The time is doubled so that there are
                          * fewer such connections */
};

static const struct {
    const char *name;
    int connect_ms; /* time to connect, and time to look at the tables */
    int answer_ms;  /* time for an answer; doubled after each missed deadline */
} roles[] = {[PG_WRITER] = {"writer", 5000, 15000},
             [PG_READER] = {"reader", 5000, 15000},
             [PG_LEASE] = {"lease", 2500, 2500}}; /* shorter than a lease lasts */

/* The highest timeline of a server to which a link of this process was connected. A
 * promotion makes a new timeline. So a link to a server with a lower one speaks to a
 * former primary, which may hang; the link is left at once. */
static atomic_llong newest_timeline;

/* A host of the URL. */
struct host {
    char name[PLACE_BYTES], address[PLACE_BYTES], port[PLACE_BYTES]; /* as for libpq */
    char why[WHY_BYTES]; /* the last complaint; "": none since the last success */

    /* While the primary is looked for. */
    PGconn *connection; /* NULL: it is no candidate any more */
    PostgresPollingStatusType state;
    int64_t timeline, started; /* of the server */
    int64_t batches;           /* the last key of batch; 0: there is none */
};

/* A statement that is prepared on the present connection. */
struct prepared {
    char *sql;
    int number; /* its name */
    UT_hash_handle hh;
};

struct pg_link {
    char *url;
    bool is_sync_outside; /* the operator takes care of a second copy, so synchronous
                           * standbys are not required */
    enum pg_role role;
    const atomic_llong *end_ms; /* see pg_link_new() */
    struct host *hosts, *host;  /* the one that is used */
    int host_count;
    PGconn *connection; /* NULL: not open */
    struct prepared *prepared;
    int prepared_count; /* also of statements that were forgotten */
    int64_t timeline;   /* of the server; 0: not known */
    int64_t deadline_ms;
    int64_t answer_ms;
    bool is_warned;            /* a warning has come since the calls were sent */
    bool is_foreign;           /* another version of janggid made the tables */
    struct pg_refusal refusal; /* the last one */
    bool is_opening;           /* deadline_ms is that of pg_link_open() */
};

/* --- Calls --- */

void pg_calls_clear(struct pg_calls *calls)
{
    calls->count = 0;
    calls->used = 0;
}

void pg_calls_free(struct pg_calls *calls)
{
    free(calls->call);
    free(calls->bytes);
    *calls = (struct pg_calls){0};
}

struct pg_call *pg_calls_add(struct pg_calls *calls, const char *sql)
{
    struct pg_call *call;

    calls->call =
        mem_grow(calls->call, calls->count, &calls->room, 32, sizeof *calls->call);
    call = &calls->call[calls->count++];
    *call = (struct pg_call){.sql = sql};
    return call;
}

void pg_calls_bytes(struct pg_calls *calls, const void *bytes, size_t size)
{
    struct pg_call *call = &calls->call[calls->count - 1];

    assert(call->count < PG_PARAMS_MAX && size <= INT_MAX);
    call->at[call->count] = calls->used;
    call->size[call->count++] = bytes != NULL ? (int)size : -1;
    if (bytes == NULL)
        return;
    if (calls->used + size >= calls->bytes_room) { /* `bytes` is never NULL */
        calls->bytes_room = 2 * (calls->used + size) + 4096;
        calls->bytes = mem_resize(calls->bytes, calls->bytes_room, 1);
    }
    memcpy(calls->bytes + calls->used, bytes, size);
    calls->used += size;
}

void pg_calls_number(struct pg_calls *calls, int64_t number)
{
    unsigned char bytes[8];

    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)number >> (56 - 8 * i));
    pg_calls_bytes(calls, bytes, sizeof bytes);
}

void pg_calls_text(struct pg_calls *calls, const char *text)
{
    pg_calls_bytes(calls, text, text != NULL ? strlen(text) : 0);
}

static int64_t number_at(const void *bytes)
{
    uint64_t number = 0;

    for (int i = 0; i < 8; i++)
        number = number << 8 | ((const unsigned char *)bytes)[i];
    return (int64_t)number;
}

const struct pg_call *pg_calls_find(const struct pg_calls *calls, const char *sql,
                                    int64_t number)
{
    for (int i = calls->count - 1; i >= 0; i--)
        if (calls->call[i].sql == sql &&
            number_at(calls->bytes + calls->call[i].at[0]) == number)
            return &calls->call[i];
    return NULL;
}

/* --- Complaints --- */

static const char former_primary[] = "another server has been promoted";

static void copy_line(char out[WHY_BYTES], const char *words)
{
    size_t size = strcspn(words, "\n");

    text_cut(out, WHY_BYTES, words, size < WHY_BYTES ? size : WHY_BYTES - 1);
}

void pg_link_complain(struct pg_link *link, const char *why)
{
    char line[WHY_BYTES];

    copy_line(line, why[0] != '\0' ? why : "no reason was given");
    if (strcmp(line, link->host->why) == 0)
        return;
    memcpy(link->host->why, line, sizeof line);
    log_warn("store postgres=away role=%s why=\"%s\"", roles[link->role].name, line);
}

void pg_link_note_success(struct pg_link *link)
{
    bool was_away = false;

    for (int i = 0; i < link->host_count; i++) {
        was_away |= link->hosts[i].why[0] != '\0';
        link->hosts[i].why[0] = '\0';
    }
    if (was_away)
        log_warn("store postgres=back role=%s", roles[link->role].name);
}

/* Notes a warning of PostgreSQL. If a commit succeeds after the wait for the standby
 * was cancelled, PostgreSQL sends a warning of class 01. Other warnings are not
 * expected, so every warning sets is_warned. */
static void on_notice(void *arg, const PGresult *notice)
{
    const char *severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
    struct pg_link *link = arg;

    if (severity == NULL || strcmp(severity, "WARNING") != 0)
        return;
    link->is_warned = true;
    log_warn("store postgres=warning role=%s why=\"%s\"", roles[link->role].name,
             PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY));
}

/* --- Waiting --- */

static void begin_wait(struct pg_link *link, int64_t ms)
{
    link->deadline_ms = mono_now_ms() + ms;
}

static void begin_answer(struct pg_link *link)
{
    if (!link->is_opening)
        begin_wait(link, link->answer_ms);
}

/* Returns the time until the deadline of this wait, or until the end of all waits if
 * that is earlier. */
static int64_t left_ms(const struct pg_link *link)
{
    int64_t end_ms = link->end_ms != NULL ? atomic_load(link->end_ms) : 0;

    return (end_ms != 0 ? mono_earlier_ms(end_ms, link->deadline_ms)
                        : link->deadline_ms) -
           mono_now_ms();
}

static bool is_stale(const struct pg_link *link)
{
    return link->timeline != 0 && link->timeline < atomic_load(&newest_timeline);
}

/* Waits until the socket can be read, or written. False: the deadline passed, or poll()
 * failed. A test may set the clock forward: then the wait ends early. */
static bool wait_for_socket(const struct pg_link *link, int events)
{
    struct pollfd fd = {.fd = PQsocket(link->connection), .events = (short)events};
    int64_t left;
    int ready;

    do {
        left = left_ms(link);
        if (left <= 0 || is_stale(link))
            return false;
        ready = poll(&fd, 1, left < LOOK_MS ? (int)left : LOOK_MS);
    } while (ready == 0 || (ready < 0 && errno == EINTR));
    return ready > 0;
}

/* Sends the bytes that wait to be sent, and reads until a result is complete. False:
 * the connection is lost, or the deadline passed. */
static bool wait_for_result(struct pg_link *link)
{
    for (;;) {
        int unsent = PQflush(link->connection);

        if (unsent < 0)
            return false;
        if (unsent == 0 && PQisBusy(link->connection) == 0)
            return true;
        if (!wait_for_socket(link, POLLIN | (unsent == 1 ? POLLOUT : 0)) ||
            PQconsumeInput(link->connection) == 0)
            return false;
    }
}

/* --- Running calls --- */

static void forget_prepared(struct pg_link *link)
{
    struct prepared *each, *next;

    HASH_ITER (hh, link->prepared, each, next) {
        HASH_DEL(link->prepared, each);
        free(each->sql);
        free(each);
    }
}

static void close_connection(struct pg_link *link)
{
    PQfinish(link->connection); /* accepts NULL */
    link->connection = NULL;
    link->timeline = 0;
    forget_prepared(link);
}

static bool send_call(struct pg_link *link, const struct pg_calls *calls,
                      struct pg_call *call)
{
    const char *values[PG_PARAMS_MAX];
    int formats[PG_PARAMS_MAX];
    struct prepared *known;
    char name[16];
    struct text text = text_into(name, sizeof name);

    HASH_FIND_STR(link->prepared, call->sql, known);
    call->is_new = known == NULL;
    if (call->is_new) {
        known = mem_new(sizeof *known);
        known->sql = mem_copy_text(call->sql);
        known->number = link->prepared_count++;
        HASH_ADD_KEYPTR(hh, link->prepared, known->sql, strlen(known->sql), known);
    }
    text_addf(&text, "s%d", known->number);
    for (int i = 0; i < call->count; i++) {
        values[i] = call->size[i] < 0 ? NULL : (const char *)calls->bytes + call->at[i];
        formats[i] = 1;
    }
    return (!call->is_new ||
            PQsendPrepare(link->connection, name, call->sql, 0, NULL) == 1) &&
           PQsendQueryPrepared(link->connection, name, call->count, values, call->size,
                               formats, 1) == 1;
}

/* True if the call failed. A COMMIT in a failed transaction gives no error, but the
 * result ROLLBACK. */
static bool is_refused(const struct pg_call *call, PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);

    return status == PGRES_FATAL_ERROR || status == PGRES_PIPELINE_ABORTED ||
           (!call->is_new && strcmp(call->sql, PG_COMMIT) == 0 &&
            strcmp(PQcmdStatus(result), PG_COMMIT) != 0);
}

static void note_refusal(struct pg_link *link, const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *constraint = PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);
    struct pg_refusal *out = &link->refusal;

    text_copy(out->sqlstate, sizeof out->sqlstate, state != NULL ? state : "");
    text_copy(out->constraint, sizeof out->constraint,
              constraint != NULL ? constraint : "");
    copy_line(out->why, PQresultErrorMessage(result));
    log_debug("store postgres=refused why=\"%s\"", out->why);
}

/* Reads the results of all calls. Sets *is_good to false if a call was refused. Rows
 * come one at a time, so that a long table does not fill the memory. False: the
 * connection is lost. */
static bool take_results(struct pg_link *link, struct pg_calls *calls, pg_row_fn *row,
                         void *arg, bool *is_good)
{
    struct pg_call *call = calls->call, *end = call + calls->count;
    PGresult *result;
    int64_t affected;
    bool is_synced;

    while (call < end) {
        if (row != NULL)
            PQsetSingleRowMode(link->connection);
        if (!wait_for_result(link))
            return false;
        result = PQgetResult(link->connection);
        if (result == NULL && call->is_new) /* it is prepared; now it runs */
            call->is_new = false;
        else if (result == NULL)
            call++;
        if (result == NULL)
            continue;
        /* Rows are arriving: the time for an answer begins again. */
        begin_answer(link);
        if (is_refused(call, result)) {
            if (*is_good)
                note_refusal(link, result);
            *is_good = false;
        } else {
            if (call->affected != NULL &&
                text_to_int(PQcmdTuples(result), 0, INT_MAX, &affected))
                *call->affected = (int)affected;
            assert(row == NULL || PQntuples(result) <= 1);
            if (row != NULL && PQntuples(result) == 1)
                row(arg, result);
        }
        PQclear(result);
    }
    if (!wait_for_result(link))
        return false;
    result = PQgetResult(link->connection);
    is_synced = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
    PQclear(result);
    return is_synced;
}

static enum pg_outcome lose(struct pg_link *link)
{
    bool was_stale = is_stale(link), was_late = left_ms(link) <= 0,
         is_ending = link->end_ms != NULL && atomic_load(link->end_ms) != 0;

    if (was_late && !link->is_opening && link->role != PG_LEASE &&
        link->answer_ms < ANSWER_MUST)
        link->answer_ms *= 2;
    pg_link_complain(link, was_stale          ? former_primary
                           : !was_late        ? PQerrorMessage(link->connection)
                           : link->is_opening ? "no answer"
                           : is_ending        ? "no answer before the server had to end"
                                              : "no answer; is a standby missing?");
    close_connection(link);
    return PG_DOUBTFUL;
}

static enum pg_outcome run(struct pg_link *link, struct pg_calls *calls, pg_row_fn *row,
                           void *arg)
{
    bool is_good = true;

    if (link->connection == NULL)
        return PG_DOUBTFUL;
    link->is_warned = false;
    begin_answer(link);
    for (int i = 0; i < calls->count; i++)
        if (!send_call(link, calls, &calls->call[i]))
            return lose(link);
    if (PQpipelineSync(link->connection) != 1 ||
        !take_results(link, calls, row, arg, &is_good))
        return lose(link);
    if (is_good)
        return PG_DONE;
    forget_prepared(link); /* some may not have been prepared */
    return PG_REFUSED;
}

enum pg_outcome pg_link_run(struct pg_link *link, struct pg_calls *calls,
                            pg_row_fn *row, void *arg)
{
    enum pg_outcome outcome = run(link, calls, row, arg);
    struct pg_calls undo = {0};

    if (outcome != PG_REFUSED || PQtransactionStatus(link->connection) == PQTRANS_IDLE)
        return outcome;
    pg_calls_add(&undo, "ROLLBACK");
    if (run(link, &undo, NULL, NULL) == PG_REFUSED)
        close_connection(link);
    pg_calls_free(&undo);
    return outcome;
}

enum pg_outcome pg_link_ask(struct pg_link *link, const char *sql,
                            const int64_t *number, pg_row_fn *row, void *arg)
{
    struct pg_calls calls = {0};
    enum pg_outcome outcome;

    pg_calls_add(&calls, sql);
    if (number != NULL)
        pg_calls_number(&calls, *number);
    outcome = pg_link_run(link, &calls, row, arg);
    pg_calls_free(&calls);
    if (outcome == PG_REFUSED)
        pg_link_complain(link, link->refusal.why);
    return outcome;
}

struct numbers {
    int64_t *out;
    int count;
    bool is_seen;
};

static void see_numbers(void *arg, const PGresult *row)
{
    struct numbers *numbers = arg;

    numbers->is_seen = true;
    for (int i = 0; i < numbers->count; i++)
        numbers->is_seen = pg_link_number(row, i, &numbers->out[i]) && numbers->is_seen;
}

bool pg_link_ask_numbers(struct pg_link *link, const char *sql, int64_t *out, int count)
{
    struct numbers numbers = {out, count, false};

    return pg_link_ask(link, sql, NULL, see_numbers, &numbers) == PG_DONE &&
           numbers.is_seen;
}

const struct pg_refusal *pg_link_refusal(const struct pg_link *link)
{
    return &link->refusal;
}

/* --- Commits --- */

/* The settings on which a commit depends. The results of the other calls of a commit have
 * fewer columns. */
static const char check_sql[] =
    "SELECT current_setting('synchronous_commit'),"
    " current_setting('synchronous_standby_names'), current_setting('fsync'),"
    " current_setting('server_encoding'), pg_is_in_recovery()::text";
enum { CHECK_COLUMNS = 5 };

struct check {
    struct pg_link *link;
    bool is_safe;
};

static void see_check(void *arg, const PGresult *row)
{
    struct check *check = arg;
    bool is_outside = check->link->is_sync_outside;
    const char *word[CHECK_COLUMNS], *danger = NULL;

    if (PQnfields(row) != CHECK_COLUMNS)
        return;
    for (int i = 0; i < CHECK_COLUMNS; i++)
        if (!pg_link_text(row, i, &word[i]))
            word[i] = "";
    if (strcmp(word[4], "false") != 0)
        danger = "this is a standby";
    else if (strcmp(word[3], "UTF8") != 0)
        danger = "the encoding of the database is not UTF8";
    else if (strcmp(word[2], "on") != 0)
        danger = "fsync is off: a power failure would lose acknowledged moves";
    else if (strcmp(word[0], "on") != 0 && strcmp(word[0], "remote_apply") != 0 &&
             !(is_outside && strcmp(word[0], "local") == 0))
        danger =
            "synchronous_commit must be on: a failure would lose acknowledged moves";
    else if (!is_outside && word[1][0] == '\0')
        danger = "synchronous_standby_names is empty: the loss of this machine would "
                 "lose acknowledged moves; see --store-sync";
    check->is_safe = danger == NULL;
    if (danger != NULL)
        pg_link_complain(check->link, danger);
}

/* Sends the check after the calls, so that it sees the settings at the time of the commit
 * or later. */
enum pg_outcome pg_link_commit(struct pg_link *link, struct pg_calls *calls)
{
    struct check check = {.link = link};
    enum pg_outcome outcome;

    pg_calls_add(calls, check_sql);
    outcome = pg_link_run(link, calls, see_check, &check);
    if (outcome != PG_DONE)
        return outcome;
    if (check.is_safe && !link->is_warned) {
        link->answer_ms = roles[link->role].answer_ms;
        pg_link_note_success(link);
        return PG_DONE;
    }
    close_connection(link);
    return PG_DOUBTFUL;
}

enum pg_outcome pg_link_commit_own(struct pg_link *link)
{
    struct pg_calls calls = {0};
    enum pg_outcome outcome;

    pg_calls_add(&calls, PG_BEGIN);
    pg_calls_add(&calls, "SELECT pg_logical_emit_message(true, 'janggid', '')::text");
    pg_calls_add(&calls, PG_COMMIT);
    outcome = pg_link_commit(link, &calls);
    pg_calls_free(&calls);
    return outcome;
}

bool pg_link_is_safe(struct pg_link *link)
{
    struct check check = {.link = link};

    if (pg_link_ask(link, check_sql, NULL, see_check, &check) == PG_DONE &&
        check.is_safe)
        return true;
    close_connection(link);
    return false;
}

/* --- The hosts --- */

static const char *find_option(const PQconninfoOption *options, const char *name)
{
    for (const PQconninfoOption *o = options; o != NULL && o->keyword != NULL; o++)
        if (strcmp(o->keyword, name) == 0)
            return o->val != NULL ? o->val : "";
    return "";
}

/* True if the URL names a host or an address. A Unix socket is not enough, because the
 * sandbox does not let us open one again. */
static bool has_host(const PQconninfoOption *options)
{
    const char *host = find_option(options, "host");

    if (find_option(options, "hostaddr")[0] != '\0')
        return true;
    return host[0] != '\0' && strchr("/@", host[0]) == NULL &&
           strstr(host, ",/") == NULL && strstr(host, ",@") == NULL;
}

/* Returns how many bytes of the message may be shown. libpq quotes the part of the URL
 * that it does not understand. This part may be a password, so quoted text is not
 * shown. Only the name of an unknown option is shown. */
static int size_to_show(const char *why)
{
    bool is_name = strncmp(why, "invalid URI query parameter:", 28) == 0;
    const char *end = is_name ? NULL : strstr(why, ": \"");

    return (int)(end != NULL ? (size_t)(end - why) : strcspn(why, "\n"));
}

/* Refuses a URL with a password, because other users can see a command line, and
 * because the log and --print-config show the options. The password belongs in a file.
 * sslpassword is the password of the TLS key. */
static bool check_options(const PQconninfoOption *options, const char *why)
{
    if (options == NULL)
        log_warn("store why=\"--store: %.*s\"", why != NULL ? size_to_show(why) : 13,
                 why != NULL ? why : "out of memory");
    else if (find_option(options, "password")[0] != '\0' ||
             find_option(options, "sslpassword")[0] != '\0')
        log_warn("store why=\"--store must not contain the password\" : put it into a "
                 "file as for psql, and name that with passfile=/PATH");
    else if (!has_host(options))
        log_warn("store why=\"--store needs a host name or an address\" : Unix sockets "
                 "are not used");
    else
        return true;
    return false;
}

/* Copies item number `which`, from 0, of a list like a,b,c, or the last one that it has. */
static void copy_item(char out[PLACE_BYTES], const char *list, int which)
{
    for (const char *at; which > 0 && (at = strchr(list, ',')) != NULL; which--)
        list = at + 1;
    text_cut(out, PLACE_BYTES, list, strcspn(list, ","));
}

static void find_hosts(struct pg_link *link, const PQconninfoOption *options)
{
    const char *names = find_option(options, "host");
    const char *addresses = find_option(options, "hostaddr");
    const char *port = getenv("PGPORT");

    link->host_count = 1;
    for (const char *at = addresses[0] != '\0' ? addresses : names; *at != '\0'; at++)
        link->host_count += *at == ',';
    link->hosts = mem_new((size_t)link->host_count * sizeof *link->hosts);
    link->host = link->hosts;
    for (int i = 0; i < link->host_count; i++) {
        struct host *host = &link->hosts[i];

        copy_item(host->name, names, i);
        copy_item(host->address, addresses, i);
        copy_item(host->port, find_option(options, "port"), i);
        /* libpq reads "postgres://a,b/c" as two hosts and the ports ",": an empty one
         * would be replaced by that list. */
        if (host->port[0] == '\0')
            text_copy(host->port, PLACE_BYTES, port != NULL ? port : "5432");
    }
}

struct pg_link *pg_link_new(const struct store_place *place, enum pg_role role,
                            const atomic_llong *end_ms)
{
    char *why = NULL;
    PQconninfoOption *options = PQconninfoParse(place->url, &why);
    struct pg_link *link = NULL;

    if (check_options(options, why)) {
        link = mem_new(sizeof *link);
        link->url = mem_copy_text(place->url);
        link->is_sync_outside = place->is_sync_outside;
        link->role = role;
        link->end_ms = end_ms;
        link->answer_ms = roles[link->role].answer_ms;
        find_hosts(link, options);
    }
    PQfreemem(why);
    PQconninfoFree(options);
    return link;
}

void pg_link_free(struct pg_link *link)
{
    if (link == NULL)
        return;
    close_connection(link);
    free(link->hosts);
    free(link->url);
    free(link);
}

bool pg_link_is_open(const struct pg_link *link)
{
    return link->connection != NULL;
}

bool pg_link_is_foreign(const struct pg_link *link)
{
    return link->is_foreign;
}

/* --- Opening --- */

/* Begins to connect to a host of the URL, but only if this host is the primary:
 * a standby may show an event before the event is acknowledged. The keepalive options
 * and tcp_user_timeout make us notice a lost peer after some 15 s.
 *
 * The order of the options matters. If an option stands before "dbname" (the URL), the
 * URL may replace its value. If an option stands after "dbname", it replaces the value
 * in the URL, unless its own value is empty. So the options host, hostaddr and port
 * replace the list of hosts in the URL by one host. With the list, libpq would wait for
 * the first host without a limit. */
static void start_connecting(const struct pg_link *link, struct host *host)
{
    char application[32];
    struct text name = text_into(application, sizeof application);
    const char *const names[] = {"keepalives_idle",
                                 "keepalives_interval",
                                 "keepalives_count",
                                 "tcp_user_timeout",
                                 "dbname",
                                 "host",
                                 "hostaddr",
                                 "port",
                                 "target_session_attrs",
                                 "application_name",
                                 "client_encoding",
                                 NULL};
    const char *const values[] = {"5",          "3",         "3",           "15000",
                                  link->url,    host->name,  host->address, host->port,
                                  "read-write", application, "UTF8",        NULL};

    text_addf(&name, "janggid %s", roles[link->role].name);
    host->connection = PQconnectStartParams(names, values, 1);
    host->state = PQstatus(host->connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED
                                                               : PGRES_POLLING_WRITING;
}

static void drop(struct host *host)
{
    PQfinish(host->connection);
    host->connection = NULL;
}

static bool is_pending(const struct host *host)
{
    return host->state == PGRES_POLLING_READING || host->state == PGRES_POLLING_WRITING;
}

/* Connects to all hosts at once. As soon as one can be written, the others have OTHERS_MS
 * to answer. Returns how many can be written. */
static int connect_all(struct pg_link *link)
{
    struct pollfd *fds = mem_new((size_t)link->host_count * sizeof *fds);
    struct host *hosts = link->hosts, *end = hosts + link->host_count;
    int found = 0, waiting = link->host_count;
    int64_t left;

    for (struct host *host = hosts; host < end; host++)
        start_connecting(link, host);
    while (waiting > 0 && (left = left_ms(link)) > 0) {
        for (struct host *host = hosts; host < end; host++)
            fds[host - hosts] = (struct pollfd){
                .fd = is_pending(host) ? PQsocket(host->connection) : -1,
                .events = host->state == PGRES_POLLING_READING ? POLLIN : POLLOUT};
        if (poll(fds, (nfds_t)link->host_count, left < LOOK_MS ? (int)left : LOOK_MS) <
                0 &&
            errno != EINTR)
            break;
        found = waiting = 0;
        for (struct host *host = hosts; host < end; host++) {
            if (is_pending(host) && fds[host - hosts].revents != 0)
                host->state = PQconnectPoll(host->connection);
            waiting += is_pending(host);
            found += host->state == PGRES_POLLING_OK;
        }
        if (found > 0 && left > OTHERS_MS)
            begin_wait(link, OTHERS_MS);
    }
    for (struct host *host = hosts; host < end; host++) {
        if (host->state == PGRES_POLLING_OK &&
            PQsetnonblocking(host->connection, 1) == 0 &&
            PQenterPipelineMode(host->connection) == 1)
            continue;
        link->host = host;
        if (found == 0)
            pg_link_complain(link, is_pending(host) ? "no answer"
                                                    : PQerrorMessage(host->connection));
        drop(host);
    }
    free(fds);
    return found;
}

static void use_host(struct pg_link *link, struct host *host)
{
    link->host = host;
    link->connection = host->connection;
    forget_prepared(link);
}

/* Asks the server of a candidate. has_rivals: also how far its log goes. */
static void inspect(struct pg_link *link, struct host *host, bool has_rivals)
{
    int64_t facts[3] = {0};

    use_host(link, host);
    PQsetNoticeReceiver(link->connection, on_notice, link);
    host->batches = 0;
    if (!pg_link_ask_numbers(
            link,
            "SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))"
            "::bit(32)::bigint, (extract(epoch FROM pg_postmaster_start_time())"
            " * 1000000)::bigint,"
            " (to_regclass('janggid.batch') IS NOT NULL)::int::bigint",
            facts, ARRAY_LEN(facts)) ||
        (has_rivals && facts[2] == 1 &&
         !pg_link_ask_numbers(link, "SELECT coalesce(max(seq), 0) FROM janggid.batch",
                              &host->batches, 1))) {
        if (link->connection != NULL)
            drop(host);
        host->connection = NULL; /* the link has closed it */
    }
    host->timeline = facts[0];
    host->started = facts[1];
}

/* Returns the candidate with the highest timeline and log; NULL, after logging: there is
 * none, or two with an equal claim. */
static struct host *choose(struct pg_link *link, int found)
{
    struct host *hosts = link->hosts, *end = hosts + link->host_count, *best = NULL;
    char why[WHY_BYTES];
    struct text text = text_into(why, sizeof why);

    for (struct host *host = hosts; host < end; host++) {
        bool is_same = false; /* as an earlier one: two names of one server */

        if (host->connection != NULL)
            inspect(link, host, found > 1);
        if (host->connection == NULL)
            continue;
        for (struct host *other = hosts; other < host; other++)
            is_same |= other->connection != NULL && other->timeline == host->timeline &&
                       other->started == host->started;
        if (is_same)
            drop(host);
        else if (best == NULL || host->timeline > best->timeline)
            best = host;
    }
    for (struct host *host = hosts; host < end; host++) {
        /* The best one was promoted later, and its log goes at least as far. */
        if (host->connection == NULL || host == best ||
            (best->timeline > host->timeline && best->batches >= host->batches))
            continue;
        text_addf(&text,
                  "%s:%s and %s:%s can both be written, and neither has clearly the "
                  "later log; stop the one that is not the primary",
                  best->name, best->port, host->name, host->port);
        link->host = best;
        pg_link_complain(link, why);
        return NULL;
    }
    return best;
}

/* Makes the tables, unless the role is "reader". If two connections do this at once, one
 * of them fails and tries again. With its TCP settings PostgreSQL notices a vanished peer
 * as soon as we do: see start_connecting(). */
static bool bring_schema(struct pg_link *link)
{
    char sql[PG_ROWS_MAKE_BYTES];
    int64_t is_there, version;

    if (pg_link_ask(link,
                    "SELECT set_config('client_min_messages', 'warning', false),"
                    " set_config('search_path', 'janggid', false),"
                    " set_config('tcp_keepalives_idle', '5', false),"
                    " set_config('tcp_keepalives_interval', '3', false),"
                    " set_config('tcp_keepalives_count', '3', false),"
                    " set_config('tcp_user_timeout', '15000', false)",
                    NULL, NULL, NULL) != PG_DONE ||
        !pg_link_ask_numbers(
            link, "SELECT (to_regclass('janggid.schema') IS NOT NULL)::int::bigint",
            &is_there, 1))
        return false;
    if (is_there == 0 && link->role == PG_READER) {
        pg_link_complain(link, "this database holds no log of janggid");
        return false;
    }
    pg_rows_make_sql(sql);
    if ((is_there == 0 && pg_link_ask(link, sql, NULL, NULL, NULL) != PG_DONE) ||
        !pg_link_ask_numbers(link, "SELECT version FROM schema", &version, 1))
        return false;
    link->is_foreign = version != PG_ROWS_SCHEMA;
    if (link->is_foreign)
        pg_link_complain(link, "made by another version of janggid; run that one");
    return !link->is_foreign;
}

bool pg_link_open(struct pg_link *link)
{
    struct host *best;
    long long newest = atomic_load(&newest_timeline);
    int found;

    if (link->connection != NULL)
        return true;
    link->is_opening = true;
    begin_wait(link, roles[link->role].connect_ms);
    found = connect_all(link);
    begin_wait(link, roles[link->role].connect_ms);
    best = choose(link, found);
    link->connection = NULL;
    for (struct host *host = link->hosts; host < link->hosts + link->host_count; host++)
        if (host != best)
            drop(host);
    if (best != NULL) {
        use_host(link, best);
        best->connection = NULL;
        link->timeline = best->timeline;
        while (newest < link->timeline &&
               !atomic_compare_exchange_weak(&newest_timeline, &newest, link->timeline))
            ;
        if (is_stale(link))
            pg_link_complain(link, former_primary);
        if (is_stale(link) || !bring_schema(link))
            close_connection(link);
    }
    link->is_opening = false;
    return link->connection != NULL;
}

/* --- Values --- */

bool pg_link_number(const PGresult *row, int column, int64_t *out)
{
    if (PQgetlength(row, 0, column) != 8)
        return false;
    *out = number_at(PQgetvalue(row, 0, column));
    return true;
}

bool pg_link_int(const PGresult *row, int column, int *out)
{
    int64_t number;

    if (!pg_link_number(row, column, &number) || number < 0 || number >= INT_MAX)
        return false;
    *out = (int)number;
    return true;
}

bool pg_link_text(const PGresult *row, int column, const char **out)
{
    *out = PQgetvalue(row, 0, column);
    return PQgetisnull(row, 0, column) == 0 &&
           strlen(*out) == (size_t)PQgetlength(row, 0, column);
}

bool pg_link_bytes(const PGresult *row, int column, void *out, size_t size)
{
    if (PQgetlength(row, 0, column) != (int)size)
        return false;
    memcpy(out, PQgetvalue(row, 0, column), size);
    return true;
}
