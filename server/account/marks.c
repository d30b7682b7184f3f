/* See marks.h. */
#include "server/account/marks.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "common/base/utf8.h"

/* The marks of one owner, in a list, because there are only a few hundred. */
struct keeper {
    char owner[NAME_BYTES];
    struct mark *marks;
    int count;
    UT_hash_handle hh;
};

/* All marks of one kind that have the same subject. Only for the kinds for which
 * has_fame() is true: only these can be found by subject. */
struct fame {
    char key[MARK_TEXT_BYTES + 8];
    struct mark *marks;
    UT_hash_handle hh;
};

struct marks {
    struct store *store;
    struct keeper *keepers;
    struct fame *fames;
};

static const char *const kind_names[] = {
    [MARK_IGNORE] = "ignore",     [MARK_BLOCK] = "block", [MARK_NOTIFY] = "notify",
    [MARK_FOLLOW] = "follow",     [MARK_LET] = "let",     [MARK_QUIET] = "quiet",
    [MARK_MESSAGES] = "messages", [MARK_WATCH] = "watch", [MARK_SECRET] = "secret",
    [MARK_TOLD] = "told",
};

static_assert(ARRAY_LEN(kind_names) == MARK_KINDS, "a kind of mark has no name");

const char *marks_kind_name(enum mark_kind kind)
{
    return kind_names[kind];
}

/* --- By subject --- */

static bool has_fame(enum mark_kind kind)
{
    return kind == MARK_NOTIFY || kind == MARK_FOLLOW;
}

static struct fame *find_fame(const struct marks *marks, enum mark_kind kind,
                              const char *subject)
{
    char key[MARK_TEXT_BYTES + 8];
    struct fame *fame;

    snprintf(key, sizeof key, "%s %s", kind_names[kind], subject);
    HASH_FIND_STR(marks->fames, key, fame);
    return fame;
}

const struct mark *marks_about(const struct marks *marks, enum mark_kind kind,
                               const char *subject)
{
    const struct fame *fame = find_fame(marks, kind, subject);

    return fame != NULL ? fame->marks : NULL;
}

/* --- In memory --- */

static struct keeper *find_keeper(const struct marks *marks, const char *owner)
{
    struct keeper *keeper;

    HASH_FIND_STR(marks->keepers, owner, keeper);
    return keeper;
}

static struct mark *find_mark(const struct keeper *keeper, enum mark_kind kind,
                              const char *subject)
{
    struct mark *mark;

    if (keeper == NULL)
        return NULL;
    LL_FOREACH(keeper->marks, mark)
    if (mark->kind == kind && strcmp(mark->subject, subject) == 0)
        return mark;
    return NULL;
}

static void remove_mark(struct marks *marks, struct keeper *keeper, struct mark *mark)
{
    struct fame *fame =
        has_fame(mark->kind) ? find_fame(marks, mark->kind, mark->subject) : NULL;

    if (fame != NULL) {
        DL_DELETE2(fame->marks, mark, about_prev, about_next);
        if (fame->marks == NULL) {
            HASH_DEL(marks->fames, fame);
            free(fame);
        }
    }
    LL_DELETE(keeper->marks, mark);
    keeper->count--;
    free(mark);
}

static void remove_keeper(struct marks *marks, struct keeper *keeper)
{
    while (keeper->marks != NULL)
        remove_mark(marks, keeper, keeper->marks);
    HASH_DEL(marks->keepers, keeper);
    free(keeper);
}

/* Adds a mark in memory. False: a text of the row is too long. */
static bool add_mark(struct marks *marks, enum mark_kind kind,
                     const struct store_mark *row)
{
    struct mark *mark = mem_new(sizeof *mark);
    struct keeper *keeper = find_keeper(marks, row->owner);
    struct fame *fame;

    mark->kind = kind;
    if (!text_copy(mark->subject, sizeof mark->subject, row->subject) ||
        !text_copy(mark->value, sizeof mark->value, row->value)) {
        free(mark);
        return false;
    }
    if (keeper == NULL) {
        keeper = mem_new(sizeof *keeper);
        text_copy(keeper->owner, sizeof keeper->owner, row->owner);
        HASH_ADD_STR(marks->keepers, owner, keeper);
    }
    LL_PREPEND(keeper->marks, mark);
    keeper->count++;
    mark->owner = keeper->owner;
    if (!has_fame(kind))
        return true;
    fame = find_fame(marks, kind, mark->subject);
    if (fame == NULL) {
        fame = mem_new(sizeof *fame);
        snprintf(fame->key, sizeof fame->key, "%s %s", kind_names[kind], mark->subject);
        HASH_ADD_STR(marks->fames, key, fame);
    }
    DL_APPEND2(fame->marks, mark, about_prev, about_next);
    return true;
}

/* --- The life of all --- */

