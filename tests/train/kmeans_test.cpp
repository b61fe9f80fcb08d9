// k-means: what holds for any data, and that nothing but data and seed decides the outcome.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/parted_rows.hpp"

#include <bowhist/assign/rule.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/train/kmeans.hpp>

#include <catch2/catch.hpp>
#include <tbb/global_control.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

LevelChoice choice(std::string_view id) {
    return choice_of(find_level(id), shared_device());
}

Training train_with(std::string_view id, const Descriptors &descriptors,
                    const TrainOptions &options) {
    Observer silent;
    return train(descriptors, options, choice(id), silent);
}

/// n rows in tight clumps around k well-separated centers.
Descriptors clumps(std::size_t n, std::size_t k, std::size_t dimensions) {
    const Descriptors centers = random_descriptors(k, dimensions, 99, 100);
    Descriptors rows = random_descriptors(n, dimensions, 98, 0.1F);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t i = 0; i < dimensions; ++i)
            rows.values[row * dimensions + i] += centers.row(row % k)[i];
    return rows;
}

} // namespace

TEST_CASE("train: well-separated clumps are found, one word each") {
    const Descriptors rows = clumps(600, 12, 16);
    const Training training = train_with("openmp", rows, {.k = 12});
    std::set<std::int32_t> words;
    for (std::size_t clump = 0; clump < 12; ++clump) {
        words.insert(training.words[clump]);
        for (std::size_t row = clump; row < 600; row += 12)
            REQUIRE(training.words[row] == training.words[clump]);
    }
    CHECK(words.size() == 12);
    CHECK(training.iterations < 25);
}

TEST_CASE("train: more words than distinct descriptors are a warning") {
    const auto warnings_of = [](const Descriptors &rows, const TrainOptions &options,
                                std::size_t part) {
        Listener listener;
        train(PartedRows(rows, part), options, choice("openmp"), listener);
        return listener.warnings;
    };
    Descriptors two{2, {}};
    for (int i = 0; i < 9; ++i)
        two.values.insert(two.values.end(), {i % 3 == 0 ? 1.0F : -0.0F, 0.3F});
    for (const Start start : starts)
        for (const int restarts : {1, 3})
            for (const std::size_t part : {2, 9}) {
                const auto warnings =
                    warnings_of(two, {.k = 5, .start = start, .restarts = restarts}, part);
                REQUIRE(warnings.size() == 1);
                CHECK_THAT(warnings[0], Catch::Contains("of 5 words only 2 differ") &&
                                            Catch::Contains("hold 2 distinct rows") &&
                                            Catch::Contains("smaller -k"));
                CHECK(warnings_of(two, {.k = 2, .restarts = restarts}, part).empty());
            }
    const Descriptors same{1, std::vector<float>(7, 0.1F)};
    CHECK_THAT(warnings_of(same, {.k = 3}, 7).at(0), Catch::Contains("all 3 words are equal"));
    CHECK(warnings_of(same, {.k = 1}, 7).empty());
    CHECK(warnings_of(random_descriptors(300, 8, 1), {.k = 50}, 300).empty());
}

TEST_CASE("train: the words are the rule's, and the inertia is theirs") {
    const Descriptors rows = random_descriptors(700, 20, 3);
    const Training training = train_with("openmp", rows, {.k = 30, .iterations = 4});
    double inertia = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        REQUIRE(training.words[row] == nearest(rows.row(row), training.vocabulary));
        inertia += squared_distance(
            rows.row(row), training.vocabulary.row(static_cast<std::size_t>(training.words[row])));
    }
    CHECK(training.inertia == Approx(inertia).epsilon(1e-9));
}

TEST_CASE("train: more iterations never fit worse") {
    const Descriptors rows = random_descriptors(1000, 16, 5);
    double before = train_with("openmp", rows, {.k = 20, .iterations = 0}).inertia;
    for (const int iterations : {1, 2, 4, 8, 100}) {
        const double after =
            train_with("openmp", rows, {.k = 20, .iterations = iterations}).inertia;
        CHECK(after <= before * (1 + 1e-6));
        before = after;
    }
}

TEST_CASE("train: every level learns the same floats") {
    const Descriptors rows = random_descriptors(900, 64, 7);
    const Training expected = train_with("serial", rows, {.k = 25, .iterations = 5});
    for (const Level &level : levels_here()) {
        INFO("level " << level.id);
        CHECK(train_with(level.id, rows, {.k = 25, .iterations = 5}).vocabulary.values ==
              expected.vocabulary.values);
    }
}

