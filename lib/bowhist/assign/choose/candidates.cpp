#include <bowhist/assign/choose/candidates.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/drivers/driver.hpp>
#include <bowhist/device/drivers/driver_news.hpp>
#include <bowhist/device/pocl_cache.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>

namespace bowhist {
namespace {

void warn_of_drivers(const LevelRequest &request, const std::string &advice) {
    if (request.options.observer == &silent_observer)
        return; // the news are kept for the next observer
    for (const std::string &line : lines_about_drivers(advice))
        request.options.observer->warning(line);
}

/// PoCL shows no GPU unless POCL_DEVICES asks for one, and takes 40 ms to load. One that cannot
/// work is tried nevertheless, which reports it.
bool may_show_gpu(const std::vector<Driver> &drivers) {
    return drivers.empty() || !std::ranges::all_of(drivers, &Driver::is_pocl) ||
           std::getenv("POCL_DEVICES") != nullptr || what_pocl_lacks();
}

/// @param ask  loads the drivers, whichever they are
bool find_gpu(const LevelRequest &request, bool ask) {
    if (ask) return any_gpu();
    if (!may_show_gpu(installed_drivers())) {
        request.options.observer->note(
            "auto looks for no GPU: PoCL is the only OpenCL driver here");
        return false;
    }
    const bool found = any_gpu();
    warn_of_drivers(request, found ? "; --kernel simd needs no driver"
                                   : "; this run takes a level of the host, as with --kernel simd");
    return found;
}

std::shared_ptr<Device> find_device(const LevelRequest &request, bool ask) {
    if (!request.device.empty()) return open_device(request);
    try {
        if (find_gpu(request, ask)) return open_device(request);
        for (const std::string &line : gpus_without_driver(false))
            request.options.observer->note(line);
        return nullptr;
    } catch (const Error &error) {
        if (error.fault != Fault::device) throw;
        return nullptr; // the host's levels need no GPU
    }
}

Candidates candidates_on(std::shared_ptr<Device> device, std::size_t dimensions, std::size_t k) {
    Candidates all{std::move(device), {}};
    for (const Level &level : levels())
        if (!level.is_reference && !level.obstacle(all.device.get(), dimensions, k))
            all.levels.push_back(&level);
    return all;
}

} // namespace

std::shared_ptr<Device> open_device(const LevelRequest &request) {
    auto device = std::make_shared<Device>(
        DeviceOptions{.selector = request.device, .kernel_dir = request.kernel_dir});
    warn_of_drivers(request, "; --kernel simd needs no driver");
    return device;
}

Candidates find_candidates(const LevelRequest &request, std::size_t dimensions, std::size_t k,
                           bool ask) {
    Candidates all = candidates_on(find_device(request, ask), dimensions, k);
    const bool stays = !request.device.empty() || request.prefers_gpu;
    const auto runs_on_device = [](const Level *level) { return level->on_device; };
    if (stays && std::ranges::any_of(all.levels, runs_on_device))
        std::erase_if(all.levels, std::not_fn(runs_on_device));
    return all;
}

Candidates host_candidates(std::size_t dimensions, std::size_t k) {
    return candidates_on(nullptr, dimensions, k);
}

} // namespace bowhist
