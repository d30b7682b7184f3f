/* See glicko.h. The names of the steps are those of Glickman's paper "Example of the
 * Glicko-2 system". */
#include "server/account/glicko.h"

#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;
static const double scale = 173.7178; /* points in one unit of the paper's mu and phi */
static const double tau = 0.5;        /* how fast the volatility may change */
static const double periods_per_day = 0.21436;
static const double zero_rating = 1500;
enum { DAYS_MAX = 100000, STEPS_MAX = 100 };

/* --- Steps 3 and 4: what the results say --- */

struct evidence {
    double v, delta; /* the variance and the improvement that the results suggest */
    double sum;      /* the sum of g(phi) (score - expected score) */
};

static double weight_of(double phi)
{
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi));
}

static struct evidence weigh(double mu, const struct glicko_result *result,
                             size_t count)
{
    struct evidence evidence = {0};
    double inverse = 0;

    for (size_t i = 0; i < count; i++) {
        double g = weight_of(result[i].opponent.rd / scale);
        double other = (result[i].opponent.rating - zero_rating) / scale;
        double expected = 1 / (1 + exp(-g * (mu - other)));

        inverse += g * g * expected * (1 - expected);
        evidence.sum += g * (result[i].score - expected);
    }
    evidence.v = 1 / inverse;
    evidence.delta = evidence.v * evidence.sum;
    return evidence;
}

/* --- Step 5: the volatility --- */

struct root {
    double delta2, phi2, v, a; /* delta2 and phi2: the squares of delta and phi */
};

static double root_at(const struct root *root, double x)
{
    double e = exp(x), sum = root->phi2 + root->v + e;

    return e * (root->delta2 - sum) / (2 * sum * sum) - (x - root->a) / (tau * tau);
}

static double lower_bound(const struct root *root)
{
    double k = 1;

    if (root->delta2 > root->phi2 + root->v)
        return log(root->delta2 - root->phi2 - root->v);
    while (k < STEPS_MAX && root_at(root, root->a - k * tau) < 0)
        k++;
    return root->a - k * tau;
}

/* Returns the new volatility, which the Illinois algorithm finds as the root of
 * root_at(). */
static double new_volatility(double volatility, double phi, const struct evidence *e)
{
    const double close_enough = 1e-12;
    struct root root = {.delta2 = e->delta * e->delta,
                        .phi2 = phi * phi,
                        .v = e->v,
                        .a = log(volatility * volatility)};
    double a = root.a, b = lower_bound(&root);
    double at_a = root_at(&root, a), at_b = root_at(&root, b);

    for (int i = 0; i < STEPS_MAX && fabs(b - a) > close_enough; i++) {
        double c = a + (a - b) * at_a / (at_b - at_a), at_c = root_at(&root, c);

        if (at_c * at_b <= 0) {
            a = b;
            at_a = at_b;
        } else {
            at_a /= 2;
        }
        b = c;
        at_b = at_c;
    }
    return exp(a / 2);
}

/* --- Steps 6 and 7: the rating --- */

struct glicko_real glicko_update(struct glicko_real player,
                                 const struct glicko_result *result, size_t count,
                                 double periods)
{
    double mu = (player.rating - zero_rating) / scale, phi = player.rd / scale;
    struct evidence evidence = weigh(mu, result, count);
    double volatility = new_volatility(player.volatility, phi, &evidence);
    double before2 = phi * phi + periods * volatility * volatility;
    double after2 = 1 / (1 / before2 + 1 / evidence.v);

    mu += after2 * evidence.sum;
    return (struct glicko_real){.rating = mu * scale + zero_rating,
                                .rd = sqrt(after2) * scale,
                                .volatility = volatility};
}

/* --- Stored integers --- */

static int round_within(double value, int lo, int hi)
{
    if (!(value > lo)) /* also true if value is not a number */
        return lo;
    return value < hi ? (int)lround(value) : hi;
}

static struct glicko_real to_real(struct glicko rating)
{
    return (struct glicko_real){.rating = rating.rating / 100.0,
                                .rd = rating.rd / 100.0,
                                .volatility = rating.volatility / 1e6};
}

static struct glicko to_stored(struct glicko_real real)
{
    return (struct glicko){
        .rating = round_within(real.rating * 100, GLICKO_RATING_MIN, 1000000),
        .rd = round_within(real.rd * 100, GLICKO_RD_MIN, GLICKO_RD_MAX),
        .volatility = round_within(real.volatility * 1e6, 1, GLICKO_VOLATILITY_MAX)};
}

struct glicko glicko_start(void)
{
    return (struct glicko){.rating = 150000, .rd = GLICKO_RD_MAX, .volatility = 60000};
}

struct glicko glicko_age(struct glicko rating, int64_t seconds)
{
    int64_t days_max = (int64_t)DAY_S * DAYS_MAX;
    double volatility = rating.volatility / 1e6, phi = rating.rd / 100.0 / scale;
    double days;

    if (seconds <= 0)
        return rating;
    days = (double)(seconds < days_max ? seconds : days_max) / DAY_S;
    phi = sqrt(phi * phi + volatility * volatility * days * periods_per_day);
    rating.rd = round_within(phi * scale * 100, GLICKO_RD_MIN, GLICKO_RD_MAX);
    return rating;
}

void glicko_play(struct glicko rating[SIDES], enum glicko_score score)
{
    const struct glicko_real red = to_real(rating[SIDE_RED]);
    const struct glicko_real blue = to_real(rating[SIDE_BLUE]);
    const struct glicko_result of_red = {blue, (double)score / 2.0};
    const struct glicko_result of_blue = {red, 1 - (double)score / 2.0};

    rating[SIDE_RED] = to_stored(glicko_update(red, &of_red, 1, 0));
    rating[SIDE_BLUE] = to_stored(glicko_update(blue, &of_blue, 1, 0));
}

/* --- For people --- */

int glicko_points(struct glicko rating)
{
    return (rating.rating + 50) / 100;
}

void glicko_rank(char out[GLICKO_RANK_BYTES], int points)
{
    enum { FIRST_DAN = 1700, DAN = 100, KYU = 50 };
    int number;
    char letter = points >= FIRST_DAN ? 'd' : 'k';

    if (points >= FIRST_DAN)
        number = (points - FIRST_DAN) / DAN + 1;
    else
        number = (FIRST_DAN - points + KYU - 1) / KYU;
    if (number > (letter == 'd' ? 9 : 18))
        number = letter == 'd' ? 9 : 18;
    snprintf(out, GLICKO_RANK_BYTES, "%d%c", number, letter);
}
