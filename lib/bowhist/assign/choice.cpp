#include <bowhist/assign/choice.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <span>

namespace bowhist {
namespace {

// Fastest first, as docs/performance.md measures them; measuring on the spot comes with bench.
constexpr std::array<std::string_view, 6> gpu_preference = {"gpu6", "gpu5", "gpu4",
                                                            "gpu2", "gpu3", "gpu1"};
constexpr std::array<std::string_view, 6> cpu_preference = {"gpu6", "gpu1", "gpu5",
                                                            "gpu4", "gpu3", "gpu2"};

std::shared_ptr<Device> open(const LevelRequest &request) {
    DeviceOptions options;
    options.selector = request.device;
    options.kernel_dir = request.kernel_dir;
    return std::make_shared<Device>(options);
}

/// The device that auto may use: the one asked for, else a GPU if there is one that can be opened.
std::shared_ptr<Device> device_for_auto(const LevelRequest &request) {
    if (!request.device.empty()) return open(request);
    try {
        return any_gpu() ? open(request) : nullptr;
    } catch (const Error &error) {
        if (error.fault != Fault::device) throw;
        return nullptr; // the host levels need no GPU
    }
}

const Level &suitable_level(const Device *device, std::size_t dimensions, std::size_t k) {
    if (device == nullptr) return find_level("openmp");
    const bool gpu = device->info().kind == DeviceKind::gpu;
    for (const std::string_view id : gpu ? gpu_preference : cpu_preference)
        if (const Level &level = find_level(id); !level.obstacle(device, dimensions, k))
            return level;
    return find_level("openmp");
}

std::vector<LevelStatus> survey(const Device *device, std::size_t dimensions, std::size_t k) {
    std::vector<LevelStatus> statuses;
    for (const Level &level : levels())
        statuses.push_back({&level, level.obstacle(device, dimensions, k)});
    return statuses;
}

std::string levels_that_run(const Device *device, std::size_t dimensions, std::size_t k) {
    std::vector<std::string_view> ids;
    for (const LevelStatus &status : survey(device, dimensions, k))
        if (!status.obstacle) ids.push_back(status.level->id);
    return fmt::format("{}", fmt::join(ids, ", "));
}

} // namespace

std::unique_ptr<Assigner> LevelChoice::prepare(const Vocabulary &vocabulary) const {
    try {
        return level->prepare(device, vocabulary, options);
    } catch (const Error &error) {
        if (error.fault != Fault::device) throw;
        throw Error(Fault::device, fmt::format("{}: {}", level->id, error.what()), error.detail);
    }
}

std::string LevelChoice::name() const {
    return fmt::format("{} on {}", level->id, device ? device->info().name : "the host");
}

LevelChoice choose_level(const LevelRequest &request, std::size_t dimensions, std::size_t k) {
    if (request.level == "auto") {
        const std::shared_ptr<Device> device = device_for_auto(request);
        const Level &level = suitable_level(device.get(), dimensions, k);
        return {&level, level.on_device ? device : nullptr, request.options};
    }
    const Level &level = find_level(request.level);
    const std::shared_ptr<Device> device = level.on_device ? open(request) : nullptr;
    if (const auto obstacle = level.obstacle(device.get(), dimensions, k))
        throw Error(Fault::device,
                    fmt::format("{} cannot run here: {}; use --kernel {}", level.id, *obstacle,
                                levels_that_run(device.get(), dimensions, k)));
    return {&level, device, request.options};
}

std::vector<LevelStatus> survey_levels(const LevelRequest &request, std::size_t dimensions,
                                       std::size_t k) {
    const bool none_here = request.device.empty() && devices().empty();
    return survey(none_here ? nullptr : open(request).get(), dimensions, k);
}

} // namespace bowhist
