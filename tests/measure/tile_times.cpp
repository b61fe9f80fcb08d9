// What gpu6's tiles take in every shape of its table and in others that were tried, on the first
// device (a GPU if there is one), by OpenCL's events; median and range of seven, interleaved.
//
//     tile_times [N] [D]
//
// A shape for the other kind of device is left out. Words that differ between shapes end it.
#include <bowhist/assign/device/integer_tile_screen.hpp>
#include <bowhist/assign/device/tile_screen.hpp>
#include <bowhist/assign/level.hpp>
#include <bowhist/bench/measurement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

using namespace bowhist;

namespace {

constexpr int rounds = 7;

const TileShape tried[] = {
    group_tiles("128x128, 8x8 a work-item", 16, 16, 8, 8),
    group_tiles("128x64, 8x8 a work-item", 16, 8, 8, 8),
    group_tiles("128x256, 8x16 a work-item", 16, 16, 16, 8),
    group_tiles("64x128, 8x16 a work-item", 8, 8, 16, 8),
    group_tiles("128x128, slices of 16", 16, 8, 16, 16),
    lane_tiles("16 lanes x 8", 8, 1),
    lane_tiles("16 lanes x 12", 12, 1),
    lane_tiles("16 lanes x 24", 24, 1),
};

std::vector<float> normal(std::size_t size, unsigned seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> distribution;
    std::vector<float> values(size);
    for (float &value : values) value = distribution(engine);
    return values;
}

struct TimedShape {
    TileShape shape;
    std::unique_ptr<DeviceScreen> screen;
    std::vector<double> seconds = {};
};

std::unique_ptr<DeviceScreen> make_screen(const std::shared_ptr<Device> &device,
                                          const TileShape &shape, const Vocabulary &vocabulary,
                                          const Buffer<float> &centroids) {
    if (!shape.integers)
        return std::make_unique<TileScreen>(device, shape, vocabulary, AssignOptions{});
    if (!device->info().avx512_vnni) return nullptr;
    return make_integer_tile_screen(device, shape, vocabulary, centroids, {});
}

std::vector<TimedShape> candidates(const std::shared_ptr<Device> &device,
                                   const Vocabulary &vocabulary) {
    std::vector<TileShape> shapes(tile_shapes().begin(), tile_shapes().end());
    shapes.insert(shapes.end(), std::begin(tried), std::end(tried));
    const auto centroids = device->allocate<float>(vocabulary.values.size());
    device->upload<float>(centroids, vocabulary.values);
    std::vector<TimedShape> fitting;
    for (const TileShape &shape : shapes)
        if (shape.for_cpu == (device->info().kind == DeviceKind::cpu) &&
            shape.group <= device->limits().work_group_size &&
            shape.local_bytes <= device->limits().local_bytes &&
            vocabulary.dimensions <= shape.most_dimensions)
            if (auto screen = make_screen(device, shape, vocabulary, centroids))
                fitting.push_back({shape, std::move(screen)});
    return fitting;
}

/// Words by one launch; the seconds it took are added to the candidate's.
std::vector<cl_int> run(Device &device, TimedShape &candidate, const DeviceDescriptors &x,
                        const DeviceWords &found) {
    device.fill<cl_uint>(found.unproven, 0, 1);
    device.fill<cl_int>(found.words, -1, found.words.size);
    device.take_launches();
    candidate.screen->run(x, found);
    candidate.seconds.push_back(device.take_launches().kernels.at("assign").seconds);
    return downloaded(device, found.words);
}

/// Shapes may differ in what they prove, never in a word that they prove.
bool contradict(const std::vector<cl_int> &a, const std::vector<cl_int> &b) {
    for (std::size_t row = 0; row < a.size(); ++row)
        if (a[row] >= 0 && b[row] >= 0 && a[row] != b[row]) return true;
    return false;
}

bool measure(const std::shared_ptr<Device> &device, const DeviceDescriptors &x,
             const DeviceWords &found, const Vocabulary &vocabulary) {
    const std::size_t n = x.capacity;
    auto all = candidates(device, vocabulary);
    const std::vector<cl_int> words = run(*device, all.front(), x, found);
    for (int round = -1; round < rounds; ++round) // the first warms up
        for (TimedShape &candidate : all) {
            if (round == 0) candidate.seconds.clear();
            if (contradict(run(*device, candidate, x, found), words)) {
                fmt::print("{}: wrong words\n", candidate.shape.name);
                return false;
            }
        }
    for (auto &[shape, screen, seconds] : all) {
        const Spread took = spread_of(seconds);
        const double operations = 2.0 * static_cast<double>(n * vocabulary.values.size());
        fmt::print("k {:6}  {:26} {:9.3f} ms ({:.3f} … {:.3f})  {:8.3f} TFLOP/s\n",
                   vocabulary.size(), shape.name, 1e3 * took.median, 1e3 * took.least,
                   1e3 * took.most, operations / took.median * 1e-12);
    }
    return true;
}

} // namespace

int main(int count, char **arguments) {
    const auto device = std::make_shared<Device>(DeviceOptions{});
    const bool gpu = device->info().kind != DeviceKind::cpu;
    const std::size_t n = count > 1 ? std::strtoul(arguments[1], nullptr, 10)
                          : gpu     ? 1U << 20
                                    : 1U << 14;
    const std::size_t dimensions = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 64;
    fmt::print("{}, n = {}, D = {}\n", device->info().name, n, dimensions);
    const std::vector<float> values = normal(n * dimensions, 1);
    for (const std::size_t k : {64, 256, 1024, 4096}) {
        const DeviceDescriptors x{device->allocate<float>(n * dimensions),
                                  device->allocate<cl_uint>(n), device->allocate<cl_uint>(1), n,
                                  dimensions};
        const DeviceWords found{device->allocate<cl_int>(n), device->allocate<cl_uint>(k),
                                device->allocate<cl_uint>(n + 1)};
        device->upload<float>(x.values, values);
        device->fill<cl_uint>(x.bag, 0, n);
        device->fill<cl_uint>(x.count, static_cast<cl_uint>(n), 1);
        device->fill<cl_uint>(found.histograms, 0, k);
        if (!measure(device, x, found, {dimensions, normal(k * dimensions, 2)}))
            return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
