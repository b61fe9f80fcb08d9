#include <bowhist/assign/choose/auto_choice.hpp>
#include <bowhist/assign/choose/calibration.hpp>
#include <bowhist/assign/choose/choice_cache.hpp>
#include <bowhist/assign/choose/gpu_absence.hpp>
#include <bowhist/assign/host_advice.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/drivers/drivers.hpp>
#include <bowhist/io/user_cache_folder.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <fstream>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

/// Words' floats that a calibration takes at most: with more, every level's time grows alike.
constexpr std::size_t most_floats = std::size_t{1} << 18;

/// What auto has to choose from.
struct Field {
    std::shared_ptr<Device> device; ///< null: none is looked at
    std::vector<const Level *> candidates;
};

fs::path cache_folder(const LevelRequest &request) {
    return request.cache_dir.empty() ? user_cache_folder() : request.cache_dir;
}

void note(const LevelRequest &request, const std::string &line) {
    if (request.options.observer != nullptr) request.options.observer->note(line);
}

/// Says what there is to say of drivers.
void warn_of_drivers(const LevelRequest &request, const std::string &advice) {
    if (request.options.observer == nullptr) return; // news wait for another
    for (const std::string &line : lines_about_drivers(advice))
        request.options.observer->warning(line);
}

/// any_gpu(), but that there is none may be known from an earlier run.
bool find_gpu(const LevelRequest &request) {
    const GpuAbsence absence(cache_folder(request));
    if (absence.is_known()) {
        note(request, "auto looks for no GPU: none was here within the last hour");
        return false;
    }
    const bool found = any_gpu();
    warn_of_drivers(request, found ? "; --kernel simd needs no driver"
                                   : "; this run takes a level of the host, as with --kernel simd");
    if (found) return true;
    // Else no driver could start, or none is here; of bad ones each run speaks anew.
    if (any_device() && tried_drivers().bad.empty()) absence.remember();
    return false;
}

/// any_gpu(); later runs then know of it, too.
bool find_gpu_afresh(const LevelRequest &request) {
    if (!any_gpu()) return false;
    GpuAbsence(cache_folder(request)).forget();
    return true;
}

/// The device that auto may use: the one asked for, else a GPU if there is one that can be opened.
std::shared_ptr<Device> device_for_auto(const LevelRequest &request,
                                        bool (*find)(const LevelRequest &)) {
    if (!request.device.empty()) return open_device(request);
    try {
        if (find(request)) return open_device(request);
        for (const std::string &line : gpus_without_driver(false)) note(request, line);
        return nullptr;
    } catch (const Error &error) {
        if (error.fault != Fault::device) throw;
        return nullptr; // the host levels need no GPU
    }
}

/// A device that was asked for, or is preferred, is stayed on if any of its levels can do the
/// shape.
Field field_of(const LevelRequest &request, std::shared_ptr<Device> device, std::size_t dimensions,
               std::size_t k) {
    Field field{std::move(device), {}};
    std::vector<const Level *> on_device;
    for (const Level &level : levels()) {
        if (level.is_reference || level.obstacle(field.device.get(), dimensions, k)) continue;
        field.candidates.push_back(&level);
        if (level.on_device) on_device.push_back(&level);
    }
    const bool stays = !request.device.empty() || request.prefers_gpu;
    if (stays && !on_device.empty()) field.candidates = on_device;
    return field;
}

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

ChoiceKey key_of(const LevelRequest &request, const Field &field, std::size_t dimensions,
                 std::size_t k) {
    ChoiceKey key;
    key.version = version();
    key.host = host_of(request);
    if (field.device) key.device = field.device->info().name;
    if (field.device) key.driver = field.device->info().driver;
    for (const Level *level : field.candidates)
        key.candidates += fmt::format("{}{}", key.candidates.empty() ? "" : " ", level->id);
    key.dimensions = dimensions;
    key.k = std::min(std::bit_ceil(k),
                     std::max<std::size_t>(1, std::bit_floor(most_floats / dimensions)));
    return key;
}

/// Nothing is remembered of kernels that somebody edits.
ChoiceCache cache_of(const LevelRequest &request) {
    if (!request.kernel_dir.empty()) return ChoiceCache({});
    return ChoiceCache(cache_folder(request));
}

LevelChoice choice_of(const Level &level, const Field &field, const LevelRequest &request) {
    return {&level, level.on_device ? field.device : nullptr, request.options};
}

/// What is known without measuring.
AutoStatus status_of(const LevelRequest &request, const Field &field, const ChoiceKey &key) {
    AutoStatus status{field.candidates, {}, {}};
    if (field.candidates.size() == 1) {
        status.choice = choice_of(*field.candidates.front(), field, request);
        return status;
    }
    const auto remembered = cache_of(request).find(key);
    if (!remembered) return status;
    const auto found = std::ranges::find(field.candidates, remembered->level, &Level::id);
    if (found == field.candidates.end()) return status;
    status.choice = choice_of(**found, field, request);
    status.measured = fmt::format("measured {} at {:.3g} GFLOP/s", excerpt(remembered->date),
                                  remembered->gigaflops);
    return status;
}

const Level &measure(const LevelRequest &request, const Field &field, const ChoiceKey &key) {
    const auto start = std::chrono::steady_clock::now();
    const auto speeds =
        calibrate({field.candidates, field.device, key.dimensions, key.k, request.options});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::string told;
    for (const LevelSpeed &speed : speeds)
        told +=
            fmt::format("{}{} {:.3g}", told.empty() ? "" : ", ", speed.level->id, speed.gigaflops);
    note(request, fmt::format("auto measured in {:.2f} s, GFLOP/s: {}", taken.count(), told));
    if (!request.kernel_dir.empty()) return *speeds.front().level;
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    if (const auto failure = cache_of(request).remember(
            key, {std::string(speeds.front().level->id), speeds.front().gigaflops,
                  fmt::format("{:%Y-%m-%d}", fmt::gmtime(now))}))
        note(request, fmt::format("auto will have to measure again: {}", *failure));
    return *speeds.front().level;
}

} // namespace

std::shared_ptr<Device> open_device(const LevelRequest &request) {
    auto device = std::make_shared<Device>(
        DeviceOptions{.selector = request.device, .kernel_dir = request.kernel_dir});
    warn_of_drivers(request, "; --kernel simd needs no driver");
    return device;
}

LevelChoice choose_auto(const LevelRequest &request, std::size_t dimensions, std::size_t k) {
    const Field field = advising_host_levels(
        [&] { return field_of(request, device_for_auto(request, find_gpu), dimensions, k); });
    const ChoiceKey key = key_of(request, field, dimensions, k);
    const AutoStatus known = status_of(request, field, key);
    if (!known.choice)
        return advising_host_levels(
            [&] { return choice_of(measure(request, field, key), field, request); });
    if (!known.measured.empty())
        note(request, fmt::format("auto is {}, {}", known.choice->name(), known.measured));
    return *known.choice;
}

AutoStatus survey_auto(const LevelRequest &request, std::size_t dimensions, std::size_t k) {
    const Field field = field_of(request, device_for_auto(request, find_gpu_afresh), dimensions, k);
    return status_of(request, field, key_of(request, field, dimensions, k));
}

} // namespace bowhist
