/* See house.h. */
#include "server/account/house.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "server/account/accounts.h"

/* An act in memory: its members point into its own copy of the text. */
struct entry {
    struct entry *prev, *next;
    int64_t id; /* number of the act on disk */
    struct house_act act;
    char bytes[]; /* the actor and the text, each with a NUL; `act` points into
                     * them */
};

/* An act that no later act about the same target has ended or replaced. */
enum { TARGET_BYTES = 96 };
struct held {
    struct held *prev, *next;
    const struct entry *entry;
    char target[TARGET_BYTES]; /* a name is folded */
};

struct house {
    struct store *store;
    struct accounts *accounts;
    struct deadlines *deadlines; /* NULL: old reports keep their words */
    struct deadline deadline;    /* of the next search for old reports */
    struct deadline_kind kind;
    struct entry *entries;                /* the oldest first */
    struct held *bans, *mutes, *settings; /* the oldest first */
};

/* --- Text --- */

/* Terminates the next word of *at and returns it; *at moves past it. */
static char *take_word(char **at)
{
    char *word = *at;

    *at += strcspn(*at, " ");
    if (**at == ' ')
        *(*at)++ = '\0';
    return word;
}

/* Makes an entry of the text "KIND TARGET key=value ... : words". A word with '=' is a
 * parameter, not a target. */
static struct entry *entry_new(int64_t id, int64_t wall_s, const char *actor,
                               const char *text)
{
    size_t actor_size = strlen(actor) + 1, text_size = strlen(text) + 1;
    struct entry *entry = mem_new(sizeof *entry + actor_size + text_size);
    struct house_act *act = &entry->act;
    char *at = entry->bytes + actor_size, *words, *end;

    memcpy(entry->bytes, actor, actor_size);
    memcpy(at, text, text_size);
    entry->id = id;
    act->wall_s = wall_s;
    act->actor = entry->bytes;
    words = strstr(at, " : ");
    act->words = words != NULL ? words + 3 : "";
    if (words != NULL)
        *words = '\0';
    act->kind = take_word(&at);
    end = strpbrk(at, " =");
    act->target = end == NULL || *end == ' ' ? take_word(&at) : "";
    act->params = at;
    return entry;
}

/* Returns the text of the act as it is on disk. The caller frees it. */
static char *make_text(const struct house_act *act)
{
    size_t size = strlen(act->kind) + strlen(act->target) + strlen(act->params) +
                  strlen(act->words) + sizeof "    : ";
    char *bytes = mem_new(size);
    struct text text = text_into(bytes, size);

    text_add(&text, act->kind);
    if (act->target[0] != '\0')
        text_addf(&text, " %s", act->target);
    if (act->params[0] != '\0')
        text_addf(&text, " %s", act->params);
    if (act->words[0] != '\0')
        text_addf(&text, " : %s", act->words);
    return bytes;
}

/* --- The fold --- */

/* Writes a target of an act so that all its spellings are equal; "key:ID" and
 * "addr:NETWORK" have one. False: it is too long for a target. */
static bool plain_target(char out[TARGET_BYTES], const char *target)
{
    if (strchr(target, ':') != NULL)
        return text_copy(out, TARGET_BYTES, target);
    utf8_fold_name(out, target);
    return true;
}

/* The act ends those in the list about the same target. If it replaces them, it is added
 * to the list. */
static void hold(struct held **list, const struct entry *entry, bool replaces)
{
    char target[TARGET_BYTES];
    struct held *held, *next;

    if (!plain_target(target, entry->act.target))
        return;
    DL_FOREACH_SAFE (*list, held, next)
        if (strcmp(held->target, target) == 0) {
            DL_DELETE(*list, held);
            free(held);
        }
    if (!replaces)
        return;
    held = mem_new(sizeof *held);
    held->entry = entry;
    text_copy(held->target, sizeof held->target, target);
    DL_APPEND(*list, held);
}

static int64_t until_of(const struct house_act *act)
{
    size_t len;
    const char *value = house_param(act, "until", &len);
    int64_t until_s = value != NULL ? strtoll(value, NULL, 10) : 0;

    return until_s > 0 ? until_s : INT64_MAX;
}

/* Reads the role that an act "role" gives. False: it is unknown. */
static bool role_of(const struct house_act *act, enum role *out)
{
    return strncmp(act->params, "role=", 5) == 0 && role_parse(act->params + 5, out);
}

