/* See crowd.h. Groups of the same size are in one list, so that a group that grows or
 * shrinks by one moves to a neighbouring list. */
#include "server/admission/crowd.h"

#include <assert.h>
#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/table.h"

struct crowd_group {
    struct prefix from;
    int size;
    struct crowd_member *members;    /* in order of arrival */
    struct crowd_group *prev, *next; /* in the list of its size */
    UT_hash_handle hh;
};

struct crowd {
    struct crowd_group *groups;
    struct crowd_group **of_size; /* of_size[n]: the list of the groups with n
                                   * members */
    int sizes;                    /* number of elements of of_size */
    int largest;
    int count;
};

struct crowd *crowd_new(void)
{
    return mem_new(sizeof(struct crowd));
}

void crowd_free(struct crowd *crowd)
{
    if (crowd == NULL)
        return;
    assert(crowd->count == 0);
    free(crowd->of_size);
    free(crowd);
}

static void make_lists(struct crowd *crowd, int size)
{
    int wanted = size + 1;

    if (wanted <= crowd->sizes)
        return;
    crowd->of_size =
        mem_resize(crowd->of_size, (size_t)wanted * 2, sizeof *crowd->of_size);
    for (int i = crowd->sizes; i < wanted * 2; i++)
        crowd->of_size[i] = NULL;
    crowd->sizes = wanted * 2;
}

static void resize(struct crowd *crowd, struct crowd_group *group, int by)
{
    if (group->size > 0)
        DL_DELETE(crowd->of_size[group->size], group);
    group->size += by;
    crowd->count += by;
    make_lists(crowd, group->size);
    if (group->size > 0)
        DL_APPEND(crowd->of_size[group->size], group);
    if (group->size > crowd->largest)
        crowd->largest = group->size;
    while (crowd->largest > 0 && crowd->of_size[crowd->largest] == NULL)
        crowd->largest--;
}

static struct crowd_group *find(struct crowd *crowd, const struct prefix *from)
{
    struct crowd_group *group;

    HASH_FIND(hh, crowd->groups, from, sizeof *from, group);
    return group;
}

void crowd_add(struct crowd *crowd, const struct prefix *from,
               struct crowd_member *member)
{
    struct crowd_group *group = find(crowd, from);

    assert(member->group == NULL);
    if (group == NULL) {
        group = mem_new(sizeof *group);
        group->from = *from;
        HASH_ADD(hh, crowd->groups, from, sizeof group->from, group);
    }
    DL_APPEND(group->members, member);
    member->group = group;
    resize(crowd, group, 1);
}

void crowd_remove(struct crowd *crowd, struct crowd_member *member)
{
    struct crowd_group *group = member->group;

    if (group == NULL)
        return;
    DL_DELETE(group->members, member);
    member->group = NULL;
    resize(crowd, group, -1);
    if (group->size > 0)
        return;
    HASH_DEL(crowd->groups, group);
    free(group);
}

int crowd_count(const struct crowd *crowd)
{
    return crowd->count;
}

struct crowd_member *crowd_oldest_of_most(const struct crowd *crowd)
{
    return crowd->largest > 0 ? crowd->of_size[crowd->largest]->members : NULL;
}

struct crowd_member *crowd_newest_of_most(const struct crowd *crowd)
{
    struct crowd_member *oldest = crowd_oldest_of_most(crowd);

    return oldest != NULL ? oldest->prev : NULL; /* the head's prev is the tail */
}
