/* See store_engine.h. */
#include "server/database/store_engine.h"

void store_visitor_give(const struct store_visitor *visitor,
                        const union store_record *row)
{
    switch (visitor->kind) {
    case STORE_NAME:
        visitor->name(visitor->arg, &row->name);
        break;
    case STORE_DEVICE:
        visitor->device(visitor->arg, &row->device);
        break;
    case STORE_INVITE:
        visitor->invite(visitor->arg, &row->invite);
        break;
    case STORE_ACT:
        visitor->act(visitor->arg, &row->act);
        break;
    case STORE_MARK:
        visitor->mark(visitor->arg, &row->mark);
        break;
    case STORE_RATING:
        visitor->rating(visitor->arg, &row->rating);
        break;
    case STORE_AGE: /* the survey has it */
        break;
    }
}
