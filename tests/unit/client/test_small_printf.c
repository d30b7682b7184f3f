/* Compares small_printf, which the page for browsers uses, with the printf of the C
 * library. */
#include "client/wasm/small_printf.h"

#include <limits.h>
#include <stdio.h>

#include "common/base/base.h"
#include "tests/unit/unit.h"

enum { TEXT_BYTES = 64 };

/* Both printf functions must write the same bytes into a buffer of `size` bytes and
 * return the same length. */
static void same_in(size_t size, const char *format, va_list args)
{
    char ours[TEXT_BYTES] = {0}, theirs[TEXT_BYTES] = {0};
    va_list again;
    int our_len, their_len;

    va_copy(again, args);
    our_len = small_printf_list(ours, size, format, args);
    their_len = vsnprintf(theirs, size, format, again);
    va_end(again);
    assert_string_equal(ours, theirs);
    assert_int_equal(our_len, their_len);
}

static void __attribute__((format(printf, 1, 2))) same(const char *format, ...)
{
    static const size_t sizes[] = {TEXT_BYTES, 6, 1, 0};

    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        va_list args;

        va_start(args, format);
        same_in(sizes[i], format, args);
        va_end(args);
    }
}

static void words_are_as_the_c_library_writes_them(void **state)
{
    same("plain");
    same("%s and %c%%", "hong", 'x');
    same("[%.*s] [%.2s] [%*s]", 3, "漢楚", "NBBN", 7, "kim");
}

static void numbers_are_as_the_c_library_writes_them(void **state)
{
    static const int numbers[] = {0, 1, -1, 9, 10, 47, -305, INT_MAX, INT_MIN};

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        same("%d %02d %4d %04d", numbers[i], numbers[i], numbers[i], numbers[i]);
        same("%u %x %04x %02X", (unsigned)numbers[i], (unsigned)numbers[i],
             (unsigned)numbers[i], (unsigned)numbers[i]);
    }
    same("%lld %llu %zu %ld", LLONG_MIN, ULLONG_MAX, (size_t)90, LONG_MAX);
}

static void tenths_are_as_the_c_library_writes_them(void **state)
{
    for (int i = -400; i <= 400; i++)
        same("%.1f %.1f", i * 0.41421, i / 4.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_as_the_c_library_writes_them),
        cmocka_unit_test(numbers_are_as_the_c_library_writes_them),
        cmocka_unit_test(tenths_are_as_the_c_library_writes_them),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
