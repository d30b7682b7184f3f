/* See message.h. */
#include "common/words/message.h"

#include <stdio.h>
#include <string.h>

#include "common/base/translate.h"
#include "common/words/term.h"

/* A key is the code of a refusal or the kind of a notice, the value of its why= or what=,
 * and a name for each further sentence with the same two. */
static const struct message messages[] = {
    {"unknown#nearest",
     N_("there is no such command; did you mean {nearest}? Nothing was done")},
    {"unknown#word",
     N_("that is not a command or a move; nothing was done. Type help")},
    {"args", N_("type it like this: {usage}")},
    {"line/bad-tag", N_("a tag is # and 1-15 letters, digits, _ or -")},
    {"line/bad-text", N_("that line is not plain UTF-8 text; nothing was done")},
    {"line/no-command", N_("a tag must be followed by a command")},
    {"line/too-long", N_("that line is too long; nothing was done")},
    {"name/alike", N_("that name looks like another player's; choose one that cannot "
                      "be mistaken for it")},
    {"name/form", N_("a name is 2-16 letters, digits, _ or -, not beginning with -, or "
                     "2-8 Hangul syllables")},
    {"name/form#odd", N_("that cannot be a name")},
    {"name/reserved", N_("that name is reserved; choose another one")},
    {"proof", N_("that name is taken, and its {how} is not yours; choose another name. "
                 "If it is yours, get a code: type \"device\" where you use that name; "
                 "or ask the host to reset it")},
    {"proof#nobody", N_("nobody here has the name {name}")},
    {"entry/banned", N_("you are banned from this server {until_s}: {reason}")},
    {"entry/closed", N_("this server is closed; only its staff may log in")},
    {"entry/code",
     N_("this server does not know that link, or no longer; ask for a new link")},
    {"entry/code#used",
     N_("that link has been used already, or is too old; ask for a new link")},
    {"entry/guests", N_("you need a name to enter this server (janggi -n NAME, or "
                        "login NAME without janggi)")},
    {"entry/invitation", N_("a new name needs an invitation here: ask the host for a "
                            "link (without janggi: login NAME invite=CODE)")},
    {"entry/key",
     N_("an owner needs a key: open the link with janggi, which makes one")},
    {"entry/member", N_("only members begin games here: a member can invite or "
                        "challenge you, and the host can make you a member")},
    {"entry/members",
     N_("this server accepts no new names; only its members play here")},
    {"entry/network", N_("somebody in your network is banned; until that ban ends, "
                         "this server accepts no new names from your network")},
    {"entry/watching", N_("only members of this server may watch its games")},
    {"entry/web",
     N_("in a browser this server lets people watch only; to play, install janggi")},
    {"slow-down", N_("the server cannot do that yet; try again in a while")},
    {"slow-down#records", N_("too many records at once")},
    {"slow-down#acts", N_("too many acts of the staff at once")},
    {"slow-down#challenged",
     N_("{name} has many open challenges at the moment; try again")},
    {"slow-down#challenges", N_("too many challenges at once")},
    {"slow-down#codes", N_("too many codes at once")},
    {"slow-down#export", N_("you have had an export within the last ten minutes")},
    {"slow-down#games", N_("one of you has begun many games in a short time")},
    {"slow-down#lets", N_("too many at once")},
    {"slow-down#line", N_("too many lines at once; this one was not read")},
    {"slow-down#lines", N_("too many lines at once")},
    {"slow-down#messages", N_("too many messages at once")},
    {"slow-down#moves", N_("too many moves a second; this one was not played")},
    {"slow-down#offers", N_("too many offers at once")},
    {"slow-down#proofs", N_("too many wrong proofs from your address")},
    {"slow-down#read", N_("game {game} is being read; repeat the command")},
    {"slow-down#reports", N_("one report at a time")},
    {"slow-down/left", N_("you have left several games right after they had begun; you "
                          "can begin another one later")},
    {"slow-down/offers", N_("{name} neither accepted nor declined your last offers; "
                            "make the next one later")},
    {"slow-down/withdrawn",
     N_("you have taken back two challenges to {name}; make the next one later")},
    {"no-such", N_("that does not exist here, or no longer does")},
    {"no-such#away", N_("that player is not here")},
    {"no-such#ban", N_("there is no such ban; bans lists all of them")},
    {"no-such#challenge", N_("that is your own name; challenge somebody else")},
    {"no-such#command", N_("there is no such command; help lists all")},
    {"no-such#events", N_("this server has only {events} events of game {game}; if you "
                          "have seen more, tell the host")},
    {"no-such#game", N_("there is no game {game} here, or it is private")},
    {"no-such#guests", N_("unknown name; \"{verb} guests\" is about all guests, whose "
                          "names are not their own")},
    {"no-such#here", N_("unknown name, or not here")},
    {"no-such#id", N_("nothing with that number is open for you")},
    {"no-such#key",
     N_("write all 43 letters of the key, or at least 8 of one that is here")},
    {"no-such#let", N_("you do not let {name} watch game {game}")},
    {"no-such#link", N_("unknown name; for people without a name of their own make a "
                        "link: watchlink {game}")},
    {"no-such#list", N_("that name is not in the list")},
    {"no-such#muted", N_("{name} is not muted")},
    {"no-such#name", N_("unknown name")},
    {"no-such#rated", N_("that is not a rated game that has ended")},
    {"no-such#rules", N_("no such rules; there are {rules}")},
    {"no-such#running-game", N_("there is no running game {game}")},
    {"no-such#seated", N_("you have no game here")},
    {"no-such#self", N_("that is your own name")},
    {"no-such#watch", N_("you do not watch game {game}")},
    {"no-such#watching", N_("you are not watching a game; name one")},
    {"no-such/code", N_("the code is wrong, was used, or is older than {minutes} "
                        "minutes; type device where you play for a new one")},
    {"no-such/door",
     N_("that code is for no game: it makes you a member of this server; open its link "
        "with janggi, or log in with: login NAME invite=CODE")},
    {"no-such/door#member", N_("that code is for no game: it makes people members of "
                               "this server, and you are one")},
    {"no-such/evening", N_("there is no such evening; evening lists them")},
    {"no-such/evening#name", N_("\"{name}\" is not an ID, which is a number, nor the "
                                "name of one open evening; evening lists them")},
    {"no-such/several", N_("you have no such device; \"devices\" lists them")},
    {"no-such/unknown", N_("you have no open invitation with that code")},
    {"no-such/unknown#device", N_("you have no such device; \"devices\" lists them")},
    {"no-such/unknown#door",
     N_("there is no such invitation to the door; doors all lists them")},
    {"no-such/unknown#join",
     N_("the invitation is unknown, is older than {hours} hours, its game is over, or "
        "its maker plays another game; ask for a new one")},
    {"no-such/used", N_("invite {code} was already used; ask for a new one")},
    {"which",
     N_("which game? Write game=ID after the verb, with one of these: {games}")},
    {"stale", N_("the next ply is {ply}")},
    {"illegal/in-check", N_("the move leaves your king in check by the piece on {at}")},
    {"illegal/leaves-fortress", N_("king and guards stay in their fortress")},
    {"illegal/leg-blocked", N_("the piece on {at} blocks the step")},
    {"illegal/may-not-bare", N_("taking that piece would bare the kings")},
    {"illegal/must-answer-bare",
     N_("the kings face each other, and the move leaves them so")},
    {"illegal/no-piece", N_("no piece stands on {at}")},
    {"illegal/no-screen", N_("the cannon has nothing to jump")},
    {"illegal/no-such-ply", N_("the game has no such move to go back to")},
    {"illegal/not-yours", N_("the piece on {at} is not yours")},
    {"illegal/own-target", N_("a piece of your own stands on {at}")},
    {"illegal/pass-bare",
     N_("you cannot pass: the kings face each other, and that is a check")},
    {"illegal/pass-has-move", N_("you cannot pass: you have a legal move")},
    {"illegal/pass-in-check", N_("you cannot pass in check")},
    {"illegal/path-blocked", N_("the piece on {at} is in the way")},
    {"illegal/pawn-backward", N_("a pawn never moves backward")},
    {"illegal/same-point", N_("the piece would stay on {at}")},
    {"illegal/screen-cannon", N_("a cannon cannot jump the cannon on {at}")},
    {"illegal/shape", N_("the piece does not move like that")},
    {"illegal/target-cannon", N_("a cannon cannot take the cannon on {at}")},
    {"illegal/two-screens",
     N_("a cannon jumps one piece only, and a second one is on {at}")},
    {"illegal/wrong-piece", N_("a different kind of piece stands on {at}")},
    {"not-now/adjourned",
     N_("the game is adjourned; it goes on when both players type \"continue\"")},
    {"not-now/away", N_("{name} is not here")},
    {"not-now/away#continue", N_("{name} is not here; an adjourned game goes on only "
                                 "when both players are here")},
    {"not-now/away#left", N_("{name} has left game {game}; challenge asks again")},
    {"not-now/begun", N_("the evening has begun; evening pair begins a round")},
    {"not-now/begun#join",
     N_("this round robin has begun; only players of its first round can come back")},
    {"not-now/blocked", N_("a player of game {game} does not let you watch")},
    {"not-now/board", N_("a rated game is decided at the board, or ended by a "
                         "moderator; once it is over, you can correct its result")},
    {"not-now/config",
     N_("nothing was changed; the log of the server has all errors of the file")},
    {"not-now/correspondence",
     N_("nothing can be claimed in a correspondence game; its clock decides")},
    {"not-now/declined", N_("{name} has declined; you may ask again in {left_ms} s")},
    {"not-now/draining", N_("the server will shut down when the current games finish; "
                            "no new game can begin")},
    {"not-now/evening", N_("that is not possible in this evening now")},
    {"not-now/evening#game", N_("the game is over")},
    {"not-now/evening-over", N_("the evening is over")},
    {"not-now/frozen", N_("game {game} is damaged on the server's disk; ask the host")},
    {"not-now/frozen#end",
     N_("game {game} is damaged, and is over or has lost its players")},
    {"not-now/frozen#log",
     N_("the log of game {game} is damaged on this server; it is not signed")},
    {"not-now/in-game",
     N_("you are in a game with clocks; type play when it has ended")},
    {"not-now/joined", N_("you have joined already")},
    {"not-now/key", N_("staff must log in with a key, and {name} logs in with a token; "
                       "they need a client that has a key")},
    {"not-now/last", N_("that is your only device; without it you could not log in")},
    {"not-now/last-key", N_("that is your only key, and your role needs one; first add "
                            "another device with a key (type device)")},
    {"not-now/last-owner",
     N_("this server has no other owner with a key; first make somebody else an owner. "
        "The operator can do it: janggid ctl role")},
    {"not-now/logged-in", N_("you have logged in")},
    {"not-now/login",
     N_("you need a name for that (janggi -n NAME, or login NAME without janggi)")},
    {"not-now/login#first", N_("log in first: login NAME, or login to watch")},
    {"not-now/login#games",
     N_("a guest has no games (janggi -n NAME, or login NAME without janggi)")},
    {"not-now/login#plays",
     N_("a guest plays no games (janggi -n NAME, or login NAME without janggi)")},
    {"not-now/login#verb", N_("you have no name here; with a name: {verb} NAME")},
    {"not-now/login#whose", N_("log in, or say whose games: due NAME")},
    {"not-now/maker",
     N_("only the person who made the evening, and moderators, may do that")},
    {"not-now/messages",
     N_("{name} accepts no messages from you; a player may accept them from everybody, "
        "from opponents in finished games, or from nobody")},
    {"not-now/muted", N_("you cannot talk or challenge {until_s}: {reason}")},
    {"not-now/network", N_("somebody in your network is banned; until that ban ends, "
                           "guests from your network may watch, but not whisper")},
    {"not-now/nobody", N_("no players to pair")},
    {"not-now/not-adjourned", N_("the game is not adjourned")},
    {"not-now/not-counted", N_("game {game} does not count for ratings anyway")},
    {"not-now/not-joined", N_("that player does not take part")},
    {"not-now/not-joined#you", N_("you do not take part in that evening")},
    {"not-now/not-over", N_("game {game} is not over yet")},
    {"not-now/not-over#record",
     N_("game {game} goes on; there is a record once it is over")},
    {"not-now/not-seated", N_("you do not play in game {game}")},
    {"not-now/not-setup", N_("you have no line-up to choose now")},
    {"not-now/not-started",
     N_("the game has not begun; the line-ups are being chosen")},
    {"not-now/not-watching", N_("watch {game} first")},
    {"not-now/not-watching#over",
     N_("game {game} is over, and you do not watch it any more; \"watch {game}\" shows "
        "it again, and then you can whisper")},
    {"not-now/not-your-turn", N_("it is {turn}'s turn")},
    {"not-now/offered",
     N_("{name} asks to go back to ply {to}: accept {offer} or decline {offer} first")},
    {"not-now/over", N_("game {game} is over")},
    {"not-now/paired", N_("your game of evening {evening} begins in {in_s} s; until "
                          "then you begin no other game with clocks")},
    {"not-now/paired#other",
     N_("a game of an evening begins for the other player within a minute")},
    {"not-now/pairs", N_("these pairings are not possible")},
    {"not-now/present", N_("{name} is here")},
    {"not-now/public",
     N_("game {game} is not private; there is no need to let anybody in")},
    {"not-now/quiet", N_("{name} accepts no challenges now")},
    {"not-now/range", N_("your rating is not in the range of this seek")},
    {"not-now/rank", N_("{name} is {role} of this server; only an owner may do that")},
    {"not-now/rank#ban",
     N_("{name}, {role} of this server, has banned that; only an owner may change it")},
    {"not-now/rank#connected", N_("{name}, {role} of this server, is connected with "
                                  "that; only an owner may ban it")},
    {"not-now/rank#last",
     N_("only an owner may ban a network from which an owner came last")},
    {"not-now/rank#own",
     N_("only an owner may ban a network that contains the server's own machine")},
    {"not-now/rank#role", N_("you may only give roles below your own")},
    {"not-now/rank#trusted",
     N_("only an owner may ban a network that the host trusts")},
    {"not-now/rank#wide", N_("only an owner may ban a network that is wider than a /16 "
                             "of IPv4 or a /32 of IPv6")},
    {"not-now/rated", N_("rated games are for members, and for accounts older than a "
                         "day; yours is new")},
    {"not-now/rated#bot", N_("programs play no rated games")},
    {"not-now/rated#other", N_("the other player may not play rated games yet")},
    {"not-now/restart",
     N_("the server restarts in {in_s} s; no new game begins until it is back")},
    {"not-now/role", N_("that is for the {need}s of this server")},
    {"not-now/role#evening", N_("evenings are for the members of this server")},
    {"not-now/role#export", N_("you may export what is kept about yourself; for others "
                               "that is for the owners")},
    {"not-now/role#make", N_("evenings are made by the {need}s of this server")},
    {"not-now/role#watch", N_("only members watch what happens on this server")},
    {"not-now/round", N_("the round is not over")},
    {"not-now/seated#plays", N_("you play in game {game}")},
    {"not-now/seated#staff",
     N_("you played game {game}; ask somebody else of the staff")},
    {"not-now/seated#whisper", N_("watchers whisper; say speaks to your opponent")},
    {"not-now/self", N_("that would lock you out: it is your own name, key or network. "
                        "The operator can do it: janggid ctl ban")},
    {"not-now/shutdown", N_("the server is shutting down; nothing was done")},
    {"not-now/storage",
     N_("the server cannot store anything at the moment; nothing was done")},
    {"not-now/terms#abort", N_("a game of an evening is not aborted; resign, or ask "
                               "the maker of the evening to decide it")},
    {"not-now/terms#adjourn",
     N_("a game of an evening is not adjourned: its board waits for the result")},
    {"not-now/terms#claims", N_("this game allows no claims for absence")},
    {"not-now/terms#rated", N_("a rated game cannot be aborted once both have moved")},
    {"not-now/terms#takebacks", N_("takebacks are off in this game")},
    {"not-now/terms#talk", N_("in this game the players do not talk")},
    {"not-now/terms#tell", N_("in your game with them there is no talk")},
    {"not-now/time", N_("your time is used up")},
    {"not-now/token",
     N_("staff must log in with a key before they add a device or remove a key; if "
        "your key is lost, ask the host to reset it")},
    {"not-now/too-early", N_("wait for {name} a little longer")},
    {"not-now/watchers#members", N_("only members may watch this game")},
    {"not-now/watchers#nobody", N_("nobody may watch this game before its end")},
    {"not-now/yours", N_("that offer is yours; withdraw {id} takes it back")},
    {"not-now/yours#other", N_("that offer is yours; somebody else must take it")},
    {"limit", N_("a limit is reached; \"limits\" lists them")},
    {"limit/challenges", N_("you have too many open challenges; withdraw one")},
    {"limit/challenges#mine",
     N_("you have challenged {name} already; other terms replace challenge {id}")},
    {"limit/challenges#theirs",
     N_("{name} has challenged you ({terms}): accept or decline {id} first")},
    {"limit/changes", N_("that result, or the points of that player, cannot be changed "
                         "again by the maker of this evening; ask a moderator")},
    {"limit/chat", N_("that text is too long for one message")},
    {"limit/devices", N_("too many devices; \"devices\" lists them, \"device remove "
                         "ID\" takes one away")},
    {"limit/doors", N_("too many open links for new members; \"doors\" lists them, "
                       "\"doors remove CODE\" ends one")},
    {"limit/evenings", N_("so many evenings are not over; end one first")},
    {"limit/events#evening", N_("an evening has at most {max} events; \"evening end "
                                "{id}\" ends this one, \"evening new\" makes another")},
    {"limit/events#game",
     N_("this game has reached the greatest length that the server allows")},
    {"limit/games", N_("you play too many games already")},
    {"limit/games#other", N_("the other player plays too many games already")},
    {"limit/games#server",
     N_("this server has no room for another game; try again when one has ended")},
    {"limit/invites", N_("too many open invitations; \"pending\" lists them, "
                         "\"withdraw CODE\" takes one back")},
    {"limit/joins", N_("you have joined this evening too often")},
    {"limit/marks",
     N_("your lists of players (let, ignore, block) are full; remove somebody first")},
    {"limit/message", N_("the text is too long; nothing was sent")},
    {"limit/messages", N_("the mailbox of {name} is full of unread messages")},
    {"limit/names", N_("this server is full: it accepts no more new names")},
    {"limit/network-messages", N_("so many messages from your network wait for their "
                                  "receivers; send the next one later")},
    {"limit/new-evenings", N_("you have made so many evenings within a day; make the "
                              "next one later, or ask a moderator to make it")},
    {"limit/new-names", N_("too many new names from your network; try again in {in_s} "
                           "s, or log in with a name that you have")},
    {"limit/new-seats",
     N_("the new players in your network, or those in your opponent's network, have "
        "too many running games; try again when one has ended")},
    {"limit/people",
     N_("your list is full; take a name off it with \"{verb} NAME off\"")},
    {"limit/places", N_("the server is full; try again in a while")},
    {"limit/places#guest",
     N_("no place for a guest now: all are taken, or too many connections come from "
        "your network; log in with a name, or try again in a while")},
    {"limit/players", N_("the evening is full")},
    {"limit/reports", N_("the host has {max} reports from you or from your network; "
                         "you can send the next one later")},
    {"limit/seeks", N_("you, or the new players of your network, have too many open "
                       "seeks; withdraw one, or try again later")},
    {"limit/storage", N_("the server's storage is full; current games go on, but it "
                         "accepts no new game, name, message or report")},
    {"limit/storage#evening",
     N_("the server's storage is full; rounds go on, but nothing new is taken")},
    {"limit/storage#message", N_("the server keeps no more messages")},
    {"limit/unread", N_("{name} has not read your last messages yet")},
    {"limit/watch", N_("you watch too many games; unwatch one first")},
    {"bye", N_("the server closed the connection ({why})")},
    {"bye/access", N_("you need a name to enter this server now")},
    {"bye/banned", N_("the host has banned you from this server: {words}")},
    {"bye/elsewhere", N_("the games of this server are at another address")},
    {"bye/flood", N_("you sent too many lines; come back and type slower")},
    {"bye/full",
     N_("too many people are logging in at the moment; try again in a while")},
    {"bye/idle", N_("you did nothing for a while; come back when you like")},
    {"bye/kicked", N_("the host has disconnected you: {words}")},
    {"bye/login", N_("you did not log in in time; come back when you like")},
    {"bye/penalty", N_("too many wrong proofs or invalid lines came from your address; "
                       "come back in a while")},
    {"bye/quit", N_("your seats are kept")},
    {"bye/restart", N_("the server restarts now; your games are kept")},
    {"bye/room", N_("a player needs your place; come back later to watch")},
    {"bye/shutdown", N_("the server is shutting down; your games are kept")},
    {"bye/taken-over",
     N_("you logged in from another place, so this connection was closed")},
    {"notice", N_("the host says: {words}")},
    {"notice/draining", N_("the server will shut down when the current games finish; "
                           "no new game can begin")},
    {"notice/muted",
     N_("the host has muted you {until_s} (no talk, no challenges): {words}")},
    {"notice/restart", N_("the server restarts in {in_s} s; after that the games go "
                          "on, with their clocks unchanged")},
    {"notice/role", N_("you are {role} of this server")},
    {"notice/stays", N_("the server will not shut down after all")},
    {"notice/storage-away", N_("the server's database cannot be reached; moves wait, "
                               "and clocks stop, until it answers")},
    {"notice/storage-back", N_("moves can be stored again; play goes on")},
    {"notice/storage-full",
     N_("the server's disk is full; moves wait, and clocks stop, until there is room")},
    {"notice/storage-slow", N_("the server's disk is slow; a move may take a while, "
                               "and clocks stop meanwhile")},
    {"notice/unmuted", N_("you may talk again")},
    {"notice/verdict", N_("the host has ended game {game}: {words}")},
    {"rating", N_("ratings: not counted ({why})")},
    {"rating/address", N_("ratings: not counted: both players came from one address")},
    {"rating/host", N_("ratings: not counted: the host decided so")},
    {"rating/pair",
     N_("ratings: not counted: the two have played three counted games today")},
    {"rating/series", N_("ratings: not counted: the loser has lost on time more than "
                         "once within a day")},
    {"rating/short", N_("ratings: not counted: the draw was agreed too early")},
};

