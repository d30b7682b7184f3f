/* See secret.h. Uses OpenSSL's UI functions, which restore the terminal's echo after
 * any signal. If there is no terminal, the UI functions would read standard input.
 * Therefore the functions here check first that there is a terminal, and otherwise
 * fail. */
#include "client/tools/secret.h"
#include "common/base/translate.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

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

bool secret_ask(char out[SECRET_BYTES], const char *question)
{
    return has_terminal() && ask(out, question);
}

bool secret_ask_new(char out[SECRET_BYTES], const char *question)
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
