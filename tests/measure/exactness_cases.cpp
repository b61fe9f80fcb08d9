#include "tests/measure/exactness_cases.hpp"
#include "tests/support/adversarial.hpp"

#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <unordered_set>

namespace bowhist::measure {
namespace {

/// A file's rows, without those that were there before, the first `most`.
Descriptors distinct_rows(const std::string &path, std::size_t most) {
    const Descriptors all = read_descriptors(path);
    Descriptors distinct{all.dimensions, {}};
    std::unordered_set<std::string_view> seen;
    for (std::size_t row = 0; row < all.size() && distinct.size() < most; ++row) {
        const auto values = all.row(row);
        const auto *bytes = reinterpret_cast<const char *>(values.data());
        if (seen.emplace(bytes, values.size_bytes()).second)
            distinct.values.insert(distinct.values.end(), values.begin(), values.end());
    }
    return distinct;
}

/// Some of a file's rows, as they are.
ExactnessCase real_case(const std::shared_ptr<const Descriptors> &data, std::size_t first,
                        std::size_t n, std::size_t k, unsigned seed) {
    return {"real", n, rows_as_vocabulary(*data, std::min(k, data->size()), seed),
            [=](std::size_t block, std::size_t count) {
                const auto from = std::span(data->values)
                                      .subspan((first + block * block_rows) * data->dimensions,
                                               count * data->dimensions);
                return Descriptors{data->dimensions, {from.begin(), from.end()}};
            }};
}

/// Shapes at the ends of what is used, beside testing::kinds(): few rows where they are large.
std::vector<testing::Kind> extreme_kinds() {
    using namespace testing;
    const DrawRow close = one_of({around(1e-6F), mingled(), anywhere()});
    return {{"random", 1, 2, 1, anywhere(), anywhere()},
            {"nearly tied", 1, 1000, 1, anywhere(), between(true)},
            {"one ulp apart", 2, 65536, 0.2, anywhere(), close, Twins::one_ulp},
            {"random", 300, 65, 1, anywhere(), anywhere()},
            {"nearly tied", 300, 256, 1, anywhere(), between(true)},
            {"duplicates", 300, 1000, 0.5, anywhere(), close, Twins::equal},
            {"one ulp apart", 300, 4096, 0.2, anywhere(), close, Twins::one_ulp},
            {"clustered", 64, 4096, 0.5, anywhere(), around(0.3F)},
            {"nearly tied", 64, 70000, 0.1, anywhere(), between(true)},
            {"one ulp apart", 64, 70000, 0.1, anywhere(), close, Twins::one_ulp}};
}

ExactnessCase drawn_case(const testing::Kind &kind, std::size_t n, unsigned seed) {
    const Vocabulary words = testing::draw_words(kind, seed);
    return {kind.name, n, words, [=](std::size_t block, std::size_t count) {
                return testing::draw_rows(kind, words, count, seed, static_cast<unsigned>(block));
            }};
}

} // namespace

std::vector<ExactnessCase> exactness_cases(std::size_t n, const std::vector<std::string> &files,
                                           unsigned seed) {
    std::vector<ExactnessCase> cases;
    std::size_t left = n;
    for (const std::string &file : files) {
        const auto data =
            std::make_shared<const Descriptors>(distinct_rows(file, n / 2 / files.size()));
        const std::size_t half = data->size() / 2;
        cases.push_back(real_case(data, 0, half, 256, seed));
        cases.push_back(real_case(data, half, data->size() - half, 1000, seed));
        left -= data->size();
    }
    std::vector<testing::Kind> kinds = testing::kinds();
    std::ranges::move(extreme_kinds(), std::back_inserter(kinds));
    double weights = 0;
    for (const testing::Kind &kind : kinds) weights += kind.weight;
    for (const testing::Kind &kind : kinds) {
        const auto rows =
            static_cast<std::size_t>(std::round(static_cast<double>(left) * kind.weight / weights));
        cases.push_back(drawn_case(kind, rows, seed++));
        left -= rows;
        weights -= kind.weight;
    }
    return cases;
}

} // namespace bowhist::measure
