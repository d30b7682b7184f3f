/* See contacts.h. The address is stored as a mark of the account (account/marks.h) with
 * the value "86400000 ADDRESS". The number before the address is store_age_ms() when
 * the last line about games was sent; -1: none was sent. While no server runs,
 * store_age_ms() and the clocks of the games do not advance. So after a restart the
 * server still knows which lines became due before the last line, and does not send
 * them again. */
#include "server/lobby/contacts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "server/account/accounts.h"
#include "server/account/code.h"
#include "server/account/marks.h"
#include "server/base/deadline.h"
#include "server/helper/notifier.h"
#include "server/room/notice.h"
#include "server/room/room.h"
#include "server/room/rooms.h"
#include "server/seek/rated.h"

enum {
    LOOK_S = 60,
    DAY_S = 86400,
    HOUR_MS = 3600 * 1000,
    NEVER_MS = -1,
    LINE_BYTES = 512
};

/* An account that has an address, or was sent a code. */
struct contact {
    char owner[NAME_BYTES];
    int64_t number; /* number of the account that is meant; if the account with the name
                     * `owner` has another number, the name has a new owner */
    char asked[CONTACT_ADDRESS_MAX +
               1]; /* address to which the code was sent; "": no code is open */
    unsigned char digest[CODE_DIGEST_BYTES];
    int64_t asked_s;
    int tries;
    int64_t day; /* the day to which `codes` belongs */
    int codes;   /* how many codes the account got on that day */
    struct deadline look;
    UT_hash_handle hh;
};

/* A mailbox to which codes were sent today, for any account. */
struct addressee {
    char mailbox[CONTACT_ADDRESS_MAX + 1];
    int codes;
    UT_hash_handle hh;
};

struct contacts {
    struct contacts_parts parts;
    struct contact *all;
    struct addressee *addressees; /* at most CONTACT_CODES_ALL */
    int64_t day;                  /* the day to which `codes` and addressees belong */
    int codes;                    /* how many codes were sent to all on that day */
    struct deadline_kind kind;
};

bool contacts_is_address(const char *address)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+";
    size_t len = strlen(address), good = 0;

    while (good < len && (strchr(letters, address[good]) != NULL ||
                          strchr("._%-@:/=~", address[good]) != NULL))
        good++;
    return len >= 3 && len <= CONTACT_ADDRESS_MAX && good == len &&
           strchr(letters, address[0]) != NULL;
}

/* --- The mark --- */

/* Returns the address of the account `owner`, or NULL. Sets *told_ms to the value that
 * store_age_ms() had when the last line was sent to the address; NEVER_MS: a line was
 * not sent yet. */
static const char *read_mark(const struct contacts *contacts, const char *owner,
                             int64_t *told_ms)
{
    const char *value =
        marks_find(accounts_marks(contacts->parts.accounts), owner, MARK_CONTACT, "");
    char number[24];
    size_t len;

    if (value == NULL)
        return NULL;
    len = strcspn(value, " ");
    if (len >= sizeof number || value[len] == '\0')
        return NULL;
    memcpy(number, value, len);
    number[len] = '\0';
    return text_to_int(number, NEVER_MS, INT64_MAX / 2, told_ms) &&
                   contacts_is_address(value + len + 1)
               ? value + len + 1
               : NULL;
}

static bool write_mark(const struct contacts *contacts, const char *owner,
                       const char *address, int64_t told_ms, store_done_fn *done,
                       void *arg)
{
    char value[MARK_TEXT_BYTES];

    snprintf(value, sizeof value, "%lld %s", (long long)told_ms, address);
    return marks_put(accounts_marks(contacts->parts.accounts), owner, MARK_CONTACT, "",
                     value, done, arg);
}

const char *contacts_address(const struct contacts *contacts,
                             const struct account *account)
{
    return read_mark(contacts, account->folded, &(int64_t){0});
}

/* --- In memory --- */

static struct contact *get_contact(struct contacts *contacts, struct account *account)
{
    int64_t number = accounts_number(contacts->parts.accounts, account);
    struct contact *contact;

