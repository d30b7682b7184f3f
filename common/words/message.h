/* The catalogue of messages: the English sentence of each refusal, and of each notice whose
 * words the server sends, by its key; and the filling of any sentence with values. The
 * server sends the sentence as the words for people, and the values in it as key=value.
 * A client translates the sentence and fills it from the line. */
#ifndef COMMON_WORDS_MESSAGE_H
#define COMMON_WORDS_MESSAGE_H

#include <stdbool.h>

#include "common/base/text.h"

/* A sentence. The key is the kind of line that it is for, and may end in "?CONDITION": KEY, the
 * line has this value, which is not empty; KEY=VALUE; or KEY>NUMBER; several are joined by "&".
 * What stands in braces or brackets in the words is replaced:
 *   {key}          the value. If the key ends in _ms, it is written in whole seconds, rounded up
 *   {key:12}       the value and spaces up to 12 columns; {key:-12}: the spaces come first
 *   {key#one|many} "one" if the value is 1, else "many"
 *   [CONDITION?words|CONDITION?words|words]  the first words whose condition holds, or none
 * After a value, the Korean particles 이(가), 을(를), 은(는), 와(과) and (으)로 take the form
 * that fits the last letter. */
struct message {
    const char *key, *words;
};

/* Returns the value of `key` as it is on the line; NULL: there is none. Borrowed. */
typedef const char *message_value(const void *of, const char *key);
/* Adds the value of `key` as a reader sees it. False, and nothing is added: it is shown as
 * it is on the line. */
typedef bool message_add(struct text *out, const void *of, const char *key);

/* Where values come from. */
struct message_values {
    const void *of; /* handed to both functions */
    message_value *value;
    message_add *add; /* NULL: values are written as they are on the line */
};

/* Returns the English sentence with this key, such as "not-now/over", or
 * "not-now/login#guest" if several sentences share a code and a reason. NULL: there is
 * none. */
const char *message_find(const char *key);

/* Returns the words of the first of `messages` for `kind` whose condition holds. NULL: there
 * are none. */
const char *message_choose(const struct message *messages, size_t count,
                           const char *kind, const struct message_values *values);

/* Adds `words` with its values. False: a value is missing, and nothing was added. */
bool message_fill(struct text *out, const char *words,
                  const struct message_values *values);

/* Adds the sentence of a line, translated: of a refusal with this code, or a notice of
 * this kind. Its reason is the value of why= or what=. Sentences that share a code and a
 * reason are told apart by `human`, the words for people. If none of them makes these
 * words, for example because the server is of another version, takes the one without a
 * name of its own, if the line has its values, then that of the code alone; {words} is
 * `human`. False, and nothing is added: there is none, or `human` is the same in English. */
bool message_say(struct text *out, const char *code, const char *human,
                 const struct message_values *values);

/* Adds the value of `key` in the reader's language if it is a word of the protocol, a role
 * or a side. False, and nothing is added: it is not. */
bool message_add_term(struct text *out, const char *key, const char *value);

#endif
