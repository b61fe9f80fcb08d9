#pragma once

#include <bowhist/device/device_descriptors.hpp>
#include <bowhist/device/kernel_source.hpp>
#include <bowhist/device/launch_image.hpp>
#include <bowhist/encode/tally.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace bowhist {

/// Adds up images' rows on a device, in whole numbers: tallies are the same in any order.
/// One thread at a time.
class DeviceTally {
  public:
    /// @throws Error{Fault::device}
    DeviceTally(std::shared_ptr<Device> device, TallyShape shape);

    const TallyShape &shape() const { return shape_; }

    /// Makes room for that many images' tallies, and queues that they become zeros.
    void clear(Buffer<cl_uint> &tallies, std::size_t images);

    /// Queued; waits for nothing.
    /// @param x      descriptors; with keypoints where a grid has several cells
    /// @param rows   prepared from them, rows_each of each, as DevicePreparation lays them out
    /// @param words  of each row shape().nearest, the nearest first
    /// @param images of x.bag; stay in place until the next call
    void add(const DeviceDescriptors &x, const DeviceDescriptors &rows, const Buffer<cl_int> &words,
             const std::vector<LaunchImage> &images, const Buffer<cl_uint> &tallies);

  private:
    void add(const DeviceDescriptors &rows, const Buffer<cl_int> &words,
             const Buffer<cl_uint> &bags, const Buffer<cl_uint> &tallies);

    std::shared_ptr<Device> device_;
    TallyShape shape_;
    Kernel add_;                  ///< add_rows, or count_rows
    std::optional<Kernel> place_; ///< these four: of several cells
    Buffer<cl_uint> bags_;
    Buffer<LaunchImage> images_;
    Bundle bundle_;
};

} // namespace bowhist
