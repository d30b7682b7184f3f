/* Tests of the lobby with a player who does not read. Nothing is added to a full output
 * queue, with one exception: if the player was told of an offer, the notice that this
 * offer has ended is added. Also tests how games are loaded after a start of the
 * server. */
#include "tests/unit/server/visitors.h"

#include "common/base/mono.h"
#include "server/account/accounts.h"
#include "server/account/ratings.h"
#include "server/base/world.h"
#include "server/lobby/lobby.h"
#include "server/room/notice.h"
#include "server/room/room.h"
#include "server/store/store.h"

static struct house {
    struct world modules;
    int retries;
    bool is_game_here;
} house;

/* --- The house --- */

static void on_login(void *arg, struct session *session)
{
}

static void on_leave(void *arg, struct session *session)
{
    lobby_leave(house.modules.lobby, session);
}

static void on_drain(void *arg, struct session *session)
{
    feed_drained(session);
    lobby_tell_open(house.modules.lobby, session);
}

static const struct session_calls session_calls = {.on_line = on_line,
                                                   .on_login = on_login,
                                                   .on_leave = on_leave,
                                                   .on_drain = on_drain,
                                                   .on_gone = on_leave};

static void on_begun(void *arg, struct room *room)
{
    lobby_game_begun(house.modules.lobby, room);
}

static void on_over(void *arg, struct room *room)
{
    lobby_game_over(house.modules.lobby, room);
}

static void on_ending(void *arg, struct room *room)
{
    lobby_game_ending(house.modules.lobby, room);
}

/* Counts the commands that are tried again after they waited for game 1. Notes whether
 * that game is in memory. */
static void on_retry(void *arg, struct session *session, char *line, int64_t now_ms)
{
    house.retries++;
    house.is_game_here = rooms_peek(house.modules.rooms, 1) != NULL;
}

static const struct room_calls room_calls = {.on_begun = on_begun,
                                             .on_ending = on_ending,
                                             .on_over = on_over,
                                             .on_retry = on_retry};

static void on_durable(void *arg)
{
    rooms_on_durable(house.modules.rooms);
}

static int house_begin(void **state)
{
    static const struct session_settings settings = {
        .greeting = "* janggi/1", .login_ms = PATIENCE_MS, .chat = {1000, 60}};
    static const struct room_settings times = {.setup_ms = 60000,
                                               .grace_ms = 60000,
                                               .keep_ms = 60000,
                                               .ended_bytes = 64 << 20,
                                               .absence_ms = 60000,
                                               .adjourned_ms = 60000};
    static const struct lobby_limits limits;
    static const struct accounts_settings accounts = {
        .names_max = 1000,
        .name_days = 30,
        .quotas = {.of = {[QUOTA_GAME] = {.account = 9},
                          [QUOTA_SEEK] = {.account = 3},
                          [QUOTA_CHALLENGE] = {.account = 9},
                          [QUOTA_INVITE] = {.account = 9}}}};

    hub_begin(state);
    last_session = 0;
    house =
        (struct house){.modules = {.store = store_open(world.base, world.directory),
                                   .deadlines = deadlines_new(world.base, mono_wall_s),
                                   .spans = deadlines_new(world.base, mono_now_s),
                                   .closing = {.ends_ms = INT64_MAX}}};
    house.modules.accounts =
        accounts_open(house.modules.store, house.modules.deadlines, &accounts);
    sessions = sessions_new(world.base, &settings, &session_calls, NULL);
    house.modules.rooms = rooms_new(world.base, house.modules.store, sessions,
                                    house.modules.accounts, &times, &room_calls, NULL);
    store_on_durable(house.modules.store, on_durable, NULL);
    house.modules.sessions = sessions;
    house.modules.ratings = ratings_new();
    house.modules.lobby = lobby_new(&house.modules, &limits);
    return house.modules.lobby != NULL ? 0 : -1;
}

