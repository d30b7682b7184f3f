/* See house.h. */
#include "server/account/house.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/mono.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "server/account/accounts.h"

enum { DAY_S = 24 * 60 * 60 };

/* An act in memory: its members point into its own copy of the text. */
struct entry {
    struct entry *prev, *next;
    int64_t id; /* number of the act on disk */
    struct house_act act;
    bool is_lifted; /* a ban or a mute that a later act has ended or replaced */
    char bytes[];   /* the actor and the text, each with a NUL; `act` points into
                     * them */
};

/* An element of the list of the bans or mutes of one subject. */
struct claim {
    struct claim *next;
    struct entry *entry;
};

/* All bans, or all mutes, of one subject. The letter of its key says what the subject
 * is: "n:hong" a banned name, "k:ID" a banned key, "a:NETWORK" a banned network,
 * "p:NETWORK" a network whose new names are refused, "m:hong" a muted name. */
enum { KEY_BYTES = 96 };
struct held {
    char key[KEY_BYTES];
    struct claim *claims; /* the newest first */
    UT_hash_handle hh;
};

struct setting {
    const char *key, *value; /* both point into an entry */
    UT_hash_handle hh;
};

/* The role that the acts have given to a name. An erased person has no account, but the
 * log has the person's alias and last role. */
struct given {
    char name[NAME_BYTES]; /* folded */
    enum role role;
    UT_hash_handle hh;
};

