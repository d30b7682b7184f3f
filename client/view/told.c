/* See told.h. */
#include "client/view/told.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "client/view/words.h"
#include "common/base/translate.h"
#include "common/record/record.h"
#include "common/words/message.h"
#include "common/words/sentence.h"
#include "common/words/term.h"

enum { NUMBER_BYTES = 24 };

/* --- The sentences --- */

/* See common/words/message.h for the keys. The first one whose condition holds counts; one
 * without words hides the line. A key that begins with "=" is that of a value, which comes
 * before one of the line with this name. */
static const struct message sentences[] = {
    /* Rows */
    {"row act", "  {at_s}  {by}: {id} [target?{target}|door?{door}][role? ({role})]"
                "[words?: {words}]"},
    {"row ban", N_("  {id:16} {until_s}, by {by}: {words}")},
    {"row block", "  {id}"},
    {"row board?bye",
     N_("  round {round}, board {id}: {bye} has no opponent, and gets a win")},
    {"row board",
     N_("  round {round}, board {id}: red {red}, blue {blue}: "
        "[result=red?red won|result=blue?blue won|result=draw?draw|result?no result|"
        "game>0?game {game} is running: \"watch {game}\"|about to begin]"
        "[reason=missed?, the opponent did not come][mine? (you)]")},
    {"row challenge?mine",
     N_("  {id:4} your challenge to {to}: {time}, {rules}, {by} plays "
        "{side}{manners}")},
    {"row challenge", N_("  {id:4} {by} challenges you{rated}: {time}, {rules}, {by} "
                         "plays {side}{manners}")},
    {"row chat", "    {at_s}  {by}: {words}"},
    {"row device", N_("{id:10} {proof:5} since [since_s>0?{since_s}|the first login]"
                      "[here=1?, this device]")},
    {"row door", N_("  {id:16} {left} of {uses} left, {until_s}, by {by}")},
    {"row evening",
     N_("{id:-4} {name:16} [state=over?over, |at_s>0?begins at {at_s}, |state=open?"
        "open, ][state=open?|round {round} of {rounds}, ]{players} players, by {by}")},
    {"row follow", "  {id}"},
    {"row game?result",
     N_("{id:-4} {ended_s:10} {result_word:8} "
        "[reader?{reader} against {opponent}|red {red}, blue {blue}], "
        "{moves} {moves#move|moves}, [time=none?untimed|{time}], {rules}: {cause}")},
    {"row game?side", "  {own_game}"},
    {"row game",
     N_("  game {id}: red {red}, blue {blue}, {time}, {rules}, [phase=setup?setting up|"
        "phase=play?{ply} {ply#ply|plies}, {turn} to move|{ply} {ply#ply|plies}, "
        "{phase}], {watchers} watching")},
    {"row ignore", "  {id}"},
    {"row invite?by", N_("  your invitation {id}: {time}, {rules}{manners}")},
    {"row invite", N_("  you wait for an opponent in invitation {id}: {time}, "
                      "{rules}{manners}")},
    {"row let", "  {id}"},
    {"row member", N_("  {id:16} {role}[here=1?, here|, last here {seen_s}]")},
    {"row message", "  {at_s}  {from}: {words}"},
    {"row notify", "  {id}"},
    {"row offer?mine", N_("  {id:4} your offer ({kind}), game {game}")},
    {"row offer", N_("  {id:4} {asks}, game {game}")},
    {"row place",
     N_("{id:-4} {name:16} points {score:4} played {played}, Buchholz {buchholz}"
        "[missed>0?, rounds missed: {missed}][here=no?, has left][mine? (you)]")},
    {"row player",
     N_("  {id_rated:16} [games=-&private>0?plays private games: {private}|games=-?|"
        "private>0?plays game {games}, and private games: {private}|"
        "plays game {games}]")},
    {"row rank",
     N_("  {pool:8} {rating}[firm=yes? |?] {rank}, {won} won, {drawn} drawn, "
        "{lost} lost[best?, best {best}][firm=yes?| (not firm yet)]")},
    {"row seek",
     N_("  {id:4} {by_rated:16} {time:12} {rulesets:8} plays {side}{manners}")},
    {"row sent", "  {at_s}  {to}: {words}"},
    {"row top", N_("  {id:-3}. {name_rated:16} {games} games")},
    {"row watcher", "  {id}"},

    /* Values of ended games */
    {"=result_word?result=none&reason=aborted", N_("aborted")},
    {"=result_word?result=none", N_("no result")},
    {"=result_word?result=draw", N_("draw")},
    {"=result_word?result=red&reader=red", N_("won")},
    {"=result_word?result=blue&reader=blue", N_("won")},
    {"=result_word?result&reader", N_("lost")},
    {"=result_word?result=red", N_("red won")},
    {"=result_word?result=blue", N_("blue won")},
    {"=result_word", "{result}"},
    {"=cause?reason=resignation&own_act", N_("you resigned")},
    {"=cause?reason=resignation&actor", N_("{actor} resigned")},
    {"=cause?reason=resignation", N_("resignation")},
    {"=cause?reason=time&own_act", N_("you ran out of time")},
    {"=cause?reason=time&actor", N_("{actor} ran out of time")},
    {"=cause?reason=time", N_("time")},
    {"=cause?reason=absence&own_act", N_("you were away too long")},
    {"=cause?reason=absence&actor", N_("{actor} was away too long")},
    {"=cause?reason=absence", N_("absence")},
    {"=cause?reason=aborted&own_act", N_("by you")},
    {"=cause?reason=aborted&actor", N_("by {actor}")},
    {"=cause?reason=aborted&plies>1", N_("agreed")},
    {"=cause?reason=aborted", N_("before both had moved")},
    {"=cause?reason=checkmate", N_("checkmate")},
    {"=cause?reason=naked_check", N_("no answer to the bare kings")},
    {"=cause?reason=mate_by_forfeited", N_("mate by a side that had bared the kings")},
    {"=cause?reason=king_guard", N_("mate by a piece that the king could not take "
                                    "without baring the kings")},
    {"=cause?reason=both_forfeited", N_("both had bared the kings")},
    {"=cause?reason=bikjang", N_("the kings were left bare")},
    {"=cause?reason=perpetual_check", N_("perpetual check")},
    {"=cause?reason=double_pass", N_("both passed")},
    {"=cause?reason=repetition", N_("the same position for the third time")},
    {"=cause?reason=no_capture", N_("100 plies without a capture")},
    {"=cause?reason=agreement", N_("agreed")},
    {"=cause?reason=host", N_("the host decided")},
    {"=cause", "{reason}"},

    /* A running game of the reader */
    {"=own_game",
     N_("game {game}: {reader} against {opponent}[opponent_here? (here)], {time}, ply "
        "{ply}, [phase=setup&own_turn?set up now|phase=setup?setting up|"
        "phase=play&own_turn?YOUR MOVE|phase=play?{opponent} to move|{phase}]"
        "[phase=adjourned?|left_ms?, {left_time} left]")},
    {"=phase?phase=adjourned", N_("adjourned")},
    {"mine", N_("your {own_game}")},

    /* Offers and challenges */
    {"=kind?kind=draw", N_("draw")},
    {"=kind?kind=takeback", N_("takeback")},
    {"=kind?kind=abort", N_("abort")},
    {"=kind?kind=adjourn", N_("adjourn")},
    {"=kind?kind=continue", N_("continue")},
    {"=kind?kind=rematch", N_("rematch")},
    {"=asks?kind=draw", N_("{by} offers a draw")},
    {"=asks?kind=takeback", N_("{by} asks to take moves back")},
    {"=asks?kind=abort", N_("{by} asks to end the game without a result")},
    {"=asks?kind=adjourn",
     N_("{by} asks to adjourn (clocks stand still until both type "
        "\"continue\")")},
    {"=asks?kind=continue", N_("{by} asks to go on with the game")},
    {"=asks?kind=rematch", N_("{by} asks for a rematch")},
    {"=asks", N_("{by} makes an offer")},
    {"=asked?kind=draw", N_("draw offered to {opponent}")},
    {"=asked?kind=takeback", N_("{opponent} is asked to agree to take moves back")},
    {"=asked?kind=abort", N_("{opponent} is asked to end the game without a result")},
    {"=asked?kind=adjourn", N_("{opponent} is asked to adjourn")},
    {"=asked?kind=continue", N_("{opponent} is asked to go on")},
    {"=asked?kind=rematch", N_("rematch offered to {opponent}")},
    {"=asked", N_("{opponent} is asked to agree")},
    {"OK accept?kind=challenge", N_("{by}'s challenge was accepted: {terms}")},
    {"OK accept?kind=draw", N_("{by}'s offer of a draw was accepted, game {game}")},
    {"OK accept?kind=takeback", N_("{by}'s takeback was accepted, game {game}")},
    {"OK accept?kind=abort", N_("{by}'s request to end the game without a result was "
                                "accepted, game {game}")},
    {"OK accept?kind=adjourn",
     N_("{by}'s request to adjourn was accepted, game {game}")},
    {"OK accept?kind=continue",
     N_("{by}'s request to go on was accepted, game {game}")},
    {"OK accept?kind=rematch", N_("{by}'s rematch was accepted, game {game}")},
    {"OK accept?kind", N_("{by}'s offer was accepted, game {game}")},
    {"OK accept", ""},
    {"=open_offer?kind=challenge", N_("{by} challenges you: {terms}")},
    {"=open_offer", N_("{asks}, game {game}")},
    {"challenge",
     N_("{by}{rated} challenges you (time {time}, rules {rules}) and plays "
        "{side}{manners}: \"accept {id}\" or \"decline {id}\"")},
    {"seek",
     N_("{by}{rated} looks for an opponent (time {time}, rules {rules}) and plays "
        "{side}{manners}: \"accept {id}\"")},
    {"offer?mine", ""}, /* the answer to our command reports it */
    {"offer?kind=takeback&playing", N_("{by} asks to go back to [back>0?ply {back}: "
                                       "{next_mover} makes move {next_move} "
                                       "again|the start][timed?, with red {red_then} "
                                       "and blue {blue_then} on the clocks]"
                                       "[ours?: \"accept\" or \"decline\"]")},
    {"offer?ours", N_("{asks}: \"{answer}\" or \"decline\"")},
    {"offer", "{proposal}"},
    {"=proposal", N_("{by} proposes: {kind}")},

    /* The end of an offer. What the answer to our command or an event reports is hidden. */
    {"gone?kind=seek&mine&why=playing",
     N_("your seek {id} was withdrawn, because you have begun a game")},
    {"gone?kind=seek&mine&why=expired", N_("no opponent found; your search ({id}) has "
                                           "ended; \"play\" searches again")},
    {"gone?kind=seek", ""},
    {"gone?kind=challenge&mine&why=playing",
     N_("your challenge {id} was withdrawn, because you have begun a game")},
    {"gone?kind=challenge&mine&why=declined", N_("your challenge {id} was declined")},
    {"gone?kind=challenge&mine&why=replaced", N_("your new challenge replaces {id}")},
    {"gone?kind=challenge&mine", ""},
    {"gone?kind=challenge&why=replaced",
     N_("{by} has changed the terms of the challenge")},
    {"gone?kind=challenge&why=playing",
     N_("{by} has begun another game; the challenge to you was withdrawn")},
    {"gone?kind=challenge&why=declined", N_("you have declined {by}'s challenge")},
    {"gone?kind=challenge&why=withdrawn",
     N_("{by} has withdrawn the challenge to you")},
    {"gone?kind=challenge&why=left",
     N_("{by} has left; the challenge to you was withdrawn")},
    {"gone?kind=challenge", ""},
    {"gone?kind=invite&mine&why=playing",
     N_("your invitation {id} was withdrawn, because you have begun a game")},
    {"gone?kind=invite&mine", ""},
    {"gone?kind=invite&why=playing",
     N_("you no longer wait for an opponent in invitation "
        "{id}, because you have begun a game")},
    {"gone?kind=invite", ""},
    {"gone?why=accepted", ""},
    {"gone?why=moved", ""},
    {"gone?why=over", ""},
    {"gone?kind&mine", N_("your offer ({kind}) was {ending}")},
    {"gone?kind", N_("{by}'s offer ({kind}) was {ending}")},
    {"gone", N_("offer {id} was {ending}")},
    {"=ending?why=declined", N_("declined")},
    {"=ending?why=withdrawn", N_("withdrawn")},
    {"=ending?why=playing", N_("withdrawn, because another game has begun")},
    {"=ending", N_("cancelled")},

    /* Other notices of a game */
    {"claim?other_side&seated&adjourned",
     N_("{player} has been away too long: wait longer, or type \"claim draw\"")},
    {"claim?other_side&seated&adjourn=no",
     N_("{player} has been away too long: wait longer, or type \"claim win\" or "
        "\"claim draw\"")},
    {"claim?other_side&seated",
     N_("{player} has been away too long: wait longer, or type \"claim win\", \"claim "
        "draw\" or \"adjourn\"")},
    {"closed?why=slow",
     N_("game {game} is over; \"watch {game}\" shows the rest of it")},
    {"closed", N_("you may no longer watch game {game}")},
    {"follow", N_("game {game} of {name} begins: you watch it")},
    {"frozen", N_("game {game} is damaged on the server's disk from event {events} on: "
                  "you can look at it but not play it; ask the host")},
    {"let", N_("{by} lets you watch game {game}, which is private: \"watch {game}\" "
               "shows it")},
    {"over?ours", ""}, /* its events show what happened */
    {"over",
     N_("game {game} against {opponent} ended while you were away: {outcome} You "
        "played {reader}; \"save {game}\" keeps it")},
    {"presence?other_side&here=0", N_("{player} ({side}) is away[ticking?; the clock "
                                      "goes on][ours&claim_ms>0?; you may "
                                      "\"claim\" in {claim_time}]")},
    {"presence?other_side", N_("{player} ({side}) is here")},
    {"rating?counted=no", "{message}"},
    {"rating", N_("ratings: {red_change}, {blue_change}")},
    {"rematch?ours", N_("the rematch of game {game} is game {new}")},
    {"rematch",
     N_("the rematch of game {game} is game {new}: \"watch {new}\" shows it")},
    {"setup?other_side", "{chooser}[left_ms?, {left_time}]"},
    {"=chooser", N_("{player} ({side}) [sealed?has chosen|chooses] a set-up")},
    {"tv", N_("you watch game {game}, the best one now")},
    {"watcher?mine", ""},
    {"watcher?here=1", N_("{name} is watching")},
    {"watcher", N_("{name} stopped watching")},
    {"watchers", N_("watchers: {count} ({came} came, {left} left)")},

    /* Talk, and notices of the server */
    {"bye?why=quit", ""},
    {"bye", "{message}"},
    {"evening?bye",
     N_("evening {id}, round {round}: no opponent for you; it counts as a win")},
    {"evening?board", N_("evening {id}, round {round}: you play {reader} against "
                         "{opponent}, in {in_s} s")},
    {"evening?open", N_("evening {id}, round {round}: games still running: {open}; "
                        "\"evening {id}\" shows the table")},
    {"evening?state=over",
     N_("evening {id} is over: \"evening {id}\" shows the table")},
    {"evening", N_("you take part in evening {id} ({name})[state=open&at_s>0?, which "
                   "begins at {at_s}]")},
    {"here", N_("{name} is here")},
    {"message", N_("message from {from}, {at_s}: {words}")},
    {"notice?why=motd", "{words}"},
    {"notice", "{message}"},
    {"report",
     N_("{by} reports {about} (\"reports\" shows all of it)[words?: {words}]")},
    {"say?mine", ""},
    {"say", N_("{by} says: {words}")},
    {"tell", N_("{from} tells you: {words}")},
    {"whisper?mine", ""},
    {"whisper?after>0", N_("{by} whispered after {mover}'s move {move}: {words}")},
    {"whisper?after", N_("{by} whispered before the first move: {words}")},
    {"whisper", N_("{by} whispers: {words}")},

    /* Answers */
    {"OK?offer", N_("{asked}[to=0? to the start|to? to ply {to}] (offer {offer})")},
    {"OK access", N_("access: {access}, guests: {guests}, watching: {watching}")},
    {"OK annul", N_("game {game} no longer counts for ratings")},
    {"OK audit?count=0", N_("there is nothing to list")},
    {"OK ban", N_("{target} is banned; \"bans\" says until when")},
    {"OK bans?count=0", N_("nobody is banned")},
    {"OK block?name", N_("{name} may no longer watch your games")},
    {"OK block?count=0", N_("you block nobody")},
    {"OK challenge?id", N_("challenge {id}{game_terms} was sent to {about}; \"withdraw "
                           "{id}\" takes it back")},
    {"OK claim", ""},
    {"OK device?code&server",
     N_("Type this on your other device, within {minutes} minutes; it then plays as "
        "{own_name},\nand this device is disconnected:\n  janggi -n {own_name} device "
        "janggi://{server}/watch/{server_key} {code}\n{warning}")},
    {"OK doors?removed", N_("invitation {removed} no longer admits anybody; the "
                            "members who came in with it stay")},
    {"OK doors?count=0", N_("no invitations to this server are open")},
    {"OK end", N_("game {game} is over")},
    {"OK evening?about=new&id",
     N_("evening {id} is open{evening_terms}; \"evening join {id}\" to take part, and "
        "when all are there, \"evening start {id}\"")},
    {"OK evening?about=join&id", N_("you take part in evening {id}{evening_terms}; "
                                    "\"evening leave {id}\" ends that")},
    {"OK evening?about=leave&id",
     N_("left evening {id}; \"evening join {id}\" to come back[in_s?; but the game of "
        "this round still begins, in {in_s} s]")},
    {"OK evening?about=start&id",
     N_("the first round of evening {id} is paired; \"evening {id}\" shows it")},
    {"OK evening?about=pair&id",
     N_("the next round of evening {id} is paired; \"evening {id}\" shows it")},
    {"OK evening?about=result&id",
     N_("the result counts in evening {id}; \"evening {id}\" shows the table")},
    {"OK evening?about=adjust&id",
     N_("the points count in evening {id}; \"evening {id}\" shows the table")},
    {"OK evening?about=end&id",
     N_("evening {id} is over; \"evening {id}\" shows the table")},
    {"OK evening?count=0&id", N_("no game of that evening has begun")},
    {"OK evening?count=0", N_("there are no evenings")},
    {"OK evening?id&name",
     N_("{name}: [state=open?{system}|round {round} of {rounds}, ]{players} players, "
        "{time}, {rules}[rated=yes?, rated][state=over?; it is over|in_s>0?; the games "
        "begin in {in_s} s|at_s>0?; it begins at {at_s}|state=open&joined=yes?; it has "
        "not begun, and you take part|state=open?; it has not begun; to take part: "
        "\"evening join {id}\"]")},
    {"OK evening?game", N_("the game was ended; its result counts in the evening")},
    {"OK evening?id", ""},
    {"OK evening?count",
     N_("type \"evening join ID\" to take part, or \"evening ID\" for the table")},
    {"OK evening", ""},
    {"OK follow?off", N_("you no longer follow {name}")},
    {"OK follow?name", N_("you will watch the next public games of {name}")},
    {"OK follow?count=0", N_("you follow nobody")},
    {"OK games?count=0&about=mine", N_("you have no running game")},
    {"OK games?count=0", N_("no public game is being played now")},
    {"OK games?about=mine", N_("\"game NUMBER\" goes to one")},
    {"OK games", N_("\"watch NUMBER\" shows one")},
    {"OK guests", N_("access: {access}, guests: {guests}, watching: {watching}")},
    {"OK history?count=0", N_("no game has ended")},
    {"OK ignore?name", N_("you no longer receive challenges or messages from {name}")},
    {"OK ignore?count=0", N_("you ignore nobody")},
    {"OK invite?door&server",
     N_("Send this line to people who are to become members (at most {uses} "
        "{uses#person|people}, within {days} {days#day|days}):\n  janggi "
        "janggi://{server}/enter/{door}/{server_key}\n[web?{in_browser}\n  "
        "{web}/enter#{door}\n]{warning}")},
    {"OK invite?code&server",
     N_("Send this line to your opponent (one game, valid {hours} h):\n  janggi "
        "janggi://{server}/join/{code}/{server_key}\nWithout janggi installed, in a "
        "clone of its sources:\n  make play "
        "LINK=janggi://{server}/join/{code}/{server_key}\n[web?{in_browser}\n  "
        "{web}/join#{code}\n]{warning}")},
    {"OK invite", ""},
    {"OK join?waiting",
     N_("you have a seat; the game begins when your opponent comes")},
    {"OK kick", N_("{name} was disconnected; the seats in games are kept")},
    {"OK let?name", N_("{name} may watch game {game}")},
    {"OK let?count=0", N_("you let nobody watch game {game}")},
    {"OK limits", ""},
    {"OK members?count=0", N_("there are no members yet")},
    {"OK messages?cleared", N_("your messages are removed")},
    {"OK messages?count=0", N_("you have no messages")},
    {"OK messages?count", N_("\"messages clear\" removes them")},
    {"OK messages?from=all", N_("everybody may send you messages")},
    {"OK messages?from=none", N_("nobody may send you messages")},
    {"OK messages",
     N_("players with whom you have finished a game may send you messages")},
    {"OK motd", N_("everybody will read that after login")},
    {"OK move", ""},
    {"OK mute", N_("{name} cannot talk or challenge for a while")},
    {"OK name", N_("new connections will see that name")},
    {"OK notice", N_("sent; recipients: {told}")},
    {"OK notify?off", N_("you will no longer be notified when {name} logs in")},
    {"OK notify?name", N_("you will be notified when {name} logs in")},
    {"OK notify?count=0", N_("there is nobody on your list")},
    {"OK owner", N_("You are an owner of this server. \"door 4\" makes a link for your "
                    "friends.\n")},
    {"OK pending?count=0", N_("no requests or offers are open")},
    {"OK pending?count", N_("\"accept NUMBER\" or \"decline NUMBER\" answers one; "
                            "\"withdraw NUMBER\" takes back yours")},
    {"OK ping", ""},
    {"OK play?id", N_("you wait for an opponent{game_terms}, for {minutes} minutes at "
                      "most; \"withdraw {id}\" ends the wait")},
    {"OK play", ""},
    {"OK quiet?quiet=on", N_("you get no challenges")},
    {"OK quiet?quiet=off", N_("you get all challenges, also while you play")},
    {"OK quiet", N_("you get no challenges while you play a game with clocks")},
    {"OK rank?count=0", N_("no rated game yet; \"seek 10 5 rated=yes\" offers one")},
    {"OK reload?count=0", N_("no option has changed")},
    {"OK rematch?id",
     N_("challenge {id}{game_terms} was sent; \"withdraw {id}\" takes it back")},
    {"OK report?lines=0", N_("the host has your report about {name}")},
    {"OK report?lines", N_("the host has your report about {name}; lines of your chat "
                           "sent with it: {lines}")},
    {"OK report", N_("the host has your report about {name}")},
    {"OK reports?count=0", N_("there is nothing to list")},
    {"OK reset?code&server",
     N_("The person who types this within {hours} hours becomes {name}, with a new "
        "key; all earlier keys become invalid. Before you send it, make sure that the "
        "person who asked for it is {name}:\n  janggi -n {name} device "
        "janggi://{server}/watch/{server_key} {code}\n")},
    {"OK resign", ""},
    {"OK role", N_("the role of {name} is now: {role}")},
    {"OK rules", ""},
    {"OK say", ""},
    {"OK seek?fits", N_("seek {id}{game_terms} is open; seek {fits} offers the same "
                        "game: \"accept {fits}\" begins it")},
    {"OK seek", N_("seek {id}{game_terms} is open: others see it in \"seeks\"; "
                   "\"withdraw {id}\" takes it back")},
    {"OK seeks?news=on", N_("you are told of new seeks, except during a game with "
                            "clocks; \"seeks off\" stops that")},
    {"OK seeks?news", N_("you are no longer told of new seeks")},
    {"OK seeks?count=0", N_("nothing is on offer; \"seek\" offers a game")},
    {"OK seeks?count", N_("\"accept NUMBER\" begins one of these games")},
    {"OK setup?sealed",
     N_("your line-up is {setup}; it is shown when your opponent has chosen too")},
    {"OK setup", ""},
    {"OK tell?kept=1", N_("{name} is not here; your words are kept as a message")},
    {"OK tell", N_("told {name}")},
    {"OK top?count=0", N_("nobody has played enough rated games yet")},
    {"OK tv?game", N_("you watch game {game}, the best one now")},
    {"OK tv?off", N_("no further game will be shown automatically")},
    {"OK tv", N_("there is no game to show now; the next one is shown when it begins")},
    {"OK unban", N_("{target} is no longer banned")},
    {"OK unblock", N_("{name} may watch your games again")},
    {"OK unignore", N_("you receive challenges and messages from {name} again")},
    {"OK unlet", N_("{name} may no longer watch game {game}")},
    {"OK unmute", N_("{name} may talk again")},
    {"OK unwatch", N_("you no longer watch game {game}")},
    {"OK watch?rematch", N_("game {game} is over; its players play again: \"watch "
                            "{rematch}\" shows the new game")},
    {"OK watch", ""},
    {"OK watchers?count=0", N_("nobody watches that game")},
    {"OK watching", N_("access: {access}, guests: {guests}, watching: {watching}")},
    {"OK watchlink?code&server",
     N_("Anyone with this line may watch your private game, and only that one:\n  "
        "janggi janggi://{server}/watch/{code}/{server_key}\nA person who is already "
        "here types: watch {game} {code}\n[web?{in_browser}\n  "
        "{web}/watch#{code}\n]{warning}")},
    {"OK whisper", ""},
    {"OK who", ""},
    {"OK withdraw?id", N_("{id} was withdrawn")},
    {"OK withdraw?code", N_("{code} was withdrawn")},
    {"=in_browser", N_("In a browser, with nothing to install:")},
    {"=game_terms?time",
     N_(" ({time}, {rules}[side=any?|side?, you play {side}]{manners})")},
    {"=game_terms", ""},
    {"=system?system=rr", N_("everybody meets everybody, ")},
    {"=system", N_("Swiss, rounds: {rounds}, ")},
    {"=evening_terms?system",
     N_(": {system}{time}, {rules}[rated=yes?, rated][at_s>0?; it "
        "begins at {at_s}]")},
    {"=evening_terms", ""},

    {"=refusal",
     N_("-- [why=no-such-ply?not done|refused=illegal?not played|not done]: "
        "{message}[retry? (try again in {retry} s)][left_ms? ({left_time})]")},
};