static int house_end(void **state)
{
    char path[96];

    if (sessions_count(sessions) != 0)
        return -1; /* the test has failed */
    store_close(house.modules.store);
    rooms_free(house.modules.rooms);
    lobby_free(house.modules.lobby);
    ratings_free(house.modules.ratings);
    accounts_close(house.modules.accounts);
    deadlines_free(house.modules.deadlines);
    deadlines_free(house.modules.spans);
    sessions_free(sessions);
    snprintf(path, sizeof path, "%s/janggid.db", world.directory);
    return unlink(path) == 0 ? hub_end(state) : -1;
}

/* --- Players --- */

static void come(struct visitor *player, const char *name)
{
    char token[TOKEN_BYTES];

    visit(player, NULL);
    player->account =
        accounts_bind(house.modules.accounts, name, NULL, token, mono_wall_s());
    session_set_state(player->session, SESSION_MEMBER);
    lobby_enter(house.modules.lobby, player->session, player->account);
}

/* Opens a challenge to `target`. NULL: opens a seek, which is an offer to anybody. */
static struct seek *open_seek(struct visitor *maker, struct visitor *target,
                              const struct terms *terms)
{
    return seeks_open(lobby_seeks(house.modules.lobby), maker->account,
                      target != NULL ? target->account : NULL, terms, NULL);
}

static void withdraw(struct seek *seek)
{
    seeks_drop(lobby_seeks(house.modules.lobby), seek, "withdrawn");
}

/* Fills the output queue of the player until no notice fits. */
static void make_slow(struct visitor *player)
{
    while (notice_fits(player->session))
        session_sayf(player->session, "| %0500d", 0);
}

/* Waits until the player has received all that was sent so far. */
static void hear_all(struct visitor *player)
{
    session_sayf(player->session, "! notice : all");
    hear(player, "! notice : all\n");
}

/* Restores a running game of hong and kim. The server does the same at its start, with
 * the games on the disk. moves: the number of moves in the game. move: the last move;
 * if it is NULL, the last move is a legal move. */
static void restore(int64_t game, const char *time, int moves, const char *move)
{
    static const char *const cycle[] = {"red A0-A1", "blue A9-A8", "red A1-A0",
                                        "blue A8-A9"};
    char text[EVENT_BYTES];
    struct store_event row = {.game = game, .is_sound = true, .text = text};

    snprintf(text, sizeof text, "start red=hong blue=kim rules=courier time=%s", time);
    assert_true(room_restore(house.modules.rooms, &row));
    for (row.number = 1; row.number <= 2; row.number++) {
        snprintf(text, sizeof text, "setup %s NBNB", row.number == 1 ? "red" : "blue");
        assert_true(room_restore(house.modules.rooms, &row));
    }
    for (int i = 0; i < moves; i++, row.number++) {
        snprintf(text, sizeof text, "move %d %s", i + 1,
                 i == moves - 1 && move != NULL ? move : cycle[i % 4]);
        assert_true(room_restore(house.modules.rooms, &row));
    }
}

static int count_shown(void)
{
    return rooms_count_shown(house.modules.rooms, false);
}

#define TEST(name) UNIT_TEST_WITH(name, house_begin, house_end)

/* --- Tests --- */

TEST(games_wake_in_turns_of_the_loop)
{
    enum { GAMES = 400, MOVES = 7 };
    struct room *last;
    int shown, turns = 0;

    for (int i = 1; i <= GAMES; i++)
        restore(i, "none", MOVES, NULL);
    assert_int_equal(lobby_restore_games(house.modules.lobby), GAMES);
    shown = count_shown();
    assert_true(shown < GAMES);
    /* a game that somebody asks for wakes at once */
    assert_int_equal(rooms_peek(house.modules.rooms, GAMES)->state, ROOM_ASLEEP);
    last = room_find(house.modules.rooms, GAMES);
    assert_int_equal(last->state, ROOM_READY);
    assert_true(room_is_settled(last));
    assert_int_equal(last->game.plies, MOVES);
    assert_int_equal(count_shown(), shown + 1);
    /* the other games wake although nobody asks for them */
    TURN_UNTIL(turns++, count_shown() == GAMES);
    assert_true(turns > 1);
    for (int i = 1; i <= GAMES; i++)
        assert_int_equal(rooms_peek(house.modules.rooms, i)->game.plies, MOVES);
    /* the list has the order in which the games began */
    for (struct room *r = rooms_first_shown(house.modules.rooms, false); r != NULL;
         r = rooms_next_shown(r))
        assert_true(rooms_next_shown(r) == NULL || r->id < rooms_next_shown(r)->id);
}