struct house {
    struct store *store;
    struct accounts *accounts;
    struct deadlines *deadlines; /* NULL: old reports keep their words */
    struct deadline deadline;    /* of the next search for old reports */
    struct deadline_kind kind;
    struct entry *entries; /* the oldest first */
    struct held *held;
    struct setting *settings;
    struct given *given;
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

static struct given *find_given(const struct house *house, const char *name,
                                char folded[NAME_BYTES])
{
    struct given *given;

    utf8_fold_name(folded, name);
    HASH_FIND_STR(house->given, folded, given);
    return given;
}

/* True if both are one target; a name may be spelled in any way. */
static bool is_same_target(const char *one, const char *other)
{
    char a[NAME_BYTES], b[NAME_BYTES];

    if (strchr(one, ':') != NULL || strchr(other, ':') != NULL)
        return strcmp(one, other) == 0;
    utf8_fold_name(a, one);
    utf8_fold_name(b, other);
    return strcmp(a, b) == 0;
}

static int64_t until_of(const struct house_act *act)
{
    size_t len;
    const char *value = house_param(act, "until", &len);
    int64_t until_s = value != NULL ? strtoll(value, NULL, 10) : 0;

    return until_s > 0 ? until_s : INT64_MAX;
}

/* Makes the key of a subject (struct held); `of` is its letter. False: the subject is
 * too long for a key. */
static bool make_key(char out[KEY_BYTES], char of, const char *subject, size_t len)
{
    char folded[NAME_BYTES];
    struct text key = text_into(out, KEY_BYTES);

    if (of == 'n' || of == 'm') {
        utf8_fold_name(folded, subject);
        text_addf(&key, "%c:%s", of, folded);
    } else {
        text_addf(&key, "%c:%.*s", of, (int)len, subject);
    }
    return !key.is_cut;
}

/* Computes the key of a ban from the target of the act: a name, "key:ID" or
 * "addr:PREFIX". False: the target is too long for a key. */
static bool target_key(char out[KEY_BYTES], const char *target)
{
    if (strncmp(target, "key:", 4) == 0)
        return make_key(out, 'k', target + 4, strlen(target + 4));
    if (strncmp(target, "addr:", 5) == 0)
        return make_key(out, 'a', target + 5, strlen(target + 5));
    return make_key(out, 'n', target, strlen(target));
}

static void claim(struct house *house, const char *key, struct entry *entry)
{
    struct claim *claim = mem_new(sizeof *claim);
    struct held *held;

    HASH_FIND_STR(house->held, key, held);
    if (held == NULL) {
        held = mem_new(sizeof *held);
        text_copy(held->key, sizeof held->key, key);
        HASH_ADD_STR(house->held, key, held);
    }
    claim->entry = entry;
    LL_PREPEND(held->claims, claim);
}

/* Ends the bans or mutes of exactly that target; `key` is the key of the target. */
static void lift(struct house *house, const char *key, const char *target)
{
    struct held *held;
    struct claim *claim;

    HASH_FIND_STR(house->held, key, held);
    if (held == NULL)
        return;
    LL_FOREACH(held->claims, claim)
    if (is_same_target(claim->entry->act.target, target))
        claim->entry->is_lifted = true;
}

/* The parameter `param` of the act is a list of subjects, with commas between them.
 * Adds the entry to the bans of each subject. of: as for make_key(). */
static void claim_list(struct house *house, struct entry *entry, const char *param,
                       char of)
{
    size_t len, part;
    const char *list = house_param(&entry->act, param, &len);
    char key[KEY_BYTES];

    for (; list != NULL && len > 0; list += part, len -= part) {
        part = strcspn(list, ", ");
        part = part < len ? part : len;
        if (make_key(key, of, list, part))
            claim(house, key, entry);
        part += part < len;
    }
}

static void fold(struct house *house, struct entry *entry)
{
    const struct house_act *act = &entry->act;
    const char *kind = act->kind, *target = act->target;
    bool is_ban = strcmp(kind, "ban") == 0, is_mute = strcmp(kind, "mute") == 0;
    struct account *account;
    struct setting *setting;
    struct given *given;
    char key[KEY_BYTES], folded[NAME_BYTES];
    enum role role;

    if (strcmp(kind, "role") == 0) {
        if (strncmp(act->params, "role=", 5) != 0 ||
            !role_parse(act->params + 5, &role))
            return;
        given = find_given(house, target, folded);
        if (given == NULL) {
            given = mem_new(sizeof *given);
            text_copy(given->name, sizeof given->name, folded);
            HASH_ADD_STR(house->given, name, given);
        }
        given->role = role;
        account = accounts_find(house->accounts, target);
        if (account != NULL)
            accounts_set_role(house->accounts, account, role);
    } else if (is_ban || strcmp(kind, "unban") == 0) {
        if (!target_key(key, target))
            return;
        lift(house, key, target);
        if (is_ban) {
            claim(house, key, entry);
            claim_list(house, entry, "keys", 'k');
            claim_list(house, entry, "near", 'p');
        }
        /* the name does not expire before the end of its ban, so nobody takes it */
        account = key[0] == 'n' ? accounts_find(house->accounts, target) : NULL;
        if (account != NULL)
            account->ban_ends_wall_s = is_ban ? until_of(act) : 0;
    } else if (is_mute || strcmp(kind, "unmute") == 0) {
        if (!make_key(key, 'm', target, 0))
            return;
        lift(house, key, target);
        if (is_mute)
            claim(house, key, entry);
    } else if (strcmp(kind, "set") == 0) {
        HASH_FIND_STR(house->settings, target, setting);
        if (setting != NULL)
            HASH_DEL(house->settings, setting);
        else
            setting = mem_new(sizeof *setting);
        setting->key = target;
        setting->value = act->words;
        HASH_ADD_KEYPTR(hh, house->settings, setting->key, strlen(setting->key),
                        setting);
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

static bool holds(const struct house *house, const struct entry *entry,
                  int64_t now_wall_s, struct house_hold *out)
{
    const char *actor = entry->act.actor;
    const struct given *given;
    char folded[NAME_BYTES];

    if (entry->is_lifted || now_wall_s >= until_of(&entry->act))
        return false;
    given = find_given(house, actor, folded);
    *out = (struct house_hold){.act = &entry->act,
                               .rank = strcmp(actor, HOUSE_OPERATOR) == 0 ? ROLE_OWNER
                                       : given != NULL                    ? given->role
                                                                          : ROLE_GUEST,
                               .until_wall_s = until_of(&entry->act)};
    return true;
}

/* of: as for make_key(). rank: the lowest role of an actor that counts. */
static bool is_held(const struct house *house, char of, const char *subject,
                    enum role rank, int64_t now_wall_s, struct house_hold *out)
{
    char key[KEY_BYTES];
    const struct held *held;
    const struct claim *claim;

    if (!make_key(key, of, subject, strlen(subject)))
        return false;
    HASH_FIND_STR(house->held, key, held);
    for (claim = held != NULL ? held->claims : NULL; claim != NULL; claim = claim->next)
        if (holds(house, claim->entry, now_wall_s, out) && out->rank >= rank)
            return true;
    return false;
}

bool house_bans_name(const struct house *house, const char *name, int64_t now_wall_s,
                     struct house_hold *out)
{
    return is_held(house, 'n', name, ROLE_GUEST, now_wall_s, out);
}

bool house_bans_key(const struct house *house, const char *id, bool by_owner,
                    int64_t now_wall_s, struct house_hold *out)
{
    return is_held(house, 'k', id, by_owner ? ROLE_OWNER : ROLE_GUEST, now_wall_s, out);
}

bool house_bans_near(const struct house *house, const char *network, int64_t now_wall_s,
                     struct house_hold *out)
{
    return is_held(house, 'p', network, ROLE_GUEST, now_wall_s, out);
}

bool house_mutes(const struct house *house, const char *name, int64_t now_wall_s,
                 struct house_hold *out)
{
    const struct account *account = accounts_find(house->accounts, name);

    return is_held(house, 'm', name, ROLE_GUEST, now_wall_s, out) &&
           (account == NULL || out->act->wall_s >= account->made_wall_s);
}

bool house_bans_target(const struct house *house, const char *target,
                       int64_t now_wall_s, struct house_hold *out)
{
    const struct entry *entry;

    DL_FOREACH (house->entries, entry)
        if (strcmp(entry->act.kind, "ban") == 0 &&
            holds(house, entry, now_wall_s, out) &&
            is_same_target(entry->act.target, target))
            return true;
    return false;
}

void house_each_ban(const struct house *house, int64_t now_wall_s, house_hold_fn *see,
                    void *arg)
{
    const struct entry *entry;
    struct house_hold hold;

    DL_FOREACH (house->entries, entry)
        if (strcmp(entry->act.kind, "ban") == 0 &&
            holds(house, entry, now_wall_s, &hold))
            see(arg, &hold);
}

const char *house_setting(const struct house *house, const char *key)
{
    const struct setting *setting;

    HASH_FIND_STR(house->settings, key, setting);
    return setting != NULL ? setting->value : NULL;
}

static void forget_holds(struct house *house)
{
    struct setting *setting, *next_setting;
    struct held *held, *next_held;
    struct claim *claim, *next;
    struct given *given, *next_given;

    HASH_ITER (hh, house->given, given, next_given) {
        HASH_DEL(house->given, given);
        free(given);
    }
    HASH_ITER (hh, house->settings, setting, next_setting) {
        HASH_DEL(house->settings, setting);
        free(setting);
    }
    HASH_ITER (hh, house->held, held, next_held) {
        HASH_DEL(house->held, held);
        LL_FOREACH_SAFE(held->claims, claim, next)
        free(claim);
        free(held);
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
    forget_holds(house);
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

/* Returns the length of the word that begins at `at`. The word consists of ASCII
 * letters, digits, "_" and "-". A name is one such word, or is in Hangul. A name in
 * Hangul need not end at a space, because a Korean particle may follow it directly. */
static size_t word_length(const char *at)
{
    size_t len = 0;

    while (isalnum((unsigned char)at[len]) || at[len] == '_' || at[len] == '-')
        len++;
    return len;
}

static void add_words(struct text *out, const struct house_person *person,
                      const char *words, size_t len)
{
    const char *end = words + len;

    while (words < end) {
        size_t word = word_length(words), name = 0;

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

    forget_holds(house);
    DL_FOREACH_SAFE (house->entries, entry, next) {
        struct house_act act;
        char *bytes, *text;
        bool changes = change_act(&entry->act, of, &act, &bytes);

        has_changed = has_changed || changes;
        entry->is_lifted = false;
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
