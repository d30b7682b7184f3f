/* A key and a certificate of one's own in two files. Neither is ever overwritten: each
 * is written whole and synced under another name and then linked to its own, which
 * fails if somebody was faster. So two programs that start at once end up with one
 * pair. */
#include "common/net/tls_identity.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "common/base/disk.h"
#include "common/base/log.h"
#include "common/base/mem.h"
#include "common/base/text.h"
#include "common/net/tls.h"

enum {
    KEY_MODE = 0600,
    CERT_MODE = 0644,
    SERIAL_BITS = 127, /* positive, and random enough that no two are equal */
    DAY_S = 24 * 60 * 60,
    IDENTITY_DAYS = 3650
};

static void log_refusal(const char *path, const char *why)
{
    log_warn("tls file=%s refused why=%s", path, why);
}

static void log_tls_trouble(const char *path, const char *what)
{
    char why[TLS_WHY_BYTES];

    tls_why(why);
    log_warn("tls file=%s failed at=%s why=%s", path, what, why);
}

/* --- Reading --- */

/* Root may let a group read a key that it owns (credentials of a service manager);
 * anybody else keeps it to himself. Links are followed: tools that renew certificates
 * use them. */
static const char *key_file_fault(int fd)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return strerror(errno);
    if (!S_ISREG(st.st_mode))
        return "it is not a plain file";
    if (st.st_uid == 0 && geteuid() != 0)
        return (st.st_mode & (S_IWGRP | S_IXGRP | S_IRWXO)) != 0
                   ? "others may read or change it; chmod 640 or 600"
                   : NULL;
    return (st.st_mode & (S_IRWXG | S_IRWXO)) != 0
               ? "others may read or change it; chmod 600"
               : NULL;
}

/* A server that stops at its start to ask for a passphrase does not come back after a
 * power cut. */
static int no_passphrase(char *room, int size, int is_writing, void *arg)
{
    (void)room;
    (void)size;
    (void)is_writing;
    (void)arg;
    return -1;
}

EVP_PKEY *tls_load_key(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const char *fault = fd < 0 ? strerror(errno) : key_file_fault(fd);
    FILE *file = fault == NULL ? fdopen(fd, "r") : NULL;
    EVP_PKEY *key = NULL;

    if (file == NULL) {
        log_refusal(path, fault != NULL ? fault : strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    ERR_clear_error();
    key = PEM_read_PrivateKey(file, NULL, no_passphrase, NULL);
    if (key == NULL)
        log_tls_trouble(path, "key");
    fclose(file);
    return key;
}

/* --- Writing --- */

static bool write_whole(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t done = write(fd, bytes, len);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        len -= (size_t)done;
    }
    return true;
}

/* Gives the finished file its name unless that stands already. File systems without
 * links get a rename. */
static bool take_name(const char *temp, const char *path)
{
    bool is_there;

    if (link(temp, path) == 0 || errno == EEXIST) {
        unlink(temp);
        return true;
    }
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
        return false;
    is_there = access(path, F_OK) == 0;
    return is_there ? unlink(temp) == 0 : rename(temp, path) == 0;
}

/* Whatever the umask, the file never has wider rights than mode, and ends with them. */
static bool write_new_file(const char *path, mode_t mode, const char *bytes, size_t len)
{
    size_t size = strlen(path) + sizeof ".XXXXXX";
    char *temp = mem_new(size);
    bool is_written = false;
    int fd, fault;

    snprintf(temp, size, "%s.XXXXXX", path);
    fd = mkstemp(temp); /* 0600 */
    if (fd >= 0) {
        is_written =
            write_whole(fd, bytes, len) && fchmod(fd, mode) == 0 && disk_sync(fd);
        is_written = close(fd) == 0 && is_written;
        is_written =
            is_written && take_name(temp, path) && disk_sync_directory_of(path);
        fault = errno;
        if (!is_written)
            unlink(temp);
        errno = fault;
    }
    if (!is_written)
        log_warn("tls file=%s failed at=write why=%s", path, strerror(errno));
    free(temp);
    return is_written;
}

/* --- Making --- */

bool tls_save_key(const char *path, EVP_PKEY *key)
{
    BIO *text = BIO_new(BIO_s_mem());
    char *bytes;
    long len;
    bool is_made = false;

    if (key != NULL && text != NULL &&
        PEM_write_bio_PKCS8PrivateKey(text, key, NULL, NULL, 0, NULL, NULL) == 1) {
        len = BIO_get_mem_data(text, &bytes);
        is_made = write_new_file(path, KEY_MODE, bytes, (size_t)len);
    } else {
        log_tls_trouble(path, "make-key");
    }
    BIO_free(text); /* which wipes what it held */
    return is_made;
}

static bool make_key_file(const char *path)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    bool is_made = tls_save_key(path, key);

    EVP_PKEY_free(key);
    return is_made;
}

