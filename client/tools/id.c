/* See id.h. */
#include "client/tools/id.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509.h>

#include "client/base/exit.h"
#include "client/base/keep.h"
#include "client/base/profile.h"
#include "client/view/words.h"
#include "common/base/error_words.h"
#include "common/base/text.h"
#include "common/base/translate.h"
#include "common/net/tls.h"
#include "common/system/disk.h"

static const char usage[] = N_(
    "Usage: janggi id [-n NAME]                       the key that proves your name\n"
    "       janggi id [-n NAME] export [FILE]         write it, encrypted with a "
    "passphrase\n"
    "       janggi id [-n NAME] import [--force] FILE install a key that export wrote\n"
    "\n"
    "A second name that you use on this machine has a key of its own; -n chooses it.\n"
    "Without FILE, export writes to standard output. import does not replace an\n"
    "existing key unless --force is given; it then keeps a copy of the old one.\n");

/* Cost of scrypt for each passphrase tried: 16 MB and about 50 ms. */
enum { SCRYPT_N = 16384, SCRYPT_R = 8, SCRYPT_P = 1 };

static int fail(const char *path, const char *why)
{
    fprintf(stderr, "janggi: %s: %s\n", path, why);
    return CLIENT_EXIT_ERROR;
}

static int misused(void)
{
    fputs(_(usage), stderr);
    return CLIENT_EXIT_USAGE;
}

/* --- Passphrases --- */

enum { SECRET_BYTES = 256, SECRET_LETTERS_MIN = 8 };

/* OpenSSL's UI functions restore the terminal's echo after any signal, but read standard input
 * if there is no terminal: so this must be checked first. */
static bool has_terminal(void)
{
    int fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

    if (fd < 0)
        fputs(
            _("janggi: a passphrase must be typed at a terminal, and there is none\n"),
            stderr);
    else
        close(fd);
    return fd >= 0;
}

static bool ask(char out[SECRET_BYTES], const char *question)
{
    bool is_read = EVP_read_pw_string_min(out, 0, SECRET_BYTES - 1, question, 0) == 0;

    ERR_clear_error();
    if (!is_read)
        fputs(_("janggi: no passphrase was typed; nothing was changed\n"), stderr);
    return is_read;
}

/* Asks for an existing passphrase. Returns false after printing the reason. The caller must
 * wipe `out`. */
static bool secret_ask(char out[SECRET_BYTES], const char *question)
{
    return has_terminal() && ask(out, question);
}

/* Asks for a new one, typed twice, in the same way. */
static bool secret_ask_new(char out[SECRET_BYTES], const char *question)
{
    char again[SECRET_BYTES] = "";
    bool is_same;

    if (!has_terminal() || !ask(out, question))
        return false;
    if (strlen(out) < SECRET_LETTERS_MIN) {
        fprintf(
            stderr,
            _("janggi: a passphrase needs at least %d letters; nothing was changed\n"),
            SECRET_LETTERS_MIN);
        return false;
    }
    if (!ask(again, _("The same passphrase again: ")))
        return false;
    is_same = strcmp(out, again) == 0;
    OPENSSL_cleanse(again, sizeof again);
    if (!is_same)
        fputs(_("janggi: the passphrases do not match; nothing was changed\n"), stderr);
    return is_same;
}

/* --- Show --- */

static int show(const struct prefs *prefs)
{
    char words[TLS_KEY_TEXT_BYTES], own_cert[PATH_MAX], own_key[PATH_MAX];
    struct keep_line line = {.number = 0};
    struct tls_key digest;
    EVP_PKEY *key;
    FILE *names;

    if (access(prefs->key_path, F_OK) != 0) {
        printf(_("There is no key yet; the first connection to a server creates one:\n "
                 " %s\n"),
               prefs->key_path);
        return CLIENT_EXIT_OK;
    }
    key = tls_load_key(prefs->key_path);
    if (key == NULL || !tls_key_of_pair(key, &digest)) {
        EVP_PKEY_free(key);
        return CLIENT_EXIT_ERROR; /* the reason has been logged */
    }
    EVP_PKEY_free(key);
    tls_key_format(words, &digest);
    printf("key   %s\nfile  %s\n", words, prefs->key_path);
    names = fopen(prefs->names_path, "re");
    while (keep_next(names, &line)) {
        bool has_own = profile_own_key(prefs, line.word[0], own_cert, own_key);

        printf("name  %s at %s%s%s\n", line.word[0], line.server,
               has_own ? _(", key in ") : "", has_own ? own_key : "");
    }
    return CLIENT_EXIT_OK;
}

/* --- Export --- */

/* Returns the encrypted key as PKCS#8 in PEM, a standard format that OpenSSL reads.
 * Returns NULL if OpenSSL fails. */
