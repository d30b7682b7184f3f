/* See answers.h. */
#include "client/verb/answers.h"

#include <stdio.h>
#include <string.h>

#include "client/base/link.h"
#include "client/view/words.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/net/tls.h"
#include "common/words/term.h"

enum { RETRY_MAX_S = 3600, TERMS_BYTES = 640 };

/* Adds the text after " : " in the answer. The server writes this text for people. */
static void add_human(struct text *out, const struct verb_answer *answer)
{
    text_add(out, answer->line->human);
}

/* --- A game to come --- */

/* Writes the terms of our seek, challenge or invitation as the server has understood
 * them, such as " (10m+5s, kja, you play red)"; "" if the answer has none. */
static const char *add_terms_of(char out[TERMS_BYTES], const struct proto_line *line)
{
    const char *side = words_value(line, "side", "any");
    struct text text = text_into(out, TERMS_BYTES);
    char manners[WORDS_MANNERS_BYTES];

    if (proto_line_value(line, "time") == NULL)
        return out;
    text_addf(&text, " (%s, %s", words_time_terms(line),
              words_value(line, "rules", "?"));
    if (strcmp(side, "any") != 0)
        text_addf(&text, _(", you play %s"), words_side(side));
    text_addf(&text, "%s)", words_manners(manners, line));
    return out;
}

static void offer_answer(struct text *out, const struct verb_answer *answer)
{
    const struct proto_line *line = answer->line;
    const struct model_game *game =
        model_find(answer->model, proto_line_number(line, "game", -1));
    const char *offer = proto_line_value(line, "offer");
    int64_t to = model_number(line, "to", 0, MODEL_COUNT_MAX, -1);

    if (offer == NULL) {
        add_human(out, answer);
        return;
    }
    text_addf(out, _(words_offer(line->word[0]).asked),
              game != NULL && game->side != SIDE_NONE
                  ? game->game.name[side_other(game->side)]
                  : _("your opponent"));
    if (to == 0)
        text_add(out, _(" to the start"));
    else if (to > 0)
        text_addf(out, _(" to ply %lld"), (long long)to);
    text_addf(out, _(" (offer %s)"), offer);
}

static void seek_answer(struct text *out, const struct verb_answer *answer)
{
    const char *id = words_value(answer->line, "id", "?");
    const char *fits = proto_line_value(answer->line, "fits");
    char terms[TERMS_BYTES];

    add_terms_of(terms, answer->line);
    if (fits != NULL)
        text_addf(out,
                  _("seek %s%s is open; seek %s offers the same game: \"accept %s\" "
                    "begins it"),
                  id, terms, fits, fits);
    else
        text_addf(out,
                  _("seek %s%s is open: others see it in \"seeks\"; \"withdraw %s\" "
                    "takes it back"),
                  id, terms, id);
}

static void play_answer(struct text *out, const struct verb_answer *answer)
{
    const char *id = proto_line_value(answer->line, "id");
    char terms[TERMS_BYTES];

    if (id == NULL)
        return; /* the game's first event follows and is shown */
    text_addf(out,
              _("you wait for an opponent%s, for %s minutes at most; \"withdraw %s\" "
                "ends the wait"),
              add_terms_of(terms, answer->line),
              words_value(answer->line, "minutes", "?"), id);
}

static void challenge_answer(struct text *out, const struct verb_answer *answer)
{
    const char *id = proto_line_value(answer->line, "id");
    char terms[TERMS_BYTES];

    if (id == NULL)
        offer_answer(out, answer);
    else
        text_addf(out,
                  _("challenge %s%s was sent to %s; \"withdraw %s\" takes it back"), id,
                  add_terms_of(terms, answer->line), answer->about, id);
}

static void rematch_answer(struct text *out, const struct verb_answer *answer)
{
    const char *id = proto_line_value(answer->line, "id");
    char terms[TERMS_BYTES];

    if (id == NULL)
        offer_answer(out, answer);
    else
        text_addf(out, _("challenge %s%s was sent; \"withdraw %s\" takes it back"), id,
                  add_terms_of(terms, answer->line), id);
}

