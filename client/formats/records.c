/* See records.h. */
#include "client/formats/records.h"

#include <errno.h>
#include <iconv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/formats/notation.h"
#include "client/formats/record_gib.h"
#include "client/formats/record_json.h"
#include "client/formats/record_pgn.h"
#include "common/base/error_words.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/base/utf8.h"

/* FILE_MOST: the largest file, in bytes. No known collection of games is as large. */
enum { FILE_MOST = 64 << 20, READ_BYTES = 1 << 16 };

/* Prints an error for path. Always returns false, so that callers can return its
 * result. */
static PRINTF_LIKE(2, 3) bool complain(const char *path, const char *format, ...)
{
    char shown[256];
    va_list args;

    utf8_escape(shown, sizeof shown,
                strcmp(path, "-") == 0 ? _("standard input") : path);
    fprintf(stderr, "janggi: %s: ", shown);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return false;
}

/* --- Formats --- */

static const char *const format_names[] = {
    [RECORDS_RECORD] = "record", [RECORDS_GIB] = "gib", [RECORDS_PGN] = "pgn",
    [RECORDS_JSON] = "json",     [RECORDS_FEN] = "fen",
};

bool records_find_format(const char *name, enum records_format *out)
{
    int found = text_find_word(format_names, ARRAY_LEN(format_names), name);

    if (found >= 0)
        *out = (enum records_format)found;
    return found >= 0;
}

/* Detects the format: our own record by its first line, GIB by Korean tags or words,
 * PGN by another tag or a move number at the start. */
static enum records_format guess_format(const char *text)
{
    static const char *const korean[] = {"[초",   "[한",   "[판 ",
                                         "[대국", "[대회", "한수쉼"};

    if (strncmp(text, "janggi-record ", strlen("janggi-record ")) == 0)
        return RECORDS_RECORD;
    for (size_t i = 0; i < ARRAY_LEN(korean); i++)
        if (strstr(text, korean[i]) != NULL)
            return RECORDS_GIB;
    text += strspn(text, " \n");
    return *text == '[' || *text == '1' ? RECORDS_PGN : RECORDS_UNKNOWN;
}

/* --- Bytes --- */

char *records_read_bytes(const char *path, size_t most, size_t *len)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "re");
    size_t room = 0, got;
    char *text = NULL;
    int reason = 0;

    if (file == NULL)
        return NULL;
    *len = 0;
    do {
        if (*len + READ_BYTES >= room) {
            room = room * 2 + READ_BYTES + 1;
            text = mem_resize(text, room, 1);
        }
        got = fread(text + *len, 1, READ_BYTES, file);
        *len += got;
    } while (got == READ_BYTES && *len <= most);
    text[*len] = '\0';
    if (ferror(file) || *len > most) {
        reason = ferror(file) ? errno : EFBIG;
        free(text);
        text = NULL;
    }
    if (!is_stdin)
        fclose(file);
    errno = reason;
    return text;
}

/* --- Characters --- */

/* Removes bytes that have no meaning but occur in old files: 0xFF, the DOS end-of-file
 * mark, CR, and the byte order mark at the beginning. Replaces tabs with spaces. */
static void drop_strays(struct records_file *file)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t from = strncmp(file->text, mark, strlen(mark)) == 0 ? strlen(mark) : 0,
           to = 0;

    for (; from < file->len; from++) {
        char *c = &file->text[from];

        if (*c == '\t')
            *c = ' ';
        if (*c != '\xff' && *c != '\x1a' && *c != '\r')
            file->text[to++] = *c;
    }
    file->text[to] = '\0';
    file->len = to;
}

/* Converts text to another encoding; the caller frees the result. Returns NULL with the
 * offset in *at if a character cannot be converted. */
static char *recode(const char *text, size_t len, const char *to, const char *from,
                    size_t *out_len, size_t *at)
{
    iconv_t codes = iconv_open(to, from);
    size_t room = len * 3 + 16, left = room; /* 2 bytes of cp949 give 3 of UTF-8 */
    char *in = (char *)(uintptr_t)text;      /* iconv does not modify its input */
    char *out, *end;
    size_t done;

    *at = 0;
    if (codes == (iconv_t)-1)
        return NULL;
    end = out = mem_resize(NULL, room, 1);
    done = iconv(codes, &in, &len, &end, &left);
    if (done != (size_t)-1)
        done = iconv(codes, NULL, NULL, &end, &left);
    iconv_close(codes);
    *out_len = (size_t)(end - out);
    *at = (size_t)(in - text);
    if (done != (size_t)-1) {
        *end = '\0';
        return out;
    }
    free(out);
    return NULL;
}

static int line_at(const char *text, size_t at)
{
    int line = 1;

    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

/* Returns the number of the first line with unprintable bytes, or 0. */
static int find_unshowable(const struct records_file *file)
{
    const char *line = file->text, *end = file->text + file->len;

    for (int number = 1; line < end; number++) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        size_t len = (size_t)((next == NULL ? end : next) - line);

        if (!utf8_is_showable(line, len))
            return number;
        line += len + 1;
    }
    return 0;
}

/* Converts the text to UTF-8 and drops stray bytes. Does not change a record in our own
 * format, because its signature covers every byte. Returns false after printing the
 * reason. */
