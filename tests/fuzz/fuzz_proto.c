/* Feeds one line of the protocol to the parser of the server and to the parser of the
 * client. Every word that a parser finds must lie within the line. */
#include "common/net/proto.h"
#include "tests/fuzz/fuzz.h"

static const char *const keys[] = {"time", "rules", "left_ms", "position", "", "="};

static void check_inside(const char *found, const char *line, size_t size)
{
    fuzz_require(found >= line && found + strlen(found) <= line + size);
}

static void check_command(const uint8_t *data, size_t size, size_t rest_size)
{
    char *line = fuzz_text(data, size);
    char *rest = malloc(rest_size);
    struct proto_command command;

    fuzz_require(rest != NULL);
    if (proto_parse_command(line, rest, rest_size, &command)) {
        fuzz_require(command.words >= 0 && command.words <= PROTO_WORDS_MAX);
        fuzz_require(strlen(command.tag) < sizeof command.tag);
        for (int i = 0; i < command.words; i++)
            check_inside(command.word[i], line, size);
        if (command.rest[0] != '\0')
            check_inside(command.rest, rest, rest_size);
    }
    free(rest);
    free(line);
}

static void check_line(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    struct proto_line line;

    proto_parse_line(text, &line);
    if (line.mark != PROTO_STRANGE) {
        fuzz_require(line.words >= 0 && line.words <= PROTO_WORDS_MAX);
        for (int i = 0; i < line.words; i++)
            check_inside(line.word[i], text, size);
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            (void)proto_line_value(&line, keys[i]);
            (void)proto_line_number(&line, keys[i], -1);
        }
        fuzz_require(line.human != NULL);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > PROTO_LINE_MAX)
        return 0;
    check_command(data, size, PROTO_LINE_MAX + 1);
    check_command(data, size, 8);
    check_line(data, size);
    return 0;
}
