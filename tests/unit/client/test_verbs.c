/* Tests of client/verb/verbs: which action a typed line gives. */
#include "tests/unit/client/client_game.h"

#include "client/verb/answers.h"
#include "client/verb/verbs.h"
#include "client/view/model.h"
#include "client/view/primer.h"
#include "client/view/render.h"
#include "common/words/names.h"
#include "tests/unit/client/lines.h"

static struct action action;

static const struct action *read_in(const struct verb_book *book, const char *line)
{
    const struct render_view view = {.now_ms = 1000};

    verbs_read(book, &model, NULL, line, &view, &action);
    return &action;
}

static const struct action *read_line(const char *line)
{
    return read_in(&verbs_of_client, line);
}

static void check_kind(const char *line, enum action_kind kind)
{
    if (read_line(line)->kind != kind)
        fail_msg("\"%s\": action %d \"%s\"", line, (int)action.kind, action.words);
}

/* Like check_kind(), but for a view that the caller chooses: a screen, or a private
 * board on a screen. In these views, an empty line can have a meaning. */
static void check_seen(const struct render_view *view, const char *line,
                       enum action_kind kind)
{
    verbs_read(&verbs_of_client, &model, NULL, line, view, &action);
    if (action.kind != kind)
        fail_msg("\"%s\": action %d \"%s\"", line, (int)action.kind, action.words);
}

static void check_line(const char *line, enum action_kind kind, const char *sent)
{
    read_line(line);
    assert_so(action.kind == kind && strcmp(action.line, sent) == 0,
              "\"%s\": action %d \"%s\" \"%s\"", line, (int)action.kind, action.line,
              action.words);
}

static void sends(const char *line, const char *sent)
{
    check_line(line, ACTION_SEND, sent);
}

static void says(const char *line, const char *words)
{
    check_kind(line, ACTION_SAY);
    assert_string_equal(action.words, words);
}

static void refuses(const char *line, const char *words)
{
    check_kind(line, ACTION_REFUSE);
    assert_string_equal(action.words, words);
}

static const char *const protocol_lines[][2] = {
    {"seek", "seek"},
    {"seek 10 5", "seek 10 5"},
    {"SEEK 20m+3x40s blue", "seek 20m+3x40s blue"},
    {"match lee cho", "challenge lee cho"},
    {"match kim 5 private", "challenge kim 5 private"},
    {"watch 17 17-K7Q29F3MW4XHT6PB", "watch 17 code=17-K7Q29F3MW4XHT6PB"},
    {"let park 17", "let game=17 park"},
    {"let park", "let game=17 park"},
    {"watchlink 3", "watchlink 3"},
    {"watchlink new", "watchlink game=17 new"},
    {"unlet park", "unlet game=17 park"},
    {"watchers", "watchers game=17"},
    {"ignore park", "ignore park"},
    {"block", "block"},
    {"quiet off", "quiet off"},
    {"tell park at eight?", "tell park at eight?"},
    {"message park  two  spaces", "tell park  two  spaces"},
    {"messages", "messages"},
    {"evening", "evening"},
    {"evening join 4", "evening join 4"},
    {"evenings 4 2", "evening 4 2"},
    {"notify park", "notify park"},
    {"follow park off", "follow park off"},
    {"follow", "follow"},
    {"messages clear", "messages clear"},
    {"set messages all", "messages all"},
    {"match lee 10 5 red", "challenge lee 10 5 red"},
    {"challenge lee", "challenge lee"},
    {"invite 30", "invite 30"},
    {"invite door", "invite door"},
    {"invite door uses=5 days=3", "invite door uses=5 days=3"},
    {"door", "invite door"},
    {"door 3", "invite door uses=3"},
    {"games", "games"},
    {"players", "who"},
    {"sought", "seeks"},
    {"history lee", "history lee"},
    {"observe 3", "watch 3"},
    {"join K7Q2-9F3M", "join K7Q2-9F3M"},
    {"accept 12", "accept 12"},
    {"withdraw 12", "withdraw 12"},
    {"withdraw K7Q2-9F3M", "withdraw K7Q2-9F3M"},
    {"draw", "draw 17"},
    {"resign!", "resign 17"},
    {"res!", "resign 17"},
    {"takeback", "takeback 17"},
    {"takeback 2", "takeback 17 to=1"},
    {"rematch", "rematch 17"},
    {"say 5 more minutes?", "say game=17 5 more minutes?"},
    {"kibitz nice", "whisper game=17 nice"},

    {"adjourn", "adjourn game=17"},
    {"games mine", "games mine"},
    {"record", "record 17"},
    {"record 3", "record 3"},
    {"export", "export"},
    {"export kim", "export kim"},
    {"claim win", "claim 17 win"},
    {"claim 17 DRAW", "claim 17 draw"},
    {"seeks on", "seeks on"},
    {"rematch 5m", "rematch 17 5m"},
    {"rematch 10 5", "rematch 17 10 5"},
    {"rematch 17 10 5", "rematch 17 10 5"},
    {"rematch 17 kja red", "rematch 17 kja red"},
    {"play", "play"},
    {"play 10 5", "play 10 5"},
};

MODEL_TEST(words_become_lines_of_the_protocol)
{
    feed_start("kim");
    feed_moves();
    for (size_t i = 0; i < ARRAY_LEN(protocol_lines); i++)
        sends(protocol_lines[i][0], protocol_lines[i][1]);
    check_line("resign", ACTION_ASK, "resign 17");
    check_line("quit", ACTION_QUIT, "");
    check_line("", ACTION_NOTHING, "");
    check_line("   ", ACTION_NOTHING, "");
    check_line("set bell off", ACTION_SET, "bell");
    assert_string_equal(action.words, "off");
}

/* "abort" asks only where it ends the game at once. */
MODEL_TEST(an_abort_asks_where_it_is_the_end)
{
    feed_start("kim");
    check_line("abort", ACTION_ASK, "abort 17");
    assert_string_equal(action.words, "End game 17 without a result?");
    sends("abort!", "abort 17");
    feed_moves();
    sends("abort", "abort 17");
    sends("abort!", "abort 17");
    assert_int_equal(read_in(&verbs_of_local, "abort")->kind, ACTION_ASK);
    feed_notice("! offer 21 game=17 kind=abort by=hong", 1);
    check_line("abort", ACTION_ASK, "abort 17");
    feed_notice("! offer 22 game=17 kind=draw by=hong", 1);
    check_line("abort", ACTION_ASK, "abort 17"); /* both offers are open */
    model_close_offer(&model, 22);
    model_close_offer(&model, 21);
    feed_event("! game 17 6 takeback 1", 1);
    check_line("abort", ACTION_ASK, "abort 17");
}

/* The length limit holds for the line that is sent. That line is 8 characters longer
 * here, because "say" becomes "say game=17". */
