/* See peace.h. */
#include "server/room/peace.h"

#include "server/account/accounts.h"
#include "server/account/marks.h"
#include "server/net/session.h"

/* Returns the word that means the session's owner in the lists of ignored and blocked
 * people. For an account, the word is the account's normalized name. For every guest,
 * the word is MARK_GUESTS, because the names of guests are temporary. */
static const char *subject_of(const struct session *session)
{
    return session->account != NULL ? session->account->folded : MARK_GUESTS;
}

static bool has_mark(const struct marks *marks, const struct account *owner,
                     enum mark_kind kind, const struct session *about)
{
    return owner != NULL && owner != about->account &&
           marks_find(marks, owner->folded, kind, subject_of(about)) != NULL;
}

bool peace_ignores(const struct marks *marks, const struct account *listener,
                   const struct session *speaker)
{
    return has_mark(marks, listener, MARK_IGNORE, speaker);
}

bool peace_blocks(const struct marks *marks, const struct account *player,
                  const struct session *stranger)
{
    return has_mark(marks, player, MARK_BLOCK, stranger);
}

bool peace_avoids(const struct marks *marks, const struct account *one,
                  const struct account *other)
{
    return marks_avoid(marks, one->folded, other->folded);
}

bool peace_keeps_apart(const struct marks *marks, const struct account *one,
                       const struct account *other)
{
    return peace_avoids(marks, one, other) || peace_avoids(marks, other, one);
}
