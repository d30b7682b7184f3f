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
    UNANSWERED_MAX = 64,    /* limit of the commands whose text is kept */
    KEPT_BYTES = 16 * 1024, /* limit of the kept text of all commands together */
    GAMES_MAX = 128,        /* limit of the games that are continued at another house */
    PLACES_MAX = 1024,      /* limit of the entries in `places`, one for each game that
                             * the client reads */
    TOKEN_TEXT_BYTES = 64,
    CODE_TEXT_BYTES = 64,
    POOL_TEXT_BYTES = 16
};

/* A command that is not answered. */
struct unanswered {
    bool is_ours;       /* sent by the trail itself: the answer is not for the client */
    bool is_repeatable; /* running it twice has the same effect as once */
    bool is_undone;     /* the house did not run the command (ERR with why=shutdown) */
    struct unanswered *prev, *next;
    char line[];
};

/* A game that the client reads. */
struct place {
    int64_t game;
    int next;     /* number of the next event that the client lacks */
    bool is_back; /* the present house sends the game */
    /* The house was asked to send the game again from event `next` on. Until that event
     * comes, later events are dropped: the house sent them before it got the
     * request. */
    bool is_late;
    char *code; /* code of the watch link that admits the client; NULL: none */
};

struct trail {
    char name[NAME_BYTES]; /* "": not logged in */
    bool is_guest;
    char token[TOKEN_TEXT_BYTES]; /* token of the login; "": the client's key proves
                                   * the name */
    bool wants_board, wants_seeks;
    bool has_tv; /* the client is shown the best game, and after its end the next one */
    char tv_pool[POOL_TEXT_BYTES]; /* the pool of the best game; "": all pools */
    int64_t tv_game;               /* the best game that is shown now; 0: none */
    bool has_seek;   /* has an open seek or challenge, which is lost with the house */
    bool is_crowded; /* has read more than PLACES_MAX games at a time */
    bool has_greeting;
    bool awaits_greeting; /* a new house must still greet; the client does not get this
                           * greeting, because it has already been greeted */
    int ours;             /* number of entries in `unanswered` that have is_ours set */
    size_t kept_bytes;
    int64_t excess; /* unanswered commands that are not in the list */
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
    for (int i = 0; i < trail->place_count; i++)
        free(trail->places[i].code);
    free(trail->places);
    free(trail);
}

/* --- Commands --- */

static bool is_number(const char *word)
{
    return word[0] != '\0' && strspn(word, "0123456789") == strlen(word);
}

/* True for "game=3" and for "3": a command with further arguments may name its game
 * without "game=". */
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

/* True if running the command twice has the same effect as once, and its answer is one
 * line. */
