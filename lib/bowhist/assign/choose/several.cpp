#include <bowhist/assign/choose/several.hpp>

#include <bowhist/assign/choose/candidates.hpp>
#include <bowhist/assign/host_advice.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/device_list.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <ranges>
#include <utility>

namespace bowhist {
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