MODEL_TEST(a_line_is_sent_whole_or_refused)
{
    char typed[PROTO_LINE_MAX + 1];

    feed_start("kim");
    memset(typed, 'x', sizeof typed);
    memcpy(typed, "say ", 4);
    typed[PROTO_LINE_MAX - 8] = '\0';
    check_kind(typed, ACTION_SEND);
    assert_int_equal(strlen(action.line), PROTO_LINE_MAX);
    assert_memory_equal(action.line, "say game=17 xx", 14);
    typed[PROTO_LINE_MAX - 8] = 'x';
    typed[PROTO_LINE_MAX - 7] = '\0';
    check_kind(typed, ACTION_REFUSE);
}

/* The program asks the user once for a confirmation before a command that ends a game.
 * It does not ask before a command that the server would refuse. */
MODEL_TEST(a_claim_asks_when_it_is_open)
{
    feed_start("kim");
    sends("claim win", "claim 17 win"); /* the opponent is present */
    feed_notice("! presence game=17 side=blue here=0 claim_ms=60000", 0);
    sends("claim win", "claim 17 win"); /* the opponent has not been
                                                           * absent long enough */
    feed_notice("! claim game=17 side=blue", 500);
    check_line("claim win", ACTION_ASK, "claim 17 win");
    check_line("claim draw 17", ACTION_ASK, "claim 17 draw");
    sends("claim! draw", "claim 17 draw");
    refuses("claim", "Usage: claim win|draw [GAME]\n");
    refuses("claim everything", "\"everything\" is not one of: win|draw. Nothing was "
                                "done. Usage: claim win|draw [GAME]\n");
    sends("continue", "continue game=17"); /* the server judges it */
}

MODEL_TEST(no_move_is_possible_in_an_adjourned_game)
{
    feed_start("kim");
    feed_event("! game 17 3 adjourn red_ms=600000 blue_ms=600000", 1);
    refuses("a3b3", "Game 17 is adjourned. \"continue\" asks to go on.\n");
    sends("continue", "continue game=17");
    feed_event("! game 17 4 continue", 1);
    check_kind("a3b3", ACTION_MOVE);
}

MODEL_TEST(a_game_is_saved_under_a_name)
{
    feed_start("kim");
    check_kind("save", ACTION_SAVE);
    assert_int_equal(action.number, 17);
    assert_string_equal(action.words, "");
    read_line("save a.record");
    assert_int_equal(action.number, 17);
    assert_string_equal(action.words, "a.record");
    read_line("save 4 b.record");
    assert_int_equal(action.number, 4);
    assert_string_equal(action.words, "b.record");
    read_line("save 4");
    assert_int_equal(action.number, 4);
    assert_string_equal(action.words, "");
    model.current = NULL;
    check_kind("save", ACTION_REFUSE);
}

MODEL_TEST(mistakes_are_forgiven)
{
    feed_verbs();
    refuses("resing", "\"resing\"? Did you mean resign? Nothing was done.\n");
    refuses("sekk 10", "\"sekk\"? Did you mean seek? Nothing was done.\n");
    refuses("xyzzy", "\"xyzzy\"? Type help for what can be typed. Nothing was done.\n");
    refuses("se", "\"se\" can mean setup, set, seek, seeks. Nothing was done.\n");
    refuses("b0c2 now", "\"now\" is one word too many. Nothing was done.\n");
    refuses("B0 C2 C4", "\"C4\" is one word too many. Nothing was done.\n");
    refuses("draw", "You have no game here. \"seek\" or \"games\" finds one.\n");
    refuses("rematch 10",
            "You have no game 10 here. If you mean minutes, type \"rematch 10m\".\n");
    refuses("accept", "Nothing is offered to you. \"seeks\" lists games on offer.\n");
    check_kind("say \x1b[2J", ACTION_REFUSE);
}

/* A link is for the shell. Its case is kept, because the key depends on it. */
MODEL_TEST(a_link_is_for_the_shell)
{
    static const char *const kinds[] = {"enter/K7Q2-9F3M", "join/K7Q2-9F3M", "watch",
                                        "owner/K7Q2-9F3M"};
    char link[128], line[160], wanted[256];

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        snprintf(link, sizeof link,
                 "janggi://Hong.example.org:7474/%s/wUbiN6ISBYsjV_YcKmN1Xk", kinds[i]);
        snprintf(
            wanted, sizeof wanted,
            "That is a link. To use it, type \"quit\" here, and then in the shell:\n"
            "  janggi %s\n",
            link);
        refuses(link, wanted);
        snprintf(line, sizeof line, "  janggi  %s  ", link);
        refuses(line, wanted);
        assert_int_equal(read_in(&verbs_of_local, link)->kind, ACTION_REFUSE);
        assert_string_equal(action.words, wanted);
    }
    refuses("janggi://example.org/join/K7Q2-9F3M/x",
            "That link does not work: the key at the end of the link is damaged (a key "
            "has 22 to 43 characters: letters, digits, - and _): paste the whole line "
            "once more. Nothing was done.\n");
}

MODEL_TEST(a_lone_point_is_half_a_move)
{
    static const char *const ways[] = {"b0", "B0", " b0 ", "help b0"};

    feed_start("kim");
    for (size_t i = 0; i < ARRAY_LEN(ways); i++)
        check_kind(ways[i], ACTION_REFUSE);
    refuses("b0", "b0, and where to? A move has two points, like b0c2.\n");
    assert_int_equal(read_in(&verbs_of_local, "e3")->kind, ACTION_REFUSE);
    assert_string_equal(action.words,
                        "e3, and where to? A move has two points, like b0c2.\n");
    refuses("j0", "\"j0\"? Type help for what can be typed. Nothing was done.\n");
}

MODEL_TEST(moves_are_judged_here_first)
{
    static const char *const ways[] = {"a3b3", "A3-B3", "a3 b3", "pA3-B3", "move a3b3"};

    feed_start("kim");
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        check_kind(ways[i], ACTION_MOVE);
        assert_int_equal(action.ply, 1);
        assert_int_equal(action.move.from, side_parse_point("A3"));
        assert_int_equal(action.move.to, side_parse_point("B3"));
    }
    check_kind("a0a5", ACTION_REFUSE);
    assert_non_null(strstr(action.words, "A0-A5 not played: "));
    assert_non_null(strstr(action.words, "A3"));
    check_kind("na3b3", ACTION_REFUSE);
    check_kind("pass", ACTION_REFUSE);
    model.current->pending.state = PENDING_SENT;
    model.current->pending.move = action.move;
    check_kind("a3b3", ACTION_REFUSE);
    model.current->pending.state = PENDING_LOST;
    check_kind("a3b3", ACTION_REFUSE);
    assert_non_null(strstr(action.words, "may have arrived"));
    model.current->pending.is_told = true; /* the player knows that the move did not
                                            * arrive: another move may be played */
    check_kind("a3b3", ACTION_MOVE);
    model.current->pending.state = PENDING_TYPED;
    check_kind("a3b3", ACTION_MOVE);
    feed_moves();
    refuses("a0a1", "It is blue's turn; you play red.\n");
}

static void check_move(const char *line, const char *wanted)
{
    char move[MOVE_BYTES];

    if (read_line(line)->kind != ACTION_MOVE)
        fail_msg("%s: action %d: %s", line, (int)action.kind, action.words);
    move_format(move, action.move);
    assert_so(strcmp(move, wanted) == 0, "%s: %s", line, move);
}

