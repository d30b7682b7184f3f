/* A janggid that writes past the end of a buffer when a line is long. Linked in front
 * of the real function with
 *
 *     -Wl,--wrap=proto_parse_command
 *
 * it is the negative control of the attack fuzz-live: a sanitizer must report it. The
 * real program does not contain this file. */
#include <stdlib.h>
#include <string.h>

#include "common/net/proto.h"

enum { TOO_SMALL_BYTES = 256 };

bool __real_proto_parse_command(char *line, char *rest_room, size_t rest_size,
                                struct proto_command *out);
bool __wrap_proto_parse_command(char *line, char *rest_room, size_t rest_size,
                                struct proto_command *out);

bool __wrap_proto_parse_command(char *line, char *rest_room, size_t rest_size,
                                struct proto_command *out)
{
    char *copy = malloc(TOO_SMALL_BYTES);

    if (copy == NULL)
        abort();
    strcpy(copy, line); /* the fault: the length is not checked */
    strcpy(line, copy);
    free(copy);
    return __real_proto_parse_command(line, rest_room, rest_size, out);
}