TEST(a_game_that_breaks_off_wakes_frozen)
{
    struct store_event damaged = {.game = 2, .number = 8, .text = "move 6 blue pass"};
    struct room *room;

    restore(1, "none", 5, "red A0-A7"); /* illegal: Red's own pawn is in the way */
    restore(2, "none", 5, NULL);
    assert_true(room_restore(house.modules.rooms, &damaged));
    assert_int_equal(lobby_restore_games(house.modules.lobby), 2);
    for (int game = 1; game <= 2; game++) {
        room = room_find(house.modules.rooms, game);
        assert_true(room->is_frozen);
        assert_int_equal(room->game.plies, game == 1 ? 4 : 5);
        assert_int_equal(room->feed.lines, room->game.events);
    }
}

TEST(games_that_are_over_are_folded_in_turns_of_the_loop)
{
    enum { GAMES = 300, MOVES = 7, KEPT = 256 };
    int turns = 0, kept = 0;

    for (int i = 1; i <= GAMES; i++) {
        struct store_event end = {.game = i,
                                  .number = MOVES + 3,
                                  .text = "end red resignation by=blue",
                                  .is_sound = true};

        restore(i, "none", MOVES, NULL);
        assert_true(room_restore(house.modules.rooms, &end));
        room_restored(rooms_peek(house.modules.rooms, i));
    }
    assert_int_equal(rooms_peek(house.modules.rooms, 1)->state, ROOM_FOLDING);
    TURN_UNTIL(turns++, room_is_settled(rooms_peek(house.modules.rooms, GAMES)));
    assert_true(turns > 4);
    assert_int_equal(rooms_peek(house.modules.rooms, GAMES)->game.phase, GAME_OVER);
    for (struct room *r = rooms_first(house.modules.rooms); r != NULL;
         r = rooms_next(r))
        kept++;
    assert_int_equal(kept, KEPT);
    assert_null(rooms_peek(house.modules.rooms, 1));
}

/* After a restart, the clock of an absent player stands still for some time (the
 * grace). The grace begins at the start of the server, not when the game is loaded. */
TEST(the_grace_counts_from_the_start)
{
    enum { GAMES = 400 };

    for (int i = 1; i <= GAMES; i++)
        restore(i, "10m+5s", 0, NULL);
    lobby_restore_games(house.modules.lobby);
    assert_int_equal(rooms_peek(house.modules.rooms, GAMES)->state, ROOM_ASLEEP);
    TURN_UNTIL(stepped_clock_step_ms(10), count_shown() == GAMES);
    for (int i = 2; i <= GAMES; i++)
        assert_int_equal(rooms_peek(house.modules.rooms, i)->due_ms,
                         rooms_peek(house.modules.rooms, 1)->due_ms);
}