/* --- The values --- */

static bool is_reader(const struct told *told, const char *name)
{
    return name != NULL && name[0] != '\0' && told->model != NULL &&
           model_is_same_name(name, told->model->name);
}

/* The side that the reader plays in the game of the line. */
static enum side reader_of(const struct told *told)
{
    for (enum side side = SIDE_RED; side != SIDE_NONE; side++)
        if (is_reader(told, proto_line_value(told->line, side_name(side))))
            return side;
    return told->game != NULL ? told->game->side : SIDE_NONE;
}

/* Returns the name of the player of `side`; NULL: unknown. */
static const char *player_of(const struct told *told, enum side side)
{
    const char *name =
        side != SIDE_NONE ? proto_line_value(told->line, side_name(side)) : NULL;

    return name != NULL || told->game == NULL || side == SIDE_NONE
               ? name
               : told->game->game.name[side];
}

/* The side that ended a game, for example by resigning, or that was away. For old games
 * the server does not report it; then it follows from the result. */
static enum side actor_of(const struct told *told)
{
    const char *reason = words_value(told->line, "reason", "");
    enum side by = side_parse(words_value(told->line, "by", ""));
    enum side winner = side_parse(words_value(told->line, "result", ""));
    bool is_absence = strcmp(reason, "absence") == 0;