const char *message_find(const char *key)
{
    for (size_t i = 0; i < ARRAY_LEN(messages); i++)
        if (strcmp(messages[i].key, key) == 0)
            return messages[i].words;
    return NULL;
}

/* Writes the Korean particle at *words, of which there are two forms, as it must be after
 * the text in `out`, and moves *words past it. Adds nothing if there is no such particle.
 * Digits and Latin letters count as they are read aloud. */
static void add_particle(struct text *out, const char **words)
{
    static const struct {
        const char *both, *closed, *open; /* after a consonant, after a vowel */
    } particles[] = {
        {"이(가)", "이", "가"}, {"을(를)", "을", "를"},   {"은(는)", "은", "는"},
        {"와(과)", "과", "와"}, {"(으)로", "으로", "로"},
    };
    const unsigned char *at = (const unsigned char *)out->at + out->len;
    bool is_closed, is_l;

    for (size_t i = 0; i < ARRAY_LEN(particles); i++) {
        size_t len = strlen(particles[i].both);

        if (strncmp(*words, particles[i].both, len) != 0)
            continue;
        if (out->len >= 3 && at[-3] >= 0xEA && at[-3] <= 0xED) { /* U+AC00 to U+D7A3 */
            int last =
                (((at[-3] & 0xF) << 12 | (at[-2] & 0x3F) << 6 | (at[-1] & 0x3F)) -
                 0xAC00) %
                28;

            is_closed = last != 0;
            is_l = last == 8;
        } else {
            is_closed = out->len > 0 && strchr("013678lmnrLMNR", at[-1]) != NULL;
            is_l = out->len > 0 && strchr("178lrLR", at[-1]) != NULL;
        }
        text_add(out, is_closed && !(is_l && particles[i].both[0] == '(')
                          ? particles[i].closed
                          : particles[i].open);
        *words += len;
        return;
    }
}

