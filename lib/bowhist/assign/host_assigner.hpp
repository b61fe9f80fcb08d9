#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/assign/packed_centroids.hpp>

namespace bowhist {

enum class HostSearch {
    serial, ///< the rule for every row, one thread
    openmp  ///< float32 screen, the rule for what it cannot prove, all cores
};

/// The levels that need no device. Any D, any k.
class HostAssigner : public Assigner {
  public:
    HostAssigner(HostSearch search, Vocabulary vocabulary, const AssignOptions &options);
    Assignment run(const Batch &batch) override;

  private:
    void search(std::span<const float> values, std::span<std::int32_t> words);
    void search_serial(std::span<const float> values, std::span<std::int32_t> words) const;
    std::uint64_t search_openmp(std::span<const float> values, std::span<std::int32_t> words) const;

    HostSearch search_;
    Vocabulary vocabulary_;
    const Observer *observer_;
    int threads_;
    Bound bound_;
    PackedCentroids packed_; ///< for the screen; empty for serial
};

} // namespace bowhist
