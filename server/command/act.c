/* See act.h. */
#include "server/command/act.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/address.h"
#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/words/names.h"
#include "common/words/sentence.h"
#include "server/account/accounts.h"
#include "server/base/config.h"
#include "server/base/prefix.h"
#include "server/base/world.h"
#include "server/command/command.h"
#include "server/command/entry.h"
#include "server/net/announce.h"
#include "server/store/store.h"

struct asker act_asker(const struct call *call, const struct room *room,
                       const char *verb)
{
    struct asker asker = {.session = call->from};

    snprintf(asker.words, sizeof asker.words, "%s game=%lld", verb,
             (long long)room->id);
    return asker;
}

bool act_is_repeated(struct call *call, const struct room *room, const char *verb,
                     enum outcome outcome, enum reason reason)
{
    const struct game *game = &room->game;
    bool is_by_other = game->ended_by == side_other(presence_side_of(room, call->from));

    if (game->phase != GAME_OVER || game->outcome != outcome ||
        game->reason != reason || is_by_other)
        return false;
    return session_ok(call->from, "%s game=%lld", verb, (long long)room->id);
}

bool act_finish(struct call *call, const struct room *room, struct fault fault)
{
    return fault.code == FAULT_NONE || call_refuse(call, room, fault);
}

bool act_offer(struct call *call, struct room *room, enum offer_kind kind, int to)
{
    static const char *const asked[] = {
        /* %s: the opponent */
        [OFFER_NONE] = "%s is asked",
        [OFFER_DRAW] = "draw offered to %s",
        [OFFER_TAKEBACK] = "%s is asked to take back",
        [OFFER_ABORT] = "%s is asked to end the game without a result",
        [OFFER_ADJOURN] = "%s is asked to adjourn",
        [OFFER_CONTINUE] = "%s is asked to continue",
        [OFFER_REMATCH] = "rematch offered to %s",
    };
    enum side side = presence_side_of(room, call->from);
    const char *other = room->game.name[side_other(side)];
    bool is_new = offer_is_new(room, side, kind, to, call->now_ms);
    int64_t wait_ms = is_new ? offer_wait_ms(room, side, call->now_ms) : 0, id;
    struct asker asker = act_asker(call, room, offer_kind_name(kind));
    char to_words[24] = "", words[128];
    struct fault fault;

    /* Who leaves several offers without an answer is not asked again at once. */
    if (wait_ms > 0 && call->world->config->has_quotas)
        return session_err(call->from, REPLY_SLOW_DOWN, "why=offers retry=%lld name=%s",
                           (long long)mono_whole_s(wait_ms), other);
    if (is_new && !call_spend_chat(call, "offers"))
        return false;
    fault = room_offer(room, side, kind, to, store_next_number(call->world->store),
                       call->now_ms, &asker, &id);
    if (fault.code != FAULT_NONE || id == 0)
        return act_finish(call, room, fault);
    if (kind == OFFER_TAKEBACK)
        snprintf(to_words, sizeof to_words, " to=%d", to);
    snprintf(words, sizeof words, asked[kind], other);
    return session_ok(call->from, "%s offer=%lld%s : %s (offer %lld)", asker.words,
                      (long long)id, to_words, words, (long long)id);
}

bool act_put_mark(struct call *call, enum mark_kind kind, const char *subject,
                  const char *value)
{
    bool has_room = marks_put(accounts_marks(call->world->accounts),
                              call->from->account->folded, kind, subject, value);

    return has_room || call_err_limit(call, "marks", MARKS_MAX);
}

const char *act_take_text(struct call *call, const char *what, int max)
{
    const char *text = text_skip_words(call->rest, 1);

    if (strlen(text) <= (size_t)max)
        return text;
    call_err_limit(call, what, max);
    return NULL;
}

struct account *act_find_other(struct call *call)
{
    struct account *account = accounts_find(call->world->accounts, call->argv[1]);

    if (account != NULL && account != call->from->account)
        return account;
    if (account == NULL)
        call_no_name(call->from);
    else
        session_err(call->from, REPLY_NO_SUCH, "#self");
    return NULL;
}

bool act_may_grow(struct call *call, const struct room *room)
{
    return room->game.events < ACT_EVENTS_MAX ||
           call_err_limit(call, "events#game", ACT_EVENTS_MAX);
}

/* All names of one network share a budget of what strangers may send to a player, because
 * one person can take many names. A member has a budget of their own, and so has a name
 * from a trusted network, which many people share. The number of a network is eight
 * bytes of its prefix: an IPv6 /56 fits into the first eight, an IPv4 /24 into the
 * last. */
bool act_may_reach(const struct call *call, struct session *to)
{
    struct account *me = call->from->account;
    struct prefix network;
    uint64_t source;

    if (!call->world->config->has_quotas ||
        (to->account != NULL && account_plays_with(me, to->account)))
        return true;
    if (account_role(me) < ROLE_MEMBER && ban_network_of(call->world, me, &network))
        memcpy(&source, network.bytes + (prefix_is_v4(&network) ? sizeof source : 0),
               sizeof source);
    else
        source = (uint64_t)accounts_number(call->world->accounts, me);
    return usage_spend_stranger(&to->usage, source, call->now_ms);
}

/* --- A game to come --- */

static bool refuse_unrated(struct call *call)
{
    return session_err(call->from, REPLY_NOT_NOW,
                       account_is_bot(call->from->account) ? "why=rated#bot"
                                                           : "why=rated");
}

void act_add_places(struct text *out, const struct call *call)
{
    announce_places(out, call->world,
                    address_is_loopback(wire_peer_address(call->from->wire)));
}

