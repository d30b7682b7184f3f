/* Trains the network of client/engine/nnue.h.
 *
 *   train [--epochs N] [--result PERCENT] [--seed N] FILE...
 *
 *   FILE               lessons (see lesson.h), written by selfplay
 *   --epochs N         how often each lesson is seen; default 3
 *   --result PERCENT   the network learns a mixture of the game's result and the score
 *                      of the search; this is the share of the result; default 30
 *   --seed N           seed of the first weights and of the order of the lessons;
 *                      default 1
 *
 * Prints the weights in the form of client/engine/nnue_weights.h. If the evaluation is
 * no better with the network than without it, does not print weights and exits with 1.
 *
 * One block of lessons in twenty is not used for training, but for measuring. The error
 * is the mean square difference between the expected result and the real result of
 * these lessons. stderr gets the error of the evaluation without a network, and then
 * the error with the network after each epoch.
 *
 * The method is gradient descent with Adam, on floating-point weights that are rounded
 * at the end. */
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/engine/eval.h"
#include "common/base/mem.h"
#include "common/game/board.h"
#include "tests/measure/engine/lesson.h"

enum { MEN_MAX = 32, BATCH = 1024 };
enum { BLOCK = 2000, KEPT_ONE_IN = 20 };
/* Lessons with more plies than TOO_QUIET since the last capture are skipped, because a
 * draw is near. */
enum { TOO_QUIET = 60 };
/* Lessons whose score differs by more than TOO_FAR from the material are skipped,
 * because in such positions pieces are being exchanged. */
enum { TOO_FAR = 1000 };
static const float one = 500;    /* unit of scores: a lead of 500 hundredths of a point
                                  * gives an expected result of 73 % */
static const float most = 1.98f; /* limit of the first layer's weights, so that weight *
                                  * NNUE_ONE fits 8 bits */

struct example {
    uint16_t input[SIDES][MEN_MAX]; /* as the side to move sees the board, then as the
                                     * other side does */
    uint8_t men, bucket;
    int16_t material, score;
    float result; /* for the side to move: 1 won, 0.5 drawn, 0 lost */
};

struct weights {
    float first[NNUE_INPUTS][NNUE_HIDDEN];
    float first_bias[NNUE_HIDDEN];
    float second[NNUE_BUCKETS][SIDES][NNUE_HIDDEN];
    float second_bias[NNUE_BUCKETS];
};
enum { WEIGHTS = sizeof(struct weights) / sizeof(float) };

struct training {
    struct example *example; /* first the examples for training, then the examples kept
                              * back for measuring */
    size_t examples, learned, room;
    struct weights weights, gradient, mean, square; /* mean and square: the moments of
                                                     * Adam */
    float result_share;
    uint64_t random;
    long steps;
};

static uint64_t random_bits(struct training *training)
{
    training->random ^= training->random << 13;
    training->random ^= training->random >> 7;
    training->random ^= training->random << 17;
    return training->random >> 11;
}

/* Returns a random number from -1 to 1. */
static float random_weight(struct training *training)
{
    return (float)(random_bits(training) % 2001) / 1000 - 1;
}

/* --- Lessons --- */

static void place(struct position *position, const struct lesson *lesson)
{
    memset(position, 0, sizeof *position);
    for (int point = 0; point < BOARD_POINTS; point++)
        if (lesson->at[point] != 0)
            position_put(position, point, lesson->at[point]);
    position->side = lesson->side;
    position->quiet = lesson->quiet;
}

