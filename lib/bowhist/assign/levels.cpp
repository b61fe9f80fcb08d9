#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/assign/device/ladder_screen.hpp>
#include <bowhist/assign/device/matrix_screen.hpp>
#include <bowhist/assign/device/tile_screen.hpp>
#include <bowhist/assign/host/host_assigner.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

namespace bowhist {
namespace {

using DevicePointer = std::shared_ptr<Device>;

Level host_level(std::string_view id, std::string_view idea,
                 HostSearch (*make)(const Vocabulary &, int, double),
                 std::string_view passes_roof = {}) {
    Level level;
    level.id = id;
    level.idea = idea;
    level.is_reference = make == make_serial_search;
    level.passes_roof = passes_roof;
    level.obstacle = [](const Device *, std::size_t, std::size_t) { return std::nullopt; };
    level.prepare = [make](const DevicePointer &, const Vocabulary &vocabulary,
                           const AssignOptions &options) {
        const DefaultFloats floats; // for bounds and packed words
        return std::make_unique<HostAssigner>(make, vocabulary, options);
    };
    return level;
}

/// Why one device level cannot do D and k where others can.
using Obstacle = std::function<std::optional<std::string>(const Device &device,
                                                          std::size_t dimensions, std::size_t k)>;

Level device_level(std::string_view id, std::string_view idea, std::string_view source,
                   const Obstacle &obstacle, const MakeScreen &make_screen,
                   std::string_view passes_roof = {}) {
    Level level;
    level.id = id;
    level.idea = idea;
    level.on_device = true;
    level.source = source;
    level.passes_roof = passes_roof;
    level.obstacle = [obstacle](const Device *device, std::size_t dimensions, std::size_t k) {
        const auto common = device_obstacle(device, dimensions, k);
        return common ? common : obstacle(*device, dimensions, k);
    };
    level.prepare = [make_screen](const DevicePointer &device, const Vocabulary &vocabulary,
                                  const AssignOptions &options) {
        const DefaultFloats floats;
        return std::make_unique<DeviceAssigner>(device, make_screen, vocabulary, options);
    };
    return level;
}

Level ladder_level(std::string_view id, std::string_view idea, std::string_view source,
                   const KernelNeeds &needs) {
    Level level = device_level(
        id, idea, source,
        [needs](const Device &device, std::size_t dimensions, std::size_t) {
            return ladder_obstacle(needs, device, dimensions);
        },
        ladder_screen(source, needs));
    level.takes_group = true;
    level.local_descriptors = needs.descriptors_in_local_memory;
    if (!needs.centroids_in_constant_memory) // then the device decides how often rows are read
        level.kernel_bytes = [needs](std::size_t n, std::size_t dimensions, std::size_t k) {
            return ladder_bytes(needs, n, dimensions, k);
        };
    return level;
}

Level matrix_level(std::string_view id, std::string_view idea, std::string_view source,
                   std::string_view passes_roof) {
    Level level = device_level(
        id, idea, source,
        [](const Device &device, std::size_t dimensions, std::size_t k) {
            return matrix_obstacle(device.info(), device.limits(), dimensions, k);
        },
        make_matrix_screen, passes_roof);
    level.matrix_units = true;
    return level;
}

} // namespace

const std::vector<Level> &levels() {
    constexpr KernelNeeds plain{};
    constexpr KernelNeeds transposed{.transposed = true};
    constexpr KernelNeeds vectors{.transposed = true, .dimension_multiple = 4};
    constexpr KernelNeeds local{.transposed = true, .descriptors_in_local_memory = true};
    constexpr KernelNeeds constant{.transposed = true,
                                   .descriptors_in_local_memory = true,
                                   .centroids_in_constant_memory = true};
    constexpr std::string_view sixteen_bits =
        "16-bit integers, two products a lane where the roof's multiply-add has one";
    static const std::vector<Level> table = {
        host_level("serial", "the float64 rule, one thread: the reference", make_serial_search),
        host_level("openmp", "a float32 screen with proof, vectorized, on all cores",
                   make_openmp_search),
        host_level("simd",
                   "tiles in vector registers, by what the CPU has: 16-bit integers, then float32",
                   make_simd_search, sixteen_bits),
        ladder_level("gpu1", "one work-item a descriptor, rows as they come", "gpu1.cl", plain),
        ladder_level("gpu2",
                     "transposed descriptors: neighboring work-items read neighboring floats",
                     "gpu2.cl", transposed),
        ladder_level("gpu3", "four dimensions a step in a float4", "gpu3.cl", vectors),
        ladder_level("gpu4", "a group's descriptors in local memory", "gpu4.cl", local),
        ladder_level("gpu5", "centroids in constant memory, in as many passes as it takes",
                     "gpu5.cl", constant),
        device_level("gpu6", "tiles of scores in registers, in a shape for each kind of device",
                     "gpu6.cl", tile_obstacle, make_tile_screen, sixteen_bits),
        matrix_level("gpu7", "fp16 scores on matrix units, the winner proven", "gpu7.cl",
                     "instructions for a whole group of warps; the roof's are for one warp"),
    };
    return table;
}

const Level &find_level(std::string_view id) {
    const auto &table = levels();
    const auto found = std::ranges::find(table, id, &Level::id);
    if (found != table.end()) return *found;
    const auto ids = table | std::views::transform(&Level::id);
    throw Error(Fault::usage, fmt::format("there is no level \"{}\"; choose one of: auto, {}",
                                          excerpt(id), fmt::join(ids, ", ")));
}

} // namespace bowhist
