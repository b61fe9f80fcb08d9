#include <bowhist/io/free_memory.hpp>
#include <bowhist/learn/training_memory.hpp>
#include <bowhist/train/sample.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

using namespace bowhist;

namespace {

/// The numbers from 0 on as rows of one float, in pieces of several sizes; which are kept.
std::vector<float> kept(std::size_t count, std::size_t most, std::uint64_t seed,
                        std::size_t piece = 7) {
    DescriptorSample sample(most, seed);
    for (std::size_t first = 0; first < count; first += piece) {
        Descriptors some{1, std::vector<float>(std::min(piece, count - first))};
        std::iota(some.values.begin(), some.values.end(), static_cast<float>(first));
        sample.add(some.values, 1);
        sample.add({}, 0);
    }
    CHECK(sample.seen() == count);
    return std::move(sample).take().values;
}

} // namespace

TEST_CASE("sample: few are kept whole, many as many as asked for, none twice") {
    std::vector<float> all(100);
    std::iota(all.begin(), all.end(), 0.F);
    CHECK(kept(100, 0, 1) == all);
    CHECK(kept(100, 100, 1) == all);
    CHECK(kept(100, 1000, 1) == all);
    CHECK(kept(0, 10, 1).empty());
    auto some = kept(100, 30, 1);
    std::ranges::sort(some);
    CHECK(some.size() == 30);
    CHECK(std::ranges::adjacent_find(some) == some.end());
    CHECK(std::ranges::includes(all, some));
}

TEST_CASE("sample: the seed and the order decide, not the pieces") {
    const auto one = kept(1000, 50, 3);
    CHECK(kept(1000, 50, 3, 1) == one);
    CHECK(kept(1000, 50, 3, 999) == one);
    CHECK(kept(1000, 50, 4) != one);
}

TEST_CASE("sample: one that is resumed draws as one that was never stopped") {
    for (const std::size_t most : {0U, 50U, 2000U}) {
        const auto expected = kept(1000, most, 3);
        for (const std::size_t stop : {0U, 1U, 49U, 50U, 400U, 1000U}) {
            std::vector<float> all(1000);
            std::iota(all.begin(), all.end(), 0.F);
            const std::span<const float> values(all);
            DescriptorSample first(most, 3);
            first.add(values.first(stop), 1);
            const std::uint64_t seen = first.seen();
            const std::string draws = first.draws();
            DescriptorSample second(most, 4);
            REQUIRE(second.resume(std::move(first).take(), seen, draws));
            second.add(values.subspan(stop), 1);
            CHECK(second.seen() == 1000);
            CHECK(std::move(second).take().values == expected);
        }
    }
    DescriptorSample other(10, 1);
    for (const char *draws : {"", "no state", "1 2 3"}) CHECK(!other.resume({}, 0, draws));
}

TEST_CASE("sample: rows that lie elsewhere are drawn as if they were here") {
    std::vector<float> all(1000);
    std::iota(all.begin(), all.end(), 0.F);
    const std::span<const float> values(all);
    for (const std::size_t most : {0U, 1U, 50U, 2000U}) {
        DescriptorSample here(most, 3);  // gets the rows of three ranges of the others
        DescriptorSample there(most, 3); // has the middle one
        const std::size_t first = 120;
        const std::size_t second = 700;
        here.add(values.first(first), 1);
        there.skip(first);
        const std::vector<float> chosen = there.chosen(values.subspan(first, second - first), 1);
        CHECK(here.add_chosen(second - first, chosen, 1) == chosen.size());
        here.add(values.subspan(second), 1);
        there.skip(all.size() - second);
        CHECK(here.seen() == all.size());
        CHECK(there.draws() == here.draws());
        CHECK(std::move(here).take().values == kept(1000, most, 3));
    }
}

TEST_CASE("sample: each is as likely as any other") {
    std::vector<int> times(20);
    constexpr int draws = 4000;
    for (std::uint64_t seed = 0; seed < draws; ++seed)
        for (const float number : kept(20, 5, seed)) ++times[static_cast<std::size_t>(number)];
    // A quarter of the draws each; five standard deviations are 137.
    for (const int time : times) CHECK(std::abs(time - draws / 4) < 137);
}

TEST_CASE("training memory: prepared rows count") {
    const PreparationSteps steps =
        parse_preparation("root,whiten:48,position,scale,contrast,mirror");
    TrainOptions training;
    training.k = 64;
    training.start = Start::random;
    MemoryRequest request{
        .memory = held_memory() + 200'000'000, .sample = 300'000, .training = &training};
    request.threads = 2;
    CHECK_NOTHROW(TrainingMemory(request, {}).require_room(300'000, 68));
    request.steps = &steps;
    CHECK_NOTHROW(TrainingMemory(request, {}).require_room(100'000, 68));
    CHECK_THROWS_WITH(TrainingMemory(request, {}).require_room(300'000, 68),
                      Catch::Contains("has room for") && Catch::Contains("lower --sample"));
    // the products of 4000 pictures alone take 128 MB
    CHECK_NOTHROW(require_projection_room(0, 4000, 1000, 128));
    CHECK_NOTHROW(require_projection_room(held_memory() + 200'000'000, 4000, 1000, 128));
    CHECK_THROWS_WITH(require_projection_room(held_memory() + 120'000'000, 4000, 1000, 128),
                      Catch::Contains("4000 pictures' rows of 1000 numbers"));
}
