/* See pg_statement.h. Rows have the seals of store_seal.h, which are digests that show
 * damage. The rows in a database of SQLite have the same seals, so a row can be moved
 * from one engine to the other. */
#include "server/postgres/pg_statement.h"

/* Keys are compared byte by byte, whatever the language of the database is. The table
 * `event` contains the whole log of each game. The table `batch` contains a row for
 * each commit, without gaps in seq (see pg_fence.h). The lists in `batch` are explained
 * at LISTED. The other tables are the same as in server/store/store_schema.c. */
static const char schema_1[] =
    "CREATE TABLE schema(version bigint NOT NULL);"
    "INSERT INTO schema VALUES(1);"
    "CREATE TABLE batch(seq bigint PRIMARY KEY, epoch bigint NOT NULL,"
    " node bytea NOT NULL, last_game bigint NOT NULL, age_ms bigint NOT NULL,"
    " seal bytea NOT NULL);"
    "CREATE TABLE event(game bigint, number bigint, text text NOT NULL,"
    " wall_s bigint NOT NULL, age_ms bigint NOT NULL, link bytea NOT NULL,"
    " PRIMARY KEY(game, number));"
    "CREATE TABLE game(id bigint PRIMARY KEY, is_over bigint NOT NULL,"
    " events bigint NOT NULL, age_ms bigint NOT NULL, ended_s bigint NOT NULL,"
    " red text COLLATE \"C\" NOT NULL, blue text COLLATE \"C\" NOT NULL,"
    " red_shown text NOT NULL, blue_shown text NOT NULL, rules text NOT NULL,"
    " time text NOT NULL, result text NOT NULL, reason text NOT NULL,"
    " plies bigint NOT NULL, seal bytea NOT NULL);"
    "CREATE INDEX game_running ON game(id) WHERE is_over = 0;"
    "CREATE INDEX game_red ON game(red, ended_s) WHERE is_over = 1;"
    "CREATE INDEX game_blue ON game(blue, ended_s) WHERE is_over = 1;"
    "CREATE INDEX game_aborted ON game(ended_s) WHERE is_over = 1 AND result = 'none';"
    "CREATE TABLE name(folded text COLLATE \"C\" PRIMARY KEY, shown text NOT NULL,"
    " proof bigint NOT NULL, digest bytea NOT NULL, seen_s bigint NOT NULL,"
    " seal bytea NOT NULL, first_game bigint NOT NULL, accepted bigint NOT NULL,"
    " accepted_game bigint NOT NULL, accepted_offer bigint NOT NULL,"
    " number bigint NOT NULL, made_s bigint NOT NULL, is_fresh bigint NOT NULL);"
    "CREATE TABLE device(folded text COLLATE \"C\", digest bytea,"
    " proof bigint NOT NULL, since_s bigint NOT NULL, seal bytea NOT NULL,"
    " PRIMARY KEY(folded, digest));"
    "CREATE TABLE invite(code text COLLATE \"C\" PRIMARY KEY, terms text NOT NULL,"
    " maker text NOT NULL, first text NOT NULL, made_s bigint NOT NULL,"
    " game bigint NOT NULL, seal bytea NOT NULL);"
    "CREATE TABLE unseen(id bigserial PRIMARY KEY, name text COLLATE \"C\" NOT NULL,"
    " game bigint NOT NULL);"
    "CREATE INDEX unseen_name ON unseen(name, id);"
    "CREATE INDEX unseen_game ON unseen(game);"
    "CREATE TABLE age(id bigint PRIMARY KEY, age_ms bigint NOT NULL,"
    " seal bytea NOT NULL, number bigint NOT NULL);"
    "CREATE TABLE act(id bigint PRIMARY KEY, wall_s bigint NOT NULL,"
    " actor text NOT NULL, text text NOT NULL, seal bytea NOT NULL);"
    "CREATE TABLE mark(owner text COLLATE \"C\", kind text COLLATE \"C\","
    " subject text COLLATE \"C\", value text NOT NULL, seal bytea NOT NULL,"
    " PRIMARY KEY(owner, kind, subject))";