/* Describes the offer that was accepted. answer->about is the number of that offer. */
static void accept_answer(struct text *out, const struct verb_answer *answer)
{
    struct model_open open[MODEL_OPEN_MAX];
    int count = model_list_open(answer->model, open);
    int64_t id;

    for (int i = 0; i < count && text_to_int(answer->about, 1, INT64_MAX, &id); i++)
        if (open[i].offer->id == id)
            words_taken(out, &open[i]);
}

/* --- Links --- */

/* The parts of a link to the server, for use on other machines. */
struct verb_link {
    struct link to;
    enum link_reach reach;
    char where[LINK_SERVER_BYTES]; /* the server's address */
    char key[TLS_KEY_TEXT_BYTES];  /* the server's key */
};

static void make_link(struct verb_link *link, const struct verb_answer *answer)
{
    const struct verb_server *server = answer->server;

    link->reach = link_outside(&link->to, server->to, server->is_loopback,
                               proto_line_value(answer->line, "public"),
                               proto_line_value(answer->line, "addresses"));
    link_format_pasted(link->where, &link->to);
    tls_key_format(link->key, server->key);
}

/* If the server lets browsers in, adds a line with the link for a browser. */
static void add_web_link(struct text *out, const struct verb_answer *answer,
                         const char *word, const char *code)
{
    const char *origin = proto_line_value(answer->line, "web");

    if (origin != NULL && strncmp(origin, "https://", 8) == 0)
        text_addf(out, _("In a browser, with nothing to install:\n  %s/%s#%s\n"),
                  origin, word, code);
}

/* Returns the code that the answer contains for a link, and fills *link with the other
 * parts. Without a code, or if the server is unknown, adds the server's words and
 * returns NULL. */
static const char *take_code(struct verb_link *link, const struct verb_answer *answer,
                             struct text *out)
{
    const char *code = proto_line_value(answer->line, "code");

    if (code == NULL || answer->server == NULL) {
        add_human(out, answer);
        return NULL;
    }
    make_link(link, answer);
    return code;
}

static void door_answer(struct text *out, const struct verb_answer *answer,
                        const char *code)
{
    int64_t uses = proto_line_number(answer->line, "uses", 0);
    int64_t days = proto_line_number(answer->line, "days", 0);
    struct verb_link link;
    char people[32], time[32];

    make_link(&link, answer);
    snprintf(people, sizeof people, translate_count("%lld person", "%lld people", uses),
             (long long)uses);
    snprintf(time, sizeof time, translate_count("%lld day", "%lld days", days),
             (long long)days);
    text_addf(
        out,
        _("Send this line to people who are to become members (at most %s, within "
          "%s):\n"
          "  janggi janggi://%s/enter/%s/%.*s\n"),
        people, time, link.where, code, TLS_KEY_TEXT_SHORT, link.key);
    add_web_link(out, answer, "enter", code);
    link_add_warning(out, &link.to, link.reach);
}

static void invite_answer(struct text *out, const struct verb_answer *answer)
{
    const char *door = proto_line_value(answer->line, "door");
    const struct proto_line *line = answer->line;
    const char *code = proto_line_value(line, "code");
    struct verb_link link;

    if (door != NULL && answer->server != NULL)
        door_answer(out, answer, door);
    if (code == NULL || answer->server == NULL)
        return;
    make_link(&link, answer);
    text_addf(out,
              _("Send this line to your opponent (one game, valid %lld h):\n"
                "  janggi janggi://%s/join/%s/%.*s\n"
                "Without janggi installed, in a clone of its sources:\n"
                "  make play LINK=janggi://%s/join/%s/%.*s\n"),
              (long long)proto_line_number(line, "hours", 24), link.where, code,
              TLS_KEY_TEXT_SHORT, link.key, link.where, code, TLS_KEY_TEXT_SHORT,
              link.key);
    add_web_link(out, answer, "join", code);
    link_add_warning(out, &link.to, link.reach);
}

static void device_answer(struct text *out, const struct verb_answer *answer)
{
    const char *name = answer->model->name;
    struct verb_link link;
    const char *code = take_code(&link, answer, out);

    if (code == NULL)
        return;
    text_addf(
        out,
        _("Type this on your other device, within %lld minutes; it then plays as %s,\n"
          "and this device is disconnected:\n"
          "  janggi -n %s device janggi://%s/watch/%.*s %s\n"),
        (long long)proto_line_number(answer->line, "minutes", 10), name, name,
        link.where, TLS_KEY_TEXT_SHORT, link.key, code);
    link_add_warning(out, &link.to, link.reach);
}

