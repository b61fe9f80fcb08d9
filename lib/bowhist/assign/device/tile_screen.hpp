#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device/assign_launch.hpp>
#include <bowhist/assign/device/device_screen.hpp>
#include <bowhist/core/vocabulary.hpp>
#include <bowhist/device/device.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace bowhist {

/// How gpu6 cuts its work: a kernel, the sizes it is built with, and the devices that it suits.
struct TileShape {
    std::string_view name;   ///< unique
    std::string_view source; ///< its file of cl/
    std::string options;     ///< what it is built with, beside DIMENSIONS
    std::size_t group;       ///< work-items of a group
    std::size_t rows;        ///< descriptors that a group searches at once
    std::size_t columns;     ///< centroids that it compares them with at a time
    std::size_t slice;       ///< D is padded to a multiple of it
    std::size_t local_bytes; ///< local memory of a group
    std::size_t most_dimensions = ~std::size_t{0};
    bool for_cpu = false;         ///< one work-item a core, vectors; else many work-items
    std::size_t vector_width = 1; ///< least floats a vector that the device must prefer
    bool integers = false; ///< scores in 16-bit integers: IntegerTileScreen, on CPUs with VNNI
};

/// Every shape, for each kind of device the fastest first.
std::span<const TileShape> tile_shapes();

/// The first shape for the kind of device that its limits allow; else null.
/// @param integers whether it may be one with scores in integers
const TileShape *tile_shape(const DeviceInfo &info, const DeviceLimits &limits,
                            std::size_t dimensions, bool integers = false);

/// Why register tiles cannot do D and k there; nothing when they can.
std::optional<std::string> tile_obstacle(const Device &device, std::size_t dimensions,
                                         std::size_t k);

/// A search for the greatest score of k words; the kernel sets n.
ScorePass tile_search(std::size_t k, const DotBound &bound);

/// Centroids, tile by tile: [columns of them][padded dimension][column], padded with zeros.
Buffer<float> upload_tiles(Device &device, const TileShape &shape, const Vocabulary &vocabulary);

/// −‖c‖²/2 for each column; minus infinity where there is no centroid, which never wins.
Buffer<float> upload_starts(Device &device, const TileShape &shape, const Vocabulary &vocabulary);

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