static void fold(struct house *house, const struct entry *entry)
{
    const struct house_act *act = &entry->act;
    const char *kind = act->kind, *target = act->target;
    bool is_ban = strcmp(kind, "ban") == 0, is_mute = strcmp(kind, "mute") == 0;
    struct account *account = accounts_find(house->accounts, target);
    enum role role;

    if (strcmp(kind, "role") == 0) {
        if (account != NULL && role_of(act, &role))
            accounts_set_role(house->accounts, account, role);
    } else if (is_ban || strcmp(kind, "unban") == 0) {
        hold(&house->bans, entry, is_ban);
        /* the name does not expire before the end of its ban, so nobody takes it */
        if (account != NULL)
            account->ban_ends_wall_s = is_ban ? until_of(act) : 0;
    } else if (is_mute || strcmp(kind, "unmute") == 0) {
        hold(&house->mutes, entry, is_mute);
    } else if (strcmp(kind, "set") == 0) {
        hold(&house->settings, entry, true);
    }
}

static void add(void *arg, const void *row)
{
    const struct store_act *act = row;
    struct house *house = arg;
    struct entry *entry = entry_new(act->id, act->wall_s, act->actor, act->text);

    DL_APPEND(house->entries, entry);
    fold(house, entry);
}

/* --- What holds --- */

/* Returns the role of an actor. An erased person has no account, but the log has the
 * person's alias and last role. */
static enum role rank_of(const struct house *house, const char *actor)
{
    const struct account *account = accounts_find(house->accounts, actor);
    char name[TARGET_BYTES], target[TARGET_BYTES];
    enum role role = ROLE_GUEST;
    const struct entry *entry;

    if (strcmp(actor, HOUSE_OPERATOR) == 0)
        return ROLE_OWNER;
    if (account != NULL)
        return account->role;
    utf8_fold_name(name, actor);
    DL_FOREACH (house->entries, entry)
        if (strcmp(entry->act.kind, "role") == 0 &&
            plain_target(target, entry->act.target) && strcmp(target, name) == 0)
            (void)role_of(&entry->act, &role);
    return role;
}

/* True if `item` is in the parameter `key` of the act, a list with commas. */
static bool has_item(const struct house_act *act, const char *key, const char *item)
{
    size_t len, part;
    const char *list = house_param(act, key, &len);

    for (; list != NULL && len > 0; list += part, len -= part) {
        part = strcspn(list, ", ");
        if (part == strlen(item) && strncmp(list, item, part) == 0)
            return true;
        part += part < len;
    }
    return false;
}

/* Finds the newest act of the list that is in force, is by an actor of at least that
 * rank, and has that target (NULL: none), or `item` in its parameter `key` (NULL:
 * none). */
static bool find_held(const struct house *house, const struct held *list,
                      const char *target, const char *key, const char *item,
                      enum role rank, int64_t now_wall_s, struct house_hold *out)
{
    const struct held *held;
    bool is_found = false;
    char plain[TARGET_BYTES] = "";

    if (target != NULL && !plain_target(plain, target))
        return false;
    DL_FOREACH (list, held) {
        const struct house_act *act = &held->entry->act;

        if (((target != NULL && strcmp(held->target, plain) == 0) ||
             (key != NULL && has_item(act, key, item))) &&
            now_wall_s < until_of(act) && rank_of(house, act->actor) >= rank) {
            *out = (struct house_hold){act, rank_of(house, act->actor), until_of(act)};
            is_found = true;
        }
    }
    return is_found;
}

bool house_bans(const struct house *house, const char *target, int64_t now_wall_s,
                struct house_hold *out)
{
    return find_held(house, house->bans, target, NULL, NULL, ROLE_GUEST, now_wall_s,
                     out);
}

bool house_bans_key(const struct house *house, const char *id, bool by_owner,
                    int64_t now_wall_s, struct house_hold *out)
{
    char target[TARGET_BYTES];

    snprintf(target, sizeof target, "key:%s", id);
    return find_held(house, house->bans, target, "keys", id,
                     by_owner ? ROLE_OWNER : ROLE_GUEST, now_wall_s, out);
}

bool house_bans_near(const struct house *house, const char *network, int64_t now_wall_s,
                     struct house_hold *out)
{
    return find_held(house, house->bans, NULL, "near", network, ROLE_GUEST, now_wall_s,
                     out);
}

bool house_mutes(const struct house *house, const char *name, int64_t now_wall_s,
                 struct house_hold *out)
{
    const struct account *account = accounts_find(house->accounts, name);

    return find_held(house, house->mutes, name, NULL, NULL, ROLE_GUEST, now_wall_s,
                     out) &&
           (account == NULL || out->act->wall_s >= account->made_wall_s);
}

void house_each_ban(const struct house *house, int64_t now_wall_s, house_hold_fn *see,
                    void *arg)
{
    const struct held *held;

    DL_FOREACH (house->bans, held) {
        const struct house_act *act = &held->entry->act;
        struct house_hold hold = {act, rank_of(house, act->actor), until_of(act)};

        if (now_wall_s < hold.until_wall_s)
            see(arg, &hold);
    }
}

const char *house_setting(const struct house *house, const char *key)
{
    const struct held *held;

    DL_FOREACH (house->settings, held)
        if (strcmp(held->entry->act.target, key) == 0)
            return held->entry->act.words;
    return NULL;
}