/* Adds the table rating: see schema_6 of server/store/store_schema.c. */
static const char schema_2[] =
    "UPDATE schema SET version = 2;"
    "CREATE TABLE rating(seq bigint PRIMARY KEY, wall_s bigint NOT NULL,"
    " pool text NOT NULL, game bigint NOT NULL, red bigint NOT NULL,"
    " blue bigint NOT NULL, score bigint NOT NULL, timeout bigint NOT NULL,"
    " why text NOT NULL, red_rating bigint NOT NULL, red_rd bigint NOT NULL,"
    " red_volatility bigint NOT NULL, blue_rating bigint NOT NULL,"
    " blue_rd bigint NOT NULL, blue_volatility bigint NOT NULL, seal bytea NOT NULL)";

/* Adds the table lease, which has one row: see pg_lease.h. */
static const char schema_3[] =
    "CREATE TABLE lease(id bigint PRIMARY KEY CHECK (id = 1), owner bytea NOT NULL,"
    " at text NOT NULL, until timestamptz NOT NULL);"
    "INSERT INTO lease VALUES(1, decode(repeat('00', 16), 'hex'), '', 'epoch');"
    "UPDATE schema SET version = 3";

/* Adds the lists of the table batch: see LISTED. */
static const char schema_4[] =
    "ALTER TABLE batch ADD COLUMN games bigint[], ADD COLUMN numbers bigint[];"
    "UPDATE schema SET version = 4";

/* Adds the key of the leader to the table lease. */
static const char schema_5[] = "ALTER TABLE lease ADD COLUMN key bytea;"
                               "UPDATE schema SET version = 5";

/* Adds the newest row of batch that the leader knows to be acknowledged. */
static const char schema_6[] =
    "ALTER TABLE lease ADD COLUMN seq bigint, ADD COLUMN node bytea,"
    " ADD COLUMN seal bytea; UPDATE schema SET version = 6";

const char *const pg_statement_steps[PG_SCHEMA] = {schema_1, schema_2, schema_3,
                                                   schema_4, schema_5, schema_6};

/* The stamp of the lease; see pg_lease.h. Nodes with an older schema take it for the end
 * of the lease. */
#define NEW_STAMP "clock_timestamp() + interval '3 s'"
#define STAMP     "(extract(epoch FROM until) * 1000000)::bigint"

/* For each game, the number of the last event that the game must have. The numbers come
 * from the lists in the rows of batch. Without these lists, the loss of the last event
 * of a running game would not be noticed, and a new event would get the same number. A
 * row lists the games of its commit. If a commit is the first one of a server, or trims
 * the table, its row lists all running games. The columns `games` and `numbers` are
 * NULL if the row does not list any game, or was written before version 4. */
#define LISTED                                                                         \
    "(SELECT listed.game, max(listed.number) AS number FROM batch,"                    \
    " LATERAL unnest(games, numbers) AS listed(game, number) GROUP BY listed.game)"

/* The columns of the table game, in the order of the sealed columns. */
#define GAME_COLUMNS                                                                   \
    "game.id, is_over, events, game.age_ms, ended_s, red, blue, red_shown, "           \
    "blue_shown, rules, time, result, reason, plies, game.seal"

/* Selects some aborted games that ended before $1, and the game $2 if it has ended; but
 * never the newest game, so that its number is not reused. */
#define PRUNED_GAMES                                                                   \
    "(SELECT id FROM game WHERE id = $2 AND is_over = 1"                               \
    " AND id < (SELECT max(id) FROM game) UNION ALL (SELECT id FROM game"              \
    " WHERE is_over = 1 AND result = 'none' AND ended_s < $1"                          \
    " AND reason LIKE 'aborted%' AND id < (SELECT max(id) FROM game)"                  \
    " ORDER BY ended_s, id LIMIT 128))"

