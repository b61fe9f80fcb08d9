// Pictures that lie on a device become histograms there: descriptors, then words. By events and by
// the wall, kernel by kernel; medians of 9 rounds, with their range.
//
//   pixel_times [LEVEL [DEVICE [PICTURES [SIDE [K [EXTRACTOR]]]]]]
#include "tests/measure/print_median.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/assign/device/device_assigner.hpp>
#include <bowhist/bench/blobs.hpp>
#include <bowhist/extract/device/device_extractor.hpp>
#include <bowhist/extract/extractor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

using namespace bowhist;

int main(int argc, char **argv) {
    const auto argument = [&](int i, const char *otherwise) {
        return std::string(argc > i ? argv[i] : otherwise);
    };
    const auto count = std::stoul(argument(3, "32"));
    const int side = std::stoi(argument(4, "1000"));
    const auto k = std::stoul(argument(5, "1024"));
    std::vector<Image> images;
    for (unsigned i = 0; i < count; ++i) images.push_back(blobs(side, side, i % 4));
    const Recipe recipe = completed({.extractor = argument(6, "dense")});
    const auto host = make_extractor(recipe);
    const Descriptors sample = host->extract(images[0]);
    Vocabulary vocabulary{sample.dimensions, {}};
    for (std::size_t word = 0; word < k; ++word) {
        const auto row = sample.row(word * 31 % sample.size());
        vocabulary.values.insert(vocabulary.values.end(), row.begin(), row.end());
    }
    const LevelChoice level =
        choose_level({.level = argument(1, "gpu7"), .device = argument(2, "gpu")}, 64, k);
    const auto assigner = level.prepare(vocabulary);
    DeviceSearch &search = assigner->on_device()->search();
    Device &device = *level.device();

    const DevicePictures pictures = upload_pictures(device, images);
    const auto extractor = make_device_extractor(level.device(), recipe);
    extract_all(device, *extractor, pictures);
    const auto histograms = device.allocate<cl_uint>(count * k);
    DeviceWords found{{}, histograms, {}};
    const double gigapixels = 1e-9 * static_cast<double>(pictures.pixels.size);
    std::vector<double> wall, span;
    std::map<std::string, std::vector<double>> kernels;
    std::vector<cl_uint> counts(count * k);
    for (int round = 0; round < 11; ++round) {
        device.take_launches();
        const auto start = std::chrono::steady_clock::now();
        device.fill<cl_uint>(histograms, 0, count * k);
        const DeviceDescriptors &x = extractor->extract(pictures);
        if (found.words.size < x.capacity) {
            found.words = device.allocate<cl_int>(x.capacity);
            found.unproven = device.allocate<cl_uint>(x.capacity + 1);
        }
        search.assign(x, found);
        device.download(std::span(counts), histograms);
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        const LaunchLog log = device.take_launches();
        if (round < 2) continue;
        wall.push_back(gigapixels / time.count());
        span.push_back(gigapixels / log.span_seconds);
        for (const auto &[label, total] : log.kernels)
            kernels[label].push_back(1e6 * total.seconds / static_cast<double>(count));
    }
    const Descriptors expected = host->extract(images[0]);
    std::size_t sum = 0;
    for (std::size_t word = 0; word < k; ++word) sum += counts[word];
    fmt::print(
        "{}, {}: {} pictures of {}x{}, k = {}; {} descriptors of the first, {} on the host\n",
        recipe.extractor, level.name(), count, side, side, k, sum, expected.size());
    print("gigapixels/s by the wall", wall);
    print("gigapixels/s by events", span);
    for (const auto &[label, times] : kernels) print((label + ", us per picture").c_str(), times);
    return sum == expected.size() ? 0 : 1;
}