static void watchlink_answer(struct text *out, const struct verb_answer *answer)
{
    struct verb_link link;
    const char *code = take_code(&link, answer, out);

    if (code == NULL)
        return;
    text_addf(
        out,
        _("Anyone with this line may watch your private game, and only that one:\n"
          "  janggi janggi://%s/watch/%s/%.*s\n"
          "A person who is already here types: watch %s %s\n"),
        link.where, code, TLS_KEY_TEXT_SHORT, link.key,
        words_value(answer->line, "game", "?"), code);
    add_web_link(out, answer, "watch", code);
    link_add_warning(out, &link.to, link.reach);
}

static void reset_answer(struct text *out, const struct verb_answer *answer)
{
    const char *name = words_value(answer->line, "name", "?");
    struct verb_link link;
    const char *code = take_code(&link, answer, out);

    if (code == NULL)
        return;
    text_addf(out,
              _("The person who types this within %s hours becomes %s, with a new key; "
                "all earlier keys become invalid. Before you send it, make sure that "
                "the person who asked for it is %s:\n"
                "  janggi -n %s device janggi://%s/watch/%.*s %s\n"),
              words_value(answer->line, "hours", "?"), name, name, name, link.where,
              TLS_KEY_TEXT_SHORT, link.key, code);
}

/* --- Club evenings --- */

/* Adds how the evening is played, such as "Swiss, rounds: 5, ". */
static void add_system(struct text *out, const struct proto_line *line)
{
    if (strcmp(words_value(line, "system", ""), "rr") == 0)
        text_add(out, _("everybody meets everybody, "));
    else
        text_addf(out, _("Swiss, rounds: %s, "), words_value(line, "rounds", "?"));
}

static void add_rated(struct text *out, const struct proto_line *line)
{
    if (strcmp(words_value(line, "rated", "no"), "yes") == 0)
        text_add(out, _(", rated"));
}

static void add_hour(struct text *out, int64_t at_s)
{
    text_add(out, _("; it begins at "));
    words_moment(out, at_s);
}

/* Adds the terms of an evening, such as ": Swiss, rounds: 5, 20m+3x40s, kja". Servers
 * of 0.1.0 do not send them. */
static void add_terms(struct text *out, const struct proto_line *line)
{
    int64_t at_s = proto_line_number(line, "at_s", 0);

    if (proto_line_value(line, "system") == NULL)
        return;
    text_add(out, ": ");
    add_system(out, line);
    text_addf(out, "%s, %s", words_time_terms(line), words_value(line, "rules", "?"));
    add_rated(out, line);
    if (at_s > 0)
        add_hour(out, at_s);
}

/* Adds the line below the table, such as "club: round 2 of 5, 12 players, 10m, kja; the
 * games begin in 60 s"; before the first round, "club: Swiss, 5 rounds, 12 players,
 * 10m, kja". */
static void add_summary(struct text *out, const struct proto_line *line)
{
    const char *state = words_value(line, "state", "");
    int64_t in_s = proto_line_number(line, "in_s", 0);
    int64_t at_s = proto_line_number(line, "at_s", 0);

    text_addf(out, "%s: ", words_value(line, "name", "?"));
    if (strcmp(state, "open") != 0)
        text_addf(out, _("round %s of %s, "), words_value(line, "round", "?"),
                  words_value(line, "rounds", "?"));
    else
        add_system(out, line);
    text_addf(out, _("%s players, %s, %s"), words_value(line, "players", "?"),
              words_time_terms(line), words_value(line, "rules", "?"));
    add_rated(out, line);
    if (strcmp(state, "over") == 0)
        text_add(out, _("; it is over"));
    else if (in_s > 0)
        text_addf(out, _("; the games begin in %lld s"), (long long)in_s);
    else if (at_s > 0)
        add_hour(out, at_s);
    else if (strcmp(state, "open") == 0 &&
             strcmp(words_value(line, "joined", ""), "yes") == 0)
        text_add(out, _("; it has not begun, and you take part"));
    else if (strcmp(state, "open") == 0)
        text_addf(out, _("; it has not begun; to take part: \"evening join %s\""),
                  words_value(line, "id", "?"));
}

