/* See trail.h. */
#include "server/net/trail.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "common/net/proto.h"

enum {
    UNANSWERED_MAX = 64,    /* commands whose text is kept, */
    KEPT_BYTES = 16 * 1024, /* limit of all that text together */
    GAMES_MAX = 128,        /* games whose place is kept */
    TOKEN_TEXT_BYTES = 64
};

/* A command that is not answered. */
struct unanswered {
    bool is_ours;       /* its answer is not for the client */
    bool is_repeatable; /* it does the same once or twice, or the house has said that it
                         * did nothing */
    struct unanswered *prev, *next;
    char line[];
};

/* A game that the client reads. */
struct place {
    int64_t game;
    int next;     /* event */
    bool is_back; /* the house sends it */
};

struct trail {
    char name[NAME_BYTES]; /* "": not logged in */
    bool is_guest;
    char token[TOKEN_TEXT_BYTES]; /* "": proved by the client's key */
    bool wants_board, wants_seeks;
    bool has_seek;   /* has an open seek or challenge, which is lost with the house */
    bool is_crowded; /* reads more games than are kept */
    bool awaits_greeting;
    int ours; /* of the unanswered */
    size_t kept_bytes;
    int64_t excess; /* unanswered ones beyond those in the list */
    int count;
    struct unanswered *unanswered;
    struct place *places;
    int place_count;
};

struct trail *trail_new(void)
{
    return mem_new(sizeof(struct trail));
}

static void drop_first(struct trail *trail)
{
    struct unanswered *first = trail->unanswered;

    trail->ours -= first->is_ours;
    trail->count--;
    trail->kept_bytes -= strlen(first->line);
    DL_DELETE(trail->unanswered, first);
    free(first);
}

void trail_free(struct trail *trail)
{
    if (trail == NULL)
        return;
    while (trail->unanswered != NULL)
        drop_first(trail);
    free(trail->places);
    free(trail);
}

/* --- Commands --- */

static bool is_number(const char *word)
{
    return word[0] != '\0' && strspn(word, "0123456789") == strlen(word);
}

/* "game=3" or, before further arguments, "3". */
static bool is_game(const char *word)
{
    return is_number(strncmp(word, "game=", 5) == 0 ? word + 5 : word);
}

