/* The catalogue of messages: the English sentence of each refusal, and of
 * many notices, by its key. The
 * server sends the sentence as the words for people, and the values in it as key=value.
 * A client translates the sentence and fills it from the line. */
#ifndef COMMON_WORDS_MESSAGE_H
#define COMMON_WORDS_MESSAGE_H

#include <stdbool.h>

#include "common/base/text.h"

/* Returns the value of `key`; NULL: the message has none. Borrowed. */
typedef const char *message_value(const void *of, const char *key);

/* Returns the English sentence with this key, such as "not-now/over", or
 * "not-now/login#guest" if several sentences share a code and a reason. NULL: there is
 * none. */
const char *message_find(const char *key);

/* Adds `words` to `out`, with each {key} replaced by its value; the value of a key that
 * ends in _ms is written in whole seconds, rounded up. After a value, the Korean particles 이(가), 을(를), 은(는), 와(과) and (으)로 take the form that fits the last
 * letter. False: a value is missing, and nothing was added. */
bool message_fill(struct text *out, const char *words, message_value *value,
                  const void *of);

/* Adds the sentence of a line, translated: of a refusal with this code, or a notice of
 * this kind. Its reason is the value of why= or what=. Sentences that share a code and a
 * reason are told apart by `human`, the words for people. If none of them makes these
 * words, for example because the server is of another version, takes the one without a
 * name of its own, if the line has its values, then that of the code alone. `value`
 * returns the values as they are on the line, `shown` as a reader sees them; {words} is
 * `human`. False, and nothing is added: there is none, or `human` is the same in English. */
bool message_say(struct text *out, const char *code, const char *human,
                 message_value *value, message_value *shown, const void *of);

/* Returns `value`, that of `key`, in the reader's language if it is a word of the protocol,
 * such as a role or a side. Both functions `shown` use it. */
const char *message_shown(const char *key, const char *value);

#endif
