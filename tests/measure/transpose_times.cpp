// What the transpose takes, every way of doing it, on the first device (a GPU if there is one):
// n x D floats to D x n, by OpenCL's events; median and range of nine, interleaved.
#include <bowhist/ops/transpose.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

using namespace bowhist;

namespace {

constexpr int rounds = 9;

double seconds_of(Device &device, const PointMajor &in, const Buffer<float> &out,
                  TransposeMethod method) {
    transpose(device, in, out, method);
    return device.take_launches().kernels.at("transpose").seconds;
}

void measure(Device &device, std::size_t rows, std::size_t dimensions) {
    const std::size_t size = rows * dimensions;
    const PointMajor in{device.allocate<float>(size), rows, dimensions};
    const Buffer<float> out = device.allocate<float>(size);
    device.fill(in.values, 1.0F, size);
    std::map<std::string_view, std::vector<double>> seconds;
    for (int round = -1; round < rounds; ++round) // the first warms up
        for (const TransposeChoice &choice : transpose_choices()) {
            if (choice.method == TransposeMethod::blocks && rows % 4 != 0) continue;
            const double taken = seconds_of(device, in, out, choice.method);
            if (round >= 0) seconds[choice.id].push_back(taken);
        }
    for (auto &[id, taken] : seconds) {
        std::ranges::sort(taken);
        const double median = taken[rounds / 2];
        fmt::print("{} x {}  {:8} {:9.3f} ms ({:.3f} … {:.3f})  {:8.1f} GB/s\n", rows, dimensions,
                   id, 1e3 * median, 1e3 * taken.front(), 1e3 * taken.back(),
                   2.0 * sizeof(float) * static_cast<double>(size) / median / 1e9);
    }
}

} // namespace

int main() {
    Device device{DeviceOptions{}};
    fmt::print("{}\n", device.info().name);
    for (const std::size_t rows : {65536, 65537, 1048576})
        for (const std::size_t dimensions : {64, 128}) measure(device, rows, dimensions);
}
