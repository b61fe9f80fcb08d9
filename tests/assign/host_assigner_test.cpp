#include "tests/support/descriptors.hpp"
#include "tests/support/only_target.hpp"
#include "tests/support/words_by_rule.hpp"

#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/assign/rule.hpp>
#include <bowhist/core/observer.hpp>

#include <catch2/catch.hpp>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <functional>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Stops the work when asked for the `last` time.
class StopAt : public Observer {
  public:
    explicit StopAt(int last) : last_(last) {}
    bool interrupted() const override { return ++asked_ == last_; }
    int asked() const { return asked_; }

  private:
    int last_;
    mutable int asked_ = 0;
};

std::size_t searched_rows = 0;
std::size_t longest_slice = 0;

/// Finds word 0, ten rows at a time.
HostSearch make_ten(const Vocabulary &, int, double) {
    searched_rows = 0;
    longest_slice = 0;
    const auto search = [](std::span<const float>, std::span<std::int32_t> words, int) {
        searched_rows += words.size();
        longest_slice = std::max(longest_slice, words.size());
        std::ranges::fill(words, 0);
        return std::uint64_t{0};
    };
    return {search, 10};
}

/// Checks each word; calls `check` with how many rows the screen left to the rule.
void search(const Descriptors &descriptors, const Vocabulary &vocabulary,
            const std::function<void(std::uint64_t unproven)> &check) {
    for_each_target([&](const std::string &target) {
        INFO(target << ", D " << vocabulary.dimensions << ", k " << vocabulary.size());
        std::vector<std::int32_t> words(descriptors.size(), -1);
        check(make_openmp_search(vocabulary, 2, 1).search(descriptors.values, words, 2));
        for (std::size_t row = 0; row < words.size(); ++row)
            REQUIRE(words[row] == nearest(descriptors.row(row), vocabulary));
    });
}

} // namespace

TEST_CASE("host: an interruption stops between slices") {
    const Descriptors descriptors = random_descriptors(95, 4, 1);
    AssignOptions options;
    StopAt third(3);
    options.observer = &third;
    HostAssigner stopped(make_ten, random_vocabulary(3, 4, 2), options);
    CHECK_THROWS_WITH(stopped.run({descriptors.values, {}, 1}), "interrupted");
    CHECK(searched_rows == 20);
    StopAt never(0);
    options.observer = &never;
    HostAssigner whole(make_ten, random_vocabulary(3, 4, 2), options);
    CHECK(whole.run({descriptors.values, {}, 1}).histograms.front() == 95);
    CHECK(searched_rows == 95);
    CHECK(longest_slice == 10);
    CHECK(never.asked() == 10);
}

TEST_CASE("host: a slice keeps every thread busy, and ends soon") {
    for (const std::size_t k : {2, 256, 8192, 1000000})
        for (const int threads : {1, 2, 64}) {
            const Vocabulary vocabulary = random_vocabulary(k, 1, 3);
            const auto share = [&](MakeHostSearch make) {
                return make(vocabulary, threads, 1).rows_a_slice /
                       static_cast<std::size_t>(threads);
            };
            INFO("k " << k << ", " << threads << " threads");
            CHECK(share(make_simd_search) >= 768); // sixteen chunks of the smallest kind
            CHECK(share(make_simd_search) * k <= 1000000000);
            CHECK(share(make_openmp_search) >= 8);
            CHECK(share(make_openmp_search) * k <= 100000000);
            CHECK(share(make_simd_search) <= 1 << 18);
            CHECK(share(make_openmp_search) <= 1 << 18);
            CHECK(make_serial_search(vocabulary, threads, 1).rows_a_slice * k <= 100000000);
        }
}

TEST_CASE("host: simd's chunks leave no row out, however many threads share them") {
    const Vocabulary vocabulary = random_vocabulary(40, 16, 4);
    for (const std::size_t n : {1, 47, 48, 49, 767, 768, 769, 6145, 20000}) {
        const Descriptors descriptors = random_descriptors(n, 16, 5);
        const auto expected = words_by_rule(descriptors, vocabulary);
        for (const int threads : {1, 2, 3}) {
            std::vector<std::int32_t> words(n, -2);
            make_simd_search(vocabulary, threads, 1).search(descriptors.values, words, threads);
            INFO("n " << n << ", " << threads << " threads");
            CHECK(words == expected);
        }
    }
}

TEST_CASE("host: many threads count images of their own at a time, and the report has them all") {
    const Vocabulary vocabulary = random_vocabulary(40, 16, 4);
    const Descriptors descriptors = random_descriptors(300, 16, 5);
    for (const char *level : {"serial", "openmp", "simd"}) {
        const auto assigner = find_level(level).prepare(nullptr, vocabulary, {});
        const auto expected = assigner->run({descriptors.values, {}, 1}).histograms;
        HostAssigner &host = *assigner->on_host();
        std::array<bool, 64> same{};
        tbb::parallel_for(std::size_t{0}, same.size(), [&](std::size_t i) {
            same[i] = host.count(descriptors.values) == expected;
        });
        CHECK(std::ranges::count(same, true) == 64);
        CHECK(assigner->report().rows == 65 * descriptors.size());
    }
}

TEST_CASE("openmp: any number of words and dimensions, almost every ordinary row proven") {
    for (const std::size_t k : {2, 63, 64, 65, 200})
        for (const std::size_t dimensions : {8, 17, 64})
            search(random_descriptors(300, dimensions, 1), random_vocabulary(k, dimensions, 2),
                   [](std::uint64_t unproven) { CHECK(unproven < 15); });
}

TEST_CASE("openmp: the rule decides ties and near ties") {
    const Vocabulary vocabulary = random_vocabulary(100, 64, 3);
    search(random_descriptors(100, 64, 4), words_repeated(vocabulary, 2),
           [](std::uint64_t unproven) { CHECK(unproven == 100); });
    search(nearly_tied(vocabulary, 1000, 5), vocabulary, [](std::uint64_t) {});
}