static void evening_answer(struct text *out, const struct verb_answer *answer)
{
    static const struct {
        const char *about, *words, *more; /* `more` follows the terms */
    } acts[] = {
        {"new", N_("evening %s is open"),
         N_("; \"evening join %s\" to take part, and when all are there, \"evening "
            "start %s\"")},
        {"join", N_("you take part in evening %s"),
         N_("; \"evening leave %s\" ends that")},
        {"leave", N_("left evening %s; \"evening join %s\" to come back"), NULL},
        {"start",
         N_("the first round of evening %s is paired; \"evening %s\" shows it"), NULL},
        {"pair", N_("the next round of evening %s is paired; \"evening %s\" shows it"),
         NULL},
        {"result",
         N_("the result counts in evening %s; \"evening %s\" shows the table"), NULL},
        {"adjust", N_("the points count in evening %s; \"evening %s\" shows the table"),
         NULL},
        {"end", N_("evening %s is over; \"evening %s\" shows the table"), NULL},
    };
    const char *id = words_value(answer->line, "id", "");
    const char *in_s = proto_line_value(answer->line, "in_s");
    int64_t count = proto_line_number(answer->line, "count", -1);

    if (count == 0)
        text_add(out, id[0] == '\0' ? _("there are no evenings")
                                    : _("no game of that evening has begun"));
    else if (count > 0 && id[0] == '\0')
        text_add(out, _("type \"evening join ID\" to take part, or \"evening ID\" for "
                        "the table"));
    else if (proto_line_value(answer->line, "name") != NULL)
        add_summary(out, answer->line);
    else if (proto_line_value(answer->line, "game") != NULL)
        text_add(out, _("the game was ended; its result counts in the evening"));
    for (size_t i = 0; i < ARRAY_LEN(acts) && id[0] != '\0'; i++) {
        if (strcmp(acts[i].about, answer->about) != 0)
            continue;
        text_addf(out, _(acts[i].words), id, id);
        if (acts[i].more == NULL)
            continue;
        add_terms(out, answer->line);
        text_addf(out, _(acts[i].more), id, id);
    }
    if (strcmp(answer->about, "leave") == 0 && in_s != NULL)
        text_addf(out, _("; but the game of this round still begins, in %s s"), in_s);
}

/* --- Lists --- */

static void games_answer(struct text *out, const struct verb_answer *answer)
{
    bool is_mine = strcmp(answer->about, "mine") == 0;

    if (proto_line_number(answer->line, "count", 0) == 0)
        text_add(out, is_mine ? _("you have no running game")
                              : _("no public game is being played now"));
    else
        text_add(out, is_mine ? _("\"game NUMBER\" goes to one")
                              : _("\"watch NUMBER\" shows one"));
}

/* The page about a verb of the server. Its lines are the usage, what the verb does, and
 * examples. */
static void help_answer(struct text *out, const struct verb_answer *answer)
{
    char *usage = answer->model->help, *help = strchr(usage, '\n'), *examples;

    if (help == NULL)
        return;
    *help++ = '\0';
    examples = strchr(help, '\n');
    if (examples != NULL)
        *examples++ = '\0';
    text_addf(out, _("Usage: %s\n  %s\n"), usage, _(help));
    if (examples == NULL || *examples == '\0')
        return;
    examples[strlen(examples) - 1] = '\0'; /* its last line end */
    text_add(out, _("Examples:\n"));
    for (const char *at = _(examples); *at != '\0'; at += *at == '\n') {
        size_t len = strcspn(at, "\n");

        text_addf(out, "  %.*s\n", (int)len, at);
        at += len;
    }
}

/* --- The texts --- */

/* The answers that one text with values cannot say. */
static const struct maker {
    const char *verb;
    void (*add)(struct text *out, const struct verb_answer *answer);
} makers[] = {
    {"abort", offer_answer},         {"accept", accept_answer},
    {"adjourn", offer_answer},       {"challenge", challenge_answer},
    {"continue", offer_answer},      {"device", device_answer},
    {"draw", offer_answer},          {"evening", evening_answer},
    {"games", games_answer},         {"help", help_answer},
    {"invite", invite_answer},       {"play", play_answer},
    {"rematch", rematch_answer},     {"reset", reset_answer},
    {"seek", seek_answer},           {"takeback", offer_answer},
    {"watchlink", watchlink_answer},
};

