/* See pg_link.h. */
#include "server/postgres/pg_link.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"

enum {
    WHY_BYTES = 300,
    CONNECT_MS = 5000,   /* time to connect, and time to prepare the statements */
    OTHERS_MS = 1000,    /* how long another host is waited for, which may be newer */
    LOOK_MS = 500,       /* how often a wait checks whether it has to end earlier */
    ANSWER_MS = 15000,   /* time for an answer; doubled after each missed deadline */
    ANSWER_MUST = 120000 /* limit of the doubled time. We close the connection after a
                          * missed deadline, but a primary that waits for its standby
                          * keeps the connection. The time is doubled so that there are
                          * fewer such connections */
};

/* The highest timeline of a server to which a link of this process was connected. A
 * promotion makes a new timeline. So a link to a server with a lower one speaks to a
 * former primary, which may hang; the link is left at once. */
static atomic_llong newest_timeline;

struct pg_link {
    struct pg_link_settings settings;
    PGconn *connection; /* NULL: not open */
    int64_t timeline;   /* of the server; 0: not known */
    int hosts, host;    /* number of hosts in the URL; index, from 0, of the one that is
                         * used */
    int64_t deadline_ms;
    int64_t answer_ms;
    bool is_warned;  /* a warning has come since the calls were sent */
    bool is_foreign; /* another version of janggid made the tables */
    char error[6], constraint[64];
    char (*why)[WHY_BYTES]; /* the last complaint about each host; "": none since the
                             * last success */
};

/* --- Complaints --- */

static const char former_primary[] = "another server has been promoted";

static void copy_line(char out[WHY_BYTES], const char *words)
{
    size_t size = strcspn(words, "\n");

    if (size >= WHY_BYTES)
        size = WHY_BYTES - 1;
    memcpy(out, words, size);
    out[size] = '\0';
}

void pg_link_complain(struct pg_link *link, const char *why)
{
    char line[WHY_BYTES];

    copy_line(line, why[0] != '\0' ? why : "no reason was given");
    if (strcmp(line, link->why[link->host]) == 0)
        return;
    memcpy(link->why[link->host], line, sizeof line);
    log_warn("store postgres=away role=%s why=\"%s\"", link->settings.role, line);
}

void pg_link_note_success(struct pg_link *link)
{
    bool was_away = false;

    for (int i = 0; i < link->hosts; i++) {
        was_away |= link->why[i][0] != '\0';
        link->why[i][0] = '\0';
    }
    if (was_away)
        log_warn("store postgres=back role=%s", link->settings.role);
}

/* --- Waiting --- */

/* Returns the time until the deadline of this wait, or until the end of all waits if
 * that is earlier. */
static int64_t left_ms(const struct pg_link *link)
{
    int64_t end_ms = atomic_load(link->settings.end_ms);
    int64_t until_ms =
        end_ms != 0 && end_ms < link->deadline_ms ? end_ms : link->deadline_ms;

    return until_ms - mono_now_ms();
}

static bool is_late(const struct pg_link *link)
{
    return left_ms(link) <= 0;
}

static bool is_stale(const struct pg_link *link)
{
    return link->timeline != 0 && link->timeline < atomic_load(&newest_timeline);
}