static bool is_one_of(const char *word, const char *const words[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* True if the command does the same once or twice, and has an answer of one line. */
static bool is_repeatable(const struct proto_command *command)
{
    static const char *const reading[] = {"ping",  "clock",  "state",  "moves",
                                          "watch", "resume", "unwatch"};
    const char *verb = command->word[0];

    if (strcmp(verb, "move") == 0)
        return command->words >= 4 && is_game(command->word[1]) &&
               is_number(command->word[2]);
    if (strcmp(verb, "pass") == 0)
        return command->words == 3 && is_game(command->word[1]) &&
               is_number(command->word[2]);
    if (strcmp(verb, "resign") == 0)
        return command->words == 2 && is_game(command->word[1]);
    if (strcmp(verb, "login") == 0)
        return command->words == 3 && strncmp(command->word[2], "token=", 6) == 0;
    return is_one_of(verb, reading, ARRAY_LEN(reading));
}

static void add(struct trail *trail, const char *line, bool is_repeatable, bool is_ours)
{
    size_t len = strlen(line);
    struct unanswered *entry = mem_new(sizeof *entry + len + 1);

    memcpy(entry->line, line, len);
    entry->is_repeatable = is_repeatable;
    entry->is_ours = is_ours;
    DL_APPEND(trail->unanswered, entry);
    trail->count++;
    trail->kept_bytes += len;
    trail->ours += is_ours;
}

void trail_note_sent(struct trail *trail, const char *line)
{
    char copy[PROTO_LINE_MAX + 1], rest[PROTO_LINE_MAX + 1];
    struct proto_command command;
    bool is_command;

    if (strspn(line, " ") == strlen(line))
        return; /* it has no answer */
    if (trail->excess > 0 || trail->count >= UNANSWERED_MAX ||
        trail->kept_bytes + strlen(line) > KEPT_BYTES) {
        trail->excess++;
        return;
    }
    is_command = text_copy(copy, sizeof copy, line) &&
                 proto_parse_command(copy, rest, sizeof rest, &command) &&
                 command.words > 0;
    add(trail, line, is_command && is_repeatable(&command), false);
}

/* --- Games --- */

static struct place *find_place(const struct trail *trail, int64_t game)
{
    for (int i = 0; i < trail->place_count; i++)
        if (trail->places[i].game == game)
            return &trail->places[i];
    return NULL;
}

static void set_place(struct trail *trail, int64_t game, int next)
{
    struct place *place = find_place(trail, game);

    if (place == NULL && trail->place_count == GAMES_MAX) {
        trail->is_crowded = true;
        return;
    }
    if (place == NULL) {
        trail->places = mem_resize(trail->places, (size_t)trail->place_count + 1,
                                   sizeof *trail->places);
        place = &trail->places[trail->place_count++];
    }
    *place = (struct place){.game = game, .next = next, .is_back = true};
}

static void forget_place(struct trail *trail, int64_t game)
{
    struct place *place = find_place(trail, game);

    if (place != NULL)
        *place = trail->places[--trail->place_count];
}

/* --- What the house says --- */

static void note_login(struct trail *trail, const struct proto_line *line,
                       const char *command)
{
    const char *name = proto_line_value(line, "name");
    const char *made = proto_line_value(line, "token");
    const char *proof = proto_line_value(line, "proof");
    const char *shown = strstr(command, " token=");

    if (name == NULL || !text_copy(trail->name, sizeof trail->name, name))
        return;
    trail->is_guest = proof != NULL && strcmp(proof, "none") == 0;
    trail->token[0] = '\0';
    if (made == NULL && shown != NULL)
        made = shown + strlen(" token=");
    if (made != NULL)
        snprintf(trail->token, sizeof trail->token, "%.*s", (int)strcspn(made, " "),
                 made);
}

/* Takes the answer OK to that command. */
static void note_ok(struct trail *trail, const struct proto_line *line,
                    const char *command)
{
    static const char *const offers[] = {"seek", "challenge", "counter", "play"};
    const char *verb = line->words > 0 ? line->word[0] : "";
    int64_t game = proto_line_number(line, "game", -1);
    const char *value;

    if (strcmp(verb, "login") == 0)
        note_login(trail, line, command);
    else if (strcmp(verb, "watch") == 0 || strcmp(verb, "resume") == 0)
        set_place(trail, game, (int)proto_line_number(line, "next", 0));
    else if (strcmp(verb, "unwatch") == 0)
        forget_place(trail, game);
    else if (strcmp(verb, "view") == 0)
        trail->wants_board = (value = proto_line_value(line, "view")) != NULL &&
                             strcmp(value, "board") == 0;
    else if (strcmp(verb, "seeks") == 0 &&
             (value = proto_line_value(line, "news")) != NULL)
        trail->wants_seeks = strcmp(value, "on") == 0;
    else if (is_one_of(verb, offers, ARRAY_LEN(offers)))
        trail->has_seek = true;
}

/* True if the house shuts down and has done nothing: then another house will be asked. */
static bool is_undone(const struct proto_line *line)
{
    const char *why = proto_line_value(line, "why");

    return line->mark == PROTO_ERR && why != NULL && strcmp(why, "shutdown") == 0;
}

static void note_undone(struct trail *trail)
{
    struct unanswered *entry;

    DL_FOREACH (trail->unanswered, entry)
        entry->is_repeatable = true; /* what follows is undone too */
}

static enum trail_verdict take_answer(struct trail *trail,
                                      const struct proto_line *line)
{
    const struct unanswered *first = trail->unanswered;
    bool is_ours = first != NULL && first->is_ours;

    if (is_undone(line)) {
        note_undone(trail);
        return TRAIL_DROP;
    }
    if (is_ours && line->mark == PROTO_ERR)
        return TRAIL_FAIL;
    if (line->mark == PROTO_OK &&
        (!is_ours || trail->is_guest || strncmp(first->line, "login ", 6) != 0))
        note_ok(trail, line, first != NULL ? first->line : "");
    if (first != NULL)
        drop_first(trail);
    else if (trail->excess > 0)
        trail->excess--;
    return is_ours ? TRAIL_DROP : TRAIL_PASS;
}

static enum trail_verdict take_event(struct trail *trail, int64_t game, int number,
                                     const char *text)
{
    const struct place *place = find_place(trail, game);

    if (trail_is_returning(trail) && place != NULL &&
        (!place->is_back || number < place->next))
        return TRAIL_DROP;
    if (number == 0)
        trail->has_seek = false;
    if (strncmp(text, "end ", 4) == 0)
        forget_place(trail, game);
    else if (place == NULL || number >= place->next)
        set_place(trail, game, number + 1);
    return TRAIL_PASS;
}

/* True for news that each login brings and the client already has. */
static bool is_of_login(const char *news)
{
    return strncmp(news, "! mine ", 7) == 0 ||
           strncmp(news, "! notice why=motd", 17) == 0;
}

static bool is_answer(const char *line)
{
    return line[0] == '#' || line[0] == 'O' || line[0] == 'E';
}

enum trail_verdict trail_note_received(struct trail *trail, const char *line)
{
    char copy[PROTO_LINE_MAX + 1];
    struct proto_line parsed;
    const char *text;
    int64_t game;
    int number;

    if (proto_cut_event(line, &game, &number, &text))
        return take_event(trail, game, number, text);
    if (is_answer(line)) {
        if (!text_copy(copy, sizeof copy, line))
            return TRAIL_FAIL;
        proto_parse_line(copy, &parsed);
        return take_answer(trail, &parsed);
    }
    if (!trail_is_returning(trail))
        return TRAIL_PASS;
    if (line[0] == '*')
        trail->awaits_greeting = false;
    return line[0] == '!' && !is_of_login(line) ? TRAIL_PASS : TRAIL_DROP;
}

/* --- Going on --- */

bool trail_can_go_on(const struct trail *trail)
{
    const struct unanswered *entry;

    if (trail->excess > 0 || trail->has_seek || trail->is_crowded)
        return false;
    DL_FOREACH (trail->unanswered, entry)
        if (!entry->is_repeatable)
            return false;
    return true;
}

bool trail_is_returning(const struct trail *trail)
{
    return trail->awaits_greeting || trail->ours > 0;
}

static void add_login(struct trail *trail)
{
    char line[PROTO_LINE_LOGIN_MAX];

    if (trail->is_guest)
        snprintf(line, sizeof line, "login");
    else if (trail->token[0] != '\0')
        snprintf(line, sizeof line, "login %s token=%s", trail->name, trail->token);
    else
        snprintf(line, sizeof line, "login %s", trail->name);
    add(trail, line, true, true);
}

/* The view comes last: the client has seen its boards. */
static void add_ours(struct trail *trail)
{
    char line[64];

    if (trail->name[0] == '\0')
        return;
    add_login(trail);
    for (int i = 0; i < trail->place_count; i++) {
        trail->places[i].is_back = false;
        snprintf(line, sizeof line, "resume game=%lld %d",
                 (long long)trail->places[i].game, trail->places[i].next);
        add(trail, line, true, true);
    }
    if (trail->wants_seeks)
        add(trail, "seeks on", true, true);
    if (trail->wants_board)
        add(trail, "view board", true, true);
}

void trail_go_on(struct trail *trail, trail_say_fn *say, void *arg)
{
    struct unanswered *old, *entry, *next;

    while (trail->unanswered != NULL && trail->unanswered->is_ours)
        drop_first(trail); /* this house was lost as well */
    old = trail->unanswered;
    trail->unanswered = NULL;
    trail->awaits_greeting = true;
    add_ours(trail);
    DL_FOREACH_SAFE (old, entry, next)
        DL_APPEND(trail->unanswered, entry);
    DL_FOREACH (trail->unanswered, entry)
        say(arg, entry->line);
}
