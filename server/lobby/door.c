/* See door.h. On disk an invitation is a mark of the server: kind "door", subject CODE,
 * value "LEFT USES UNTIL_S MAKER". If an invitation has admitted an account, the
 * account has a mark of kind "door" with the subject CODE. */
#include "server/lobby/door.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "server/account/accounts.h"

#define DOOR_KIND "door"

enum { VALUE_BYTES = 128, DAY_S = 86400 };

struct doors {
    struct store *store;
    struct accounts *accounts;
    struct door *by_code;
    uint64_t used_up; /* invitations that were used up since the server started */
};

/* --- On disk --- */

static void save(struct doors *doors, const struct door *door)
{
    char value[VALUE_BYTES];
    struct text text = text_into(value, sizeof value);

    text_addf(&text, "%d %d %lld %s", door->left, door->uses,
              (long long)door->until_wall_s, door->maker);
    store_put_mark(doors->store, &(struct store_mark){.owner = "",
                                                      .kind = DOOR_KIND,
                                                      .subject = door->code,
                                                      .value = value});
}

/* Reads "LEFT USES UNTIL_S MAKER". */
static bool parse(struct door *door, const char *value)
{
    int used = 0;

    if (sscanf(value, "%d %d %" SCNd64 " %n", &door->left, &door->uses,
               &door->until_wall_s, &used) != 3 ||
        used == 0)
        return false;
    return text_copy(door->maker, sizeof door->maker, value + used);
}

static void remember_door(struct doors *doors, const struct store_mark *mark)
{
    struct door *door = mem_new(sizeof *door);

    if (!text_copy(door->code, sizeof door->code, mark->subject) ||
        !parse(door, mark->value)) {
        log_warn("door code=%s why=unreadable", mark->subject);
        free(door);
        return;
    }
    HASH_ADD_STR(doors->by_code, code, door);
}

static void remember(void *arg, const struct store_mark *mark)
{
    struct doors *doors = arg;
    struct account *account;

    if (strcmp(mark->kind, DOOR_KIND) != 0)
        return;
    if (mark->owner[0] == '\0') {
        remember_door(doors, mark);
        return;
    }
    account = accounts_find(doors->accounts, mark->owner);
    if (account != NULL &&
        !text_copy(account->door, sizeof account->door, mark->subject))
        log_warn("door code=%s name=%s why=too-long", mark->subject, mark->owner);
}

struct doors *doors_open(struct store *store, struct accounts *accounts)
{
    struct doors *doors = mem_new(sizeof *doors);

    doors->store = store;
    doors->accounts = accounts;
    if (store_load_marks(store, remember, doors))
        return doors;
    doors_close(doors);
    return NULL;
}

/* --- In memory --- */

static void forget(struct doors *doors, struct door *door)
{
    HASH_DEL(doors->by_code, door);
    free(door);
}

void doors_close(struct doors *doors)
{
    struct door *door, *next;

    if (doors == NULL)
        return;
    HASH_ITER (hh, doors->by_code, door, next)
        forget(doors, door);
    free(doors);
}

void doors_end(struct doors *doors, struct door *door)
{
    store_drop_mark(doors->store, "", DOOR_KIND, door->code);
    forget(doors, door);
}

static bool is_over(const struct door *door, int64_t now_wall_s)
{
    return door->left <= 0 || now_wall_s >= door->until_wall_s;
}

static void forget_expired(struct doors *doors, int64_t now_wall_s)
{
    struct door *door, *next;

    HASH_ITER (hh, doors->by_code, door, next)
        if (now_wall_s >= door->until_wall_s)
            doors_end(doors, door);
}

/* Returns `door`, or the first one after it that is not used up. */
static struct door *skip_used_up(struct door *door)
{
    while (door != NULL && door->left <= 0)
        door = door->hh.next;
    return door;
}

static int count_open(const struct doors *doors)
{
    int count = 0;

    for (const struct door *door = skip_used_up(doors->by_code); door != NULL;
         door = skip_used_up(door->hh.next))
        count++;
    return count;
}

/* True if `door` was used up before `other`. If both were used up before the server
 * started, the order is not known: then true if `door` expires first. */
static bool is_older(const struct door *door, const struct door *other)
{
    return door->used_up != other->used_up ? door->used_up < other->used_up
                                           : door->until_wall_s < other->until_wall_s;
}

