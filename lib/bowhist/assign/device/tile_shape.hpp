#pragma once

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

/// A shape of gpu6.cl. @param patch centroids a work-item
TileShape group_tiles(std::string_view name, std::size_t down, std::size_t across,
                      std::size_t patch, std::size_t slice);

/// A shape of gpu6_cpu.cl.
TileShape lane_tiles(std::string_view name, std::size_t columns, std::size_t vector_width);

/// Every shape, for each kind of device the fastest first.
std::span<const TileShape> tile_shapes();

/// The first shape for the kind of device that its limits allow; else null.
/// @param integers whether it may be one with scores in integers
const TileShape *tile_shape(const DeviceInfo &info, const DeviceLimits &limits,
                            std::size_t dimensions, bool integers = false);

/// Bytes of the packed and padded centroids.
std::uint64_t packed_bytes(const TileShape &shape, std::size_t dimensions, std::size_t k);

/// Why register tiles cannot do D and k there; nothing when they can.
std::optional<std::string> tile_obstacle(const Device &device, std::size_t dimensions,
                                         std::size_t k);

} // namespace bowhist
