/* Tests of the store with a real loop, real files and processes that are really
 * killed. */
#include <fcntl.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/mount.h>
#endif

#include "tests/unit/store/store_fixture.h"

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

/* --- What is kept --- */

TEST(a_new_directory_gets_a_private_database)
{
    struct stat found;

    rmdir(directory);
    open_store();
    assert_int_equal(stat(directory, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0700);
    assert_int_equal(stat(db_path(), &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    assert_int_equal(store_next_game(store), 1);
}

TEST(running_games_are_there_after_a_close)
{
    static const char *const two[] = {"move 1 red B0-C2", "end red checkmate"};

    open_store();
    append(7, 0, "start red=hong blue=kim");
    append(3, 0, "start red=a blue=b");
    append(7, 1, "setup red NBNB");
    append(5, 0, "start red=c blue=d");
    store_append(store, 5, 1, two, 2, &(struct store_ending){summary, logs[5]});
    settle();
    reopen_store();
    assert_true(store_load_running(store, see_event, NULL));
    assert_string_equal(seen, "3 0 start red=a blue=b\n"
                              "7 0 start red=hong blue=kim\n"
                              "7 1 setup red NBNB\n");
    assert_int_equal(store_next_game(store), 8);
}

static void count_call(void *arg)
{
    done_count++;
}

TEST(queued_rows_are_written_by_close)
{
    open_store();
    store_on_durable(store, count_call, NULL);
    for (int i = 0; i < 100; i++)
        append(1, i, "x");
    reopen_store();
    assert_int_equal(done_count, 0);
    assert_true(store_load_running(store, see_event, NULL));
    assert_int_equal(seen_rows, 100);
}

static void see_name(void *arg, const void *row)
{
    const struct store_name *name = row;
    size_t len = strlen(seen);

    seen_rows++;
    snprintf(seen + len, sizeof seen - len,
             "%s %s %d %02x %lld %lld %lld/%lld/%d "
             "%lld %lld %d\n",
             name->folded, name->shown, (int)name->proof, name->digest[31],
             (long long)name->seen_wall_s, (long long)name->first_game,
             (long long)name->accepted.number, (long long)name->accepted.game,
             name->accepted.is_offer, (long long)name->number,
             (long long)name->made_wall_s, name->is_fresh);
}

TEST(names_are_inserted_and_replaced)
{
    struct store_name hong = {.folded = "hong",
                              .shown = "Hong",
                              .proof = STORE_PROOF_TOKEN,
                              .digest = {[31] = 0xab},
                              .seen_wall_s = 5};
    struct store_name kim = {
        .folded = "\xea\xb9\x80", .shown = "\xea\xb9\x80", .seen_wall_s = 6};

    open_store();
    store_put(store, STORE_NAME, &hong);
    store_put(store, STORE_NAME, &kim);
    hong.proof = STORE_PROOF_KEY;
    hong.seen_wall_s = 1795000000;
    hong.shown = "HONG";
    hong.first_game = 7;
    hong.number = 417;
    hong.made_wall_s = 1790000000;
    hong.is_fresh = true;
    hong.accepted = (struct store_accept){.number = 14, .game = 9, .is_offer = true};
    store_put(store, STORE_NAME, &hong);
    settle();
    reopen_store();
    assert_true(store_load(store, STORE_NAME, see_name, NULL));
    assert_string_equal(seen, "hong HONG 0 ab 1795000000 7 14/9/1 417 1790000000 1\n"
                              "\xea\xb9\x80 \xea\xb9\x80 0 00 6 0 0/0/0 0 0 0\n");
    store_drop_name(store, "hong");
    reopen_store();
    assert_true(store_load(store, STORE_NAME, see_name, NULL));
    assert_int_equal(seen_rows, 1);
}

static void see_invite(void *arg, const void *row)
{
    const struct store_invite *invite = row;
    size_t len = strlen(seen);

    snprintf(seen + len, sizeof seen - len, "%s|%s|%s|%s|%lld|%lld\n", invite->code,
             invite->terms, invite->maker, invite->first,
             (long long)invite->made_wall_s, (long long)invite->game);
}

TEST(invitations_are_inserted_and_replaced)
{
    struct store_invite invite = {.code = "K7Q2-9F3M",
                                  .terms = "time=10m+5s rules=martin side=any",
                                  .maker = "",
                                  .first = "kim",
                                  .made_wall_s = 9};

    open_store();
    store_put(store, STORE_INVITE, &invite);
    invite.game = 12;
    store_put(store, STORE_INVITE, &invite);
    settle();
    reopen_store();
    assert_true(store_load(store, STORE_INVITE, see_invite, NULL));
    assert_string_equal(seen,
                        "K7Q2-9F3M|time=10m+5s rules=martin side=any||kim|9|12\n");
}

TEST(an_invitation_is_dropped)
{
    struct store_invite invite = {
        .code = "K7Q2-9F3M", .terms = "time=none", .maker = "hong", .first = ""};

    open_store();
    store_put(store, STORE_INVITE, &invite);
    invite.code = "2222-2222";
    store_put(store, STORE_INVITE, &invite);
    store_drop(store, STORE_INVITE, &(struct store_invite){.code = "K7Q2-9F3M"}, 1);
    store_drop(store, STORE_INVITE, &(struct store_invite){.code = "3333-3333"},
               1); /* no invitation has this code */
    settle();
    reopen_store();
    assert_true(store_load(store, STORE_INVITE, see_invite, NULL));
    assert_string_equal(seen, "2222-2222|time=none|hong||0|0\n");
}

static void see_act(void *arg, const void *row)
{
    const struct store_act *act = row;
    size_t len = strlen(seen);

    snprintf(seen + len, sizeof seen - len, "%lld %s: %s\n", (long long)act->id,
             act->actor, act->text);
}

TEST(acts_are_appended_and_numbered_on)
{
    open_store();
    assert_int_equal(store_append_act(store, 7, "Hong", "kick kim : loud"), 1);
    assert_int_equal(store_append_act(store, 7, "host", "motd : welcome"), 2);
    settle();
    reopen_store();
    assert_int_equal(store_append_act(store, 7, "Hong", "mute kim : again"), 3);
    reopen_store();
    assert_true(store_load(store, STORE_ACT, see_act, NULL));
    assert_string_equal(seen, "1 Hong: kick kim : loud\n2 host: motd : welcome\n"
                              "3 Hong: mute kim : again\n");
}

static void see_mark(void *arg, const void *row)
{
    const struct store_mark *mark = row;
    size_t len = strlen(seen);

    snprintf(seen + len, sizeof seen - len, "%s|%s|%s|%s\n", mark->owner, mark->kind,
             mark->subject, mark->value);
}

static void put_mark(const char *owner, const char *kind, const char *subject,
                     const char *value)
{
    const struct store_mark mark = {owner, kind, subject, value};

    store_put(store, STORE_MARK, &mark);
}

static const char *marks(void)
{
    reopen_store();
    assert_true(store_load(store, STORE_MARK, see_mark, NULL));
    return seen;
}

TEST(marks_are_put_and_replaced)
{
    open_store();
    put_mark("hong", "quiet", "", "auto");
    put_mark("hong", "ignore", "kim", "");
    put_mark("hong", "quiet", "", "on");
    put_mark("", "door", "K7Q2", "uses=20");
    settle();
    assert_string_equal(marks(),
                        "|door|K7Q2|uses=20\nhong|ignore|kim|\nhong|quiet||on\n");
}

TEST(marks_are_dropped_by_key_kind_and_owner)
{
    open_store();
    put_mark("hong", "ignore", "kim", "");
    put_mark("hong", "ignore", "lee", "");
    put_mark("hong", "quiet", "", "on");
    put_mark("kim", "quiet", "", "on");
    store_drop(store, STORE_MARK, &(struct store_mark){"hong", "ignore", "kim", ""}, 3);
    store_drop(store, STORE_MARK, &(struct store_mark){"hong", "ignore", "nobody", ""},
               3);
    assert_string_equal(marks(), "hong|ignore|lee|\nhong|quiet||on\nkim|quiet||on\n");
    store_drop(store, STORE_MARK,
               &(struct store_mark){.owner = "hong", .kind = "ignore"}, 2);
    assert_string_equal(marks(), "hong|quiet||on\nkim|quiet||on\n");
    store_drop(store, STORE_MARK, &(struct store_mark){.owner = "hong"}, 1);
    assert_string_equal(marks(), "kim|quiet||on\n");
}

TEST(a_game_number_is_never_given_out_again)
{
    open_store();
    append(41, 0, "start red=a blue=b");
    assert_int_equal(store_next_game(store), 42);
    append_end(41, 1, &summary);
    settle();
    reopen_store();
    assert_int_equal(store_next_game(store), 42);
}

/* --- Order and cost --- */

static void see_durable(void *arg)
{
    const struct gate *gate = store_gate(store);
    uint64_t *durable = arg;

    assert_true(gate->durable > *durable);
    assert_true(gate->durable <= gate->newest);
    assert_true(gate->durable <= atomic_load(&gate->synced));
    assert_true((uint64_t)count_durable() <= store_counts(store).batches);
    *durable = gate->durable;
}

TEST(rows_are_numbered_and_become_durable_in_order)
{
    enum { BATCHES = 20000 };
    struct store_counts counts;
    uint64_t durable = GATE_IN_ORDER;

    open_store();
    store_on_durable(store, see_durable, &durable);
    for (int i = 0; i < BATCHES; i++) {
        append(1, i, "move 1 red B0-C2 red_ms=600000 blue_ms=600000");
        assert_int_equal(store_gate(store)->newest, GATE_IN_ORDER + 1 + i);
        if (i % 1000 == 0)
            turn();
    }
    settle();
    assert_int_equal(durable, GATE_IN_ORDER + BATCHES);
    counts = store_counts(store);
    assert_int_equal(counts.batches, BATCHES);
    assert_int_equal(counts.events, BATCHES);
}

TEST(a_read_has_no_number)
{
    open_store();
    store_on_durable(store, count_call, NULL);
    append(1, 0, "start");
    store_keep_reserve(store, 0);
    store_read_game(store, 1, see_event, on_read, NULL);
    assert_int_equal(store_gate(store)->newest, GATE_IN_ORDER + 1);
    run_until(&read_done, 1); /* a read sees the rows before it */
    assert_int_equal(count_durable(), 1);
    store_read_game(store, 1, see_event, on_read, NULL);
    run_until(&read_done, 2);
    assert_int_equal(done_count, 1);
}

/* The thread has nothing else to do, and would write the first of two rows by itself. */
TEST(rows_of_one_turn_become_durable_at_once)
{
    open_store();
    for (int i = 0; i < 100; i += 2) {
        append(1, i, "x");
        usleep(200);
        append(1, i + 1, "x");
        WAIT_UNTIL(turn(), count_durable() > i);
        assert_int_equal(count_durable(), i + 2);
    }
}

TEST(rows_become_durable_in_the_loop_only)
{
    off_t written;

    open_store();
    store_on_durable(store, count_call, NULL);
    written = size_of_file("janggid.db-wal");
    append(1, 0, "start");
    event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK); /* ends the loop's turn */
    WAIT_UNTIL(, size_of_file("janggid.db-wal") > written);
    assert_int_equal(count_durable(), 0);
    settle();
    assert_int_equal(done_count, 1);
}

/* --- Reading --- */

TEST(a_game_is_read_back_whole_however_long)
{
    enum { LONG = 1000 };

    open_store();
    append(1, 0, "start red=a blue=b");
    for (int i = 0; i < LONG; i++)
        append(2, i, "x");
    append(3, 0, "start red=a blue=b");
    store_read_game(store, 2, see_event, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, LONG);
    assert_int_equal(seen_rows, LONG);
    assert_non_null(strstr(seen, "2 0 x\n2 1 x\n"));
    assert_non_null(strstr(seen, "2 998 x\n2 999 x\n"));
    assert_null(strstr(seen, "3 0"));
}

TEST(an_unknown_game_has_no_events)
{
    open_store();
    store_read_game(store, 99, see_event, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, 0);
}

static void see_past(void *arg, const struct store_past *past)
{
    const struct store_summary *s = &past->summary;
    size_t len = strlen(seen);

    assert_in_range(mono_wall_s() - past->ended_wall_s, 0, 100);
    snprintf(seen + len, sizeof seen - len, "%lld %s/%s %s/%s %s %s %s %s %d\n",
             (long long)past->game, s->red, s->red_shown, s->blue, s->blue_shown,
             s->rules, s->time, s->result, s->reason, s->plies);
}

static void play_for_history(void)
{
    struct store_summary other = summary;

    for (int64_t game = 1; game <= 5; game++)
        append(game, 0, "start red=x blue=y");
    append_end(1, 1, &summary);
    append_end(3, 1, &summary);
    other.red = "kim";
    other.blue = "hong";
    other.plies = 9;
    append_end(2, 1, &other);
    other.red = other.blue = "park";
    append_end(4, 1, &other);
}

TEST(history_is_newest_first_from_both_sides)
{
    open_store();
    play_for_history();
    store_read_history(store, "hong", 0, 50, see_past, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, 3);
    assert_string_equal(seen, "3 hong/Hong kim/Kim martin 10m+5s red checkmate 57\n"
                              "2 kim/Hong hong/Kim martin 10m+5s red checkmate 9\n"
                              "1 hong/Hong kim/Kim martin 10m+5s red checkmate 57\n");
    forget();
    store_read_history(store, "hong", 0, 1, see_past, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, 1);
    forget();
    store_read_history(store, "park", 0, 50, see_past, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, 1); /* a game of park against park is listed once */
    forget();
    store_read_history(store, "hong", 2, 50, see_past, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, 2); /* an earlier owner's games are not included */
}

/* --- Deaths of a process --- */

static int report_to, reported;

/* Reports each event that is on disk, and appends one more for it. `arg` points to the
 * number of events that wait for the disk. */
static void report_and_go_on(void *arg)
{
    int ahead = *(int *)arg;

    for (; reported < count_durable(); reported++) {
        if (write(report_to, &reported, sizeof reported) != (ssize_t)sizeof reported)
            _exit(98);
        append(1, reported + ahead, "move 1 red B0-C2 red_ms=600000 blue_ms=600000");
    }
}

static void report_for_ever(int report_fd, int ahead)
{
    report_to = report_fd;
    store = store_open(base, directory);
    if (store == NULL)
        _exit(97);
    store_on_durable(store, report_and_go_on, &ahead);
    sync_fails_from = __atomic_load_n(&syncs, __ATOMIC_SEQ_CST) + 10;
    for (int number = 0; number < ahead; number++)
        append(1, number, "start red=hong blue=kim");
    event_base_dispatch(base);
}

static void write_for_ever(int report_fd)
{
    report_for_ever(report_fd, 16);
}

/* The parent may not have read all reports when it kills the child, so reports()
 * empties the pipe after the child's death. */
TEST(every_durable_event_survives_kill_9)
{
    for (int round = 0; round < 5; round++) {
        int from_child, status, answered;
        pid_t child;

        unlink(db_path());
        child = fork_child(write_for_ever, &from_child);
        answered = read_reports(from_child, 1 + 500 * round);
        assert_int_equal(answered, 1 + 500 * round);
        kill(child, SIGKILL);
        answered = reports(child, from_child, answered, &status);
        assert_true(WIFSIGNALED(status));
        open_store();
        assert_true(store_load_running(store, see_event, NULL));
        assert_in_range(seen_rows, answered, answered + 16);
        close_store();
    }
}

static void hold_and_wait(int report_fd)
{
    int number = 0;

    store = store_open(base, directory);
    if (store == NULL || write(report_fd, &number, sizeof number) < 0)
        _exit(97);
    pause();
}

TEST(a_second_janggid_is_refused_and_a_dead_one_is_not_in_the_way)
{
    int from_child, status, number;
    pid_t child;

    child = fork_child(hold_and_wait, &from_child);
    assert_int_equal(read(from_child, &number, sizeof number), sizeof number);
    errno = 0;
    assert_null(store_open(base, directory));
    assert_int_equal(errno, EBUSY);
    kill(child, SIGKILL);
    reports(child, from_child, 0, &status);
    open_store();
    errno = 0;
    assert_null(store_open(base, directory)); /* one process cannot open it twice */
    assert_int_equal(errno, EBUSY);
}

static void write_twice(int report_fd)
{
    store = store_open(base, directory);
    append(1, 0, "start");
    append(1, 0, "start");
    event_base_dispatch(base);
}

static void end_twice(int report_fd)
{
    store = store_open(base, directory);
    append(1, 0, "start");
    append_end(1, 1, &summary);
    append_end(1, 2, &summary);
    event_base_dispatch(base);
}

TEST(a_number_used_twice_is_a_bug_that_dies)
{
    dies_with(write_twice, 70);
}

TEST(a_game_that_ends_twice_is_a_bug_that_dies)
{
    dies_with(end_twice, 70);
}

/* --- Trouble with the disk: a file system whose sync fails --- */

static void sync_fails(int report_fd)
{
    use_shim(); /* without it, no sync fails */
    report_for_ever(report_fd, 1);
    _exit(96);
}

TEST(a_failed_sync_ends_the_process_without_an_answer)
{
    int from_child, status, answered;
    pid_t child;

    child = fork_child(sync_fails, &from_child);
    answered = reports(child, from_child, 0, &status);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 74);
    assert_in_range(answered, 7, 9); /* a log's first commit has one more sync */
}

static void each_alone(int report_fd)
{
    int before;

    use_shim();
    store = store_open(base, directory);
    if (store == NULL)
        _exit(97);
    before = __atomic_load_n(&syncs, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 20; i++) {
        append(1, i, "x");
        settle();
        if (__atomic_load_n(&syncs, __ATOMIC_SEQ_CST) < before + i + 1)
            _exit(1);
    }
    _exit(0);
}

TEST(every_commit_is_synced_before_it_is_durable)
{
    dies_with(each_alone, 0);
}

/* While one sync runs, all new batches wait for the next sync. */
static void share_a_commit(int report_fd)
{
    struct store_counts counts;
    uint64_t before;

    use_shim();
    store = store_open(base, directory);
    if (store == NULL)
        _exit(97);
    append(1, 0, "start");
    settle();
    before = store_counts(store).commits;
    hold_sync(true);
    append(1, 1, "x");
    await_held_sync();
    if (count_durable() != 1 || store_gate(store)->synced != GATE_IN_ORDER + 1)
        _exit(2);
    for (int i = 2; i < 1000; i++)
        append(1, i, "x");
    stepped_clock_step_ms(5);
    hold_sync(false);
    settle();
    counts = store_counts(store);
    _exit(counts.commits == before + 2 && counts.commit_us_max == 5000 ? 0 : 1);
}

TEST(many_share_one_commit)
{
    forget();
    dies_with(share_a_commit, 0);
}

static void append_hundred(evutil_socket_t fd, short what, void *arg)
{
    int first = *(int *)arg;

    for (int i = first; i < first + 100; i++) {
        append(1, i, "x");
        usleep(100); /* if the thread were woken now, it would commit only some moves */
    }
}

/* Acts as two sockets that are ready in the same turn of the loop, and whose callbacks
 * append a hundred moves each. */
static void share_a_turn(int report_fd)
{
    int first = 1, second = 101;
    struct event *sockets[2];
    uint64_t before;

    store = store_open(base, directory);
    if (store == NULL)
        _exit(97);
    append(1, 0, "start");
    settle();
    before = store_counts(store).commits;
    sockets[0] = event_new(base, -1, 0, append_hundred, &first);
    sockets[1] = event_new(base, -1, 0, append_hundred, &second);
    event_active(sockets[0], 0, 0);
    event_active(sockets[1], 0, 0);
    settle();
    _exit(store_counts(store).commits == before + 1 ? 0 : 1);
}

TEST(a_turn_of_the_loop_makes_one_commit)
{
    forget();
    dies_with(share_a_turn, 0);
}

static void syncs_at_open(int report_fd)
{
    use_shim();
    store = store_open(base, directory);
    _exit(store != NULL && syncs >= 2 ? 0 : 1); /* syncs of the log and the database */
}

/* A process that is killed between write and sync leaves an event that is only in the
 * kernel's memory. */
TEST(data_of_a_crash_is_synced_before_it_is_shown)
{
    int from_child, status;
    pid_t child;

    child = fork_child(write_for_ever, &from_child);
    assert_int_equal(read_reports(from_child, 1), 1);
    kill(child, SIGKILL);
    reports(child, from_child, 1, &status);
    dies_with(syncs_at_open, 0);
}

/* --- A full disk --- */

static int stuck_count, freed_count;

static void on_trouble(void *arg, enum store_trouble trouble)
{
    stuck_count += trouble == STORE_FULL;
    freed_count += trouble == STORE_OK_AGAIN;
}

/* Appends 1000 events of game 2 to a disk that is too small for them, so that no event
 * becomes durable. Reads of game 1 still work. */
static void fill_up(void)
{
    char text[301];

    memset(text, 'x', 300);
    text[300] = '\0';
    forget();
    stuck_count = freed_count = 0;
    store_on_trouble(store, on_trouble, NULL);
    for (int i = 0; i < 1000; i++)
        append(2, i, text);
    run_until(&stuck_count, 1);
    store_read_game(store, 1, see_event, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(read_count, 1);
    stepped_clock_step_ms(1000); /* the store tries again before it reads */
    append(2, 1000, "late");
    read_done = 0;
    store_read_game(store, 1, see_event, on_read, NULL);
    run_until(&read_done, 1);
    assert_int_equal(count_durable(), 1);
    assert_int_equal(atomic_load(&store_gate(store)->synced), GATE_IN_ORDER + 1);
    assert_int_equal(freed_count, 0);
}

/* The store tries the write again each second. Here each step advances the clock by a
 * second, so a successful write can look slow to the store. In this case the store
 * first makes the rows durable, and later reports the end of the outage. So the test
 * waits for both. */
static void all_goes_on(void)
{
    WAIT_UNTIL(step_ms(1000), count_durable() >= 1002 && freed_count > 0);
    assert_int_equal(freed_count, 1);
    assert_int_equal(stuck_count, 1);
    reopen_store();
    assert_true(store_load_running(store, see_event, NULL));
    assert_int_equal(seen_rows, 1002);
}

static void first_game(void)
{
    open_store();
    append(1, 0, "start red=a blue=b");
    settle();
}

TEST(a_full_disk_is_waited_for_and_reads_go_on)
{
    struct rlimit no_limit, limit;
    struct stat found;

    getrlimit(RLIMIT_FSIZE, &no_limit);
    first_game();
    assert_int_equal(stat(db_path(), &found), 0);
    limit = (struct rlimit){.rlim_cur = 131072, .rlim_max = no_limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    fill_up();
    setrlimit(RLIMIT_FSIZE, &no_limit);
    all_goes_on();
}

TEST(a_full_disk_at_close_loses_only_rows_that_were_not_durable)
{
    struct rlimit no_limit, limit;
    int durable;

    getrlimit(RLIMIT_FSIZE, &no_limit);
    first_game();
    limit = (struct rlimit){.rlim_cur = 131072, .rlim_max = no_limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    fill_up();
    durable = count_durable();
    store_close(store);
    setrlimit(RLIMIT_FSIZE, &no_limit);
    open_store();
    assert_true(store_load_running(store, see_event, NULL));
    assert_int_equal(seen_rows, durable);
}

#ifdef __linux__
struct counted {
    int *answers, *drops;
};

static void count_answer(void *arg, int count)
{
    ++*((struct counted *)arg)->answers;
    store_arg_free(arg);
}

static void count_drop(void *arg)
{
    ++*((struct counted *)arg)->drops;
}

/* The store also frees arguments that were made with store_arg_new(), but never passed
 * to the store. */
TEST(the_store_frees_the_arguments_of_what_it_does_not_answer)
{
    int answers = 0, drops = 0;

    open_store();
    for (int i = 0; i < 3; i++) {
        struct counted *counted = store_arg_new(store, sizeof *counted, count_drop);

        *counted = (struct counted){&answers, &drops};
        if (i < 2)
            store_read_game(store, 99, see_event, count_answer, counted);
        if (i == 0)
            WAIT_UNTIL(turn(), store_is_idle(store));
    }
    close_store();
    assert_int_equal(answers, 1);
    assert_int_equal(drops, 2);
}

TEST(a_real_full_disk_is_waited_for)
{
    if (mount("none", directory, "tmpfs", 0, "size=256k") != 0) {
        print_message("needs root and mounts\n");
        skip();
    }
    first_game();
    fill_up();
    assert_int_equal(mount("none", directory, "tmpfs", MS_REMOUNT, "size=8m"), 0);
    all_goes_on();
    close_store();
    assert_int_equal(umount(directory), 0);
}
#endif

/* --- Files that are not ours --- */

static void write_file(const char *bytes, size_t size)
{
    FILE *file = fopen(db_path(), "w");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void refused(void)
{
    errno = 0;
    assert_null(store_open(base, directory));
    assert_int_not_equal(errno, EBUSY);
    assert_int_not_equal(errno, 0);
}

TEST(garbage_is_refused)
{
    char bytes[8192];

    memset(bytes, 'g', sizeof bytes);
    write_file(bytes, sizeof bytes);
    refused();
}

TEST(a_torn_database_is_refused)
{
    struct stat found;

    open_store();
    for (int i = 0; i < 1000; i++)
        append(1, i, "move 1 red B0-C2 red_ms=600000 blue_ms=600000");
    settle();
    close_store();
    assert_int_equal(stat(db_path(), &found), 0);
    assert_int_equal(truncate(db_path(), found.st_size / 2), 0);
    refused();
}

TEST(a_database_of_another_program_is_refused_untouched)
{
    sqlite3 *db;
    sqlite3_stmt *statement;

    execute("CREATE TABLE recipe(name TEXT)");
    refused();
    assert_int_equal(sqlite3_open(db_path(), &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "PRAGMA journal_mode", -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(statement, 0), "delete");
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

static int devices_seen;

static void see_device(void *arg, const void *row)
{
    const struct store_device *device = row;
    assert_string_equal(device->folded, "hong");
    assert_int_equal(device->proof, STORE_PROOF_TOKEN);
    assert_int_equal(device->since_wall_s, 12);
    assert_int_equal(device->digest[0], 9);
    devices_seen++;
}

static int count_devices(void)
{
    devices_seen = 0;
    assert_true(store_load(store, STORE_DEVICE, see_device, NULL));
    return devices_seen;
}

static void put_device(void)
{
    const struct store_device device = {.folded = "hong",
                                        .proof = STORE_PROOF_TOKEN,
                                        .digest = {9},
                                        .since_wall_s = 12};

    store_put(store, STORE_DEVICE, &device);
}

TEST(a_proof_is_removed_by_its_digest)
{
    open_store();
    put_device();
    reopen_store();
    assert_int_equal(count_devices(), 1);
    store_drop(store, STORE_DEVICE, &(struct store_device){.folded = "kim"}, 1);
    put_device();
    reopen_store();
    assert_int_equal(count_devices(), 1);
    store_drop(store, STORE_DEVICE,
               &(struct store_device){.folded = "hong", .digest = {9}}, 2);
    reopen_store();
    assert_int_equal(count_devices(), 0);
}

TEST(a_damaged_device_is_refused)
{
    open_store();
    put_device();
    close_store();
    execute("UPDATE device SET since_s = 13");
    open_store();
    assert_false(store_load(store, STORE_DEVICE, see_device, NULL));
}

TEST(a_newer_schema_is_refused)
{
    open_store();
    close_store();
    execute("PRAGMA user_version = 99");
    refused();
}

/* Starts the store again and again, until a start succeeds. Each start may use 500
 * bytes of memory more than the previous start, so the starts fail at many different
 * allocations. */
TEST(without_memory_a_start_may_be_tried_again)
{
    int refused_count = 0;

    open_store();
    append(1, 0, "start");
    close_store();
    do {
        sqlite3_hard_heap_limit64(sqlite3_memory_used() + 1 + refused_count++ * 500);
        errno = 0;
        store = store_open(base, directory);
        if (store == NULL)
            assert_int_equal(errno, ENOMEM);
    } while (store == NULL);
    sqlite3_hard_heap_limit64(0);
    assert_in_range(refused_count, 20, 10000);
}

TEST(a_directory_that_cannot_be_made_is_refused)
{
    assert_null(store_open(base, "/dev/null/janggid"));
    assert_int_not_equal(errno, EBUSY);
}

UNIT_MAIN(unit_be_quiet, NULL)
