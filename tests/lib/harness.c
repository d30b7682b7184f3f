/* See libproof.h. */
#include "tests/lib/harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/ledger.h"

void proof_report(struct proof *proof, bool is_good, const char *name,
                  const char *why_format, ...)
{
    va_list args;

    printf("%s %s-%s", is_good ? "ok" : "not ok", proof->area, name);
    if (!is_good) {
        putchar(' ');
        va_start(args, why_format);
        vprintf(why_format, args);
        va_end(args);
    }
    putchar('\n');
    fflush(stdout);
    *(is_good ? &proof->passed : &proof->failed) += 1;
}

void proof_verdict(struct proof *proof, const char *name, const struct verdict *verdict)
{
    proof_report(proof, verdict_faults(verdict) == 0 && verdict->checked > 0, name,
                 "checked=%d lost=%d changed=%d doubled=%d illegal=%d clock=%d",
                 verdict->checked, verdict->lost, verdict->changed, verdict->doubled,
                 verdict->illegal, verdict->clock);
}

void proof_row(const char *name, int64_t number)
{
    printf("# %-36s %12lld\n", name, (long long)number);
}

/* --- Both players --- */

static void copy_log(struct script *log, const struct bot_match *match)
{
    script_init(log, match->witness.game);
    for (int i = 0; i < match->game.events; i++)
        script_add(log, match->witness.event[i]);
}

static void compare_ends(const struct bot *bot, struct verdict *verdict)
{
    for (const struct bot_match *m = bot->matches; m != NULL; m = m->next) {
        const struct bot_match *theirs = bot_find_match(bot->partner, m->witness.game);
        struct script mine, other;

        if (theirs == NULL) {
            verdict->lost++;
            continue;
        }
        copy_log(&mine, m);
        copy_log(&other, theirs);
        judge_equal(verdict, &mine, &other);
        if (m->game.phase != GAME_OVER)
            verdict->lost++;
        script_clear(&mine);
        script_clear(&other);
    }
}

static void judge_ends(struct proof *proof, const struct bots *bots)
{
    struct verdict verdict = {0};

    for (const struct bot *bot = bots->first; bot != NULL; bot = bot->next)
        if (bot->partner != NULL)
            compare_ends(bot, &verdict);
    proof_verdict(proof, "both-players-have-the-same-whole-logs", &verdict);
}

/* --- Everybody --- */

/* What a watcher who comes after everything is told. False: the rest cannot be judged.
 */
static bool read_back(struct proof *proof, struct ledger *ledger,
                      struct janggid *server, struct event_base *base)
{
    bool is_good = janggid_stop(server, base) && janggid_start(server);

    if (is_good) {
        ledger_read_server(ledger, base, server->port, server->key);
        is_good = janggid_stop(server, base);
    }
    proof_report(proof, is_good, "server-stops-in-order", "see above");
    return is_good && ledger_read_database(ledger, server->data);
}

void proof_judge(struct proof *proof, const struct bots *bots, struct janggid *server,
                 struct event_base *base, const char *forge)
{
    struct ledger *ledger = ledger_new(bots);
    struct verdict seen = {0}, told = {0}, played = {0};

    judge_ends(proof, bots);
    if (!read_back(proof, ledger, server, base)) {
        proof_report(proof, false, "database-reads", "see above");
        ledger_free(ledger);
        return;
    }
    if (forge != NULL)
        ledger_forge(ledger, forge);
    ledger_judge_seen(ledger, &seen);
    proof_verdict(proof, "nothing-seen-or-promised-is-lost", &seen);
    ledger_judge_told(ledger, &told);
    proof_verdict(proof, "server-tells-what-the-file-says", &told);
    ledger_judge_played(ledger, janggid_uptime_ms(server), &played);
    proof_verdict(proof, "replay-is-legal-and-clocks-fall", &played);
    printf("# judged %d games: %d events and promises by players, %d by a watcher, %d "
           "in replay\n",
           ledger_count(ledger), seen.checked, told.checked, played.checked);
    ledger_free(ledger);
}

int proof_end(const struct proof *proof)
{
    printf("%d passed, %d failed\n", proof->passed, proof->failed);
    return proof->failed == 0 && proof->passed > 0 ? 0 : 1;
}
