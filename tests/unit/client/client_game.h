/* Declares `model`, the client's data about its games, for tests of the client. The
 * tests feed it with lines as a server sends them. Each test begins with an empty
 * model. */
#ifndef TESTS_UNIT_CLIENT_CLIENT_GAME_H
#define TESTS_UNIT_CLIENT_CLIENT_GAME_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/view/facts.h"
#include "client/view/model.h"
#include "client/view/notice.h"
#include "tests/unit/unit.h"

static struct model model;

static inline int close_model(void **state)
{
    model_clear(&model);
    return 0;
}

#define MODEL_TEST(name) UNIT_TEST_WITH(name, NULL, close_model)

/* Feeds one "! game ..." line that arrives at now_ms. */
static inline struct model_news feed_event(const char *line, int64_t now_ms)
{
    struct model_news news = {.took = MODEL_BROKEN};
    const char *text;
    int64_t id;
    int number;

    assert_so(proto_cut_event(line, &id, &number, &text), "no event: %s", line);
    model_take_event(&model, id, number, text, now_ms, &news);
    return news;
}

/* Parses `line`, a notice or an answer, as the client does. The result is valid until
 * the next call. */
static inline struct proto_line *parse_line(const char *line)
{
    static char copy[PROTO_LINE_MAX + 8];
    static struct proto_line parsed;

    snprintf(copy, sizeof copy, "%s", line);
    proto_parse_line(copy, &parsed);
    return &parsed;
}

static inline void feed_notice(const char *line, int64_t now_ms)
{
    const struct proto_line *parsed = parse_line(line);

    assert_int_equal(parsed->mark, PROTO_NEWS);
    notice_take(&model, parsed, now_ms);
}

/* Feeds the rows of the server's answer to "help verbs". */
static inline void feed_verbs(void)
{
    static const char *const rows[][2] = {
        {"play [TIME] [rules=martin] [rated=no] [range=any] [bots=no]",
         "group=find brief=\"the next game\""},
        {"seek [time=10m+5s] [rules=martin] [side=any] [range=any] [MANNERS]",
         "group=find"},
        {"seeks [on|off]", "group=find brief=\"games on offer\""},
        {"challenge NAME [time=10m+5s] [rules=martin] [side=any] [MANNERS]",
         "group=find brief=\"ask one player\""},
        {"withdraw ID|CODE", "group=play"},
        {"invite [door [uses=20] [days=7] | time=10m+5s rules=martin side=any MANNERS]",
         "group=find brief=\"a link for a friend\""},
        {"join CODE", "group=find"},
        {"adjourn [GAME]", "group=play"},
        {"continue [GAME]", "group=play"},
        {"games [mine]", "group=find brief=\"running games\""},
        {"unwatch [GAME]", "group=watch"},
        {"whisper [game=GAME] TEXT", "group=watch brief=\"to the watchers\""},
        {"who", "group=find"},
        {"history [NAME]", "group=find"},
        {"limits", "group=other"},
        {"ping", "group=other"},
        {"device [remove ID]", "group=other"},
        {"devices", "group=other"},
        {"pending", "group=play brief=\"what is still open\""},
        {"watchers [GAME]", "group=watch"},
        {"let [GAME] [NAME]", "group=watch"},
        {"unlet [GAME] NAME", "group=watch"},
        {"watchlink [GAME] [new]", "group=watch"},
        {"ignore [NAME]", "group=other"},
        {"unignore NAME", "group=other"},
        {"block [NAME]", "group=other"},
        {"unblock NAME", "group=other"},
        {"quiet [on|auto|off]", "group=other"},
        {"tell NAME TEXT", "group=other"},
        {"messages [clear|all|played|none]", "group=other"},
        {"members", "group=other role=member"},
        {"kick NAME REASON", "group=other role=moderator"},
        {"ban NAME|key:ID|addr:PREFIX [for=7d] REASON", "group=other role=moderator"},
        {"unban NAME|key:ID|addr:PREFIX", "group=other role=moderator"},
        {"bans", "group=other role=moderator"},
        {"mute NAME [for=10m] REASON", "group=other role=moderator"},
        {"unmute NAME", "group=other role=moderator"},
        {"end GAME red|blue|draw|none [rated=no] REASON", "group=other role=moderator"},
        {"notice TEXT", "group=other role=moderator"},
        {"role NAME moderator|member|player", "group=other role=moderator"},
        {"audit [NAME]", "group=other role=moderator"},
        {"reports [NAME]", "group=other role=moderator"},
        {"motd TEXT", "group=other role=owner"},
        {"name TEXT", "group=other role=owner"},
        {"reload", "group=other role=owner"},
        {"report NAME [TEXT]", "group=other"},
        {"export [NAME]", "group=other"},
        {"doors [remove CODE]", "group=other role=moderator"},
        {"access [open|invited|members|closed] [guests=play|watch|none] "
         "[watching=all|members]",
         "group=other role=owner"},
        {"guests [play|watch|none]", "group=other role=owner"},
        {"watching [all|members]", "group=other role=owner"},
        {"reset NAME", "group=other role=owner"},
        {"evening [ID [ROUND]]", "group=other"},
        {"notify [NAME [off]]", "group=find"},
        {"follow [NAME [off]]", "group=watch"},
        {"rank [NAME]", "group=find"},
        {"top [kja|martin|classic|days]", "group=find"},
        {"annul GAME REASON", "group=other role=moderator"},
        {"tv [kja|martin|classic|days|off] [after=GAME]", "group=watch"},
    };
    char line[PROTO_LINE_MAX];

    model.verb_count = 0;
    model.has_verbs = true;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        snprintf(line, sizeof line, "! verb %.*s usage=\"%s\" %s : what it does",
                 (int)strcspn(rows[i][0], " "), rows[i][0], rows[i][0], rows[i][1]);
        model_take_verb(&model, parse_line(line));
    }
    assert_int_equal(model.verb_count, ARRAY_LEN(rows));
}

