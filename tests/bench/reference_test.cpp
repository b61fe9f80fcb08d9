// What bench holds results to, and what it counts, by other ways.
#include "bench/cases/filtered.hpp"
#include "bench/cases/memory_walk.hpp"
#include "tests/support/convolve_reference.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <set>

using namespace bowhist;
using namespace bowhist::testing;

TEST_CASE("bench: the reference of convolutions is the definition", "[convolve]") {
    std::mt19937 engine(5);
    std::uniform_real_distribution<float> uniform(-1, 1);
    constexpr std::size_t side = 9;
    std::vector<float> pixels(3 * side * side);
    for (float &pixel : pixels) pixel = uniform(engine);
    for (const auto &[width, height] : {std::pair{1UL, 1UL}, {5UL, 3UL}, {1UL, 31UL}, {31UL, 1UL}})
        for (const Border border : {Border::reflect, Border::replicate}) {
            Filter filter{width, height, std::vector<float>(width * height)};
            for (float &weight : filter.weights) weight = uniform(engine);
            const Reference expected = convolved(pixels, {side, side, 3}, filter, border);
            const std::vector<float> found = filtered(pixels, side, filter, border);
            REQUIRE(found.size() == pixels.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                CHECK(std::abs(found[i] - expected.values[i]) <= 1e-7 * expected.magnitudes[i]);
        }
}

TEST_CASE("bench: every walk through memory reaches each place once", "[memory]") {
    for (const std::uint32_t size : {4U, 64U, 4096U})
        for (const MemoryWalk walk :
             {MemoryWalk::contiguous, MemoryWalk::strided, MemoryWalk::scattered})
            for (const std::uint32_t stride : {1U, 2U, 64U}) {
                if (stride > size) continue;
                std::set<std::uint32_t> places;
                for (std::uint32_t t = 0; t < size; ++t)
                    places.insert(place(walk, t, size, stride));
                CHECK(places.size() == size);
                CHECK(*places.rbegin() == size - 1);
            }
}
