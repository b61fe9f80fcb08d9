// The start that the host chooses, by its definition in train/seeding.hpp.
#include <bowhist/train/sample.hpp>
#include <bowhist/train/seeding.hpp>

#include <catch2/catch.hpp>

#include <numeric>

using namespace bowhist;

namespace {

/// Whole numbers, the longest row between 1024 and 2047 long: distances keep them as they are.
Descriptors whole_descriptors(std::size_t n, int most, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    Descriptors rows{100, std::vector<float>(n * 100)};
    for (float &value : rows.values)
        value = static_cast<float>(draw_below(engine, static_cast<std::uint64_t>(most)));
    std::fill_n(rows.values.begin(), 100, 150.0F);
    return rows;
}

/// Each row's squared distance to the nearest of those before and another.
std::vector<std::int64_t> lowered(std::vector<std::int64_t> nearest, const Descriptors &rows,
                                  std::size_t other) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        double sum = 0;
        for (std::size_t i = 0; i < rows.dimensions; ++i) {
            const double difference = rows.row(row)[i] - rows.row(other)[i];
            sum += difference * difference;
        }
        nearest[row] = std::min(nearest[row], static_cast<std::int64_t>(sum));
    }
    return nearest;
}

/// Rows drawn with a probability in proportion to their distance; any row if all are 0.
std::vector<std::size_t> drawn_rows(const std::vector<std::int64_t> &nearest, std::size_t draws,
                                    std::mt19937_64 &engine) {
    std::vector<std::int64_t> up_to(nearest.size());
    std::partial_sum(nearest.begin(), nearest.end(), up_to.begin());
    if (up_to.back() == 0) return {draw_below(engine, nearest.size())};
    std::vector<std::size_t> rows(draws);
    for (std::size_t &row : rows) {
        const auto target =
            static_cast<std::int64_t>(draw_below(engine, static_cast<std::uint64_t>(up_to.back())));
        row = static_cast<std::size_t>(std::ranges::upper_bound(up_to, target) - up_to.begin());
    }
    return rows;
}

std::vector<float> by_definition(const Descriptors &rows, std::size_t k, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<std::int64_t> nearest(rows.size(), std::int64_t{1} << 24); // above all
    std::vector<std::size_t> drawn{draw_below(engine, rows.size())};
    std::vector<float> centroids;
    for (std::size_t word = 0; word < k; ++word) {
        std::vector<std::vector<std::int64_t>> ways;
        for (const std::size_t row : drawn) ways.push_back(lowered(nearest, rows, row));
        const auto best = std::ranges::min_element(
            ways, {}, [](const auto &way) { return std::reduce(way.begin(), way.end()); });
        const auto chosen = rows.row(drawn[static_cast<std::size_t>(best - ways.begin())]);
        centroids.insert(centroids.end(), chosen.begin(), chosen.end());
        nearest = *best;
        drawn = drawn_rows(nearest, draws_for(k), engine);
    }
    return centroids;
}

} // namespace

TEST_CASE("train: the greedy start is that of its definition") {
    Observer silent;
    for (const std::size_t n : {2, 40, 3000})
        for (const std::size_t k : {1, 2, 30})
            for (const int most : {2, 180}) { // of few values some rows are equal
                if (k > n) continue;
                const Descriptors rows = whole_descriptors(n, most, n + k);
                INFO(n << " rows, " << k << " words, values below " << most);
                CHECK(start_centroids(RowsInMemory(rows), k, Start::greedy, k, silent).values ==
                      by_definition(rows, k, k));
            }
    const Descriptors alike{100, std::vector<float>(500, 150.0F)};
    CHECK(start_centroids(RowsInMemory(alike), 4, Start::greedy, 1, silent).values ==
          by_definition(alike, 4, 1));
}
