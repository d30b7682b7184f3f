/* Feeds arbitrary lines to the parser of HTTP requests: each field must be terminated
 * and within its limits. */
#include <stdio.h>

#include "server/web/web_request.h"
#include "tests/fuzz/fuzz.h"

#define FITS(text) (memchr(text, '\0', sizeof(text)) != NULL)

static void check(const struct web_request *request)
{
    fuzz_require(FITS(request->path) && FITS(request->query) && FITS(request->host));
    fuzz_require(FITS(request->origin) && FITS(request->key) &&
                 FITS(request->language));
    fuzz_require(FITS(request->forwarded));
    fuzz_require(request->lines <= WEB_HEADERS_MAX + 2);
    fuzz_require(request->lines < 2 || request->path[0] == '/');
    for (const char *at = request->host; *at != '\0'; at++)
        fuzz_require(*at < 'A' || *at > 'Z');
}

/* Gives the lines of the input to the parser as a connection does: without the LF, at
 * most 4096 bytes each. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct web_request request = {.lines = 0};
    char *text = fuzz_text(data, size), *line = text, *end;

    while ((end = strchr(line, '\n')) != NULL && end - line <= 4096) {
        *end = '\0';
        if (web_request_take(&request, line) != HTTP_OK || request.is_complete)
            break;
        check(&request);
        line = end + 1;
    }
    free(text);
    return 0;
}
