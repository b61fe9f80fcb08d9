#include "tests/peers/problem.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/tables/descriptor_file.hpp>
#include <bowhist/tables/vocabulary_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace bowhist::peers {

Descriptors draw_descriptors(std::size_t n, std::size_t dimensions) {
    constexpr std::size_t centres = 1000;
    std::mt19937 engine(1);
    std::normal_distribution<float> normal;
    std::vector<float> centre(centres * dimensions);
    std::ranges::generate(centre, [&] { return normal(engine); });
    Descriptors rows{dimensions, {}};
    rows.values.reserve(n * dimensions);
    for (std::size_t row = 0; row < n; ++row) {
        const float *around = centre.data() + engine() % centres * dimensions;
        for (std::size_t i = 0; i < dimensions; ++i)
            rows.values.push_back(around[i] + 0.5F * normal(engine));
    }
    return rows;
}

Descriptors read_repeated(const std::string &path, std::size_t n) {
    Descriptors rows = read_descriptors(path);
    if (rows.size() == 0) throw Error(Fault::input, path + ": there are no rows in it");
    const std::size_t given = rows.values.size();
    rows.values.resize(n * rows.dimensions);
    for (std::size_t i = given; i < rows.values.size(); ++i)
        rows.values[i] = rows.values[i - given];
    return rows;
}

Vocabulary draw_vocabulary(const Descriptors &rows, std::size_t k) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, std::mt19937(2));
    Vocabulary vocabulary{rows.dimensions, {}};
    for (std::size_t j = 0; j < std::min(k, order.size()); ++j) {
        const auto row = rows.row(order[j]);
        vocabulary.values.insert(vocabulary.values.end(), row.begin(), row.end());
    }
    return vocabulary;
}

Vocabulary read_fitting(const std::string &path, const Descriptors &rows) {
    Vocabulary vocabulary = read_vocabulary(path);
    if (vocabulary.dimensions != rows.dimensions)
        throw Error(Fault::vocabulary, fmt::format("{} has {} dimensions, the descriptors have {}",
                                                   path, vocabulary.dimensions, rows.dimensions));
    return vocabulary;
}

} // namespace bowhist::peers
