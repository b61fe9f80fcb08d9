// A caller of the library may have set another rounding, or have subnormals flushed, as a
// start-up object of -ffast-math does: no word and no vocabulary changes by it, and the state
// stays.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/words_by_rule.hpp"

#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/train/kmeans.hpp>

#include <catch2/catch.hpp>

#include <cfenv>
#include <functional>
#include <future>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

using namespace bowhist;
using namespace bowhist::testing;

namespace {

struct CallersState {
    const char *name;
    void (*set)();
};

const std::vector<CallersState> &other_states() {
    static const std::vector<CallersState> states = {
#ifdef __SSE__
        {"subnormals flushed", [] { _mm_setcsr(_mm_getcsr() | 0x8040); }}, // results and operands
#endif
        {"rounding up", [] { std::fesetround(FE_UPWARD); }},
        {"rounding down", [] { std::fesetround(FE_DOWNWARD); }},
        {"rounding to zero", [] { std::fesetround(FE_TOWARDZERO); }},
    };
    return states;
}

/// All of this thread's state but which exceptions have happened.
std::pair<int, unsigned> state_of_this_thread() {
#ifdef __SSE__
    return {std::fegetround(), _mm_getcsr() & ~0x3fU};
#else
    return {std::fegetround(), 0};
#endif
}

/// Does the work on a new thread in that state. Threads that it makes inherit the state.
void in_state(const CallersState &state, const std::function<void()> &work) {
    bool kept = false;
    std::async(std::launch::async, [&] {
        state.set();
        const auto before = state_of_this_thread();
        work();
        kept = state_of_this_thread() == before;
    }).get();
    INFO(state.name);
    CHECK(kept);
}

struct Problem {
    Descriptors rows;
    Vocabulary words;
};

/// Every word has the same coordinates in another order, every row is one number again and again:
/// distances are all but equal, and which is the smallest is a matter of rounding.
Problem decided_by_rounding() {
    Problem problem{random_descriptors(200, 16, 1), {16, {}}};
    for (std::size_t i = 0; i < problem.rows.values.size(); ++i)
        problem.rows.values[i] = problem.rows.values[i / 16 * 16];
    std::vector<float> word = random_vocabulary(1, 16, 2).values;
    std::mt19937 engine(3);
    for (int j = 0; j < 40; ++j) {
        std::ranges::shuffle(word, engine);
        problem.words.values.insert(problem.words.values.end(), word.begin(), word.end());
    }
    return problem;
}

/// Rows between two words, so near to the middle that a screen can just prove it, or just not.
Descriptors between(const Vocabulary &words, std::size_t n, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> off(0, 4e-6F);
    Descriptors rows{words.dimensions, {}};
    for (std::size_t row = 0; row < n; ++row) {
        const auto a = words.row(engine() % words.size());
        const auto b = words.row(engine() % words.size());
        const float share = 0.5F + off(engine);
        for (std::size_t i = 0; i < words.dimensions; ++i)
            rows.values.push_back(share * a[i] + (1 - share) * b[i]);
    }
    return rows;
}

/// Drawn once, in the default state: in another one subnormal numbers would be drawn as zeros.
const std::vector<Problem> &problems() {
    static const Vocabulary ordinary = random_vocabulary(40, 16, 4);
    static const std::vector<Problem> all = {
        decided_by_rounding(),
        {random_descriptors(200, 16, 5, 1e-41F), random_vocabulary(40, 16, 6, 1e-41F)},
        {between(ordinary, 2000, 7), ordinary}};
    return all;
}

std::vector<std::int32_t> words_by_rule_here(const Problem &problem) {
    std::vector<std::int32_t> words;
    for (std::size_t row = 0; row < problem.rows.size(); ++row)
        words.push_back(nearest(problem.rows.row(row), problem.words));
    return words;
}

/// The rule in whatever state the thread is in.
[[gnu::noinline]] std::vector<std::int32_t> unguarded_words(const Problem &problem) {
    std::vector<std::int32_t> words;
    for (std::size_t row = 0; row < problem.rows.size(); ++row) {
        std::int32_t word = 0;
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < problem.words.size(); ++j) {
            double sum = 0;
            for (std::size_t i = 0; i < problem.words.dimensions; ++i) {
                const double difference = static_cast<double>(problem.rows.row(row)[i]) -
                                          static_cast<double>(problem.words.row(j)[i]);
                sum += difference * difference;
            }
            if (sum < best) {
                best = sum;
                word = static_cast<std::int32_t>(j);
            }
        }
        words.push_back(word);
    }
    return words;
}

} // namespace

