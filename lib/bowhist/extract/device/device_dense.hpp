#pragma once

#include <bowhist/core/image.hpp>
#include <bowhist/core/recipe.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/extract/dense/dense_grid.hpp>
#include <bowhist/ops/matrix.hpp>

#include <memory>
#include <vector>

namespace bowhist {

/// Pictures of any sizes on a device, end to end: pixels of 8 bits, rows without padding.
struct DevicePictures {
    Buffer<cl_uchar> pixels;
    std::vector<DensePicture> pictures; ///< where each lies
};

/// Dense descriptors (docs/descriptors.md) made on a device, the same bit for bit as the host's.
/// Not thread-safe.
class DeviceDense {
  public:
    /// @param recipe  completed(), with a max_descriptors of 0
    /// @throws Error{Fault::usage} as make_dense_extractor; Error{Fault::device}
    DeviceDense(std::shared_ptr<Device> device, const Recipe &recipe);

    /// Descriptors of all pictures, in their order, as the host's extractor orders those of one.
    /// Queued: it waits only until the device knows where the pictures lie. How many descriptors
    /// there are, only the device knows. They last until the next call.
    const DeviceDescriptors &extract(const DevicePictures &pictures);

  private:
    struct SizeKernel { ///< of one size of patches
        PatchShape shape;
        std::size_t tile_patches; ///< that a pooling group serves at most
        Kernel pool;
        Buffer<cl_float> cells;
    };
    struct Size;
    struct Plan;

    Plan plan(const std::vector<DensePicture> &pictures);
    void smooth(const Plan &plan, const Buffer<cl_uchar> *pixels);
    void pool(SizeKernel &size, const Size &part);
    template <typename T>
    void reserve(Buffer<T> &buffer, std::size_t size);

    std::shared_ptr<Device> device_;
    Recipe recipe_;
    Kernel smooth_pixels_;
    Kernel smooth_;
    Kernel weigh_;
    Kernel describe_;
    std::vector<SizeKernel> sizes_;
    Buffer<cl_short> grey_;     ///< the pictures as they are smoothed so far
    Buffer<cl_short> smoother_; ///< and after one round more
    Buffer<cl_float> squares_;  ///< of each patch
    Buffer<cl_uint> kept_;
    Buffer<cl_uint> places_;
    DeviceDescriptors found_;
};

} // namespace bowhist
