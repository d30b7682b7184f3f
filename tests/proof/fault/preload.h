/* Shared by preload.c and the programs that load it: the kinds of calls that preload.c
 * can make fail, in the order in which a tally counts them. */
#ifndef TESTS_PROOF_FAULT_PRELOAD_H
#define TESTS_PROOF_FAULT_PRELOAD_H

#include <stdint.h>

enum fault_kind { FAULT_WRITE, FAULT_SYNC, FAULT_OPEN, FAULT_MEMORY, FAULT_ACCEPT };
enum { FAULT_KINDS = FAULT_ACCEPT + 1 };

/* The values of JANGGI_FAULT_CALL, in the order of enum fault_kind. */
#define FAULT_KIND_NAMES "write", "sync", "open", "memory", "accept"

#endif