static void forget_held(struct house *house)
{
    struct held **const lists[] = {&house->bans, &house->mutes, &house->settings};
    struct held *held, *next;

    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        DL_FOREACH_SAFE (*lists[i], held, next)
            free(held);
        *lists[i] = NULL;
    }
}

/* --- Interface --- */

const char *house_param(const struct house_act *act, const char *key, size_t *len)
{
    size_t key_len = strlen(key);

    for (const char *at = act->params; *at != '\0'; at += *at == ' ') {
        if (strncmp(at, key, key_len) == 0 && at[key_len] == '=') {
            *len = strcspn(at + key_len + 1, " ");
            return at + key_len + 1;
        }
        at += strcspn(at, " ");
    }
    return NULL;
}

static void on_day(void *arg, struct deadline *deadline, int64_t now_wall_s)
{
    struct house *house = arg;

    house_shorten_reports(house, store_calendar_s(house->store) -
                                     HOUSE_REPORT_DAYS * (int64_t)DAY_S);
    deadlines_set(house->deadlines, deadline, &house->kind, now_wall_s + DAY_S);
}

struct house *house_open(struct store *store, struct accounts *accounts,
                         struct deadlines *deadlines)
{
    struct house *house = mem_new(sizeof *house);

    *house = (struct house){.store = store,
                            .accounts = accounts,
                            .deadlines = deadlines,
                            .kind = {on_day, house}};
    if (!store_load(store, STORE_ACT, add, house)) {
        house_close(house);
        return NULL;
    }
    if (deadlines != NULL) /* search for old reports when the event loop begins, not
                            * now: other modules still load from the store */
        deadlines_set(deadlines, &house->deadline, &house->kind, mono_wall_s());
    return house;
}

void house_close(struct house *house)
{
    struct entry *entry, *next;

    if (house == NULL)
        return;
    if (house->deadlines != NULL)
        deadlines_remove(house->deadlines, &house->deadline);
    forget_held(house);
    DL_FOREACH_SAFE (house->entries, entry, next)
        free(entry);
    free(house);
}

void house_record(struct house *house, const struct house_act *act)
{
    struct house_act whole = *act;
    struct store_act row = {.wall_s = mono_wall_s(), .actor = act->actor};
    char *text;

    whole.target = act->target != NULL ? act->target : "";
    whole.params = act->params != NULL ? act->params : "";
    whole.words = act->words != NULL ? act->words : "";
    text = make_text(&whole);
    log_info("act actor=%s kind=%s target=%s", act->actor, act->kind, whole.target);
    row.id = store_append_act(house->store, row.wall_s, act->actor, text);
    row.text = text;
    add(house, &row);
    free(text);
}

/* --- A person who is erased --- */

static bool is_name(const struct house_person *person, const char *name)
{
    char folded[NAME_BYTES];

    utf8_fold_name(folded, name);
    return folded[0] != '\0' && strcmp(folded, person->folded) == 0;
}

/* A name is one word of ASCII letters, digits, "_" and "-", or is in Hangul. A name in
 * Hangul need not end at a space, because a Korean particle may follow it directly. */
static void add_words(struct text *out, const struct house_person *person,
                      const char *words, size_t len)
{
    const char *end = words + len;

    while (words < end) {
        size_t word = 0, name = 0;

        while (isalnum((unsigned char)words[word]) || words[word] == '_' ||
               words[word] == '-')
            word++;
        /* the length of the person's name, if the words begin with it */
        if ((person->folded[0] & 0x80) != 0) {
            if (strncmp(words, person->folded, strlen(person->folded)) == 0)
                name = strlen(person->folded);
        } else if (word > 0 && word < NAME_BYTES) {
            char copy[NAME_BYTES];

            memcpy(copy, words, word);
            copy[word] = '\0';
            name = is_name(person, copy) ? word : 0;
        }
        if (name > 0 && name <= (size_t)(end - words)) {
            text_add(out, person->alias);
            words += name;
        } else {
            word = word == 0 ? 1 : word;
            word = word > (size_t)(end - words) ? (size_t)(end - words) : word;
            text_addf(out, "%.*s", (int)word, words);
            words += word;
        }
    }
}

/* Appends to *out the parameters of an act by or about the person. Writes "lines=0" for
 * the number of lines of chat. If is_target is true, leaves out the keys and the
 * network: they are those of the act's target. */
static void add_params(struct text *out, const char *params, bool is_target)
{
    const char *before = "";

    for (size_t len; *params != '\0'; params += len + (params[len] == ' ')) {
        len = strcspn(params, " ");
        if (is_target &&
            (strncmp(params, "near=", 5) == 0 || strncmp(params, "keys=", 5) == 0))
            continue;
        if (strncmp(params, "lines=", 6) == 0)
            text_addf(out, "%slines=0", before);
        else
            text_addf(out, "%s%.*s", before, (int)len, params);
        before = " ";
    }
}

