/* See record_text.h. */
#include "common/record/record_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/mem.h"

enum { ROOM_FIRST = 1024, PIECE_BYTES = 1024 };

static void add_bytes(struct record_text *text, const char *bytes, size_t len)
{
    if (len >= text->room - text->len) {
        size_t room = text->room + len;

        text->room = room < ROOM_FIRST ? ROOM_FIRST : room * 2;
        text->at = mem_resize(text->at, text->room, 1);
    }
    memcpy(text->at + text->len, bytes, len);
    text->len += len;
    text->at[text->len] = '\0';
}

void record_text_add(struct record_text *text, const char *words)
{
    add_bytes(text, words, strlen(words));
}

void record_text_addf(struct record_text *text, const char *format, ...)
{
    char piece[PIECE_BYTES];
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (len > 0)
        add_bytes(text, piece, strlen(piece));
}

char *record_text_take(struct record_text *text)
{
    char *at;

    record_text_add(text, "");
    at = text->at;
    *text = (struct record_text){.at = NULL};
    return at;
}
