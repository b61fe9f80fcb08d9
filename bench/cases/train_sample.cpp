#include "bench/cases/train_sample.hpp"

#include <bowhist/train/seeding.hpp>
#include <bowhist/train/word_distances.hpp>
#include <bowhist/train/word_search.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace bowhist {
namespace {

std::shared_ptr<AssignProblem> make_problem(const Scene &scene) {
    const BenchRequest &request = scene.request;
    Descriptors descriptors = train_descriptors(scene);
    Quiet quiet(scene.observer);
    Vocabulary start = request.vocabulary.size() > 0
                           ? request.vocabulary
                           : start_centroids(RowsInMemory(descriptors), scene.k, Start::sampled,
                                             request.synthetic.seed, quiet);
    return std::make_shared<AssignProblem>(std::move(descriptors), std::move(start),
                                           scene.observer);
}

} // namespace

Descriptors train_descriptors(const Scene &scene) {
    const BenchRequest &request = scene.request;
    return request.data.size() > 0
               ? repeated(request.data, scene.most_rows())
               : synthetic_descriptors(request.synthetic, scene.most_rows(), request.dimensions);
}

std::vector<std::uint32_t> TrainSample::bits(std::span<const std::int32_t> its_words,
                                             std::span<const float> its_centroids,
                                             const Iteration &its) const {
    std::vector<std::uint32_t> all(its_words.begin(), its_words.end());
    for (const float value : its_centroids) all.push_back(std::bit_cast<std::uint32_t>(value));
    const bool near = std::abs(its.inertia - found.inertia) <= 1e-8 * squares;
    for (const std::uint64_t number : {its.moved, its.empty, std::uint64_t{near}})
        all.push_back(static_cast<std::uint32_t>(number));
    return all;
}

/// Whole multiples of one power of two are added up, in any order, and divided in float64.
std::shared_ptr<const TrainSample> make_train_sample(const Scene &scene) {
    const auto problem = make_problem(scene);
    const Descriptors &rows = problem->descriptors();
    const std::size_t d = rows.dimensions;
    const auto by_rule = problem->words(rows.size());
    TrainSample sample{problem, {by_rule.begin(), by_rule.end()}, problem->vocabulary().values, {}};
    const double scale = CentroidSums(RowsInMemory(rows), problem->k()).scale();
    std::vector<std::int64_t> sums(problem->k() * d);
    std::vector<std::uint32_t> counts(problem->k());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto word = static_cast<std::size_t>(sample.words[row]);
        ++counts[word];
        for (std::size_t i = 0; i < d; ++i) {
            sums[word * d + i] += std::llrint(double{rows.row(row)[i]} * scale);
            sample.squares += double{rows.row(row)[i]} * double{rows.row(row)[i]};
        }
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (counts[i / d] > 0)
            sample.centroids[i] =
                static_cast<float>(static_cast<double>(sums[i]) / scale / counts[i / d]);
    sample.found = {inertia_of(RowsInMemory(rows), sample.words, problem->vocabulary()),
                    rows.size(), static_cast<std::uint64_t>(std::ranges::count(counts, 0U))};
    return std::make_shared<const TrainSample>(std::move(sample));
}

} // namespace bowhist