    if (by == SIDE_NONE && is_absence)
        by = winner;
    else if (by == SIDE_NONE && winner != SIDE_NONE &&
             (strcmp(reason, "resignation") == 0 || strcmp(reason, "time") == 0))
        by = side_other(winner);
    return is_absence && by != SIDE_NONE ? side_other(by) : by;
}

static bool is_mine(const struct told *told)
{
    static const char *const keys[] = {"by", "name", "red", "blue"};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (is_reader(told, proto_line_value(told->line, keys[i])))
            return true;
    return told->offer != NULL && is_reader(told, told->offer->by);
}

/* The ply after which a whisper was sent, for a player, who receives the whispers only
 * after the end; otherwise -1. */
static int whispered_after(const struct told *told)
{
    return told->game != NULL && told->game->is_ours
               ? (int)model_number(told->line, "ply", 0, told->game->game.plies - 1, -1)
               : -1;
}

/* The ply to which a takeback goes back. */
static int back_to(const struct told *told)
{
    return (int)model_number(told->line, "to", 0, told->game->game.plies, 0);
}

static const char *write_number(const struct told *told, int64_t number)
{
    struct text text = text_into(told->number, NUMBER_BYTES);

    text_add_int(&text, number);
    return told->number;
}

/* Finds a value that only the client knows. A server's line cannot say it: the sentences and
 * their forms rely on it, and links have the server's address and key. Returns false if
 * `key` is none of these; *out gets NULL if it has no value or is not the case. */