static BIO *lock_key(EVP_PKEY *key, const char *secret)
{
    PKCS8_PRIV_KEY_INFO *plain = EVP_PKEY2PKCS8(key);
    X509_ALGOR *method = PKCS5_pbe2_set_scrypt(EVP_aes_256_cbc(), NULL, 0, NULL,
                                               SCRYPT_N, SCRYPT_R, SCRYPT_P);
    BIO *out = BIO_new(BIO_s_mem());
    X509_SIG *locked = NULL;

    if (plain != NULL && method != NULL && out != NULL)
        locked = PKCS8_set0_pbe(secret, (int)strlen(secret), plain, method);
    if (locked != NULL)
        method = NULL; /* `locked` owns it now */
    if (locked == NULL || PEM_write_bio_PKCS8(out, locked) != 1) {
        BIO_free(out);
        out = NULL;
    }
    X509_SIG_free(locked);
    X509_ALGOR_free(method);
    PKCS8_PRIV_KEY_INFO_free(plain);
    return out;
}

/* path NULL: standard output. Never overwrites an existing file. */
static int write_locked(BIO *locked, const char *path)
{
    int fd = path == NULL ? STDOUT_FILENO
                          : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool is_written;
    char *bytes;
    long len;

    if (fd < 0)
        return fail(path, errno == EEXIST ? _("file exists; choose another name")
                                          : error_words(errno));
    len = BIO_get_mem_data(locked, &bytes);
    is_written = dprintf(fd, "%.*s", (int)len, bytes) == (int)len; /* PEM is text */
    if (path == NULL)
        return is_written ? CLIENT_EXIT_OK
                          : fail(_("standard output"), error_words(errno));
    is_written = disk_sync(fd) && is_written;
    is_written = close(fd) == 0 && is_written;
    if (!is_written) {
        unlink(path);
        return fail(path, _("the file could not be written"));
    }
    printf(_("Your key is in %s. On another machine run: janggi id import %s\n"), path,
           path);
    return CLIENT_EXIT_OK;
}

/* Reads one line of standard input. Cuts a line that is too long. */
static bool read_answer(char *out, int size)
{
    int byte = '\0';

    if (fgets(out, size, stdin) == NULL)
        return false;
    if (strchr(out, '\n') == NULL)
        while (byte != '\n' && byte != EOF)
            byte = getchar();
    out[strcspn(out, "\n")] = '\0';
    return true;
}

/* If the encrypted key would be shown on a terminal, asks whether to continue: showing
 * it is safe, but usually a mistake. Returns true if the key may be written. */
static bool may_show(void)
{
    char answer[16] = "";

    if (!isatty(STDOUT_FILENO))
        return true;
    do {
        fputs(_("This will show your encrypted key on the terminal. Continue (yes or "
                "no)? "),
              stderr);
        if (!read_answer(answer, sizeof answer))
            break;
        if (words_is_yes(answer))
            return true;
    } while (answer[0] != '\0' && !words_is_no(answer));
    fputs(_("Nothing was written. To write to a file: janggi id export FILE\n"),
          stderr);
    return false;
}

static int export_key(const struct prefs *prefs, const char *path)
{
    char secret[SECRET_BYTES] = "";
    int code = CLIENT_EXIT_ERROR;
    BIO *locked = NULL;
    EVP_PKEY *key;

    if (access(prefs->key_path, F_OK) != 0)
        return fail(
            prefs->key_path,
            _("there is no key yet; the first connection to a server creates one"));
    if (path == NULL && !may_show())
        return CLIENT_EXIT_ERROR;
    key = tls_load_key(prefs->key_path);
    if (key != NULL && secret_ask_new(secret, _("A passphrase for the file: "))) {
        locked = lock_key(key, secret);
        code = locked != NULL ? write_locked(locked, path)
                              : fail(_("key"), _("OpenSSL cannot encrypt it"));
    }
    BIO_free(locked);
    OPENSSL_cleanse(secret, sizeof secret);
    EVP_PKEY_free(key);
    return code;
}

/* --- Import --- */

static int give_secret(char *room, int size, int is_writing, void *arg)
{
    char secret[SECRET_BYTES] = "";
    size_t len = 0;

    (void)is_writing;
    *(bool *)arg = secret_ask(secret, _("The passphrase of the file: "));
    if (*(bool *)arg)
        len = strlen(secret);
    if (len > (size_t)size)
        len = 0;
    memcpy(room, secret, len);
    OPENSSL_cleanse(secret, sizeof secret);
    return *(bool *)arg ? (int)len : -1;
}

/* Reads an encrypted key. Returns NULL after printing the reason. */
static EVP_PKEY *read_locked(const char *path)
{
    FILE *file = fopen(path, "re");
    bool was_asked = true;
    EVP_PKEY *key;

    if (file == NULL) {
        fail(path, error_words(errno));
        return NULL;
    }
    key = PEM_read_PrivateKey(file, NULL, give_secret, &was_asked);
    fclose(file);
    if (key == NULL && was_asked)
        fail(path, _("wrong passphrase, or not a file written by janggi id export"));
    ERR_clear_error();
    if (key != NULL && !tls_is_player_key(key)) {
        fail(path, _("the key must be P-256, Ed25519, or RSA of 2048 to 4096 bits"));
        EVP_PKEY_free(key);
        return NULL;
    }
    return key;
}

