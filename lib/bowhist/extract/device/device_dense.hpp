#pragma once

#include <bowhist/extract/dense/dense_grid.hpp>
#include <bowhist/extract/device/device_extractor.hpp>
#include <bowhist/extract/device/device_greys.hpp>
#include <bowhist/extract/device/device_strongest.hpp>

#include <optional>

namespace bowhist {

/// Dense descriptors on a device.
class DeviceDense : public DeviceExtractor {
  public:
    /// As make_device_extractor.
    DeviceDense(std::shared_ptr<Device> device, const Recipe &recipe, bool locates = false);

    const DeviceDescriptors &extract(const DeviceImageList &images) override;
    std::size_t most_pixels() const override;

  private:
    struct SizeKernel { ///< of one size of patches
        PatchShape shape;
        Kernel pool;
        Buffer<cl_float> cells;
    };
    struct Size;
    struct Plan;

    Plan plan(const std::vector<LaunchImage> &images);
    void pool(SizeKernel &size, const Size &part);
    void locate(const PatchShape &shape, const Size &part);

    std::shared_ptr<Device> device_;
    Recipe recipe_;
    DeviceGreys greys_;
    Kernel weigh_;
    DeviceStrongest strongest_;
    Kernel describe_;
    std::optional<Kernel> locate_; ///< where descriptors have keypoints
    std::vector<SizeKernel> sizes_;
    Buffer<cl_float> squares_; ///< of each patch
    Buffer<cl_float> responses_;
    Buffer<cl_uint> kept_;
    Buffer<cl_uint> places_;
    Bundle bundle_;
    DeviceDescriptors found_;
};

} // namespace bowhist
