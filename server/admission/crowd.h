/* A crowd: a set of members (connections or waiting callers), grouped by their network.
 * Each group is in order of arrival. The module finds the largest group in constant
 * time, so that its users can evict members of that group. */
#ifndef SERVER_ADMISSION_CROWD_H
#define SERVER_ADMISSION_CROWD_H

#include "common/base/base.h"
#include "server/base/prefix.h"

struct crowd;
struct crowd_group;

/* A member. It is part of a larger struct, which belongs to the user of this module. */
struct crowd_member {
    struct crowd_group *group; /* NULL: in no crowd */
    struct crowd_member *prev, *next;
};

struct crowd *crowd_new(void) MUST_USE;
/* All members must have been removed. Accepts NULL. */
void crowd_free(struct crowd *crowd);

/* Adds a member to the group of the network `from`. */
void crowd_add(struct crowd *crowd, const struct prefix *from,
               struct crowd_member *member);
/* Ignores a member that is in no crowd. */
void crowd_remove(struct crowd *crowd, struct crowd_member *member);

int crowd_count(const struct crowd *crowd);
/* Both functions return a member of the largest group. crowd_oldest_of_most() returns
 * the member that arrived first. crowd_newest_of_most() returns the member that arrived
 * last. NULL: there are no members. */
struct crowd_member *crowd_oldest_of_most(const struct crowd *crowd);
struct crowd_member *crowd_newest_of_most(const struct crowd *crowd);

#endif
