/* The unit programs of a folder are one program with a name for each, so that they are
 * linked once. TESTS is `T(board) T(clock) ...`: main() of test_board.c is
 * main_board() here. */
#include <stdio.h>
#include <string.h>

#define T(name) int main_##name(void);
TESTS
#undef T

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const char *me = slash != NULL ? slash + 1 : argv[0];

    (void)argc;
#define T(name)                                                                        \
    if (strcmp(me, "test_" #name) == 0)                                                \
        return main_##name();
    TESTS
#undef T
    fprintf(stderr, "%s is the name of no test\n", me);
    return 2;
}