/* True if all parts of the condition hold. */
static bool holds(const char *condition, size_t len,
                  const struct message_values *values)
{
    const char *end = condition + len, *value;
    char key[32], wanted[32];
    size_t name, part;
    int64_t number, least;

    for (; condition < end; condition += part + 1) {
        part = strcspn(condition, "&?");
        name = strcspn(condition, "=>&?");
        if (!text_cut(key, sizeof key, condition, name) ||
            !text_cut(wanted, sizeof wanted, condition + name, part - name))
            return false;
        value = values->value(values->of, key);
        if (value == NULL || value[0] == '\0' ||
            (wanted[0] == '=' && strcmp(value, wanted + 1) != 0))
            return false;
        if (wanted[0] == '>' && (!text_to_int(wanted + 1, 0, INT64_MAX - 1, &least) ||
                                 !text_to_int(value, least + 1, INT64_MAX, &number)))
            return false;
    }
    return true;
}

const char *message_choose(const struct message *from, size_t count, const char *kind,
                           const struct message_values *values)
{
    size_t len = strcspn(kind, "?");

    for (size_t i = 0; i < count && kind[len] == '\0'; i++) {
        const char *key = from[i].key;

        if (strncmp(key, kind, len) == 0 &&
            (key[len] == '\0' ||
             (key[len] == '?' && holds(key + len + 1, strlen(key + len + 1), values))))
            return from[i].words;
    }
    return NULL;
}

