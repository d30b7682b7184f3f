/* See edit.h. Two implementations of one interface: plain lines (read_lines()), and
 * readline in its callback mode (struct keys). The functions that print text or handle
 * signals call readline in an order that was found by experiment. If one of these
 * readline calls is left out, typed text or the terminal is damaged. */
#include "client/console/edit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <event2/event.h>

#ifdef HAVE_READLINE
#include <readline/history.h>
#include <readline/readline.h>
#endif

#include "client/base/keep.h"
#include "client/base/loop.h"
#include "client/console/title.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/utf8.h"

enum { LINE_BYTES = 4098, READ_BYTES = 4096, HISTORY_LINES = 500, SIGNALS = 4 };
enum { COLUMNS_LEAST = 20, COLUMNS_USUAL = 80 };

struct edit {
    struct event_base *base;
    const struct edit_calls *calls;
    void *owner;
    bool has_keys;
    bool has_prompt;
    bool is_held;
    bool is_continued; /* keys_stop() has already shown the line again; ignore the next
                        * SIGCONT */
    bool is_ended;     /* end of input */
    bool is_end_given;
    bool is_broken;     /* output was closed */
    bool is_in_line;    /* inside on_line: readline shows no line now */
    bool is_paste_over; /* discard the rest of a paste */
    const char *history_path;
    char prompt[EDIT_PROMPT_BYTES];
    struct title title;
    int64_t begun_ms; /* see edit_begun_ms() */
    const char *word; /* the word being completed; otherwise NULL */
    struct event *readable;
    struct event *again; /* calls on_again() after edit_hold() has allowed reading
                          * again; on_again() passes on the lines that wait in `line`,
                          * and the end of the input */
    struct event *signal[SIGNALS];
    int signals;
    /* The next two members are for input that is read without editing of keys. */
    char line[LINE_BYTES + READ_BYTES]; /* input that has not been passed to on_line
                                         * yet */
    size_t len;
};

/* --- Output --- */

static void write_all(struct edit *edit, const char *text, size_t len)
{
    while (len > 0 && !edit->is_broken) {
        ssize_t wrote = write(STDOUT_FILENO, text, len);

        if (wrote < 0 && errno != EINTR && errno != EAGAIN)
            edit->is_broken = true;
        if (wrote > 0) {
            text += wrote;
            len -= (size_t)wrote;
        }
    }
}

int edit_columns(void)
{
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < COLUMNS_LEAST)
        return COLUMNS_USUAL;
    return size.ws_col;
}

/* --- Plain lines --- */

static void give_line(struct edit *edit, const char *line)
{
    edit->is_in_line = true;
    edit->calls->on_line(edit->owner, line);
    edit->is_in_line = false;
}

/* Passes the complete lines in the buffer to on_line, until none is left or edit_hold()
 * stops it. */
static void give_waiting(struct edit *edit)
{
    char *end;

    while (!edit->is_held && (end = memchr(edit->line, '\n', edit->len)) != NULL) {
        size_t taken = (size_t)(end - edit->line) + 1;
        char line[sizeof edit->line];

        memcpy(line, edit->line, taken - 1);
        line[taken - 1] = '\0';
        if (taken > 1 && line[taken - 2] == '\r')
            line[taken - 2] = '\0';
        edit->len -= taken;
        memmove(edit->line, end + 1, edit->len);
        give_line(edit, line);
    }
}

static void give_end(struct edit *edit)
{
    if (edit->is_held || !edit->is_ended || edit->is_end_given)
        return;
    if (edit->len > 0) {
        edit->line[edit->len] = '\0';
        edit->len = 0;
        give_line(edit, edit->line);
    }
    if (edit->is_held) /* on_end must wait: the owner is still handling the last line */
        return;
    edit->is_end_given = true;
    edit->calls->on_end(edit->owner);
}

static void read_lines(struct edit *edit)
{
    ssize_t got =
        read(STDIN_FILENO, edit->line + edit->len, sizeof edit->line - 1 - edit->len);

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        edit->is_ended = true;
        event_del(edit->readable);
        return;
    }
    edit->len += (size_t)got;
    if (edit->len >= LINE_BYTES && memchr(edit->line, '\n', edit->len) == NULL)
        edit->len = LINE_BYTES - 1; /* too long: discard the rest */
}