TEST_CASE("float state: each of them would change words") {
    for (const CallersState &state : other_states()) {
        std::size_t changed = 0;
        const std::vector<Problem> &all = problems();
        in_state(state, [&] {
            for (const Problem &problem : all)
                changed += unguarded_words(problem) != words_by_rule_here(problem) ? 1 : 0;
        });
        INFO(state.name);
        CHECK(changed > 0);
    }
}

TEST_CASE("float state: the rule gives the same distances and words in any") {
    for (const Problem &problem : problems()) {
        const auto expected = words_by_rule_here(problem);
        const double distance = squared_distance(problem.rows.row(0), problem.words.row(1));
        const std::vector<std::int32_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        const auto among = nearest_of(problem.rows.row(0), problem.words, all);
        for (const CallersState &state : other_states())
            in_state(state, [&] {
                CHECK(words_by_rule_here(problem) == expected);
                CHECK(words_by_vector_rule(problem.rows, problem.words) == expected);
                CHECK(squared_distance(problem.rows.row(0), problem.words.row(1)) == distance);
                CHECK(nearest_of(problem.rows.row(0), problem.words, all) == among);
            });
    }
}

TEST_CASE("float state: threads that a pool made in another one find the same words") {
    for (const Problem &problem : problems()) {
        const auto expected = words_by_rule_here(problem);
        for (const auto make : {make_openmp_search, make_simd_search}) {
            const auto search = make(problem.words, 2, 1);
            std::vector<std::int32_t> words(expected.size());
            const auto unproven = search.search(problem.rows.values, words, 2);
            for (const CallersState &state : other_states())
                in_state(state, [&] {
                    CHECK(search.search(problem.rows.values, words, 2) == unproven);
                    CHECK(words == expected);
                });
        }
    }
}

TEST_CASE("float state: every level gives the rule's words in any, on devices made in it, too") {
    const std::vector<Problem> &all = problems();
    for (const CallersState &state : other_states())
        in_state(state, [&] {
            const auto device = std::make_shared<Device>(DeviceOptions{});
            auto limits = device->limits();
            limits.fp64 = false; // the host decides
            const auto without_fp64 = std::make_shared<Device>(DeviceOptions{.limits = limits});
            for (const Problem &problem : all) {
                const auto expected = words_by_rule_here(problem);
                for (const Level &level : levels()) {
                    if (level.obstacle(device.get(), 16, 40)) continue;
                    INFO(level.id);
                    CHECK(assign(level, device, problem.rows, problem.words).words == expected);
                    if (level.on_device)
                        CHECK(assign(level, without_fp64, problem.rows, problem.words).words ==
                              expected);
                }
            }
        });
}

TEST_CASE("float state: training gives the same vocabulary in any") {
    Observer observer;
    const LevelChoice level = choice_of(find_level("openmp"), nullptr);
    for (const float scale : {1.0F, 1e-22F}) { // squares of the latter are subnormal in float32
        const Descriptors rows = random_descriptors(3000, 16, 8, scale);
        const TrainOptions options{.k = 20, .seed = 9, .iterations = 5};
        const Training expected = train(rows, options, level, observer);
        for (const CallersState &state : other_states())
            in_state(state, [&] {
                const Training training = train(rows, options, level, observer);
                CHECK(training.vocabulary.values == expected.vocabulary.values);
                CHECK(training.inertia == expected.inertia);
            });
    }
}
