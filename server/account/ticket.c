/* See ticket.h. On disk: TICKET_ENTER is a mark of the server of kind "door" with the
 * subject DIGEST and the value "LEFT USES UNTIL_S BEGIN MAKER"; an account that it
 * admitted has a mark of that kind with the first letters of DIGEST. TICKET_OWNER and
 * TICKET_RESET are marks of kind "pass" whose owner is the target, with the value
 * "UNTIL_S DIGEST". Version 0.1.0 had the code in place of DIGEST, and no BEGIN; such
 * rows are written anew when they are used. */
#include "server/account/ticket.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/account/account.h"

#define ENTER_MARK "door"
#define PASS_MARK  "pass"

enum { RANDOM_BYTES = 16, VALUE_BYTES = 128 };
static_assert(TICKET_CODE_BYTES == (RANDOM_BYTES * 4 + 2) / 3 + 1, "a code fits");
static_assert((int)CODE_BYTES <= (int)TICKET_CODE_BYTES, "a short code fits");

struct tickets {
    struct store *store;
    struct ticket *by_digest, *by_target, *enter;
    uint64_t used_up;
    ticket_find_fn *find_account; /* while it reads */
    void *arg;
};

static bool is_short(enum ticket_kind kind)
{
    return kind == TICKET_ENTER || kind == TICKET_DEVICE;
}

static void digest_of(char out[TICKET_DIGEST_BYTES], const char *code)
{
    unsigned char digest[CODE_DIGEST_BYTES];

    code_digest(digest, code);
    text_base64url(out, digest, sizeof digest);
}

static void target_of(char out[NAME_BYTES + 2], enum ticket_kind kind,
                      const char *target)
{
    snprintf(out, NAME_BYTES + 2, "%c:%.*s", "eord"[kind], NAME_BYTES - 1, target);
}

static struct ticket *find_target(const struct tickets *tickets, enum ticket_kind kind,
                                  const char *target)
{
    char key[NAME_BYTES + 2];
    struct ticket *ticket;

    target_of(key, kind, target);
    HASH_FIND(by_target, tickets->by_target, key, strlen(key), ticket);
    return ticket;
}

static void add(struct tickets *tickets, struct ticket *ticket)
{
    HASH_ADD_STR(tickets->by_digest, digest, ticket);
    if (ticket->kind == TICKET_ENTER)
        DL_APPEND(tickets->enter, ticket);
    else
        HASH_ADD(by_target, tickets->by_target, target, strlen(ticket->target), ticket);
}

static void forget(struct tickets *tickets, struct ticket *ticket)
{
    HASH_DEL(tickets->by_digest, ticket);
    if (ticket->kind == TICKET_ENTER)
        DL_DELETE(tickets->enter, ticket);
    else
        HASH_DELETE(by_target, tickets->by_target, ticket);
    free(ticket);
}

/* --- On disk --- */

static void save(struct tickets *tickets, struct ticket *ticket)
{
    char value[VALUE_BYTES];
    struct text text = text_into(value, sizeof value);
    struct store_mark mark = {
        .owner = "", .kind = ENTER_MARK, .subject = ticket->digest, .value = value};

    if (ticket->kind == TICKET_DEVICE)
        return;
    if (ticket->kind == TICKET_ENTER) {
        if (ticket->old_code[0] != '\0')
            store_drop(tickets->store, STORE_MARK,
                       &(struct store_mark){"", ENTER_MARK, ticket->old_code, ""}, 3);
        ticket->old_code[0] = '\0';
        text_addf(&text, "%d %d %lld %s %s", ticket->left, ticket->uses,
                  (long long)ticket->until_wall_s, ticket->begin, ticket->maker);
    } else {
        text_addf(&text, "%lld %s", (long long)ticket->until_wall_s, ticket->digest);
        mark.owner = ticket->target + 2;
        mark.kind = PASS_MARK;
        mark.subject = "";
    }
    store_put(tickets->store, STORE_MARK, &mark);
}

/* Reads the row of a ticket. False: it cannot be read. */
static bool read_ticket(struct ticket *ticket, const struct store_mark *mark)
{
    bool has_code = strlen(mark->subject) == CODE_BYTES - 1;
    int used = 0;

    if (strcmp(mark->kind, PASS_MARK) == 0) {
        ticket->kind = mark->owner[0] == '\0' ? TICKET_OWNER : TICKET_RESET;
        target_of(ticket->target, ticket->kind, mark->owner);
        ticket->uses = ticket->left = 1;
        return sscanf(mark->value, "%" SCNd64 " %n", &ticket->until_wall_s, &used) ==
                   1 &&
               used > 0 &&
               text_copy(ticket->digest, sizeof ticket->digest, mark->value + used);
    }
    ticket->kind = TICKET_ENTER;
    if (sscanf(mark->value, "%d %d %" SCNd64 " %n", &ticket->left, &ticket->uses,
               &ticket->until_wall_s, &used) != 3 ||
        used == 0)
        return false;
    if (has_code) {
        digest_of(ticket->digest, mark->subject);
        text_copy(ticket->old_code, sizeof ticket->old_code, mark->subject);
        snprintf(ticket->begin, sizeof ticket->begin, "%.4s", mark->subject);
        return text_copy(ticket->maker, sizeof ticket->maker, mark->value + used);
    }
    snprintf(ticket->begin, sizeof ticket->begin, "%.4s", mark->value + used);
    return strlen(mark->value + used) > TICKET_BEGIN_BYTES &&
           text_copy(ticket->maker, sizeof ticket->maker,
                     mark->value + used + TICKET_BEGIN_BYTES) &&
           text_copy(ticket->digest, sizeof ticket->digest, mark->subject);
}