/* --- readline --- */

/* The functions that use readline. In a program built without readline all are NULL,
 * and no line is edited. */
struct keys {
    void (*open)(struct edit *edit);
    void (*close)(struct edit *edit);
    void (*read)(struct edit *edit);
    void (*drop_line)(struct edit *edit);
    bool (*clear_line)(void);
    void (*stop)(struct edit *edit);
    void (*go_on)(struct edit *edit);
    void (*resize)(struct edit *edit);
    void (*prompt)(struct edit *edit);
    void (*print)(struct edit *edit, const char *text, size_t len);
    void (*remember)(const char *line);
};

static bool is_typing(const struct edit *edit)
{
    return edit->has_keys && !edit->is_in_line;
}

#ifdef HAVE_READLINE

/* readline's callbacks have no context argument and its state is global, so there can
 * be only one editor: this one. */
static struct edit *only;

static void keys_on_line(char *line);

static void keys_install(struct edit *edit)
{
    rl_callback_handler_install(edit->prompt, keys_on_line);
}

/* Passes a line from readline to on_line; NULL: Ctrl-D was typed. A paste of several
 * lines arrives as one string with LFs, and each part becomes a line of its own. */
static void keys_on_line(char *line)
{
    struct edit *edit = only;

    if (line == NULL) {
        edit->is_ended = true; /* keys_read() handles the end */
        return;
    }
    edit->is_in_line = true;
    edit->is_paste_over = false;
    for (char *at = line, *end; at != NULL && !edit->is_paste_over; at = end) {
        end = strchr(at, '\n');
        if (end != NULL)
            *end++ = '\0';
        edit->calls->on_line(edit->owner, at);
    }
    edit->is_in_line = false;
    free(line);
}

/* --- Where the line is on the screen --- */

/* Appends to `out` what readline displays now: the prompt and then the typed line.
 * While the user searches the history, readline displays a special prompt for the
 * search. Leaves out the marks of readline in the prompt, and the escape codes between
 * two marks. Returns the offset of the typed line in `out`. */
static size_t shown_line(struct text *out)
{
    size_t line;
    bool is_hidden = false;

    for (const char *at = rl_display_prompt; at != NULL && *at != '\0'; at++) {
        if (*at == RL_PROMPT_START_IGNORE || *at == RL_PROMPT_END_IGNORE)
            is_hidden = *at == RL_PROMPT_START_IGNORE;
        else if (!is_hidden)
            text_addf(out, "%c", *at);
    }
    line = out->len;
    text_add(out, rl_line_buffer);
    return line;
}

/* Returns how many columns the character at `at` takes, and stores its length in bytes
 * in *len. readline shows a control character in two columns, such as ^A. */
static int columns_at(const char *at, size_t *len)
{
    int columns;

    *len = utf8_next(at, &columns);
    return (unsigned char)*at < ' ' ? 2 : columns;
}

/* Returns how many rows the cursor is below the first row of the line, on a terminal
 * that is `columns` wide. A wide character that does not fit in a row moves to the next
 * row. If the line does not fit into the buffer, as after a long paste, only its prompt
 * is counted. */
static int row_of_cursor(int columns)
{
    char line[EDIT_PROMPT_BYTES + LINE_BYTES];
    struct text text = text_into(line, sizeof line);
    const char *cursor = line + shown_line(&text) + rl_point;
    int row = 0, column = 0;
    size_t len = 0;

    for (const char *at = line;; at += len) {
        int width = *at == '\0' ? 1 : columns_at(at, &len);

        if (column + width > columns) {
            row++;
            column = 0;
        }
        if (at >= cursor || *at == '\0')
            return row;
        column += width;
    }
}

/* Redraws the line from its first row. row: how many rows the cursor is below that
 * row. */
