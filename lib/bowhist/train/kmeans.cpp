#include <bowhist/assign/rule.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/train/fixed_point.hpp>
#include <bowhist/train/kmeans.hpp>
#include <bowhist/train/seeding.hpp>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bowhist {
namespace {

tbb::blocked_range<std::size_t> rows_of(const Descriptors &descriptors) {
    return {0, descriptors.size(), 1024};
}

float largest_magnitude(const Descriptors &descriptors) {
    float largest = 0;
    for (const float value : descriptors.values) largest = std::max(largest, std::abs(value));
    return largest;
}

/// Each row's squared distance to its own centroid, by the rule.
std::vector<double> distances_to_words(const Descriptors &descriptors,
                                       const std::vector<std::int32_t> &words,
                                       const Vocabulary &vocabulary) {
    std::vector<double> distances(words.size());
    tbb::parallel_for(rows_of(descriptors), [&](const auto &range) {
        for (std::size_t row = range.begin(); row < range.end(); ++row)
            distances[row] = squared_distance(descriptors.row(row),
                                              vocabulary.row(static_cast<std::size_t>(words[row])));
    });
    return distances;
}

double order_free_sum(const std::vector<double> &numbers) {
    const FixedPoint fixed(*std::ranges::max_element(numbers), numbers.size());
    std::int64_t sum = 0;
    for (const double number : numbers) sum += fixed.from(number);
    return fixed.to(sum);
}

/// The sums of each word's descriptors, [word][dimension], in fixed point.
std::vector<std::int64_t> sums_by_word(const Descriptors &descriptors,
                                       const std::vector<std::int32_t> &words, std::size_t k,
                                       const FixedPoint &fixed) {
    const std::size_t dimensions = descriptors.dimensions;
    tbb::enumerable_thread_specific<std::vector<std::int64_t>> partial(k * dimensions, 0);
    tbb::parallel_for(rows_of(descriptors), [&](const auto &range) {
        const DefaultFloats floats; // of this thread
        std::vector<std::int64_t> &sums = partial.local();
        for (std::size_t row = range.begin(); row < range.end(); ++row) {
            const auto values = descriptors.row(row);
            std::int64_t *sum = &sums[static_cast<std::size_t>(words[row]) * dimensions];
            for (std::size_t i = 0; i < dimensions; ++i) sum[i] += fixed.from(values[i]);
        }
    });
    std::vector<std::int64_t> sums(k * dimensions, 0);
    for (const std::vector<std::int64_t> &part : partial)
        std::ranges::transform(sums, part, sums.begin(), std::plus{});
    return sums;
}

/// Puts each empty word on one of the descriptors farthest from their own, the farthest first.
void refill_empty_words(const std::vector<std::uint32_t> &counts, const Descriptors &descriptors,
                        const std::vector<double> &distances, Vocabulary &vocabulary) {
    std::vector<std::size_t> empty;
    for (std::size_t word = 0; word < counts.size(); ++word)
        if (counts[word] == 0) empty.push_back(word);
    if (empty.empty()) return;
    std::vector<std::size_t> farthest(distances.size());
    std::iota(farthest.begin(), farthest.end(), std::size_t{0});
    std::partial_sort(farthest.begin(),
                      farthest.begin() + static_cast<std::ptrdiff_t>(empty.size()), farthest.end(),
                      [&](std::size_t a, std::size_t b) {
                          return distances[a] != distances[b] ? distances[a] > distances[b] : a < b;
                      });
    for (std::size_t e = 0; e < empty.size(); ++e)
        std::ranges::copy(descriptors.row(farthest[e]),
                          vocabulary.values.begin() +
                              static_cast<std::ptrdiff_t>(empty[e] * vocabulary.dimensions));
}

void move_centroids(const Descriptors &descriptors, const Assignment &assignment,
                    const std::vector<double> &distances, const FixedPoint &fixed,
                    Vocabulary &vocabulary) {
    const std::size_t k = vocabulary.size();
    const auto sums = sums_by_word(descriptors, assignment.words, k, fixed);
    for (std::size_t word = 0; word < k; ++word) {
        const std::uint32_t count = assignment.histograms[word];
        for (std::size_t i = 0; count > 0 && i < vocabulary.dimensions; ++i) {
            const std::size_t at = word * vocabulary.dimensions + i;
            vocabulary.values[at] = static_cast<float>(fixed.to(sums[at]) / count);
        }
    }
    refill_empty_words(assignment.histograms, descriptors, distances, vocabulary);
}

} // namespace

Training train(const Descriptors &descriptors, const TrainOptions &options,
               const LevelChoice &level, Observer &observer) {
    if (descriptors.size() == 0)
        throw Error(Fault::input,
                    "0 descriptors: none of the inputs gave any; give others, or more of them");
    if (options.k == 0 || descriptors.size() < options.k)
        throw Error(Fault::input,
                    fmt::format("{} descriptors cannot make {} words; give more of them "
                                "or a smaller -k",
                                descriptors.size(), options.k));
    const DefaultFloats floats;
    const FixedPoint fixed(largest_magnitude(descriptors), descriptors.size());
    Training training;
    training.vocabulary = seed_centroids(descriptors, options.k, options.seed, observer);
    const auto assigner = level.prepare(training.vocabulary);
    while (true) {
        observer.stop_if_interrupted();
        Assignment assignment = assigner->run({descriptors.values, {}, 1, true});
        const auto distances =
            distances_to_words(descriptors, assignment.words, training.vocabulary);
        training.inertia = order_free_sum(distances);
        observer.note(
            fmt::format("iteration {}: inertia {:.6g}", training.iterations, training.inertia));
        const bool settled = assignment.words == training.words;
        if (settled || training.iterations == options.iterations) {
            training.words = std::move(assignment.words);
            training.report = assigner->report();
            return training;
        }
        move_centroids(descriptors, assignment, distances, fixed, training.vocabulary);
        assigner->replace(training.vocabulary);
        training.words = std::move(assignment.words);
        observer.progress("iterations", static_cast<std::size_t>(++training.iterations),
                          static_cast<std::size_t>(options.iterations));
    }
}

} // namespace bowhist
