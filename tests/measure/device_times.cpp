// One device against two: a training whose rows stay on the devices, one whose rows are sent there
// in each iteration, and histograms of .fbin files that lie in the system's cache. In turn; medians
// with their range, their ratio, and SHA-256 of what came out, which must be the same.
//
//   device_times [--quick] [--level LEVEL] [--devices 0,1] [--folder DIR]
//
// Without --devices it takes the first two devices of one name, GPUs first, and ends with status 77
// where there are none. --quick is for devices that are CPUs.
#include "tests/measure/print_median.hpp"

#include <bowhist/core/default_floats.hpp>
#include <bowhist/device/device.hpp>
#include <bowhist/device/device_list.hpp>
#include <bowhist/pipeline/make_histograms.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>
#include <bowhist/train/word_search.hpp>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

using namespace bowhist;

namespace {

struct Sizes {
    std::size_t rows, k;
    int rounds, files;
};

struct Printer : Observer {
    void note(const std::string &line) override { fmt::print("   note: {}\n", line); }
    void warning(const std::string &line) override { fmt::print("   warning: {}\n", line); }
};

double seconds(const std::function<void()> &work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Nearly normal, the same everywhere: sums of the four bytes of a mixed number.
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

std::string sha256_of(std::span<const float> values, const std::filesystem::path &folder) {
    const auto path = folder / "values";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(values.data()),
               static_cast<std::streamsize>(values.size_bytes()));
    return sha256(path);
}

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

/// What two devices take beyond half of one's time, and how fast the host feeds them.
/// @param bytes  that the host sends in each round; 0: none
/// @param alone  seconds of the host's part without devices; 0: unknown
void print_limit(const std::vector<double> &one, const std::vector<double> &two, double bytes,
                 double alone) {
    const double seconds_one = median(one);
    const double seconds_two = median(two);
    fmt::print("   limits: of two devices' {:.1f} ms, {:.1f} ms are half of one's",
               1000 * seconds_two, 1000 * seconds_one / 2);
    if (bytes > 0)
        fmt::print("; the host feeds one by {:.1f} GB/s, two by {:.1f} GB/s",
                   bytes / seconds_one / 1e9, bytes / seconds_two / 1e9);
    if (alone > 0)
        fmt::print("; reading the files alone takes {:.1f} ms: {}", 1000 * alone,
                   alone > 0.8 * seconds_two ? "the host's reading limits" : "devices limit");
    if (bytes == 0) fmt::print("; the rest joins the sums on the host");
    fmt::print("\n");
}

LevelChoice choice_on(const std::string &level, std::span<const std::size_t> numbers,
                      Observer &observer) {
    LevelChoice all;
    for (const std::size_t number : numbers) {
        LevelChoice one =
            choice_of(find_level(level),
                      std::make_shared<Device>(DeviceOptions{.selector = std::to_string(number)}),
                      {.observer = &observer});
        if (all.level == nullptr)
            all = one;
        else
            all.others.push_back(one);
    }
    return all;
}

/// @param sends  no rows stay on a device
void measure_training(const char *title, const std::string &level,
                      const std::vector<std::size_t> &numbers, bool sends,
                      const Descriptors &descriptors, const Sizes &sizes,
                      const std::filesystem::path &folder, Observer &observer) {
    fmt::print("{}: {} rows of {}, {} words, seconds of an iteration\n", title, descriptors.size(),
               descriptors.dimensions, sizes.k);
    const RowsInMemory rows(descriptors);
    const std::size_t values = sizes.k * descriptors.dimensions;
    const Vocabulary start{descriptors.dimensions,
                           {descriptors.values.begin(),
                            descriptors.values.begin() + static_cast<std::ptrdiff_t>(values)}};
    CentroidSums sums(rows, sizes.k);
    std::array<std::vector<double>, 2> times;
    std::array<std::unique_ptr<WordSearch>, 2> searches;
    std::array<double, 2> inertia{};
    for (std::size_t devices = 0; devices < 2; ++devices)
        searches.at(devices) = make_word_search(
            rows, choice_on(level, std::span(numbers).first(devices + 1), observer), start,
            observer, true, sends ? std::optional<std::size_t>(0) : std::nullopt);
    constexpr int warm_up = 2;
    for (int round = 0; round < sizes.rounds + warm_up; ++round)
        for (std::size_t devices = 0; devices < 2; ++devices) {
            WordSearch &search = *searches.at(devices);
            const double taken = seconds([&] {
                inertia.at(devices) = search.run(sums).inertia;
                search.move(sums);
            });
            if (round >= warm_up) times.at(devices).push_back(taken);
        }
    print_ratio(times[0], times[1]);
    const double bytes = sends ? static_cast<double>(descriptors.values.size() * sizeof(float)) : 0;
    print_limit(times[0], times[1], bytes, 0);
    for (std::size_t devices = 0; devices < 2; ++devices)
        fmt::print("   {} device(s): inertia {:.17g}, words' SHA-256 {}\n", devices + 1,
                   inertia.at(devices),
                   sha256_of(searches.at(devices)->vocabulary().values, folder));
}

/// Files of equal numbers of descriptors.
std::vector<std::string> written_files(const Descriptors &descriptors, int files,
                                       const std::filesystem::path &folder) {
    std::vector<std::string> paths;
    const std::size_t each =
        descriptors.values.size() / static_cast<std::size_t>(files) / descriptors.dimensions;
    for (int file = 0; file < files; ++file) {
        const auto first = descriptors.values.begin() +
                           static_cast<std::ptrdiff_t>(static_cast<std::size_t>(file) * each *
                                                       descriptors.dimensions);
        const auto count = static_cast<std::ptrdiff_t>(each * descriptors.dimensions);
        paths.push_back(folder / fmt::format("{:03}.fbin", file));
        write_descriptors(paths.back(), {descriptors.dimensions, {first, first + count}});
    }
    return paths;
}

void write_words(const std::filesystem::path &path, const Descriptors &descriptors, std::size_t k) {
    std::ofstream centroids(path, std::ios::binary);
    for (const std::size_t number : {k, descriptors.dimensions}) {
        const auto written = static_cast<std::uint32_t>(number);
        centroids.write(reinterpret_cast<const char *>(&written), sizeof(written));
    }
    centroids.write(reinterpret_cast<const char *>(descriptors.values.data()),
                    static_cast<std::streamsize>(k * descriptors.dimensions * sizeof(float)));
}

/// @param files  the first one is small: a run of it alone is the start
void measure_histograms(const std::string &level, const std::vector<std::size_t> &numbers,
                        const std::vector<std::string> &files, double bytes, std::size_t k,
                        int rounds, const std::filesystem::path &folder, Observer &observer) {
    fmt::print("histograms of {} .fbin files, {:.2f} GB in all, {} words\n", files.size(),
               bytes / 1e9, k);
    HistogramRequest request;
    request.centroids = folder / "c.bin";
    request.level.level = level;
    std::array<std::vector<double>, 2> times;
    std::array<std::vector<double>, 2> starts;
    std::array<std::string, 2> sums;
    for (int round = 0; round <= rounds; ++round)
        for (std::size_t devices = 0; devices < 2; ++devices) {
            request.level.device = std::to_string(numbers[0]);
            if (devices == 1) request.level.device += "," + std::to_string(numbers[1]);
            request.output = folder / fmt::format("h{}.fbin", devices + 1);
            request.inputs.arguments = {files.front()};
            const double start = seconds([&] { make_histograms(request, observer); });
            request.inputs.arguments = files;
            const double taken = seconds([&] { make_histograms(request, observer); });
            if (round > 0) starts.at(devices).push_back(1000 * start);
            if (round > 0) times.at(devices).push_back(taken);
            sums.at(devices) = sha256(request.output);
        }
    print_ratio(times[0], times[1]);
    print("one device's start: milliseconds", starts[0]);
    print("two devices' start: milliseconds", starts[1]);
    std::vector<double> ratios;
    for (std::size_t i = 0; i < times[0].size(); ++i)
        ratios.push_back((times[0][i] - starts[0][i] / 1000) / (times[1][i] - starts[1][i] / 1000));
    print("ratio beyond the start", ratios);
    std::vector<double> reading;
    for (int round = 0; round < 3; ++round)
        reading.push_back(seconds([&] {
            tbb::parallel_for(std::size_t{0}, files.size(),
                              [&](std::size_t i) { read_descriptors(files[i]); });
        }));
    print_limit(times[0], times[1], bytes, median(reading));
    for (std::size_t devices = 0; devices < 2; ++devices)
        fmt::print("   {} device(s): SHA-256 {}\n", devices + 1, sums.at(devices));
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

int main(int count, char **arguments) {
    bool quick = false;
    std::string level;
    std::string numbers_of = two_devices();
    std::filesystem::path parent = std::filesystem::temp_directory_path();
    for (int i = 1; i < count; ++i) {
        const std::string option = arguments[i];
        const std::string value = i + 1 < count ? arguments[i + 1] : "";
        if (option == "--quick") {
            quick = true;
            continue;
        }
        ++i;
        if (option == "--level")
            level = value;
        else if (option == "--devices")
            numbers_of = value;
        else if (option == "--folder")
            parent = value;
        else
            return 2;
    }
    if (numbers_of.empty()) {
        fmt::print("skipped: there are no two devices of one name here\n");
        return 77;
    }
    const std::vector<std::size_t> numbers = device_numbers(numbers_of);
    if (numbers.size() < 2) {
        fmt::print("skipped: {} is a single device\n", numbers_of);
        return 77;
    }
    const Sizes sizes =
        quick ? Sizes{std::size_t{1} << 16, 256, 3, 16} : Sizes{std::size_t{1} << 24, 16384, 7, 64};
    if (level.empty()) level = best_level(numbers[0], sizes.k);
    std::string folder = (parent / "device-times-XXXXXX").native();
    if (mkdtemp(folder.data()) == nullptr) return 3;
    Printer observer;
    fmt::print("devices {}, {}\n", numbers_of, level);
    int status = 0;
    try {
        const DefaultFloats floats;
        const Descriptors descriptors = made_rows(sizes.rows, 64);
        const auto train = [&](const char *title, bool sends, std::size_t k) {
            measure_training(title, level, numbers, sends, descriptors,
                             {sizes.rows, k, sizes.rounds, sizes.files}, folder, observer);
        };
        train("training, rows on the devices", false, sizes.k);
        for (const std::size_t k : {sizes.k, 4 * sizes.k})
            train("training, rows sent in each iteration", true, k);
        Observer silent;
        std::vector<std::string> files = written_files(descriptors, sizes.files, folder);
        const std::string first = std::filesystem::path(folder) / "first.fbin";
        write_descriptors(first,
                          {64, {descriptors.values.begin(), descriptors.values.begin() + 64}});
        files.insert(files.begin(), first);
        const auto bytes = static_cast<double>(descriptors.values.size() * sizeof(float));
        for (const std::size_t k : {sizes.k, 8 * sizes.k, 64 * sizes.k}) {
            write_words(std::filesystem::path(folder) / "c.bin", descriptors, k);
            measure_histograms(level, numbers, files, bytes, k, sizes.rounds, folder, silent);
        }
    } catch (const std::exception &error) {
        fmt::print("failed: {}\n", error.what());
        status = 3;
    }
    std::filesystem::remove_all(folder);
    return status;
}