bool tls_key_of_pair(EVP_PKEY *key, struct tls_key *out)
{
    unsigned char *public = NULL;
    int len = i2d_PUBKEY(key, &public);
    bool is_good = len > 0 && EVP_Digest(public, (size_t)len, out->digest, NULL,
                                         EVP_sha256(), NULL) == 1;

    OPENSSL_free(public);
    return is_good;
}

static bool set_serial(X509 *cert)
{
    BIGNUM *number = BN_new();
    bool is_set = number != NULL &&
                  BN_rand(number, SERIAL_BITS, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) &&
                  BN_to_ASN1_INTEGER(number, X509_get_serialNumber(cert)) != NULL;

    BN_free(number);
    return is_set;
}

static bool add_extension(X509 *cert, int nid, const char *value)
{
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, nid, value);
    bool is_added = extension != NULL && X509_add_ext(cert, extension, -1) == 1;

    X509_EXTENSION_free(extension);
    return is_added;
}

/* No subjectAltName: whoever knows this certificate knows it by its key, and a name
 * that nobody checked would only look like a promise. */
static bool fill_cert(X509 *cert, EVP_PKEY *key, const char *name)
{
    X509_NAME *subject = X509_get_subject_name(cert);
    const EVP_MD *digest = EVP_PKEY_is_a(key, "ED25519") ? NULL : EVP_sha256();

    return X509_set_version(cert, X509_VERSION_3) && set_serial(cert) &&
           X509_gmtime_adj(X509_getm_notBefore(cert), -DAY_S) != NULL &&
           X509_time_adj_ex(X509_getm_notAfter(cert), IDENTITY_DAYS, 0, NULL) != NULL &&
           X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8,
                                      (const unsigned char *)name, -1, -1, 0) &&
           X509_set_issuer_name(cert, subject) && X509_set_pubkey(cert, key) &&
           add_extension(cert, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(cert, NID_key_usage, "critical,digitalSignature") &&
           add_extension(cert, NID_ext_key_usage, "serverAuth,clientAuth") &&
           X509_sign(cert, key, digest) != 0;
}

static bool make_cert_file(const char *path, const char *key_path, const char *name)
{
    EVP_PKEY *key = tls_load_key(key_path);
    X509 *cert = X509_new();
    BIO *text = BIO_new(BIO_s_mem());
    char *bytes;
    long len;
    bool is_made = false;

    if (key != NULL && cert != NULL && text != NULL && fill_cert(cert, key, name) &&
        PEM_write_bio_X509(text, cert) == 1) {
        len = BIO_get_mem_data(text, &bytes);
        is_made = write_new_file(path, CERT_MODE, bytes, (size_t)len);
    } else if (key != NULL) {
        log_tls_trouble(path, "make-certificate");
    }
    BIO_free(text);
    X509_free(cert);
    EVP_PKEY_free(key);
    return is_made;
}

bool tls_make_identity(const char *cert_path, const char *key_path, const char *name)
{
    bool has_cert = access(cert_path, F_OK) == 0;
    bool has_key = access(key_path, F_OK) == 0;

    if (has_cert && has_key)
        return true;
    if (has_cert) {
        log_refusal(cert_path, "its key file is not there");
        return false;
    }
    ERR_clear_error();
    return (has_key || make_key_file(key_path)) &&
           make_cert_file(cert_path, key_path, name);
}
