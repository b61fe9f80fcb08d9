#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/device_screen.hpp>
#include <bowhist/assign/level.hpp>

#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// What a kernel of the ladder asks of the device and the data.
struct KernelNeeds {
    bool transposed = false;            ///< one dimension of all descriptors after another
    std::size_t dimension_multiple = 1; ///< D must be a multiple of this
    bool descriptors_in_local_memory = false;
    bool centroids_in_constant_memory = false; ///< k is then done in passes
};

/// Why a kernel with such needs cannot run there; nothing when it can.
std::optional<std::string> ladder_obstacle(const KernelNeeds &needs, const Device &device,
                                           std::size_t dimensions);

/// Bytes that the loops of such a kernel read and write in global and constant memory, including
/// its transpose.
double ladder_bytes(const KernelNeeds &needs, std::size_t n, std::size_t dimensions, std::size_t k);

/// The book's kernels, gpu1 … gpu5: one work-item a descriptor, squared distances in float32
/// (screen.cl), transposed first where the kernel needs it, in as many passes over the centroids as
/// constant memory and the device's loops require.
/// @throws Error{Fault::device} when AssignOptions::group asks for groups that do not fit
class LadderScreen : public DeviceScreen {
  public:
    /// @param source  the kernel's file of cl/
    LadderScreen(std::shared_ptr<Device> device, std::string_view source, const KernelNeeds &needs,
                 const Vocabulary &vocabulary, const Buffer<float> &centroids,
                 const AssignOptions &options);
    bool pack(const DeviceCentroids &) override {
        return passes_.size() == 1 && !needs_.centroids_in_constant_memory;
    }
    void resume(const DeviceCentroids &centroids, std::span<const cl_uint>) override {
        passes_.front().values = centroids.values;
    }
    void reserve(std::size_t rows) override;
    std::string_view source() const override { return source_; }
    void run(const DeviceDescriptors &x, const DeviceWords &found) override;

  private:
    /// The centroids of one launch.
    struct CentroidPass {
        Buffer<float> values;
        cl_uint first = 0;
        cl_uint count = 0;
    };

    Kernel built() const;
    std::vector<CentroidPass> passes_of(const Vocabulary &vocabulary) const;
    void launch(const CentroidPass &pass, const DeviceDescriptors &x, const DeviceWords &found);

    std::shared_ptr<Device> device_;
    std::string source_;
    KernelNeeds needs_;
    std::size_t words_;
    std::size_t dimensions_;
    Bound bound_;
    std::size_t group_; ///< work-items a group
    bool group_is_forced_;
    Kernel assign_;
    std::vector<CentroidPass> passes_;
    Buffer<float> transposed_;  ///< descriptors
    Buffer<Candidate> carried_; ///< between passes
};

} // namespace bowhist
