/* See mine.h. */
#include "client/play/mine.h"

#include <string.h>

#include "client/view/row.h"
#include "client/view/words.h"
#include "common/base/text.h"
#include "common/base/translate.h"

void mine_begin(struct mine *mine, bool is_on)
{
    mine->is_on = is_on;
}

static bool is_our_turn(const struct mine *mine, const struct proto_line *line)
{
    bool is_red =
        model_is_same_name(words_value(line, "red", ""), mine->talk->model.name);

    return strcmp(words_value(line, "turn", ""), is_red ? "red" : "blue") == 0;
}

/* Returns a struct text that appends to the string in `buffer`. */
static struct text text_after(char *buffer, size_t size)
{
    struct text text = {.at = buffer, .size = size, .len = strlen(buffer)};

    return text;
}

void mine_take(struct mine *mine, const struct proto_line *line)
{
    struct text rows = text_after(mine->rows, sizeof mine->rows);
    struct text turns = text_after(mine->turns, sizeof mine->turns);
    const char *id = words_value(line, "game", "?");

    if (!mine->is_on)
        return;
    mine->count++;
    text_add(&rows, "  ");
    row_add_own_game(&rows, &mine->talk->model, line, id);
    text_add(&rows, "\n");
    if (is_our_turn(mine, line))
        text_addf(&turns, "%s%s", turns.len > 0 ? ", " : "", id);
}

/* Prints the table if it has at least two games. A single game is shown with its board
 * instead. */
void mine_say(struct mine *mine)
{
    const char *turns = mine->turns;

    if (!mine->is_on)
        return;
    mine->is_on = false;
    if (mine->count < 2)
        return;
    console_say(mine->talk->console,
                _("-- your games (\"game NUMBER\" goes to one):\n"));
    console_say(mine->talk->console, mine->rows);
    if (turns[0] != '\0')
        console_sayf(mine->talk->console, _("-- it is your move in %s\n"), turns);
}
