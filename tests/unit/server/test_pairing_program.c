/* Tests a file that is too long for the host's pairing program. The program is not run,
 * and the caller gets the reason. */
#include "server/helper/pairing_program.h"

#include <string.h>

#include "tests/unit/unit.h"

static void keep_why(void *arg, const char *pairs, const char *why)
{
    const char **kept = arg;

    assert_null(pairs);
    *kept = why;
}

static void a_file_that_is_too_long_is_refused_at_once(void **state)
{
    static char file[256 * 1024 + 1];
    struct pairing_program *program = pairing_program_fork("/bin/cat");
    const char *why = NULL;

    assert_non_null(program);
    pairing_program_ask(program, file, sizeof file, 1, keep_why, &why);
    assert_non_null(why);
    assert_string_equal(why, "the file for it is too long");
    pairing_program_free(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_is_too_long_is_refused_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
