// Built with -ffp-contract=off and no other maths option (lib/CMakeLists.txt): the rule rounds
// every operation on its own.
#include <bowhist/assign/rule.hpp>
#include <bowhist/core/default_floats.hpp>

#include <limits>

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

} // namespace

double squared_distance(std::span<const float> x, std::span<const float> c) {
    const DefaultFloats floats;
    return sum_of_squares(x, c);
}

std::int32_t nearest(std::span<const float> x, const Vocabulary &vocabulary) {
    const DefaultFloats floats;
    std::size_t word = 0;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < vocabulary.size(); ++j) {
        const double distance = sum_of_squares(x, vocabulary.row(j));
        if (distance < best) {
            best = distance;
            word = j;
        }
    }
    return static_cast<std::int32_t>(word);
}

std::int32_t nearest_of(std::span<const float> x, const Vocabulary &vocabulary,
                        std::span<const std::int32_t> words) {
    const DefaultFloats floats;
    std::int32_t word = words.front();
    double best = std::numeric_limits<double>::infinity();
    for (const std::int32_t j : words) {
        const double distance = sum_of_squares(x, vocabulary.row(static_cast<std::size_t>(j)));
        if (distance < best) {
            best = distance;
            word = j;
        }
    }
    return word;
}

} // namespace bowhist