static bool is_ending(const struct pg_link *link)
{
    return atomic_load(link->settings.end_ms) != 0;
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

static void begin_wait(struct pg_link *link, int64_t ms)
{
    link->deadline_ms = mono_now_ms() + ms;
}

/* --- Opening and closing --- */

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
static bool check_url(const char *url)
{
    char *why = NULL;
    PQconninfoOption *options = PQconninfoParse(url, &why);
    bool is_good = false;

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
        is_good = true;
    PQfreemem(why);
    PQconninfoFree(options);
    return is_good;
}

/* Returns the beginning of item number `which`, from 0, of a list like a,b,c. If the
 * list has only one item, returns this item for every number. */
static const char *find_item(const char *list, int which)
{
    for (const char *at = list; which > 0; which--) {
        at = strchr(at, ',');
        if (at == NULL)
            return list;
        list = ++at;
    }
    return list;
}

static int count_items(const char *list)
{
    int count = 1;

    for (; *list != '\0'; list++)
        count += *list == ',';
    return count;
}

static int count_hosts(const char *url)
{
    PQconninfoOption *options = PQconninfoParse(url, NULL);
    const char *addresses = find_option(options, "hostaddr");
    int count =
        count_items(addresses[0] != '\0' ? addresses : find_option(options, "host"));

    PQconninfoFree(options);
    return count;
}

static int64_t connect_ms(const struct pg_link *link)
{
    return link->settings.wait_ms > 0 ? link->settings.wait_ms : CONNECT_MS;
}

static int64_t answer_ms(const struct pg_link *link)
{
    return link->settings.wait_ms > 0 ? link->settings.wait_ms : ANSWER_MS;
}

struct pg_link *pg_link_new(const struct pg_link_settings *settings)
{
    struct pg_link *link;

    if (!check_url(settings->url))
        return NULL;
    link = mem_new(sizeof *link);
    link->settings = *settings;
    link->hosts = count_hosts(settings->url);
    link->answer_ms = answer_ms(link);
    link->why = mem_new((size_t)link->hosts * sizeof *link->why);
    return link;
}

void pg_link_close(struct pg_link *link)
{
    PQfinish(link->connection); /* accepts NULL */
    link->connection = NULL;
    link->timeline = 0;
}

void pg_link_free(struct pg_link *link)
{
    if (link == NULL)
        return;
    pg_link_close(link);
    free(link->why);
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
    log_warn("store postgres=warning role=%s why=\"%s\"", link->settings.role,
             PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY));
}

enum { PLACES = 3, PLACE_BYTES = 256 };

/* Finds a host of the URL. Writes its host, hostaddr and port, in this order, into the
 * three texts of out. */
static void choose_host(const struct pg_link *link, int host,
                        char out[PLACES][PLACE_BYTES])
{
    static const char *const names[PLACES] = {"host", "hostaddr", "port"};
    PQconninfoOption *options = PQconninfoParse(link->settings.url, NULL);

    for (int i = 0; i < PLACES; i++) {
        const char *item = find_item(find_option(options, names[i]), host);
        size_t size = strcspn(item, ",");

        if (size >= PLACE_BYTES) /* no valid name is that long */
            size = 0;
        memcpy(out[i], item, size);
        out[i][size] = '\0';
    }
    /* libpq reads "postgres://a,b/c" as two hosts and the ports ",": an empty one would
     * be replaced by that list. */
    if (out[2][0] == '\0' &&
        !text_copy(out[2], PLACE_BYTES,
                   getenv("PGPORT") != NULL ? getenv("PGPORT") : "5432"))
        out[2][0] = '\0';
    PQconninfoFree(options);
}

/* Begins to connect to a host of the URL, but only if this host is the primary:
 * a standby may show an event before the event is acknowledged. The keepalive options
 * and tcp_user_timeout make us notice a lost peer after some 15 s.
 *
 * The order of the options matters. If an option stands before "dbname" (the URL), the
 * URL may replace its value. If an option stands after "dbname", it replaces the value
 * in the URL, unless its own value is empty. So the options host, hostaddr and port
 * replace the list of hosts in the URL by one host. With the list, libpq would wait for
 * the first host without a limit. */
static PGconn *start_connecting(const struct pg_link *link, int host)
{
    char place[PLACES][PLACE_BYTES], application[32];
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
    struct text name = text_into(application, sizeof application);
    const char *const values[] = {
        "5",      "3",      "3",      "15000",      link->settings.url,
        place[0], place[1], place[2], "read-write", application,
        "UTF8",   NULL};

    text_addf(&name, "janggid %s", link->settings.role);
    choose_host(link, host, place);
    return PQconnectStartParams(names, values, 1);
}