/* Writes `path` followed by `tail`. Returns false if the result is too long. */
static bool name_beside(char out[PATH_MAX], const char *path, const char *tail)
{
    struct text text = text_into(out, PATH_MAX);

    text_addf(&text, "%s%s", path, tail);
    return !text.is_cut;
}

/* Keeps the old file at `path`: gives the file a second name, which is `path` with
 * `tail` added (a hard link). So the import does not destroy the old key. is_said:
 * print the second name. Returns true also if there is no old file. */
static bool put_aside(const char *path, const char *tail, bool is_said)
{
    char aside[PATH_MAX];

    if (access(path, F_OK) != 0)
        return true;
    if (!name_beside(aside, path, tail) || link(path, aside) != 0) {
        fail(path, _("cannot keep a copy of the old key; nothing was changed"));
        return false;
    }
    if (is_said)
        printf(_("The old key is kept in %s.\n"), aside);
    return true;
}

static int install(const struct prefs *prefs, EVP_PKEY *key)
{
    char fresh[PATH_MAX], tail[40] = ".old";
    time_t now = time(NULL);
    struct tm local;

    if (localtime_r(&now, &local) != NULL)
        strftime(tail, sizeof tail, ".old-%Y%m%d-%H%M%S", &local);
    if (!name_beside(fresh, prefs->key_path, ".new"))
        return fail(prefs->key_path, error_words(ENAMETOOLONG));
    if (!keep_make_way(fresh))
        return CLIENT_EXIT_ERROR;
    unlink(fresh); /* remove what an interrupted import left */
    if (!tls_save_key(fresh, key))
        return CLIENT_EXIT_ERROR;
    if (!put_aside(prefs->key_path, tail, true) ||
        !put_aside(prefs->cert_path, tail, false)) {
        unlink(fresh);
        return CLIENT_EXIT_ERROR;
    }
    /* The old certificate goes first, so that key and certificate never mismatch. If the
     * process ends before the new one is written, the next visit makes one for the key
     * that it finds. */
    if ((unlink(prefs->cert_path) != 0 && errno != ENOENT) ||
        rename(fresh, prefs->key_path) != 0 ||
        !tls_make_identity(prefs->cert_path, prefs->key_path, "janggi player")) {
        fail(prefs->key_path, error_words(errno));
        unlink(fresh);
        return CLIENT_EXIT_ERROR;
    }
    puts(_("From now on this key proves your name."));
    return CLIENT_EXIT_OK;
}

static int import_key(const struct prefs *prefs, const char *path, bool is_forced)
{
    bool has_old = access(prefs->key_path, F_OK) == 0;
    EVP_PKEY *key = read_locked(path), *old;
    int code = CLIENT_EXIT_ERROR;

    if (key == NULL)
        return code;
    old = has_old ? tls_load_key(prefs->key_path) : NULL;
    if (old != NULL && EVP_PKEY_eq(old, key) == 1) {
        puts(_("You already have this key."));
        code = CLIENT_EXIT_OK;
    } else if (has_old && !is_forced) {
        fail(prefs->key_path,
             _("you already have another key, and names are bound to it; janggi id "
               "import --force FILE replaces it and keeps a copy"));
    } else {
        code = install(prefs, key);
    }
    EVP_PKEY_free(old);
    EVP_PKEY_free(key);
    return code;
}

/* --- The words --- */

static int run(int argc, char **argv, const struct prefs *prefs)
{
    const char *word = argc > 1 ? argv[1] : "";
    bool is_forced = argc > 2 && strcmp(argv[2], "--force") == 0;

    if (argc == 1)
        return show(prefs);
    if (strcmp(word, "--help") == 0) {
        fputs(_(usage), stdout);
        return CLIENT_EXIT_OK;
    }
    if (strcmp(word, "export") == 0 && argc <= 3 && (argc == 2 || argv[2][0] != '-'))
        return export_key(prefs, argc == 3 ? argv[2] : NULL);
    if (strcmp(word, "import") == 0 && argc == 3 + is_forced &&
        argv[argc - 1][0] != '-')
        return import_key(prefs, argv[argc - 1], is_forced);
    return misused();
}

int id_run(int argc, char **argv, const struct prefs *prefs)
{
    char name[NAME_BYTES], cert[PATH_MAX], key[PATH_MAX];
    struct prefs own = *prefs;

    if (argc <= 2 || strcmp(argv[1], "-n") != 0)
        return run(argc, argv, prefs);
    if (!utf8_name(name, argv[2]))
        return misused();
    /* An import creates the files of the name; anything else uses them if they exist. */
    if (profile_own_key(prefs, name, cert, key) ||
        (argc > 3 && strcmp(argv[3], "import") == 0)) {
        text_copy(own.cert_path, sizeof own.cert_path, cert);
        text_copy(own.key_path, sizeof own.key_path, key);
    }
    return run(argc - 2, argv + 2, &own);
}