static bool is_repeatable(const struct proto_command *command)
{
    static const char *const reading[] = {"ping",  "clock",  "state",   "moves",
                                          "watch", "resume", "unwatch", "tv"};
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
        return; /* an empty line has no answer */
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

/* Notes that the client lacks the events of the game from `next` on. A code that is
 * kept for the game stays. NULL: there are too many games. */
static struct place *set_place(struct trail *trail, int64_t game, int next)
{
    struct place *place = find_place(trail, game);

    if (place == NULL && trail->place_count == PLACES_MAX) {
        trail->is_crowded = true;
        return NULL;
    }
    if (place == NULL) {
        trail->places = mem_resize(trail->places, (size_t)trail->place_count + 1,
                                   sizeof *trail->places);
        place = &trail->places[trail->place_count++];
        place->code = NULL;
    }
    place->game = game;
    place->next = next;
    place->is_back = true;
    place->is_late = false;
    return place;
}

static void forget_place(struct trail *trail, int64_t game)
{
    struct place *place = find_place(trail, game);

    if (place == NULL)
        return;
    free(place->code);
    *place = trail->places[--trail->place_count];
}

void trail_note_late(struct trail *trail, int64_t game, int number)
{
    struct place *place = set_place(trail, game, number);

    if (place != NULL)
        place->is_late = true;
}

bool trail_is_late(const struct trail *trail, int64_t game)
{
    const struct place *place = find_place(trail, game);

    return place != NULL && place->is_late;
}

/* Clears is_late for all games. After a login, the house may begin to send a game at
 * another event than `next`. So it would be wrong to wait for the event `next`. */
static void forget_late(struct trail *trail)
{
    for (int i = 0; i < trail->place_count; i++)
        trail->places[i].is_late = false;
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
    forget_late(trail);
    trail->is_guest = proof != NULL && strcmp(proof, "none") == 0;
    trail->token[0] = '\0';
    if (made == NULL && shown != NULL)
        made = shown + strlen(" token=");
    if (made != NULL)
        snprintf(trail->token, sizeof trail->token, "%.*s", (int)strcspn(made, " "),
                 made);
}

/* Takes the OK to `command`, which is a "watch" or "resume" command. Notes that the
 * client reads the game. The command may contain the code of a watch link: "watch 3
 * code=CODE". A word that is too long to be a code is not kept. */
static void note_reads(struct trail *trail, const struct proto_line *line,
                       const char *command)
{
    struct place *place = set_place(trail, proto_line_number(line, "game", -1),
                                    (int)proto_line_number(line, "next", 0));
    const char *shown = strstr(command, " code=");
    size_t len;

    if (place == NULL || shown == NULL)
        return;
    shown += strlen(" code=");
    len = strcspn(shown, " ");
    if (len == 0 || len >= CODE_TEXT_BYTES)
        return;
    free(place->code);
    place->code = mem_new(len + 1);
    memcpy(place->code, shown, len);
}

/* Takes the OK to `command`, which is a "tv" command. Notes the pool, which the command
 * names, and the shown game, which the OK names. The OK to the line of add_tv() names
 * the game as "after=8", any other OK as "game=8". */
static void note_tv(struct trail *trail, const struct proto_line *line,
                    const char *command)
{
    char copy[PROTO_LINE_MAX + 1], rest[PROTO_LINE_MAX + 1];
    struct proto_command parsed;

    trail->has_tv = proto_line_value(line, "off") == NULL;
    trail->tv_game = proto_line_number(line, "game", 0);
    if (trail->tv_game == 0)
        trail->tv_game = proto_line_number(line, "after", 0);
    trail->tv_pool[0] = '\0';
    if (text_copy(copy, sizeof copy, command) &&
        proto_parse_command(copy, rest, sizeof rest, &parsed) && parsed.words > 1 &&
        strchr(parsed.word[1], '=') == NULL)
        snprintf(trail->tv_pool, sizeof trail->tv_pool, "%s", parsed.word[1]);
}

/* Takes the OK to "unwatch". If the client leaves the game that tv shows, tv ends: no
 * game follows. */
static void note_unwatch(struct trail *trail, int64_t game)
{
    forget_place(trail, game);
    if (game == trail->tv_game)
        trail->has_tv = false;
}

/* Takes the answer OK to `command`. */
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
        note_reads(trail, line, command);
    else if (strcmp(verb, "unwatch") == 0)
        note_unwatch(trail, game);
    else if (strcmp(verb, "tv") == 0)
        note_tv(trail, line, command);
    else if (strcmp(verb, "view") == 0)
        trail->wants_board = (value = proto_line_value(line, "view")) != NULL &&
                             strcmp(value, "board") == 0;
    else if (strcmp(verb, "seeks") == 0 &&
             (value = proto_line_value(line, "news")) != NULL)
        trail->wants_seeks = strcmp(value, "on") == 0;
    else if (is_one_of(verb, offers, ARRAY_LEN(offers)))
        trail->has_seek = true;
}

/* True if the answer says that the house shuts down and has done nothing. The command
 * is then sent to the next house. */
static bool is_undone(const struct proto_line *line)
{
    const char *why = proto_line_value(line, "why");

    return line->mark == PROTO_ERR && why != NULL && strcmp(why, "shutdown") == 0;
}

