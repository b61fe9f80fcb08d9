#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/leave.hpp>
#include <bowhist/sums/centroid_sums.hpp>
#include <bowhist/train/kmeans.hpp>
#include <bowhist/train/seeding.hpp>
#include <bowhist/train/word_distances.hpp>
#include <bowhist/train/word_search.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace bowhist {
namespace {

void put(const Descriptors &centroids, const std::vector<std::size_t> &words,
         Vocabulary &vocabulary) {
    for (std::size_t i = 0; i < words.size(); ++i)
        std::ranges::copy(centroids.row(i),
                          vocabulary.values.begin() +
                              static_cast<std::ptrdiff_t>(words[i] * vocabulary.dimensions));
}

/// How many distinct words there are.
std::size_t distinct_words(const Vocabulary &vocabulary) {
    std::vector<std::span<const float>> words;
    for (std::size_t i = 0; i < vocabulary.size(); ++i) words.push_back(vocabulary.row(i));
    std::ranges::sort(words, [](const auto &a, const auto &b) {
        return std::ranges::lexicographical_compare(a, b);
    });
    const auto copies = std::ranges::unique(
        words, [](const auto &a, const auto &b) { return std::ranges::equal(a, b); });
    return words.size() - copies.size();
}

void warn_of_equal_words(const Training &training, Observer &observer) {
    const std::size_t words = training.vocabulary.size();
    const std::size_t distinct = distinct_words(training.vocabulary);
    if (distinct == words) return;
    const std::string differing = distinct == 1
                                      ? fmt::format("all {} words are equal", words)
                                      : fmt::format("of {} words only {} differ", words, distinct);
    // with an inertia of 0 each descriptor equals its word
    observer.warning(fmt::format(
        "{}: the descriptors hold {}; give a smaller -k", differing,
        training.inertia == 0 ? counted(distinct, "distinct row")
                              : "few distinct rows, or words may still move, see --iterations"));
}

/// Trainings of the same descriptors, one after another.
class KMeans {
  public:
    KMeans(const DescriptorRows &rows, const TrainOptions &options, const LevelChoice &level,
           Observer &observer)
        : rows_(rows), options_(options), level_(level), observer_(observer), team_(*options.team),
          sums_(rows, options.k, team_) {}

    Training run(std::uint64_t seed) {
        Training training;
        training.seed = seed;
        if (options_.from != nullptr) {
            resume(training);
        } else {
            place(start(seed));
            search_->forget();
        }
        while (!settles(training)) move(training);
        training.vocabulary = search_->vocabulary();
        training.words = std::exchange(search_->words(), {});
        training.inertia = inertia_of(rows_, training.words, training.vocabulary, team_);
        training.report = search_->report();
        return training;
    }

  private:
    /// Members choose it together among a sample of all rows; else rank 0 alone.
    Vocabulary start(std::uint64_t seed) {
        if (team_.size() == 1) return chosen_start(seed);
        if (can_share_start(options_.start, options_.k)) {
            const Descriptors sample{
                rows_.dimensions(), of_rank_0([&] {
                    return by_device() ? std::vector<float>{}
                                       : start_sample(all_rows(), options_.k, seed).values;
                })};
            if (sample.size() > 0) return shared_start(sample, options_.k, seed, observer_, team_);
        }
        return {rows_.dimensions(), of_rank_0([&] { return chosen_start(seed).values; })};
    }

    const DescriptorRows &all_rows() const {
        return options_.all != nullptr ? *options_.all : rows_;
    }

    /// Whether a device may choose the start, which takes it less time.
    bool by_device() const {
        const std::shared_ptr<Device> device = level_.device();
        return device != nullptr && device->overlaps();
    }

    /// Values that rank 0 makes and all get.
    template <typename Make>
    std::vector<float> of_rank_0(const Make &make) {
        std::string bytes;
        if (team_.rank() == 0) {
            const std::vector<float> values = make();
            bytes.assign(reinterpret_cast<const char *>(values.data()),
                         values.size() * sizeof(float));
        }
        team_.broadcast(bytes);
        std::vector<float> values(bytes.size() / sizeof(float));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }

