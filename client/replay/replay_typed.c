/* What can be typed in a replay: the verbs of its book, and what comes of each. */
#include <stdlib.h>
#include <string.h>

#include "client/replay/replay_parts.h"
#include "client/verb/verbs.h"
#include "common/base/mem.h"
#include "common/base/translate.h"
#include "common/words/sentence.h"

static void go(struct replay *replay, int at)
{
    replay_go(&replay->place, at);
    replay_show_board(replay);
}

/* From the private board to the record, from there to the event before. */
static void do_back(struct replay *replay)
{
    struct replay_place *place = &replay->place;

    if (place->tried > 0)
        go(replay, place->at);
    else if (place->at > place->first)
        go(replay, place->at - 1);
    else
        replay_say(replay, _("This is the beginning.\n"));
}

static void do_go_to(struct replay *replay, const struct deed *deed)
{
    int most = replay->file.game.plies;
    int at = replay_find_ply(&replay->place, (int)deed->number);

    if (at >= 0)
        go(replay, at);
    else
        replay_say(replay,
                   translate_count("The record has %d move.\n",
                                   "The record has %d moves.\n", most),
                   most);
}

static void do_flip(struct replay *replay)
{
    replay_flip(&replay->place);
    replay_show_board(replay);
}

static void do_try(struct replay *replay, struct move move)
{
    char words[SENTENCE_BYTES];
    struct fault fault;

    if (replay_try(&replay->place, move, &fault)) {
        replay_show_board(replay);
        return;
    }
    sentence_fault(words, fault);
    replay_say(replay, _("-- not played: %s\n"), words);
}

static void do_play(struct replay *replay, const struct deed *deed)
{
    if (deed->number > 0)
        replay->speed = (double)deed->number / 1000;
    replay_start(replay);
}

/* The record that is shown stays when the other cannot be read. */
static void do_load(struct replay *replay, const struct deed *deed)
{
    struct records_wish wish = {.number = 1};
    struct records_file file;
    bool is_flipped = replay->place.is_flipped;

    if (strcmp(deed->words, "-") == 0) {
        replay_say(replay, _("load FILE: a record, GIB or PGN\n"));
        return;
    }
    if (!records_read(&file, deed->words, &wish))
        return;
    replay_place_clear(&replay->place);
    records_clear(&replay->file);
    replay->file = file;
    replay_begin(replay, is_flipped);
}

static void carry_out(struct replay *replay, const struct deed *deed)
{
    switch (deed->kind) {
    case DEED_NOTHING:
    case DEED_NEXT:
        replay_step(replay);
        break;
    case DEED_SAY:
    case DEED_REFUSE:
        replay_print(replay, deed->words);
        break;
    case DEED_BOARD:
        replay_show_board(replay);
        break;
    case DEED_FLIP:
        do_flip(replay);
        break;
    case DEED_TRY:
        do_try(replay, deed->move);
        break;
    case DEED_BACK:
        do_back(replay);
        break;
    case DEED_GO_TO:
        do_go_to(replay, deed);
        break;
    case DEED_PLAY:
        do_play(replay, deed);
        break;
    case DEED_LOAD:
        do_load(replay, deed);
        break;
    case DEED_QUIT:
        replay_leave(replay, REPLAY_DONE);
        break;
    default:
        break; /* a pause: every line pauses */
    }
}

void replay_on_line(void *owner, const char *line)
{
    struct replay *replay = owner;
    struct deed *deed = mem_new(sizeof *deed);
    struct render_view view = replay_view(replay);
    bool was_playing = replay->is_playing;

    replay_pause(replay);
    verbs_read(&verbs_of_replay, &replay->place.model, NULL, line, &view, deed);
    if (deed->kind != DEED_NOTHING)
        edit_remember(replay->edit, line);
    if (deed->kind != DEED_NOTHING || !was_playing)
        carry_out(replay, deed);
    free(deed);
    replay_show_prompt(replay);
}

const char *replay_on_complete(void *owner, const char *before, size_t i)
{
    struct replay *replay = owner;
    struct complete *complete = &replay->complete;

    if (i == 0)
        complete_gather(complete, &verbs_of_replay, &replay->place.model, NULL, before,
                        edit_word(replay->edit));
    return i < (size_t)complete->count ? complete->word[i] : NULL;
}