/* What the player reads after an OK to the command `verb`. The first row counts whose
 * `when` fits the answer: it has this key, or this "key=value". */
static const struct told {
    const char *verb, *when, *words; /* {key} is replaced by its value */
} rows[] = {
    {"access", NULL, N_("access: {access}, guests: {guests}, watching: {watching}")},
    {"annul", NULL, N_("game {game} no longer counts for ratings")},
    {"audit", "count=0", N_("there is nothing to list")},
    {"ban", NULL, N_("{target} is banned; \"bans\" says until when")},
    {"bans", "count=0", N_("nobody is banned")},
    {"block", "name", N_("{name} may no longer watch your games")},
    {"block", "count=0", N_("you block nobody")},
    {"claim", NULL, ""},
    {"doors", "removed",
     N_("invitation {removed} no longer admits anybody; the members who came in with "
        "it "
        "stay")},
    {"doors", "count=0", N_("no invitations to this server are open")},
    {"end", NULL, N_("game {game} is over")},
    {"follow", "off", N_("you no longer follow {name}")},
    {"follow", "name", N_("you will watch the next public games of {name}")},
    {"follow", "count=0", N_("you follow nobody")},
    {"guests", NULL, N_("access: {access}, guests: {guests}, watching: {watching}")},
    {"history", "count=0", N_("no game has ended")},
    {"ignore", "name", N_("you no longer receive challenges or messages from {name}")},
    {"ignore", "count=0", N_("you ignore nobody")},
    {"join", "waiting",
     N_("you have a seat; the game begins when your opponent comes")},
    {"kick", NULL, N_("{name} was disconnected; the seats in games are kept")},
    {"let", "name", N_("{name} may watch game {game}")},
    {"let", "count=0", N_("you let nobody watch game {game}")},
    {"limits", NULL, ""},
    {"members", "count=0", N_("there are no members yet")},
    {"messages", "cleared", N_("your messages are removed")},
    {"messages", "count=0", N_("you have no messages")},
    {"messages", "count", N_("\"messages clear\" removes them")},
    {"messages", "from=all", N_("everybody may send you messages")},
    {"messages", "from=none", N_("nobody may send you messages")},
    {"messages", NULL,
     N_("players with whom you have finished a game may send you messages")},
    {"motd", NULL, N_("everybody will read that after login")},
    {"move", NULL, ""},
    {"mute", NULL, N_("{name} cannot talk or challenge for a while")},
    {"name", NULL, N_("new connections will see that name")},
    {"notice", NULL, N_("sent; recipients: {told}")},
    {"notify", "off", N_("you will no longer be notified when {name} logs in")},
    {"notify", "name", N_("you will be notified when {name} logs in")},
    {"notify", "count=0", N_("there is nobody on your list")},
    {"owner", NULL,
     N_("You are an owner of this server. \"door 4\" makes a link for your "
        "friends.\n")},
    {"pending", "count=0", N_("no requests or offers are open")},
    {"pending", "count",
     N_("\"accept NUMBER\" or \"decline NUMBER\" answers one; \"withdraw NUMBER\" "
        "takes "
        "back yours")},
    {"ping", NULL, ""},
    {"quiet", "quiet=on", N_("you get no challenges")},
    {"quiet", "quiet=off", N_("you get all challenges, also while you play")},
    {"quiet", NULL, N_("you get no challenges while you play a game with clocks")},
    {"rank", "count=0", N_("no rated game yet; \"seek 10 5 rated=yes\" offers one")},
    {"reload", "count=0", N_("no option has changed")},
    {"report", "lines=0", N_("the host has your report about {name}")},
    {"report", "lines",
     N_("the host has your report about {name}; lines of your chat sent with it: "
        "{lines}")},
    {"report", NULL, N_("the host has your report about {name}")},
    {"reports", "count=0", N_("there is nothing to list")},
    {"resign", NULL, ""},
    {"role", NULL, N_("the role of {name} is now: {role}")},
    {"rules", NULL, ""},
    {"say", NULL, ""},
    {"seeks", "news=on",
     N_("you are told of new seeks, except during a game with clocks; \"seeks off\" "
        "stops that")},
    {"seeks", "news", N_("you are no longer told of new seeks")},
    {"seeks", "count=0", N_("nothing is on offer; \"seek\" offers a game")},
    {"seeks", "count", N_("\"accept NUMBER\" begins one of these games")},
    {"setup", "sealed",
     N_("your line-up is {setup}; it is shown when your opponent has chosen too")},
    {"setup", NULL, ""},
    {"tell", "kept=1", N_("{name} is not here; your words are kept as a message")},
    {"tell", NULL, N_("told {name}")},
    {"top", "count=0", N_("nobody has played enough rated games yet")},
    {"tv", "game", N_("you watch game {game}, the best one now")},
    {"tv", "off", N_("no further game will be shown automatically")},
    {"tv", NULL,
     N_("there is no game to show now; the next one is shown when it begins")},
    {"unban", NULL, N_("{target} is no longer banned")},
    {"unblock", NULL, N_("{name} may watch your games again")},
    {"unignore", NULL, N_("you receive challenges and messages from {name} again")},
    {"unlet", NULL, N_("{name} may no longer watch game {game}")},
    {"unmute", NULL, N_("{name} may talk again")},
    {"unwatch", NULL, N_("you no longer watch game {game}")},
    {"watch", "rematch",
     N_("game {game} is over; its players play again: \"watch {rematch}\" shows the "
        "new "
        "game")},
    {"watch", NULL, ""},
    {"watchers", "count=0", N_("nobody watches that game")},
    {"watching", NULL, N_("access: {access}, guests: {guests}, watching: {watching}")},
    {"whisper", NULL, ""},
    {"who", NULL, ""},
    {"withdraw", "id", N_("{id} was withdrawn")},
    {"withdraw", "code", N_("{code} was withdrawn")},
};

