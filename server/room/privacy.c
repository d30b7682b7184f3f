/* See privacy.h. */
#include "server/room/privacy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <utlist.h>

#include "common/base/log.h"
#include "common/base/text.h"
#include "server/account/accounts.h"
#include "server/account/code.h"
#include "server/account/marks.h"
#include "server/net/session.h"
#include "server/room/feed.h"
#include "server/room/presence.h"
#include "server/room/room.h"

/* --- Whom players ignore and block --- */

/* The word for all guests is MARK_GUESTS, because the names of guests are temporary. */
static bool has_mark(const struct marks *marks, const struct account *owner,
                     enum mark_kind kind, const struct session *about)
{
    return owner != NULL && owner != about->account &&
           marks_find(marks, owner->folded, kind,
                      about->account != NULL ? about->account->folded : MARK_GUESTS) !=
               NULL;
}

bool privacy_ignores(const struct marks *marks, const struct account *listener,
                     const struct session *speaker)
{
    return has_mark(marks, listener, MARK_IGNORE, speaker);
}

bool privacy_avoids(const struct marks *marks, const struct account *one,
                    const struct account *other)
{
    return marks_avoid(marks, one->folded, other->folded);
}

bool privacy_keeps_apart(const struct marks *marks, const struct account *one,
                         const struct account *other)
{
    return privacy_avoids(marks, one, other) || privacy_avoids(marks, other, one);
}

/* --- What the question is about --- */

/* If a game is being read from disk after its end, is_over is true, although some
 * events may not be applied yet. A command about such a game waits until all events are
 * applied. Then the command runs again. */
struct readable privacy_readable_room(const struct room *room)
{
    return (struct readable){
        .game = room->id,
        .is_private = room->game.manners.is_private,
        .is_over = room->game.phase == GAME_OVER || room->state > ROOM_ASLEEP,
        .watchers = (enum watchers)room->game.manners.watchers,
        .player = {room->game.name[SIDE_RED], room->game.name[SIDE_BLUE]}};
}

struct readable privacy_readable(int64_t game, const struct event *start)
{
    return (struct readable){.game = game,
                             .is_private = start->manners.is_private,
                             .is_over = true,
                             .watchers = (enum watchers)start->manners.watchers,
                             .player = {start->name[SIDE_RED], start->name[SIDE_BLUE]}};
}

/* --- The code of a watch link --- */

static const char secret_subject[] = "watch";
enum { SECRET_BYTES = 32, CODE_LETTERS = 16 };

void privacy_init(struct accounts *accounts)
{
    struct marks *marks = accounts_marks(accounts);
    unsigned char random[SECRET_BYTES];
    char hex[2 * SECRET_BYTES + 1];

    if (marks_find(marks, "", MARK_SECRET, secret_subject) != NULL)
        return;
    if (RAND_bytes(random, sizeof random) != 1)
        log_die("privacy no random numbers");
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(hex + 2 * i, 3, "%02x", random[i]);
    if (!marks_put(marks, "", MARK_SECRET, secret_subject, hex))
        log_die("privacy no secret");
}

/* Writes to `owner` the owner of the marks (marks.h) about a game: "#17" for game 17.
 * Most other marks have the name of an account as their owner. Returns a text: the
 * number of revoked codes of the game's watch link. NULL: no code was revoked. */
enum { GAME_OWNER_BYTES = 24 };
static const char *revoked(const struct rooms *rooms, int64_t game,
                           char owner[GAME_OWNER_BYTES])
{
    snprintf(owner, GAME_OWNER_BYTES, "#%lld", (long long)game);
    return marks_find(accounts_marks(rooms->accounts), owner, MARK_WATCH, "");
}

void privacy_watch_code(const struct rooms *rooms, int64_t game,
                        char out[WATCH_CODE_BYTES])
{
    const char *secret =
        marks_find(accounts_marks(rooms->accounts), "", MARK_SECRET, secret_subject);
    unsigned char digest[EVP_MAX_MD_SIZE];
    struct text text = text_into(out, WATCH_CODE_BYTES);
    char words[64], owner[GAME_OWNER_BYTES];
    const char *count = revoked(rooms, game, owner);
    int len = snprintf(words, sizeof words, "watch %lld%s%.20s", (long long)game,
                       count != NULL ? " " : "", count != NULL ? count : "");

    if (secret == NULL ||
        HMAC(EVP_sha256(), secret, (int)strlen(secret), (const unsigned char *)words,
             (size_t)len, digest, NULL) == NULL)
        log_die("privacy no code");
    text_addf(&text, "%lld-", (long long)game);
    for (int i = 0; i < CODE_LETTERS; i++)
        text_addf(&text, "%c", code_letter(digest[i]));
}

bool privacy_is_code(const struct rooms *rooms, int64_t game, const char *code)
{
    char right[WATCH_CODE_BYTES];

    if (code == NULL)
        return false;
    privacy_watch_code(rooms, game, right);
    return strlen(code) == strlen(right) &&
           CRYPTO_memcmp(code, right, strlen(right)) == 0;
}