/* Adds a value. */
static bool add_value(struct text *out, const char *key,
                      const struct message_values *values)
{
    size_t len = strlen(key);
    const char *value;
    int64_t ms;

    if (values->add != NULL && values->add(out, values->of, key))
        return true;
    value = values->value(values->of, key);
    if (value == NULL)
        return false;
    if (len > 3 && strcmp(key + len - 3, "_ms") == 0 &&
        text_to_int(value, 0, INT64_MAX - 999, &ms))
        text_add_int(out, (ms + 999) / 1000);
    else
        text_add(out, value);
    return true;
}

/* Adds what replaces the braces that end at `end`, and whose inner part begins at `at`. */
static bool add_slot(struct text *out, const char *at, const char *end,
                     const struct message_values *values)
{
    const char *bar = memchr(at, '|', (size_t)(end - at)), *value;
    size_t len = strcspn(at, ":#}");
    char key[32], number[8], shown[512];
    struct text text = text_into(shown, sizeof shown);
    int columns, width;

    if (!text_cut(key, sizeof key, at, len))
        return false;
    if (at[len] == '#' && bar != NULL) {
        value = values->value(values->of, key);
        at = value != NULL && strcmp(value, "1") == 0 ? at + len + 1 : bar + 1;
        text_add_bytes(out, at, (size_t)((at <= bar ? bar : end) - at));
        return value != NULL || values->add != NULL;
    }
    if (at[len] != ':')
        return add_value(out, key, values);
    at += len + 1;
    if (!text_cut(number, sizeof number, at, (size_t)(end - at)) ||
        !text_to_int32(number, -80, 80, &columns) || !add_value(&text, key, values))
        return false;
    width = (int)text_columns(shown, text.len);
    if (columns < 0)
        text_addf(out, "%*s%s", -columns > width ? -columns - width : 0, "", shown);
    else
        text_addf(out, "%s%*s", shown, columns > width ? columns - width : 0, "");
    return true;
}

