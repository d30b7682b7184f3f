/* Saves a game to a file. If the game is over, the file contains the record that the
 * server sends, usually with its signature. If the game is running, the file contains
 * its events so far; the client requests all of them again. Saves only one game at a
 * time. The server cannot influence the path: the player gives the path, or the client
 * makes the path from the game's number. */
#include "client/online/client.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/error_words.h"
#include "common/base/translate.h"
#include "common/record/record_sign.h"
#include "common/system/disk.h"

/* Limits: no game is larger, and a server that sends more is not trusted. */
enum { TEXT_BYTES_MAX = 4 << 20, EVENTS_MAX = 20000 };

void save_clear(struct client *client)
{
    free(client->save.text.at);
    record_clear(&client->save.record);
    client->save = (struct save){.is_on = false};
}

/* --- Asking for it --- */

void save_begin(struct client *client, int64_t game, const char *path)
{
    struct save *save = &client->save;
    const struct model_game *known = model_find(&client->model, game);
    struct text text;

    if (save->is_on) {
        console_sayf(client->console,
                     _("-- game %lld is being saved; wait until that is done\n"),
                     (long long)save->game);
        return;
    }
    if (!visit_is_ready(client->visit)) {
        console_say(client->console, _("-- not connected: nothing was saved\n"));
        return;
    }
    text = text_into(save->path, sizeof save->path);
    if (path[0] != '\0')
        text_add(&text, path);
    else
        text_addf(&text, "game-%lld.record", (long long)game);
    if (text.is_cut || access(save->path, F_OK) == 0) {
        console_sayf(client->console,
                     _("-- %s exists; choose another name: save %lld FILE\n"),
                     save->path, (long long)game);
        return;
    }
    save->game = game;
    save->is_on = true;
    save->is_running = known != NULL && (known->game.phase == GAME_SETUP ||
                                         known->game.phase == GAME_PLAY);
    record_init(&save->record);
    client_sendf(client, game, true, save->is_running ? "resume %lld 0" : "record %lld",
                 (long long)game);
}

/* --- The file --- */

static void keep(struct client *client, const char *text)
{
    struct save *save = &client->save;
    const int flags =
        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC; /* never changes an existing file */
    char why[RECORD_WHY_BYTES];
    enum record_proof proof;
    struct record read;

    if (!record_read(&read, text, strlen(text), why)) {
        console_sayf(
            client->console,
            _("-- not saved: the server's answer is not a valid record (%s)\n"), why);
        return;
    }
    proof = record_sign_prove(&read, text);
    if (!disk_write_text(open(save->path, flags, 0644), text))
        console_sayf(client->console, _("-- not saved: %s: %s\n"), save->path,
                     error_words(errno));
    else if (save->is_running)
        console_sayf(client->console,
                     _("-- game %lld is saved up to now; view: janggi replay %s\n"),
                     (long long)save->game, save->path);
    else
        console_sayf(client->console,
                     _("-- game %lld is saved (%s); view: janggi replay %s\n"),
                     (long long)save->game,
                     proof == RECORD_PROVED ? _("signed by the server")
                     : proof == RECORD_UNSIGNED
                         ? _("not signed")
                         : _("its signature is WRONG: \"janggi verify\" says why"),
                     save->path);
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

void save_take_event(struct client *client, int64_t game, int number, const char *event)
{
    struct save *save = &client->save;
    char *text;

    if (!save->is_on || !save->is_running || save->game != game ||
        number != save->record.events || number >= EVENTS_MAX ||
        strlen(event) >= EVENT_BYTES)
        return;
    record_add(&save->record, event);
    if (save->events == 0 || save->record.events != save->events)
        return;
    tls_key_format(save->record.server, visit_key(client->visit));
    save->record.game = save->game;
    text = record_write(&save->record);
    keep(client, text);
    free(text);
    save_clear(client);
}

void save_take_answer(struct client *client, const struct visit_request *asked,
                      const struct proto_line *line)
{
    struct save *save = &client->save;

    if (!save->is_on || asked->game != save->game || !asked->is_quiet)
        return;
    if (line->mark != PROTO_OK) {
        save_clear(client); /* the ERR was already shown, with its reason */
    } else if (save->is_running && strcmp(asked->verb, "resume") == 0) {
        save->events = (int)model_number(line, "events", 1, MODEL_COUNT_MAX, 1);
    } else if (strcmp(asked->verb, "record") == 0) {
        char *text = record_text_take(&save->text);

        keep(client, text);
        free(text);
        save_clear(client);
    }
}