static void name_of(char out[16], size_t statement)
{
    struct text text = text_into(out, 16);

    text_addf(&text, "s%zu", statement);
}

static bool send_prepare(struct pg_link *link, size_t which,
                         const struct pg_statement_text *statement)
{
    int count = (int)strlen(statement->params);
    Oid types[PG_PARAMS_MAX];
    char name[16];

    for (int i = 0; i < count; i++)
        types[i] = pg_call_type(statement->params[i]);
    name_of(name, which);
    return PQsendPrepare(link->connection, name, statement->sql, count, types) == 1;
}

/* Reads one result and the NULL that follows it. After a pipeline sync there is no
 * NULL. True: the result has the wanted status. */
static bool take_status(struct pg_link *link, ExecStatusType wanted)
{
    PGresult *result;
    bool is_wanted;

    if (!wait_for_result(link))
        return false;
    result = PQgetResult(link->connection);
    is_wanted = PQresultStatus(result) == wanted;
    PQclear(result);
    if (wanted == PGRES_PIPELINE_SYNC)
        return is_wanted;
    if (!wait_for_result(link))
        return false;
    result = PQgetResult(link->connection);
    is_wanted = is_wanted && result == NULL;
    PQclear(result);
    return is_wanted;
}

static bool prepare(struct pg_link *link)
{
    if (PQenterPipelineMode(link->connection) != 1)
        return false;
    for (size_t i = 0; i < PG_STATEMENTS; i++)
        if (!send_prepare(link, i, &pg_statement_texts[i]))
            return false;
    if (PQpipelineSync(link->connection) != 1)
        return false;
    for (size_t i = 0; i < PG_STATEMENTS; i++)
        if (!take_status(link, PGRES_COMMAND_OK))
            return false;
    return take_status(link, PGRES_PIPELINE_SYNC);
}

bool pg_link_prepare(struct pg_link *link, enum pg_statement which,
                     const struct pg_statement_text *statement)
{
    if (link->connection == NULL)
        return false;
    begin_wait(link, link->answer_ms);
    if (send_prepare(link, (size_t)which, statement) &&
        PQpipelineSync(link->connection) == 1 && take_status(link, PGRES_COMMAND_OK) &&
        take_status(link, PGRES_PIPELINE_SYNC))
        return true;
    pg_link_complain(link,
                     is_late(link) ? "no answer" : PQerrorMessage(link->connection));
    pg_link_close(link);
    return false;
}

/* Runs a query outside a pipeline. The caller clears the result; NULL: it failed. */
static PGresult *query(struct pg_link *link, const char *sql)
{
    PGresult *result = NULL, *next;

    if (PQsendQuery(link->connection, sql) != 1)
        return NULL;
    for (;;) {
        if (!wait_for_result(link)) {
            PQclear(result);
            return NULL;
        }
        next = PQgetResult(link->connection);
        if (next == NULL)
            return result;
        if (PQresultStatus(result) != PGRES_FATAL_ERROR || result == NULL) {
            PQclear(result);
            result = next;
        } else {
            PQclear(next);
        }
    }
}

bool pg_link_run_text(struct pg_link *link, const char *sql)
{
    PGresult *result = query(link, sql);
    bool is_done = result != NULL && PQresultStatus(result) != PGRES_FATAL_ERROR;

    if (!is_done)
        pg_link_complain(link, PQerrorMessage(link->connection));
    PQclear(result);
    return is_done;
}

bool pg_link_ask(struct pg_link *link, const char *sql, int64_t *out)
{
    PGresult *result = query(link, sql);
    bool is_done = PQresultStatus(result) == PGRES_TUPLES_OK &&
                   PQntuples(result) == 1 &&
                   text_to_int(PQgetvalue(result, 0, 0), INT64_MIN, INT64_MAX, out);

    if (!is_done)
        pg_link_complain(link, PQerrorMessage(link->connection));
    PQclear(result);
    return is_done;
}

