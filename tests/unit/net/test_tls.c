/* Tests of keys and key files, and of the TLS parameters that client and server agree
 * on. The handshakes run in memory. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "common/base/base.h"
#include "common/base/log.h"
#include "common/base/text.h"
#include "common/net/proto.h"
#include "common/net/tls.h"
#include "tests/unit/unit.h"

enum { PATH_BYTES = 256 };

static char directory[UNIT_PATH_BYTES];
static char cert_path[PATH_BYTES], key_path[PATH_BYTES];

static const char *in_directory(char out[PATH_BYTES], const char *name)
{
    assert_true(snprintf(out, PATH_BYTES, "%s/%s", directory, name) < PATH_BYTES);
    return out;
}

static mode_t mode_of(const char *path)
{
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

static int make_directory(void **state)
{
    log_set_level(LOG_FATAL);
    if (!unit_make_directory(directory))
        return -1;
    in_directory(cert_path, "cert.pem");
    in_directory(key_path, "key.pem");
    return tls_make_identity(cert_path, key_path, "Minho's board") ? 0 : -1;
}

static int remove_directory(void **state)
{
    return unit_remove_directory(directory);
}

static X509 *read_cert(const char *path)
{
    FILE *file = fopen(path, "r");
    X509 *cert;

    assert_non_null(file);
    cert = PEM_read_X509(file, NULL, NULL, NULL);
    fclose(file);
    assert_non_null(cert);
    return cert;
}

static struct tls_key key_of_file(const char *path)
{
    X509 *cert = read_cert(path);
    struct tls_key key;

    assert_true(tls_key_of_cert(cert, &key));
    X509_free(cert);
    return key;
}

static char *read_text(const char *path)
{
    static char text[16 * 1024];
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* --- Identity --- */

UNIT_TEST(an_identity_has_the_right_modes)
{
    assert_int_equal(mode_of(key_path), 0600);
    assert_int_equal(mode_of(cert_path), 0644);
}

UNIT_TEST(modes_do_not_depend_on_the_umask)
{
    static const mode_t masks[] = {0000, 0777};
    char cert[PATH_BYTES], key[PATH_BYTES], name[32];

    for (size_t i = 0; i < ARRAY_LEN(masks); i++) {
        mode_t before = umask(masks[i]);

        snprintf(name, sizeof name, "umask%zu.cert", i);
        in_directory(cert, name);
        snprintf(name, sizeof name, "umask%zu.key", i);
        in_directory(key, name);
        assert_true(tls_make_identity(cert, key, "x"));
        umask(before);
        assert_int_equal(mode_of(key), 0600);
        assert_int_equal(mode_of(cert), 0644);
    }
}

UNIT_TEST(an_identity_is_a_p256_key_and_ten_years)
{
    X509 *cert = read_cert(cert_path);
    char name[64];
    int days, seconds;

    assert_true(EVP_PKEY_is_a(X509_get0_pubkey(cert), "EC"));
    assert_int_equal(EVP_PKEY_get_bits(X509_get0_pubkey(cert)), 256);
    X509_NAME_get_text_by_NID(X509_get_subject_name(cert), NID_commonName, name,
                              sizeof name);
    assert_string_equal(name, "Minho's board");
    assert_true(ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(cert)));
    assert_in_range(days, 3649, 3650);
    assert_int_equal(X509_verify(cert, X509_get0_pubkey(cert)), 1);
    X509_free(cert);
}

UNIT_TEST(files_that_exist_are_kept)
{
    char *before = strdup(read_text(key_path));
    struct tls_key key = key_of_file(cert_path), again;

    assert_true(tls_make_identity(cert_path, key_path, "another"));
    assert_string_equal(read_text(key_path), before);
    again = key_of_file(cert_path);
    assert_memory_equal(&again, &key, sizeof key);
    free(before);
}

UNIT_TEST(a_lost_certificate_is_made_again_over_the_same_key)
{
    char cert[PATH_BYTES], key[PATH_BYTES];
    struct tls_key before, after;

    in_directory(cert, "lost.cert");
    in_directory(key, "lost.key");
    assert_true(tls_make_identity(cert, key, "x"));
    before = key_of_file(cert);
    assert_int_equal(unlink(cert), 0);
    assert_true(tls_make_identity(cert, key, "x"));
    after = key_of_file(cert);
    assert_memory_equal(&before, &after, sizeof before);
}

