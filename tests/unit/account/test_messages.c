/* Tests of messages: they are kept on disk, limited in number for each receiver and
 * sender, and deleted after some time. */
#include "tests/unit/account/accounts_fixture.h"

#include "server/account/messages.h"

static struct messages *messages;

static void open_more(void)
{
    messages = accounts_messages(accounts);
}

static void close_more(void)
{
}

static enum messages_verdict put(const char *owner, const char *from, const char *text)
{
    return messages_put(messages, owner, from, text, mono_wall_s());
}

static int count_of(const char *owner)
{
    int count = 0;

    for (const struct message *m = messages_of(messages, owner); m != NULL; m = m->next)
        count++;
    return count;
}

#define TEST(name) UNIT_TEST_WITH(name, set_up, tear_down)

TEST(a_message_is_kept_with_sender_text_and_mark)
{
    const struct message *message;

    assert_int_equal(put("kim", "Hong", "at eight? : yes"), MESSAGES_KEPT);
    messages_set_read(messages, "kim");
    assert_int_equal(put("kim", "lee", "\xec\x95\x88\xeb\x85\x95"), MESSAGES_KEPT);
    restart();
    message = messages_of(messages, "kim");
    assert_non_null(message);
    assert_int_equal(message->id, 1);
    assert_true(message->is_read);
    assert_string_equal(message->from, "Hong");
    assert_string_equal(message->text, "at eight? : yes");
    assert_int_equal(message->next->id, 2);
    assert_false(message->next->is_read);
    assert_string_equal(message->next->text, "\xec\x95\x88\xeb\x85\x95");
    assert_null(message->next->next);
    assert_null(messages_of(messages, "hong"));
}

TEST(a_mailbox_keeps_its_order_beyond_nine)
{
    char name[16];
    int64_t id = 0;

    for (int i = 0; i < 12; i++) {
        snprintf(name, sizeof name, "p%d", i);
        assert_int_equal(put("kim", name, "hello"), MESSAGES_KEPT);
    }
    restart();
    for (const struct message *m = messages_of(messages, "kim"); m != NULL; m = m->next)
        assert_int_equal(m->id, ++id);
    assert_int_equal(id, 12);
}

TEST(one_sender_has_three_unread_messages_at_most)
{
    for (int i = 0; i < MESSAGES_UNREAD_MAX; i++)
        assert_int_equal(put("kim", "hong", "again"), MESSAGES_KEPT);
    assert_int_equal(put("kim", "hong", "again"), MESSAGES_UNREAD);
    assert_int_equal(put("kim", "lee", "hello"), MESSAGES_KEPT);
    assert_int_equal(put("lee", "hong", "hello"), MESSAGES_KEPT);
    messages_set_read(messages, "kim");
    assert_int_equal(put("kim", "hong", "again"), MESSAGES_KEPT);
}

TEST(a_mailbox_has_a_limit)
{
    char name[16];

    for (int i = 0; i < MAILBOX_MAX; i++) {
        snprintf(name, sizeof name, "p%d", i);
        assert_int_equal(put("kim", name, "hello"), MESSAGES_KEPT);
    }
    assert_int_equal(put("kim", "hong", "hello"), MESSAGES_FULL);
    assert_int_equal(messages_clear(messages, "kim"), MAILBOX_MAX);
    assert_int_equal(messages_clear(messages, "kim"), 0);
    assert_int_equal(put("kim", "hong", "hello"), MESSAGES_KEPT);
    restart();
    assert_int_equal(count_of("kim"), 1);
}

static int count_from(const char *owner, const char *from)
{
    int count = 0;

    for (const struct message *m = messages_of(messages, owner); m != NULL; m = m->next)
        count += strcmp(m->from, from) == 0;
    return count;
}

/* A sender whose messages have all been read may send any number: each new message
 * removes only one of that sender's own. */
TEST(a_read_message_makes_room_in_a_full_mailbox)
{
    assert_int_equal(put("kim", "lee", "old"), MESSAGES_KEPT);
    assert_int_equal(put("kim", "park", "old"), MESSAGES_KEPT);
    for (int i = 0; i < 3 * MAILBOX_MAX; i++) {
        assert_int_equal(put("kim", "hong", "again"), MESSAGES_KEPT);
        messages_set_read(messages, "kim");
    }
    assert_int_equal(count_from("kim", "hong"), MAILBOX_MAX - 2);
    assert_int_equal(put("kim", "lee", "new"), MESSAGES_KEPT);
    restart();
    assert_int_equal(count_of("kim"), MAILBOX_MAX);
    assert_int_equal(count_from("kim", "lee"), 2);
    assert_int_equal(count_from("kim", "park"), 1);
    assert_int_equal(messages_of(messages, "kim")->prev->id, 3 * MAILBOX_MAX + 3);
}

