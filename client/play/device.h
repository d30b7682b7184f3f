/* One name on several devices, as a player sees it: the line to type on the other
 * device, and the list of what opens the name. Pure text. */
#ifndef CLIENT_PLAY_DEVICE_H
#define CLIENT_PLAY_DEVICE_H

#include <stdbool.h>

#include "client/base/link.h"
#include "common/base/base.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/net/proto.h"
#include "common/net/tls.h"

/* The lines for other machines: what to type on the other device with a fresh code, and
 * what to send to a friend. is_loopback: how we reach the server to. False: line,
 * the answer to "device" or "invite", has no code. */
bool device_add_code(struct text *out, const struct proto_line *line, const char *name,
                     const struct link *to, bool is_loopback,
                     const struct tls_key *key);
bool device_add_invite(struct text *out, const struct proto_line *line,
                       const struct link *to, bool is_loopback,
                       const struct tls_key *key);

/* One row of the list: what is behind its "|". */
void device_add_row(struct text *out, const char *row);

/* "NAME CODE", "NAME code=CODE" or "NAME". code becomes "" without one. False: that is
 * too long for a name or a code. */
bool device_take_name(const char *typed, char name[NAME_BYTES],
                      char code[LINK_CODE_BYTES]) MUST_USE;

#endif