static void add_example(struct training *training, const struct lesson *lesson)
{
    static const char *const rules[] = {"kja", "martin"};
    enum side side = (enum side)lesson->side;
    struct position position;
    struct example *example;
    int material;

    place(&position, lesson);
    material = eval_material(ruleset_find(rules[lesson->rules]), &position);
    if (lesson->score == 0 || lesson->quiet > TOO_QUIET ||
        abs(lesson->score - material) > TOO_FAR)
        return;
    if (training->examples == training->room) {
        training->room = training->room * 2 + BLOCK;
        training->example =
            mem_resize(training->example, training->room, sizeof *training->example);
    }
    example = &training->example[training->examples++];
    *example =
        (struct example){.bucket = (uint8_t)nnue_bucket(eval_officers(&position)),
                         .material = (int16_t)material,
                         .score = lesson->score,
                         .result = 0.5f};
    if (lesson->result != 0)
        example->result = (lesson->result > 0) == (side == SIDE_RED);
    for (int point = 0; point < BOARD_POINTS; point++)
        if (lesson->at[point] != 0) {
            uint8_t code = lesson->at[point];
            int at = example->men++;

            example->input[0][at] = (uint16_t)nnue_input(side, code, point);
            example->input[1][at] = (uint16_t)nnue_input(side_other(side), code, point);
        }
}

static bool read_lessons(struct training *training, const char *name)
{
    struct lesson lesson;
    FILE *file = fopen(name, "rb");

    if (file == NULL)
        return false;
    while (fread(&lesson, sizeof lesson, 1, file) == 1)
        add_example(training, &lesson);
    fclose(file);
    return true;
}

static bool is_kept_back(size_t i)
{
    return i / BLOCK % KEPT_ONE_IN == KEPT_ONE_IN / 2;
}

/* Moves the examples that are kept back to the end of the array. A block of examples
 * comes from about twenty games, one after another. So there are only few games with
 * examples in both parts. */
static void keep_some_back(struct training *training)
{
    struct example *sorted = mem_resize(NULL, training->examples, sizeof *sorted);
    size_t at = 0;

    for (int kept = 0; kept < 2; kept++) {
        for (size_t i = 0; i < training->examples; i++)
            if (is_kept_back(i) == kept)
                sorted[at++] = training->example[i];
        if (!kept)
            training->learned = at;
    }
    free(training->example);
    training->example = sorted;
}

/* --- The network --- */

/* One example, and what the network computes from it. */
struct pass {
    const struct example *example;
    bool is_mirrored; /* left and right are exchanged: the rules do not distinguish
                       * them */
    float sum[SIDES][NNUE_HIDDEN], output[SIDES][NNUE_HIDDEN];
    float expected; /* the result that the network expects, 0 to 1 */
};

static int input_of(const struct pass *pass, int eyes, int man)
{
    int input = pass->example->input[eyes][man];
    int file = input % BOARD_FILES; /* `input` is N * BOARD_POINTS + point, so the
                                     * remainder is the file of the point */

    return pass->is_mirrored ? input - file + BOARD_FILES - 1 - file : input;
}

static float expect(float score)
{
    return 1 / (1 + expf(-score / one));
}

static void look(const struct weights *weights, struct pass *pass, int eyes)
{
    float *sum = pass->sum[eyes];

    memcpy(sum, weights->first_bias, sizeof weights->first_bias);
    for (int man = 0; man < pass->example->men; man++) {
        const float *first = weights->first[input_of(pass, eyes, man)];

        for (int i = 0; i < NNUE_HIDDEN; i++)
            sum[i] += first[i];
    }
}

static void forward(const struct weights *weights, struct pass *pass)
{
    const struct example *example = pass->example;
    float total = weights->second_bias[example->bucket];

    for (int eyes = 0; eyes < SIDES; eyes++) {
        const float *second = weights->second[example->bucket][eyes];

        look(weights, pass, eyes);
        for (int i = 0; i < NNUE_HIDDEN; i++) {
            pass->output[eyes][i] = fminf(fmaxf(pass->sum[eyes][i], 0), 1);
            total += pass->output[eyes][i] * second[i];
        }
    }
    pass->expected = expect((float)example->material + total * one);
}

static float wanted(const struct training *training, const struct example *example)
{
    return training->result_share * example->result +
           (1 - training->result_share) * expect(example->score);
}