static bool find_own(const struct told *told, const char *key, const char **out)
{
    static const char yes[] = "1";
    const struct proto_line *line = told->line;
    const struct model_game *game = told->game;
    bool has_game = game != NULL && game->game.phase != GAME_EMPTY;
    bool is_playing = game != NULL && game->game.phase == GAME_PLAY;
    enum side reader = reader_of(told),
              side = side_parse(words_value(line, "side", ""));
    int after = whispered_after(told), back = game != NULL ? back_to(told) : -1;
    int64_t plies = model_number(line, "plies", 0, INT_MAX - 1, 0);
    const struct {
        const char *key;
        int64_t number; /* below 0: there is none */
    } numbers[] = {
        {"after", after},
        {"back", back},
        {"move", has_game ? game_number_of_ply(&game->game, after) : -1},
        {"next_move", has_game ? game_number_of_ply(&game->game, back + 1) : -1},
        {"moves", (plies + 1) / SIDES},
    };
    const struct {
        const char *key, *words;
    } texts[] = {
        {"mine", is_mine(told) ? yes : NULL},
        {"own_turn",
         strcmp(words_value(line, "turn", ""), side_name(reader)) == 0 ? yes : NULL},
        {"own_act", reader != SIDE_NONE && actor_of(told) == reader ? yes : NULL},
        {"opponent_here",
         reader != SIDE_NONE && text_list_has(words_value(line, "here", ""), ',',
                                              side_name(side_other(reader)))
             ? yes
             : NULL},
        {"ours", game != NULL && game->is_ours ? yes : NULL},
        {"seated", game != NULL && model_is_playing(game) ? yes : NULL},
        {"adjourned", game != NULL && game->game.is_adjourned ? yes : NULL},
        {"playing", is_playing ? yes : NULL},
        {"ticking", is_playing && !model_is_slow(game) ? yes : NULL},
        {"timed", game != NULL && !game->game.clock.terms.is_untimed ? yes : NULL},
        {"other_side",
         has_game && side != SIDE_NONE && side != game->side ? yes : NULL},
        {"own_name", told->model != NULL ? told->model->name : NULL},
        {"reader", reader != SIDE_NONE ? side_name(reader) : NULL},
        {"opponent", player_of(told, reader == SIDE_RED ? SIDE_BLUE : SIDE_RED)},
        {"actor", player_of(told, actor_of(told))},
        {"player", player_of(told, side)},
        {"server", told->server},
        {"server_key", told->server_key},
        {"warning", told->warning},
        {"words", line->human},
        {"refused", line->words > 0 ? line->word[0] : NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        if (strcmp(numbers[i].key, key) == 0) {
            *out = numbers[i].number < 0 ? NULL : write_number(told, numbers[i].number);
            return true;
        }
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (strcmp(texts[i].key, key) == 0) {
            *out = texts[i].words;
            return true;
        }
    return false;
}

static const char *value_of(const void *of, const char *key)
{
    const struct told *told = of;
    const struct proto_line *line = told->line;
    const struct model_offer *offer = told->offer;
    const char *value;

    if (find_own(told, key, &value))
        return value;
    if (told->about != NULL && strcmp(key, "about") == 0)
        return told->about;
    value = proto_line_value(line, key);
    if (strcmp(key, "game") == 0 && told->game != NULL &&
        (offer != NULL || value == NULL))
        return write_number(told, told->game->id); /* not that of a rematch */
    if (value != NULL)
        return strcmp(key, "web") == 0 && strncmp(value, "https://", 8) != 0 ? NULL
                                                                             : value;
    if (strcmp(key, "id") == 0 || strcmp(key, "game") == 0)
        return line->words > 1 && strchr(line->word[1], '=') == NULL ? line->word[1]
                                                                     : NULL;
    if (strcmp(key, "rulesets") == 0)
        return proto_line_value(line, "rules");
    if (strcmp(key, "kind") == 0 && offer != NULL)
        return offer->kind;
    if (strcmp(key, "kind") == 0 && line->mark == PROTO_OK && line->words > 0)
        return strcmp(line->word[0], "accept") != 0 ? line->word[0] : NULL;
    if (offer != NULL && strcmp(key, "by") == 0)
        return offer->by;
    if (offer != NULL && strcmp(key, "terms") == 0)
        return offer->terms;
    if (strcmp(key, "answer") == 0) {
        value = words_value(line, "kind", "");
        return text_list_has("draw adjourn continue rematch", ' ', value) ? value
                                                                          : "accept";
    }
    return NULL;
}

/* Writes the first part of `key` to out if the key ends in `end`. */
enum { KEY_BYTES = 32 };
static bool takes_end(char out[KEY_BYTES], const char *key, const char *end)
{
    size_t len = strlen(key), end_len = strlen(end);

    return len > end_len && strcmp(key + len - end_len, end) == 0 &&
           text_cut(out, KEY_BYTES, key, len - end_len);
}

/* Adds the values that have a form of their own. */
static bool add_form(struct text *out, const struct told *told, const char *key,
                     const char *value)
{
    const struct proto_line *line = told->line;
    const struct game *game = told->game != NULL ? &told->game->game : NULL;
    char words[WORDS_MANNERS_BYTES], rating[WORDS_RATING_BYTES], part[KEY_BYTES],
        ms[KEY_BYTES], outcome_words[SENTENCE_BYTES];
    enum outcome outcome;
    enum reason reason;
    enum side side;

    if (strcmp(key, "until_s") == 0 && value != NULL)
        words_until(out, proto_line_number(line, key, 0));
    else if (strcmp(key, "ended_s") == 0)
        words_date(out, proto_line_number(line, key, 0), "%Y-%m-%d", "-");
    else if (text_list_has("at_s since_s seen_s", ' ', key))
        words_moment(out, proto_line_number(line, key, 0));
    else if (strcmp(key, "time") == 0)
        text_add(out, words_time_terms(line));
    else if (takes_end(part, key, "_time")) {
        snprintf(ms, sizeof ms, "%.20s_ms", part);
        words_time(out, model_number(line, ms, 0, MODEL_MS_MAX, 0));
    } else if (text_list_has("side turn reader", ' ', key) && value != NULL)
        text_add(out, words_side(value));
    else if (strcmp(key, "manners") == 0)
        text_add(out, words_manners(words, line));
    else if (strcmp(key, "rank") == 0)
        text_add(out, words_rank(rating, words_value(line, key, "")));
    else if (strcmp(key, "rated") == 0)
        text_add(out, words_rating(rating, line, ""));
    else if (takes_end(part, key, "_rated"))
        text_addf(out, "%s%s",
                  value_of(told, part) != NULL ? value_of(told, part) : "?",
                  words_rating(rating, line, ""));
    else if (takes_end(part, key, "_change")) { /* "kim 1512 4k (+12)" */
        side = side_parse(part);
        text_addf(out, "%s%s (%s)", game != NULL ? game->name[side] : term_side(side),
                  words_rating(rating, line, part),
                  words_value(line, side == SIDE_RED ? "red_by" : "blue_by", "?"));
    } else if (strcmp(key, "outcome") == 0 &&
               outcome_parse(words_value(line, "result", ""), &outcome) &&
               reason_parse(words_value(line, "reason", ""), &reason)) {
        sentence_outcome(outcome_words, outcome, reason);
        text_add(out, outcome_words);
    } else if (takes_end(part, key, "_then"))
        words_time(out, record_left(game, back_to(told), side_parse(part)).main_ms);
    else if (strcmp(key, "mover") == 0)
        text_add(out, term_side(game_side_of_ply(game, whispered_after(told))));
    else if (strcmp(key, "next_mover") == 0)
        text_add(out, term_side(game_side_of_ply(game, back_to(told) + 1)));
    else if (strcmp(key, "message") == 0)
        told_message(out, line);
    else
        return false;
    return true;
}

static bool add_shown(struct text *out, const void *of, const char *key)
{
    const struct told *told = of;
    const char *value = value_of(told, key);
    char name[KEY_BYTES];

    snprintf(name, sizeof name, "=%.30s", key);
    if (told_say(out, told, name) != NULL || message_add_term(out, key, value) ||
        add_form(out, told, key, value))
        return true;
    if (strcmp(key, "outcome") == 0)
        return false;
    if (value == NULL)
        text_add(out, strcmp(key, "opponent") == 0 ? _("your opponent") : "?");
    return value == NULL;
}

/* --- The sentences of lines --- */

const char *told_say(struct text *out, const struct told *told, const char *kind)
{
    char number[NUMBER_BYTES];
    struct told copy = *told;
    struct message_values values = {&copy, value_of, add_shown};
    const char *words;

    copy.number = number;
    words = message_choose(sentences, ARRAY_LEN(sentences), kind, &values);
    if (words != NULL && words[0] != '\0')
        (void)message_fill(out, _(words), &values);
    return words;
}

bool told_knows(const char *kind)
{
    size_t len = strlen(kind);

    for (size_t i = 0; i < ARRAY_LEN(sentences); i++)
        if (strncmp(sentences[i].key, kind, len) == 0 &&
            (sentences[i].key[len] == '\0' || sentences[i].key[len] == '?'))
            return true;
    return false;
}

static const struct proto_line no_line = {.human = ""};

void told_offer(struct text *out, const struct model *model,
                const struct model_open *open, const char *kind)
{
    struct told told = {
        .model = model, .line = &no_line, .game = open->game, .offer = open->offer};

    (void)told_say(out, &told, kind);
}

void told_message(struct text *out, const struct proto_line *line)
{
    char number[NUMBER_BYTES];
    struct told told = {.line = line, .number = number};
    struct message_values values = {&told, value_of, add_shown};

    if (line->words > 0 && message_say(out, line->word[0], line->human, &values))
        return;
    if (line->human[0] != '\0')
        text_add(out, line->human);
    else
        text_addf(out, "%s%s%s", line->words > 0 ? line->word[0] : "?",
                  proto_line_value(line, "why") ? ", " : "",
                  words_value(line, "why", ""));
}

void told_refusal(struct text *out, const struct proto_line *line)
{
    struct told told = {.line = line};

    (void)told_say(out, &told, "=refusal");
    text_add(out, "\n");
}

/* --- Rows --- */

void told_parse_row(const char *row, char copy[TOLD_ROW_BYTES], struct proto_line *out)
{
    struct text text = text_into(copy, TOLD_ROW_BYTES);

    text_addf(&text, "! %s", row);
    proto_parse_line(copy, out);
}

void told_row(struct text *out, const struct model *model, const char *row)
{
    char copy[TOLD_ROW_BYTES], kind[KEY_BYTES];
    struct proto_line line;
    struct told told = {.model = model, .line = &line};

    told_parse_row(row, copy, &line);
    snprintf(kind, sizeof kind, "row %.20s", line.words > 0 ? line.word[0] : "");
    if (line.words < 2 || told_say(out, &told, kind) == NULL)
        text_add(out, row);
    text_add(out, "\n");
}
