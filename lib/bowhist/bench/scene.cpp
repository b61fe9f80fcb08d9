#include <bowhist/bench/scene.hpp>
#include <bowhist/device/device.hpp>

namespace bowhist {

std::size_t Scene::most_rows() const {
    if (request.n > 0) return request.n;
    const bool gpu = device && device->info().kind == DeviceKind::gpu;
    return std::size_t{1} << (gpu ? 20 : 16);
}

} // namespace bowhist
