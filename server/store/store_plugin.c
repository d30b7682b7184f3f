/* See store_plugin.h. */
#include "server/store/store_plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "common/base/log.h"
#include "common/base/text.h"
#include "common/system/program.h"

/* The first of its places where the file is. */
static bool find_file(char path[PATH_MAX])
{
    static const char *const places[] = {"%s/janggid-postgres.so",
                                         "%s/../lib/janggid/janggid-postgres.so"};
    char folder[PATH_MAX];

    if (!program_folder(folder))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        struct text text = text_into(path, PATH_MAX);

        text_addf(&text, places[i], folder);
        if (!text.is_cut && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

const struct store_engine *store_plugin_load(void)
{
    const struct store_engine *engine = NULL;
    char path[PATH_MAX];
    void *library;

    errno = ENOENT;
    if (!find_file(path)) {
        log_warn("store why=\"janggid-postgres.so is missing\" : install the package "
                 "janggid-postgres, or build with libpq-dev");
        return NULL;
    }
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library != NULL)
        engine = dlsym(library, "store_postgres");
    errno = EINVAL;
    if (engine == NULL)
        log_warn("store why=\"%s\"", dlerror());
    else if (strcmp(engine->version, JANGGI_VERSION) != 0)
        log_warn("store why=\"%s is of version %s, and this is %s\"", path,
                 engine->version, JANGGI_VERSION);
    else
        return engine;
    return NULL;
}