/* --- Who is let in --- */

enum { SUBJECT_BYTES = NAME_BYTES + 24, VALUE_BYTES = 24 };

/* Writes the mark that is stored when a player admits `guest` to a game. Its value is
 * the number of the account: a later account with the same name has another number, and
 * is not admitted. */
static void let_words(char subject[SUBJECT_BYTES], char value[VALUE_BYTES],
                      int64_t game, const struct account *guest)
{
    snprintf(subject, SUBJECT_BYTES, "%lld %s", (long long)game, guest->folded);
    snprintf(value, VALUE_BYTES, "%lld", (long long)guest->number);
}

bool privacy_let(struct rooms *rooms, int64_t game, const struct account *owner,
                 struct account *guest)
{
    char subject[SUBJECT_BYTES], value[VALUE_BYTES];

    (void)accounts_number(rooms->accounts, guest);
    let_words(subject, value, game, guest);
    return marks_put(accounts_marks(rooms->accounts), owner->folded, MARK_LET, subject,
                     value);
}

bool privacy_unlet(struct rooms *rooms, int64_t game, const struct account *owner,
                   const struct account *guest)
{
    char subject[SUBJECT_BYTES], value[VALUE_BYTES];

    let_words(subject, value, game, guest);
    return marks_drop(accounts_marks(rooms->accounts), owner->folded, MARK_LET,
                      subject);
}

bool privacy_is_let(const struct rooms *rooms, int64_t game,
                    const struct account *owner, const struct account *guest)
{
    char subject[SUBJECT_BYTES], value[VALUE_BYTES];
    const char *found;

    let_words(subject, value, game, guest);
    found =
        marks_find(accounts_marks(rooms->accounts), owner->folded, MARK_LET, subject);
    return found != NULL && strcmp(found, value) == 0;
}

const char *privacy_name_of(const char *subject, int64_t game)
{
    char prefix[SUBJECT_BYTES];
    size_t len = (size_t)snprintf(prefix, sizeof prefix, "%lld ", (long long)game);

    return strncmp(subject, prefix, len) == 0 ? subject + len : NULL;
}

/* --- The one question --- */

bool privacy_is_player(const struct readable *what, const struct account *account)
{
    return account != NULL && account_owns_seat(account, what->game) &&
           (account_is_name(account, what->player[SIDE_RED]) ||
            account_is_name(account, what->player[SIDE_BLUE]));
}

bool privacy_bars_watcher(const struct readable *what, const struct session *session)
{
    if (what->is_over || what->watchers == WATCHERS_ALL)
        return false;
    return what->watchers == WATCHERS_NONE ||
           account_role(session->account) < ROLE_MEMBER;
}

bool privacy_may_read(const struct rooms *rooms, const struct readable *what,
                      const struct session *session, const char *code)
{
    const struct cursor *cursor;
    bool is_let = !what->is_private;

    if (privacy_is_player(what, session->account) ||
        (!what->is_private && what->is_over))
        return true;
    if (privacy_bars_watcher(what, session))
        return false;
    for (int side = 0; side < SIDES; side++) {
        const struct account *player =
            accounts_find_player(rooms->accounts, what->player[side], what->game);

        if (player == NULL)
            continue;
        if (has_mark(accounts_marks(rooms->accounts), player, MARK_BLOCK, session))
            return false;
        is_let =
            is_let || (session->account != NULL &&
                       privacy_is_let(rooms, what->game, player, session->account));
    }
    if (is_let || privacy_is_code(rooms, what->game, code))
        return true;
    DL_FOREACH2 (session->cursors, cursor, session_next) {
        const struct room *room = cursor->feed->owner;

        if (room->of == rooms && room->id == what->game)
            return cursor->has_code; /* came by the link, and still watches */
    }
    return false;
}

/* --- Watchers who have lost their permission --- */

void privacy_revoke_code(struct room *room)
{
    char owner[GAME_OWNER_BYTES], value[24];
    const char *count = revoked(room->of, room->id, owner);
    struct cursor *cursor;

    snprintf(value, sizeof value, "%lld",
             (count != NULL ? strtoll(count, NULL, 10) : 0) + 1);
    if (!marks_put(accounts_marks(room->of->accounts), owner, MARK_WATCH, "", value))
        log_die("privacy no mark");
    DL_FOREACH (room->feed.watchers, cursor)
        cursor->has_code = false;
    privacy_close(room);
}

void privacy_close_watcher(struct room *room, struct session *session)
{
    presence_leave(room, session);
    session_sayf(session, "! closed game=%lld : you may no longer watch game %lld",
                 (long long)room->id, (long long)room->id);
}

void privacy_close(struct room *room)
{
    struct readable what = privacy_readable_room(room);
    struct cursor *cursor, *next;

    DL_FOREACH_SAFE (room->feed.watchers, cursor, next)
        if (!privacy_may_read(room->of, &what, cursor->session, NULL))
            privacy_close_watcher(room, cursor->session);
}