MODEL_TEST(moves_are_read_as_people_type_them)
{
    static const char *const ways[] = {
        "b0c2",     "B0-C2",     "nB0-C2",      "N b0-c2",     "Nc2",
        "nC2",      "1837",      "18-37",       "18마37",      "18馬37",
        "漢18馬37", "N b1-c3",   "n b1-c3",     "move Nc2",    "move 1837",
        "  Nc2  ",  "knight c2", "Horse b0-c2", "horse b1-c3", "마 b0c2",
        "마c2",     "馬 c2",     "馬b0-c2",     "move 마 c2",  "ma b0c2",
    };

    feed_start("kim");
    for (size_t i = 0; i < ARRAY_LEN(ways); i++)
        check_move(ways[i], "B0-C2");
    refuses("E c1-e4", /* E is the elephant of Game Courier */
            "-- C0-E3 not played: your own pawn stands on E3\n");
    check_move("Pc4", "C3-C4");
    check_move("Ke2", "E1-E2");
    refuses("Pb3",
            "More than one piece can go to B3: type a3b3 or c3b3. Nothing was done.\n");
    refuses("Ra5", "-- A0-A5 not played: the pawn on A3 is in the rook's way to A5\n");
    refuses("Nc5",
            "The side to move has no knight that can go to C5. Nothing was done.\n");
    refuses("차 c2",
            "The side to move has no rook that can go to C2. Nothing was done.\n");
    check_kind("마", ACTION_REFUSE);
    check_kind("마 c2 c3", ACTION_REFUSE);
    refuses("18차37", "a different piece is on B0. Nothing was done.\n");
    refuses("b1-c3", "-- B1-C3 not played: no piece stands on B1\n");
    check_kind("한수쉼", ACTION_REFUSE);
    check_kind("R b1-c3", ACTION_REFUSE);
    check_kind("1837 1837", ACTION_REFUSE);
    feed_moves();
    refuses("Nc2", "It is blue's turn; you play red.\n");
    check_kind("moves", ACTION_SAY);
    assert_non_null(strstr(action.words, "A3-B3"));
}

MODEL_TEST(a_watcher_is_sent_to_whisper)
{
    (void)state;
    feed_start("park");
    model.current->is_ours = false;
    refuses("say hello",
            "You only watch game 17; \"whisper\" speaks to the others who watch.\n");
    feed_event("! game 17 3 end red resignation", 1);
    refuses("say hello", "Game 17 is over, and you only watched it. After \"watch 17\" "
                         "you can whisper to others who watch it.\n");
}

MODEL_TEST(the_score_explains_itself)
{
    static const char values[] =
        "(rook 13, cannon 7, knight 5, bishop 3, guard 3, pawn 2)\n";
    char wanted[256];

    (void)state;
    feed_start("kim");
    snprintf(wanted, sizeof wanted, "Red has 72 points\nBlue has 72 points\n%s",
             values);
    read_line("score");
    assert_string_equal(action.words, wanted);
    feed_game("", "! game 1 0 start red=a1 blue=b2 rules=kja time=none");
    feed_line_ups("NBBN", "NBBN", 0);
    snprintf(wanted, sizeof wanted,
             "Red has 73.5 points\nBlue has 72 points\n%sRed has 1.5 of its points "
             "because it moves second.\n",
             values);
    read_line("points");
    assert_string_equal(action.words, wanted);
}

/* Game Courier counts the rows from 1, and we count them from 0. When a typed move is
 * legal in both ways of counting, the program asks which move is meant. */
MODEL_TEST(no_reading_of_a_move_is_guessed)
{
    feed_game("kim", "! game 18 0 start red=kim blue=lee rules=martin time=5m "
                     "position=\"3k5/9/9/9/9/9/9/9/R4K3/R8 r - 0 0 1\"");
    refuses("R a1-b1", "That can be A1-B1, or A0-B0 if the rows are counted from 1, as "
                       "in Game Courier: type one of them. Nothing was done.\n");
    check_move("R a2-b2", "A1-B1");
    check_move("R a0-b0", "A0-B0");
    check_move("a1-b1", "A1-B1");
    check_kind("K f2-f10", ACTION_REFUSE);
}

/* If a private board is open and the player types a move without a verb, the move is
 * tried on that board. A short form such as "Nc7" is read with the position of that
 * board. */
MODEL_TEST(moves_continue_on_the_private_board)
{
    const struct render_view view = {.now_ms = 1000, .is_private = true, .tried = 1};
    struct typed_board board;
    struct position position;
    struct undo undo;

    feed_start("kim");
    position = model.current->game.position;
    rules_make(ruleset_at(0), &position, (struct move){27, 28}, &undo); /* A3-B3 */
    board = (struct typed_board){ruleset_at(0), &position};
    verbs_read(&verbs_of_client, &model, &board, "Pb6", &view, &action);
    assert_int_equal(action.kind, ACTION_REFUSE); /* Blue has two pawns that can go
                                                   * there */
    verbs_read(&verbs_of_client, &model, &board, "Nc7", &view, &action);
    assert_int_equal(action.kind, ACTION_TRY);
    assert_int_equal(action.move.from, side_parse_point("B9"));
    verbs_read(&verbs_of_client, &model, &board, "rb9c7", &view, &action);
    assert_int_equal(action.kind, ACTION_REFUSE);
    verbs_read(&verbs_of_client, &model, &board, "try 0837", &view, &action);
    assert_int_equal(action.kind, ACTION_TRY);
}

/* "replay" shows the next move of a replayed game. On a screen, Enter does the same. */
MODEL_TEST(a_game_is_seen_again)
{
    struct render_view view = {.now_ms = 1000, .is_private = true, .takes_enter = true};

    feed_start("kim");
    check_kind("replay", ACTION_REPLAY);
    assert_int_equal(action.number, -1);
    check_kind("replay 2", ACTION_REPLAY);
    assert_int_equal(action.number, 2);
    check_kind("replay now", ACTION_REFUSE);
    check_kind("", ACTION_NOTHING);
    check_seen(&view, "", ACTION_REPLAY);
    check_seen(&view, "a3b3", ACTION_TRY);
    view.tried = 1;
    check_seen(&view, "", ACTION_NOTHING);
    model_clear(&model);
    refuses("replay", "You have no game here. \"seek\" or \"games\" finds one.\n");
}

