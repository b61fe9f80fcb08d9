#include <bowhist/assign/device_assigner.hpp>
#include <bowhist/assign/host_assigner.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bowhist {
namespace {

using DevicePointer = std::shared_ptr<Device>;

Level host_level(std::string_view id, std::string_view idea, HostSearch search) {
    Level level;
    level.id = id;
    level.idea = idea;
    level.obstacle = [](const Device *, std::size_t, std::size_t) { return std::nullopt; };
    level.prepare = [search](const DevicePointer &, const Vocabulary &vocabulary,
                             const AssignOptions &options) {
        return std::make_unique<HostAssigner>(search, vocabulary, options);
    };
    return level;
}

Level device_level(std::string_view id, std::string_view idea, std::string_view source,
                   const KernelNeeds &needs) {
    Level level;
    level.id = id;
    level.idea = idea;
    level.on_device = true;
    level.layout = needs.layout;
    level.source = source;
    level.obstacle = [needs](const Device *device, std::size_t dimensions, std::size_t k) {
        return obstacle(needs, device, dimensions, k);
    };
    level.prepare = [needs, source](const DevicePointer &device, const Vocabulary &vocabulary,
                                    const AssignOptions &options) {
        return std::make_unique<DeviceAssigner>(device, DeviceKernel{std::string(source), needs},
                                                vocabulary, options);
    };
    return level;
}

} // namespace

const std::vector<Level> &levels() {
    constexpr KernelNeeds plain{};
    constexpr KernelNeeds transposed{.layout = Layout::dimension_major};
    constexpr KernelNeeds vectors{.layout = Layout::dimension_major, .dimension_multiple = 4};
    constexpr KernelNeeds local{.layout = Layout::dimension_major,
                                .descriptors_in_local_memory = true};
    constexpr KernelNeeds constant{.layout = Layout::dimension_major,
                                   .descriptors_in_local_memory = true,
                                   .centroids_in_constant_memory = true};
    static const std::vector<Level> table = {
        host_level("serial", "the float64 rule, one thread: the reference", HostSearch::serial),
        host_level("openmp", "a float32 screen with proof, vectorised, on all cores",
                   HostSearch::openmp),
        device_level("gpu1", "one work-item a descriptor, rows as they come", "gpu1.cl", plain),
        device_level("gpu2",
                     "transposed descriptors: neighbouring work-items read neighbouring floats",
                     "gpu2.cl", transposed),
        device_level("gpu3", "four dimensions a step in a float4", "gpu3.cl", vectors),
        device_level("gpu4", "a group's descriptors in local memory", "gpu4.cl", local),
        device_level("gpu5", "centroids in constant memory, in as many passes as it takes",
                     "gpu5.cl", constant),
    };
    return table;
}

const Level &find_level(std::string_view id) {
    const auto &table = levels();
    const auto found = std::ranges::find(table, id, &Level::id);
    if (found != table.end()) return *found;
    std::vector<std::string_view> ids;
    ids.reserve(table.size());
    for (const Level &level : table) ids.push_back(level.id);
    throw Error(Fault::usage, fmt::format("there is no level \"{}\"; choose one of: auto, {}",
                                          printable(id), fmt::join(ids, ", ")));
}

} // namespace bowhist
