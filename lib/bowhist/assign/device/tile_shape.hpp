#pragma once

#include <bowhist/assign/bound.hpp>
#include <bowhist/assign/device/assign_launch.hpp>
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

} // namespace bowhist