MODEL_TEST(line_ups_are_read_as_people_type_them)
{
    static const char *const rows[][2] = {
        {"setup 마상마상", "setup 18 NBNB"},
        {"setup 馬象象馬", "setup 18 NBBN"},
        {"setup 상마상마", "setup 18 BNBN"},
        {"마상마상", "setup 18 NBNB"},
        {"nbbn", "setup 18 NBBN"},
        {"4", "setup 18 BNNB"},
        {"5", NULL},
        {"4 4", NULL},
        {"setup! 1", NULL},
        {"setup 마상마", NULL},
        {"setup 마상마상마", NULL},
        {"swap! b1 c1", "setup 18 BNBN"},
        {"swap! h1 g1", "setup 18 NBNB"},
        {"swap! b1 c1; swap g1 h1", "setup 18 BNNB"},
        {"swap! b1 c1; b1 c1", NULL},
        {"swap! b10 c10", NULL},
        {"swap! b1 d1", NULL},
        {"swap! a1", NULL},
        {"swap", NULL},
    };
    static const char *const late[] = {"setup 1", "swap b1 c1", "4", "same"};

    feed_game("kim", "! game 18 0 start red=kim blue=lee rules=martin time=5m");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_line(rows[i][0], rows[i][1] != NULL ? ACTION_SEND : ACTION_REFUSE,
                   rows[i][1] != NULL ? rows[i][1] : "");
    check_line("swap b1 c1", ACTION_ASK, "setup 18 BNBN");
    assert_string_equal(action.words, "Set up BNBN?");
    feed_event("! game 18 1 setup red NBNB", 1);
    for (size_t i = 0; i < ARRAY_LEN(late); i++)
        refuses(late[i],
                "You have set up already (NBNB); now your opponent chooses.\n");
    feed_event("! game 18 2 setup blue NBNB", 1);
    refuses("same",
            "Both sides have chosen their line-ups. Now make a move, like a3a4.\n");
    refuses("4", "\"4\"? Type help for what can be typed. Nothing was done.\n");
    /* in Hangul, Blue's line-up is read from I to A */
    feed_game("lee", "! game 18 0 start red=kim blue=lee rules=martin time=5m");
    refuses("setup 1", "Your opponent chooses a line-up first; then you choose.\n");
    feed_event("! game 18 1 setup red NBNB", 1);
    sends("setup 마상마상", "setup 18 BNBN");
    sends("setup NBNB", "setup 18 NBNB");
    sends("same", "setup 18 NBNB");
    sends("swap! b10 c10", "setup 18 BNBN");
}

MODEL_TEST(accept_finds_the_open_offer)
{
    feed_start("kim");
    feed_notice("! challenge 20 by=lee time=5m rules=martin side=any", 1);
    sends("accept", "accept 20");
    feed_notice("! offer 21 game=17 kind=draw by=hong", 1);
    refuses("accept", "Which one? Nothing was done.\n"
                      "  accept 21   hong offers a draw, game 17\n"
                      "  accept 20   lee challenges you: 5m, martin\n");
    refuses("decline", "Which one? Nothing was done.\n"
                       "  decline 21   hong offers a draw, game 17\n"
                       "  decline 20   lee challenges you: 5m, martin\n");
    sends("decline 20", "decline 20");
    model_close_offer(&model, 20);
    sends("accept", "accept 21");
    feed_event("! game 17 3 end red resignation", 1);
    feed_notice("! offer 24 game=17 kind=rematch by=hong", 1);
    sends("decline", "decline 24");
    feed_notice("! rematch game=17 new=18", 1);
    feed_notice("! challenge 25 by=lee time=5m rules=martin side=any", 1);
    sends("accept", "accept 25");
    sends("pending", "pending");
    sends("watchers", "watchers game=17");
    sends("watchers 3", "watchers 3");
}

static const char *const yes_words[] = {"yes", "y", "Y", "YES", "예", "네"};
static const char *const no_words[] = {"no", "n", "N", "No", "아니요", "아니오"};

static void check_answers(enum action_kind kind, const char *yes, const char *no)
{
    for (size_t i = 0; i < ARRAY_LEN(yes_words); i++) {
        assert_true(words_is_yes(yes_words[i]));
        check_line(yes_words[i], kind, yes);
    }
    for (size_t i = 0; i < ARRAY_LEN(no_words); i++) {
        assert_true(words_is_no(no_words[i]));
        check_line(no_words[i], kind, no);
    }
}

/* A yes accepts the only open offer, and a no declines it. They never abbreviate another
 * verb, such as "notify". */
MODEL_TEST(yes_and_no_answer_an_offer)
{
    const struct render_view private_board = {.now_ms = 1000, .is_private = true};

    feed_start("kim");
    check_answers(ACTION_REFUSE, "", "");
    refuses("no", "There is nothing to answer.\n");
    refuses("Y", "There is nothing to answer.\n");
    feed_notice("! offer 21 game=17 kind=takeback to=0 by=hong", 1);
    check_answers(ACTION_SEND, "accept 21", "decline 21");
    refuses("no thanks", "\"thanks\" is not the number of an offer. Nothing was done. "
                         "Usage: decline [NUMBER]\n");
    feed_notice("! challenge 20 by=lee time=5m rules=martin side=any", 1);
    check_answers(ACTION_REFUSE, "", "");
    refuses("n", "Which one? Nothing was done.\n"
                 "  decline 21   hong asks to take moves back, game 17\n"
                 "  decline 20   lee challenges you: 5m, martin\n");
    sends("yes 20", "accept 20");
    model_close_offer(&model, 21);
    check_answers(ACTION_SEND, "accept 20", "decline 20");
    check_seen(&private_board, "n", ACTION_REFUSE);
    check_seen(&private_board, "yes", ACTION_REFUSE);
    for (size_t i = 0; i < ARRAY_LEN(no_words); i++)
        assert_int_equal(read_in(&verbs_of_local, no_words[i])->kind, ACTION_REFUSE);
    assert_string_equal(action.words, "There is nothing to answer.\n");
    assert_int_equal(read_in(&verbs_of_replay, "n")->kind, ACTION_NEXT);
}

MODEL_TEST(pieces_show_where_they_go)
{
    feed_start("kim");
    says("legal a3", "pawn A3: B3 A4\n");
    says("legal e5", "There is no piece on E5.\n");
    says("legal a6", "If it were blue's turn:\npawn A6: A5 B6\n");
    refuses("legal z9", "\"z9\" is not a point (a letter A to I and a digit, like B0). "
                        "Nothing was done. Usage: legal [POINT] [GAME]\n");
    check_kind("show a0", ACTION_SAY);
    assert_non_null(strstr(action.words, "     2  *-(C)-+"));
    check_kind("legal", ACTION_SAY);
    assert_non_null(strstr(action.words, "rook A0: A1 A2\n"));
}

MODEL_TEST(any_name_of_a_piece_will_do)
{
    feed_start("kim");
    says("where horses", "Red knights B0 and G0. Blue knights B9 and H9.\n");
    says("where 馬", "Red knights B0 and G0. Blue knights B9 and H9.\n");
    refuses("where queens", "\"queens\" is not a piece (\"rules names\" lists them). "
                            "Nothing was done. Usage: where PIECE [GAME]\n");
    refuses("where", "Usage: where PIECE [GAME]\n");
    check_kind("rules chariot", ACTION_SAY);
    assert_int_equal(strncmp(action.words, "The rook (chariot", 17), 0);
    check_kind("rules xiangqi", ACTION_SAY);
    sends("rules go", "rules go");
    check_kind("help general", ACTION_SAY);
    assert_int_equal(strncmp(action.words, "The king (general", 17), 0);
    /* "ping" is a pawn in Cantonese, but the verb comes first */
    sends("help ping", "help ping");
}