TEST(a_challenge_waits_for_a_slow_reader)
{
    struct visitor hong = {0}, kim = {0}, park = {0};
    struct terms terms = terms_default();
    struct seek *brief;
    size_t waiting;

    come(&hong, "hong");
    come(&kim, "kim");
    come(&park, "park");
    make_slow(&kim);
    waiting = wire_unsent_bytes(kim.session->wire);
    assert_non_null(open_seek(&hong, &kim, &terms));
    brief = open_seek(&park, &kim, &terms);
    withdraw(brief);
    assert_int_equal(wire_unsent_bytes(kim.session->wire), waiting);
    hear(&kim, "! challenge 1 by=hong time=10m+5s rules=martin side=any : ");
    hear_all(&kim);
    assert_false(has_heard(&kim, "! challenge 2 "));
    assert_false(has_heard(&kim, "! gone "));
    hear(&park, "! gone 2 why=withdrawn kind=challenge by=park\n");
    go(&hong);
    hear(&kim, "! gone 1 why=left kind=challenge by=hong\n");
    go(&kim);
    go(&park);
}

TEST(the_end_of_a_sent_item_does_not_wait)
{
    struct visitor hong = {0}, kim = {0};
    struct terms terms = terms_default();
    struct seek *challenge, *own;

    come(&hong, "hong");
    come(&kim, "kim");
    challenge = open_seek(&hong, &kim, &terms);
    own = open_seek(&kim, NULL, &terms);
    hear(&kim, "! challenge 1 ");
    make_slow(&kim);
    withdraw(challenge);
    assert_int_equal(lobby_accept(house.modules.lobby, own, &own->terms, hong.account,
                                  true, "accept"),
                     LOBBY_STARTED);
    hear(&kim, "! gone 1 why=withdrawn kind=challenge by=hong\n");
    hear(&kim, "! gone 2 why=accepted kind=seek by=kim\n");
    hear(&hong, "! gone 2 why=accepted kind=seek by=kim\n");
    go(&hong);
    go(&kim);
}

/* Closing a connection to a slow reader takes seconds, and during that time the
 * player's name can expire. */
TEST(a_name_is_freed_before_its_connection_ends)
{
    struct visitor hong = {0};

    come(&hong, "hong");
    make_slow(&hong);
    session_close(hong.session, "kicked", "bye");
    assert_null(hong.session->account);
    assert_true(accounts_expire(house.modules.accounts, hong.account, INT64_MAX));
    assert_null(accounts_find(house.modules.accounts, "hong"));
    go(&hong);
}

/* Begins an untimed game of hong (Red) and kim. Both sides choose a line-up, so the
 * first move can be made. */
static struct room *begin_game(struct visitor *hong, struct visitor *kim)
{
    struct terms terms = terms_default();
    struct asker nobody = {0};
    struct room *room;
    struct seek *seek;

    terms.time = (struct time_terms){.is_untimed = true};
    terms.side = SIDE_RED;
    seek = open_seek(hong, NULL, &terms);
    assert_int_equal(lobby_accept(house.modules.lobby, seek, &seek->terms, kim->account,
                                  true, "accept"),
                     LOBBY_STARTED);
    room = rooms_first(house.modules.rooms);
    while (room->game.phase != GAME_PLAY) {
        TURN_UNTIL(, room_is_settled(room));
        assert_int_equal(room_setup(room, game_turn(&room->game), LINEUP_NBBN,
                                    mono_now_ms(), &nobody)
                             .code,
                         FAULT_NONE);
    }
    TURN_UNTIL(, room_is_settled(room));
    return room;
}

static int64_t offer_draw(struct room *room, struct visitor *player)
{
    struct asker nobody = {0};
    int64_t id;

    assert_int_equal(room_offer(room, presence_side_of(room, player->session),
                                OFFER_DRAW, 0, store_next_number(house.modules.store),
                                mono_now_ms(), &nobody, &id)
                         .code,
                     FAULT_NONE);
    return id;
}

TEST(offers_in_a_game_wait_for_a_slow_reader)
{
    struct visitor hong = {0}, kim = {0};
    struct room *room;
    int64_t told;
    size_t waiting;

    come(&hong, "hong");
    come(&kim, "kim");
    room = begin_game(&hong, &kim);
    told = offer_draw(room, &hong);
    hear(&kim, "! offer 2 game=1 kind=draw by=hong : ");
    make_slow(&kim);
    offer_drop(room, offer_find(room, told), "withdrawn");
    waiting = wire_unsent_bytes(kim.session->wire);
    offer_draw(room, &hong);
    assert_int_equal(wire_unsent_bytes(kim.session->wire), waiting);
    hear(&kim, "! gone 2 why=withdrawn kind=draw by=hong\n");
    hear(&kim, "! offer 3 game=1 kind=draw by=hong : ");
    go(&hong);
    go(&kim);
}

