/* See turns.h. The networks are a tree. Each node has a ring of its parts: the part at
 * the front of the ring has the next turn, and then moves to the back. */
#include "server/admission/turns.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/table.h"

struct turns_node {
    struct prefix network;
    struct turns_node *parent;
    struct turns_node *parts;       /* of a network that is not a source */
    struct turn *callers;           /* of a source */
    struct turns_node *prev, *next; /* in the ring of its parent */
    UT_hash_handle hh;
};

struct turns {
    struct turns_node *nodes; /* all but the root, by their networks */
    struct turns_node root;
    struct turn *oldest;
    struct crowd *wide;
};

/* The levels from the widest network to the source. */
static const struct {
    int v4, v6;
} levels[] = {{16, 32}, {24, 48}, {24, 56}, {32, 64}};

struct turns *turns_new(void)
{
    struct turns *turns = mem_new(sizeof *turns);

    turns->wide = crowd_new();
    return turns;
}

void turns_free(struct turns *turns)
{
    if (turns == NULL)
        return;
    assert(turns->oldest == NULL);
    crowd_free(turns->wide);
    free(turns);
}

static struct turns_node *part_of(struct turns *turns, struct turns_node *parent,
                                  const struct prefix *network)
{
    struct turns_node *node;

    HASH_FIND(hh, turns->nodes, network, sizeof *network, node);
    if (node != NULL)
        return node;
    node = mem_new(sizeof *node);
    node->network = *network;
    node->parent = parent;
    DL_APPEND(parent->parts, node);
    HASH_ADD(hh, turns->nodes, network, sizeof node->network, node);
    return node;
}

/* Returns the node of the source. Makes it, and the nodes above it, if they are
 * missing. */
static struct turns_node *node_of(struct turns *turns, const struct prefix *from)
{
    struct turns_node *node = &turns->root;

    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        struct prefix network = prefix_network(from, levels[i].v4, levels[i].v6);

        node = part_of(turns, node, &network);
    }
    return node;
}

void turns_add(struct turns *turns, const struct prefix *from, struct turn *turn,
               int64_t now_ms)
{
    struct prefix wide = prefix_network(from, levels[0].v4, levels[0].v6);

    assert(turn->node == NULL);
    turn->node = node_of(turns, from);
    turn->since_ms = now_ms;
    DL_APPEND(turn->node->callers, turn);
    DL_APPEND2(turns->oldest, turn, older, younger);
    crowd_add(turns->wide, &wide, &turn->wide);
}

/* Frees `node` if it has neither callers nor parts. Then does the same for the node
 * above it, and so on. Never frees the root. */
static void prune(struct turns *turns, struct turns_node *node)
{
    while (node->parent != NULL && node->callers == NULL && node->parts == NULL) {
        struct turns_node *parent = node->parent;

        DL_DELETE(parent->parts, node);
        HASH_DEL(turns->nodes, node);
        free(node);
        node = parent;
    }
}

void turns_remove(struct turns *turns, struct turn *turn)
{
    struct turns_node *node = turn->node;

    if (node == NULL)
        return;
    DL_DELETE(node->callers, turn);
    DL_DELETE2(turns->oldest, turn, older, younger);
    crowd_remove(turns->wide, &turn->wide);
    turn->node = NULL;
    prune(turns, node);
}

int turns_count(const struct turns *turns)
{
    return crowd_count(turns->wide);
}

struct turn *turns_take(struct turns *turns)
{
    struct turns_node *node = &turns->root;
    struct turn *turn;

    if (turns->oldest == NULL)
        return NULL;
    while (node->parts != NULL) {
        struct turns_node *part = node->parts;

        DL_DELETE(node->parts, part);
        DL_APPEND(node->parts, part);
        node = part;
    }
    turn = node->callers;
    turns_remove(turns, turn);
    return turn;
}

struct turn *turns_oldest(const struct turns *turns)
{
    return turns->oldest;
}

struct turn *turns_least_entitled(const struct turns *turns)
{
    struct crowd_member *member = crowd_newest_of_most(turns->wide);

    if (member == NULL)
        return NULL;
    return OWNER_OF(member, struct turn, wide);
}
