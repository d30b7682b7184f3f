/* Saves a game to a file. If the game is over, the file contains the record that the
 * server sends, usually with its signature. If the game is running, the file contains
 * its events so far; the client requests all of them again. Saves only one game at a
 * time. The server cannot influence the path: the player gives the path, or the client
 * makes the path from the game's number. */
#include "client/play/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/error_words.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/record/record_sign.h"
#include "common/system/disk.h"

/* Limits: no game is larger, and a server that sends more is not trusted. */
enum { TEXT_BYTES_MAX = 4 << 20, EVENTS_MAX = 20000 };

void save_clear(struct save *save)
{
    free(save->text.at);
    record_clear(&save->record);
    *save = (struct save){.talk = save->talk};
}

/* --- Asking for it --- */

void save_begin(struct save *save, int64_t game, const char *path)
{
    const struct model_game *known = model_find(&save->talk->model, game);
    struct text text = text_into(save->path, sizeof save->path);

    if (save->is_on) {
        console_sayf(save->talk->console,
                     _("-- game %lld is being saved; wait until that is done\n"),
                     (long long)save->game);
        return;
    }
    if (!visit_is_ready(save->talk->visit)) {
        console_say(save->talk->console, _("-- not connected: nothing was saved\n"));
        return;
    }
    if (path[0] != '\0')
        text_add(&text, path);
    else
        text_addf(&text, "game-%lld.record", (long long)game);
    if (text.is_cut || access(save->path, F_OK) == 0) {
        console_sayf(save->talk->console,
                     _("-- %s exists; choose another name: save %lld FILE\n"),
                     save->path, (long long)game);
        return;
    }
    save->game = game;
    save->is_on = true;
    save->is_running = known != NULL && (known->game.phase == GAME_SETUP ||
                                         known->game.phase == GAME_PLAY);
    record_init(&save->record);
    talk_sendf(save->talk, game, true,
               save->is_running ? "resume %lld 0" : "record %lld", (long long)game);
}

/* --- The file --- */

static void keep(struct save *save, const char *text)
{
    const int flags =
        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC; /* never changes an existing file */
    char why[RECORD_WHY_BYTES];
    enum record_proof proof;
    struct record read;

    if (!record_read(&read, text, strlen(text), why)) {
        console_sayf(
            save->talk->console,
            _("-- not saved: the server's answer is not a valid record (%s)\n"), why);
        return;
    }
    proof = record_sign_prove(&read, text);
    if (!disk_write_text(open(save->path, flags, 0644), text))
        console_sayf(save->talk->console, _("-- not saved: %s: %s\n"), save->path,
                     error_words(errno));
    else if (save->is_running)
        console_sayf(save->talk->console,
                     _("-- game %lld is saved up to now; view: janggi replay %s\n"),
                     (long long)save->game, save->path);
    else
        console_sayf(save->talk->console,
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

void save_take_line(struct save *save, const char *line)
{
    if (!save->is_on || save->is_running || save->text.len > TEXT_BYTES_MAX)
        return;
    record_text_add(&save->text, line);
    record_text_add(&save->text, "\n");
}

void save_take_event(struct save *save, int64_t game, int number, const char *event)
{
    char *text;

    if (!save->is_on || !save->is_running || save->game != game ||
        number != save->record.events || number >= EVENTS_MAX ||
        strlen(event) >= EVENT_BYTES)
        return;
    record_add(&save->record, event);
    if (save->events == 0 || save->record.events != save->events)
        return;
    tls_key_format(save->record.server, visit_key(save->talk->visit));
    save->record.game = save->game;
    text = record_write(&save->record);
    keep(save, text);
    free(text);
    save_clear(save);
}

void save_take_answer(struct save *save, const struct visit_request *asked,
                      const struct proto_line *line)
{
    if (!save->is_on || asked->game != save->game || !asked->is_quiet)
        return;
    if (line->mark != PROTO_OK) {
        save_clear(save); /* the ERR was already shown, with its reason */
    } else if (save->is_running && strcmp(asked->verb, "resume") == 0) {
        save->events = (int)model_number(line, "events", 1, MODEL_COUNT_MAX, 1);
    } else if (strcmp(asked->verb, "record") == 0) {
        char *text = record_text_take(&save->text);

        keep(save, text);
        free(text);
        save_clear(save);
    }
}
