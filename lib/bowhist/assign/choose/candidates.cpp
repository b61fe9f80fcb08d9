#include <bowhist/assign/choose/candidates.hpp>
#include <bowhist/assign/choose/gpu_absence.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/drivers/drivers.hpp>
#include <bowhist/io/user_cache_folder.hpp>

#include <algorithm>
#include <functional>

namespace bowhist {
namespace {

void note(const LevelRequest &request, const std::string &line) {
    if (request.options.observer != nullptr) request.options.observer->note(line);
}

/// Says what there is to say of drivers.
void warn_of_drivers(const LevelRequest &request, const std::string &advice) {
    if (request.options.observer == nullptr) return; // news wait for another
    for (const std::string &line : lines_about_drivers(advice))
        request.options.observer->warning(line);
}

/// any_gpu(), but an earlier run may have found that there is none.
bool find_gpu(const LevelRequest &request, bool afresh) {
    const GpuAbsence absence(request.cache_dir.empty() ? user_cache_folder() : request.cache_dir);
    if (!afresh && absence.is_known()) {
        note(request, "auto looks for no GPU: none was here within the last hour");
        return false;
    }
    const bool found = any_gpu();
    if (!afresh)
        warn_of_drivers(request,
                        found ? "; --kernel simd needs no driver"
                              : "; this run takes a level of the host, as with --kernel simd");
    if (found) {
        absence.forget();
    } else if (!afresh && any_device() && tried_drivers().bad.empty()) {
        absence.remember(); // each run names bad drivers anew
    }
    return found;
}

std::shared_ptr<Device> find_device(const LevelRequest &request, bool afresh) {
    if (!request.device.empty()) return open_device(request);
    try {
        if (find_gpu(request, afresh)) return open_device(request);
        for (const std::string &line : gpus_without_driver(false)) note(request, line);
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
                           bool afresh) {
    Candidates all = candidates_on(find_device(request, afresh), dimensions, k);
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
