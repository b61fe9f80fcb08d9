#include <bowhist/bench/scene.hpp>
#include <bowhist/device/device.hpp>

#include <algorithm>
#include <bit>

namespace bowhist {

std::size_t Scene::most_rows() const {
    if (request.n > 0) return request.n;
    constexpr std::size_t enough_for_a_cpu = std::size_t{1} << 16;
    constexpr std::size_t enough_for_a_gpu = std::size_t{1} << 20;
    if (!device || device->info().kind != DeviceKind::gpu) return enough_for_a_cpu;
    // Each level keeps its own copies of the descriptors.
    const std::uint64_t fit =
        device->info().global_memory / 32 / (sizeof(float) * request.dimensions);
    return std::clamp<std::size_t>(std::bit_floor(fit), 1, enough_for_a_gpu);
}

} // namespace bowhist
