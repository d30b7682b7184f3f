/* See doubt.h. A move is sent again with the number of its ply, so the server plays it
 * at most once. On a screen the player must confirm it nevertheless; in a script it is
 * sent automatically. */
#include "client/play/doubt.h"

#include "client/view/words.h"
#include "common/base/text.h"
#include "common/base/translate.h"

static bool is_in_doubt(const struct model_game *game)
{
    return game->pending.state == PENDING_TYPED || game->pending.state == PENDING_LOST;
}

void doubt_drop(struct doubt *doubt)
{
    if (console_question(doubt->talk->console) == QUESTION_MOVE)
        console_drop_question(doubt->talk->console);
}

/* Writes the pending move in the player's language: "pass" is translated. */
static void name_move(char out[WORDS_MOVE_BYTES], const struct model_game *game)
{
    words_move(out, &(struct game_last){.move = game->pending.move});
}

void doubt_say_found(struct doubt *doubt, const struct model_game *game)
{
    char move[WORDS_MOVE_BYTES];

    name_move(move, game);
    console_sayf(doubt->talk->console, _("-- your move %s arrived: it is ply %d\n"),
                 move, game->pending.ply);
    if (doubt->game == game->id)
        doubt_drop(doubt);
}

/* Returns why the move cannot be played any more, or NULL if it can. */
static const char *why_too_late(const struct model_game *game)
{
    if (game->is_broken)
        return NULL; /* our own board may be wrong: let the server judge */
    if (game->game.phase == GAME_OVER)
        return _("the game is over");
    if (!model_is_our_turn(game))
        return _("it is not your turn any more");
    if (rules_judge(game->game.rules, &game->game.position, game->pending.move).code !=
        FAULT_NONE)
        return _("the position has changed");
    return NULL;
}

static void send_it(struct doubt *doubt, struct model_game *game)
{
    game->pending.state = PENDING_SENT;
    game->pending.ply = game->game.plies + 1;
    game->pending.again_ms = 0;
    talk_send_pending(doubt->talk, game);
}

static void tell(struct doubt *doubt, struct model_game *game)
{
    char words[256], move[WORDS_MOVE_BYTES];
    struct text text = text_into(words, sizeof words);

    name_move(move, game);
    if (game->pending.state == PENDING_TYPED)
        text_addf(&text,
                  _("-- you typed %s (ply %d) without a connection; it was not sent"),
                  move, game->pending.ply);
    else
        text_addf(&text,
                  _("-- the server did not answer your move %s (ply %d), and it is not "
                    "in the game"),
                  move, game->pending.ply);
    if (game->pending.ply != game->game.plies + 1)
        text_addf(&text, _(". The game has changed meanwhile: it would be ply %d now"),
                  game->game.plies + 1);
    console_sayf(doubt->talk->console, "%s\n", words);
    game->pending.is_told = true;
}

static void ask(struct doubt *doubt, struct model_game *game)
{
    char words[128], move[WORDS_MOVE_BYTES];
    struct text text = text_into(words, sizeof words);

    if (!game->pending.is_told)
        tell(doubt, game);
    name_move(move, game);
    text_addf(&text, _("Send %s now"), move);
    if (game != doubt->talk->model.current)
        text_addf(&text, _(" in game %lld"), (long long)game->id);
    text_add(&text, _("? (y/n) "));
    doubt->game = game->id;
    console_ask(doubt->talk->console, QUESTION_MOVE, words);
}

/* Handles one unacknowledged move. On a screen, asks the player. In a script nobody can
 * be asked: the move is sent if no other move was made in its place, and dropped
 * otherwise. */
static void look_at(struct doubt *doubt, struct model_game *game)
{
    const char *why = why_too_late(game);
    char move[WORDS_MOVE_BYTES];

    if (why == NULL && !console_is_screen(doubt->talk->console) &&
        game->pending.ply != game->game.plies + 1)
        why = _("the game has changed meanwhile");
    if (why != NULL) {
        name_move(move, game);
        console_sayf(doubt->talk->console,
                     _("-- your move %s (game %lld, ply %d) was not played: %s\n"),
                     move, (long long)game->id, game->pending.ply, why);
        game->pending.state = PENDING_NONE;
        console_note_refusal(doubt->talk->console);
    } else if (console_is_screen(doubt->talk->console)) {
        ask(doubt, game);
    } else {
        send_it(doubt, game);
    }
}

void doubt_look_at_moves(struct doubt *doubt)
{
    if (!visit_is_ready(doubt->talk->visit) || visit_is_resuming(doubt->talk->visit))
        return;
    for (struct model_game *game = doubt->talk->model.games;
         game != NULL && console_question(doubt->talk->console) == 0; game = game->next)
        if (is_in_doubt(game) && model_is_caught_up(game))
            look_at(doubt, game);
}

bool doubt_take_answer(struct doubt *doubt, const char *line)
{
    struct model_game *game = model_find(&doubt->talk->model, doubt->game);
    bool is_yes = words_is_yes(line);

    if (game == NULL || !is_in_doubt(game))
        return false;
    if (!is_yes && !words_is_no(line))
        return false;
    if (is_yes) {
        send_it(doubt, game);
        return true;
    }
    game->pending.state = PENDING_NONE;
    console_say(doubt->talk->console, _("-- it was not sent\n"));
    return true;
}
