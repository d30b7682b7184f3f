/* A janggi that does not clear its input line before it prints above it. Linked in
 * front of readline with
 *
 *     -Wl,--wrap=rl_clear_visible_line
 *
 * it is the negative control of tests/cli/typed_lines, which must detect it. The
 * real program does not contain this file. */
int __wrap_rl_clear_visible_line(void);

int __wrap_rl_clear_visible_line(void)
{
    return 0;
}
