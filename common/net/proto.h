/* Splits and formats the lines that client and server exchange (PROTOCOL.md, "Lines"):
 * tags, words, key=value, and the text for people after " : ". Other modules know which
 * verbs and keys exist. */
#ifndef COMMON_NET_PROTO_H
#define COMMON_NET_PROTO_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/base.h"

enum {
    PROTO_PORT = 9032,
    PROTO_LINE_LOGIN_MAX = 512, /* limit of a line in bytes before login */
    PROTO_LINE_MAX = 4096,      /* limit after login, and of each line from the
                                 * server */
    PROTO_WORDS_MAX = 48, /* the longest lines, `state` and `seek` with all terms of a
                           * game, have about 35 words */
    PROTO_TAG_BYTES = 17
};
#define PROTO_ALPN "janggi/1"

/* --- What a client sends --- */

struct proto_command {
    char tag[PROTO_TAG_BYTES]; /* "#7", or "" */
    int words;
    char *word[PROTO_WORDS_MAX]; /* word[0] is the verb; all point into the line */
    const char *rest;            /* all text after the verb, as typed: `say` needs its
                                  * text unsplit */
};

/* Splits line in place. The caller owns line and rest_room. rest_room has rest_size
 * bytes and gets a copy of the line as typed, without leading spaces. out->rest points
 * into that copy. False: the tag is invalid, or rest_room is too small. For an empty
 * line, the function returns true and sets out->words to 0. If the line has more than
 * PROTO_WORDS_MAX words, the last word is the unsplit rest of the line. Only a command
 * with a long text, such as `say`, has so many words, and the text is read from
 * out->rest. */
bool proto_parse_command(char *line, char *rest_room, size_t rest_size,
                         struct proto_command *out) MUST_USE;

/* --- What a server sends --- */

/* Formats a line and its LF into `line`, which has `size` bytes. Adds no NUL. Returns
 * the length with the LF. The caller must know that the line fits: a longer one is a
 * bug, and ends the program. */
size_t proto_format_line(char *line, size_t size, const char *format, va_list args)
    PRINTF_LIKE(3, 0);

/* The mark of a line: its first word after the tag. Each comment below begins with the
 * mark itself. */
enum proto_mark {
    PROTO_GREETING, /* * */
    PROTO_OK,       /* OK */
    PROTO_ERR,      /* ERR */
    PROTO_NEWS,     /* ! event or notice */
    PROTO_TEXT,     /* | one line of a longer text; `human` is that line, not split into
                     * words */
    PROTO_STRANGE   /* an invalid line, or an unknown mark, perhaps of a later version:
                     * ignore the line */
};

struct proto_line {
    char tag[PROTO_TAG_BYTES];
    enum proto_mark mark;
    int words;
    char *word[PROTO_WORDS_MAX]; /* the words between the mark and " : "; quotes of
                                  * values are removed */
    const char *human;           /* the text after " : "; "" if there is none */
};

/* Splits line, which is changed. An invalid line becomes PROTO_STRANGE. */
void proto_parse_line(char *line, struct proto_line *out);
/* Returns the value of key=value among the words, without quotes; NULL if the key is
 * missing. */
const char *proto_line_value(const struct proto_line *line, const char *key);
/* Returns the value of key=value as a number. Returns fallback when the key is missing
 * or the value is not a number. */
int64_t proto_line_number(const struct proto_line *line, const char *key,
                          int64_t fallback);

/* Parses an event, "! game GAME NUMBER TEXT"; *text points into line. Call it before
 * proto_parse_line(), which changes the line; this function does not. False: line is
 * not an event. */
enum { PROTO_EVENTS_MAX = 1000000 }; /* limit of events in one game */
bool proto_cut_event(const char *line, int64_t *game, int *number,
                     const char **text) MUST_USE;

/* --- Reply codes --- */

/* A word with = in a comment below is a key that the reply has. */
enum reply {
    REPLY_OK,
    REPLY_UNKNOWN,   /* the server knows no such verb */
    REPLY_ARGS,      /* wrong arguments */
    REPLY_NOT_NOW,   /* not possible in this state: before login, no game, game over */
    REPLY_SLOW_DOWN, /* too many lines; retry=SECONDS */
    REPLY_LINE,      /* the line itself is invalid: too long, not text */
    REPLY_NAME,      /* an invalid name, or a name in use */
    REPLY_PROOF,     /* the proof sent with the name is missing or wrong */
    REPLY_NO_SUCH,   /* unknown game, offer, seek, player or code */
    REPLY_WHICH,     /* the player has several games, and named none */
    REPLY_ILLEGAL,   /* refused by the rules; why= at= */
    REPLY_STALE,     /* the command is for a ply that is not the next one; ply= */
    REPLY_LIMIT,     /* a limit is reached; what= max= */
    REPLY_ENTRY      /* this server does not allow the client to do that; why= */
};
enum { REPLIES = REPLY_ENTRY + 1 };
/* Returns the code in the protocol: "ok", "unknown", "args" ... */
const char *reply_code(enum reply reply);

#endif