static bool fill(struct text *out, const char *at, const char *end,
                 const struct message_values *values);

/* Returns the first of `ends` from `at` on that is not in braces, or the end of the text. */
static const char *find_end(const char *at, const char *ends)
{
    for (bool is_inside = false; *at != '\0'; at++)
        if (*at == '{' || *at == '}')
            is_inside = *at == '{';
        else if (!is_inside && strchr(ends, *at) != NULL)
            break;
    return at;
}

/* Adds what replaces the brackets whose inner part begins at *at, and moves *at past them. */
static bool add_choice(struct text *out, const char **at,
                       const struct message_values *values)
{
    static const char of_condition[] = "abcdefghijklmnopqrstuvwxyz0123456789_=>&-";
    bool is_chosen = false, is_whole = true;
    const char *end;

    do {
        size_t len = strspn(*at, of_condition);
        bool has_condition = len > 0 && (*at)[len] == '?';

        end = find_end(*at, "|]");
        if (!is_chosen && (!has_condition || holds(*at, len, values))) {
            is_chosen = true;
            is_whole = fill(out, *at + (has_condition ? len + 1 : 0), end, values);
        }
        *at = end + (*end != '\0');
    } while (*end == '|');
    return is_whole;
}

/* Adds the words from `at` to `end`. */
static bool fill(struct text *out, const char *at, const char *end,
                 const struct message_values *values)
{
    while (at < end) {
        size_t len = strcspn(at, "{[");
        const char *begin;

        if (len > (size_t)(end - at))
            len = (size_t)(end - at);
        text_add_bytes(out, at, len);
        at += len;
        if (at == end)
            break;
        begin = at + 1;
        at += *at == '{' ? strcspn(at, "}") : 1;
        if (*begin == '\0' || (begin[-1] == '{' ? !add_slot(out, begin, at, values)
                                                : !add_choice(out, &at, values)))
            return false;
        if (begin[-1] == '{') {
            at += *at == '}';
            add_particle(out, &at);
        }
    }
    return true;
}