/* On a screen, Enter accepts the proposed line-up. It is NBNB if we choose first. If
 * the opponent has chosen, it is the opponent's line-up, piece by piece on the same
 * columns. */
MODEL_TEST(enter_chooses_a_line_up)
{
    const struct render_view screen = {.now_ms = 1000, .takes_enter = true};

    feed_game("kim", "! game 18 0 start red=kim blue=hong rules=martin time=none");
    check_line("", ACTION_NOTHING, ""); /* a script does not get a proposal */
    check_seen(&screen, "", ACTION_SEND);
    assert_string_equal(action.line, "setup 18 NBNB");
    refuses("setup same", "Your opponent has no line-up yet: you choose first.\n");
    feed_event("! game 18 1 setup red BNBN", 1);
    check_seen(&screen, "", ACTION_NOTHING); /* it is not our turn */
    feed_game("hong", "! game 18 0 start red=kim blue=hong rules=martin time=none");
    model.current = NULL;
    feed_event("! game 18 1 setup red BNBN", 1);
    sends("setup same", "setup 18 BNBN");
    check_seen(&screen, "", ACTION_NOTHING); /* game 18 is not the current game */
    model.current = model_find(&model, 18);
    check_seen(&screen, "  ", ACTION_SEND);
    assert_string_equal(action.line, "setup 18 BNBN");
    feed_event("! game 18 2 setup blue BNBN", 1);
    check_seen(&screen, "", ACTION_NOTHING);
}

/* If line-ups are sealed (hidden until both are chosen), either side may choose first,
 * and may change its line-up until the other side has chosen. */
MODEL_TEST(a_sealed_line_up_may_be_changed)
{
    const struct render_view screen = {.now_ms = 1000, .takes_enter = true};
    char words[400];
    struct text text = text_into(words, sizeof words);
    const struct model_game *game;

    feed_game("hong",
              "! game 18 0 start red=kim blue=hong rules=martin time=5m sealed=yes");
    game = model.current;
    feed_notice("! setup game=18 side=red left_ms=60000", 1);
    feed_notice("! setup game=18 side=blue left_ms=60000", 1);
    assert_true(model_is_our_turn(game));
    render_setup_proposal(&text, &model, game);
    assert_non_null(strstr(words, "Your opponent chooses at the same time."));
    verbs_read(&verbs_of_client, &model, NULL, "", &screen, &action);
    assert_string_equal(action.line, "setup 18 NBNB");
    feed_notice("! setup game=18 side=blue sealed=1", 1);
    assert_false(model_is_our_turn(game));
    assert_int_equal(model_turn(game), SIDE_RED);
    assert_int_equal(game->setup_until_ms, 60001);
    check_seen(&screen, "", ACTION_NOTHING);
    sends("setup 4", "setup 18 BNNB");
    sends("bnbn", "setup 18 BNBN");
    refuses("same", "Your opponent has no line-up yet: you choose first.\n");
    /* Another game waits for a line-up; what is typed is still for this one. */
    feed_event("! game 19 0 start red=hong blue=lee rules=martin time=5m", 2);
    assert_ptr_equal(model.current, game);
    sends("4", "setup 18 BNNB");
    sends("setup 4", "setup 18 BNNB");
    /* The server has been restarted and has forgotten the sealed line-up. */
    feed_notice("! setup game=18 side=blue left_ms=60000", 2);
    assert_true(model_is_our_turn(game));
    feed_event("! game 18 1 setup red BNBN", 2);
    feed_event("! game 18 2 setup blue BNBN", 2);
    assert_int_equal(model_turn(game), SIDE_RED);
}

static const struct verb_book *const books[] = {&verbs_of_client, &verbs_of_local,
                                                &verbs_of_replay, &verbs_of_learn};

/* Returns the page that `line` shows. It must have at most `most` lines, none wider
 * than a screen. */
static const char *check_page(const struct verb_book *book, const char *line,
                              bool is_spoken, int most)
{
    const struct render_view view = {.now_ms = 1000, .is_spoken = is_spoken};
    int lines;

    verbs_read(book, &model, NULL, line, &view, &action);
    assert_int_equal(action.kind, ACTION_SAY);
    lines = check_lines(action.words, 80, line);
    assert_so(lines <= most, "%s: %d lines: %s", line, lines, action.words);
    return action.words;
}

/* Returns true if the page contains the name as a whole word. */
static bool names_verb(const char *page, const char *name)
{
    static const char ends[] = " ,.;:\n";
    size_t len = strlen(name);

    for (const char *at = strstr(page, name); at != NULL; at = strstr(at + 1, name))
        if ((at == page || strchr(ends, at[-1]) != NULL) &&
            strchr(ends, at[len]) != NULL)
            return true;
    return false;
}

static void check_complete(const struct verb_book *book, bool is_spoken, int most)
{
    const struct verb *verb;
    const char *page;

    feed_verbs();
    page = check_page(book, "help", is_spoken, most);
    for (int i = 0; book->has_games && i < model.verb_count; i++)
        if (!model.verbs[i].is_for_staff && !names_verb(page, model.verbs[i].name))
            fail_msg("help lacks %s:\n%s", model.verbs[i].name, page);
    for (size_t i = 0; (verb = verbs_row(book, i)) != NULL; i++)
        if (verb->group != VERB_STAFF && !names_verb(page, verb->name) &&
            (is_spoken || strcmp(verb->name, "move") != 0))
            fail_msg("help lacks %s:\n%s", verb->name, page);
    if (!is_spoken)
        assert_non_null(strstr(page, book == &verbs_of_replay ? "next" : "b0c2"));
}

/* The page of help fits a screen of 80x24 and has every verb. Its spoken form is
 * short. */
MODEL_TEST(help_is_complete_and_fits_the_screen)
{
    for (size_t b = 0; b < ARRAY_LEN(books); b++) {
        check_complete(books[b], false, 23);
        check_complete(books[b], true, 12);
        assert_true(strlen(check_page(books[b], "help", true, 12)) <
                    strlen(check_page(books[b], "help", false, 23)) / 2 + 100);
    }
}

/* Staff verbs have a page of their own, and no abbreviation selects one of them. */
MODEL_TEST(verbs_of_staff_stay_apart)
{
    char page[ACTION_WORDS_BYTES], line[64];

    feed_start("kim");
    snprintf(page, sizeof page, "%s", check_page(&verbs_of_client, "staff", false, 23));
    for (int i = 0; i < model.verb_count; i++) {
        const struct model_verb *verb = &model.verbs[i];

        if (!verb->is_for_staff)
            continue;
        assert_true(names_verb(page, verb->name));
        if (strcmp(verb->name, "bans") == 0 || strcmp(verb->name, "reports") == 0)
            continue; /* without its last letter, the name is the verb "ban" or
                       * "report" */
        snprintf(line, sizeof line, "%.*s kim 1 draw x", (int)strlen(verb->name) - 1,
                 verb->name);
        assert_int_not_equal(read_line(line)->kind, ACTION_SEND);
    }
    assert_string_equal(read_line("ban kim for=1h  be kind")->line,
                        "ban kim for=1h  be kind");
    assert_string_equal(read_line("audit")->line, "audit");
}