static void draw_from(struct edit *edit, int row)
{
    char go[32];
    struct text text = text_into(go, sizeof go);

    fflush(stdout); /* first write the output of readline that is still in stdio */
    text_add(&text, "\r");
    if (row > 0)
        text_addf(&text, "\033[%dA", row);
    text_add(&text, "\033[J");
    write_all(edit, go, strlen(go));
    rl_on_new_line();
    rl_redisplay();
}

/* Redraws the line after the width of the terminal has changed. Most terminals then
 * wrap the line again and move the cursor with it. readline assumes that the cursor has
 * not moved, and would leave parts of the line on the screen or erase rows above it.
 * xterm and screen are known not to wrap again; readline's own function is right for
 * them. */
static void keys_resize(struct edit *edit)
{
    bool wraps_anew = getenv("XTERM_VERSION") == NULL && getenv("STY") == NULL;
    int rows, columns;

    if (!is_typing(edit) || !wraps_anew) {
        rl_resize_terminal();
        return;
    }
    rl_reset_screen_size();
    rl_get_screen_size(&rows, &columns);
    draw_from(edit, row_of_cursor(columns));
}

/* Redraws the line if the width has changed and the SIGWINCH for this change has not
 * been handled yet. */
static void keys_look_at_size(struct edit *edit)
{
    int rows, columns;

    rl_get_screen_size(&rows, &columns);
    if (is_typing(edit) && columns != edit_columns())
        keys_resize(edit);
}

/* Returns true if the deletion of a character can damage the screen. readline 8.2 has a
 * fault with wrapped lines: if a wide character is deleted, and the first row becomes
 * shorter by one column, readline sometimes deletes only one of the two columns of the
 * character on the terminal. Terminals treat the remaining half differently; tmux 3.3a
 * also erases the character before the half. */
static bool is_deletion_unsafe(void)
{
    char line[EDIT_PROMPT_BYTES + LINE_BYTES];
    struct text text = text_into(line, sizeof line);
    bool has_wide = false;
    int columns = 0, width;
    size_t len;

    (void)shown_line(&text);
    for (const char *at = line; *at != '\0'; at += len, columns += width) {
        width = columns_at(at, &len);
        has_wide |= width > 1;
    }
    return has_wide && columns > edit_columns();
}

/* Lets readline handle what was typed, and redraws the line after a deletion that can
 * damage the screen. One call can handle several keys; readline's undo list shows
 * whether they deleted something. */
static void keys_read_one(struct edit *edit)
{
    bool is_unsafe = is_deletion_unsafe();
    const UNDO_LIST *before = rl_undo_list;

    if (rl_end == 0)
        edit->begun_ms = mono_now_ms();
    rl_callback_read_char();
    if (rl_undo_list == before || rl_end == 0 || !(is_unsafe || is_deletion_unsafe()))
        return;
    rl_clear_visible_line();
    rl_on_new_line();
    rl_redisplay();
}

/* Lets readline read keys, and calls on_end if one of them was Ctrl-D. The call of
 * on_end must wait until readline has returned, because readline prints its prompt
 * again before it returns. */
static void keys_read(struct edit *edit)
{
    keys_look_at_size(edit);
    keys_read_one(edit);
    if (!edit->is_ended)
        return;
    edit->is_ended = false;
    edit->calls->on_end(edit->owner);
}

static void keys_drop_line(struct edit *edit)
{
    bool was_empty = rl_end == 0;

    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_replace_line("", 0);
    rl_cleanup_after_signal();
    write_all(edit, "\n", 1);
    edit->is_in_line = true;
    if (was_empty)
        edit->calls->on_interrupt(edit->owner);
    edit->is_in_line = false;
    rl_reset_after_signal();
    rl_callback_handler_remove();
    keys_install(edit);
}

/* Returns true if there was something to clear. */
static bool keys_clear_line(void)
{
    if (rl_end == 0 && !RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH))
        return false;
    rl_clear_visible_line();
    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_replace_line("", 1);
    rl_on_new_line();
    rl_redisplay();
    return true;
}

static void keys_continue(struct edit *edit)
{
    if (edit->is_continued) {
        edit->is_continued = false; /* keys_stop() has already restored the line */
        return;
    }
    rl_reset_after_signal();
    rl_on_new_line();
    rl_redisplay();
}

