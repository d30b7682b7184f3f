/* A janggid whose journal keeps few rows, so that a proof of some minutes sees logs
 * parked and rows removed as a busy server does in hours. Linked with
 *
 *     -Wl,--wrap=store_tail_kept_rows
 */

int __real_store_tail_kept_rows(void);
int __wrap_store_tail_kept_rows(void);

int __wrap_store_tail_kept_rows(void)
{
    return 320;
}