void act_add_web(struct text *out, const struct call *call)
{
    const struct world *world = call->world;
    const char *from = wire_peer_address(call->from->wire);
    bool is_known = world->is_web_named || address_is_loopback(from);

    if (world->has_page && world->web_origin[0] != '\0' && is_known)
        text_addf(out, " web=%s", world->web_origin);
}

bool act_may_rate(struct call *call)
{
    const struct account *me = call->from->account;

    return me == NULL || rated_may_play(me, mono_wall_s()) || refuse_unrated(call);
}

bool act_judge_terms(struct call *call, struct terms *terms)
{
    struct position_fault fault;
    char words[SENTENCE_BYTES];
    const char *why;

    if (terms_judge(terms, &why, &fault))
        return !terms->manners.is_rated || act_may_rate(call);
    if (why == NULL)
        sentence_position(words, &fault);
    return call_usage(call, why != NULL ? why : words);
}

/* Returns the key of a term that is written without one, and replaces *value where the
 * value has another name; NULL: it is no term. */
static const char *find_key(const char **value)
{
    struct time_terms time;

    if (time_terms_parse_typed(*value, &time))
        return "time";
    if (ruleset_find(*value) != NULL)
        return "rules";
    if (names_find_side(*value) != SIDE_NONE)
        *value = side_name(names_find_side(*value));
    else if (strcmp(*value, "rated") == 0)
        return *value = "yes", "rated";
    else if (strcmp(*value, "private") == 0)
        return *value = "yes", "private";
    else if (strcmp(*value, "any") != 0 && strcmp(*value, "rank") != 0)
        return NULL;
    return "side";
}

static bool is_number(const char *word)
{
    return word[0] != '\0' && word[strspn(word, "0123456789")] == '\0';
}

bool act_read_words(struct terms *terms, char *const *words, int count,
                    const char *allowed, const char **why)
{
    char given_keys[192];
    struct text given = text_into(given_keys, sizeof given_keys);

    for (int i = 0; i < count; i++) {
        char word[TERMS_BYTES];
        struct text copy = text_into(word, sizeof word);
        const char *key = word, *value;
        char *equals;

        text_add(&copy, words[i]);
        equals = strchr(word, '=');
        if (is_number(words[i]) && i + 1 < count && is_number(words[i + 1]))
            text_addf(&copy, "+%s", words[++i]);
        if (equals != NULL) {
            *equals = '\0';
            value = equals + 1;
        } else {
            text_lower(word);
            value = word;
            key = find_key(&value);
        }
        *why = terms_words;
        if (copy.is_cut || key == NULL ||
            (allowed != NULL && !text_list_has(allowed, ' ', key)))
            return false;
        if (text_list_has(given.at, ' ', key)) {
            *why = "each term can be given once";
            return false;
        }
        if (!terms_set(terms, key, value, why))
            return false;
        text_addf(&given, " %s", key);
    }
    return true;
}

bool act_read_terms(struct call *call, int from, struct terms *terms)
{
    const char *why;

    if (act_read_words(terms, call->argv + from, call->argc - from, NULL, &why))
        return true;
    return call_usage(call, why);
}

bool act_take_terms(struct call *call, int from, struct terms *terms)
{
    *terms = terms_default();
    return act_read_terms(call, from, terms) && act_judge_terms(call, terms);
}

bool act_refuse_storage(struct call *call)
{
    return session_err(call->from, REPLY_LIMIT, "what=storage");
}

static bool refuse_leaver(struct call *call, int64_t wait_s)
{
    return session_err(call->from, REPLY_SLOW_DOWN, "why=left retry=%lld",
                       (long long)wait_s);
}

bool act_has_stayed(struct call *call)
{
    int64_t wait_s = lobby_left_wait_s(call->world->lobby, call->from->account);

    return wait_s <= 0 || refuse_leaver(call, wait_s);
}

bool act_answer_start(struct call *call, enum lobby_start start)
{
    const struct config *config = call->world->config;
    const struct account *me = call->from->account;

    switch (start) {
    case LOBBY_MAKER_FULL:
        return call_err_limit(call, "games#other", config->quota[QUOTA_GAME].account);
    case LOBBY_MAKER_UNRATED:
        return session_err(call->from, REPLY_NOT_NOW, "why=rated#other");
    case LOBBY_MAKER_DUE:
        return session_err(call->from, REPLY_NOT_NOW, "why=paired#other");
    case LOBBY_TAKER_LEAVES:
        return refuse_leaver(call, lobby_left_wait_s(call->world->lobby, me));
    case LOBBY_SOURCE_FULL:
        return call_err_limit(call, "new-seats", config->quota[QUOTA_GAME].source);
    case LOBBY_TOO_FAST:
        return session_err(call->from, REPLY_SLOW_DOWN, "#games retry=%d",
                           60 / CONFIG_GAMES_PER_MIN);
    case LOBBY_TAKER_FULL:
        return call_err_limit(call, "games", config->quota[QUOTA_GAME].account);
    case LOBBY_STORAGE_FULL:
        return act_refuse_storage(call);
    case LOBBY_TAKER_UNRATED:
        return refuse_unrated(call);
    case LOBBY_TAKER_DUE:
        return session_err(call->from, REPLY_NOT_NOW,
                           "why=paired evening=%lld in_s=%lld",
                           (long long)me->due_evening, (long long)lobby_due_in_s(me));
    case LOBBY_OUT_OF_RANGE:
        return session_err(call->from, REPLY_NOT_NOW, "why=range");
    case LOBBY_FULL:
        return call_err_limit(call, "games#server", config->games_max);
    case LOBBY_STARTED:
        break;
    }
    return true;
}