/* The settings of each session. With its TCP settings PostgreSQL notices a vanished
 * peer as soon as we do: see start_connecting(). */
static const char session_settings[] =
    "SET client_min_messages = warning; SET search_path = janggid;"
    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 3;"
    "SET tcp_keepalives_count = 3; SET tcp_user_timeout = 15000";

/* Creates or updates the tables if the role is "writer" or "lease". If two connections
 * do this at once, one of them fails and tries again. */
static bool bring_schema(struct pg_link *link)
{
    const char *role = link->settings.role;
    bool is_bringer = strcmp(role, "writer") == 0 || strcmp(role, "lease") == 0;
    int64_t version = 0, tables;

    if (!pg_link_run_text(link, session_settings) ||
        !pg_link_ask(link,
                     "SELECT count(*) FROM information_schema.tables"
                     " WHERE table_schema = 'janggid' AND table_name = 'schema'",
                     &tables))
        return false;
    if (tables == 0 && !is_bringer) {
        pg_link_complain(link, "this database holds no log of janggid");
        return false;
    }
    if (tables == 0 ? !pg_link_run_text(link, "CREATE SCHEMA IF NOT EXISTS janggid")
                    : !pg_link_ask(link, "SELECT version FROM schema", &version))
        return false;
    for (; is_bringer && version >= 0 && version < PG_SCHEMA; version++)
        if (!pg_link_run_text(link, "BEGIN") ||
            !pg_link_run_text(link, pg_statement_steps[version]) ||
            !pg_link_run_text(link, "COMMIT"))
            return false;
    link->is_foreign = version != PG_SCHEMA;
    if (!link->is_foreign)
        return true;
    pg_link_complain(link, "made by another version of janggid; run that one, or start "
                           "this one to bring an older log up to date");
    return false;
}

/* A host of the URL, while the primary is looked for. */
struct candidate {
    PGconn *connection; /* NULL: it is no candidate any more */
    PostgresPollingStatusType state;
    int64_t timeline, started; /* of the server */
    int64_t batches;           /* the last key of batch; 0: there is none */
};

static void drop(struct pg_link *link, struct candidate *candidate)
{
    PQfinish(candidate->connection);
    candidate->connection = NULL;
    link->connection = NULL;
}

static bool is_pending(const struct candidate *candidate)
{
    return candidate->state == PGRES_POLLING_READING ||
           candidate->state == PGRES_POLLING_WRITING;
}

/* Connects to all hosts at once. As soon as one can be written, the others have OTHERS_MS to
 * answer. Returns how many can be written. */
static int connect_all(struct pg_link *link, struct candidate *candidates,
                       struct pollfd *fds)
{
    int found = 0, waiting = link->hosts;

    for (int i = 0; i < link->hosts; i++) {
        candidates[i].connection = start_connecting(link, i);
        candidates[i].state = PQstatus(candidates[i].connection) == CONNECTION_BAD
                                  ? PGRES_POLLING_FAILED
                                  : PGRES_POLLING_WRITING;
    }
    while (waiting > 0 && !is_late(link)) {
        int64_t left = left_ms(link);

        for (int i = 0; i < link->hosts; i++)
            fds[i] = (struct pollfd){
                .fd = is_pending(&candidates[i]) ? PQsocket(candidates[i].connection)
                                                 : -1,
                .events =
                    candidates[i].state == PGRES_POLLING_READING ? POLLIN : POLLOUT};
        if (poll(fds, (nfds_t)link->hosts, left < LOOK_MS ? (int)left : LOOK_MS) < 0 &&
            errno != EINTR)
            break;
        waiting = 0;
        for (int i = 0; i < link->hosts; i++) {
            if (is_pending(&candidates[i]) && fds[i].revents != 0)
                candidates[i].state = PQconnectPoll(candidates[i].connection);
            waiting += is_pending(&candidates[i]);
        }
        found = 0;
        for (int i = 0; i < link->hosts; i++)
            found += candidates[i].state == PGRES_POLLING_OK;
        if (found > 0 && left > OTHERS_MS)
            begin_wait(link, OTHERS_MS);
    }
    for (int i = 0; i < link->hosts; i++)
        if (candidates[i].state != PGRES_POLLING_OK ||
            PQsetnonblocking(candidates[i].connection, 1) != 0) {
            link->host = i;
            if (found == 0)
                pg_link_complain(link, is_pending(&candidates[i])
                                           ? "no answer"
                                           : PQerrorMessage(candidates[i].connection));
            drop(link, &candidates[i]);
        }
    return found;
}

