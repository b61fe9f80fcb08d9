#pragma once

#include "bench/cases/train_sample.hpp"
#include "bench/rounds.hpp"

#include <bowhist/assign/level.hpp>
#include <bowhist/train/word_search.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

namespace bowhist {

inline std::uint32_t differences(const std::vector<std::int32_t> &a,
                                 const std::vector<std::int32_t> &b) {
    return std::transform_reduce(a.begin(), a.end(), b.begin(), std::uint32_t{0}, std::plus{},
                                 std::not_equal_to{});
}

inline double seconds_of(const AssignmentReport &report, const char *kernel) {
    const auto found = report.kernels.find(kernel);
    return found == report.kernels.end() ? 0 : found->second.seconds;
}

/// A training's search by one level, on a sample: what it finds, and how long it takes.
class TrainSearch {
  public:
    TrainSearch(const Scene &scene, std::shared_ptr<const TrainSample> sample, const Level &level)
        : sample_(std::move(sample)), rows_(sample_->problem->descriptors()),
          sums_(rows_, sample_->problem->k()), observer_(scene.observer),
          level_(choice_of(level, scene.device,
                           {.threads = scene.request.threads, .observer = &scene.observer})) {
        renew();
    }

    /// Whether the level's device holds the descriptors and adds them up.
    bool on_device() const { return search_->on_device(); }

    /// The level's latest iteration, or the update's share of it. Both rows of a round share one
    /// iteration: a row that has `seen` the latest starts the next.
    RoundTime time(bool update, std::size_t &seen) {
        if (seen == runs_) {
            search_->replace(sample_->problem->vocabulary());
            const AssignmentReport before = search_->report();
            iteration_ = time_on_host([&] { iterate(); });
            if (level_.device()) note_times(before, search_->report());
            ++runs_;
        }
        seen = runs_;
        return update ? update_ : iteration_;
    }

    /// The bits of an iteration of a new search, as TrainSample::bits(). Then two numbers that
    /// should be 0: the error in the next search's count of changed words, and the words that it
    /// finds differently when the host hands it the same centroids.
    std::vector<std::uint32_t> first_iteration() {
        renew();
        iterate();
        unproven_ = search_->report().unproven;
        const std::vector<std::int32_t> first = search_->words();
        auto found = sample_->bits(first, search_->vocabulary().values, found_);
        const std::uint64_t moved = search_->run(sums_).moved;
        const std::vector<std::int32_t> second = search_->words();
        search_->replace(search_->vocabulary());
        search_->run(sums_);
        found.push_back(static_cast<std::uint32_t>(moved) - differences(first, second));
        found.push_back(differences(second, search_->words()));
        return found;
    }

    /// Descriptors that the rule decided in the first iteration.
    std::uint64_t unproven() const { return unproven_; }

    /// A new search that has found the words of all descriptors.
    /// @throws Error{Fault::device} if the host would look for the farthest descriptor
    void find_words() {
        renew();
        if (!search_->finds_farthest_on_device(1))
            throw Error(Fault::device, "it has no float64, no room, or too few descriptors for it");
        search_->run(sums_);
    }

    /// The descriptor that is farthest from its word, after find_words().
    std::vector<float> farthest() { return search_->farthest(1).values; }

  private:
    void renew() {
        search_.reset(); // it may fill the device's memory
        search_ = make_word_search(rows_, level_, sample_->problem->vocabulary(), observer_, true);
    }
    void iterate() {
        found_ = search_->run(sums_);
        search_->move(sums_);
    }
    void note_times(const AssignmentReport &before, const AssignmentReport &after) {
        iteration_.seconds = after.device_seconds - before.device_seconds;
        // The packing for the next iteration may take longer than the call.
        iteration_.wall_seconds = std::max(iteration_.wall_seconds, iteration_.seconds);
        update_ = {0, iteration_.wall_seconds};
        for (const char *kernel : {"scan_rows", "order_by_word", "sum_by_word", "move_words"})
            update_.seconds += seconds_of(after, kernel) - seconds_of(before, kernel);
    }

    std::shared_ptr<const TrainSample> sample_;
    RowsInMemory rows_;
    CentroidSums sums_;
    Observer &observer_;
    LevelChoice level_;
    std::unique_ptr<WordSearch> search_;
    Iteration found_;
    std::uint64_t unproven_ = 0;
    std::size_t runs_ = 0; ///< timed ones
    RoundTime iteration_;  ///< of the latest
    RoundTime update_;
};

} // namespace bowhist
