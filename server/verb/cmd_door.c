/* The verb doors: lists the open invitations to the door, and takes one back. invite
 * door makes them (cmd_invite.c). */
#include <stdio.h>
#include <string.h>

#include "common/base/mono.h"
#include "server/account/house.h"
#include "server/base/world.h"
#include "server/command/command.h"
#include "server/command/order.h"
#include "server/lobby/door.h"
#include "server/store/store.h"
#include "server/verb/verbs.h"

static void list_doors(struct order *order)
{
    const struct door *door = doors_first(order->world->doors, mono_wall_s());
    int count = 0;

    for (; door != NULL; door = doors_next(door), count++)
        order_rowf(order->to, "door %s uses=%d left=%d until_s=%lld by=%s", door->code,
                   door->uses, door->left, (long long)door->until_wall_s, door->maker);
    order_ok(order->to, "doors count=%d", count);
}

/* The act contains only the beginning of the code, as the server's log does. */
static void remove_door(struct order *order)
{
    struct world *world = order->world;
    struct door *door = doors_find(world->doors, order->argv[2], mono_wall_s());
    char begin[DOOR_BEGIN_BYTES], params[24], code[CODE_BYTES];

    if (door == NULL) {
        order_err(order->to, REPLY_NO_SUCH,
                  "why=unknown : there is no such invitation to the door; doors lists "
                  "all of them");
        return;
    }
    snprintf(code, sizeof code, "%s", door->code);
    door_begin(begin, door);
    snprintf(params, sizeof params, "door=%s", begin);
    store_begin_together(world->store);
    doors_end(world->doors, door, NULL, NULL);
    order_record(order, &(struct house_act){.kind = "door", .params = params},
                 "doors removed=%s : %s no longer admits anybody; the members whom it "
                 "admitted stay",
                 code, code);
    store_end_together(world->store);
}

static void doors_run(struct order *order)
{
    if (order->argc == 1)
        list_doors(order);
    else if (order->argc == 3 && strcmp(order->argv[1], "remove") == 0)
        remove_door(order);
    else
        order_usage(order, "only remove CODE may follow");
}

const struct command cmd_doors = {
    .name = "doors",
    .usage = "doors [remove CODE]",
    .help = "list the invitations to the door, or take one back",
    .args_max = 2,
    .role = ROLE_MODERATOR,
    .order = doors_run,
};