    HASH_FIND_STR(contacts->all, account->folded, contact);
    if (contact == NULL) {
        contact = mem_new(sizeof *contact);
        text_copy(contact->owner, sizeof contact->owner, account->folded);
        HASH_ADD_STR(contacts->all, owner, contact);
        deadlines_set(contacts->parts.spans, &contact->look, &contacts->kind,
                      mono_now_s() + LOOK_S);
    }
    if (contact->number != number)
        contact->asked[0] = '\0';
    contact->number = number;
    return contact;
}

static void free_contact(struct contacts *contacts, struct contact *contact)
{
    deadlines_remove(contacts->parts.spans, &contact->look);
    HASH_DEL(contacts->all, contact);
    free(contact);
}

/* --- Games that wait --- */

/* Two values of store_age_ms(): now, and when the last line was sent (NEVER_MS: none
 * was). */
struct ages {
    int64_t now_ms, told_ms;
};

/* The contents of a line for an absent player. */
struct waiting {
    int games;
    const struct room *first; /* the game with the least time */
    int64_t left_s;           /* time left in that game */
    const char *why;          /* NULL: nothing is due */
};

/* True if the time left became part_ms or less after the last line was sent. So each
 * threshold is reported at most once. */
static bool is_passed(int64_t part_ms, int64_t left_ms, const struct ages *ages)
{
    return left_ms <= part_ms && ages->now_ms - (part_ms - left_ms) > ages->told_ms;
}

/* Returns the reason to send a line about the game; NULL: there is none. */
static const char *why_of(const struct room *room, int64_t left_ms,
                          const struct ages *ages)
{
    int64_t all_ms = room->game.clock.terms.period_ms;
    bool is_new = room->last_age_ms > ages->told_ms &&
                  ages->now_ms - room->last_age_ms >= CONTACT_WAIT_S * 1000;
    bool may_say = ages->told_ms == NEVER_MS ||
                   ages->now_ms - ages->told_ms >= CONTACT_HOURS * HOUR_MS;

    if (is_passed(all_ms / 10, left_ms, ages))
        return "tenth";
    if (is_passed(all_ms / 4, left_ms, ages))
        return "quarter";
    return is_new && may_say ? "waiting" : NULL;
}

/* True for a warning about the time, which is more urgent than why=waiting. */
static bool is_urgent(const char *why)
{
    return why != NULL && why[0] != 'w';
}

static void add_game(struct waiting *waiting, const struct room *room,
                     const struct ages *ages)
{
    int64_t shown_ms = notice_left_ms(room, mono_now_ms());
    int64_t left_ms = shown_ms >= 0 ? shown_ms : room->game.clock.terms.period_ms;
    const char *why = why_of(room, left_ms, ages);

    waiting->games++;
    if (waiting->first == NULL || left_ms / 1000 < waiting->left_s) {
        waiting->first = room;
        waiting->left_s = left_ms / 1000;
    }
    if (waiting->why == NULL || is_urgent(why))
        waiting->why = why != NULL ? why : waiting->why;
}

static struct waiting find_waiting(const struct contacts *contacts,
                                   const struct account *account,
                                   const struct ages *ages)
{
    struct waiting waiting = {.games = 0};

    for (int i = 0; i < account->games; i++) {
        const struct room *room = room_find(contacts->parts.rooms, account->game[i]);
        enum side side;

        if (room == NULL || room->is_frozen || room->kind != ROOM_CORRESPONDENCE)
            continue;
        side = room->seat[SIDE_RED] == account ? SIDE_RED : SIDE_BLUE;
        if (room_awaits(room, side))
            add_game(&waiting, room, ages);
    }
    return waiting;
}

static void tell(const struct contacts *contacts, const struct account *account,
                 const char *address, const struct waiting *waiting, int64_t age_ms)
{
    char line[LINE_BYTES];

    snprintf(
        line, sizeof line,
        "turn account=%lld name=%s address=%s why=%s games=%d game=%lld left_s=%lld",
        (long long)account->number, account->shown, address, waiting->why,
        waiting->games, (long long)waiting->first->id, (long long)waiting->left_s);
    if (!notifier_send(contacts->parts.notifier, line))
        return;
    if (!write_mark(contacts, account->folded, address, age_ms, NULL, NULL))
        log_warn("contact owner=%s why=not-written", account->folded);
}