TEST_CASE("train: any number of threads learns the same floats") {
    const Descriptors rows = random_descriptors(30'000, 16, 8); // many tasks' worth
    const Training many = train_with("openmp", rows, {.k = 25, .iterations = 5});
    const tbb::global_control one_thread(tbb::global_control::max_allowed_parallelism, 1);
    const Training alone = train_with("openmp", rows, {.k = 25, .iterations = 5});
    CHECK(alone.vocabulary.values == many.vocabulary.values);
    CHECK(alone.inertia == many.inertia);
}

TEST_CASE("train: descriptors that come in parts learn the same") {
    Descriptors rows = clumps(800, 6, 16);
    for (std::size_t row = 0; row < 600; ++row) // of which a random start leaves words empty,
        std::ranges::copy(rows.row(0), rows.values.begin() + static_cast<std::ptrdiff_t>(row * 16));
    std::ranges::copy(rows.row(700), rows.values.end() - 16); // then put on equal rows, the first
    TrainOptions options{.k = 20, .iterations = 5, .restarts = 2};
    for (const Start start : starts) {
        options.start = start;
        const Training expected = train_with("serial", rows, options);
        CHECK((start != Start::random || expected.course[0].empty > 0));
        for (const char *level : {"simd", "gpu2"})
            for (const std::size_t part : {101, 333, 799}) {
                INFO(name_of(start) << ", level " << level << ", parts of " << part);
                Observer silent;
                const Training training =
                    train(PartedRows(rows, part), options, choice(level), silent);
                CHECK(training.vocabulary.values == expected.vocabulary.values);
                CHECK(training.words == expected.words);
                CHECK(training.inertia == expected.inertia);
                CHECK(training.course == expected.course);
            }
    }
}

TEST_CASE("train: the order of descriptors moves no sum") {
    // One word's centroid is the mean of all rows, whatever it started from. Magnitudes differ so
    // much that float64 sums would show the order.
    Descriptors rows = random_descriptors(20'000, 4, 9);
    for (std::size_t i = 0; i < rows.values.size(); i += 3) rows.values[i] *= 1e6F;
    const Training forward = train_with("serial", rows, {.k = 1, .iterations = 1});
    std::mt19937 engine(10);
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::shuffle(order, engine);
    Descriptors shuffled{4, {}};
    for (const std::size_t row : order)
        shuffled.values.insert(shuffled.values.end(), rows.row(row).begin(), rows.row(row).end());
    const Training again = train_with("serial", shuffled, {.k = 1, .iterations = 1});
    CHECK(again.vocabulary.values == forward.vocabulary.values);
    CHECK(again.inertia == forward.inertia);
}

TEST_CASE("train: its course has every iteration") {
    const Descriptors rows = random_descriptors(1500, 16, 5);
    const Training training = train_with("openmp", rows, {.k = 20, .iterations = 6});
    REQUIRE(training.course.size() == 7);
    CHECK(training.course.front().moved == rows.size());
    for (int i = 0; i < 7; ++i) {
        const Training until = train_with("openmp", rows, {.k = 20, .iterations = i});
        const Iteration &last = until.course.back();
        CHECK(last.inertia == Approx(until.inertia).epsilon(1e-8)); // by sums and by descriptors
        CHECK(last == training.course[static_cast<std::size_t>(i)]);
    }
    Descriptors same{4, std::vector<float>(40, 1)};
    CHECK(train_with("openmp", same, {.k = 3}).course.front().empty == 2);
}

TEST_CASE("train: stopped after any iteration it resumes and ends in the same bytes") {
    const Descriptors rows = random_descriptors(1500, 16, 5);
    TrainOptions options{.k = 40, .iterations = 9};
    std::vector<TrainingState> states;
    options.keep = [&](TrainingState &&state) { states.push_back(std::move(state)); };
    const Training whole = train_with("openmp", rows, options);
    REQUIRE(states.size() == 9);
    options.keep = {};
    for (const TrainingState &state : states) {
        options.from = &state;
        const Training rest = train_with("simd", rows, options);
        CHECK(rest.vocabulary.values == whole.vocabulary.values);
        CHECK(rest.words == whole.words);
        CHECK(rest.inertia == whole.inertia);
        CHECK(rest.iterations == whole.iterations);
        CHECK(rest.course == whole.course);
    }
}

TEST_CASE("train: a resumed training takes no iteration for another") {
    const Descriptors rows = random_descriptors(1500, 16, 5);
    TrainOptions options{.k = 40, .iterations = 1};
    TrainingState state;
    options.keep = [&](TrainingState &&kept) { state = std::move(kept); };
    train_with("openmp", rows, options);
    state.iterations = 1200;
    state.course.assign(1000, {2, 3, 0}); // as a checkpoint keeps it
    options = {.k = 40, .iterations = 1203, .from = &state};
    const Training training = train_with("openmp", rows, options);
    CHECK(training.iterations == 1203);
    CHECK(training.course == state.course);
}

TEST_CASE("train: the best of restarts is kept, with its seed") {
    const Descriptors rows = random_descriptors(500, 8, 6);
    TrainOptions options{.k = 12, .seed = 5, .iterations = 2};
    std::vector<double> inertias;
    for (options.seed = 5; options.seed < 9; ++options.seed)
        inertias.push_back(train_with("openmp", rows, options).inertia);
    options.seed = 5;
    options.restarts = 4;
    const Training best = train_with("openmp", rows, options);
    const auto least = std::ranges::min_element(inertias);
    CHECK(best.inertia == *least);
    CHECK(best.seed == 5 + static_cast<std::uint64_t>(least - inertias.begin()));
    CHECK(least != inertias.begin()); // else the first would do
}

TEST_CASE("train: a sampled start is the greedy one among 32 descriptors per word") {
    const auto started = [](const Descriptors &rows, Start start) {
        return train_with("openmp", rows, {.k = 10, .iterations = 0, .start = start});
    };
    const Descriptors few = clumps(320, 10, 8);
    CHECK(started(few, Start::sampled).vocabulary.values ==
          started(few, Start::greedy).vocabulary.values);
    const Descriptors many = clumps(5000, 10, 8);
    const Training sampled = started(many, Start::sampled);
    CHECK(sampled.vocabulary.values != started(many, Start::greedy).vocabulary.values);
    for (const Start start : starts) {
        const Training training = started(many, start);
        std::set<std::vector<float>> distinct;
        for (std::size_t word = 0; word < 10; ++word) {
            const auto centroid = training.vocabulary.row(word);
            distinct.emplace(centroid.begin(), centroid.end());
            bool is_row = false;
            for (std::size_t row = 0; row < many.size(); ++row)
                is_row |= std::ranges::equal(many.row(row), centroid);
            CHECK(is_row);
        }
        CHECK(distinct.size() == 10);
        // a word in each clump, but at random hardly ever
        CHECK((training.inertia < 5000) == (start != Start::random));
    }
}

TEST_CASE("train: no word stays empty while descriptors differ") {
    Descriptors rows = clumps(300, 3, 4);
    const Training training = train_with("openmp", rows, {.k = 60});
    Descriptors repeated = rows; // so that a random start has words alike
    repeated.values.insert(repeated.values.end(), rows.values.begin(), rows.values.end());
    const std::set<std::int32_t> used(training.words.begin(), training.words.end());
    CHECK(used.size() == 60);
    const TrainOptions at_random{.k = 60, .iterations = 9, .start = Start::random};
    const Training expected = train_with("openmp", repeated, at_random);
    CHECK(expected.course.front().empty > 0);
    for (const Level &level : levels_here()) {
        INFO(level.id);
        const Training found = train_with(level.id, repeated, at_random);
        CHECK(found.vocabulary.values == expected.vocabulary.values);
        CHECK(found.course == expected.course);
    }
}

TEST_CASE("train: fewer descriptors than words is an error that says so") {
    CHECK_THROWS_WITH(train_with("serial", random_descriptors(5, 4, 1), {.k = 6}),
                      Catch::StartsWith("5 descriptors cannot make 6 words"));
    CHECK_THROWS_WITH(train_with("serial", random_descriptors(1, 4, 1), {.k = 2}),
                      Catch::StartsWith("1 descriptor cannot make 2 words"));
}

TEST_CASE("train: huge and tiny descriptors train as others do") {
    for (const float scale : {1e-30F, 1e30F}) {
        INFO(scale);
        const Training training =
            train_with("openmp", random_descriptors(200, 8, 11, scale), {.k = 5, .iterations = 50});
        for (const float value : training.vocabulary.values) REQUIRE(std::isfinite(value));
        CHECK(training.inertia > 0);
        const std::set<std::int32_t> used(training.words.begin(), training.words.end());
        CHECK(used.size() == 5);
    }
}
