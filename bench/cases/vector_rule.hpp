#pragma once

#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

/// The rule (assign/rule.hpp) for many rows: its operations, in its order, a lane for each word.
class VectorRule {
  public:
    explicit VectorRule(const Vocabulary &vocabulary);

    /// On the calling thread, in any floating-point state.
    ///
    /// @param rows   one after another, each as long as a centroid
    /// @param words  receives the word of each row
    void find(std::span<const float> rows, std::span<std::int32_t> words) const;

  private:
    void find_guarded(std::span<const float> rows, std::span<std::int32_t> words) const;

    std::size_t k_;
    std::size_t dimensions_;
    std::vector<float> centroids_; ///< [block of words][dimension][word]
};

} // namespace bowhist