/* Stops the process with SIGSTOP, because we catch SIGTSTP. kill() returns when the
 * process continues. */
static void keys_stop(struct edit *edit)
{
    title_hide(&edit->title);
    rl_cleanup_after_signal();
    kill(getpid(), SIGSTOP);
    title_show(&edit->title);
    keys_continue(edit);
    edit->is_continued = true;
}

static char **keys_complete(const char *word, int start, int end);

static void keys_open(struct edit *edit)
{
    only = edit;
    rl_readline_name = "janggi";
    rl_catch_signals = 0;
    rl_catch_sigwinch = 0;
    rl_outstream = stdout;
    rl_attempted_completion_function = keys_complete;
    /* With their defaults, the next two settings would make readline read keys in its
     * own loop. */
    rl_variable_bind("page-completions", "off");
    rl_variable_bind("completion-query-items", "0");
    rl_variable_bind("enable-bracketed-paste", "on");
    using_history();
    stifle_history(HISTORY_LINES);
    if (edit->history_path != NULL)
        (void)read_history(edit->history_path);
    keys_install(edit);
}

static void keys_close(struct edit *edit)
{
    rl_clear_visible_line();
    rl_callback_handler_remove();
    if (edit->history_path != NULL && history_length > 0 &&
        keep_make_way(edit->history_path)) {
        mode_t before = umask(077);

        (void)write_history(edit->history_path);
        umask(before);
    }
    clear_history();
    only = NULL;
}

static void keys_remember(const char *line)
{
    HIST_ENTRY *last = history_get(history_base + history_length - 1);

    if (line[0] != '\0' && (last == NULL || strcmp(last->line, line) != 0))
        add_history(line);
}

static void keys_print(struct edit *edit, const char *text, size_t len)
{
    keys_look_at_size(edit);
    rl_clear_visible_line();
    fflush(stdout); /* first write the output of readline that is still in stdio */
    write_all(edit, text, len);
    rl_on_new_line();
    rl_redisplay();
}

/* Shows a changed prompt. While the user types a search or a count, keeps the prompt
 * that readline shows for it. */
static void keys_prompt(struct edit *edit)
{
    if (RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_NUMERICARG))
        return;
    keys_look_at_size(edit);
    rl_set_prompt(edit->prompt);
    if (is_typing(edit))
        rl_redisplay();
}

/* --- Completion --- */

/* For rl_completion_matches(): returns the next word that begins with `word`; NULL:
 * there are no more words. state: 0 for the first word of a completion. */
static char *keys_next_word(const char *word, int state)
{
    static size_t next; /* readline requests one word at a time and passes no context */
    size_t len = strlen(word);
    char before[LINE_BYTES];
    const char *one;
    int start = rl_point - (int)len;

    if (state == 0)
        next = 0;
    if (start < 0 || (size_t)start >= sizeof before)
        return NULL;
    memcpy(before, rl_line_buffer, (size_t)start);
    before[start] = '\0';
    only->word = word;
    do
        one = only->calls->on_complete(only->owner, before, next++);
    while (one != NULL && strncmp(one, word, len) != 0);
    only->word = NULL;
    return one != NULL ? mem_copy_text(one) : NULL;
}

static char **keys_complete(const char *word, int start, int end)
{
    (void)start;
    (void)end;
    rl_attempted_completion_over = 1; /* never complete file names */
    if (only->calls->on_complete == NULL)
        return NULL;
    return rl_completion_matches(word, keys_next_word);
}

static const struct keys keys = {
    keys_open,     keys_close,  keys_read,   keys_drop_line, keys_clear_line, keys_stop,
    keys_continue, keys_resize, keys_prompt, keys_print,     keys_remember};
#else
static const struct keys keys;
#endif

bool edit_has_readline(void)
{
    return keys.open != NULL;
}

/* --- Events of the loop --- */

