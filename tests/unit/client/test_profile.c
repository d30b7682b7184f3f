/* Tests of client/base/profile: the names at servers, the keys of the names, and which
 * names are in use. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client/base/keep.h"
#include "client/base/profile.h"
#include "common/base/base.h"
#include "tests/unit/unit.h"

static const char key_here[] = "pRQ2JBqOTijcq8-XQipTIXIsUc3QeoeVg_PXzYsQJkA";
static const char key_there[] = "AAA2JBqOTijcq8-XQipTIXIsUc3QeoeVg_PXzYsQJkA";

static char directory[UNIT_PATH_BYTES];
static struct prefs prefs;

static int make_home(void **state)
{
    assert_true(unit_make_directory(directory));
    memset(&prefs, 0, sizeof prefs);
    snprintf(prefs.names_path, sizeof prefs.names_path, "%s/names", directory);
    snprintf(prefs.cert_path, sizeof prefs.cert_path, "%s/identity.pem", directory);
    snprintf(prefs.key_path, sizeof prefs.key_path, "%s/identity.key", directory);
    setenv("USER", "hong", 1);
    return 0;
}

static int remove_home(void **state)
{
    return unit_remove_directory(directory);
}

static void open_at(struct profile *profile, const char *address, const char *key)
{
    char why[LINK_WHY_BYTES];
    struct link link;

    assert_true(link_parse(address, &link, why));
    profile_open(profile, &prefs, &link);
    profile_set_server(profile, key);
}

/* --- Another client of this user --- */

struct other {
    pid_t pid;
    int begins[2], ends[2];
};

static void play_other(struct other *other, const char *address, const char *key,
                       const char *name)
{
    struct profile profile;
    char byte = 'x';

    close(other->begins[0]);
    close(other->ends[1]);
    open_at(&profile, address, key);
    if (!profile_take(&profile, name))
        byte = '-';
    else
        profile_remember(&profile, name);
    if (write(other->begins[1], &byte, 1) != 1 || read(other->ends[0], &byte, 1) != 0)
        _exit(1);
    _exit(0);
}

static struct other start_other(const char *address, const char *key, const char *name)
{
    struct other other;
    char byte;

    assert_int_equal(pipe(other.begins), 0);
    assert_int_equal(pipe(other.ends), 0);
    other.pid = fork();
    if (other.pid == 0)
        play_other(&other, address, key, name);
    close(other.begins[1]);
    close(other.ends[0]);
    assert_int_equal(read(other.begins[0], &byte, 1), 1);
    assert_int_equal(byte, 'x');
    return other;
}

static void end_other(struct other *other)
{
    int status;

    close(other->ends[1]);
    close(other->begins[0]);
    assert_int_equal(waitpid(other->pid, &status, 0), other->pid);
    assert_int_equal(status, 0);
}