static void remember(void *arg, const void *row)
{
    const struct store_mark *mark = row;
    struct tickets *tickets = arg;
    bool is_enter = strcmp(mark->kind, ENTER_MARK) == 0;
    char digest[TICKET_DIGEST_BYTES];
    struct account *account;
    struct ticket *ticket;

    if (!is_enter && strcmp(mark->kind, PASS_MARK) != 0)
        return;
    if (is_enter && mark->owner[0] != '\0') {
        account = tickets->find_account(tickets->arg, mark->owner);
        if (strlen(mark->subject) == CODE_BYTES - 1)
            digest_of(digest, mark->subject);
        else if (!text_copy(digest, sizeof digest, mark->subject))
            return;
        if (account != NULL)
            snprintf(account->door, sizeof account->door, "%.16s", digest);
        return;
    }
    ticket = mem_new(sizeof *ticket);
    if (read_ticket(ticket, mark)) {
        add(tickets, ticket);
    } else {
        log_warn("ticket kind=%s name=%s why=unreadable", mark->kind, mark->owner);
        free(ticket);
    }
}

struct tickets *tickets_open(struct store *store, ticket_find_fn *find, void *arg)
{
    struct tickets *tickets = mem_new(sizeof *tickets);

    *tickets = (struct tickets){.store = store, .find_account = find, .arg = arg};
    if (store_load(store, STORE_MARK, remember, tickets))
        return tickets;
    tickets_close(tickets);
    return NULL;
}

void tickets_close(struct tickets *tickets)
{
    struct ticket *ticket, *next;

    if (tickets == NULL)
        return;
    HASH_ITER (hh, tickets->by_digest, ticket, next)
        forget(tickets, ticket);
    free(tickets);
}

/* --- Removing --- */

void tickets_remove(struct tickets *tickets, struct ticket *ticket)
{
    if (ticket->kind == TICKET_ENTER)
        store_drop(tickets->store, STORE_MARK,
                   &(struct store_mark){"", ENTER_MARK,
                                        ticket->old_code[0] != '\0' ? ticket->old_code
                                                                    : ticket->digest,
                                        ""},
                   3);
    else if (ticket->kind != TICKET_DEVICE)
        store_drop(tickets->store, STORE_MARK,
                   &(struct store_mark){ticket->target + 2, PASS_MARK, "", ""}, 3);
    forget(tickets, ticket);
}

void tickets_void(struct tickets *tickets, enum ticket_kind kind, const char *target)
{
    struct ticket *ticket = find_target(tickets, kind, target);

    if (ticket != NULL)
        tickets_remove(tickets, ticket);
}

void tickets_remove_of(struct tickets *tickets, const struct account *account)
{
    struct ticket *ticket = tickets_of(tickets, account);

    if (ticket != NULL)
        tickets_remove(tickets, ticket);
}

void tickets_remove_made_by(struct tickets *tickets, const char *maker)
{
    struct ticket *ticket, *next;

    DL_FOREACH_SAFE (tickets->enter, ticket, next)
        if (strcmp(ticket->maker, maker) == 0)
            tickets_remove(tickets, ticket);
}

struct ticket *tickets_first(struct tickets *tickets, int64_t now_wall_s)
{
    struct ticket *ticket, *next;

    DL_FOREACH_SAFE (tickets->enter, ticket, next)
        if (now_wall_s >= ticket->until_wall_s)
            tickets_remove(tickets, ticket);
    return tickets->enter;
}

/* --- Making --- */

static struct ticket *make(enum ticket_kind kind, int uses, int64_t until_wall_s,
                           char code[TICKET_CODE_BYTES])
{
    struct ticket *ticket = mem_new(sizeof *ticket);

    if (is_short(kind))
        code_make(code);
    else
        code_make_secret(code, RANDOM_BYTES);
    digest_of(ticket->digest, code);
    ticket->kind = kind;
    ticket->uses = ticket->left = uses;
    ticket->until_wall_s = until_wall_s;
    return ticket;
}

