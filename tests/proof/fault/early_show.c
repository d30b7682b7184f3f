/* A negative control: a janggid that shows an event to the opponent and to watchers
 * before it is on disk, but sends the OK to the mover only afterwards: it gives the
 * events of games the stamp of a line that waits for nothing. Linked in front of the
 * real sessions with
 *
 *     -Wl,--wrap=session_send_after
 *
 * The real program does not contain this file. */
#include <string.h>

#include "server/net/session.h"

void __real_session_send_after(struct session *session, const char *bytes, size_t len,
                               uint64_t stamp);
void __wrap_session_send_after(struct session *session, const char *bytes, size_t len,
                               uint64_t stamp);

void __wrap_session_send_after(struct session *session, const char *bytes, size_t len,
                               uint64_t stamp)
{
    static const char event[] = "! game ";
    bool is_event = len > strlen(event) && memcmp(bytes, event, strlen(event)) == 0;

    __real_session_send_after(session, bytes, len, is_event ? GATE_IN_ORDER : stamp);
}