/* If a line for the absent player is due, sends the line. Returns false if the contact
 * can be freed. This is so in two cases. First case: the account is gone. Second case:
 * the account has no address and no open code, and did not get a code today. */
static bool look(const struct contacts *contacts, struct contact *contact,
                 int64_t now_s)
{
    const struct account *account =
        accounts_find(contacts->parts.accounts, contact->owner);
    struct ages ages = {.now_ms = store_age_ms(contacts->parts.store)};
    const char *address;
    struct waiting waiting;

    if (account == NULL || account->number != contact->number)
        return false;
    address = read_mark(contacts, account->folded, &ages.told_ms);
    if (address == NULL)
        return contact->asked[0] != '\0' || contact->day == now_s / DAY_S;
    if (account->session != 0 || !notifier_is_running(contacts->parts.notifier))
        return true;
    waiting = find_waiting(contacts, account, &ages);
    if (waiting.why != NULL)
        tell(contacts, account, address, &waiting, ages.now_ms);
    return true;
}

static void on_look(void *arg, struct deadline *deadline, int64_t now_s)
{
    struct contacts *contacts = arg;
    struct contact *contact = OWNER_OF(deadline, struct contact, look);
    int64_t now_wall_s = mono_wall_s();

    if (mono_now_s() - contact->asked_s > CONTACT_CODE_MINUTES * 60)
        contact->asked[0] = '\0';
    if (look(contacts, contact, now_wall_s))
        deadlines_set(contacts->parts.spans, deadline, &contacts->kind, now_s + LOOK_S);
    else
        free_contact(contacts, contact);
}

/* --- The life of all --- */

static void forget_addressees(struct contacts *contacts)
{
    struct addressee *addressee, *next;

    HASH_ITER (hh, contacts->addressees, addressee, next) {
        HASH_DEL(contacts->addressees, addressee);
        free(addressee);
    }
}

struct contacts *contacts_new(const struct contacts_parts *parts)
{
    struct contacts *contacts = mem_new(sizeof *contacts);
    const struct mark *mark;

    *contacts = (struct contacts){.parts = *parts, .kind = {on_look, contacts}};
    mark = marks_about(accounts_marks(parts->accounts), MARK_CONTACT, "");
    for (; mark != NULL; mark = mark->about_next) {
        struct account *account = accounts_find(parts->accounts, mark->owner);

        if (account != NULL)
            get_contact(contacts, account);
    }
    return contacts;
}

void contacts_free(struct contacts *contacts)
{
    struct contact *contact, *next;

    if (contacts == NULL)
        return;
    HASH_ITER (hh, contacts->all, contact, next)
        free_contact(contacts, contact);
    forget_addressees(contacts);
    free(contacts);
}

/* --- The code --- */

/* Reduces an address to the mailbox that the address probably reaches. In the part
 * before the @, drops punctuation, and drops all text after a + (but not after a + at
 * the start). In the part after the @, keeps only the host. Makes all letters lower
 * case. The addresses of different people may give the same mailbox. This does little
 * harm: these people only share the daily limit of codes to this mailbox. */
static void find_mailbox(char out[CONTACT_ADDRESS_MAX + 1], const char *address)
{
    size_t local = strcspn(address, "@"), plus = 1 + strcspn(address + 1, "+");
    size_t host = strcspn(address + local, "/:"), len = 0;

    for (size_t i = 0; i < local && i < plus; i++)
        if (isalnum((unsigned char)address[i]))
            out[len++] = address[i];
    memcpy(out + len, address + local, host);
    out[len + host] = '\0';
    text_lower(out);
}

static int codes_to(const struct contacts *contacts, const char *address)
{
    char mailbox[CONTACT_ADDRESS_MAX + 1];
    struct addressee *addressee;

    find_mailbox(mailbox, address);
    HASH_FIND_STR(contacts->addressees, mailbox, addressee);
    return addressee != NULL ? addressee->codes : 0;
}