    /// Chooses the start on the first of several devices that works.
    Vocabulary chosen_start(std::uint64_t seed) {
        while (true) {
            const std::shared_ptr<Device> device = level_.device();
            try {
                return start_centroids(all_rows(), options_.k, options_.start, seed, observer_,
                                       device.get());
            } catch (const Error &error) {
                if (error.fault != Fault::device || level_.each().size() == 1) throw;
                leave(*device, error, observer_);
            }
        }
    }

    void place(const Vocabulary &vocabulary) {
        if (search_)
            search_->replace(vocabulary);
        else
            search_ = make_word_search(rows_, level_, vocabulary, observer_);
    }

    /// Restores the state between two iterations, with the words of the last one.
    void resume(Training &training) {
        const TrainingState &state = *options_.from;
        place(state.before);
        search_->forget();
        search_->run(sums_);
        place(state.centroids);
        training.iterations = state.iterations;
        training.course = state.course;
    }

    /// Assigns all descriptors and adds them up. @return whether this was the last iteration
    bool settles(Training &training) {
        observer_.stop_if_interrupted();
        latest_ = search_->run(sums_);
        team_.sum({&latest_.moved, 1});
        // A checkpoint keeps the first ones only
        if (training.course.size() == static_cast<std::size_t>(training.iterations))
            training.course.push_back(latest_);
        observer_.note(fmt::format("seed {}, iteration {}: inertia {:.6g}, {} {} moved",
                                   training.seed, training.iterations, latest_.inertia,
                                   latest_.moved, options_.rows));
        return latest_.moved == 0 || training.iterations >= options_.iterations;
    }

    /// Moves the centroids. Fetches them from the device only where they are read.
    void move(Training &training) {
        const bool some_empty = latest_.empty > 0;
        const auto empty = some_empty ? sums_.empty() : std::vector<std::size_t>{};
        const Descriptors farthest =
            some_empty ? farthest_of(team_, search_->far_rows(empty.size()), empty.size()).rows
                       : Descriptors{};
        const Vocabulary before = options_.keep ? search_->vocabulary() : Vocabulary{};
        search_->move(sums_);
        if (some_empty || options_.adjust) {
            Vocabulary moved = search_->vocabulary();
            put(farthest, empty, moved);
            if (options_.adjust) options_.adjust(moved);
            search_->replace(moved);
        }
        observer_.progress("iterations", static_cast<std::size_t>(++training.iterations),
                           static_cast<std::size_t>(options_.iterations));
        if (options_.keep)
            options_.keep({.descriptors = {},
                           .seed = training.seed,
                           .start = std::string(name_of(options_.start)),
                           .iterations = training.iterations,
                           .course = training.course,
                           .before = before,
                           .centroids = search_->vocabulary()});
    }

    const DescriptorRows &rows_;
    const TrainOptions &options_;
    const LevelChoice &level_;
    Observer &observer_;
    Team &team_;
    CentroidSums sums_;
    std::unique_ptr<WordSearch> search_; ///< from the first run on
    Iteration latest_;
};

} // namespace

Training train(const DescriptorRows &rows, const TrainOptions &options, const LevelChoice &level,
               Observer &observer) {
    std::uint64_t all = rows.size();
    options.team->sum({&all, 1});
    if (all == 0)
        throw Error(Fault::input,
                    "0 descriptors: none of the inputs gave any; give others, or more of them");
    if (options.k == 0 || all < options.k)
        throw Error(Fault::input,
                    fmt::format("{} cannot make {} words; give more of them or a smaller -k",
                                counted(all, "descriptor"), options.k));
    if (options.team->size() > 1 && level.each().size() > 1)
        throw Error(Fault::usage, "ranks train on a device each; leave --device out, or name one "
                                  "device");
    const DefaultFloats floats;
    KMeans kmeans(rows, options, level, observer);
    Training best = kmeans.run(options.seed);
    for (int restart = 1; restart < options.restarts; ++restart) {
        Training next = kmeans.run(options.seed + static_cast<std::uint64_t>(restart));
        best.report = next.report;
        if (next.inertia < best.inertia) best = std::move(next);
    }
    warn_of_equal_words(best, observer);
    return best;
}

Training train(const Descriptors &descriptors, const TrainOptions &options,
               const LevelChoice &level, Observer &observer) {
    return train(RowsInMemory(descriptors), options, level, observer);
}

} // namespace bowhist
