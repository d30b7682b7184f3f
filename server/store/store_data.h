/* The contents of the database as values: the events of a game, names and their proofs,
 * invitations, the acts of the staff, marks, and the history. */
#ifndef SERVER_STORE_STORE_DATA_H
#define SERVER_STORE_STORE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands for the number of an event that is appended to a damaged log. Such an event is
 * never read, because a reader stops at the damage. */
enum { STORE_AFTER_DAMAGE = -1 };

/* One event as stored. */
struct store_event {
    int64_t seq; /* its place in the journal; 0: it is not there */
    int64_t game;
    int number;
    const char *text;
    int64_t wall_s; /* wall clock when it was queued, for people */
    int64_t age_ms; /* store_age_ms() when it was queued */
    bool is_sound;
};
/* Called for each event of a log. A log is damaged if a number is missing, if there are
 * fewer events than the row of the game says, or if the link of an event (a digest of
 * it and of all events before) does not match. It is read up to its last intact event.
 * Then the callback gets is_sound false, the number of the first damaged event, and the
 * text "". Only an event with the number STORE_AFTER_DAMAGE may be appended to such a
 * log. */
typedef void store_event_fn(void *arg, const struct store_event *event);

/* How a player proves to own a name: by a private key or by a token. The digest is the
 * SHA-256 of the public key or of the token. A damaged row of a name or of an
 * invitation makes the whole read fail. */
enum store_proof { STORE_PROOF_KEY, STORE_PROOF_TOKEN };
enum { STORE_DIGEST_BYTES = 32 };
/* The last seek, challenge or offer that a player accepted. */
struct store_accept {
    int64_t number; /* 0: none */
    int64_t game;  /* the game that the seek or challenge started, or in which the offer
                    * was made */
    bool is_offer; /* an offer in a game, not a seek or challenge */
};
struct store_name {
    const char *folded; /* primary key: the name as it is compared, without upper
                         * case */
    const char *shown;
    enum store_proof proof;
    unsigned char digest[STORE_DIGEST_BYTES];
    int64_t seen_wall_s;
    int64_t first_game; /* games with a lower number belong to an earlier owner */
    struct store_accept accepted;
    int64_t number;      /* of the account, never reused; 0: none yet, as in rows of an
                          * older janggid */
    int64_t made_wall_s; /* when the name was registered; 0: not known, as in rows of an
                          * older janggid */
    bool is_fresh;       /* has finished no game, so it may expire; false in rows of an
                          * older janggid */
};
/* A further proof of a name, for a device other than the device of the first login. If
 * a row is damaged, the whole read fails. */
struct store_device {
    const char *folded; /* the folded name that the proof belongs to */
    enum store_proof proof;
    unsigned char
        digest[STORE_DIGEST_BYTES]; /* together with folded: the primary key */
    int64_t since_wall_s;
};
/* An invitation to a game. maker and first are folded names or ""; game is 0 until the
 * game starts. */
struct store_invite {
    const char *code;
    const char *terms; /* "time=10m+5s rules=martin side=any" */
    const char *maker;
    const char *first; /* the first player who came, if the host is the maker; otherwise
                        * "" */
    int64_t made_wall_s;
    int64_t game;
};
/* An entry of the audit log: an act of the staff, a change of a setting by the staff,
 * or a report to the staff. Entries are appended and never removed; pruning reports
 * replaces some. If an entry is damaged or missing, the whole read
 * fails. */
struct store_act {
    int64_t id; /* 1, 2, 3 ... */
    int64_t wall_s;
    const char *actor; /* the shown name of an account, or a word for the server */
    const char *text;
};
/* A small fact about an account: whom it ignores, a setting, whom it admits to a game.
 * The first three members are the key. A damaged row makes the whole read fail. */
struct store_mark {
    const char *owner;   /* a folded name; "": the fact is about the server itself */
    const char *kind;    /* which fact: a word that is known to the code that reads the
                          * mark */
    const char *subject; /* whom or what the fact is about; "" if it has no subject */
    const char *value;
};
/* A rating and its deviation (RD), both in hundredths, and its volatility in
 * millionths. */
struct glicko {
    int rating, rd, volatility;
};