/* Before the server has sent its verbs, it judges what only it can know. */
MODEL_TEST(a_word_of_a_server_is_passed_on)
{
    sends("seek 10 5", "seek 10 5");
    sends("관전 3", "watch 3");
    sends("help seek", "help seek");
    check_kind("seek! 10", ACTION_REFUSE);
    assert_non_null(strstr(read_line("help")->words, "when you are connected"));
    feed_verbs();
    model.has_verbs = false; /* more of them may come */
    sends("xyzzy", "xyzzy");
    model.has_verbs = true;
    sends("hist lee", "history lee");
    sends("help hist", "help history");
    refuses("seks", "\"seks\"? Did you mean seeks? Nothing was done.\n");
    refuses("xyzzy", "\"xyzzy\"? Type help for what can be typed. Nothing was done.\n");
}

MODEL_TEST(every_verb_has_a_page_that_fits)
{
    const struct verb *verb;
    char line[64];

    for (size_t b = 0; b < ARRAY_LEN(books); b++)
        for (size_t i = 0; (verb = verbs_row(books[b], i)) != NULL; i++) {
            snprintf(line, sizeof line, "help %s", verb->name);
            check_page(books[b], line, false, 23);
        }
}

/* If we have two games, "setup" without a game's number is for the game in which we
 * must choose a line-up. */
MODEL_TEST(a_line_up_finds_its_game)
{
    const struct render_view screen = {.now_ms = 1000, .columns = 80};

    feed_start("kim");
    refuses("setup 1",
            "Both sides have chosen their line-ups. Now make a move, like a3a4.\n");
    feed_event("! game 18 0 start red=kim blue=lee rules=martin time=5m", 1);
    sends("setup 4", "setup 18 BNNB");
    sends("setup 18 nbnb", "setup 18 NBNB");
    refuses("setup 5",
            "\"5\" is not a line-up (1, 2, 3, 4, or NBBN, BNBN, NBNB, BNNB). Nothing "
            "was done. Usage: setup [GAME] 1|2|3|4|NBBN|BNBN|NBNB|BNNB|same\n");
    /* on a screen, the usage is not broken */
    check_seen(&screen, "setup 5", ACTION_REFUSE);
    assert_string_equal(action.words,
                        "\"5\" is not a line-up (1, 2, 3, 4, or NBBN, BNBN, NBNB, "
                        "BNNB). Nothing was done.\n"
                        "Usage: setup [GAME] 1|2|3|4|NBBN|BNBN|NBNB|BNNB|same\n");
    check_seen(&screen, "draw 17 2", ACTION_REFUSE);
    assert_string_equal(
        action.words,
        "\"2\" is one word too many. Nothing was done. Usage: draw [GAME]\n");
    feed_event("! game 18 1 setup red NBBN", 1);
    refuses("setup 18 1",
            "You have set up already (NBBN); now your opponent chooses.\n");
}

/* A verb's name, such as "legal" or "la", is never parsed as a move or a point. */
MODEL_TEST(no_verb_looks_like_a_move)
{
    const struct verb *verb;
    struct move move;

    for (size_t i = 0; (verb = verbs_row(&verbs_of_client, i)) != NULL; i++)
        assert_true(strcmp(verb->name, "pass") == 0 ||
                    !move_parse(verb->name, &move, NULL));
}

static bool is_name(const struct verb_book *book, const char *word)
{
    return verbs_get(book, word) != NULL ||
           (book->has_games && model_find_verb(&model, word) != NULL);
}

/* Checks a list such as "a, b": each word is a verb of the book, or a piece that has a
 * page. */
static void check_see_also(const struct verb_book *book, const char *name,
                           const char *see)
{
    char copy[128];
    char *rest = copy;

    assert_true(text_copy(copy, sizeof copy, see));
    for (char *word = strtok_r(copy, ", \n", &rest); word != NULL;
         word = strtok_r(NULL, ", \n", &rest))
        if (!is_name(book, word) && names_find_kind(word) == KIND_NONE)
            fail_msg("%s: see also %s, which is no word", name, word);
}

static void check_page_of(const struct verb_book *book, const struct verb *verb)
{
    const struct action *page;
    const char *see;
    char line[64];

    snprintf(line, sizeof line, "help %s", verb->name);
    page = read_in(book, line);
    assert_int_equal(page->kind, ACTION_SAY);
    see = strstr(page->words, "\nSee also: ");
    if (strncmp(page->words, "Usage: ", 7) != 0 ||
        strstr(page->words, "\nExamples:\n  ") == NULL || see == NULL)
        fail_msg("%s: no whole page: %s", verb->name, page->words);
    check_see_also(book, verb->name, see + strlen("\nSee also: "));
}

/* The page of each verb begins with the usage, and has an example and references. */
MODEL_TEST(every_word_has_a_whole_page)
{
    const struct verb *verb;

    feed_verbs();
    for (size_t b = 0; b < ARRAY_LEN(books); b++)
        for (size_t i = 0; (verb = verbs_row(books[b], i)) != NULL; i++)
            check_page_of(books[b], verb);
    for (int kind = KIND_ROOK; kind < KINDS; kind++)
        check_see_also(&verbs_of_client, kind_name((enum kind)kind),
                       primer_get((enum kind)kind)->see);
}

static const char *const misunderstood[] = {
    "draw no",
    "draw 17 no",
    "draw 1e3",
    "resign foo",
    "resign! foo",
    "resign 17 now",
    "abort foo",
    "abort! 17 foo",
    "claim win foo",
    "claim! win 17 18",
    "claim win draw",
    "takeback foo",
    "takeback 2 no",
    "takeback 0",
    "takeback 99999",
    "accept 12 no",
    "accept no",
    "accept 0",
    "decline 12 13",
    "decline draw",
    "record foo",
    "record 3 foo",
    "save a b",
    "save 17 a b",
    "save \"a b\" c",
    "watch",
    "watch x",
    "watch 3 4 5",
    "board foo",
    "flip foo",
    "game",
    "game foo",
    "moves foo",
    "last foo",
    "clock foo",
    "captured foo",
    "score foo",
    "legal b0 foo",
    "legal foo",
    "show",
    "show b0 c0",
    "describe foo",
    "where foo",
    "where kings foo",
    "scan EE",
    "scan E foo",
    "opponent foo",
    "pass foo",
    "move",
    "move a3",
    "move a3b3 foo",
    "try a3b3 foo",
    "back foo",
    "setup",
    "setup 1 2 3",
    "setup 17 1 foo",
    "rules kja foo",
    "computer strong",
    "computer 0",
    "computer 11",
    "computer --level",
    "help draw foo",
    "set bell",
    "set bell off now",
    "version foo",
    "stop foo",
    "quit now",
    "draw!",
    "accept! 12",
    "quit!",
    "say",
};

