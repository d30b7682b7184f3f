/* The player's own games, told one by one after login, as a short table. */
#include <string.h>

#include "client/play/inside.h"
#include "client/view/row.h"
#include "client/view/words.h"
#include "common/base/text.h"
#include "common/base/translate.h"

static bool is_our_turn(const struct client *client, const struct proto_line *line)
{
    bool is_red = model_is_same_name(words_value(line, "red", ""), client->model.name);

    return strcmp(words_value(line, "turn", ""), is_red ? "red" : "blue") == 0;
}

/* Continues a text of which the length is not kept. */
static struct text text_after(char *buffer, size_t size)
{
    struct text text = {.at = buffer, .size = size, .len = strlen(buffer)};

    return text;
}

void mine_take(struct client *client, const struct proto_line *line)
{
    struct text rows = text_after(client->mine_rows, sizeof client->mine_rows);
    struct text turns = text_after(client->mine_turns, sizeof client->mine_turns);
    const char *id = words_value(line, "game", "?");

    if (!client->is_homecoming)
        return;
    client->mine++;
    text_add(&rows, "  ");
    row_add_own_game(&rows, &client->model, line, id);
    text_add(&rows, "\n");
    if (is_our_turn(client, line))
        text_addf(&turns, "%s%s", turns.len > 0 ? ", " : "", id);
}

/* One game alone is shown itself. */
void mine_say(struct client *client)
{
    const char *turns = client->mine_turns;

    if (!client->is_homecoming)
        return;
    client->is_homecoming = false;
    if (client->mine < 2)
        return;
    console_say(client->console, _("Your games (\"game NUMBER\" goes to one):\n"));
    console_say(client->console, client->mine_rows);
    if (turns[0] != '\0')
        console_sayf(client->console, _("It is your move in %s.\n"), turns);
}