static void on_again(evutil_socket_t fd, short what, void *arg)
{
    struct edit *edit = arg;

    (void)fd;
    (void)what;
    give_waiting(edit);
    give_end(edit);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct edit *edit = arg;

    if (edit->has_keys) {
        keys.read(edit);
        return;
    }
    read_lines(edit);
    on_again(fd, what, edit);
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    struct edit *edit = arg;

    (void)what;
    if (number == SIGINT && edit->has_keys)
        keys.drop_line(edit);
    else if (number == SIGINT)
        edit->calls->on_interrupt(edit->owner);
    else if (number == SIGTSTP)
        keys.stop(edit);
    else if (number == SIGCONT)
        keys.go_on(edit);
    else
        keys.resize(edit);
}

static void add_signal(struct edit *edit, int number)
{
    struct event *event =
        loop_event(edit->base, number, EV_SIGNAL | EV_PERSIST, on_signal, edit);

    loop_add(event, -1);
    edit->signal[edit->signals++] = event;
}

/* --- From above --- */

struct edit *edit_open(struct event_base *base, const struct edit_options *options,
                       const struct edit_calls *calls, void *owner)
{
    struct edit *edit = mem_new(sizeof *edit);

    edit->base = base;
    edit->calls = calls;
    edit->owner = owner;
    edit->has_keys = options->has_keys && edit_has_readline();
    edit->has_prompt = options->has_prompt;
    edit->history_path = options->history_path;
    title_init(&edit->title, edit->has_keys && edit->has_prompt);
    edit->is_held = true;
    edit->readable =
        loop_event(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_readable, edit);
    edit->again = loop_event(base, -1, 0, on_again, edit);
    add_signal(edit, SIGINT);
    if (!edit->has_keys)
        return edit;
    add_signal(edit, SIGTSTP);
    add_signal(edit, SIGCONT);
    add_signal(edit, SIGWINCH);
    keys.open(edit);
    return edit;
}

void edit_close(struct edit *edit)
{
    if (edit == NULL)
        return;
    title_hide(&edit->title);
    if (edit->has_keys)
        keys.close(edit);
    for (int i = 0; i < edit->signals; i++)
        event_free(edit->signal[i]);
    event_free(edit->readable);
    event_free(edit->again);
    free(edit);
}

bool edit_print(struct edit *edit, const char *text, size_t len)
{
    if (is_typing(edit))
        keys.print(edit, text, len);
    else
        write_all(edit, text, len);
    return !edit->is_broken;
}

void edit_prompt(struct edit *edit, const char *prompt)
{
    if (!edit->has_prompt || strcmp(edit->prompt, prompt) == 0)
        return;
    if (!text_copy(edit->prompt, sizeof edit->prompt, prompt))
        return;
    if (edit->has_keys)
        keys.prompt(edit);
}

void edit_bell(struct edit *edit)
{
    write_all(edit, "\a", 1);
}

void edit_title(struct edit *edit, const char *title)
{
    title_set(&edit->title, title);
}

/* If lines wait in the buffer when is_held becomes false, the event loop passes these
 * lines to on_line later. edit_hold() does not call on_line itself, because on_line can
 * be the caller of edit_hold(). */
void edit_hold(struct edit *edit, bool is_held)
{
    if (edit->is_held == is_held)
        return;
    edit->is_held = is_held;
    if (is_held)
        event_del(edit->readable);
    else if (!edit->is_ended)
        loop_add(edit->readable, -1);
    if (!is_held && !edit->has_keys && (edit->len > 0 || edit->is_ended))
        event_active(edit->again, 0, 0);
}

bool edit_drop_typed(struct edit *edit)
{
    int waiting = 0;

    if (!isatty(STDIN_FILENO))
        return false;
    edit->is_paste_over = true;
    if (ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting > 0)
        (void)tcflush(STDIN_FILENO, TCIFLUSH);
    return (is_typing(edit) && keys.clear_line()) || waiting > 0;
}

int64_t edit_begun_ms(const struct edit *edit)
{
    return edit->begun_ms;
}

const char *edit_word(const struct edit *edit)
{
    return edit->word != NULL ? edit->word : "";
}

void edit_remember(struct edit *edit, const char *line)
{
    if (edit->has_keys)
        keys.remember(line);
}