/* Asks the server of a candidate. has_rivals: also how far its log goes. */
static bool inspect(struct pg_link *link, struct candidate *candidate, int i,
                    bool has_rivals)
{
    bool is_good;
    int64_t tables = 0;

    link->host = i;
    link->connection = candidate->connection;
    PQsetNoticeReceiver(link->connection, on_notice, link);
    is_good =
        pg_link_ask(link,
                    "SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))"
                    "::bit(32)::bigint",
                    &candidate->timeline);
    if (is_good && has_rivals)
        is_good = pg_link_ask(link,
                              "SELECT (extract(epoch FROM pg_postmaster_start_time())"
                              " * 1000000)::bigint",
                              &candidate->started) &&
                  pg_link_ask(link,
                              "SELECT count(*) FROM information_schema.tables WHERE"
                              " table_schema = 'janggid' AND table_name = 'batch'",
                              &tables) &&
                  (tables == 0 ||
                   pg_link_ask(link, "SELECT coalesce(max(seq), 0) FROM janggid.batch",
                               &candidate->batches));
    return is_good;
}

/* True if `a` was promoted later than `b`, and its log goes at least as far. */
static bool is_newer(const struct candidate *a, const struct candidate *b)
{
    return a->timeline > b->timeline && a->batches >= b->batches;
}

/* Returns the candidate with the highest timeline and log; -1, after logging: there is none,
 * or two with an equal claim. */
static int choose(struct pg_link *link, struct candidate *candidates, int found)
{
    char why[WHY_BYTES], place[2][PLACES][PLACE_BYTES];
    struct text text = text_into(why, sizeof why);
    int best = -1;

    for (int i = 0; i < link->hosts; i++) {
        bool is_same = false;

        if (candidates[i].connection == NULL)
            continue;
        if (!inspect(link, &candidates[i], i, found > 1)) {
            drop(link, &candidates[i]);
            continue;
        }
        for (int j = 0; j < i; j++) /* two names of one server */
            is_same |= candidates[j].connection != NULL &&
                       candidates[j].timeline == candidates[i].timeline &&
                       candidates[j].started == candidates[i].started;
        if (is_same)
            drop(link, &candidates[i]);
        else if (best < 0 || candidates[i].timeline > candidates[best].timeline)
            best = i;
    }
    for (int i = 0; i < link->hosts; i++) {
        if (candidates[i].connection == NULL || i == best ||
            is_newer(&candidates[best], &candidates[i]))
            continue;
        choose_host(link, best, place[0]);
        choose_host(link, i, place[1]);
        text_addf(&text,
                  "%s:%s and %s:%s can both be written, and neither has clearly the "
                  "later log; stop the one that is not the primary",
                  place[0][0], place[0][2], place[1][0], place[1][2]);
        link->host = best;
        pg_link_complain(link, why);
        return -1;
    }
    return best;
}

