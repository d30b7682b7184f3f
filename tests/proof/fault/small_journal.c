/* A janggid whose journal keeps few rows. So in a proof of some minutes the store moves
 * logs out of the journal and removes rows, which takes a busy server hours. Linked
 * with
 *
 *     -Wl,--wrap=store_tail_kept_rows */

int __real_store_tail_kept_rows(void);
int __wrap_store_tail_kept_rows(void);

int __wrap_store_tail_kept_rows(void)
{
    return 320;
}
