/* Bytes that wait in a line: put in behind, taken out in front. Owns memory only while
 * something waits, so that an idle connection costs none. */
#ifndef COMMON_NET_WIRE_BUFFER_H
#define COMMON_NET_WIRE_BUFFER_H

#include <stddef.h>

/* All zero is an empty one. */
struct wire_buffer {
    char *room;
    size_t size; /* of room */
    size_t at;   /* where what waits begins */
    size_t len;  /* how much waits */
};

/* The first byte that waits. */
char *wire_buffer_head(const struct wire_buffer *buffer);
/* At least size bytes of room behind what waits; wire_buffer_added() tells how many
 * were put there. */
char *wire_buffer_room(struct wire_buffer *buffer, size_t size);
void wire_buffer_added(struct wire_buffer *buffer, size_t len);
void wire_buffer_add(struct wire_buffer *buffer, const char *bytes, size_t len);
/* The first len bytes are done with. Keeps the room. */
void wire_buffer_take(struct wire_buffer *buffer, size_t len);
/* Nothing waits any more, and the room goes back. */
void wire_buffer_clear(struct wire_buffer *buffer);

#endif
