#include <bowhist/assign/choose/candidates.hpp>

#include <bowhist/assign/host_advice.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/device_selection.hpp>
#include <bowhist/device/drivers/driver.hpp>
#include <bowhist/device/drivers/drivers.hpp>
#include <bowhist/device/pocl_cache.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <functional>
#include <ranges>
#include <utility>

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

namespace {

/// The levels of devices down from this one.
std::vector<const Level *> down_from(const Level &level) {
    std::vector<const Level *> lower;
    for (const Level &one : levels()) {
        if (one.on_device) lower.push_back(&one);
        if (one.id == level.id) break;
    }
    std::ranges::reverse(lower);
    return lower;
}

/// @param request  for one device
LevelChoice choose_at_most(const Level &level, const LevelRequest &request, std::size_t dimensions,
                           std::size_t k) {
    const std::shared_ptr<Device> device =
        advising_host_levels([&] { return open_device(request); });
    const auto obstacle = level.obstacle(device.get(), dimensions, k);
    if (!obstacle) return choice_of(level, device, request.options);
    for (const Level *lower : down_from(level)) {
        if (lower->obstacle(device.get(), dimensions, k)) continue;
        request.options.observer->note(fmt::format("device {} takes {}: {} cannot run there: {}",
                                                   request.device, lower->id, level.id, *obstacle));
        return choice_of(*lower, device, request.options);
    }
    throw Error(Fault::device, fmt::format("{} cannot run on {}: {}; use a host level (--kernel "
                                           "simd)",
                                           level.id, device->info().name, *obstacle));
}

} // namespace

LevelChoice choose_on_each(const LevelRequest &request, std::size_t dimensions, std::size_t k) {
    LevelRequest one = request;
    const bool is_auto = request.level == "auto";
    if (!is_auto && !find_level(request.level).on_device) {
        one.device.clear();
        return choose_level(one, dimensions, k);
    }
    std::vector<LevelChoice> all;
    std::vector<std::pair<std::size_t, Error>> failures;
    for (const std::size_t number :
         advising_host_levels([&] { return device_numbers(request.device); })) {
        one.device = std::to_string(number);
        try {
            all.push_back(is_auto ? choose_level(one, dimensions, k)
                                  : choose_at_most(find_level(request.level), one, dimensions, k));
        } catch (const Error &error) {
            if (error.fault != Fault::device) throw;
            failures.emplace_back(number, error);
        }
    }
    if (all.empty()) throw failures.front().second;
    for (const auto &[number, failure] : failures)
        request.options.observer->warning(
            fmt::format("device {} takes no part: {}", number, failure.what()));
    LevelChoice choice = all.front();
    choice.others.assign(all.begin() + 1, all.end());
    return choice;
}

} // namespace bowhist
