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

static void a_refusal_names_the_file(void **state)
{
    char said[512];

    refuse("evening.gib", "hello\n", said, sizeof said);
    assert_string_equal(said, "janggi: evening.gib: not a record, GIB or PGN; to force "
                              "a format: --from gib\n");
}

/* A name in an archive may be anybody's. */
static void a_refusal_cannot_control_the_terminal(void **state)
{
    char said[512];

    refuse("\033[2Ja", "hello\n", said, sizeof said);
    assert_null(strchr(said, '\033'));
    assert_non_null(strstr(said, "[2Ja: not a record"));
}

static void standard_input_has_a_name(void **state)
{
    char said[512];

    refuse("-", "hello\n", said, sizeof said);
    assert_string_equal(said, "janggi: standard input: not a record, GIB or PGN; to "
                              "force a format: --from gib\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refusal_names_the_file),
        cmocka_unit_test(a_refusal_cannot_control_the_terminal),
        cmocka_unit_test(standard_input_has_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