/* A line that contains an unknown word has no effect. */
MODEL_TEST(a_line_is_understood_whole_or_refused)
{
    feed_start("kim");
    feed_moves();
    feed_notice("! offer 12 game=17 kind=draw by=hong", 1);
    for (size_t i = 0; i < ARRAY_LEN(misunderstood); i++)
        assert_so(read_line(misunderstood[i])->kind == ACTION_REFUSE,
                  "\"%s\" is action %d \"%s\"", misunderstood[i], (int)action.kind,
                  action.line);
    refuses(
        "draw no",
        "\"no\" is not the number of a game. Nothing was done. Usage: draw [GAME]\n");
    refuses("accept 12 no",
            "\"no\" is one word too many. Nothing was done. Usage: accept [NUMBER]\n");
    refuses("takeback 2 no",
            "\"no\" is one word too many. Nothing was done. Usage: takeback [N]\n");
    refuses("set bell", "Usage: set [NAME VALUE]\n");
    refuses("draw!",
            "\"draw\" never asks you first, so it takes no \"!\". Nothing was done.\n");
}

static bool takes_text(const struct verb *verb)
{
    for (int i = 0; verb->args != NULL && i < ARGS_MAX; i++)
        if (verb->args[i].kind == ARG_TEXT)
            return true;
    return false;
}

/* Tries each verb of every book (a set of verbs for one situation) with five words
 * after the verb. Such a line is refused, unless the verb takes a text. */
MODEL_TEST(no_verb_takes_any_word)
{
    const struct verb *verb;
    char line[80];

    feed_start("kim");
    for (size_t b = 0; b < ARRAY_LEN(books); b++)
        for (size_t i = 0; (verb = verbs_row(books[b], i)) != NULL; i++) {
            snprintf(line, sizeof line, "%s zzz zzz zzz zzz zzz", verb->name);
            if (!takes_text(verb) && read_in(books[b], line)->kind != ACTION_REFUSE)
                fail_msg("\"%s\" is action %d", line, (int)action.kind);
        }
}

/* In a game without a server, in a replay and in a lesson, there is only one game. So
 * the verbs do not take a game's number. */
MODEL_TEST(without_a_server_there_is_one_game)
{
    static const struct {
        size_t book;
        const char *line;
        enum action_kind kind;
    } rows[] = {
        {1, "draw", ACTION_SEND},          {1, "draw 17", ACTION_REFUSE},
        {1, "draw no", ACTION_REFUSE},     {1, "resign! foo", ACTION_REFUSE},
        {1, "resign!", ACTION_SEND},       {1, "undo 2", ACTION_TAKEBACK},
        {1, "undo two", ACTION_REFUSE},    {1, "save! a.record", ACTION_SAVE},
        {1, "save a b", ACTION_REFUSE},    {1, "save \"a b\"", ACTION_SAVE},
        {1, "load", ACTION_REFUSE},        {1, "level 11", ACTION_REFUSE},
        {1, "level", ACTION_LEVEL},        {1, "hint now", ACTION_REFUSE},
        {1, "new foo", ACTION_REFUSE},     {1, "quit!", ACTION_QUIT},
        {1, "bye", ACTION_QUIT},           {1, "seek 10", ACTION_REFUSE},
        {1, "rematch kja", ACTION_REFUSE}, {2, "", ACTION_NOTHING},
        {2, "next 2", ACTION_REFUSE},      {2, "goto 30", ACTION_GO_TO},
        {2, "goto", ACTION_REFUSE},        {2, "goto -1", ACTION_REFUSE},
        {2, "play 4", ACTION_PLAY},        {2, "play 0", ACTION_REFUSE},
        {2, "play fast", ACTION_REFUSE},   {2, "a3b3", ACTION_REFUSE},
        {2, "try a3b3", ACTION_TRY},       {2, "exit", ACTION_QUIT},
        {2, "board 17", ACTION_REFUSE},    {3, "e1f2", ACTION_MOVE},
        {3, "setup 3", ACTION_SETUP},      {3, "setup 5", ACTION_REFUSE},
        {3, "skip 2", ACTION_REFUSE},      {3, "lesson bare kings", ACTION_LESSON},
        {3, "lesson", ACTION_LESSON},      {3, "bye", ACTION_QUIT},
        {3, "hint please", ACTION_REFUSE},
    };

    feed_start("kim");
    feed_moves();
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (read_in(books[rows[i].book], rows[i].line)->kind != rows[i].kind)
            fail_msg("\"%s\" is action %d, not %d", rows[i].line, (int)action.kind,
                     (int)rows[i].kind);
    read_in(&verbs_of_local, "save \"a b\"");
    assert_string_equal(action.words, "a b");
    read_in(&verbs_of_local, "seek 10");
    assert_string_equal(action.words,
                        "\"seek\" needs a server; this game is at one terminal.\n");
    read_in(&verbs_of_replay, "play 0.5");
    assert_int_equal(action.number, 500);
}

/* Only a verb's name can be abbreviated, not its aliases. */
MODEL_TEST(no_alias_is_cut_short)
{
    feed_start("kim");
    refuses("k well played",
            "\"k\"? Type help for what can be typed. Nothing was done.\n");
    sends("kibitz well", "whisper game=17 well");
    sends("observe 3", "watch 3");
    check_kind("exit", ACTION_QUIT);
    check_kind("bye", ACTION_QUIT);
}

MODEL_TEST(korean_names_of_verbs_are_understood)
{
    static const char *const same[][2] = {
        {"기권", "resign"},      {"한수쉼", "pass"},  {"무르기", "takeback"},
        {"무승부", "draw"},      {"판", "board"},     {"저장", "save"},
        {"분석", "analyse"},     {"다시", "rematch"}, {"수락", "accept"},
        {"거절", "decline"},     {"도움말", "help"},  {"나가기", "quit"},
        {"다음", "replay"},      {"이전", "back"},    {"관전 3", "watch 3"},
        {"관전  3", "observe 3"}};

    feed_start("kim");
    feed_notice("! offer 12 game=17 kind=draw by=hong", 1);
    for (size_t i = 0; i < ARRAY_LEN(same); i++) {
        enum action_kind kind = read_line(same[i][0])->kind;
        char line[64];

        assert_true(text_copy(line, sizeof line, action.line));
        assert_int_equal(read_line(same[i][1])->kind, kind);
        assert_string_equal(action.line, line);
    }
    assert_int_equal(read_in(&verbs_of_local, "힌트")->kind, ACTION_HINT);
    assert_int_equal(read_in(&verbs_of_local, "무르기")->kind, ACTION_TAKEBACK);
    assert_int_equal(read_in(&verbs_of_replay, "다음")->kind, ACTION_NEXT);
    assert_int_equal(read_in(&verbs_of_replay, "이전")->kind, ACTION_BACK);
    assert_int_equal(read_in(&verbs_of_learn, "다음")->kind, ACTION_NEXT);
    assert_int_equal(read_in(&verbs_of_learn, "힌트")->kind, ACTION_HINT);
    assert_int_equal(read_in(&verbs_of_learn, "판")->kind, ACTION_BOARD);
}