static bool decode(struct records_file *file, const char *path)
{
    int line;
    bool is_ours = guess_format(file->text) == RECORDS_RECORD;

    if (!is_ours)
        drop_strays(file);
    if (!is_ours && find_unshowable(file) > 0) {
        size_t len = 0, at;
        /* UTF-8 may contain control characters, which are refused below */
        char *text = recode(file->text, file->len, "UTF-8", "UTF-8", &len, &at);
        if (text == NULL)
            text = recode(file->text, file->len, "UTF-8", "CP949", &len, &at);
        if (text == NULL)
            return complain(path, _("line %d is neither UTF-8 nor cp949"),
                            line_at(file->text, at));
        free(file->text);
        file->text = text;
        file->len = len;
    }
    line = find_unshowable(file);
    return line == 0 ||
           complain(path, _("line %d contains characters that cannot be shown"), line);
}

/* --- Reading --- */

static bool read_as_format(struct records_file *file, const char *path,
                           const struct records_wish *wish)
{
    struct record_import import = {.rules = wish->rules, .number = wish->number};
    char why[RECORD_WHY_BYTES];
    bool is_read;

    switch (file->format) {
    case RECORDS_RECORD:
        return record_read(&file->record, file->text, file->len, why) ||
               complain(path, "%s", why);
    case RECORDS_GIB:
    case RECORDS_PGN:
        is_read = file->format == RECORDS_GIB
                      ? record_gib_read(&file->record, file->text, &import)
                      : record_pgn_read(&file->record, file->text, &import);
        for (char *note = import.notes.at, *end; note != NULL && *note != '\0';
             note = end + 1) {
            end = strchr(note, '\n');
            *end = '\0';
            complain(path, "%s", note);
        }
        free(import.notes.at);
        return is_read || complain(path, "%s", import.why);
    case RECORDS_UNKNOWN:
        return complain(path,
                        _("not a record, GIB or PGN; to force a format: --from gib"));
    default:
        return complain(path, _("%s is a format that can be written but not read"),
                        format_names[file->format]);
    }
}

bool records_take(struct records_file *out, const char *name, char *text, size_t len,
                  const struct records_wish *wish)
{
    char why[RECORD_WHY_BYTES];
    bool is_read;

    *out = (struct records_file){.format = wish->from, .text = text, .len = len};
    record_init(&out->record);
    game_init(&out->game);
    is_read = decode(out, name);
    if (out->format == RECORDS_UNKNOWN)
        out->format = guess_format(out->text);
    is_read = is_read && read_as_format(out, name, wish) &&
              (record_fold(&out->record, &out->game, why) || complain(name, "%s", why));
    if (!is_read)
        records_clear(out);
    return is_read;
}

bool records_read(struct records_file *out, const char *path,
                  const struct records_wish *wish)
{
    size_t len;
    char *text = records_read_bytes(path, FILE_MOST, &len);

    if (text != NULL)
        return records_take(out, path, text, len, wish);
    return errno == EFBIG
               ? complain(path, _("larger than the limit of %d MiB"), FILE_MOST >> 20)
               : complain(path, _("cannot be read: %s"), error_words(errno));
}

void records_clear(struct records_file *file)
{
    free(file->text);
    record_clear(&file->record);
    game_clear(&file->game);
    *file = (struct records_file){.text = NULL};
}

/* --- Writing --- */

char *records_write(const struct records_file *file, enum records_format to)
{
    const struct record *record = &file->record;
    const struct game *game = &file->game;
    struct record_text text = {.at = NULL};
    char fen[NOTATION_FEN_BYTES];

    if (to == RECORDS_RECORD && file->format == RECORDS_RECORD)
        return mem_copy_text(file->text); /* copy unchanged: the bytes are signed */
    if (to == RECORDS_RECORD)
        return record_write(record);
    if (to == RECORDS_JSON)
        return record_json_write(record, game);
    if (!record_has_play(game)) {
        fputs(_("janggi: the players have not set up yet, so there are no moves to "
                "write; use --to record or json\n"),
              stderr);
        return NULL;
    }
    if (to == RECORDS_GIB)
        return record_gib_write(record, game, NULL);
    if (to == RECORDS_PGN)
        return record_pgn_write(record, game, NULL);
    notation_fen_format(fen, &game->position);
    record_text_addf(&text, "%s\n", fen);
    return record_text_take(&text);
}

static bool write_bytes(const char *bytes, size_t len)
{
    if (fwrite(bytes, 1, len, stdout) == len && fflush(stdout) == 0)
        return true;
    return complain(_("standard output"), _("cannot be written: %s"),
                    error_words(errno));
}

bool records_print(const char *text, bool is_cp949)
{
    size_t len = strlen(text), at;
    bool is_written;
    char *coded;

    if (!is_cp949)
        return write_bytes(text, len);
    coded = recode(text, len, "CP949", "UTF-8", &len, &at);
    if (coded == NULL)
        return complain(_("standard output"),
                        _("line %d has a character that cp949 does not have; use "
                          "UTF-8, without --encoding"),
                        line_at(text, at));
    is_written = write_bytes(coded, len);
    free(coded);
    return is_written;
}
