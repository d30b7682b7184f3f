/* See wasm_save.h. */
#include "client/wasm/wasm_save.h"

#include <string.h>

#include "client/formats/record_gib.h"
#include "client/formats/record_pgn.h"
#include "client/wasm/wasm.h"
#include "common/game/game.h"
#include "common/game/rules.h"
#include "common/record/record.h"
#include "common/record/record_text.h"
#include "common/words/guide.h"
#include "common/words/svg.h"

WASM_EXPORT(page_svg) void page_svg(struct page *page, int ply, int is_flipped)
{
    page_take_answer(page, svg_write(page_position(page, ply), is_flipped != 0, NULL));
}

/* Adds the events in `text` to the record; each ends with an LF. */
static void add_events(struct record *record, const char *text)
{
    const char *end;

    for (; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        char event[EVENT_BYTES] = "";

        if ((size_t)(end - text) < sizeof event)
            memcpy(event, text, (size_t)(end - text));
        record_add(record, event);
    }
}

WASM_EXPORT(page_export) int page_export(struct page *page, int is_gib)
{
    const struct game *game = page_game(page);
    struct record record;

    if (!record_has_play(game))
        return 0;
    record_init(&record);
    add_events(&record, page_answer(page));
    page_take_answer(page, is_gib ? record_gib_write(&record, game, NULL)
                                  : record_pgn_write(&record, game, NULL));
    record_clear(&record);
    return 1;
}

static void add_paragraph(void *context, const char *line)
{
    record_text_addf(context, "%s\n", line);
}

WASM_EXPORT(page_guide) int page_guide(struct page *page)
{
    const struct ruleset *rules = ruleset_find(page_answer(page));
    struct record_text text = {.at = NULL};

    if (rules == NULL)
        return 0;
    guide_rules(rules, add_paragraph, &text);
    page_take_answer(page, record_text_take(&text));
    return 1;
}
