#pragma once

#include <bowhist/core/preparation.hpp>
#include <bowhist/device/device_descriptors.hpp>
#include <bowhist/device/kernel_source.hpp>
#include <bowhist/device/launch_image.hpp>

#include <memory>
#include <vector>

namespace bowhist {

/// Whether a device prepares rows as the host does: it rounds to nearest, fuses no operations and
/// keeps subnormals.
bool can_prepare(const Device &device);

/// prepare() of encode/preparation.hpp on a device, with the same bits, of the descriptors of many
/// images: first the rows of all, then with mirror those of all mirrored ones, in the same order.
/// Numbers that the host computes in float64 the device computes in whole numbers: it needs no
/// fp64. One thread at a time.
class DevicePreparation {
  public:
    /// REQUIRES: can_prepare(*device); the preparation is whole (fault_of)
    DevicePreparation(std::shared_ptr<Device> device, const Preparation &preparation);

    /// Queued; waits for nothing. The result is the object's own, and valid for launches queued
    /// before the next call. Its count[1] is that of `x`. It has no keypoints.
    /// @param x       with keypoints where a step appends numbers
    /// @param images  of x.bag; stay in place until the next call
    /// @throws OutOfMemory; Error{Fault::device}
    const DeviceDescriptors &prepare(const DeviceDescriptors &x,
                                     const std::vector<LaunchImage> &images);

  private:
    struct Rows; ///< how they lie on the device

    void take_roots(const Rows &rows);
    Rows project(const Rows &rows);
    void append(const DeviceDescriptors &x, const std::vector<LaunchImage> &images);

    std::shared_ptr<Device> device_;
    PreparationSteps steps_;
    std::size_t dimensions_; ///< of descriptors
    std::size_t components_; ///< of prepared rows before numbers are appended
    double deviation_;
    bool mirrors_;
    Kernel lay_out_;
    Kernel measure_roots_; ///< these two: of root
    Kernel take_roots_;
    Kernel project_; ///< these three: of whiten
    Buffer<float> mean_;
    Buffer<float> projection_;
    Kernel position_; ///< these three: of the steps of that name
    Kernel scale_;
    Kernel contrast_;
    Buffer<float> descriptors_; ///< and mirrored ones, where they are projected
    Buffer<float> factors_;     ///< of rows
    Buffer<LaunchImage> images_;
    Bundle bundle_;
    DeviceDescriptors prepared_;
};

} // namespace bowhist
