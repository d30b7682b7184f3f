/* Keeps a game in a file: an ended one as the record that the server signed, a running
 * one as its events so far, which are asked for once more. One game at a time. The
 * server never says where: the name is the player's, or made of the game's number. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/play/inside.h"
#include "common/base/disk.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/record/record_sign.h"

/* No game is longer; a server that says more is not believed. */
enum { TEXT_BYTES_MAX = 4 << 20, EVENTS_MAX = 20000 };

void save_clear(struct client *client)
{
    struct save *save = &client->save;

    free(save->text.at);
    record_clear(&save->record);
    memset(save, 0, sizeof *save);
}

/* --- Asking for it --- */

static void ask(struct client *client, const struct model_game *game)
{
    struct save *save = &client->save;
    bool is_running = game != NULL &&
                      (game->game.phase == GAME_SETUP || game->game.phase == GAME_PLAY);

    save->is_on = true;
    save->is_running = is_running;
    record_init(&save->record);
    if (is_running)
        typed_sendf(client, save->game, true, "resume %lld 0", (long long)save->game);
    else
        typed_sendf(client, save->game, true, "record %lld", (long long)save->game);
}

void save_begin(struct client *client, int64_t game, const char *path)
{
    struct save *save = &client->save;
    struct text text = text_into(save->path, sizeof save->path);

    if (save->is_on) {
        console_sayf(client->console, _("-- game %lld is being saved; one at a time\n"),
                     (long long)save->game);
        return;
    }
    if (!visit_is_ready(client->visit)) {
        console_say(client->console, _("-- not connected: nothing is saved\n"));
        return;
    }
    if (path[0] != '\0')
        text_add(&text, path);
    else
        text_addf(&text, "game-%lld.record", (long long)game);
    if (text.is_cut || access(save->path, F_OK) == 0) {
        console_sayf(client->console,
                     _("-- %s is there already; say another name: save %lld FILE\n"),
                     save->path, (long long)game);
        return;
    }
    save->game = game;
    ask(client, model_find(&client->model, game));
}

/* --- The file --- */

/* False: errno says why not. A file that is there is not touched. */
static bool write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    bool is_written;

    if (file == NULL)
        return false;
    is_written = fputs(text, file) >= 0 && fflush(file) == 0 && disk_sync(fd);
    return fclose(file) == 0 && is_written;
}

static const char *proof_words(const struct record *record, const char *text)
{
    switch (record_sign_prove(record, text)) {
    case RECORD_PROVED:
        return _("signed by the server");
    case RECORD_UNSIGNED:
        return _("not signed");
    default:
        return _("its signature is WRONG: \"janggi verify\" says why");
    }
}

static void keep(struct client *client, const char *text)
{
    struct save *save = &client->save;
    char why[RECORD_WHY_BYTES];
    struct record read;

    if (!record_read(&read, text, strlen(text), why)) {
        console_sayf(client->console,
                     _("-- not saved: what the server sent is no record (%s)\n"), why);
        return;
    }
    if (!write_file(save->path, text))
        console_sayf(client->console, _("-- not saved: %s: %s\n"), save->path,
                     strerror(errno));
    else if (save->is_running)
        console_sayf(client->console,
                     _("-- game %lld so far is saved: janggi replay %s\n"),
                     (long long)save->game, save->path);
    else
        console_sayf(client->console,
                     _("-- game %lld is saved (%s): janggi replay %s\n"),
                     (long long)save->game, proof_words(&read, text), save->path);
    record_clear(&read);
}

/* --- What comes --- */

void save_take_line(struct client *client, const char *line)
{
    struct save *save = &client->save;

    if (!save->is_on || save->is_running || save->text.len > TEXT_BYTES_MAX)
        return;
    record_text_add(&save->text, line);
    record_text_add(&save->text, "\n");
}

static void keep_running(struct client *client)
{
    struct save *save = &client->save;
    char *text;

    tls_key_format(save->record.server, visit_key(client->visit));
    save->record.game = save->game;
    text = record_write(&save->record);
    keep(client, text);
    free(text);
    save_clear(client);
}

void save_take_event(struct client *client, int64_t game, int number, const char *event)
{
    struct save *save = &client->save;

    if (!save->is_on || !save->is_running || save->game != game ||
        number != save->record.events || number >= EVENTS_MAX ||
        strlen(event) >= EVENT_BYTES)
        return;
    record_add(&save->record, event);
    if (save->events > 0 && save->record.events == save->events)
        keep_running(client);
}

void save_take_answer(struct client *client, const struct visit_request *asked,
                      const struct proto_line *line)
{
    struct save *save = &client->save;

    if (!save->is_on || asked->game != save->game || !asked->is_quiet)
        return;
    if (line->mark != PROTO_OK) {
        save_clear(client); /* the refusal says why */
    } else if (save->is_running && strcmp(asked->verb, "resume") == 0) {
        save->events = (int)model_number(line, "events", 1, MODEL_COUNT_MAX, 1);
    } else if (strcmp(asked->verb, "record") == 0) {
        char *text = record_text_take(&save->text);

        keep(client, text);
        free(text);
        save_clear(client);
    }
}
