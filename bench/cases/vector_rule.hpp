#pragma once

#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// The rule (assign/rule.hpp) for many rows: its operations, in its order, each word in a lane of
/// its own.
class VectorRule {
  public:
    explicit VectorRule(const Vocabulary &vocabulary);

    /// On the calling thread, whatever floating-point state that is in.
    ///
    /// @param rows   one after another, of as many floats each as centroids have
    /// @param words  takes each row's word: as many as there are rows
    void find(std::span<const float> rows, std::span<std::int32_t> words) const;

  private:
    void find_guarded(std::span<const float> rows, std::span<std::int32_t> words) const;

    std::size_t k_;
    std::size_t dimensions_;
    std::vector<float> centroids_; ///< [block of words][dimension][word]
};

} // namespace bowhist