/* Feeds an event, which must be new to the model, and fills *facts with what the client
 * shows for it. *facts is valid until the next call. */
static inline void feed_facts(struct facts *facts, const char *line)
{
    static struct model_news news;

    news = feed_event(line, 1000);
    assert_so(news.took == MODEL_NEW, "not taken: %s", line);
    facts_take_event(facts, &news, 1000);
}

/* Empties the model and feeds the start of a game, which becomes the current game.
 * our_name: the name that the player of this client has. */
static inline void feed_game(const char *our_name, const char *line)
{
    struct model_news news;

    model_clear(&model);
    feed_verbs();
    snprintf(model.name, sizeof model.name, "%s", our_name);
    news = feed_event(line, 0);
    assert_int_equal(news.took, MODEL_NEW);
    model.current = news.game;
}

static inline void feed_line_ups(const char *red, const char *blue, int64_t now_ms)
{
    char line[64];

    snprintf(line, sizeof line, "! game %d 1 setup red %s", (int)model.current->id,
             red);
    assert_int_equal(feed_event(line, now_ms).took, MODEL_NEW);
    snprintf(line, sizeof line, "! game %d 2 setup blue %s", (int)model.current->id,
             blue);
    assert_int_equal(feed_event(line, now_ms).took, MODEL_NEW);
}

/* Feeds the start of game 17 and its two line-ups, which arrive at 1000 ms. kim plays
 * Red, hong plays Blue, and the time is 10m+5s. */
static inline void feed_start(const char *our_name)
{
    feed_game(our_name, "! game 17 0 start red=kim blue=hong rules=martin time=10m+5s");
    feed_line_ups("NBNB", "NBBN", 1000);
}

/* Feeds three plies, which arrive at 5000, 9000 and 12000 ms. feed_start() must have
 * been called before. */
static inline void feed_moves(void)
{
    static const char *const lines[] = {
        "! game 17 3 move 1 red A3-B3 red_ms=601000 blue_ms=600000",
        "! game 17 4 move 2 blue E6-D6 red_ms=601000 blue_ms=601500",
        "! game 17 5 move 3 red B2-B6 red_ms=602000 blue_ms=601500",
    };

    for (size_t i = 0; i < ARRAY_LEN(lines); i++)
        assert_int_equal(feed_event(lines[i], i == 0   ? 5000
                                              : i == 1 ? 9000
                                                       : 12000)
                             .took,
                         MODEL_NEW);
}

#endif
