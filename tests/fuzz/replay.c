/* Runs one fuzz target over files, without libFuzzer. Tests run it over the corpus of
 * the target.
 *
 *   NAME FILE... */
#include <stdio.h>

#include "tests/fuzz/fuzz.h"

enum { FILE_MOST = 1 << 16 };

int main(int argc, char **argv)
{
    static uint8_t bytes[FILE_MOST];

    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        size_t size;

        if (file == NULL) {
            printf("not ok %s cannot be read\n", argv[i]);
            return 1;
        }
        size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        LLVMFuzzerTestOneInput(bytes, size);
    }
    printf("# %d files\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