static bool fork_finds_in_use(const char *name)
{
    pid_t pid = fork();
    int status;

    if (pid == 0) {
        struct profile profile;

        open_at(&profile, "h:1", key_here);
        _exit(profile_take(&profile, name) ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WEXITSTATUS(status) == 1;
}

/* --- Tests --- */

static int count_lines(void)
{
    FILE *file = fopen(prefs.names_path, "r");
    struct keep_line line = {.number = 0};

    while (keep_next(file, &line))
        assert_string_equal(line.server, "h:1");
    return line.number;
}

static void recalls(struct profile *profile, const char *name, const char *busy)
{
    char found[NAME_BYTES], other[NAME_BYTES];

    assert_int_equal(profile_recall(profile, found, other), name[0] != '\0');
    assert_string_equal(found, name);
    assert_string_equal(other, busy);
}

#define TEST(name) UNIT_TEST_WITH(name, make_home, remove_home)

TEST(a_name_is_remembered_for_its_server)
{
    struct profile profile;

    open_at(&profile, "127.0.0.1:9032", key_here);
    recalls(&profile, "", "");
    assert_true(profile_take(&profile, "hong"));
    assert_string_equal(profile.key_path, prefs.key_path);
    profile_remember(&profile, "hong");
    profile_close(&profile);
    open_at(&profile, "127.0.0.1:9032", key_here);
    recalls(&profile, "hong", "");
    profile_close(&profile);
    open_at(&profile, "192.168.1.20:9032", key_here); /* the same server at another
                                                       * address */
    recalls(&profile, "hong", "");
    profile_close(&profile);
    open_at(&profile, "192.168.1.20:9032", key_there);
    recalls(&profile, "", "");
    profile_close(&profile);
    open_at(&profile, "127.0.0.1:9032", ""); /* the server's key is not known yet */
    recalls(&profile, "hong", "");
    profile_close(&profile);
}

TEST(lines_of_an_earlier_version_are_read)
{
    struct profile profile;
    struct keep_line line;

    assert_true(keep_put(prefs.names_path, "h:1", "kim"));
    open_at(&profile, "h:1", key_here);
    recalls(&profile, "kim", "");
    assert_true(profile_take(&profile, "kim"));
    profile_remember(&profile, "kim");
    assert_true(keep_find(prefs.names_path, "h:1", &line));
    assert_memory_equal(line.word[1], key_here, TLS_KEY_TEXT_SHORT);
    profile_close(&profile);
}

/* A person may have edited the file and left out the LF of the last line. */
TEST(a_last_line_without_an_end_is_kept)
{
    FILE *file = fopen(prefs.names_path, "a");
    struct keep_line line;

    assert_non_null(file);
    fputs("h:1 kim", file);
    fclose(file);
    assert_true(keep_put(prefs.names_path, "h:2", "park"));
    assert_true(keep_find(prefs.names_path, "h:1", &line));
    assert_string_equal(line.word[0], "kim");
    assert_true(keep_find(prefs.names_path, "h:2", &line));
    assert_string_equal(line.word[0], "park");
}

TEST(a_last_line_without_an_end_is_replaced)
{
    FILE *file = fopen(prefs.names_path, "a");

    assert_non_null(file);
    fputs("h:1 kim", file);
    fclose(file);
    assert_true(keep_put_word(prefs.names_path, "h:1", "kim", "kim KEY", false));
    assert_int_equal(count_lines(), 1);
}

TEST(a_long_last_line_without_an_end_is_kept)
{
    FILE *file = fopen(prefs.names_path, "a");
    struct keep_line line;

    assert_non_null(file);
    fprintf(file, "h:1 %0507d", 0); /* 511 bytes fill the buffer of keep.c */
    fclose(file);
    assert_true(keep_put(prefs.names_path, "h:2", "park"));
    assert_true(keep_find(prefs.names_path, "h:2", &line));
}

TEST(the_name_last_used_comes_first)
{
    struct profile profile;

    open_at(&profile, "h:1", key_here);
    profile_remember(&profile, "hong");
    profile_remember(&profile, "kim");
    recalls(&profile, "kim", "");
    profile_remember(&profile, "hong");
    recalls(&profile, "hong", "");
    profile_close(&profile);
}

TEST(a_second_client_gets_another_name_and_key)
{
    char offer[NAME_BYTES], cert[PATH_MAX], key[PATH_MAX];
    struct other first = start_other("127.0.0.1:9032", key_here, "hong");
    struct profile second;
    FILE *file;

    open_at(&second, "192.168.1.20:9032", key_here);
    recalls(&second, "", "hong");
    profile_offer(&second, offer);
    assert_string_equal(offer, "hong2");
    assert_false(profile_take(&second, "hong"));
    assert_true(profile_take(&second, "Hong2"));
    assert_non_null(strstr(second.key_path, "/identity-hong2.key"));
    assert_non_null(strstr(second.cert_path, "/identity-hong2.pem"));
    file = fopen(second.key_path, "w"); /* the client makes this file when it creates
                                         * the key */
    assert_non_null(file);
    fclose(file);
    profile_remember(&second, "Hong2");
    profile_close(&second);
    end_other(&first);
    /* The two clients start again: the first one gets the first name, and each name has
     * its key. */
    open_at(&second, "127.0.0.1:9032", key_here);
    recalls(&second, "hong", "");
    assert_true(profile_own_key(&prefs, "hong2", cert, key));
    assert_false(profile_own_key(&prefs, "hong", cert, key));
    profile_close(&second);
    first = start_other("127.0.0.1:9032", key_here, "hong");
    open_at(&second, "127.0.0.1:9032", key_here);
    recalls(&second, "Hong2", "hong");
    assert_true(profile_take(&second, "Hong2"));
    assert_non_null(strstr(second.key_path, "/identity-hong2.key"));
    assert_false(profile_take_first_key(&second));
    profile_close(&second);
    end_other(&first);
}

/* A name in use does not matter if a free name comes before it. */
TEST(a_free_name_that_comes_first_is_recalled)
{
    struct other other = start_other("h:1", key_here, "kim");
    FILE *file = fopen(prefs.names_path, "w");
    struct profile profile;

    assert_non_null(file);
    fputs("h:1 hong\nh:1 kim\n", file);
    fclose(file);
    open_at(&profile, "h:1", key_here);
    recalls(&profile, "hong", "");
    profile_close(&profile);
    end_other(&other);
}

TEST(a_name_that_was_taken_over_is_in_use_in_the_end)
{
    struct other first = start_other("h:1", key_here, "hong"), third;
    struct profile second;

    open_at(&second, "h:1", key_here);
    assert_false(profile_take(&second, "hong"));
    profile_await(&second);
    end_other(&first);
    profile_await(&second);
    third = start_other("h:1", key_here, "kim");
    end_other(&third);
    assert_true(fork_finds_in_use("hong"));
    profile_close(&second);
    assert_false(fork_finds_in_use("hong"));
}

TEST(a_name_at_another_server_is_another_one)
{
    struct other first = start_other("127.0.0.1:9032", key_here, "hong");
    char offer[NAME_BYTES];
    struct profile second;

    open_at(&second, "127.0.0.1:9033", key_there);
    profile_offer(&second, offer);
    assert_string_equal(offer, "hong");
    assert_true(profile_take(&second, "hong"));
    assert_string_equal(second.key_path, prefs.key_path);
    profile_close(&second);
    end_other(&first);
}

TEST(a_client_that_was_killed_has_left_its_name)
{
    struct other first = start_other("h:1", key_here, "hong");
    struct profile second;
    int status;

    kill(first.pid, SIGKILL);
    assert_int_equal(waitpid(first.pid, &status, 0), first.pid);
    close(first.begins[0]);
    close(first.ends[1]);
    open_at(&second, "h:1", key_here);
    assert_true(profile_take(&second, "hong"));
    profile_close(&second);
}

TEST(a_name_that_is_older_than_its_key_has_the_first_one)
{
    struct other first = start_other("h:1", key_here, "hong");
    struct profile second;

    open_at(&second, "h:1", key_here);
    assert_true(profile_take(&second, "kim"));
    assert_non_null(strstr(second.key_path, "/identity-kim.key"));
    assert_true(profile_take_first_key(&second));
    assert_string_equal(second.key_path, prefs.key_path);
    assert_false(profile_take_first_key(&second));
    profile_close(&second);
    end_other(&first);
}

TEST(with_a_key_of_your_own_there_is_no_other)
{
    struct other first = start_other("h:1", key_here, "hong");
    struct profile second;

    prefs.has_own_identity = true;
    open_at(&second, "h:1", key_here);
    assert_true(profile_take(&second, "kim"));
    assert_string_equal(second.key_path, prefs.key_path);
    profile_close(&second);
    end_other(&first);
}

TEST(an_offer_is_a_name)
{
    static const char *const users[][2] = {{"hong", "hong2"},
                                           {"a name", "player2"},
                                           {"", "player2"},
                                           {"abcdefghijklmnop", "abcdefghijklmno2"},
                                           {"홍길동", "player2"}};

    for (size_t i = 0; i < ARRAY_LEN(users); i++) {
        struct other first;
        struct profile second;
        char offer[NAME_BYTES];

        setenv("USER", users[i][0], 1);
        open_at(&second, "h:1", key_here);
        profile_offer(&second, offer);
        first = start_other("h:1", key_here, offer);
        profile_offer(&second, offer);
        assert_string_equal(offer, users[i][1]);
        profile_close(&second);
        end_other(&first);
    }
}

/* --- Two clients write the file at once --- */

enum { WRITERS = 4, NAMES_EACH = 15 };

/* Acts as a client: waits until the parent has closed the pipe `start`, and then stores
 * one name after another, as logins do. */
static void write_names(const int start[2], int writer)
{
    char name[NAME_BYTES];
    char byte;

    close(start[1]);
    if (read(start[0], &byte, 1) != 0)
        _exit(1);
    for (int i = 0; i < NAMES_EACH; i++) {
        snprintf(name, sizeof name, "hong%d-%d", writer, i);
        if (!keep_put_word(prefs.names_path, "h:1", name, name, i % 2 == 0))
            _exit(1);
    }
    _exit(0);
}

TEST(clients_that_log_in_at_once_lose_no_name)
{
    pid_t writers[WRITERS];
    int start[2], status;

    assert_int_equal(pipe(start), 0);
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = fork();
        assert_true(writers[i] >= 0);
        if (writers[i] == 0)
            write_names(start, i);
    }
    close(start[0]);
    close(start[1]);
    for (int i = 0; i < WRITERS; i++) {
        assert_int_equal(waitpid(writers[i], &status, 0), writers[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(count_lines(), WRITERS * NAMES_EACH);
}

UNIT_MAIN(NULL, NULL)