/* Adds the gradient of the squared error of this example to training->gradient. */
static void backward(struct training *training, const struct pass *pass)
{
    const struct weights *weights = &training->weights;
    struct weights *gradient = &training->gradient;
    int bucket = pass->example->bucket;
    float error = pass->expected - wanted(training, pass->example);
    float slope = 4 * error * pass->expected * (1 - pass->expected);

    gradient->second_bias[bucket] += slope;
    for (int eyes = 0; eyes < SIDES; eyes++) {
        const float *second = weights->second[bucket][eyes];
        float down[NNUE_HIDDEN];

        for (int i = 0; i < NNUE_HIDDEN; i++) {
            bool is_free = pass->sum[eyes][i] > 0 && pass->sum[eyes][i] < 1;

            gradient->second[bucket][eyes][i] += slope * pass->output[eyes][i];
            down[i] = is_free ? slope * second[i] : 0;
            gradient->first_bias[i] += down[i];
        }
        for (int man = 0; man < pass->example->men; man++) {
            float *first = gradient->first[input_of(pass, eyes, man)];

            for (int i = 0; i < NNUE_HIDDEN; i++)
                first[i] += down[i];
        }
    }
}

/* Changes the weights by one step of the method Adam. rate: the learning rate. */
static void step(struct training *training, float rate)
{
    float *weight = (float *)&training->weights, *mean = (float *)&training->mean;
    float *square = (float *)&training->square,
          *gradient = (float *)&training->gradient;
    float mean_share = 1 - powf(0.9f, (float)++training->steps);
    float square_share = 1 - powf(0.999f, (float)training->steps);

    for (int i = 0; i < WEIGHTS; i++) {
        float slope = gradient[i] / BATCH;

        gradient[i] = 0;
        mean[i] += 0.1f * (slope - mean[i]);
        square[i] += 0.001f * (slope * slope - square[i]);
        weight[i] -=
            rate * mean[i] / mean_share / (sqrtf(square[i] / square_share) + 1e-8f);
    }
    for (int i = 0; i < NNUE_INPUTS * NNUE_HIDDEN; i++)
        weight[i] = fminf(fmaxf(weight[i], -most), most);
}

/* --- Training --- */

static void begin(struct training *training)
{
    struct weights *weights = &training->weights;

    for (int i = 0; i < NNUE_INPUTS; i++)
        for (int j = 0; j < NNUE_HIDDEN; j++)
            weights->first[i][j] = 0.08f * random_weight(training);
    for (int i = 0; i < NNUE_HIDDEN; i++)
        weights->first_bias[i] = 0.3f;
    for (int bucket = 0; bucket < NNUE_BUCKETS; bucket++)
        for (int i = 0; i < NNUE_HIDDEN; i++) {
            weights->second[bucket][0][i] = 0.1f * random_weight(training);
            weights->second[bucket][1][i] = 0.1f * random_weight(training);
        }
}

static void shuffle(struct training *training)
{
    for (size_t i = training->learned - 1; i > 0; i--) {
        size_t other = random_bits(training) % (i + 1);
        struct example example = training->example[i];

        training->example[i] = training->example[other];
        training->example[other] = example;
    }
}

static void run_epoch(struct training *training, float rate)
{
    struct pass pass;

    shuffle(training);
    for (size_t i = 0; i + 1 < training->learned; i++) {
        pass.example = &training->example[i];
        pass.is_mirrored = random_bits(training) & 1;
        forward(&training->weights, &pass);
        backward(training, &pass);
        if (i % BATCH == BATCH - 1)
            step(training, rate);
    }
}

/* Returns the mean squared error of the predicted results over the examples that were
 * held out of the training. has_network false: predicts from the material alone. */