bool house_person_erase(const struct house_act *act, const void *of,
                        struct house_act *out, char **bytes)
{
    const struct house_person *person = of;
    bool is_actor = is_name(person, act->actor),
         is_target = is_name(person, act->target);
    bool is_report = strcmp(act->kind, HOUSE_REPORT) == 0;
    size_t len = is_report ? strcspn(act->words, "\n") : strlen(act->words);
    /* Each name that is replaced has at least two bytes, and the alias has fewer
     * than NAME_BYTES. */
    size_t size =
        strlen(act->params) + strlen(act->words) * NAME_BYTES / 2 + NAME_BYTES;
    struct text params, words;

    *bytes = NULL;
    *out = *act;
    if (act->wall_s < person->since_wall_s)
        return false;
    *bytes = mem_new(size + 2);
    params = text_into(*bytes, size);
    if (is_actor || is_target)
        add_params(&params, act->params, is_target);
    else
        text_add(&params, act->params);
    /* in the rest of the buffer, after the NUL */
    words = text_into(params.at + params.len + 1, params.size - params.len - 1);
    if (!is_report || !is_actor)
        add_words(&words, person, act->words,
                  is_actor || is_target ? len : strlen(act->words));
    out->actor = is_actor ? person->alias : act->actor;
    out->target = is_target ? person->alias : act->target;
    out->params = params.at;
    out->words = words.at;
    if (is_actor || is_target || strcmp(out->words, act->words) != 0)
        return true;
    free(*bytes);
    *bytes = NULL;
    *out = *act;
    return false;
}

/* --- Acts that change --- */

/* Writes the changed act to *out, and its texts to *bytes, which the caller frees. `of`
 * is whatever the function needs to know. False: the act does not change. */
typedef bool change_fn(const struct house_act *act, const void *of,
                       struct house_act *out, char **bytes);

/* Changes acts in memory and on disk. The seal (a digest) of each act on disk also
 * covers the act before it, so the first changed act and all later ones are written
 * again. The bans, mutes and settings are computed again, because they point into the
 * entries. */
static void change_all(struct house *house, change_fn *change_act, const void *of)
{
    struct entry *entry, *next, *other;
    bool has_changed = false;

    forget_held(house);
    DL_FOREACH_SAFE (house->entries, entry, next) {
        struct house_act act;
        char *bytes, *text;
        bool changes = change_act(&entry->act, of, &act, &bytes);

        has_changed = has_changed || changes;
        if (!has_changed)
            continue;
        text = make_text(changes ? &act : &entry->act);
        if (changes) {
            other = entry_new(entry->id, act.wall_s, act.actor, text);
            free(bytes);
            DL_REPLACE_ELEM(house->entries, entry, other);
            free(entry);
            entry = other;
        }
        store_put(house->store, STORE_ACT,
                  &(struct store_act){.id = entry->id,
                                      .wall_s = entry->act.wall_s,
                                      .actor = entry->act.actor,
                                      .text = text});
        free(text);
    }
    DL_FOREACH (house->entries, entry)
        fold(house, entry);
}

void house_erase(struct house *house, const struct house_person *person)
{
    change_all(house, house_person_erase, person);
}

/* --- Old reports --- */

static bool shorten(const struct house_act *act, const void *before_wall_s,
                    struct house_act *out, char **bytes)
{
    if (act->wall_s >= *(const int64_t *)before_wall_s ||
        strcmp(act->kind, HOUSE_REPORT) != 0 || act->words[0] == '\0')
        return false;
    *bytes = NULL;
    *out = *act;
    out->params = "lines=0";
    out->words = "";
    return true;
}

int house_shorten_reports(struct house *house, int64_t before_wall_s)
{
    const struct entry *entry;
    struct house_act act;
    char *bytes;
    int count = 0;

    DL_FOREACH (house->entries, entry)
        count += shorten(&entry->act, &before_wall_s, &act, &bytes);
    if (count == 0)
        return 0;
    log_info("reports shortened=%d", count);
    change_all(house, shorten, &before_wall_s);
    return count;
}

void house_give_role(struct house *house, struct account *account, enum role role,
                     const char *actor)
{
    char params[32];
    struct text text = text_into(params, sizeof params);

    text_addf(&text, "role=%s", role_name(role));
    house_record(house, &(struct house_act){.actor = actor,
                                            .kind = "role",
                                            .target = account->shown,
                                            .params = params});
    account->stamp = store_gate(house->store)->newest;
}

void house_each(const struct house *house, house_act_fn *see, void *arg)
{
    const struct entry *entry;

    DL_FOREACH (house->entries, entry)
        see(arg, &entry->act);
}
