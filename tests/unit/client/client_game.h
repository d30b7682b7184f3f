/* A model that receives lines as a server sends them. For tests of the client. */
#ifndef TESTS_UNIT_CLIENT_CLIENT_GAME_H
#define TESTS_UNIT_CLIENT_CLIENT_GAME_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/view/model.h"
#include "client/view/notice.h"
#include "tests/unit/unit.h"

/* One "! game ..." line at now_ms. */
static inline struct model_news feed_event(struct model *model, const char *line,
                                           int64_t now_ms)
{
    struct model_news news = {.took = MODEL_BROKEN};
    const char *text;
    int64_t id;
    int number;

    if (!proto_cut_event(line, &id, &number, &text))
        fail_msg("no event: %s", line);
    model_take_event(model, id, number, text, now_ms, &news);
    return news;
}

/* A notice or an answer, parsed as the client does. */
static inline void feed_notice(struct model *model, const char *line, int64_t now_ms)
{
    char copy[512];
    struct proto_line parsed;

    snprintf(copy, sizeof copy, "%s", line);
    proto_parse_line(copy, &parsed);
    assert_int_equal(parsed.mark, PROTO_NEWS);
    notice_take(model, &parsed, now_ms);
}

/* Game 17, kim with Red against hong, 10 minutes and 5 seconds, both set up, at 1000.
 */
static inline void feed_start(struct model *model, const char *our_name)
{
    static const char *const lines[] = {
        "! game 17 0 start red=kim blue=hong rules=martin time=10m+5s",
        "! game 17 1 setup red NBNB",
        "! game 17 2 setup blue NBBN",
    };

    model_init(model);
    snprintf(model->name, sizeof model->name, "%s", our_name);
    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        assert_int_equal(feed_event(model, lines[i], 1000).took, MODEL_NEW);
    model->current = model_find(model, 17);
}

/* Three plies more; the clocks are as of 5000, 9000 and 12000. */
static inline void feed_moves(struct model *model)
{
    static const char *const lines[] = {
        "! game 17 3 move 1 red A3-B3 red_ms=601000 blue_ms=600000",
        "! game 17 4 move 2 blue E6-D6 red_ms=601000 blue_ms=601500",
        "! game 17 5 move 3 red B2-B6 red_ms=602000 blue_ms=601500",
    };

    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        assert_int_equal(feed_event(model, lines[i],
                                    i == 0   ? 5000
                                    : i == 1 ? 9000
                                             : 12000)
                             .took,
                         MODEL_NEW);
}

#endif
