/* Tests of client/formats/records: what is said about a file that cannot be read. */
#include "client/formats/records.h"

#include <string.h>
#include <unistd.h>

#include "common/base/mem.h"
#include "tests/unit/unit.h"

/* Reads a game from `text`, which is refused. Stores what standard error gets. */
static void refuse(const char *name, const char *text, char *said, size_t size)
{
    const struct records_wish wish = {.number = 1};
    int before = dup(STDERR_FILENO);
    FILE *file = tmpfile();
    struct records_file out;
    bool is_read;
    size_t len;

    assert_true(before >= 0 && file != NULL);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    is_read = records_take(&out, name, mem_copy_text(text), strlen(text), &wish);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    assert_false(is_read);
    rewind(file);
    len = fread(said, 1, size - 1, file);
    said[len] = '\0';
    fclose(file);
}

UNIT_TEST(a_refusal_names_the_file)
{
    char said[512];

    refuse("evening.gib", "hello\n", said, sizeof said);
    assert_string_equal(said, "janggi: evening.gib: not a record, GIB or PGN; to force "
                              "a format: --from gib\n");
}

/* A name in an archive may be anybody's. */
UNIT_TEST(a_refusal_cannot_control_the_terminal)
{
    char said[512];

    refuse("\033[2Ja", "hello\n", said, sizeof said);
    assert_null(strchr(said, '\033'));
    assert_non_null(strstr(said, "[2Ja: not a record"));
}

UNIT_TEST(standard_input_has_a_name)
{
    char said[512];

    refuse("-", "hello\n", said, sizeof said);
    assert_string_equal(said, "janggi: standard input: not a record, GIB or PGN; to "
                              "force a format: --from gib\n");
}

UNIT_MAIN(NULL, NULL)
