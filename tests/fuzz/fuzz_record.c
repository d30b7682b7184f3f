/* Feeds the input to the parsers of records. The first byte of the input selects the
 * format. A record that is accepted must be the same after it is written and read back.
 * A refusal must be one line without control bytes. */
#include "client/formats/record_gib.h"
#include "client/formats/record_json.h"
#include "client/formats/record_pgn.h"
#include "tests/fuzz/fuzz.h"

typedef char *writer(const struct record *record, const struct game *game,
                     const struct record_note *notes);
typedef bool reader(struct record *out, const char *text, struct record_import *import);

static void check_line(const char *words)
{
    fuzz_require(words[0] != '\0' && strlen(words) < RECORD_WHY_BYTES);
    for (; *words != '\0'; words++)
        fuzz_require((unsigned char)*words >= ' ');
}

/* Checks that the record is the same after it was written and read in our own
 * format. */
static void check_own(const struct record *record)
{
    char *text = record_write(record), *twice, why[RECORD_WHY_BYTES];
    struct record again;

    fuzz_require(record_read(&again, text, strlen(text), why));
    twice = record_write(&again);
    fuzz_require(strcmp(text, twice) == 0);
    free(text);
    free(twice);
    record_clear(&again);
}

/* Checks that the record, written in a foreign format, can be read again and is a valid
 * record. */
static void check_round(const struct record *record, const struct game *game,
                        writer *write, reader *read)
{
    struct record_import import = {.number = 1};
    char *text = write(record, game, NULL);
    struct record again;

    if (read(&again, text, &import)) {
        check_own(&again);
        record_clear(&again);
    } else {
        fuzz_require(0);
    }
    free(import.notes.at);
    free(text);
}

static void check_record(const struct record *record)
{
    char why[RECORD_WHY_BYTES], *text;
    struct game game;

    check_own(record);
    game_init(&game);
    fuzz_require(record_fold(record, &game, why));
    if (game.phase != GAME_EMPTY) {
        text = record_json_write(record, &game);
        free(text);
    }
    if (record_has_play(&game)) {
        check_round(record, &game, record_gib_write, record_gib_read);
        check_round(record, &game, record_pgn_write, record_pgn_read);
    }
    game_clear(&game);
}

static void read_own(const char *text, size_t len)
{
    char why[RECORD_WHY_BYTES];
    struct record record;

    if (!record_read(&record, text, len, why)) {
        check_line(why);
        return;
    }
    check_record(&record);
    record_clear(&record);
}

static void read_foreign(const char *text, reader *read)
{
    struct record_import import = {.number = 1};
    struct record record;

    if (read(&record, text, &import)) {
        check_record(&record);
        record_clear(&record);
    } else {
        check_line(import.why);
    }
    free(import.notes.at);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text;

    if (size == 0)
        return 0;
    text = fuzz_text(data + 1, size - 1);
    if (data[0] == 'g')
        read_foreign(text, record_gib_read);
    else if (data[0] == 'p')
        read_foreign(text, record_pgn_read);
    else
        read_own(text, size - 1);
    free(text);
    return 0;
}
