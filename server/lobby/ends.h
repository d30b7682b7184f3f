/* Tells players about the ends of games that they have possibly not seen. The store
 * remembers such an end until the player has certainly seen it. The player has
 * certainly seen it if the server has sent the end to a session of the player, and this
 * session has sent a command after that. */
#ifndef SERVER_LOBBY_ENDS_H
#define SERVER_LOBBY_ENDS_H

#include <stdint.h>

struct account;
struct rooms;
struct session;
struct sessions;
struct store;
struct store_past;

/* The modules that the functions below use. All are borrowed. */
struct ends {
    struct store *store;
    struct sessions *sessions;
    struct rooms *rooms;
};

/* Writes "game 3 red=hong ... ended_s=1795000000"; `sep` is the character between
 * "game" and the number. */
enum { ENDS_WORDS_BYTES = 320 };
void ends_format(char out[ENDS_WORDS_BYTES], const struct store_past *past, char sep);

/* Notes that `account` has possibly not seen the end of `game`. If the account has a
 * session, the room of the game sends the end to this session. So the end is also
 * recorded as sent to this session. */
void ends_note(struct ends *ends, struct account *account, int64_t game);
/* Reads from the store the ends of games that `account` has not seen, and sends them to
 * its session. */
void ends_tell(struct ends *ends, struct account *account);
/* Call it when `session` has sent a command. This shows that the player has seen the
 * ends that were sent to the session before, and the store forgets them. */
void ends_heard(struct ends *ends, struct session *session);

#endif
