/* A janggid whose output does not wait for its commit, and whose commits come a little
 * later. Linked in front of the real wire and store with
 *
 *     -Wl,--wrap=wire_hub_set_gate -Wl,--wrap=store_db_commit
 *
 * it is a negative control of tests/proof/crash_kill9, which must detect it. The
 * real program does not contain this file. */
#include <unistd.h>

#include "common/net/wire.h"
#include "server/store/store_db.h"

enum { LATE_US = 20000 };

void __real_wire_hub_set_gate(struct wire_hub *hub, const struct gate *gate);
void __wrap_wire_hub_set_gate(struct wire_hub *hub, const struct gate *gate);
bool __real_store_db_commit(struct store_db *db);
bool __wrap_store_db_commit(struct store_db *db);

void __wrap_wire_hub_set_gate(struct wire_hub *hub, const struct gate *gate)
{
    (void)gate;
    __real_wire_hub_set_gate(hub, NULL);
}

bool __wrap_store_db_commit(struct store_db *db)
{
    usleep(LATE_US);
    return __real_store_db_commit(db);
}
