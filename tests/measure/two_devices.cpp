#include "tests/measure/two_devices.hpp"

#include "tests/measure/print_median.hpp"

#include <bowhist/assign/level.hpp>
#include <bowhist/core/default_floats.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/device_selection.hpp>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <chrono>

using namespace bowhist;

namespace {

/// Two of one name. @throws nothing; empty where there are none
std::string two_devices() {
    const std::vector<DeviceInfo> all = devices();
    for (const bool gpus : {true, false})
        for (const DeviceInfo &one : all)
            for (const DeviceInfo &other : all)
                if (one.number < other.number && one.name == other.name &&
                    (one.kind == DeviceKind::gpu) == gpus)
                    return fmt::format("{},{}", one.number, other.number);
    return {};
}

/// The last level that runs on the device.
std::string best_level(std::size_t number, std::size_t k) {
    const Device device({.selector = std::to_string(number)});
    std::string best;
    for (const Level &level : levels())
        if (level.on_device && !level.obstacle(&device, 64, k)) best = level.id;
    return best;
}

} // namespace

double seconds(const std::function<void()> &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void print_ratio(const std::vector<double> &one, const std::vector<double> &two) {
    std::vector<double> ratios;
    std::array<std::vector<double>, 2> milliseconds;
    for (std::size_t i = 0; i < one.size(); ++i) {
        ratios.push_back(one[i] / two[i]);
        milliseconds[0].push_back(1000 * one[i]);
        milliseconds[1].push_back(1000 * two[i]);
    }
    print("one device: milliseconds", milliseconds[0]);
    print("two devices: milliseconds", milliseconds[1]);
    print("ratio", ratios);
}

Descriptors made_rows(std::size_t rows, std::size_t dimensions) {
    Descriptors made{dimensions, std::vector<float>(rows * dimensions)};
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, made.values.size(), 1 << 16),
                      [&](const auto &range) {
                          for (std::size_t i = range.begin(); i < range.end(); ++i) {
                              std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15U;
                              x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
                              x ^= x >> 27;
                              int sum = 0;
                              for (int shift = 0; shift < 32; shift += 8)
                                  sum += static_cast<int>(x >> shift & 255);
                              made.values[i] = static_cast<float>(sum - 510) / 1024;
                          }
                      });
    return made;
}

std::string sha256(const std::filesystem::path &path) {
    FILE *const pipe = popen(("sha256sum '" + path.native() + "'").c_str(), "r");
    if (pipe == nullptr) return "no sha256sum here";
    std::array<char, 65> sum{};
    const std::size_t read = std::fread(sum.data(), 1, 64, pipe);
    pclose(pipe);
    return {sum.data(), read};
}

int with_two_devices(int count, char **arguments, std::size_t k,
                     const std::function<void(const TwoDevices &)> &measure) {
    TwoDevices run;
    std::string numbers = two_devices();
    std::filesystem::path parent = std::filesystem::temp_directory_path();
    for (int i = 1; i < count; ++i) {
        const std::string option = arguments[i];
        const std::string value = i + 1 < count ? arguments[i + 1] : "";
        if (option == "--quick") {
            run.quick = true;
            continue;
        }
        ++i;
        if (option == "--level")
            run.level = value;
        else if (option == "--devices")
            numbers = value;
        else if (option == "--folder")
            parent = value;
        else
            return 2;
    }
    if (!numbers.empty()) run.numbers = device_numbers(numbers);
    if (run.numbers.size() < 2) {
        fmt::print("skipped: there are no two devices here\n");
        return 77;
    }
    if (run.level.empty()) run.level = best_level(run.numbers[0], k);
    std::string folder = (parent / "two-devices-XXXXXX").native();
    if (mkdtemp(folder.data()) == nullptr) return 3;
    run.folder = folder;
    fmt::print("devices {}, {}\n", numbers, run.level);
    int status = 0;
    try {
        const DefaultFloats floats;
        measure(run);
    } catch (const std::exception &error) {
        fmt::print("failed: {}\n", error.what());
        status = 3;
    }
    std::filesystem::remove_all(folder);
    return status;
}