static void note_undone(struct trail *trail)
{
    struct unanswered *entry;

    DL_FOREACH (trail->unanswered, entry)
        entry->is_undone = true; /* the first command was refused, so those sent after
                                  * it did nothing either */
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

/* True if the client plays the game that begins with this event. text: "start red=hong
 * blue=kim ...". */
static bool is_player(const struct trail *trail, const char *text)
{
    static const char *const seats[] = {" red=", " blue="};
    size_t len = strlen(trail->name);

    for (size_t i = 0; i < ARRAY_LEN(seats); i++) {
        const char *name = strstr(text, seats[i]);

        if (name == NULL)
            continue;
        name += strlen(seats[i]);
        if (strncmp(name, trail->name, len) == 0 &&
            (name[len] == ' ' || name[len] == '\0'))
            return true;
    }
    return false;
}

enum trail_verdict trail_note_event(struct trail *trail, int64_t game, int number,
                                    const char *text)
{
    const struct place *place = find_place(trail, game);

    if (trail_is_returning(trail) && place != NULL &&
        (!place->is_back || number < place->next))
        return TRAIL_DROP;
    if (place != NULL && place->is_late && number > place->next)
        return TRAIL_DROP;
    if (number == 0 && is_player(trail, text))
        trail->has_seek = false;
    if (strncmp(text, "end ", 4) == 0)
        forget_place(trail, game);
    else if (place == NULL || number >= place->next)
        (void)set_place(trail, game, number + 1);
    return TRAIL_PASS;
}

/* Takes two kinds of news. "! tv game=9 next=0" names the next game that tv shows.
 * After "! closed game=9" the client reads that game no longer. */
static void note_news(struct trail *trail, const char *line)
{
    static const char tv[] = "! tv game=", closed[] = "! closed game=";

    if (strncmp(line, tv, strlen(tv)) == 0)
        trail->tv_game = strtoll(line + strlen(tv), NULL, 10);
    else if (strncmp(line, closed, strlen(closed)) == 0)
        forget_place(trail, strtoll(line + strlen(closed), NULL, 10));
}

/* True for news that the house sends after each login. The client already has this
 * news. */
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
        return trail_note_event(trail, game, number, text);
    if (is_answer(line)) {
        if (!text_copy(copy, sizeof copy, line))
            return TRAIL_FAIL;
        proto_parse_line(copy, &parsed);
        return take_answer(trail, &parsed);
    }
    note_news(trail, line);
    trail->has_greeting = trail->has_greeting || line[0] == '*';
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

    if (trail->excess > 0 || trail->has_seek || trail->is_crowded ||
        trail->place_count > GAMES_MAX)
        return false;
    DL_FOREACH (trail->unanswered, entry)
        if (!entry->is_repeatable && !entry->is_undone)
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

static void add_resume(struct trail *trail, struct place *place)
{
    char line[64 + CODE_TEXT_BYTES];

    place->is_back = place->is_late = false;
    snprintf(line, sizeof line, "resume game=%lld %d%s%s", (long long)place->game,
             place->next, place->code != NULL ? " code=" : "",
             place->code != NULL ? place->code : "");
    add(trail, line, true, true);
}

/* Adds the command "tv after=GAME". GAME is the game that is shown now; after its end
 * the house shows the next one. GAME itself is continued by add_resume(), from the
 * event where the client stopped. */
static void add_tv(struct trail *trail)
{
    char line[64];

    snprintf(line, sizeof line, "tv%s%s after=%lld",
             trail->tv_pool[0] != '\0' ? " " : "", trail->tv_pool,
             (long long)trail->tv_game);
    add(trail, line, true, true);
}

/* Adds the lines by which the trail restores what the client had. "view board" must
 * come last: if it came before "resume", the house would draw the boards that the
 * client has already seen. */
static void add_ours(struct trail *trail)
{
    if (trail->name[0] == '\0')
        return;
    add_login(trail);
    for (int i = 0; i < trail->place_count; i++)
        add_resume(trail, &trail->places[i]);
    if (trail->has_tv)
        add_tv(trail);
    if (trail->wants_seeks)
        add(trail, "seeks on", true, true);
    if (trail->wants_board)
        add(trail, "view board", true, true);
}

void trail_go_on(struct trail *trail, trail_say_fn *say, void *arg)
{
    struct unanswered *old, *entry, *next;

    while (trail->unanswered != NULL && trail->unanswered->is_ours)
        drop_first(trail); /* the house to which this was sent was lost as well */
    old = trail->unanswered;
    trail->unanswered = NULL;
    trail->awaits_greeting = trail->has_greeting;
    add_ours(trail);
    DL_FOREACH_SAFE (old, entry, next)
        DL_APPEND(trail->unanswered, entry);
    DL_FOREACH (trail->unanswered, entry) {
        entry->is_undone = false; /* the next house may run the command */
        say(arg, entry->line);
    }
}