/* Removes the invitation that was used up first, if DOORS_USED_UP_MAX or more are
 * kept. */
static void forget_used_up(struct doors *doors)
{
    struct door *door, *next, *first = NULL;
    int count = 0;

    HASH_ITER (hh, doors->by_code, door, next) {
        if (door->left > 0)
            continue;
        count++;
        if (first == NULL || is_older(door, first))
            first = door;
    }
    if (count >= DOORS_USED_UP_MAX)
        doors_end(doors, first);
}

static struct door *find(struct doors *doors, const char *code)
{
    char plain[CODE_BYTES];
    struct door *door = NULL;

    if (code_plain(plain, code))
        HASH_FIND_STR(doors->by_code, plain, door);
    return door;
}

struct door *doors_find(struct doors *doors, const char *code, int64_t now_wall_s)
{
    struct door *door = find(doors, code);

    return door != NULL && !is_over(door, now_wall_s) ? door : NULL;
}

bool doors_is_known(struct doors *doors, const char *code)
{
    return find(doors, code) != NULL;
}

struct door *doors_make(struct doors *doors, const char *maker, int uses, int days,
                        int64_t now_wall_s)
{
    struct door *door;

    forget_expired(doors, now_wall_s);
    if (count_open(doors) >= DOORS_MAX)
        return NULL;
    forget_used_up(doors);
    door = mem_new(sizeof *door);
    do
        code_make(door->code);
    while (find(doors, door->code) != NULL);
    text_copy(door->maker, sizeof door->maker, maker);
    door->uses = door->left = uses;
    door->until_wall_s = now_wall_s + (int64_t)days * DAY_S;
    HASH_ADD_STR(doors->by_code, code, door);
    save(doors, door);
    return door;
}

void door_begin(char out[DOOR_BEGIN_BYTES], const struct door *door)
{
    snprintf(out, DOOR_BEGIN_BYTES, "%.4s", door->code);
}

/* --- Coming in --- */

void doors_use(struct doors *doors, struct door *door, struct account *account)
{
    char begin[DOOR_BEGIN_BYTES];

    if (--door->left == 0)
        door->used_up = ++doors->used_up;
    save(doors, door);
    text_copy(account->door, sizeof account->door, door->code);
    store_put_mark(doors->store, &(struct store_mark){.owner = account->folded,
                                                      .kind = DOOR_KIND,
                                                      .subject = door->code,
                                                      .value = ""});
    door_begin(begin, door);
    log_info("door code=%s... name=%s left=%d", begin, account->shown, door->left);
}

void doors_give_back(struct doors *doors, struct account *account)
{
    struct door *door = find(doors, account->door);

    store_drop_mark(doors->store, account->folded, DOOR_KIND, NULL);
    account->door[0] = '\0';
    if (door == NULL || door->left >= door->uses || door->given_back >= DOOR_GIVES_BACK)
        return;
    door->given_back++;
    door->left++;
    save(doors, door);
}

bool doors_end_of(struct doors *doors, const struct account *account)
{
    struct door *door = find(doors, account->door);

    if (door != NULL)
        doors_end(doors, door);
    return door != NULL;
}

void doors_end_made_by(struct doors *doors, const char *maker)
{
    struct door *door, *next;

    HASH_ITER (hh, doors->by_code, door, next)
        if (strcmp(door->maker, maker) == 0)
            doors_end(doors, door);
}

/* --- The list --- */

const struct door *doors_first(struct doors *doors, int64_t now_wall_s)
{
    forget_expired(doors, now_wall_s);
    return skip_used_up(doors->by_code);
}

const struct door *doors_next(const struct door *door)
{
    return skip_used_up(door->hh.next);
}

/* Returns `door`, or the first invitation after it that `maker` made. */
static const struct door *skip_others(const struct door *door, const char *maker)
{
    while (door != NULL && strcmp(door->maker, maker) != 0)
        door = door->hh.next;
    return door;
}

const struct door *doors_first_made_by(struct doors *doors, const char *maker,
                                       int64_t now_wall_s)
{
    forget_expired(doors, now_wall_s);
    return skip_others(doors->by_code, maker);
}

const struct door *doors_next_made_by(const struct door *door, const char *maker)
{
    return skip_others(door->hh.next, maker);
}
