/* A negative control: a janggid that charges the players for the time in which it stood
 * still, or waited for its database. Linked with -Wl,--wrap=rooms_hold. The real program
 * does not contain this file. */
#include "server/room/room.h"

void __wrap_rooms_hold(struct rooms *rooms, int64_t now_ms);

void __wrap_rooms_hold(struct rooms *rooms, int64_t now_ms)
{
    (void)rooms;
    (void)now_ms;
}
