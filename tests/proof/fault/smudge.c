/* A janggi that prints above the input line without clearing the input line first.
 * Linked in front of readline with
 *
 *     -Wl,--wrap=rl_clear_visible_line
 *
 * This janggi is the negative control of tests/cli/typed_lines, which must detect the
 * fault. The real program does not contain this file. */
int __wrap_rl_clear_visible_line(void);

int __wrap_rl_clear_visible_line(void)
{
    return 0;
}