bool message_fill(struct text *out, const char *words,
                  const struct message_values *values)
{
    const struct text before = *out;

    if (fill(out, words, words + strlen(words), values))
        return true;
    *out = before;
    out->at[out->len] = '\0';
    return false;
}

/* See message_say(); returns NULL if there is no sentence. */
static const char *find_words(const char *code, const char *why, const char *human,
                              const struct message_values *values)
{
    const struct message_values english_values = {values->of, values->value, NULL};
    char key[64], english[512];
    const char *plain = NULL;
    size_t len;

    snprintf(key, sizeof key, "%s%s%s", code, why[0] != '\0' ? "/" : "", why);
    len = strlen(key);
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        struct text text = text_into(english, sizeof english);

        if (strncmp(messages[i].key, key, len) != 0 ||
            (messages[i].key[len] != '\0' && messages[i].key[len] != '#') ||
            !message_fill(&text, messages[i].words, &english_values))
            continue;
        if (strcmp(english, human) == 0)
            return messages[i].words;
        if (messages[i].key[len] == '\0')
            plain = messages[i].words;
    }
    return plain != NULL || why[0] == '\0' ? plain
                                           : find_words(code, "", human, values);
}

bool message_say(struct text *out, const char *code, const char *human,
                 const struct message_values *values)
{
    const char *why = values->value(values->of, "why"), *words;

    if (why == NULL)
        why = values->value(values->of, "what");
    words = find_words(code, why != NULL ? why : "", human, values);
    if (words == NULL ||
        (_(words) == words && human[0] != '\0' && strstr(words, "{words}") == NULL &&
         strstr(words, "{until_s}") == NULL))
        return false;
    return message_fill(out, _(words), values);
}

bool message_add_term(struct text *out, const char *key, const char *value)
{
    if (value != NULL && (strcmp(key, "role") == 0 || strcmp(key, "need") == 0))
        text_add(out, term_role(value));
    else if (value != NULL && strcmp(key, "turn") == 0 &&
             side_parse(value) != SIDE_NONE)
        text_add(out, term_side(side_parse(value)));
    else
        return false;
    return true;
}