bool pg_link_open(struct pg_link *link)
{
    struct candidate *candidates;
    struct pollfd *fds;
    long long newest;
    int best = -1, found;

    if (link->connection != NULL)
        return true;
    candidates = mem_new((size_t)link->hosts * sizeof *candidates);
    fds = mem_new((size_t)link->hosts * sizeof *fds);
    begin_wait(link, connect_ms(link));
    found = connect_all(link, candidates, fds);
    begin_wait(link, connect_ms(link));
    if (found > 0)
        best = choose(link, candidates, found);
    link->connection = NULL;
    for (int i = 0; i < link->hosts; i++)
        if (i != best)
            drop(link, &candidates[i]);
    if (best >= 0) {
        link->host = best;
        link->connection = candidates[best].connection;
        link->timeline = candidates[best].timeline;
        newest = atomic_load(&newest_timeline);
        while (newest < link->timeline &&
               !atomic_compare_exchange_weak(&newest_timeline, &newest, link->timeline))
            ;
        if (is_stale(link) || !bring_schema(link) || !prepare(link)) {
            const char *why = is_stale(link)  ? former_primary
                              : is_late(link) ? "no answer"
                                              : PQerrorMessage(link->connection);

            if (why[0] != '\0' || link->why[best][0] == '\0')
                pg_link_complain(link, why);
            pg_link_close(link);
        }
    }
    free(candidates);
    free(fds);
    return link->connection != NULL;
}

/* --- Running calls --- */

static bool send_call(struct pg_link *link, const struct pg_calls *calls,
                      const struct pg_call *call)
{
    const char *values[PG_PARAMS_MAX];
    int formats[PG_PARAMS_MAX];
    char name[16];

    for (int i = 0; i < call->param_count; i++) {
        values[i] = call->size[i] < 0 ? NULL : (const char *)calls->bytes + call->at[i];
        formats[i] = 1;
    }
    name_of(name, (size_t)call->statement);
    return PQsendQueryPrepared(link->connection, name, call->param_count, values,
                               call->size, formats, 1) == 1;
}

static bool send_all(struct pg_link *link, const struct pg_calls *calls)
{
    for (int i = 0; i < calls->count; i++)
        if (!send_call(link, calls, &calls->call[i]))
            return false;
    return PQpipelineSync(link->connection) == 1;
}

static void note_refusal(struct pg_link *link, const PGresult *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *constraint = PQresultErrorField(result, PG_DIAG_CONSTRAINT_NAME);

    if (!text_copy(link->error, sizeof link->error, state != NULL ? state : ""))
        link->error[0] = '\0';
    if (!text_copy(link->constraint, sizeof link->constraint,
                   constraint != NULL ? constraint : ""))
        link->constraint[0] = '\0';
    log_debug("store postgres=refused why=\"%s\"", PQresultErrorMessage(result));
}

/* True if the call failed. A COMMIT in a failed transaction gives no error, but the
 * result ROLLBACK. */
static bool is_refused(const struct pg_call *call, const PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);

    if (status == PGRES_FATAL_ERROR || status == PGRES_PIPELINE_ABORTED)
        return true;
    return call->statement == PG_COMMIT &&
           strcmp(PQcmdStatus((PGresult *)result), "COMMIT") != 0;
}

static void take_result(struct pg_link *link, const struct pg_call *call,
                        const PGresult *result, pg_row_fn *row, void *arg,
                        bool *is_good)
{
    int64_t affected;

    if (is_refused(call, result)) {
        if (*is_good)
            note_refusal(link, result);
        *is_good = false;
        return;
    }
    if (call->affected != NULL &&
        text_to_int(PQcmdTuples((PGresult *)result), 0, INT_MAX, &affected))
        *call->affected = (int)affected;
    for (int i = 0; row != NULL && i < PQntuples(result); i++)
        row(arg, result, i);
}

/* Reads the results of one call. Sets *is_good to false if the call was refused. Rows
 * come one at a time, so that a long table does not fill the memory. False: the
 * connection is lost. */
