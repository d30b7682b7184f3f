/* Tests of config_read_again(). The caller passes a file for errors. Errors about
 * options must be printed to this file. */
#include "server/base/config.h"

#include <string.h>

#include "common/base/base.h"
#include "tests/unit/unit.h"

static char printed[1000];

/* Calls config_read_again() with options that are all from the command line, so it
 * reads no file. Stores in printed[] what it prints. */
static bool read_again(const struct config *now)
{
    static struct config next;
    FILE *errors = tmpfile();
    bool is_good;

    assert_non_null(errors);
    is_good = config_read_again(now, &next, errors);
    rewind(errors);
    printed[fread(printed, 1, sizeof printed - 1, errors)] = '\0';
    fclose(errors);
    return is_good;
}

static void set(struct config *config, const char *name, const char *value)
{
    struct config_origin origin = {.is_command_line = true};

    assert_true(config_set(config, name, value, origin));
}

UNIT_TEST(an_error_is_printed_to_the_callers_file)
{
    static const struct {
        const char *name[2], *value[2], *words;
    } rows[] = {
        {{"client-ca", "web"}, {"/ca.pem", "play"}, "client-ca: it admits no browsers"},
        {{"cert"}, {"/cert.pem"}, "cert: set both cert and key"},
        {{"web-listen"}, {"127.0.0.1:80"}, "web-listen: it needs"},
    };
    static struct config now;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        config_init(&now);
        set(&now, "data", "/data");
        for (int k = 0; k < 2 && rows[i].name[k] != NULL; k++)
            set(&now, rows[i].name[k], rows[i].value[k]);
        assert_false(read_again(&now));
        assert_non_null(strstr(printed, rows[i].words));
    }
}

UNIT_TEST(a_missing_home_is_printed_there_too)
{
    static struct config now;

    unsetenv("HOME");
    unsetenv("XDG_DATA_HOME");
    config_init(&now);
    assert_false(read_again(&now));
    assert_non_null(strstr(printed, "HOME is not set"));
}

UNIT_MAIN(NULL, NULL)
