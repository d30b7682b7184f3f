/* A janggi whose line is not cleared before something is written above it. Linked in
 * front of readline with
 *
 *     -Wl,--wrap=rl_clear_visible_line
 *
 * it is the control of tests/cli/typed_lines: the damage must be seen. Nothing of it is
 * in the real program. */
int __wrap_rl_clear_visible_line(void);

int __wrap_rl_clear_visible_line(void)
{
    return 0;
}
