/* Hash tables for keys that come from other people, such as names and addresses. The
 * tables are uthash with a keyed hash (SipHash-1-3), so that an attacker cannot choose
 * keys that share a bucket. The hash key is random for each process. Include this file
 * instead of uthash.h: all files that use one table must use the same hash function.
 * When memory is exhausted, a table aborts the process as mem.h does. (uthash by itself
 * would exit with status 255, which the manuals do not list.) */
#ifndef COMMON_BASE_TABLE_H
#define COMMON_BASE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/mem.h"

#define HASH_FUNCTION(keyptr, keylen, hashv)                                           \
    ((hashv) = (unsigned)table_hash((keyptr), (keylen)))
#define uthash_malloc(size) mem_new(size)
#include <uthash.h>

/* Hashes len bytes with the hash key of this process. */
uint64_t table_hash(const void *bytes, size_t len);

/* Hashes len bytes with SipHash-1-3 and the caller's key. Use it for hashes that must
 * stay the same after a restart of the process. */
enum { TABLE_KEY_BYTES = 16 };
uint64_t table_hash_with(const unsigned char key[TABLE_KEY_BYTES], const void *bytes,
                         size_t len);

#endif
