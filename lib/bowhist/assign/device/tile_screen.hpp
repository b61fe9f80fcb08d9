#pragma once

#include <bowhist/assign/device/device_screen.hpp>
#include <bowhist/assign/device/tile_shape.hpp>

#include <optional>

namespace bowhist {

/// Register tiles, gpu6: scores x·c − ‖c‖²/2 in float32, many at a time, proven by dot_bound.
class TileScreen : public DeviceScreen {
  public:
    /// @param shape one that the device's limits allow, see tile_shape()
    TileScreen(std::shared_ptr<Device> device, const TileShape &shape, const Vocabulary &vocabulary,
               const AssignOptions &options);
    bool pack(const DeviceCentroids &centroids) override;
    void resume(const DeviceCentroids &centroids, std::span<const cl_uint> extent) override;
    void reserve(std::size_t) override {} // it needs no memory of its own
    std::string_view source() const override { return shape_.source; }
    void run(const DeviceDescriptors &x, const DeviceWords &found) override;

  private:
    std::shared_ptr<Device> device_;
    TileShape shape_;
    std::size_t dimensions_;
    double bound_scale_;
    ScorePass search_;
    Kernel assign_;
    std::optional<Kernel> pack_; ///< built when first needed
    Buffer<float> centroids_;    ///< packed
    Buffer<float> starts_;       ///< −‖c‖²/2
};

/// The screen of the first shape that suits the device, the dimension and the words.
std::unique_ptr<DeviceScreen> make_tile_screen(const std::shared_ptr<Device> &device,
                                               const Vocabulary &vocabulary,
                                               const Buffer<float> &centroids,
                                               const AssignOptions &options);

/// Register tiles of scores in 16-bit integers, on CPUs.
/// @return nothing where the vocabulary's size or shape does not suit integers
std::unique_ptr<DeviceScreen> make_integer_tile_screen(const std::shared_ptr<Device> &device,
                                                       const TileShape &shape,
                                                       const Vocabulary &vocabulary,
                                                       const Buffer<float> &centroids,
                                                       const AssignOptions &options);

} // namespace bowhist
