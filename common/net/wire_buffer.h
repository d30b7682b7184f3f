/* A queue of bytes: appended at the end, removed from the front. Has no memory before
 * the first byte is added and after wire_buffer_clear(), so that an idle connection
 * needs none. */
#ifndef COMMON_NET_WIRE_BUFFER_H
#define COMMON_NET_WIRE_BUFFER_H

#include <stddef.h>

/* If all members are zero, the buffer is empty. */
struct wire_buffer {
    char *room;
    size_t size; /* number of bytes allocated for room */
    size_t at;   /* index in `room` of the first queued byte */
    size_t len;  /* number of queued bytes */
};

/* Returns the place of the first queued byte. */
char *wire_buffer_head(const struct wire_buffer *buffer);
/* Reserves at least size bytes behind the queued bytes and returns their place. The
 * caller writes there, and then tells wire_buffer_added() how many bytes it wrote. */
char *wire_buffer_room(struct wire_buffer *buffer, size_t size);
/* Adds the len bytes that the caller wrote after wire_buffer_room(). */
void wire_buffer_added(struct wire_buffer *buffer, size_t len);
/* Adds a copy of len bytes. */
void wire_buffer_add(struct wire_buffer *buffer, const char *bytes, size_t len);
/* Adds a copy of len bytes behind the first `at` queued bytes. */
void wire_buffer_insert(struct wire_buffer *buffer, size_t at, const char *bytes,
                        size_t len);
/* Removes all but the first len bytes. */
void wire_buffer_cut(struct wire_buffer *buffer, size_t len);
/* Removes the first len bytes. Keeps the memory. */
void wire_buffer_take(struct wire_buffer *buffer, size_t len);
/* Removes all bytes and frees the memory. */
void wire_buffer_clear(struct wire_buffer *buffer);

/* Memory of cleared buffers, kept for reuse. One turn of the loop may fill and clear
 * hundreds of buffers, more than malloc() keeps in its cache. All zero: no memory is
 * kept. */
enum { WIRE_SPARES_MAX = 512 }; /* 240 bytes each: 120 KB */
struct wire_spares {
    int count;
    char *room[WIRE_SPARES_MAX];
};

/* Gives memory from *spares to a buffer that has none. Does nothing if *spares has
 * none. */
void wire_spares_lend(struct wire_spares *spares, struct wire_buffer *buffer);
/* Clears a buffer. If the buffer's memory still has its first size and *spares has
 * room, keeps the memory in *spares. Otherwise frees the memory. */
void wire_spares_keep(struct wire_spares *spares, struct wire_buffer *buffer);
void wire_spares_clear(struct wire_spares *spares);

#endif
