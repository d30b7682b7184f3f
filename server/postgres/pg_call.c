/* See pg_call.h. */
#include "server/postgres/pg_call.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/log.h"
#include "common/base/mem.h"

/* Numbers of types from the table pg_type; they never change. */
enum {
    TYPE_BYTEA = 17,
    TYPE_INT8 = 20,
    TYPE_TEXT = 25,
    TYPE_BYTEA_ARRAY = 1001,
    TYPE_TEXT_ARRAY = 1009,
    TYPE_INT8_ARRAY = 1016
};

unsigned int pg_call_type(char letter)
{
    switch (letter) {
    case 'n':
        return TYPE_INT8;
    case 't':
        return TYPE_TEXT;
    case 'b':
        return TYPE_BYTEA;
    case 'N':
        return TYPE_INT8_ARRAY;
    case 'T':
        return TYPE_TEXT_ARRAY;
    case 'B':
        return TYPE_BYTEA_ARRAY;
    default:
        log_die("postgres bug=\"a parameter of type %c\"", letter);
    }
}

static void put_32(unsigned char out[4], uint32_t number)
{
    for (int i = 0; i < 4; i++)
        out[i] = (unsigned char)(number >> (24 - 8 * i));
}

static void put_64(unsigned char out[8], int64_t number)
{
    put_32(out, (uint32_t)((uint64_t)number >> 32));
    put_32(out + 4, (uint32_t)(uint64_t)number);
}

/* Appends `size` bytes to *block, which grows if necessary. *used: the number of bytes
 * in use; *room: the number of bytes allocated. */
static void append(unsigned char **block, size_t *used, size_t *room, const void *bytes,
                   size_t size)
{
    while (*used + size > *room) {
        *room = *room == 0 ? 4096 : 2 * *room;
        *block = mem_resize(*block, *room, 1);
    }
    if (size > 0)
        memcpy(*block + *used, bytes, size);
    *used += size;
}

/* --- Calls --- */

void pg_calls_clear(struct pg_calls *calls)
{
    calls->count = 0;
    calls->used = 0;
}

void pg_calls_free(struct pg_calls *calls)
{
    free(calls->call);
    free(calls->bytes);
    *calls = (struct pg_calls){0};
}

struct pg_call *pg_calls_add(struct pg_calls *calls, enum pg_statement statement)
{
    struct pg_call *call;

    calls->call =
        mem_grow(calls->call, calls->count, &calls->room, 32, sizeof *calls->call);
    call = &calls->call[calls->count++];
    *call = (struct pg_call){.statement = statement};
    return call;
}

static void add_param(struct pg_calls *calls, const void *bytes, size_t size)
{
    struct pg_call *call = &calls->call[calls->count - 1];

    assert(call->param_count < PG_PARAMS_MAX && size <= INT_MAX);
    call->at[call->param_count] = calls->used;
    call->size[call->param_count++] = bytes != NULL ? (int)size : -1;
    append(&calls->bytes, &calls->used, &calls->bytes_room, bytes,
           bytes != NULL ? size : 0);
}

void pg_calls_number(struct pg_calls *calls, int64_t number)
{
    unsigned char bytes[8];

    put_64(bytes, number);
    add_param(calls, bytes, sizeof bytes);
}

void pg_calls_text(struct pg_calls *calls, const char *text)
{
    add_param(calls, text, text != NULL ? strlen(text) : 0);
}

void pg_calls_bytes(struct pg_calls *calls, const void *bytes, size_t size)
{
    add_param(calls, bytes, size);
}

/* --- Arrays: elements as their size and their bytes; the head is added at the end
 * --- */

void pg_array_clear(struct pg_array *array)
{
    array->used = 0;
    array->count = 0;
}

void pg_array_free(struct pg_array *array)
{
    free(array->bytes);
    *array = (struct pg_array){0};
}

void pg_array_bytes(struct pg_array *array, const void *bytes, size_t size)
{
    unsigned char head[4];

    put_32(head, (uint32_t)size);
    append(&array->bytes, &array->used, &array->room, head, sizeof head);
    append(&array->bytes, &array->used, &array->room, bytes, size);
    array->count++;
}

void pg_array_number(struct pg_array *array, int64_t number)
{
    unsigned char bytes[8];

    put_64(bytes, number);
    pg_array_bytes(array, bytes, sizeof bytes);
}

/* Adds an array as a parameter, in the binary form of PostgreSQL: its dimensions (1),
 * whether it has NULLs (0), the type of an element, the number of elements, the first
 * index (1), the elements. */
void pg_calls_array(struct pg_calls *calls, char type, const struct pg_array *array)
{
    unsigned char head[20];
    struct pg_call *call;

    put_32(head, 1);
    put_32(head + 4, 0);
    put_32(head + 8, pg_call_type((char)(type + ('a' - 'A'))));
    put_32(head + 12, (uint32_t)array->count);
    put_32(head + 16, 1);
    add_param(calls, head, sizeof head);
    append(&calls->bytes, &calls->used, &calls->bytes_room, array->bytes, array->used);
    call = &calls->call[calls->count - 1];
    call->size[call->param_count - 1] += (int)array->used;
}
