/* A janggid whose journal keeps only a few rows. So the store moves rows in the
 * journal and removes rows even in a proof of some minutes. With the usual number of
 * rows, a busy server does this only after hours. Linked with
 *
 *     -Wl,--wrap=store_tail_kept_rows */

int __real_store_tail_kept_rows(void);
int __wrap_store_tail_kept_rows(void);

int __wrap_store_tail_kept_rows(void)
{
    return 320;
}