static void remember(void *arg, const void *stored)
{
    const struct store_mark *row = stored;

    for (size_t kind = 0; kind < MARK_KINDS; kind++)
        if (strcmp(kind_names[kind], row->kind) == 0 &&
            !add_mark(arg, (enum mark_kind)kind, row))
            log_warn("mark owner=%s kind=%s why=not-readable", row->owner, row->kind);
}

struct marks *marks_open(struct store *store)
{
    struct marks *marks = mem_new(sizeof *marks);

    marks->store = store;
    if (store_load(store, STORE_MARK, remember, marks))
        return marks;
    marks_close(marks);
    return NULL;
}

void marks_close(struct marks *marks)
{
    struct keeper *keeper, *next;

    if (marks == NULL)
        return;
    HASH_ITER (hh, marks->keepers, keeper, next)
        remove_keeper(marks, keeper);
    free(marks);
}

/* --- Marks --- */

const char *marks_find(const struct marks *marks, const char *owner,
                       enum mark_kind kind, const char *subject)
{
    const struct mark *mark = find_mark(find_keeper(marks, owner), kind, subject);

    return mark != NULL ? mark->value : NULL;
}

bool marks_avoid(const struct marks *marks, const char *owner, const char *subject)
{
    const struct keeper *keeper = find_keeper(marks, owner);

    return find_mark(keeper, MARK_IGNORE, subject) != NULL ||
           find_mark(keeper, MARK_BLOCK, subject) != NULL;
}

/* Returns the game in the subject of a MARK_LET. */
static long long game_of(const char *subject)
{
    return strtoll(subject, NULL, 10);
}

bool marks_put(struct marks *marks, const char *owner, enum mark_kind kind,
               const char *subject, const char *value)
{
    struct store_mark row = {
        .owner = owner, .kind = kind_names[kind], .subject = subject, .value = value};
    struct keeper *keeper = find_keeper(marks, owner);
    struct mark *old = find_mark(keeper, kind, subject), *mark, *oldest = NULL;
    bool is_counted = old == NULL && owner[0] != '\0' && keeper != NULL;
    int such = 0, lets = 0;

    /* MARKS_MAX counts marks of one kind, and if the kind is MARK_LET, of one game */
    for (mark = is_counted ? keeper->marks : NULL; mark != NULL; mark = mark->next) {
        if (mark->kind != kind)
            continue;
        such += kind != MARK_LET || game_of(mark->subject) == game_of(subject);
        lets += kind == MARK_LET;
        if (oldest == NULL || game_of(mark->subject) < game_of(oldest->subject))
            oldest = mark;
    }
    if (such >= MARKS_MAX || !add_mark(marks, kind, &row))
        return false;
    if (lets >= LETS_MAX) { /* admissions to the oldest game give way to the new one */
        store_drop(
            marks->store, STORE_MARK,
            &(struct store_mark){owner, kind_names[MARK_LET], oldest->subject, ""}, 3);
        remove_mark(marks, keeper, oldest);
    }
    if (old != NULL)
        remove_mark(marks, keeper, old);
    store_put(marks->store, STORE_MARK, &row);
    return true;
}

bool marks_drop(struct marks *marks, const char *owner, enum mark_kind kind,
                const char *subject)
{
    struct keeper *keeper = find_keeper(marks, owner);
    struct mark *mark = find_mark(keeper, kind, subject);

    if (mark == NULL)
        return false;
    store_drop(marks->store, STORE_MARK,
               &(struct store_mark){owner, kind_names[kind], subject, ""}, 3);
    remove_mark(marks, keeper, mark);
    if (keeper->count == 0)
        remove_keeper(marks, keeper);
    return true;
}

void marks_drop_about(struct marks *marks, const char *folded)
{
    struct keeper *keeper, *next_keeper;
    struct mark *mark, *next;

    HASH_ITER (hh, marks->keepers, keeper, next_keeper) {
        LL_FOREACH_SAFE(keeper->marks, mark, next)
        {
            const char *name = mark->subject, *space = strchr(name, ' ');

            if (mark->kind == MARK_LET && space != NULL) /* after a game's number */
                name = space + 1;
            if (mark->kind >= MARK_WATCH || strcmp(name, folded) != 0)
                continue;
            store_drop(marks->store, STORE_MARK,
                       &(struct store_mark){keeper->owner, kind_names[mark->kind],
                                            mark->subject, ""},
                       3);
            remove_mark(marks, keeper, mark);
        }
        if (keeper->count == 0)
            remove_keeper(marks, keeper);
    }
}

void marks_forget(struct marks *marks, const char *owner)
{
    struct keeper *keeper = find_keeper(marks, owner);

    if (keeper != NULL)
        remove_keeper(marks, keeper);
}

const struct mark *marks_of(const struct marks *marks, const char *owner)
{
    const struct keeper *keeper = find_keeper(marks, owner);

    return keeper != NULL ? keeper->marks : NULL;
}

int marks_count(const struct marks *marks, const char *owner, enum mark_kind kind)
{
    int count = 0;

    for (const struct mark *m = marks_of(marks, owner); m != NULL; m = m->next)
        count += m->kind == kind;
    return count;
}
