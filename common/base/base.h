/* Defines ARRAY_LEN, macros for compiler attributes, and the length of a day. Nothing else
 * belongs here. */
#ifndef COMMON_BASE_BASE_H
#define COMMON_BASE_BASE_H

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

enum { DAY_S = 24 * 60 * 60, DAY_MS = DAY_S * 1000 };

#if defined(__GNUC__)
#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(format_at, args_at)                                                \
    __attribute__((format(printf, format_at, args_at)))
#define FORMAT_OF(at) __attribute__((format_arg(at)))
#define NO_RETURN     __attribute__((noreturn))
#else
#define MUST_USE
#define PRINTF_LIKE(format_at, args_at)
#define FORMAT_OF(at)
#define NO_RETURN
#endif

/* Returns a pointer to the struct of type `type` whose member `member` is *at. The caller
 * includes stddef.h. */
#define OWNER_OF(at, type, member)                                                     \
    ((type *)(void *)((char *)(at)-offsetof(type, member)))

#endif
