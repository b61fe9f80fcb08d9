#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/preparation.hpp>

#include <cstddef>
#include <vector>

namespace bowhist {

/// Prepares rows, four at a time, so that sums of several do not wait for each other; each row's
/// own operations have one order. One thread, with default floats.
class RowMaker {
  public:
    /// @param preparation  outlives it
    explicit RowMaker(const Preparation &preparation);

    /// @param placed    rows, each with the numbers to append
    /// @param mirrored  as of the mirrored image
    /// @param out       as many rows of prepared_dimensions()
    void make(const Descriptors &placed, bool mirrored, float *out);

  private:
    void make_some(const Descriptors &placed, std::size_t first, std::size_t count, bool mirrored,
                   float *out);
    void append(std::span<const float> places, bool mirrored, float *out) const;

    const Preparation &preparation_;
    std::size_t appended_;
    std::size_t components_;
    std::vector<float> units_;     ///< of the numbers to append
    std::size_t x_ = 0;            ///< which of them changes its sign; behind all without position
    std::vector<float> rows_;      ///< four
    std::vector<float> projected_; ///< four
};

} // namespace bowhist