/* Asks the lobby to begin a game. If the lobby begins the game, ends it at once.
 * Returns the answer of the lobby. */
static enum lobby_start begin_and_end(struct visitor *hong, struct visitor *kim)
{
    struct terms terms = terms_default();
    struct seek *seek = open_seek(hong, NULL, &terms);
    enum lobby_start start =
        lobby_accept(house.modules.lobby, seek, &terms, kim->account, false, "accept");
    struct room *room = rooms_first(house.modules.rooms);

    if (start != LOBBY_STARTED) {
        withdraw(seek);
        return start;
    }
    kim->session->is_answered = false;
    while (rooms_next(room) != NULL)
        room = rooms_next(room);
    TURN_UNTIL(, room_is_settled(room));
    (void)room_end_by_host(room, OUTCOME_DRAW, mono_now_ms());
    TURN_UNTIL(, room_is_settled(room));
    return start;
}

TEST(a_player_begins_few_games_without_a_rest)
{
    static const struct lobby_limits limits = {.games_per_min = 1};
    struct visitor hong = {0}, kim = {0}, park = {0};

    come(&hong, "hong");
    come(&kim, "kim");
    come(&park, "park");
    lobby_change_limits(house.modules.lobby, &limits);
    for (int i = 0; i < 2 * ACCOUNT_GAMES_MAX; i++)
        assert_int_equal(begin_and_end(&hong, &kim), LOBBY_STARTED);
    assert_int_equal(begin_and_end(&hong, &kim), LOBBY_TOO_FAST);
    assert_int_equal(begin_and_end(&hong, &park), LOBBY_TOO_FAST);
    assert_int_equal(begin_and_end(&park, &kim), LOBBY_TOO_FAST);
    go(&hong);
    go(&kim);
    go(&park);
}

/* If a seek (an offer to anybody) has the same terms as a seek of another player, a
 * hint names the oldest such seek. */
TEST(a_seek_finds_the_oldest_that_fits)
{
    struct visitor hong = {0}, kim = {0}, park = {0};
    struct terms either = terms_default(), red = either, blue = either, slow = either;
    struct seek *mine, *theirs, *other;

    red.side = SIDE_RED;
    blue.side = SIDE_BLUE;
    slow.time.main_ms *= 2;
    come(&hong, "hong");
    come(&kim, "kim");
    come(&park, "park");
    mine = open_seek(&hong, NULL, &red);
    assert_null(seeks_find_fit(lobby_seeks(house.modules.lobby), mine));
    assert_non_null(open_seek(&hong, NULL, &either));
    assert_non_null(open_seek(&kim, NULL, &red));
    assert_non_null(open_seek(&kim, NULL, &slow));
    assert_null(seeks_find_fit(lobby_seeks(house.modules.lobby), mine));
    other = open_seek(&park, NULL, &blue);
    theirs = open_seek(&park, NULL, &either);
    assert_int_equal(seeks_count(lobby_seeks(house.modules.lobby)), 6);
    assert_ptr_equal(seeks_find_fit(lobby_seeks(house.modules.lobby), mine), other);
    withdraw(other);
    assert_ptr_equal(seeks_find_fit(lobby_seeks(house.modules.lobby), mine), theirs);
    withdraw(theirs);
    assert_null(seeks_find_fit(lobby_seeks(house.modules.lobby), mine));
    go(&hong);
    go(&kim);
    assert_int_equal(seeks_count(lobby_seeks(house.modules.lobby)), 0);
    go(&park);
}

UNIT_MAIN(world_begin, world_end)