static void count_code(struct contacts *contacts, struct contact *contact,
                       const char *address)
{
    char mailbox[CONTACT_ADDRESS_MAX + 1];
    struct addressee *addressee;

    contact->codes++;
    contacts->codes++;
    find_mailbox(mailbox, address);
    HASH_FIND_STR(contacts->addressees, mailbox, addressee);
    if (addressee == NULL) {
        addressee = mem_new(sizeof *addressee);
        text_copy(addressee->mailbox, sizeof addressee->mailbox, mailbox);
        HASH_ADD_STR(contacts->addressees, mailbox, addressee);
    }
    addressee->codes++;
}

static void begin_day(struct contacts *contacts, struct contact *contact, int64_t day)
{
    if (contact->day != day)
        contact->codes = 0;
    if (contacts->day != day) {
        contacts->codes = 0;
        forget_addressees(contacts);
    }
    contact->day = contacts->day = day;
}

static enum contacts_verdict judge(const struct contacts *contacts,
                                   const struct contact *contact,
                                   const struct account *account, const char *address,
                                   int64_t now_wall_s)
{
    bool is_member = account_role(account) >= ROLE_MEMBER;

    if (!notifier_is_running(contacts->parts.notifier))
        return CONTACTS_OFF;
    if (!rated_may_play(account, now_wall_s))
        return CONTACTS_YOUNG;
    if (contact->codes >= CONTACT_CODES_EACH ||
        codes_to(contacts, address) >= CONTACT_CODES_EACH)
        return CONTACTS_EACH;
    return contacts->codes >= CONTACT_CODES_ALL / (is_member ? 1 : 2) ? CONTACTS_ALL
                                                                      : CONTACTS_DONE;
}

static bool send_code(struct contacts *contacts, const struct account *account,
                      const char *address, const char *code)
{
    char line[LINE_BYTES];

    snprintf(line, sizeof line,
             "code account=%lld name=%s address=%s code=%s minutes=%d",
             (long long)account->number, account->shown, address, code,
             CONTACT_CODE_MINUTES);
    return notifier_send(contacts->parts.notifier, line);
}

enum contacts_verdict contacts_ask(struct contacts *contacts, struct account *account,
                                   const char *address, int64_t now_wall_s)
{
    struct contact *contact = get_contact(contacts, account);
    enum contacts_verdict verdict;
    char code[CODE_BYTES];

    begin_day(contacts, contact, now_wall_s / DAY_S);
    verdict = judge(contacts, contact, account, address, now_wall_s);
    if (verdict != CONTACTS_DONE)
        return verdict;
    code_make(code);
    if (!send_code(contacts, account, address, code))
        return CONTACTS_SLOW;
    count_code(contacts, contact, address);
    text_copy(contact->asked, sizeof contact->asked, address);
    code_digest(contact->digest, code);
    contact->asked_s = mono_now_s();
    contact->tries = 0;
    return CONTACTS_DONE;
}

static bool is_code(struct contact *contact, const char *code)
{
    char plain[CODE_BYTES];
    unsigned char digest[CODE_DIGEST_BYTES];

    if (contact->asked[0] == '\0' ||
        mono_now_s() - contact->asked_s > CONTACT_CODE_MINUTES * 60)
        return false;
    if (!code_plain(plain, code))
        plain[0] = '\0';
    code_digest(digest, plain);
    if (memcmp(digest, contact->digest, sizeof digest) == 0)
        return true;
    if (++contact->tries >= CONTACT_TRIES)
        contact->asked[0] = '\0';
    return false;
}

enum contacts_verdict contacts_confirm(struct contacts *contacts,
                                       struct account *account, const char *code,
                                       store_done_fn *done, void *arg)
{
    struct contact *contact = get_contact(contacts, account);

    if (!is_code(contact, code))
        return CONTACTS_CODE;
    if (!write_mark(contacts, account->folded, contact->asked, NEVER_MS, done, arg))
        return CONTACTS_FULL;
    contact->asked[0] = '\0';
    return CONTACTS_DONE;
}

bool contacts_drop(struct contacts *contacts, struct account *account,
                   store_done_fn *done, void *arg)
{
    get_contact(contacts, account)->asked[0] = '\0';
    return marks_drop(accounts_marks(contacts->parts.accounts), account->folded,
                      MARK_CONTACT, "", done, arg);
}
