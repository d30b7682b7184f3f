/* The calls of one transaction. Each call names a prepared statement, and has copies of
 * its parameters in PostgreSQL's binary form. This module only collects the calls in
 * memory; pg_link.h sends them. */
#ifndef SERVER_POSTGRES_PG_CALL_H
#define SERVER_POSTGRES_PG_CALL_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"
#include "server/postgres/pg_statement.h"

enum { PG_PARAMS_MAX = 16 };

struct pg_call {
    enum pg_statement statement;
    int *affected; /* gets the number of changed rows, if known; NULL: not wanted */
    int param_count;
    size_t at[PG_PARAMS_MAX]; /* where each parameter begins in pg_calls.bytes */
    int size[PG_PARAMS_MAX];  /* of each parameter, in bytes; -1: it is SQL's NULL */
};

/* The calls of one transaction. All zero: no calls. */
struct pg_calls {
    struct pg_call *call;
    int count, room;
    unsigned char *bytes;
    size_t used, bytes_room;
};

void pg_calls_clear(struct pg_calls *calls); /* keeps the memory */
void pg_calls_free(struct pg_calls *calls);

/* Begins a call; its parameters follow in their order. The result is valid until the
 * next call is begun. */
struct pg_call *pg_calls_add(struct pg_calls *calls, enum pg_statement statement);
void pg_calls_number(struct pg_calls *calls, int64_t number);
void pg_calls_text(struct pg_calls *calls, const char *text); /* NULL: SQL's NULL */
void pg_calls_bytes(struct pg_calls *calls, const void *bytes, size_t size);

/* An array that becomes a parameter. Elements are added one by one. All zero: empty. */
struct pg_array {
    unsigned char *bytes;
    size_t used, room;
    int count;
};
void pg_array_clear(struct pg_array *array); /* keeps the memory */
void pg_array_free(struct pg_array *array);
void pg_array_number(struct pg_array *array, int64_t number);
void pg_array_bytes(struct pg_array *array, const void *bytes, size_t size);
/* Adds an array as a parameter. type: N, T or B: see struct pg_statement_text. */
void pg_calls_array(struct pg_calls *calls, char type, const struct pg_array *array);

/* Returns the Oid of a parameter's type. letter: see struct pg_statement_text. */
unsigned int pg_call_type(char letter);

#endif