static bool take_call(struct pg_link *link, const struct pg_call *call, pg_row_fn *row,
                      void *arg, bool *is_good)
{
    PGresult *result;

    if (row != NULL)
        PQsetSingleRowMode(link->connection);
    while (wait_for_result(link)) {
        result = PQgetResult(link->connection);
        if (result == NULL)
            return true;
        begin_wait(link, link->answer_ms); /* rows are arriving: the time for an answer
                                            * begins again */
        take_result(link, call, result, row, arg, is_good);
        PQclear(result);
    }
    return false;
}

static enum pg_outcome lose(struct pg_link *link)
{
    bool was_stale = is_stale(link), was_late = is_late(link);

    if (was_late && link->settings.wait_ms == 0 && link->answer_ms < ANSWER_MUST)
        link->answer_ms *= 2;
    pg_link_complain(link, was_stale         ? former_primary
                           : !was_late       ? PQerrorMessage(link->connection)
                           : is_ending(link) ? "no answer before the server had to end"
                                             : "no answer; is a standby missing?");
    pg_link_close(link);
    return PG_DOUBTFUL;
}

static enum pg_outcome run(struct pg_link *link, const struct pg_calls *calls,
                           pg_row_fn *row, void *arg)
{
    bool is_good = true;

    if (link->connection == NULL)
        return PG_DOUBTFUL;
    link->is_warned = false;
    begin_wait(link, link->answer_ms);
    if (!send_all(link, calls))
        return lose(link);
    for (int i = 0; i < calls->count; i++)
        if (!take_call(link, &calls->call[i], row, arg, &is_good))
            return lose(link);
    if (!take_status(link, PGRES_PIPELINE_SYNC))
        return lose(link);
    return is_good ? PG_DONE : PG_REFUSED;
}

/* Rolls back the transaction that failed. */
static void roll_back(struct pg_link *link)
{
    struct pg_calls calls = {0};

    pg_calls_add(&calls, PG_ROLLBACK);
    if (PQtransactionStatus(link->connection) != PQTRANS_IDLE &&
        run(link, &calls, NULL, NULL) == PG_REFUSED)
        pg_link_close(link);
    pg_calls_free(&calls);
}

enum pg_outcome pg_link_run(struct pg_link *link, const struct pg_calls *calls,
                            pg_row_fn *row, void *arg)
{
    enum pg_outcome outcome = run(link, calls, row, arg);

    if (outcome == PG_REFUSED)
        roll_back(link);
    return outcome;
}

enum pg_outcome pg_link_call(struct pg_link *link, enum pg_statement statement,
                             int count, const int64_t *numbers, pg_row_fn *row,
                             void *arg)
{
    struct pg_calls calls = {0};
    enum pg_outcome outcome;

    pg_calls_add(&calls, statement);
    for (int i = 0; i < count; i++)
        pg_calls_number(&calls, numbers[i]);
    outcome = pg_link_run(link, &calls, row, arg);
    pg_calls_free(&calls);
    return outcome;
}

/* --- Commits --- */

/* Columns in a result of PG_CHECK. The results of the other calls of a commit have
 * fewer. */
enum { CHECK_COLUMNS = 5 };

struct check {
    struct pg_link *link;
    bool is_seen, is_safe;
};

/* Returns the column as text; "" if it has another form. */
static const char *word(const PGresult *result, int row, int column)
{
    const char *out;

    return pg_link_text(result, row, column, &out) ? out : "";
}

static const char *find_danger(const struct pg_link *link, const PGresult *result,
                               int row)
{
    const char *commit = word(result, row, 0);
    bool is_outside = link->settings.is_sync_outside;

    if (strcmp(word(result, row, 4), "false") != 0)
        return "this is a standby";
    if (strcmp(word(result, row, 3), "UTF8") != 0)
        return "the encoding of the database is not UTF8";
    if (strcmp(word(result, row, 2), "on") != 0)
        return "fsync is off: a power failure would lose acknowledged moves";
    if (strcmp(commit, "on") != 0 && strcmp(commit, "remote_apply") != 0 &&
        !(is_outside && strcmp(commit, "local") == 0))
        return "synchronous_commit must be on: a failure would lose acknowledged moves";
    if (!is_outside && word(result, row, 1)[0] == '\0')
        return "synchronous_standby_names is empty: the loss of this machine would "
               "lose "
               "acknowledged moves; see --store-sync";
    return NULL;
}