struct ticket *tickets_make_enter(struct tickets *tickets, const char *maker, int uses,
                                  int days, int64_t now_wall_s,
                                  char code[TICKET_CODE_BYTES])
{
    struct ticket *ticket,
        *first = NULL; /* first: which was used up before the others */
    int open = 0, used_up = 0;

    for (ticket = tickets_first(tickets, now_wall_s); ticket != NULL;
         ticket = ticket->next) {
        if (ticket->left > 0)
            open++;
        else if (used_up++ == 0 || ticket->used_up < first->used_up ||
                 (ticket->used_up == first->used_up &&
                  ticket->until_wall_s < first->until_wall_s))
            first = ticket;
    }
    if (open >= TICKETS_MAX)
        return NULL;
    if (used_up >= TICKETS_USED_UP_MAX)
        tickets_remove(tickets, first);
    do { /* its beginning is its name */
        free(ticket);
        ticket = make(TICKET_ENTER, uses, now_wall_s + (int64_t)days * DAY_S, code);
        snprintf(ticket->begin, sizeof ticket->begin, "%.4s", code);
    } while (tickets_find_enter(tickets, ticket->begin) != NULL);
    text_copy(ticket->maker, sizeof ticket->maker, maker);
    add(tickets, ticket);
    save(tickets, ticket);
    return ticket;
}

void tickets_make(struct tickets *tickets, enum ticket_kind kind, const char *target,
                  int64_t now_wall_s, char code[TICKET_CODE_BYTES])
{
    static const int64_t life_s[TICKET_KINDS] = {[TICKET_OWNER] = OWNER_MINUTES * 60,
                                                 [TICKET_RESET] = RESET_HOURS * 3600,
                                                 [TICKET_DEVICE] =
                                                     DEVICE_CODE_MINUTES * 60};
    struct ticket *ticket = find_target(tickets, kind, target);

    if (ticket != NULL)
        forget(tickets, ticket); /* its row is replaced */
    ticket = make(kind, 1, now_wall_s + life_s[kind], code);
    target_of(ticket->target, kind, target);
    add(tickets, ticket);
    save(tickets, ticket);
}

/* --- Using --- */

static struct ticket *find_code(const struct tickets *tickets, bool is_short_code,
                                const char *code)
{
    char plain[CODE_BYTES], digest[TICKET_DIGEST_BYTES];
    struct ticket *ticket;

    if (is_short_code && !code_plain(plain, code))
        return NULL;
    digest_of(digest, is_short_code ? plain : code);
    HASH_FIND_STR(tickets->by_digest, digest, ticket);
    return ticket;
}

struct ticket *tickets_find(struct tickets *tickets, enum ticket_kind kind,
                            const char *target, const char *code, int64_t now_wall_s)
{
    struct ticket *ticket = find_code(tickets, is_short(kind), code);

    if (ticket == NULL || ticket->kind != kind || ticket->left <= 0 ||
        now_wall_s >= ticket->until_wall_s)
        return NULL;
    return kind == TICKET_ENTER || ticket == find_target(tickets, kind, target) ? ticket
                                                                                : NULL;
}

struct ticket *tickets_find_enter(struct tickets *tickets, const char *code)
{
    struct ticket *ticket = find_code(tickets, true, code);
    char begin[CODE_BYTES];

    if (ticket != NULL)
        return ticket->kind == TICKET_ENTER ? ticket : NULL;
    if (!code_plain(begin, code))
        return NULL;
    DL_FOREACH (tickets->enter, ticket)
        if (strcmp(ticket->begin, begin) == 0)
            return ticket;
    return NULL;
}

struct ticket *tickets_of(const struct tickets *tickets, const struct account *account)
{
    struct ticket *ticket;

    DL_FOREACH (tickets->enter, ticket)
        if (account->door[0] != '\0' &&
            strncmp(ticket->digest, account->door, strlen(account->door)) == 0)
            return ticket;
    return NULL;
}

void tickets_use(struct tickets *tickets, struct ticket *ticket,
                 struct account *account)
{
    if (ticket->kind != TICKET_ENTER) {
        tickets_remove(tickets, ticket);
        return;
    }
    if (--ticket->left == 0)
        ticket->used_up = ++tickets->used_up;
    save(tickets, ticket);
    snprintf(account->door, sizeof account->door, "%.16s", ticket->digest);
    store_put(tickets->store, STORE_MARK,
              &(struct store_mark){.owner = account->folded,
                                   .kind = ENTER_MARK,
                                   .subject = account->door,
                                   .value = ""});
    log_info("ticket begin=%s name=%s left=%d", ticket->begin, account->shown,
             ticket->left);
}

void tickets_give_back(struct tickets *tickets, struct account *account)
{
    struct ticket *ticket = tickets_of(tickets, account);

    store_drop(tickets->store, STORE_MARK,
               &(struct store_mark){.owner = account->folded, .kind = ENTER_MARK}, 2);
    account->door[0] = '\0';
    if (ticket == NULL || ticket->left >= ticket->uses ||
        ticket->given_back >= TICKET_GIVES_BACK)
        return;
    ticket->given_back++;
    ticket->left++;
    save(tickets, ticket);
}
