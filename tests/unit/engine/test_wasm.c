/* Tests of client/wasm/wasm: what the page in a browser is told about a game. */
#include "client/wasm/wasm.h"

#include <string.h>

#include "tests/unit/unit.h"

static struct page *page;

static void apply(const char *event)
{
    size_t size = strlen(event) + 1;

    memcpy(page_room(page, (int)size), event, size);
    assert_int_equal(page_apply(page), 1);
}

static int begin(void **state)
{
    page = page_new();
    apply("start red=kim blue=hong rules=martin time=10m+5s");
    apply("setup red NBNB");
    apply("setup blue NBBN");
    return 0;
}

static int end(void **state)
{
    page_free(page);
    return 0;
}

static void check_state(int ply, const char *words)
{
    page_state(page, ply);
    if (strstr(page_answer(page), words) == NULL)
        fail_msg("ply %d: %s", ply, page_answer(page));
}

UNIT_TEST_WITH(each_position_has_the_move_before_it, begin, end)
{
    check_state(-1, " side=red check=none last=- ");
    apply("move 1 red A3-B3 red_ms=601000 blue_ms=600000");
    apply("move 2 blue E6-D6 red_ms=601000 blue_ms=601500");
    check_state(0, " ply=0 plies=2 ");
    check_state(0, " side=red check=none last=- ");
    check_state(1, " side=blue check=none last=A3-B3 ");
    check_state(-1, " side=red check=none last=E6-D6 ");
}

UNIT_MAIN(NULL, NULL)
