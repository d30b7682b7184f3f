/* See wire_buffer.h. */
#include "common/net/wire_buffer.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/mem.h"

/* The first size of a buffer: enough for an answer and one or two events. */
enum { FIRST_BYTES = 240 };

char *wire_buffer_head(const struct wire_buffer *buffer)
{
    return buffer->at == 0 ? buffer->room : buffer->room + buffer->at;
}

char *wire_buffer_room(struct wire_buffer *buffer, size_t size)
{
    size_t wanted = buffer->len + size;

    if (buffer->at + wanted <= buffer->size)
        return buffer->room + buffer->at + buffer->len;
    if (buffer->at > 0 && buffer->len > 0)
        memmove(buffer->room, buffer->room + buffer->at, buffer->len);
    buffer->at = 0;
    if (wanted > buffer->size) {
        size_t grown = buffer->size == 0 ? FIRST_BYTES : buffer->size * 2;

        buffer->size = wanted > grown ? wanted : grown;
        buffer->room = mem_resize(buffer->room, buffer->size, 1);
    }
    return buffer->room + buffer->len;
}

void wire_buffer_added(struct wire_buffer *buffer, size_t len)
{
    assert(buffer->at + buffer->len + len <= buffer->size);
    buffer->len += len;
}

void wire_buffer_add(struct wire_buffer *buffer, const char *bytes, size_t len)
{
    if (len == 0)
        return;
    memcpy(wire_buffer_room(buffer, len), bytes, len);
    buffer->len += len;
}

void wire_buffer_insert(struct wire_buffer *buffer, size_t at, const char *bytes,
                        size_t len)
{
    char *place;

    assert(at <= buffer->len);
    if (len == 0)
        return;
    (void)wire_buffer_room(buffer, len);
    place = wire_buffer_head(buffer) + at;
    memmove(place + len, place, buffer->len - at);
    memcpy(place, bytes, len);
    buffer->len += len;
}

void wire_buffer_cut(struct wire_buffer *buffer, size_t len)
{
    assert(len <= buffer->len);
    buffer->len = len;
}

void wire_buffer_take(struct wire_buffer *buffer, size_t len)
{
    assert(len <= buffer->len);
    buffer->len -= len;
    buffer->at = buffer->len == 0 ? 0 : buffer->at + len;
}

void wire_buffer_clear(struct wire_buffer *buffer)
{
    free(buffer->room);
    *buffer = (struct wire_buffer){0};
}

void wire_spares_lend(struct wire_spares *spares, struct wire_buffer *buffer)
{
    if (buffer->room != NULL || spares->count == 0)
        return;
    buffer->room = spares->room[--spares->count];
    buffer->size = FIRST_BYTES;
}

void wire_spares_keep(struct wire_spares *spares, struct wire_buffer *buffer)
{
    if (buffer->size == FIRST_BYTES && spares->count < WIRE_SPARES_MAX) {
        spares->room[spares->count++] = buffer->room;
        buffer->room = NULL;
    }
    wire_buffer_clear(buffer);
}

void wire_spares_clear(struct wire_spares *spares)
{
    while (spares->count > 0)
        free(spares->room[--spares->count]);
}
