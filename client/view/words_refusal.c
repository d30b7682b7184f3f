/* An ERR as words: see words.h. The server speaks English; where the player reads
 * another language the code is said in words of our own, and what a later server
 * refuses with stays as it came. */
#include <string.h>

#include "client/view/words.h"
#include "common/base/translate.h"

/* What stands in a refusal behind its code, and words for it; %s is the value of about.
 */
struct refusal {
    const char *code;
    const char *which; /* the value of why= or what=; NULL: whatever it is */
    const char *about; /* a key that the line must have, or NULL */
    const char *words;
};

static const struct refusal refusals[] = {
    {"illegal", "no-piece", "at", N_("no piece stands on %s")},
    {"illegal", "not-yours", "at", N_("the piece on %s is not yours")},
    {"illegal", "wrong-piece", "at", N_("another piece stands on %s")},
    {"illegal", "same-point", "at", N_("the piece would stay on %s")},
    {"illegal", "own-target", "at", N_("a piece of your own stands on %s")},
    {"illegal", "shape", NULL, N_("the piece does not move like that")},
    {"illegal", "path-blocked", "at", N_("the piece on %s is in the way")},
    {"illegal", "leg-blocked", "at", N_("the piece on %s blocks the step")},
    {"illegal", "no-screen", NULL, N_("the cannon has nothing to jump")},
    {"illegal", "two-screens", "at",
     N_("a cannon jumps one piece only, and a second one is on %s")},
    {"illegal", "screen-cannon", "at", N_("a cannon cannot jump the cannon on %s")},
    {"illegal", "target-cannon", "at", N_("a cannon cannot take the cannon on %s")},
    {"illegal", "leaves-fortress", NULL, N_("king and guards stay in their fortress")},
    {"illegal", "pawn-backward", NULL, N_("a pawn never moves backward")},
    {"illegal", "in-check", "at",
     N_("the move leaves your king in check by the piece on %s")},
    {"illegal", "must-answer-bare", NULL,
     N_("the kings face each other, and the move leaves them so")},
    {"illegal", "may-not-bare", NULL, N_("taking that piece would bare the kings")},
    {"illegal", "pass-has-move", NULL, N_("you cannot pass: you have a move")},
    {"illegal", "pass-in-check", NULL, N_("you cannot pass in check")},
    {"illegal", "pass-bare", NULL,
     N_("you cannot pass: the kings face each other, and that is a check")},
    {"illegal", "no-such-ply", NULL, N_("the game has no such move to go back to")},
    {"not-now", "login", NULL, N_("for that you need a name here")},
    {"not-now", "logged-in", NULL, N_("you have logged in already")},
    {"not-now", "not-your-turn", NULL, N_("it is not your turn")},
    {"not-now", "not-started", NULL,
     N_("the game has not begun; the line-ups are being chosen")},
    {"not-now", "not-setup", NULL, N_("you have no line-up to choose now")},
    {"not-now", "over", NULL, N_("the game is over")},
    {"not-now", "not-over", NULL, N_("the game goes on")},
    {"not-now", "time", NULL, N_("your time is used up")},
    {"not-now", "offered", "offer",
     N_("there is another offer already; \"accept %s\" or \"decline\" answers it")},
    {"not-now", "yours", NULL, N_("that is your own")},
    {"not-now", "seated", NULL, N_("you play in this game")},
    {"not-now", "not-seated", NULL, N_("you do not play in this game")},
    {"not-now", "not-watching", NULL, N_("watch the game first")},
    {"not-now", "adjourned", NULL,
     N_("the game is adjourned; it goes on once both say continue")},
    {"not-now", "not-adjourned", NULL, N_("the game is not adjourned")},
    {"not-now", "last", NULL, N_("it is the only device that opens your name")},
    {"not-now", "away", NULL, N_("your opponent is not here")},
    {"not-now", "present", NULL, N_("your opponent is here")},
    {"not-now", "too-early", NULL, N_("wait for your opponent a little longer")},
    {"not-now", "correspondence", NULL,
     N_("not by correspondence: there the clock decides")},
    {"not-now", "frozen", NULL,
     N_("the game is damaged on the server's disk; ask the host")},
    {"not-now", "draining", NULL,
     N_("the server ends when the games that run are over; no new one can begin")},
    {"not-now", "restart", "in_s",
     N_("the server restarts in %s s; no new game begins until it is back")},
    {"not-now", "shutdown", NULL, N_("the server stops; nothing was done")},
    {"unknown", NULL, NULL, N_("this server knows no such command")},
    {"args", NULL, "usage", N_("the command is: %s")},
    {"slow-down", NULL, NULL, N_("too much at once")},
    {"line", "too-long", NULL, N_("that line is too long")},
    {"line", "bad-text", NULL, N_("that line is not plain text")},
    {"name", "reserved", NULL, N_("the server keeps that name for itself")},
    {"name", NULL, NULL,
     N_("a name is 2-16 letters, digits, _ or -, without - in front, or 2-8 Hangul "
        "syllables")},
    {"proof", NULL, "name",
     N_("the name %s has an owner, and you do not show what proves it; take another "
        "name, "
        "or let \"device\" where you play make a code")},
    {"no-such", "code", NULL, N_("that is not the code, or its time is over")},
    {"no-such", NULL, NULL, N_("there is no such thing here, or no longer")},
    {"which", NULL, "games", N_("which game? Put its number first (%s)")},
    {"stale", NULL, "last",
     N_("the position is another one now; the last move was %s")},
    {"limit", "names", NULL, N_("this server takes no more names")},
    {"limit", "devices", NULL, N_("too many devices; \"devices\" lists them")},
    {"limit", "seeks", NULL, N_("you have too many open seeks; withdraw one")},
    {"limit", "challenges", "id",
     N_("between you two challenge %s is open: accept, decline or withdraw it first")},
    {"limit", "challenges", NULL,
     N_("you have too many open challenges; withdraw one")},
    {"limit", "invites", NULL, N_("too many open invitations")},
    {"limit", "games", NULL, N_("too many games are being played")},
    {"limit", "watch", NULL, N_("you watch too many games; unwatch one first")},
    {"limit", "events", NULL, N_("this game is long enough")},
    {"limit", "chat", NULL, N_("that is too long to say at once")},
    {"limit", NULL, NULL, N_("too many of these")},
};