/* Unread messages are not removed for new ones. */
TEST(unread_messages_leave_no_room)
{
    char name[16];

    assert_int_equal(put("kim", "hong", "read"), MESSAGES_KEPT);
    messages_set_read(messages, "kim");
    for (int i = 1; i < MAILBOX_MAX; i++) {
        snprintf(name, sizeof name, "p%d", i);
        assert_int_equal(put("kim", name, "hello"), MESSAGES_KEPT);
    }
    assert_int_equal(put("kim", "lee", "hello"), MESSAGES_KEPT);
    assert_int_equal(count_from("kim", "hong"), 0);
    assert_int_equal(put("kim", "hong", "hello"), MESSAGES_FULL);
}

TEST(a_text_has_a_limit)
{
    char text[MESSAGE_BYTES_MAX + 2];

    memset(text, 'x', sizeof text);
    text[MESSAGE_BYTES_MAX + 1] = '\0';
    assert_int_equal(put("kim", "hong", text), MESSAGES_TOO_LONG);
    text[MESSAGE_BYTES_MAX] = '\0';
    assert_int_equal(put("kim", "hong", text), MESSAGES_KEPT);
    restart();
    assert_string_equal(messages_of(messages, "kim")->text, text);
}

TEST(a_message_is_dropped_after_thirty_days)
{
    int64_t now_s = mono_wall_s(), sent_s = now_s - (int64_t)MESSAGE_DAYS * DAY_S;

    assert_int_equal(messages_put(messages, "kim", "hong", "old", sent_s + 10),
                     MESSAGES_KEPT);
    assert_int_equal(messages_put(messages, "kim", "hong", "new", sent_s + 3 * DAY_S),
                     MESSAGES_KEPT);
    stepped_clock_step_ms((int64_t)DAY_S * 1000);
    deadlines_run(deadlines, now_s + DAY_S);
    assert_int_equal(count_of("kim"), 1);
    deadlines_run(deadlines, now_s + 2 * DAY_S);
    assert_string_equal(messages_of(messages, "kim")->text, "new");
    restart();
    assert_int_equal(count_of("kim"), 1);
    stepped_clock_step_ms(4 * (int64_t)DAY_S * 1000);
    deadlines_run(deadlines, now_s + 5 * DAY_S);
    assert_int_equal(count_of("kim"), 0);
}

static void note_owner(void *arg, const char *owner, const struct message *message)
{
    strcat(arg, owner);
    strcat(arg, message->text);
}

TEST(a_sender_is_found_and_removed)
{
    char seen[64] = "";

    assert_int_equal(put("kim", "Hong", "1"), MESSAGES_KEPT);
    assert_int_equal(put("kim", "lee", "2"), MESSAGES_KEPT);
    messages_from(messages, "hong", note_owner, seen);
    assert_string_equal(seen, "kim1");
    messages_drop_from(messages, "hong");
    restart();
    assert_int_equal(count_of("kim"), 1);
    assert_string_equal(messages_of(messages, "kim")->from, "lee");
}

TEST(an_unreadable_row_is_skipped)
{
    static const char *const values[] = {
        "", "x", "1 0", "1 0 kim", "x 0 kim hello", "-1 0 kim hello"};
    char subject[8];

    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        snprintf(subject, sizeof subject, "%zu", i + 1);
        store_put(store, STORE_MARK,
                  &(struct store_mark){.owner = "kim",
                                       .kind = "message",
                                       .subject = subject,
                                       .value = values[i]});
    }
    assert_int_equal(put("kim", "hong", "hello"), MESSAGES_KEPT);
    restart();
    assert_int_equal(count_of("kim"), 1);
    assert_string_equal(messages_of(messages, "kim")->text, "hello");
}

/* Both rows have a number that is too great. With the id of the first row, the id of
 * the next message would overflow. With the time of the second row, the day on which
 * the message expires would overflow. */
TEST(a_row_with_the_greatest_number_is_skipped)
{
    static const char *const rows[][2] = {{"9223372036854775807", "1 0 lee hello"},
                                          {"2", "9223372036854775807 0 lee hello"}};

    for (size_t i = 0; i < 2; i++)
        store_put(store, STORE_MARK,
                  &(struct store_mark){.owner = "kim",
                                       .kind = "message",
                                       .subject = rows[i][0],
                                       .value = rows[i][1]});
    restart();
    assert_int_equal(count_of("kim"), 0);
    assert_int_equal(put("kim", "hong", "hello"), MESSAGES_KEPT);
    assert_int_equal(messages_of(messages, "kim")->id, 1);
}

UNIT_MAIN(NULL, NULL)
