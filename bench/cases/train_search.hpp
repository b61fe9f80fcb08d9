#pragma once

#include "bench/cases/train_sample.hpp"
#include "bench/rounds.hpp"

#include <bowhist/assign/level.hpp>
#include <bowhist/train/word_search.hpp>

#include <memory>

namespace bowhist {

/// A training's search by one level, on a sample: what it finds, and how long it takes.
class TrainSearch {
  public:
    TrainSearch(const Scene &scene, std::shared_ptr<const TrainSample> sample, const Level &level);

    /// Whether the level's device holds the descriptors and adds them up.
    bool on_device() const { return search_->on_device(); }

    /// The level's latest iteration, or the update's share of it. Both rows of a round share one
    /// iteration: a row that has `seen` the latest starts the next.
    RoundTime time(bool update, std::size_t &seen);

    /// The bits of an iteration of a new search, as TrainSample::bits(). Then two numbers that
    /// should be 0: the error in the next search's count of changed words, and the words that it
    /// finds differently when the host hands it the same centroids.
    std::vector<std::uint32_t> first_iteration();

    /// Descriptors that the rule decided in the first iteration.
    std::uint64_t unproven() const { return unproven_; }

    /// A new search that has found the words of all descriptors.
    /// @throws Error{Fault::device} if the host would look for the farthest descriptor
    void find_words();

    /// The descriptor that is farthest from its word, after find_words().
    std::vector<float> farthest() { return search_->farthest(1).values; }

  private:
    void renew();
    void iterate();
    void note_times(const AssignmentReport &before, const AssignmentReport &after);

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
