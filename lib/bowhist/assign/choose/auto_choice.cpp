#include <bowhist/assign/choose/candidates.hpp>
#include <bowhist/assign/choose/choice_cache.hpp>
#include <bowhist/assign/choose/other_load.hpp>
#include <bowhist/assign/host_advice.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/io/own_folders.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <fstream>
#include <ranges>

namespace bowhist {
namespace {

/// The most floats of a calibration's words: beyond it, every level's time grows alike.
constexpr std::size_t most_floats = std::size_t{1} << 18;
/// In shorter work a GPU gains no more than its start takes: half a second on an H100.
constexpr double short_seconds = 0.6;
/// A measurement takes a second or two: a twentieth of longer work at most.
constexpr double long_seconds = 30;
/// Processors that others may use during a measurement.
constexpr double busy_share = 0.25;

ChoiceKey key_of(const LevelRequest &request, const Candidates &all, std::size_t dimensions,
                 std::size_t k) {
    ChoiceKey key;
    key.version = version();
    key.host = host_of(request);
    if (all.device) key.device = all.device->info().name;
    if (all.device) key.driver = all.device->info().driver;
    key.candidates =
        fmt::format("{}", fmt::join(all.levels | std::views::transform(&Level::id), " "));
    key.dimensions = dimensions;
    key.k = std::min(std::bit_ceil(k),
                     std::max<std::size_t>(1, std::bit_floor(most_floats / dimensions)));
    return key;
}

/// The status without measuring.
AutoStatus status_of(const LevelRequest &request, const Candidates &all, const ChoiceKey &key) {
    AutoStatus status{all.levels, {}, {}, false};
    if (all.levels.size() == 1) {
        status.choice = choice_of(*all.levels.front(), all.device, request.options);
        return status;
    }
    const auto remembered = cache_of(request).find(key);
    if (!remembered) return status;
    const auto found = std::ranges::find(all.levels, remembered->level, &Level::id);
    if (found == all.levels.end()) return status;
    status.choice = choice_of(**found, all.device, request.options);
    status.measured =
        fmt::format("measured {} at {:.3g} GFLOP/s{}", excerpt(remembered->date),
                    remembered->gigaflops, remembered->was_busy ? " on a busy machine" : "");
    status.was_busy = remembered->was_busy;
    return status;
}

/// Calibrates, notes the result and remembers it.
std::vector<LevelSpeed> measure(const LevelRequest &request, const Candidates &all,
                                const ChoiceKey &key) {
    const auto start = std::chrono::steady_clock::now();
    const OtherLoad others;
    const auto speeds = calibrate({.candidates = all.levels,
                                   .device = all.device,
                                   .dimensions = key.dimensions,
                                   .k = key.k,
                                   .options = request.options});
    const bool was_busy = others.share() > busy_share;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    const auto reached = speeds | std::views::transform([](const LevelSpeed &speed) {
                             return fmt::format("{} {:.3g}", speed.level->id, speed.gigaflops);
                         });
    request.options.observer->note(fmt::format("auto measured in {:.2f} s{}, GFLOP/s: {}",
                                               taken.count(), was_busy ? " on a busy machine" : "",
                                               fmt::join(reached, ", ")));
    if (!request.kernel_dir.empty()) return speeds;
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    if (const auto failure = cache_of(request).remember(
            key, {std::string(speeds.front().level->id), speeds.front().gigaflops,
                  fmt::format("{:%Y-%m-%d}", fmt::gmtime(now)), was_busy}))
        request.options.observer->note(
            fmt::format("auto will have to measure again: {}", *failure));
    return speeds;
}

/// The ladder's last level that can be prepared: nearly everywhere each is faster than those
/// before.
const Level &last_that_runs(const LevelRequest &request, const Candidates &all,
                            std::size_t dimensions, std::size_t k) {
    const Vocabulary words{dimensions, std::vector<float>(dimensions * k)};
    for (const Level *level : all.levels | std::views::drop(1) | std::views::reverse) try {
            if (level->on_device) level->prepare(all.device, words, request.options);
            return *level;
        } catch (const Error &error) {
            if (error.fault != Fault::device) throw;
            request.options.observer->note(
                fmt::format("auto leaves {} out: {}", level->id, error.what()));
        }
    return *all.levels.front();
}

/// A GPU's driver takes longer to start than short work.
bool leaves_gpus_alone(const LevelRequest &request) {
    return request.device.empty() && request.host_seconds.value_or(long_seconds) < short_seconds &&
           shows_gpu_with_driver();
}

LevelChoice choose_among(const LevelRequest &request, const Candidates &all, std::size_t dimensions,
                         std::size_t k) {
    const ChoiceKey key = key_of(request, all, dimensions, k);
    const AutoStatus known = status_of(request, all, key);
    const bool is_long = request.host_seconds.value_or(long_seconds) >= long_seconds;
    const bool again = known.was_busy && request.host_seconds;
    if (is_long && (!known.choice || again))
        return choice_of(*measure(request, all, key).front().level, all.device, request.options);
    if (!known.choice)
        return choice_of(last_that_runs(request, all, dimensions, k), all.device, request.options);
    if (!known.measured.empty())
        request.options.observer->note(
            fmt::format("auto is {}, {}", known.choice->name(), known.measured));
    return *known.choice;
}

} // namespace

std::string host_of(const LevelRequest &request) {
    std::ifstream processors("/proc/cpuinfo");
    std::string name = "some processor";
    for (std::string line; std::getline(processors, line);)
        if (line.starts_with("model name") && line.find(": ") != std::string::npos) {
            name = line.substr(line.find(": ") + 2);
            break;
        }
    const int threads = request.options.threads;
    return fmt::format("{}, {} threads", name, threads > 0 ? threads : omp_get_num_procs());
}

ChoiceCache cache_of(const LevelRequest &request) {
    if (!request.kernel_dir.empty()) return ChoiceCache({});
    return ChoiceCache(request.cache_dir.empty() ? user_cache_folder() : request.cache_dir);
}

bool begins_on_host(const LevelRequest &request) {
    return request.level == "auto" && !request.options.tree && request.device.empty() &&
           shows_gpu_with_driver();
}

LevelChoice choose_auto(const LevelRequest &request, std::size_t dimensions, std::size_t k) {
    if (leaves_gpus_alone(request)) {
        if (*request.host_seconds > 0)
            request.options.observer->note(
                fmt::format("auto takes the host: it needs {:.1f} s, a GPU longer to start",
                            *request.host_seconds));
        const Candidates all = host_candidates(dimensions, k);
        return choice_of(*all.levels.back(), all.device, request.options);
    }
    return advising_host_levels([&] {
        return choose_among(request, find_candidates(request, dimensions, k, false), dimensions, k);
    });
}

AutoStatus survey_auto(const LevelRequest &request, std::size_t dimensions, std::size_t k) {
    const Candidates all = find_candidates(request, dimensions, k, true);
    return status_of(request, all, key_of(request, all, dimensions, k));
}

std::vector<LevelSpeed> measure_auto(const LevelRequest &request, std::size_t dimensions,
                                     std::size_t k) {
    const Candidates all = find_candidates(request, dimensions, k, true);
    return advising_host_levels(
        [&] { return measure(request, all, key_of(request, all, dimensions, k)); });
}

} // namespace bowhist
