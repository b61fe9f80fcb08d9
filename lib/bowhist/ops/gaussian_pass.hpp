#pragma once

#include <bowhist/ops/gaussian.hpp>
#include <bowhist/ops/gaussian_filter.hpp>
#include <bowhist/ops/ops_launch.hpp>

namespace bowhist {

/// One launch, or three, of the recursive Gaussian, along one direction: what gaussian_blur is
/// made of. `in` and `out` are never one buffer. One thread at a time.
struct GaussianPass {
    Device &device; ///< the caller's, as the scratch: both outlive the object
    GaussianFilter filter;
    unsigned width;           ///< columns (or pixels of a row) that a work-item reads at once
    std::size_t segment_rows; ///< as in GaussianOptions
    GaussianScratch &scratch;

    void rows(const DeviceImages<float> &in, const DeviceImages<float> &out) const;
    void columns(const DeviceImages<float> &in, const DeviceImages<float> &out) const;
    /// Columns, too; `out` is transposed: its width is in's height.
    void columns_transposed(const DeviceImages<float> &in, const DeviceImages<float> &out) const;
};

} // namespace bowhist
