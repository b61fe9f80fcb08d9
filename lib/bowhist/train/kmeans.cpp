#include <bowhist/assign/rule.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/train/centroid_sums.hpp>
#include <bowhist/train/fixed_point.hpp>
#include <bowhist/train/kmeans.hpp>
#include <bowhist/train/seeding.hpp>
#include <bowhist/train/word_search.hpp>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace bowhist {
namespace {

tbb::blocked_range<std::size_t> rows_of(const Descriptors &descriptors) {
    return {0, descriptors.size(), 1024};
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

/// Puts words on the descriptors farthest from their own, the farthest first, of equal ones the
/// first.
void put_on_farthest(const std::vector<std::size_t> &words, const Descriptors &descriptors,
                     const std::vector<double> &distances, Vocabulary &vocabulary) {
    std::vector<std::size_t> farthest(distances.size());
    std::iota(farthest.begin(), farthest.end(), std::size_t{0});
    std::partial_sort(farthest.begin(),
                      farthest.begin() + static_cast<std::ptrdiff_t>(words.size()), farthest.end(),
                      [&](std::size_t a, std::size_t b) {
                          return distances[a] != distances[b] ? distances[a] > distances[b] : a < b;
                      });
    for (std::size_t i = 0; i < words.size(); ++i)
        std::ranges::copy(descriptors.row(farthest[i]),
                          vocabulary.values.begin() +
                              static_cast<std::ptrdiff_t>(words[i] * vocabulary.dimensions));
}

/// One training after another of the same descriptors.
class KMeans {
  public:
    KMeans(const Descriptors &descriptors, const TrainOptions &options, const LevelChoice &level,
           Observer &observer)
        : descriptors_(descriptors), options_(options), level_(level), observer_(observer),
          sums_(descriptors, options.k) {}

    Training run(std::uint64_t seed) {
        Training training;
        training.seed = seed;
        if (options_.from != nullptr) {
            go_on(training);
        } else {
            place(start_centroids(descriptors_, options_.k, options_.start, seed, observer_,
                                  level_.device.get()));
            search_->forget();
        }
        while (!settles(training)) move(training);
        training.vocabulary = search_->vocabulary();
        training.words = search_->words();
        training.inertia =
            order_free_sum(distances_to_words(descriptors_, training.words, training.vocabulary));
        training.report = search_->report();
        return training;
    }

  private:
    void place(const Vocabulary &vocabulary) {
        if (search_)
            search_->replace(vocabulary);
        else
            search_ = make_word_search(descriptors_, level_, vocabulary, observer_);
    }

    /// As the training was between two iterations: with the words of the last one.
    void go_on(Training &training) {
        const TrainingState &state = *options_.from;
        place(state.before);
        search_->forget();
        search_->run(sums_);
        place(state.centroids);
        training.iterations = state.iterations;
        training.course = state.course;
    }

    /// Assigns all descriptors and adds them up. True when no word moves, or may move any more.
    bool settles(Training &training) {
        observer_.stop_if_interrupted();
        const Iteration found = search_->run(sums_);
        training.course.push_back(found);
        observer_.note(fmt::format("seed {}, iteration {}: inertia {:.6g}, {} descriptors moved",
                                   training.seed, training.iterations, found.inertia, found.moved));
        return found.moved == 0 || training.iterations >= options_.iterations;
    }

    /// Moves the centroids, and fetches them only where somebody looks at them.
    void move(Training &training) {
        const bool some_empty = training.course.back().empty > 0;
        const Vocabulary before =
            some_empty || options_.keep ? search_->vocabulary() : Vocabulary{};
        search_->move(sums_);
        if (some_empty) {
            Vocabulary moved = search_->vocabulary();
            put_on_farthest(sums_.empty(), descriptors_,
                            distances_to_words(descriptors_, search_->words(), before), moved);
            search_->replace(moved);
        }
        observer_.progress("iterations", static_cast<std::size_t>(++training.iterations),
                           static_cast<std::size_t>(options_.iterations));
        if (options_.keep)
            options_.keep({{},
                           training.seed,
                           std::string(name_of(options_.start)),
                           training.iterations,
                           training.course,
                           before,
                           search_->vocabulary()});
    }

    const Descriptors &descriptors_;
    const TrainOptions &options_;
    const LevelChoice &level_;
    Observer &observer_;
    CentroidSums sums_;
    std::unique_ptr<WordSearch> search_; ///< from the first run on
};

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
    KMeans kmeans(descriptors, options, level, observer);
    Training best = kmeans.run(options.seed);
    for (int restart = 1; restart < options.restarts; ++restart) {
        Training next = kmeans.run(options.seed + static_cast<std::uint64_t>(restart));
        best.report = next.report;
        if (next.inertia < best.inertia) best = std::move(next);
    }
    return best;
}

} // namespace bowhist
