#pragma once

#include <bowhist/assign/assigner.hpp>
#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/device_screen.hpp>
#include <bowhist/assign/device/matrix_centroids.hpp>
#include <bowhist/assign/level.hpp>

#include <optional>
#include <string_view>

namespace bowhist {

/// gpu7's screen on Hopper (gpu7_wgmma.cl), which leaves the same lists as gpu7.cl.
class WgmmaKernel {
  public:
    static constexpr std::string_view source = "gpu7_wgmma.cl"; ///< its file of cl/

    /// Steps of a score's sum, the last for M − |c|²/2.
    static constexpr std::size_t steps(std::size_t dimensions) {
        return WGMMA_STEPS(dimensions) + 1;
    }

    /// @throws BuildFailure
    WgmmaKernel(Device &device, const Vocabulary &vocabulary, const MatrixCentroids &rounded,
                const AssignOptions &options);

    /// Continues with another vocabulary of the same shape.
    void replace(Device &device, const Vocabulary &vocabulary, const MatrixCentroids &rounded);

    /// As DeviceScreen's, after pack_matrix.cl.
    void pack(Device &device, const DeviceCentroids &centroids);
    void resume(const MatrixExtent &extent, float lowest);

    /// Queues the screen. `contested` and `crowded` are empty lists.
    void launch(Device &device, const DeviceDescriptors &x, const DeviceWords &found,
                const Buffer<cl_uint> &contested, const Buffer<cl_uint> &crowded);

  private:
    Buffer<cl_ushort> tiles_;
    Buffer<cl_ushort> lasts_;
    WgmmaPass pass_ = {};
    bool resident_ = false; ///< local memory holds all tiles: a group searches row after row
    std::size_t dimensions_;
    Kernel assign_;
    std::optional<Kernel> pack_; ///< built when first needed
};

} // namespace bowhist
