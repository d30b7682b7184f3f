/* See forge.h. */
#include "tests/checker/forge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "tests/checker/database.h"

void forge_loss(const char *data, int games)
{
    sqlite3 *file = database_open(data);
    char sql[320], *why = NULL;

    if (file == NULL)
        return;
    snprintf(sql, sizeof sql,
             "DELETE FROM journal WHERE (game, number) IN (SELECT game, max(number) "
             "FROM journal WHERE game NOT IN (SELECT id FROM game) "
             "GROUP BY game HAVING max(number) > 2 LIMIT %d)",
             games);
    if (sqlite3_exec(file, sql, NULL, NULL, &why) != SQLITE_OK)
        printf("# lose: %s\n", why);
    else
        printf("# lost %d events on purpose\n", sqlite3_changes(file));
    sqlite3_free(why);
    sqlite3_close(file);
}

/* Changes the target of the first move in the text: "B0-C2" becomes, for example,
 * "B0-C3". Without a move, changes the first letter. */
static void alter(char *text)
{
    char *dash = strchr(text, '-');

    if (dash != NULL)
        dash[2] = dash[2] == '9' ? '0' : (char)(dash[2] + 1);
    else
        text[0] ^= 1;
}

/* Changes one red_ms=1... into red_ms=9..., so that a clock increases. */
static bool raise_clock(struct history_log *log)
{
    for (int n = 3; n < log->count; n++) {
        char *clock = strstr(log->text[n], "red_ms=1");

        if (clock == NULL)
            continue;
        clock[7] = '9';
        return true;
    }
    return false;
}

bool forge_log(struct history_log *log, const char *kind)
{
    if (log->count < 4)
        return false;
    if (strcmp(kind, "clock") == 0)
        return raise_clock(log);
    if (strcmp(kind, "alter") == 0)
        alter(log->text[log->count / 2]);
    else if (strcmp(kind, "drop") == 0)
        free(log->text[--log->count]);
    else if (strcmp(kind, "double") == 0)
        history_log_add(log, log->text[log->count - 2]);
    else
        return false;
    return true;
}
