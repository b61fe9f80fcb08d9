// The graph of 10 nearest neighbors of codes, on the host and on a device: whether it is the same,
// and seconds, from codes in memory to lists in memory. In turn; medians, with their range.
//
//   graph_times ROWS ROUNDS WAY...     a way is host, plain, dot or matrix
//   (group/device_neighbors.hpp)
//
// Codes have 128 values around 2000 centers, in which neighbors of rows are found as in images. The
// first round is not counted: it builds kernels.
#include "tests/measure/print_median.hpp"

#include <bowhist/device/device.hpp>
#include <bowhist/group/device_neighbors.hpp>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <map>
#include <random>
#include <string>

using namespace bowhist;

namespace {

constexpr std::size_t dimensions = 128;
constexpr std::size_t centers = 2000;

std::vector<float> drawn(std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(dimensions);
    for (float &value : values) value = normal(engine);
    return values;
}

/// A center and noise, the largest component brought to 127, as codes of images are.
IntegerRows drawn_codes(std::size_t count) {
    IntegerRows codes{dimensions, std::vector<std::int16_t>(count * dimensions)};
    std::vector<std::vector<float>> around;
    for (std::size_t i = 0; i < centers; ++i) around.push_back(drawn(i));
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t row) {
        std::vector<float> values = drawn(centers + row);
        const std::vector<float> &center = around[row * 7919 / 31 % centers];
        float largest = 0;
        for (std::size_t i = 0; i < dimensions; ++i) {
            values[i] += center[i];
            largest = std::max(largest, std::abs(values[i]));
        }
        for (std::size_t i = 0; i < dimensions; ++i)
            codes.values[row * dimensions + i] =
                static_cast<std::int16_t>(std::lrint(values[i] / largest * 127));
    });
    return codes;
}

/// FNV-1a of the lists.
std::uint64_t fingerprint(const Neighbors &neighbors) {
    std::uint64_t hash = 14695981039346656037U;
    const auto add = [&](std::uint32_t value) {
        for (int i = 0; i < 4; ++i, value >>= 8) hash = (hash ^ (value & 255)) * 1099511628211U;
    };
    for (const Neighbor &one : neighbors.all) {
        add(one.row);
        add(static_cast<std::uint32_t>(one.product));
    }
    return hash;
}

struct Notes : Observer {
    void note(const std::string &line) override { fmt::print("   {}\n", line); }
    void warning(const std::string &line) override { fmt::print("   warning: {}\n", line); }
};

Neighbors found(const std::string &way, const IntegerRows &codes, Device *device, Notes &notes) {
    if (way == "host") return nearest_neighbors(codes, 10, notes);
    const CodeProducts products = way == "matrix" ? CodeProducts::matrix
                                  : way == "dot"  ? CodeProducts::dot
                                                  : CodeProducts::plain;
    return device_neighbors(codes, 10, notes, *device, products);
}

} // namespace

int main(int count, char **arguments) {
    if (count < 4) return 2;
    const IntegerRows codes = drawn_codes(std::stoul(arguments[1]));
    if (std::string(arguments[2]) == "save") {
        std::ofstream file(arguments[3], std::ios::binary);
        for (const std::int16_t value : codes.values) file.put(static_cast<char>(value));
        return file.good() ? 0 : 1;
    }
    const int rounds = std::stoi(arguments[2]);
    const std::vector<std::string> ways(arguments + 3, arguments + count);
    std::unique_ptr<Device> device;
    if (ways != std::vector<std::string>{"host"}) {
        device = std::make_unique<Device>(DeviceOptions{});
        const auto best = best_products(*device, dimensions);
        fmt::print("{} (driver {}): the best way that agrees with the host is {}\n",
                   device->info().name, device->info().driver, best ? name_of(*best) : "none");
    }
    std::map<std::string, std::vector<double>> seconds;
    std::map<std::string, std::uint64_t> lists;
    Notes notes;
    for (int round = 0; round <= rounds; ++round)
        for (const std::string &way : ways) {
            const auto start = std::chrono::steady_clock::now();
            try {
                const Neighbors neighbors = found(way, codes, device.get(), notes);
                const std::chrono::duration<double> taken =
                    std::chrono::steady_clock::now() - start;
                if (round > 0) seconds[way].push_back(taken.count());
                lists[way] = fingerprint(neighbors);
            } catch (const Error &error) {
                fmt::print("{}: {}\n{}\n", way, error.what(), error.detail);
            }
            std::fflush(stdout);
        }
    fmt::print("{} codes of {} values, 10 neighbors; seconds\n", codes.size(), dimensions);
    std::fflush(stdout);
    for (const auto &[way, values] : seconds)
        if (!values.empty()) print(way.c_str(), values);
    for (const auto &[way, hash] : lists) fmt::print("   {:28} {:016x}\n", way, hash);
    const bool same = std::ranges::all_of(
        lists, [&](const auto &one) { return one.second == lists.begin()->second; });
    fmt::print("{}\n", same && lists.size() == ways.size() ? "all the same" : "THEY DIFFER");
    return same ? 0 : 1;
}