static bool fits(const struct told *row, const struct proto_line *line)
{
    const char *value;
    char key[16];
    size_t len;

    if (line->words == 0 || strcmp(row->verb, line->word[0]) != 0)
        return false;
    if (row->when == NULL)
        return true;
    len = strcspn(row->when, "=");
    snprintf(key, sizeof key, "%.*s", (int)len, row->when);
    value = proto_line_value(line, key);
    return value != NULL &&
           (row->when[len] == '\0' || strcmp(value, row->when + len + 1) == 0);
}

/* Adds `words`, with each {key} replaced by its value in the line. */
static void fill(struct text *out, const char *words, const struct proto_line *line)
{
    char key[16];

    while (*words != '\0') {
        size_t len = strcspn(words, "{");

        text_addf(out, "%.*s", (int)len, words);
        words += len;
        if (*words == '\0')
            break;
        len = strcspn(words, "}");
        snprintf(key, sizeof key, "%.*s", (int)len - 1, words + 1);
        text_add(out, strcmp(key, "role") == 0 ? term_role(words_value(line, key, "?"))
                                               : words_value(line, key, "?"));
        words += len + (words[len] != '\0');
    }
}

static const struct maker *find_maker(const char *verb)
{
    for (size_t i = 0; i < ARRAY_LEN(makers); i++)
        if (strcmp(makers[i].verb, verb) == 0)
            return &makers[i];
    return NULL;
}

void answers_add(struct text *out, const struct verb_answer *answer)
{
    const struct proto_line *line = answer->line;
    int64_t count = proto_line_number(line, "count", -1);
    int64_t shown = proto_line_number(line, "shown", count);
    char words[PROTO_LINE_MAX + 128];
    struct text text = text_into(words, sizeof words);
    const struct maker *maker = find_maker(line->words > 0 ? line->word[0] : "");
    const struct told *row = NULL;

    for (size_t i = 0; i < ARRAY_LEN(rows) && row == NULL; i++)
        if (fits(&rows[i], line))
            row = &rows[i];
    if (count > shown)
        text_addf(&text, _("%lld of %lld are shown"), (long long)shown,
                  (long long)count);
    else if (maker != NULL)
        maker->add(&text, answer);
    else if (row != NULL)
        fill(&text, row->words[0] != '\0' ? _(row->words) : "", line);
    else if (count < 0)
        add_human(&text, answer);
    if (text.len > 0 && words[text.len - 1] == '\n')
        text_add(out, words);
    else if (text.len > 0)
        text_addf(out, "-- %s\n", words);
}