static const struct refusal *find_refusal(const struct proto_line *line)
{
    const char *which = words_value(line, "why", words_value(line, "what", ""));

    for (size_t i = 0; line->words > 0 && i < ARRAY_LEN(refusals); i++)
        if (strcmp(refusals[i].code, line->word[0]) == 0 &&
            (refusals[i].which == NULL || strcmp(refusals[i].which, which) == 0) &&
            (refusals[i].about == NULL ||
             proto_line_value(line, refusals[i].about) != NULL))
            return &refusals[i];
    return NULL;
}

/* False: nothing was added, for the server's words are the better ones. */
static bool add_own_words(struct text *out, const struct proto_line *line)
{
    const struct refusal *refusal = find_refusal(line);

    if (refusal == NULL || _(refusal->words) == refusal->words)
        return false; /* not translated: English is what the server speaks itself */
    text_addf(out, _(refusal->words),
              refusal->about != NULL ? proto_line_value(line, refusal->about) : "");
    return true;
}

void words_refusal(struct text *out, const struct proto_line *line)
{
    const char *code = line->words > 0 ? line->word[0] : "?";
    int64_t retry = proto_line_number(line, "retry", -1);
    int64_t left_ms = model_number(line, "left_ms", 0, MODEL_MS_MAX, -1);

    text_addf(
        out, "-- %s: ", strcmp(code, "illegal") == 0 ? _("not played") : _("not done"));
    if (!add_own_words(out, line)) {
        if (line->human[0] != '\0')
            text_add(out, line->human);
        else
            text_addf(out, "%s%s%s", code, proto_line_value(line, "why") ? ", " : "",
                      words_value(line, "why", ""));
    }
    if (retry >= 0)
        text_addf(out, _(" (try again in %lld s)"), (long long)retry);
    if (left_ms >= 0) {
        text_add(out, " (");
        words_time(out, left_ms);
        text_add(out, ")");
    }
    text_add(out, "\n");
}
