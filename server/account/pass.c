/* See pass.h. On disk each code is a mark of kind "pass": owner is the folded name, or
 * "" for the owner link; value is "UNTIL_S DIGEST". */
#include "server/account/pass.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/table.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "server/account/code.h"

#define PASS_KIND "pass"

enum { RANDOM_BYTES = 16, DIGEST_TEXT_BYTES = 44, VALUE_BYTES = 80 };
static_assert(PASS_CODE_BYTES == (RANDOM_BYTES * 4 + 2) / 3 + 1, "a code does not fit");

struct pass {
    char owner[NAME_BYTES];
    int64_t until_wall_s;
    char digest[DIGEST_TEXT_BYTES];
    UT_hash_handle hh;
};

struct passes {
    struct store *store;
    struct pass *by_owner;
};

static void digest_of(char out[DIGEST_TEXT_BYTES], const char *code)
{
    unsigned char digest[CODE_DIGEST_BYTES];

    code_digest(digest, code);
    text_base64url(out, digest, sizeof digest);
}

static struct pass *find(struct passes *passes, const char *owner)
{
    struct pass *pass;

    HASH_FIND_STR(passes->by_owner, owner, pass);
    return pass;
}

static struct pass *get(struct passes *passes, const char *owner)
{
    struct pass *pass = find(passes, owner);

    if (pass != NULL)
        return pass;
    pass = mem_new(sizeof *pass);
    text_copy(pass->owner, sizeof pass->owner, owner);
    HASH_ADD_STR(passes->by_owner, owner, pass);
    return pass;
}

static void forget(struct passes *passes, struct pass *pass)
{
    HASH_DEL(passes->by_owner, pass);
    free(pass);
}

/* --- At the start --- */

static void remember(void *arg, const struct store_mark *mark)
{
    struct passes *passes = arg;
    int64_t until_wall_s;
    int used = 0;
    struct pass *pass;

    if (strcmp(mark->kind, PASS_KIND) != 0)
        return;
    if (sscanf(mark->value, "%" SCNd64 " %n", &until_wall_s, &used) != 1 || used == 0) {
        log_warn("pass name=%s why=unreadable", mark->owner);
        return;
    }
    pass = get(passes, mark->owner);
    pass->until_wall_s = until_wall_s;
    if (!text_copy(pass->digest, sizeof pass->digest, mark->value + used))
        forget(passes, pass);
}

struct passes *passes_open(struct store *store)
{
    struct passes *passes = mem_new(sizeof *passes);

    passes->store = store;
    if (store_load_marks(store, remember, passes))
        return passes;
    passes_close(passes);
    return NULL;
}

void passes_close(struct passes *passes)
{
    struct pass *pass, *next;

    if (passes == NULL)
        return;
    HASH_ITER (hh, passes->by_owner, pass, next)
        forget(passes, pass);
    free(passes);
}

/* --- Making --- */

static void make(struct passes *passes, const char *owner, char code[PASS_CODE_BYTES],
                 int64_t until_wall_s)
{
    char value[VALUE_BYTES];
    struct text text = text_into(value, sizeof value);
    struct pass *pass = get(passes, owner);

    code_make_secret(code, RANDOM_BYTES);
    digest_of(pass->digest, code);
    pass->until_wall_s = until_wall_s;
    text_addf(&text, "%lld %s", (long long)until_wall_s, pass->digest);
    store_put_mark(passes->store, &(struct store_mark){.owner = owner,
                                                       .kind = PASS_KIND,
                                                       .subject = "",
                                                       .value = value});
}

void passes_make_owner(struct passes *passes, char code[PASS_CODE_BYTES],
                       int64_t now_wall_s)
{
    make(passes, "", code, now_wall_s + PASS_OWNER_MINUTES * 60);
}

void passes_make_reset(struct passes *passes, const char *folded,
                       char code[PASS_CODE_BYTES], int64_t now_wall_s)
{
    make(passes, folded, code, now_wall_s + PASS_RESET_HOURS * 3600);
}

void passes_forget(struct passes *passes, const char *folded)
{
    struct pass *pass = find(passes, folded);

    if (pass != NULL)
        forget(passes, pass);
}

/* --- Using --- */

static bool is_code(struct passes *passes, const char *owner, const char *code,
                    int64_t now_wall_s)
{
    struct pass *pass = find(passes, owner);
    char digest[DIGEST_TEXT_BYTES];

    digest_of(digest, code);
    return pass != NULL && CRYPTO_memcmp(digest, pass->digest, sizeof digest) == 0 &&
           now_wall_s < pass->until_wall_s;
}

bool passes_is_owner(struct passes *passes, const char *code, int64_t now_wall_s)
{
    return is_code(passes, "", code, now_wall_s);
}

bool passes_is_reset(struct passes *passes, const char *folded, const char *code,
                     int64_t now_wall_s)
{
    return folded[0] != '\0' && is_code(passes, folded, code, now_wall_s);
}

static void use(struct passes *passes, const char *owner)
{
    struct pass *pass = find(passes, owner);

    if (pass == NULL)
        return;
    store_drop_mark(passes->store, owner, PASS_KIND, "");
    forget(passes, pass);
}

void passes_use_owner(struct passes *passes)
{
    use(passes, "");
}

void passes_use_reset(struct passes *passes, const char *folded)
{
    use(passes, folded);
}