const struct pg_statement_text pg_statement_texts[PG_STATEMENTS] = {
    [PG_BEGIN] = {"BEGIN", ""},
    [PG_COMMIT] = {"COMMIT", ""},
    [PG_ROLLBACK] = {"ROLLBACK", ""},
    [PG_LOCK_SOON] = {"SET LOCAL lock_timeout = '2s'", ""},
    /* If a backend is active and waits for its client, the backend has received only a
     * part of a commit. A backend is idle, not active, after it has run all statements
     * up to a pipeline sync. It is also idle between two transactions. */
    [PG_END_HALF_SENT] = {"SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                          " WHERE datname = current_database()"
                          " AND usename = current_user AND pid <> pg_backend_pid()"
                          " AND application_name = 'janggid writer'"
                          " AND state = 'active' AND wait_event = 'ClientRead'"
                          " AND backend_xid IS NOT NULL"
                          " AND xact_start < clock_timestamp() - interval '2 s'",
                          ""},
    [PG_CHECK] = {"SELECT current_setting('synchronous_commit'),"
                  " current_setting('synchronous_standby_names'),"
                  " current_setting('fsync'), current_setting('server_encoding'),"
                  " pg_is_in_recovery()::text",
                  ""},
    [PG_WAIT_FOR_NONE] = {"SET LOCAL synchronous_commit = local", ""},
    [PG_LEASE_LOOK] = {"SELECT owner, at, " STAMP ","
                       " coalesce((SELECT epoch FROM batch ORDER BY seq DESC LIMIT 1),"
                       " 0), key FROM lease",
                       ""},
    [PG_LEASE_RENEW] = {"UPDATE lease SET until = " NEW_STAMP
                        ", seq = $2, node = $3, seal = $4 WHERE owner = $1",
                        "bnbb"},
    [PG_LEASE_TAKE] = {"UPDATE lease SET owner = $1, at = $2,"
                       " until = " NEW_STAMP ", key = $5"
                       " WHERE owner = $3 AND " STAMP " = $4",
                       "btbnb"},
    [PG_LEASE_GIVE] = {"UPDATE lease SET owner = decode(repeat('00', 16), 'hex'),"
                       " until = clock_timestamp() WHERE owner = $1",
                       "b"},
    [PG_PUT_BATCH] = {"INSERT INTO batch(seq, epoch, node, last_game, age_ms, seal,"
                      " games, numbers) VALUES($1,$2,$3,$4,$5,$6,$7,$8)",
                      "nnbnnbNN"},
    [PG_LAST_BATCH] = {"SELECT seq, last_game, age_ms FROM batch"
                       " ORDER BY seq DESC LIMIT 1",
                       ""},
    [PG_WITNESS] =
        {"SELECT last.seq, (SELECT min(seq) FROM batch), same.node, same.seal,"
         " lease.seq, lease.node, lease.seal FROM lease,"
         " (SELECT seq FROM batch ORDER BY seq DESC LIMIT 1) AS last"
         " LEFT JOIN batch AS same ON same.seq = $1",
         "n"},
    [PG_LOAD_BATCHES] = {"SELECT seq, node, seal FROM batch WHERE seq >= $1"
                         " ORDER BY seq",
                         "n"},
    [PG_TRIM_BATCHES] = {"DELETE FROM batch WHERE seq < $1", "n"},
    [PG_PUT_EVENTS] = {"INSERT INTO event(game, number, text, wall_s, age_ms, link)"
                       " SELECT unnest($1), unnest($2), unnest($3), unnest($4),"
                       " unnest($5), unnest($6)",
                       "NNTNNB"},
    [PG_PUT_GAME] = {"INSERT INTO game VALUES($1,0,$2,$3,0,'','','','','','','','',0,"
                     "$4)",
                     "nnnb"},
    /* Divides by 0 if no row changes, so that the transaction fails. */
    [PG_END_GAME] = {"WITH ended AS (UPDATE game SET events = $2, age_ms = $3,"
                     " seal = $4, is_over = 1, ended_s = $5, red = $6, blue = $7,"
                     " red_shown = $8, blue_shown = $9, rules = $10, time = $11,"
                     " result = $12, reason = $13, plies = $14"
                     " WHERE id = $1 AND is_over = 0 RETURNING id)"
                     " SELECT 1 / (SELECT count(*) FROM ended)",
                     "nnnbnttttttttn"},
    [PG_PRUNE_EVENTS] = {"DELETE FROM event WHERE game IN " PRUNED_GAMES, "nn"},
    [PG_PRUNE_UNSEEN] = {"DELETE FROM unseen WHERE game IN " PRUNED_GAMES, "nn"},
    [PG_PRUNE_GAMES] = {"DELETE FROM game WHERE id IN " PRUNED_GAMES, "nn"},
    [PG_PUT_NAME] = {"INSERT INTO name VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,"
                     "$13) ON CONFLICT (folded) DO UPDATE SET shown = $2, proof = $3,"
                     " digest = $4, seen_s = $5, seal = $6, first_game = $7,"
                     " accepted = $8, accepted_game = $9, accepted_offer = $10,"
                     " number = $11, made_s = $12, is_fresh = $13",
                     "ttnbnbnnnnnnn"},
    [PG_DROP_NAME] = {"DELETE FROM name WHERE folded = $1", "t"},
    [PG_PUT_DEVICE] = {"INSERT INTO device VALUES($1,$2,$3,$4,$5)"
                       " ON CONFLICT (folded, digest) DO UPDATE SET proof = $3,"
                       " since_s = $4, seal = $5",
                       "tbnnb"},
    [PG_DROP_DEVICE] = {"DELETE FROM device WHERE folded = $1"
                        " AND ($2 IS NULL OR digest = $2)",
                        "tb"},
    [PG_PUT_INVITE] = {"INSERT INTO invite VALUES($1,$2,$3,$4,$5,$6,$7)"
                       " ON CONFLICT (code) DO UPDATE SET terms = $2, maker = $3,"
                       " first = $4, made_s = $5, game = $6, seal = $7",
                       "ttttnnb"},
    [PG_DROP_INVITE] = {"DELETE FROM invite WHERE code = $1", "t"},
    [PG_PUT_UNSEEN] = {"INSERT INTO unseen(name, game) VALUES($1,$2)", "tn"},
    [PG_DROP_UNSEEN] = {"DELETE FROM unseen WHERE name = $1"
                        " AND ($2::bigint IS NULL OR game = $2)",
                        "tn"},
    [PG_PUT_AGE] = {"INSERT INTO age VALUES(1,$1,$2,$3) ON CONFLICT (id) DO UPDATE SET"
                    " age_ms = $1, seal = $2, number = $3",
                    "nbn"},
    [PG_PUT_ACT] = {"INSERT INTO act VALUES($1,$2,$3,$4,$5)", "nnttb"},
    [PG_REPLACE_ACT] = {"UPDATE act SET wall_s = $2, actor = $3, text = $4, seal = $5"
                        " WHERE id = $1",
                        "nnttb"},
    [PG_PUT_MARK] = {"INSERT INTO mark VALUES($1,$2,$3,$4,$5)"
                     " ON CONFLICT (owner, kind, subject) DO UPDATE SET value = $4,"
                     " seal = $5",
                     "ttttb"},
    [PG_DROP_MARK] = {"DELETE FROM mark WHERE owner = $1 AND ($2 IS NULL OR kind = $2)"
                      " AND ($3 IS NULL OR subject = $3)",
                      "ttt"},
    [PG_PUT_RATING] = {"INSERT INTO rating VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,"
                       "$12,$13,$14,$15,$16)",
                       "nntnnnnntnnnnnnb"},
    [PG_LAST_GAME] = {"SELECT greatest(coalesce((SELECT max(id) FROM game), 0),"
                      " coalesce((SELECT max(game) FROM event), 0))",
                      ""},
    [PG_LAST_ACT] = {"SELECT id, seal FROM act ORDER BY id DESC LIMIT 1", ""},
    [PG_FIND_ACT] = {"SELECT id, seal FROM act WHERE id = $1", "n"},
    [PG_LOAD_AGE] = {"SELECT age_ms, seal, number FROM age", ""},
    /* The second column is -1 if the game has no event. */
    [PG_LOAD_ENDS] =
        {"SELECT id, coalesce(last.number, -1), link,"
         " coalesce(listed.number, last.number) FROM game"
         " LEFT JOIN LATERAL (SELECT number, link FROM event"
         " WHERE event.game = game.id ORDER BY number DESC LIMIT 1) AS last"
         " ON true LEFT JOIN " LISTED " AS listed ON listed.game = id"
         " WHERE is_over = 0 AND (last.number IS NOT NULL"
         " OR listed.number IS NOT NULL)",
         ""},
    /* A game without events also gives a row, with NULL as the event. If the last
     * listed event of a game is missing, the query adds a row for this event, without a
     * text. Both rows count as damaged events. */
    [PG_LOAD_RUNNING] = {"SELECT game.id, number, text, wall_s, event.age_ms, link"
                         " FROM game LEFT JOIN event ON event.game = game.id"
                         " WHERE is_over = 0"
                         " UNION ALL SELECT id, number, NULL, NULL, NULL, NULL"
                         " FROM game JOIN " LISTED " AS listed ON listed.game = id"
                         " WHERE is_over = 0 AND NOT EXISTS (SELECT 1 FROM event"
                         " WHERE event.game = id AND event.number = listed.number)"
                         " ORDER BY 1, 2",
                         ""},
    [PG_FIND_LISTED] = {"SELECT max(listed.number) FROM batch,"
                        " LATERAL unnest(games, numbers) AS listed(game, number)"
                        " WHERE listed.game = $1",
                        "n"},
    [PG_LOAD_LISTED] = {"SELECT id, number FROM game JOIN " LISTED " AS listed"
                        " ON listed.game = id WHERE is_over = 0",
                        ""},
    [PG_LOAD_NAMES] = {"SELECT * FROM name ORDER BY folded", ""},
    [PG_LOAD_DEVICES] = {"SELECT * FROM device ORDER BY folded, digest", ""},
    [PG_LOAD_INVITES] = {"SELECT * FROM invite ORDER BY code", ""},
    [PG_LOAD_UNSEEN] = {"SELECT name, game FROM unseen ORDER BY id", ""},
    [PG_LOAD_ACTS] = {"SELECT * FROM act ORDER BY id", ""},
    [PG_LOAD_MARKS] = {"SELECT * FROM mark ORDER BY owner, kind, subject", ""},
    [PG_LOAD_RATINGS] = {"SELECT * FROM rating ORDER BY seq", ""},
    [PG_FIND_GAME] = {"SELECT " GAME_COLUMNS " FROM game WHERE id = $1", "n"},
    [PG_READ_LOG] = {"SELECT game, number, text, wall_s, age_ms, link FROM event"
                     " WHERE game = $1 ORDER BY number",
                     "n"},
    [PG_READ_START] = {"SELECT game, number, text, wall_s, age_ms, link FROM event"
                       " WHERE game = $1 AND number = 0",
                       "n"},
    [PG_READ_HISTORY] = {"SELECT " GAME_COLUMNS " FROM game WHERE is_over = 1"
                         " AND (red = $1 OR blue = $1) AND id >= $2"
                         " ORDER BY ended_s DESC, id DESC LIMIT $3",
                         "tnn"},
    [PG_READ_UNSEEN] = {"SELECT " GAME_COLUMNS " FROM unseen JOIN game"
                        " ON game.id = unseen.game WHERE unseen.name = $1"
                        " AND is_over = 1 AND (red = $1 OR blue = $1)"
                        " ORDER BY unseen.id LIMIT $2",
                        "tn"},
    [PG_OWN_COMMIT] = {"SELECT pg_logical_emit_message(true, 'janggid', '')::text", ""},
    [PG_SIZE] = {"SELECT pg_database_size(current_database())", ""},
};
