// Histograms of .fbin files that lie in the system's cache, by one device and by two, in turn:
// medians with their range, their ratio, also beyond the start, and SHA-256 of the histograms,
// which must be the same.
//
//   device_histogram_times [--quick] [--level LEVEL] [--devices 0,1] [--folder DIR]
#include "tests/measure/print_median.hpp"
#include "tests/measure/two_devices.hpp"

#include <bowhist/pipeline/make_histograms.hpp>
#include <bowhist/tables/descriptors/descriptor_file.hpp>

#include <tbb/parallel_for.h>

#include <array>
#include <fstream>

using namespace bowhist;

namespace {

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
/// @param bytes  of all files
void measure(const TwoDevices &run, const std::vector<std::string> &files, double bytes,
             std::size_t k, int rounds) {
    Observer observer;
    fmt::print("histograms of {} .fbin files, {:.2f} GB in all, {} words\n", files.size(),
               bytes / 1e9, k);
    HistogramRequest request;
    request.centroids = run.folder / "c.bin";
    request.level.level = run.level;
    std::array<std::vector<double>, 2> times;
    std::array<std::vector<double>, 2> starts;
    std::array<std::string, 2> sums;
    for (int round = 0; round <= rounds; ++round)
        for (std::size_t devices = 0; devices < 2; ++devices) {
            request.level.device = std::to_string(run.numbers[0]);
            if (devices == 1) request.level.device += "," + std::to_string(run.numbers[1]);
            request.output = run.folder / fmt::format("h{}.fbin", devices + 1);
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
    fmt::print("   reading the files alone takes {:.1f} ms\n", 1000 * median(reading));
    for (std::size_t devices = 0; devices < 2; ++devices)
        fmt::print("   {} device(s): SHA-256 {}\n", devices + 1, sums.at(devices));
}

} // namespace

int main(int count, char **arguments) {
    constexpr std::size_t k = 16384;
    return with_two_devices(count, arguments, k, [](const TwoDevices &run) {
        const Descriptors rows = made_rows(std::size_t{1} << (run.quick ? 16 : 24), 64);
        std::vector<std::string> files = written_files(rows, run.quick ? 16 : 64, run.folder);
        const std::string first = run.folder / "first.fbin";
        write_descriptors(first, {64, {rows.values.begin(), rows.values.begin() + 64}});
        files.insert(files.begin(), first);
        const auto bytes = static_cast<double>(rows.values.size() * sizeof(float));
        const std::vector<std::size_t> words =
            run.quick ? std::vector<std::size_t>{256} : std::vector<std::size_t>{k, 8 * k, 64 * k};
        for (const std::size_t some : words) {
            write_words(run.folder / "c.bin", rows, some);
            measure(run, files, bytes, some, run.quick ? 3 : 5);
        }
    });
}
