#pragma once

#include <bowhist/device/device.hpp>
#include <bowhist/ops/gaussian_filter.hpp>
#include <bowhist/ops/image_batch.hpp>
#include <bowhist/ops/ops_launch.hpp>

namespace bowhist {

/// One launch, or three, of the recursive Gaussian, along one direction: what gaussian_blur is
/// made of. `in` and `out` are never one buffer. One thread at a time.
class GaussianPass {
  public:
    /// `width`: columns (or pixels of a row) that a work-item reads at once; `segment_rows`: as in
    /// GaussianOptions; `kept` and `states` grow on demand. The device and both buffers are the
    /// caller's, and must outlive the object.
    GaussianPass(Device &device, const GaussianFilter &filter, unsigned width,
                 std::size_t segment_rows, Buffer<float> &kept, Buffer<float> &states);

    void rows(const DeviceImages<float> &in, const DeviceImages<float> &out);
    void columns(const DeviceImages<float> &in, const DeviceImages<float> &out);
    /// Columns, too; `out` is transposed: its width is in's height.
    void columns_transposed(const DeviceImages<float> &in, const DeviceImages<float> &out);

  private:
    GaussianCut cut(const DeviceImages<float> &in, const DeviceImages<float> &out) const;
    void start_segments(const DeviceImages<float> &in, const GaussianCut &shape, unsigned width);
    void columns_transposed_by_groups(const DeviceImages<float> &in,
                                      const DeviceImages<float> &out);
    void columns_transposed_by_vectors(const DeviceImages<float> &in,
                                       const DeviceImages<float> &out);

    Device &device_;
    GaussianFilter filter_;
    unsigned width_;
    std::size_t segment_rows_;
    Buffer<float> &kept_;
    Buffer<float> &states_;
};

} // namespace bowhist
