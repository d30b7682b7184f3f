/* See identity.h. */
#include "server/net/identity.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <openssl/ssl.h>

#include "common/base/log.h"
#include "common/base/mono.h"
#include "common/base/text.h"
#include "common/record/record_sign.h"

enum { EXPIRY_WARN_DAYS = 30 };

static void name_files(struct identity *identity, const struct config *config)
{
    *identity = (struct identity){.tls = NULL};
    text_copy(identity->client_ca, sizeof identity->client_ca, config->client_ca);
    if (config->cert[0] != '\0') {
        text_copy(identity->cert, sizeof identity->cert, config->cert);
        text_copy(identity->key, sizeof identity->key, config->key);
    } else {
        snprintf(identity->cert, sizeof identity->cert, "%s/cert.pem", config->data);
        snprintf(identity->key, sizeof identity->key, "%s/key.pem", config->data);
    }
    if (config_web(config) == CONFIG_WEB_OFF)
        return;
    if (config->web_cert[0] != '\0') {
        text_copy(identity->web_cert, sizeof identity->web_cert, config->web_cert);
        text_copy(identity->web_key, sizeof identity->web_key, config->web_key);
    } else { /* browsers see the same certificate as other clients */
        text_copy(identity->web_cert, sizeof identity->web_cert, identity->cert);
        text_copy(identity->web_key, sizeof identity->web_key, identity->key);
    }
}

static SSL_CTX *load(const struct identity *identity, struct tls_key *digest,
                     const X509 **web)
{
    long long expires_s = 0, days;
    SSL_CTX *tls = tls_server_ctx(identity->cert, identity->key, digest, &expires_s);

    *web = NULL;
    if (tls == NULL)
        return NULL;
    days = (expires_s - mono_wall_s()) / DAY_S;
    if (days < EXPIRY_WARN_DAYS)
        log_warn("certificate file=%s ends-in-days=%lld", identity->cert, days);
    if (!record_sign_is_possible(SSL_CTX_get0_certificate(tls),
                                 SSL_CTX_get0_privatekey(tls)))
        log_warn("key file=%s why=\"it cannot sign records: it is RSA of other than "
                 "2048 to 4096 bits, or a kind that only speaks TLS\"",
                 identity->key);
    if ((identity->client_ca[0] == '\0' ||
         tls_server_demand(tls, identity->client_ca)) &&
        (identity->web_cert[0] == '\0' ||
         tls_server_add_web(tls, identity->web_cert, identity->web_key, web)))
        return tls;
    SSL_CTX_free(tls);
    return NULL;
}

bool identity_open(struct identity *identity, const struct config *config)
{
    name_files(identity, config);
    identity->is_new = access(identity->key, F_OK) != 0;
    if (config->cert[0] == '\0' &&
        !tls_make_identity(identity->cert, identity->key, "janggid"))
        return false;
    identity->tls = load(identity, &identity->digest, &identity->web);
    return identity->tls != NULL;
}

bool identity_reload(struct identity *identity)
{
    struct tls_key digest;
    const X509 *web;
    SSL_CTX *tls = load(identity, &digest, &web);

    if (tls == NULL) {
        log_warn("reload why=certificate kept=the-old-one");
        return false;
    }
    SSL_CTX_free(identity->tls);
    identity->tls = tls;
    identity->web = web;
    log_info("reload done same-key=%d",
             memcmp(digest.digest, identity->digest.digest, sizeof digest.digest) == 0);
    identity->digest = digest;
    return true;
}

void identity_close(struct identity *identity)
{
    SSL_CTX_free(identity->tls);
    identity->tls = NULL;
}

bool identity_peek(struct identity *identity, const struct config *config)
{
    name_files(identity, config);
    if (access(identity->key, F_OK) == 0) {
        identity->tls = load(identity, &identity->digest, &identity->web);
        return identity->tls != NULL;
    }
    if (config->key[0] == '\0')
        return true;
    log_warn("key file=%s why=\"%s\"", identity->key, strerror(errno));
    return false;
}
