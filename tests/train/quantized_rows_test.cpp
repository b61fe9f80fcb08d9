// Whole rows: squared distances are those of rounded descriptors, exactly, on any vector units.
#include "tests/support/descriptors.hpp"
#include "tests/support/only_target.hpp"

#include <bowhist/train/quantized_rows.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// By the header's words: a power of two that brings the longest to 1022 … 2047.
std::vector<long> rounded(const Descriptors &rows) {
    double longest = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        double sum = 0;
        for (const float value : rows.row(r)) sum += double{value} * double{value};
        longest = std::max(longest, std::sqrt(sum));
    }
    double scale = 1;
    const double most = 2047 - std::sqrt(static_cast<double>(rows.dimensions)) / 2;
    while (longest > 0 && longest * scale * 2 <= most) scale *= 2;
    while (longest * scale > most) scale /= 2;
    std::vector<long> values;
    for (const float value : rows.values) values.push_back(std::lrint(double{value} * scale));
    return values;
}

/// Distances of all rows to some, [row][other].
std::vector<float> distances(const Descriptors &rows, const std::vector<std::size_t> &others) {
    const QuantizedRows whole(rows);
    const QuantizedRows::Others packed(whole, others);
    std::vector<float> nearest(whole.padded(), QuantizedRows::above_all);
    std::vector<float> found(QuantizedRows::distances_of_chunk);
    std::vector<float> all;
    for (std::size_t chunk = 0; chunk < whole.chunks(); ++chunk) {
        whole.compare(chunk, packed, nearest.data() + chunk * QuantizedRows::chunk, found.data());
        const std::size_t first = chunk * QuantizedRows::chunk;
        for (std::size_t r = 0; r < std::min(QuantizedRows::chunk, rows.size() - first); ++r)
            for (std::size_t c = 0; c < others.size(); ++c)
                all.push_back(found[(r / QuantizedRows::block * QuantizedRows::most_others + c) *
                                        QuantizedRows::block +
                                    r % QuantizedRows::block]);
    }
    return all;
}

std::vector<float> reference(const Descriptors &rows, const std::vector<std::size_t> &others) {
    const std::vector<long> values = rounded(rows);
    std::vector<float> all;
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (const std::size_t other : others) {
            long sum = 0;
            for (std::size_t i = 0; i < rows.dimensions; ++i) {
                const long apart =
                    values[r * rows.dimensions + i] - values[other * rows.dimensions + i];
                sum += apart * apart;
            }
            CHECK(sum < 1 << 24);
            all.push_back(static_cast<float>(sum));
        }
    return all;
}

} // namespace

TEST_CASE("whole rows: squared distances are exact, on every generation of vector units") {
    for (const std::size_t dimensions : {1, 3, 64, 300})
        for (const float size : {1e-36F, 1.0F, 3e36F}) {
            INFO(dimensions << " dimensions of about " << size);
            Descriptors rows = random_descriptors(1100, dimensions, 4, size);
            std::fill_n(rows.values.begin() + static_cast<std::ptrdiff_t>(dimensions), dimensions,
                        0.0F);
            for (std::size_t i = 0; i < dimensions; ++i) // the farthest apart that there may be
                rows.values[2 * dimensions + i] = -rows.values[i];
            const std::vector<std::size_t> others = {0, 1, 2, 1099, 5};
            const auto expected = reference(rows, others);
            for_each_target([&](const std::string &target) {
                INFO(target);
                CHECK(distances(rows, others) == expected);
            });
        }
}

TEST_CASE("whole rows: gains and potentials are sums over the rows") {
    const Descriptors rows = random_descriptors(1500, 12, 7);
    const QuantizedRows whole(rows);
    std::vector<float> nearest(whole.padded(), 0);
    std::fill_n(nearest.begin(), rows.size(), QuantizedRows::above_all);
    std::vector<float> found(QuantizedRows::distances_of_chunk);
    const std::vector<std::vector<std::size_t>> turns = {{3}, {700, 4, 1499, 3}, {9, 8, 7, 6}};
    std::vector<double> expected(rows.size(), QuantizedRows::above_all);
    for (const auto &others : turns) {
        const auto apart = reference(rows, others);
        const QuantizedRows::Others packed(whole, others);
        std::vector<double> gains(others.size(), 0);
        double potential = 0;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            for (std::size_t c = 0; c < others.size(); ++c)
                gains[c] += std::max(0.0, expected[r] - double{apart[r * others.size() + c]});
            expected[r] = std::min(expected[r], double{apart[r * others.size()]});
            potential += expected[r];
        }
        QuantizedRows::Gains gained{};
        std::int64_t left = 0;
        for (std::size_t chunk = 0; chunk < whole.chunks(); ++chunk) {
            float *its_nearest = nearest.data() + chunk * QuantizedRows::chunk;
            const auto some = whole.compare(chunk, packed, its_nearest, found.data());
            for (std::size_t c = 0; c < some.size(); ++c) gained[c] += some[c];
            left += QuantizedRows::lower(found.data(), 0, its_nearest);
        }
        for (std::size_t c = 0; c < others.size(); ++c)
            CHECK(static_cast<double>(gained[c]) == gains[c]);
        CHECK(static_cast<double>(left) == potential);
    }
}