static void see_check(void *arg, const PGresult *result, int row)
{
    struct check *check = arg;
    const char *danger;

    if (PQnfields(result) != CHECK_COLUMNS)
        return;
    danger = find_danger(check->link, result, row);
    check->is_seen = true;
    check->is_safe = danger == NULL;
    if (danger != NULL)
        pg_link_complain(check->link, danger);
}

/* Sends the check (PG_CHECK) after the calls, so that the check sees the settings at
 * the time of the commit or later. */
enum pg_outcome pg_link_commit(struct pg_link *link, const struct pg_calls *calls)
{
    struct check check = {.link = link};
    struct pg_calls all = *calls;
    enum pg_outcome outcome;

    all.call = mem_resize(NULL, (size_t)calls->count + 1, sizeof *all.call);
    if (calls->count > 0)
        memcpy(all.call, calls->call, (size_t)calls->count * sizeof *all.call);
    all.call[all.count++] = (struct pg_call){.statement = PG_CHECK};
    outcome = pg_link_run(link, &all, see_check, &check);
    free(all.call);
    if (outcome != PG_DONE)
        return outcome;
    if (check.is_seen && check.is_safe && !link->is_warned) {
        link->answer_ms = answer_ms(link);
        pg_link_note_success(link);
        return PG_DONE;
    }
    pg_link_close(link);
    return PG_DOUBTFUL;
}

enum pg_outcome pg_link_commit_own(struct pg_link *link)
{
    struct pg_calls calls = {0};
    enum pg_outcome outcome;

    pg_calls_add(&calls, PG_BEGIN);
    pg_calls_add(&calls, PG_OWN_COMMIT);
    pg_calls_add(&calls, PG_COMMIT);
    outcome = pg_link_commit(link, &calls);
    pg_calls_free(&calls);
    return outcome;
}

bool pg_link_is_safe(struct pg_link *link)
{
    struct check check = {.link = link};

    if (pg_link_call(link, PG_CHECK, 0, NULL, see_check, &check) == PG_DONE &&
        check.is_safe)
        return true;
    pg_link_close(link);
    return false;
}

const char *pg_link_error(const struct pg_link *link)
{
    return link->error;
}

const char *pg_link_constraint(const struct pg_link *link)
{
    return link->constraint;
}

/* --- Values --- */

bool pg_link_number(const PGresult *result, int row, int column, int64_t *out)
{
    const unsigned char *bytes = (const unsigned char *)PQgetvalue(result, row, column);
    uint64_t number = 0;

    if (PQgetlength(result, row, column) != 8)
        return false;
    for (int i = 0; i < 8; i++)
        number = number << 8 | bytes[i];
    *out = (int64_t)number;
    return true;
}

bool pg_link_int(const PGresult *result, int row, int column, int *out)
{
    int64_t number;

    if (!pg_link_number(result, row, column, &number) || number < 0 || number > INT_MAX)
        return false;
    *out = (int)number;
    return true;
}

bool pg_link_text(const PGresult *result, int row, int column, const char **out)
{
    *out = PQgetvalue(result, row, column);
    return PQgetisnull(result, row, column) == 0 &&
           strlen(*out) == (size_t)PQgetlength(result, row, column);
}

bool pg_link_bytes(const PGresult *result, int row, int column, void *out, size_t size)
{
    if (PQgetlength(result, row, column) != (int)size)
        return false;
    memcpy(out, PQgetvalue(result, row, column), size);
    return true;
}