MODEL_TEST(pieces_have_pages_with_a_small_board)
{
    const struct action *page;

    feed_verbs();
    page = read_line("help cannon");
    assert_int_equal(page->kind, ACTION_SAY);
    assert_non_null(strstr(page->words, "     6  +--+--+--+-<p>-+--+--+--+\n"));
    assert_non_null(strstr(page->words, "Usage: "));
    assert_non_null(strstr(page->words, "See also: "));
    page = read_line("rules Cannons");
    assert_int_equal(page->kind, ACTION_SAY);
    assert_non_null(strstr(page->words, "<p>"));
    sends("rules go", "rules go");
    assert_int_equal(strncmp(read_line("rules")->words, "martin: ", 8), 0);
    assert_int_equal(strncmp(read_line("rules kja")->words, "kja: ", 5), 0);
    assert_non_null(strstr(read_line("help move")->words, "-(N)-"));
    check_kind("help queen", ACTION_REFUSE);
}

/* --- Answers --- */

static void check_answer(const char *line, const char *wanted, const char *about)
{
    char words[512];
    struct text text = text_into(words, sizeof words);
    struct verb_answer answer = {
        .model = &model, .line = parse_line(line), .about = about, .game = -1};

    answers_add(&text, &answer);
    assert_so(strcmp(words, wanted) == 0, "%s: %s", line, words);
}

MODEL_TEST(each_verb_explains_its_answer)
{
    static const char *const rows[][3] = {
        {"OK move game=3 ply=1 move=B0-A2", ""},
        {"OK draw game=17 offer=14 : x", "-- draw offered to hong (offer 14)\n"},
        {"OK takeback game=17 offer=15 to=0 : x",
         "-- hong is asked to agree to take moves back to the start (offer 15)\n"},
        {"OK takeback game=17 offer=15 to=3 : x",
         "-- hong is asked to agree to take moves back to ply 3 (offer 15)\n"},
        {"OK seeks news=off", "-- you are no longer told of new seeks\n"},
        {"OK play id=12 waiting=1 minutes=15 time=5m rules=kja side=any",
         "-- you wait for an opponent (5m, kja), for 15 minutes at most; \"withdraw "
         "12\" ends the wait\n"},
        {"OK seek id=12 time=5m rules=kja side=red private=yes",
         "-- seek 12 (5m, kja, you play red, private) is open: others see it in "
         "\"seeks\"; \"withdraw 12\" takes it back\n"},
        {"OK rematch game=17 offer=16 : x", "-- rematch offered to hong (offer 16)\n"},
        {"OK draw game=17", ""},
        {"OK challenge id=13 : x",
         "-- challenge 13 was sent to lee; \"withdraw 13\" takes it back\n"},
        {"OK accept game=17 offer=22",
         "-- hong's offer of a draw was accepted, game 17\n", "22"},
        {"OK seek id=12 : x", "-- seek 12 is open: others see it in \"seeks\"; "
                              "\"withdraw 12\" takes it back\n"},
        {"OK seek id=12 fits=9 : x",
         "-- seek 12 is open; seek 9 offers the same game: \"accept 9\" begins it\n"},
        {"OK pending count=0", "-- no requests or offers are open\n"},
        {"OK games count=0", "-- no public game is being played now\n"},
        {"OK games count=1", "-- \"watch NUMBER\" shows one\n"},
        {"OK watchers game=3 count=0", "-- nobody watches that game\n"},
        {"OK watch game=3 next=0 events=57", ""},
        {"OK watch game=3 next=0 events=57 rematch=8",
         "-- game 3 is over; its players play again: \"watch 8\" shows the new game\n"},
        {"OK watchers game=3 count=300 shown=200", "-- 200 of 300 are shown\n"},
        {"OK withdraw id=12", "-- 12 was withdrawn\n"},
        {"OK welcome : to the house", "-- to the house\n"},
        {"OK accept game=17", "", "99"}, /* a seek, which is no offer to us */
        {"OK device code=X minutes=5 server=evil.example server_key=K", "", ""},
        {"OK games count=0", "-- you have no running game\n", "mine"},
        {"OK evening id=4 system=swiss rounds=5 time=20m+3x40s rules=kja rated=yes : x",
         "-- evening 4 is open: Swiss, rounds: 5, 20m+3x40s, kja, rated; \"evening "
         "join 4\" to take part, and when all are there, \"evening start 4\"\n",
         "new"},
        {"OK evening id=4 system=rr time=10m rules=kja : x",
         "-- you take part in evening 4: everybody meets everybody, 10m, kja; "
         "\"evening leave 4\" ends that\n",
         "join"},
        {"OK evening id=4 : x",
         "-- you take part in evening 4; \"evening leave 4\" ends that\n", "join"},
        {"OK evening id=4 : x", "-- left evening 4; \"evening join 4\" to come back\n",
         "leave"},
        {"OK games count=1", "-- \"game NUMBER\" goes to one\n", "mine"},
        {"OK evening id=4 in_s=40 : x",
         "-- left evening 4; \"evening join 4\" to come back; but the game of this "
         "round still begins, in 40 s\n",
         "leave"},
    };

    feed_start("kim");
    feed_notice("! offer 22 game=17 kind=draw by=hong", 1);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check_answer(rows[i][0], rows[i][1], rows[i][2] != NULL ? rows[i][2] : "lee");
}

static bool take(const char *command, const char *about, const char *line)
{
    struct verb_answer answer = {.model = &model,
                                 .line = parse_line(line),
                                 .about = about,
                                 .game = 17,
                                 .now_ms = 1000};

    char verb[16];

    snprintf(verb, sizeof verb, "%.*s", (int)strcspn(command, " "), command);
    return answers_take(verb, &answer);
}

MODEL_TEST(answers_change_the_model)
{
    struct model_game *game;

    feed_start("kim");
    game = model.current;
    feed_notice("! offer 22 game=17 kind=draw by=hong", 1);
    assert_true(take("decline 22", "22", "ERR not-now why=over"));
    assert_int_equal(game->offers.count, 1);
    assert_true(take("decline 22", "22", "ERR no-such"));
    assert_int_equal(game->offers.count, 0);
    game->pending.state = PENDING_SENT;
    assert_true(take("move 17 1 A3-B3", "17", "ERR slow-down retry=2"));
    assert_int_equal(game->pending.state, PENDING_SENT);
    assert_int_equal(game->pending.again_ms, 3000);
    assert_false(take("move 17 1 A3-B3", "17", "ERR illegal why=shape"));
    assert_int_equal(game->pending.state, PENDING_NONE);
    assert_true(take("unwatch 17", "17", "OK unwatch game=17"));
    assert_true(game->is_left && model.current == NULL);
    assert_true(take("watch 17", "17", "OK watch game=17 events=9"));
    assert_true(!game->is_left && game->is_catching_up && model.current == game);
}

MODEL_TEST(the_clock_is_told_with_the_side_that_it_runs_for)
{
    feed_start("hong");
    says("clock", "Red 10:00, Blue 10:00 (10 min + 5 s); running: red.\n");
    feed_moves();
    says("clock", "Red 10:02, Blue 10:02 (10 min + 5 s); running: blue.\n");
    feed_event("! game 17 6 end red resignation by=blue", 13000);
    says("clock", "Red 10:02, Blue 10:01 (10 min + 5 s).\n");
}

UNIT_MAIN(NULL, NULL)