bool answers_has_rows(const char *verb)
{
    return strcmp(verb, "help") != 0 && strcmp(verb, "rules") != 0 &&
           strcmp(verb, "record") != 0;
}

enum verb_use answers_use(const char *verb)
{
    static const char talk[] = "say tell whisper report";
    static const char look[] =
        "audit bans devices doors export games help history limits members pending "
        "ping rank record reload reports rules seeks top watch watchers who";

    return text_list_has(talk, ' ', verb)   ? VERB_TALKS
           : text_list_has(look, ' ', verb) ? VERB_LOOKS
                                            : VERB_ACTS;
}

bool answers_know(const char *verb)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (strcmp(rows[i].verb, verb) == 0)
            return true;
    return find_maker(verb) != NULL || answers_use(verb) == VERB_LOOKS;
}

/* --- What the model learns --- */

/* Removes an offer, seek or challenge from the model if it was answered or withdrawn, or
 * if the server does not know it. */
static bool take_closed(const struct verb_answer *answer)
{
    const struct proto_line *line = answer->line;
    bool is_gone = line->mark == PROTO_OK ||
                   (line->words > 0 && strcmp(line->word[0], "no-such") == 0);
    int64_t id;

    if (is_gone && text_to_int(answer->about, 1, INT64_MAX, &id))
        model_close_offer(answer->model, id);
    return true;
}

/* A refused move is no longer pending, unless the code of the refusal is "slow-down" or
 * "later": then the move is sent again. */
static bool take_move(const struct verb_answer *answer)
{
    struct model_game *game = model_find(answer->model, answer->game);
    const char *code = answer->line->word[0];

    if (answer->line->mark == PROTO_OK || game == NULL ||
        game->pending.state != PENDING_SENT)
        return true;
    if (strcmp(code, "slow-down") == 0 || strcmp(code, "later") == 0) {
        game->pending.again_ms =
            answer->now_ms +
            model_number(answer->line, "retry", 1, RETRY_MAX_S, 1) * 1000;
        return true;
    }
    game->pending.state = PENDING_NONE;
    return false;
}

static bool take_seeks(const struct verb_answer *answer)
{
    if (answer->model->seeks != 1)
        answer->model->seek_id = 0;
    answer->model->seeks = 0;
    return true;
}

/* Follows the game that the answer to `watch` or `tv` has named. If we play in the
 * current game, the current game stays the same. */
static bool take_watched(const struct verb_answer *answer)
{
    struct model *model = answer->model;
    int64_t id = proto_line_number(answer->line, "game", answer->game);
    struct model_game *game;

    if (answer->line->mark != PROTO_OK || id < 0)
        return true;
    game = model_get(model, id);
    (void)model_follow(game, answer->line, answer->now_ms);
    if (model->current == NULL || !model_is_playing(model->current))
        model->current = game;
    return true;
}

static bool take_unwatch(const struct verb_answer *answer)
{
    struct model *model = answer->model;
    struct model_game *game =
        model_find(model, proto_line_number(answer->line, "game", -1));

    if (answer->line->mark != PROTO_OK || game == NULL)
        return true;
    game->is_left = true;
    if (model->current == game)
        model->current = NULL;
    return true;
}

bool answers_take(const char *verb, const struct verb_answer *answer)
{
    static const struct {
        const char *verb;
        bool (*take)(const struct verb_answer *answer);
    } takes[] = {{"accept", take_closed},   {"decline", take_closed},
                 {"withdraw", take_closed}, {"move", take_move},
                 {"seeks", take_seeks},     {"watch", take_watched},
                 {"tv", take_watched},      {"unwatch", take_unwatch}};

    for (size_t i = 0; i < ARRAY_LEN(takes); i++)
        if (strcmp(takes[i].verb, verb) == 0)
            return takes[i].take(answer);
    return true;
}