static double error_of_results(const struct training *training, bool has_network)
{
    double sum = 0;

    for (size_t i = training->learned; i < training->examples; i++) {
        struct pass pass = {.example = &training->example[i]};

        forward(&training->weights, &pass);
        if (!has_network)
            pass.expected = expect(pass.example->material);
        sum += pow(pass.expected - pass.example->result, 2);
    }
    return sum / (double)(training->examples - training->learned);
}

/* Returns false if the network is no better than the evaluation without it. */
static bool train(struct training *training, int epochs)
{
    double without = error_of_results(training, false), with = without;

    fprintf(stderr, "%zu positions; error without a network %.5f\n", training->examples,
            without);
    begin(training);
    for (int epoch = 0; epoch < epochs; epoch++) {
        float rest = (float)(epochs - epoch) / (float)epochs;

        run_epoch(training, 0.0015f * rest * rest);
        with = error_of_results(training, true);
        fprintf(stderr, "epoch %d: error %.5f\n", epoch + 1, with);
    }
    return with < without;
}

/* --- The weights --- */

/* Prints `count` weights as an array of integers, in units of 1 / fine. name: the type
 * and name of the array. */
static void print_weights(const char *name, const float *weight, int count, float fine)
{
    printf("static const %s = {", name);
    for (int i = 0; i < count; i++)
        printf("%s%ld,", i % 24 == 0 ? "\n" : "", lrintf(weight[i] * fine));
    printf("\n};\n");
}

static void print(const struct weights *weights)
{
    const float fine = one * NNUE_FINE;

    puts("/* The weights of nnue.c. Written by tests/measure/engine/train.c. */\n"
         "#ifndef CLIENT_ENGINE_NNUE_WEIGHTS_H\n"
         "#define CLIENT_ENGINE_NNUE_WEIGHTS_H\n\n"
         "#include \"client/engine/nnue.h\"\n\n"
         "/* clang-format off */");
    print_weights("int8_t first[NNUE_INPUTS * NNUE_HIDDEN]", weights->first[0],
                  NNUE_INPUTS * NNUE_HIDDEN, NNUE_ONE);
    print_weights("int16_t first_bias[NNUE_HIDDEN]", weights->first_bias, NNUE_HIDDEN,
                  NNUE_ONE);
    print_weights("int16_t second[NNUE_BUCKETS * SIDES * NNUE_HIDDEN]",
                  weights->second[0][0], NNUE_BUCKETS * SIDES * NNUE_HIDDEN, fine);
    printf("static const int second_bias[NNUE_BUCKETS] = {");
    for (int i = 0; i < NNUE_BUCKETS; i++)
        printf("%ld,", lrintf(weights->second_bias[i] * fine * NNUE_ONE));
    printf("};\n\n#endif\n");
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"epochs", required_argument, NULL, 'e'},
                                            {"result", required_argument, NULL, 'r'},
                                            {"seed", required_argument, NULL, 's'},
                                            {NULL, 0, NULL, 0}};
    static struct training training = {.result_share = 0.3f, .random = 1};
    int option, epochs = 3;
    bool is_better;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (option) {
        case 'e':
            epochs = atoi(optarg);
            break;
        case 'r':
            training.result_share = strtof(optarg, NULL) / 100;
            break;
        case 's':
            training.random = strtoull(optarg, NULL, 10) * 2654435761u + 1;
            break;
        default:
            return 2;
        }
    for (int i = optind; i < argc; i++)
        if (!read_lessons(&training, argv[i])) {
            fprintf(stderr, "train cannot read %s\n", argv[i]);
            return 2;
        }
    if (training.examples < (size_t)BLOCK * KEPT_ONE_IN) {
        fprintf(stderr, "train wants at least %d positions\n", BLOCK * KEPT_ONE_IN);
        return 2;
    }
    keep_some_back(&training);
    is_better = train(&training, epochs);
    if (is_better)
        print(&training.weights);
    else
        fprintf(stderr, "train needs more games: this network is worse than none\n");
    free(training.example);
    return is_better ? 0 : 1;
}