UNIT_TEST(a_certificate_without_its_key_is_left_alone)
{
    char cert[PATH_BYTES], key[PATH_BYTES];

    in_directory(cert, "alone.cert");
    in_directory(key, "alone.key");
    assert_true(tls_make_identity(cert, key, "x"));
    assert_int_equal(unlink(key), 0);
    assert_false(tls_make_identity(cert, key, "x"));
    assert_false(is_there(key));
    assert_true(is_there(cert));
}

UNIT_TEST(without_a_directory_there_is_no_identity)
{
    char cert[PATH_BYTES], key[PATH_BYTES];

    assert_false(tls_make_identity(in_directory(cert, "none/cert.pem"),
                                   in_directory(key, "none/key.pem"), "x"));
}

/* Several processes make a key and a certificate at the same two paths at the same
 * time. Every process must succeed, the key and the certificate must match, and
 * temporary files must not remain. */
UNIT_TEST(programs_that_start_at_once_share_one_pair)
{
    enum { PROGRAMS = 8 };
    char cert[PATH_BYTES], key[PATH_BYTES], command[2 * PATH_BYTES];
    SSL_CTX *ctx;

    in_directory(cert, "race.cert");
    in_directory(key, "race.key");
    for (int i = 0; i < PROGRAMS; i++)
        if (fork() == 0)
            _exit(tls_make_identity(cert, key, "x") ? 0 : 1);
    for (int i = 0; i < PROGRAMS; i++) {
        int status;

        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    ctx = tls_server_ctx(cert, key, NULL, NULL);
    assert_non_null(ctx);
    SSL_CTX_free(ctx);
    snprintf(command, sizeof command, "test $(ls %s | grep -c race) -eq 2", directory);
    assert_int_equal(system(command), 0);
}

/* --- What a server refuses --- */

static bool is_pair_taken(const char *cert, const char *key)
{
    SSL_CTX *ctx = tls_server_ctx(cert, key, NULL, NULL);
    bool is_taken = ctx != NULL;

    SSL_CTX_free(ctx);
    assert_int_equal(ERR_peek_error(), 0); /* no error is left in OpenSSL's queue for
                                            * the next connection */
    return is_taken;
}

UNIT_TEST(a_server_tells_its_key_and_its_end)
{
    struct tls_key key, of_file = key_of_file(cert_path);
    long long expires_s = 0, now_s = (long long)time(NULL);
    SSL_CTX *ctx = tls_server_ctx(cert_path, key_path, &key, &expires_s);

    assert_non_null(ctx);
    assert_memory_equal(&key, &of_file, sizeof key);
    assert_true(expires_s > now_s + 3649LL * 86400);
    assert_true(expires_s < now_s + 3651LL * 86400);
    SSL_CTX_free(ctx);
}

UNIT_TEST(a_key_that_others_may_read_is_refused)
{
    static const mode_t open_modes[] = {0640, 0604, 0620, 0660, 0644, 0601};

    for (size_t i = 0; i < ARRAY_LEN(open_modes); i++) {
        assert_int_equal(chmod(key_path, open_modes[i]), 0);
        assert_false(is_pair_taken(cert_path, key_path));
    }
    assert_int_equal(chmod(key_path, 0400), 0);
    assert_true(is_pair_taken(cert_path, key_path));
    assert_int_equal(chmod(key_path, 0600), 0);
    assert_true(is_pair_taken(cert_path, key_path));
}

UNIT_TEST(a_pair_that_does_not_match_is_refused)
{
    char cert[PATH_BYTES], key[PATH_BYTES];

    assert_true(tls_make_identity(in_directory(cert, "other.cert"),
                                  in_directory(key, "other.key"), "x"));
    assert_true(is_pair_taken(cert, key));
    assert_false(is_pair_taken(cert_path, key));
    assert_false(is_pair_taken(cert, key_path));
}

UNIT_TEST(unsuitable_files_are_refused)
{
    char path[PATH_BYTES];

    assert_false(is_pair_taken(in_directory(path, "missing"), key_path));
    assert_false(is_pair_taken(cert_path, path));
    assert_false(is_pair_taken(key_path, key_path));
    assert_false(is_pair_taken(cert_path, directory));
    in_directory(path, "pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(is_pair_taken(cert_path, path)); /* refused without waiting for a
                                                   * writer */
}

UNIT_TEST(a_link_to_a_key_is_followed)
{
    char path[PATH_BYTES];

    assert_int_equal(symlink(key_path, in_directory(path, "link.key")), 0);
    assert_true(is_pair_taken(cert_path, path));
}

static EVP_PKEY *read_key(void)
{
    FILE *file = fopen(key_path, "r");
    EVP_PKEY *key = PEM_read_PrivateKey(file, NULL, NULL, NULL);

    fclose(file);
    return key;
}

static void write_cert(const char *path, X509 *cert)
{
    FILE *file = fopen(path, "w");

    assert_true(PEM_write_X509(file, cert));
    fclose(file);
    X509_free(cert);
}

/* Writes a certificate for the key of cert_path, valid between two offsets from now. */
static void write_dated_cert(const char *path, long from_s, long to_s)
{
    EVP_PKEY *key = read_key();
    X509 *cert = X509_new();

    X509_gmtime_adj(X509_getm_notBefore(cert), from_s);
    X509_gmtime_adj(X509_getm_notAfter(cert), to_s);
    X509_set_pubkey(cert, key);
    assert_true(X509_sign(cert, key, EVP_sha256()) > 0);
    write_cert(path, cert);
    EVP_PKEY_free(key);
}

/* A clock that is behind keeps no server from starting. */
UNIT_TEST(an_expired_certificate_is_refused)
{
    char path[PATH_BYTES];

    in_directory(path, "dated.cert");
    write_dated_cert(path, -1000, -10);
    assert_false(is_pair_taken(path, key_path));
    write_dated_cert(path, 1000, 2000);
    assert_true(is_pair_taken(path, key_path));
    write_dated_cert(path, -1000, 1000);
    assert_true(is_pair_taken(path, key_path));
}

UNIT_TEST(a_key_with_a_passphrase_is_refused_and_not_asked_for)
{
    char path[PATH_BYTES];
    EVP_PKEY *key = read_key();
    FILE *file;

    file = fopen(in_directory(path, "locked.key"), "w");
    assert_true(PEM_write_PrivateKey(file, key, EVP_aes_128_cbc(),
                                     (const unsigned char *)"secret", 6, NULL, NULL));
    fclose(file);
    EVP_PKEY_free(key);
    assert_int_equal(chmod(path, 0600), 0);
    assert_false(is_pair_taken(cert_path, path));
}

/* --- Keys as text --- */

UNIT_TEST(a_key_is_43_characters)
{
    /* The digest of the empty text: e3b0c442..., a well-known value. */
    struct tls_key key;
    char text[TLS_KEY_TEXT_BYTES];

    EVP_Digest("", 0, key.digest, NULL, EVP_sha256(), NULL);
    tls_key_format(text, &key);
    assert_string_equal(text, "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
}

UNIT_TEST(a_key_matches_22_characters_or_more)
{
    struct tls_key key;
    char text[TLS_KEY_TEXT_BYTES + 1];

    EVP_Digest("", 0, key.digest, NULL, EVP_sha256(), NULL);
    for (size_t len = 0; len < TLS_KEY_TEXT_BYTES; len++) {
        tls_key_format(text, &key);
        text[len] = '\0';
        assert_int_equal(tls_key_matches(&key, text), len >= 22);
        if (len > 0) {
            text[len - 1] = text[len - 1] == 'x' ? 'y' : 'x';
            assert_false(tls_key_matches(&key, text));
        }
    }
    tls_key_format(text, &key);
    strcat(text, "A");
    assert_false(tls_key_matches(&key, text));
}

/* The pin of a key is its digest as text. Our function and the shell script
 * certs/show-pin.sh give the same pin. */
UNIT_TEST(the_script_shows_the_same_pin)
{
    struct tls_key key = key_of_file(cert_path);
    char command[2 * PATH_BYTES], ours[TLS_KEY_TEXT_BYTES], theirs[64] = "";
    FILE *said;

    if (!is_there("certs/show-pin.sh"))
        skip(); /* the working directory has no sources */
    snprintf(command, sizeof command, "sh certs/show-pin.sh %s", cert_path);
    said = popen(command, "r");
    assert_non_null(fgets(theirs, sizeof theirs, said));
    assert_int_equal(pclose(said), 0);
    tls_key_format(ours, &key);
    theirs[strcspn(theirs, "\n")] = '\0';
    assert_string_equal(theirs, ours);
}

/* --- Handshakes --- */

struct verdict {
    bool is_yes;
    int asked;
    struct tls_seen seen;
};

static bool judge(void *arg, const struct tls_seen *seen)
{
    struct verdict *verdict = arg;

    verdict->asked++;
    verdict->seen = *seen;
    return verdict->is_yes;
}

static SSL_CTX *server_ctx(void)
{
    return tls_server_ctx(cert_path, key_path, NULL, NULL);
}

static void join(SSL *server, SSL *client)
{
    BIO *one, *other;

    assert_true(BIO_new_bio_pair(&one, 64 * 1024, &other, 64 * 1024));
    SSL_set_bio(server, one, one);
    SSL_set_bio(client, other, other);
    SSL_set_accept_state(server);
    SSL_set_connect_state(client);
}

/* Does the handshake of the two ends. Returns true when both have finished it. The
 * client must not send data before that. */
static bool shake(SSL *server, SSL *client)
{
    for (int i = 0; i < 10; i++) {
        bool is_client_done, is_server_done;

        ERR_clear_error();
        is_client_done = SSL_do_handshake(client) == 1;
        ERR_clear_error();
        is_server_done = SSL_do_handshake(server) == 1;
        if (is_client_done && is_server_done)
            return true;
    }
    return false;
}

struct ends {
    SSL *server;
    SSL *client;
};

static const char *row_name = "";

/* Makes the two ends of a connection, and frees both contexts. Checks that they shake hands, or
 * that they do not. */
static struct ends meet(SSL_CTX *server, SSL_CTX *client, const char *host,
                        struct verdict *verdict, bool is_wanted)
{
    struct ends ends;

    assert_non_null(server);
    assert_non_null(client);
    ends = (struct ends){SSL_new(server), SSL_new(client)};
    join(ends.server, ends.client);
    SSL_CTX_free(server);
    SSL_CTX_free(client);
    assert_true(tls_client_arm(ends.client, host, judge, verdict));
    if (shake(ends.server, ends.client) != is_wanted)
        fail_msg("%s: they %s", row_name, is_wanted ? "do not agree" : "agree");
    return ends;
}

/* The same with our server, which the client's judge accepts. */
static struct ends meet_ours(SSL_CTX *client, bool is_wanted)
{
    static struct verdict verdict;

    verdict = (struct verdict){.is_yes = true};
    return meet(server_ctx(), client, "board.example", &verdict, is_wanted);
}

static void end(struct ends ends)
{
    SSL_free(ends.server);
    SSL_free(ends.client);
    ERR_clear_error();
}

UNIT_TEST(a_client_asks_only_its_judge)
{
    struct tls_key key = key_of_file(cert_path);

    for (int yes = 0; yes <= 1; yes++) {
        struct verdict verdict = {.is_yes = yes};

        end(meet(server_ctx(), tls_client_ctx(NULL, NULL, NULL), "board.example",
                 &verdict, yes));
        assert_int_equal(verdict.asked, 1);
        assert_false(verdict.seen.is_chain_good);
        assert_memory_equal(&verdict.seen.key, &key, sizeof key);
    }
}

UNIT_TEST(a_client_without_a_judge_trusts_no_server)
{
    SSL_CTX *server = server_ctx(), *client = tls_client_ctx(NULL, NULL, NULL);
    struct ends ends = {SSL_new(server), SSL_new(client)};

    join(ends.server, ends.client);
    assert_false(shake(ends.server, ends.client));
    end(ends);
    SSL_CTX_free(server);
    SSL_CTX_free(client);
}

/* Writes the certificate of an authority to `ca_path`, and the certificate of a server
 * to `path`. The authority has issued the server's certificate for `name` (in the form
 * of a subjectAltName in openssl.cnf). */
static void write_chain(const char *ca_path, const char *path, const char *name)
{
    EVP_PKEY *key = read_key();
    EVP_PKEY *ca_key = EVP_EC_gen("P-256");
    X509 *certs[2] = {X509_new(), X509_new()};

    for (int i = 0; i < 2; i++) {
        X509_EXTENSION *extension = X509V3_EXT_conf_nid(
            NULL, NULL, i == 0 ? NID_basic_constraints : NID_subject_alt_name,
            i == 0 ? "critical,CA:TRUE" : name);

        X509_set_version(certs[i], X509_VERSION_3);
        X509_gmtime_adj(X509_getm_notBefore(certs[i]), -1000);
        X509_gmtime_adj(X509_getm_notAfter(certs[i]), 1000);
        X509_NAME_add_entry_by_txt(X509_get_subject_name(certs[i]), "CN", MBSTRING_ASC,
                                   (const unsigned char *)(i == 0 ? "ca" : "server"),
                                   -1, -1, 0);
        X509_set_issuer_name(certs[i], X509_get_subject_name(certs[0]));
        X509_set_pubkey(certs[i], i == 0 ? ca_key : key);
        assert_non_null(extension);
        X509_add_ext(certs[i], extension, -1);
        X509_EXTENSION_free(extension);
        assert_true(X509_sign(certs[i], ca_key, EVP_sha256()) > 0);
    }
    write_cert(ca_path, certs[0]);
    write_cert(path, certs[1]);
    EVP_PKEY_free(key);
    EVP_PKEY_free(ca_key);
}

UNIT_TEST(a_chain_is_valid_only_for_its_name)
{
    static const struct {
        const char *name, *host;
        bool has_ca, is_good;
    } cases[] = {
        {"DNS:board.example", "board.example", true, true},
        {"DNS:board.example", "BOARD.example", true, true},
        {"DNS:board.example", "board.example", false, false},
        {"DNS:board.example", "other.example", true, false},
        {"DNS:board.example", "x.board.example", true, false},
        {"DNS:*.boards.example", "a.boards.example", true, true},
        {"DNS:*.boards.example", "a.b.boards.example", true, false},
        {"DNS:a*.boards.example", "ab.boards.example", true, false},
        {"IP:192.0.2.1", "192.0.2.1", true, true},
        {"IP:192.0.2.1", "192.0.2.2", true, false},
        {"IP:2001:db8:0::1", "2001:db8::1", true, true},
        {"DNS:192.0.2.1", "192.0.2.1", true, false},
    };
    char ca[PATH_BYTES], cert[PATH_BYTES];

    in_directory(ca, "chain.ca");
    in_directory(cert, "chain.cert");
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct verdict verdict = {.is_yes = true};

        write_chain(ca, cert, cases[i].name);
        end(meet(tls_server_ctx(cert, key_path, NULL, NULL),
                 tls_client_ctx(NULL, NULL, cases[i].has_ca ? ca : NULL), cases[i].host,
                 &verdict, true));
        if (verdict.seen.is_chain_good != cases[i].is_good)
            fail_msg("%s for %s", cases[i].name, cases[i].host);
    }
}

UNIT_TEST(sni_contains_a_name_but_no_address)
{
    static const struct {
        const char *host, *sni;
    } cases[] = {
        {"board.example", "board.example"},
        {"192.0.2.1", NULL},
        {"2001:db8::1", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct verdict verdict = {.is_yes = true};
        struct ends ends = meet(server_ctx(), tls_client_ctx(NULL, NULL, NULL),
                                cases[i].host, &verdict, true);
        const char *sni = SSL_get_servername(ends.client, TLSEXT_NAMETYPE_host_name);

        if (cases[i].sni == NULL)
            assert_null(sni);
        else
            assert_string_equal(sni, cases[i].sni);
        end(ends);
    }
}

UNIT_TEST(a_ca_file_without_certificates_is_refused)
{
    char path[PATH_BYTES];

    assert_null(tls_client_ctx(NULL, NULL, in_directory(path, "no.ca")));
    assert_null(tls_client_ctx(NULL, NULL, key_path));
}

UNIT_TEST(only_modern_ends_agree)
{
    static const struct {
        const char *name, *groups, *suites, *alpn;
        int version;
        bool is_agreed;
    } rows[] = {
        {"nothing", .is_agreed = true},
        {"TLS 1.2", .version = TLS1_2_VERSION},
        {"ffdhe", .groups = "ffdhe2048:ffdhe8192"},
        {"P-521", .groups = "P-521:X448"},
        {"P-256", .groups = "P-256", .is_agreed = true},
        {"AES-256", .suites = "TLS_AES_256_GCM_SHA384", .is_agreed = true},
        {"no ALPN", .alpn = "", .is_agreed = true},
        {"HTTP", .alpn = "\x02h2\x08http/1.1"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        SSL_CTX *client = tls_client_ctx(NULL, NULL, NULL);

        row_name = rows[i].name;
        assert_true(SSL_CTX_set_max_proto_version(client, rows[i].version));
        if (rows[i].version != 0)
            assert_true(SSL_CTX_set_min_proto_version(client, rows[i].version));
        if (rows[i].groups != NULL)
            assert_true(SSL_CTX_set1_groups_list(client, rows[i].groups));
        if (rows[i].suites != NULL)
            assert_true(SSL_CTX_set_ciphersuites(client, rows[i].suites));
        if (rows[i].alpn != NULL)
            assert_int_equal(
                SSL_CTX_set_alpn_protos(client, (const unsigned char *)rows[i].alpn,
                                        (unsigned)strlen(rows[i].alpn)),
                0);
        end(meet_ours(client, rows[i].is_agreed));
    }
    row_name = "";
}

UNIT_TEST(alpn_is_ours_and_no_session_is_resumed)
{
    struct ends ends = meet_ours(tls_client_ctx(NULL, NULL, NULL), true);
    const unsigned char *alpn;
    unsigned len;

    SSL_get0_alpn_selected(ends.server, &alpn, &len);
    assert_int_equal(len, strlen(PROTO_ALPN));
    assert_memory_equal(alpn, PROTO_ALPN, len);
    assert_int_equal(SSL_version(ends.server), TLS1_3_VERSION);
    assert_int_equal(SSL_get_mode(ends.server) & SSL_MODE_AUTO_RETRY, 0);
    assert_int_equal(SSL_get_num_tickets(ends.server), 0);
    assert_int_equal(SSL_get_max_early_data(ends.server), 0);
    assert_false(SSL_SESSION_is_resumable(SSL_get_session(ends.client)));
    end(ends);
}

/* The server prefers AES-128, but takes ChaCha20 for a client that lists it first. */
UNIT_TEST(the_server_picks_the_cheaper_suite)
{
    static const struct {
        const char *offered, *chosen;
    } rows[] = {
        {"TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"},
        {"TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256",
         "TLS_AES_256_GCM_SHA384"},
        {"TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256",
         "TLS_CHACHA20_POLY1305_SHA256"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        SSL_CTX *client = tls_client_ctx(NULL, NULL, NULL);
        struct ends ends;

        assert_true(SSL_CTX_set_ciphersuites(client, rows[i].offered));
        ends = meet_ours(client, true);
        assert_string_equal(SSL_get_cipher_name(ends.server), rows[i].chosen);
        end(ends);
    }
}

/* --- Certificates of players --- */

static void write_player(EVP_PKEY *key, const char *cert_name, const char *key_name)
{
    char path[PATH_BYTES];
    X509 *cert = X509_new();
    FILE *file;

    assert_non_null(key);
    X509_set_version(cert, X509_VERSION_3);
    X509_gmtime_adj(X509_getm_notBefore(cert), -1000);
    X509_gmtime_adj(X509_getm_notAfter(cert), 1000);
    X509_set_pubkey(cert, key);
    assert_true(
        X509_sign(cert, key, EVP_PKEY_is_a(key, "ED25519") ? NULL : EVP_sha256()) > 0);
    write_cert(in_directory(path, cert_name), cert);
    file = fopen(in_directory(path, key_name), "w");
    assert_true(PEM_write_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL));
    fclose(file);
    assert_int_equal(chmod(path, 0600), 0);
    EVP_PKEY_free(key);
}

/* Checks whether a player's certificate is accepted, and returns the key that the server got. */
static struct tls_key player_key(const char *cert_name, const char *key_name,
                                 bool is_wanted)
{
    char cert[PATH_BYTES], key_file[PATH_BYTES];
    struct ends ends = meet_ours(tls_client_ctx(in_directory(cert, cert_name),
                                                in_directory(key_file, key_name), NULL),
                                 is_wanted);
    X509 *seen = SSL_get1_peer_certificate(ends.server);
    struct tls_key key = {0};

    if (is_wanted) {
        assert_non_null(seen);
        assert_true(tls_key_of_cert(seen, &key));
    }
    X509_free(seen);
    end(ends);
    return key;
}

UNIT_TEST(a_player_proves_a_key_of_any_sensible_kind)
{
    char path[PATH_BYTES];
    struct tls_key seen, own;

    write_player(EVP_EC_gen("P-256"), "p256.cert", "p256.key");
    seen = player_key("p256.cert", "p256.key", true);
    own = key_of_file(in_directory(path, "p256.cert"));
    assert_memory_equal(&seen, &own, sizeof own);
    write_player(EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"), "ed.cert", "ed.key");
    player_key("ed.cert", "ed.key", true);
    write_player(EVP_RSA_gen(2048), "rsa.cert", "rsa.key");
    player_key("rsa.cert", "rsa.key", true);
}

/* Makes an RSA key of four primes, which are found faster than two. */
static EVP_PKEY *make_long_rsa_key(int bits)
{
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY *key = NULL;

    assert_int_equal(EVP_PKEY_keygen_init(ctx), 1);
    assert_int_equal(EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, bits), 1);
    assert_int_equal(EVP_PKEY_CTX_set_rsa_keygen_primes(ctx, 4), 1);
    assert_int_equal(EVP_PKEY_generate(ctx, &key), 1);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

UNIT_TEST(an_rsa_key_that_is_too_long_is_refused)
{
    write_player(make_long_rsa_key(4096), "fits.cert", "fits.key");
    player_key("fits.cert", "fits.key", true);
    write_player(make_long_rsa_key(4104), "long.cert", "long.key");
    player_key("long.cert", "long.key", false);
}

/* An expired certificate still proves a key. */
UNIT_TEST(a_player_may_have_let_the_certificate_expire)
{
    char cert[PATH_BYTES];
    SSL_CTX *client = tls_client_ctx(NULL, NULL, NULL);
    struct ends ends;
    X509 *seen;

    write_dated_cert(in_directory(cert, "old.cert"), -1000, -10);
    assert_true(SSL_CTX_use_certificate_file(client, cert, SSL_FILETYPE_PEM));
    assert_true(SSL_CTX_use_PrivateKey_file(client, key_path, SSL_FILETYPE_PEM));
    ends = meet_ours(client, true);
    seen = SSL_get1_peer_certificate(ends.server);
    assert_non_null(seen);
    X509_free(seen);
    end(ends);
}

UNIT_TEST(a_long_chain_is_refused)
{
    SSL_CTX *client = tls_client_ctx(cert_path, key_path, NULL);

    for (int i = 0; i < 2; i++)
        assert_true(SSL_CTX_add0_chain_cert(client, read_cert(cert_path)));
    end(meet_ours(client, false));
}

UNIT_TEST(errors_are_reported_newest_first)
{
    char why[TLS_WHY_BYTES];

    ERR_clear_error();
    tls_why(why);
    assert_string_equal(why, "no error");
    ERR_raise(ERR_LIB_X509, X509_R_INVALID_TRUST);
    ERR_raise_data(ERR_LIB_X509, X509_R_KEY_VALUES_MISMATCH, "here");
    tls_why(why);
    assert_string_equal(why, "key values mismatch (here); invalid trust");
    assert_int_equal(ERR_peek_error(), 0);
    for (int i = 0; i < 12; i++)
        ERR_raise(ERR_LIB_X509, X509_R_KEY_VALUES_MISMATCH);
    tls_why(why);
    assert_true(strlen(why) < sizeof why);
    assert_int_equal(ERR_peek_error(), 0);
}

UNIT_MAIN(make_directory, remove_directory)
