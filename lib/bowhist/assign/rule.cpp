// Built with -ffp-contract=off (lib/CMakeLists.txt): the rule rounds every operation on its own.
#include <bowhist/assign/rule.hpp>
#include <bowhist/core/default_floats.hpp>

#include <limits>
#include <ranges>

namespace bowhist {
namespace {

/// Out of line, so that none of it is moved past a guard.
[[gnu::noinline]] double sum_of_squares(std::span<const float> x, std::span<const float> c) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double difference = static_cast<double>(x[i]) - static_cast<double>(c[i]);
        const double square = difference * difference;
        sum = sum + square;
    }
    return sum;
}

template <typename Words>
std::int32_t nearest_among(std::span<const float> x, const Vocabulary &vocabulary,
                           const Words &words) {
    const DefaultFloats floats;
    auto winner = words.front();
    double best = std::numeric_limits<double>::infinity();
    for (const auto word : words) {
        const double distance = sum_of_squares(x, vocabulary.row(static_cast<std::size_t>(word)));
        if (distance < best) {
            best = distance;
            winner = word;
        }
    }
    return static_cast<std::int32_t>(winner);
}

} // namespace

double squared_distance(std::span<const float> x, std::span<const float> c) {
    const DefaultFloats floats;
    return sum_of_squares(x, c);
}

std::int32_t nearest(std::span<const float> x, const Vocabulary &vocabulary) {
    return nearest_among(x, vocabulary, std::views::iota(std::size_t{0}, vocabulary.size()));
}

std::int32_t nearest_of(std::span<const float> x, const Vocabulary &vocabulary,
                        std::span<const std::int32_t> words) {
    return nearest_among(x, vocabulary, words);
}

} // namespace bowhist