/* A rated game that has ended: the players, and their ratings after it. A row with
 * `why` "annulled" says instead that the game of an earlier row no longer counts. Rows
 * are only appended, in the order of seq. A damaged or missing row makes the whole read
 * fail. See rating/ratings.h. */
struct store_rating {
    int64_t seq; /* 1, 2, 3 ... */
    int64_t wall_s;
    const char *pool;
    int64_t game;
    int64_t account[2]; /* the numbers of red and blue */
    int score;          /* 2: red won, 1: drawn, 0: blue won */
    bool is_timeout;    /* the loser's time ran out */
    const char *why;    /* why the game does not count; "" if it counts */
    struct glicko after[2];
};
/* The end of a game that a player has perhaps not seen. */
struct store_unseen {
    const char *folded;
    int64_t game;
};

/* The one row about the journal and the games: which rows there must be. Each commit of
 * events replaces it. */
struct store_head {
    int64_t first_seq,
        last_seq;      /* the journal has all rows from first_seq to last_seq */
    int64_t last_game; /* the highest number of a game, existing or deleted */
    int64_t games;     /* how many ended games there are */
    int64_t age_ms;    /* of the last event */
};

/* The one row that the store keeps about itself. age_ms: the largest store_age_ms()
 * that is stored. */
struct store_age {
    int64_t age_ms;
    int64_t number; /* at least as high as every number that store_next_number() has
                     * returned */
};

/* The data of an ended game for the history. */
struct store_summary {
    const char *red, *blue; /* folded names */
    const char *red_shown, *blue_shown;
    const char *rules, *time;    /* words of the start event */
    const char *result, *reason; /* words of the end event; reason includes by= */
    int plies;
};

/* The row of a game. */
struct store_game {
    int64_t id;
    bool is_over;
    int events;     /* number of events in its log */
    int64_t age_ms; /* of the last event */
    int64_t ended_wall_s;
    struct store_summary summary;
    const char *
        log; /* "" in PostgreSQL; the texts of its events, each with an LF; after STORE_LOG_DAMAGED
                      * they are lost */
};
#define STORE_LOG_DAMAGED "damaged" /* a line of a log that is damaged from there on */

/* An ended game, for a player's history. */
struct store_past {
    int64_t game;
    int64_t ended_wall_s;
    bool is_private; /* true also if its start event is damaged */
    struct store_summary summary;
};
typedef void store_past_fn(void *arg, const struct store_past *past);

/* Where a log is: in a directory, or on a database server. All texts are borrowed. */
struct store_place {
    const char *directory;    /* the data directory */
    const char *url;          /* PostgreSQL: postgres://... */
    bool is_sync_outside;     /* see store-sync in janggid(8) */
    bool is_loss_accepted;    /* PostgreSQL: --accept-loss */
    const char *at;           /* "HOST:PORT" where clients reach this node */
    const unsigned char *key; /* of STORE_KEY_BYTES: the digest of this node's key */
};
enum { STORE_KEY_BYTES = 32 };
enum { STORE_AT_BYTES = 280 }; /* a host name, brackets and a port */

/* The state of writing: writes are stored again, wait, are slow, or are not stored any
 * more. */
enum store_trouble {
    STORE_OK_AGAIN,
    STORE_FULL, /* the disk is full: writes wait */
    STORE_SLOW, /* a write takes more than 2 s */
    STORE_AWAY, /* the database server cannot be reached, or is not safe: writes wait */
    STORE_LOST  /* another node writes the log: no write will be stored any more */
};

/* Called for each row of a kind (store_row.h): `row` is its struct. A damaged row makes
 * the whole read fail. */
typedef void store_row_fn(void *arg, const void *row);

/* In place of the number of the first game that is read: those are read whose end the player
 * has perhaps not seen, in the order of their ends. One call reads at most STORE_UNSEEN_MAX. */
enum { STORE_FIRST_UNSEEN = -1, STORE_UNSEEN_MAX = 100 };

/* Used in place of the number of games that a write has deleted, if this number is
 * unknown: the database's answer was lost, but the log shows that the write is
 * stored. */
enum { STORE_PRUNED_UNKNOWN = -1 };

#endif
