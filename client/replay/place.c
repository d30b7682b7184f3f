/* See place.h. The model always gets time 0, so that no clock runs. */
#include "client/replay/place.h"

/* Returns the number of the game for the model: the server's number in the record, or 0
 * if the record has none. */
static int64_t game_id(const struct place *place)
{
    return place->record->game >= 0 ? place->record->game : 0;
}

static void feed(struct place *place, int number, const char *text,
                 struct model_news *news)
{
    model_take_event(&place->model, game_id(place), number, text, 0, news);
    place->model.current = news->game;
    news->is_late = false;
}

/* Resets the model to an empty board, but keeps the orientation. */
static void begin(struct place *place)
{
    model_clear(&place->model);
    place->at = 0;
    place->tried = 0;
    place->model.current = model_get(&place->model, game_id(place));
    place_game(place)->is_turned = place->is_flipped;
}

struct model_game *place_game(const struct place *place)
{
    return place->model.current;
}

bool place_next(struct place *place, struct model_news *news)
{
    if (place->at == place->record->events)
        return false;
    feed(place, place->at, place->record->event[place->at], news);
    place->at++;
    return true;
}

void place_go(struct place *place, int at)
{
    struct model_news news;

    begin(place);
    while (place->at < at && place_next(place, &news))
        continue;
}

void place_init(struct place *place, const struct record *record)
{
    struct model_news news;

    *place = (struct place){.record = record};
    model_init(&place->model);
    begin(place);
    while (place_game(place)->game.phase != GAME_PLAY && place_next(place, &news))
        continue;
    place->first = place->at;
}

void place_clear(struct place *place)
{
    model_clear(&place->model);
}

void place_flip(struct place *place)
{
    place->is_flipped = !place->is_flipped;
    place_game(place)->is_turned = place->is_flipped;
}

int place_find_ply(const struct place *place, int plies)
{
    char why[RECORD_WHY_BYTES];
    int at = 0, found = -1;
    struct game game;

    game_init(&game);
    while (record_step(place->record, &at, &game, why))
        if (game.plies == plies && at >= place->first &&
            (game.phase != GAME_OVER || found < 0))
            found = at;
    game_clear(&game);
    return found;
}

/* --- Times --- */

enum { UNTOLD_MS = 1000 };

int64_t place_took_ms(const struct place *place)
{
    const struct clock *clock = &place_game(place)->game.clock;
    const struct time_left *before;
    struct event event;
    int64_t took_ms;

    if (place->at == place->record->events ||
        event_parse(place->record->event[place->at], &event) != EVENT_OK ||
        event.kind != EVENT_MOVE)
        return 0;
    before = &clock->left[event.side];
    if (!event.has_times || before->main_ms == 0)
        return UNTOLD_MS; /* in byoyomi the clock does not show how long a move took */
    took_ms = before->main_ms - event.left[event.side].main_ms;
    took_ms +=
        (before->periods - event.left[event.side].periods) * clock->terms.period_ms;
    if (event.left[event.side].main_ms > 0)
        took_ms += clock->terms.increment_ms;
    return took_ms > 0 ? took_ms : 0;
}

/* --- The private board --- */

/* Prepares the private board. If the place is directly after the end of the game,
 * removes the end from the model, so that moves can be tried after a resignation
 * too. */
static void fork_here(struct place *place)
{
    int at = place->at;
    struct event event;

    if (at > 0 && event_parse(place->record->event[at - 1], &event) == EVENT_OK &&
        event.kind == EVENT_END)
        place_go(place, at - 1);
    place->at = at;
}

bool place_try(struct place *place, struct move move, struct fault *fault)
{
    struct model_game *game;
    struct game_news follows;

    if (place->tried == 0)
        fork_here(place);
    game = place_game(place);
    *fault = game_judge_move(&game->game, game_turn(&game->game), move, 0, &follows);
    if (fault->code != FAULT_NONE) {
        if (place->tried == 0)
            place_go(place, place->at);
        return false;
    }
    for (int i = 0; i < follows.count; i++) {
        char text[EVENT_BYTES];
        struct model_news news;

        event_format(text, &follows.event[i]);
        feed(place, game->next_event, text, &news);
    }
    place->tried++;
    return true;
}
