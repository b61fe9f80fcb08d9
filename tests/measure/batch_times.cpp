// A library call by the wall: n descriptors in a plain std::vector become words in another.
//
//   batch_times LEVEL [DEVICE] [N] [K]      medians of 9 runs after 2, with their range
#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/bench/measurement.hpp>

#include <fmt/format.h>

#include <chrono>
#include <random>

using namespace bowhist;

namespace {

constexpr std::size_t dimensions = 64;

std::vector<float> random_floats(std::size_t count) {
    std::mt19937 random(1);
    std::vector<float> values(count);
    for (float &value : values) value = std::ldexp(static_cast<float>(random() >> 8), -24);
    return values;
}

} // namespace

int main(int count, char **arguments) {
    const auto argument = [&](int i, const char *otherwise) {
        return std::string(count > i ? arguments[i] : otherwise);
    };
    const std::size_t n = std::stoul(argument(3, "1048576"));
    const std::size_t k = std::stoul(argument(4, "1024"));
    const LevelChoice level =
        choose_level({.level = argument(1, "auto"), .device = argument(2, "")}, dimensions, k);
    const auto assigner = level.prepare({dimensions, random_floats(k * dimensions)});
    const std::vector<float> values = random_floats(n * dimensions);
    std::vector<double> wall;
    double kernels = 0;
    for (int run = 0; run < 11; ++run) {
        const double before = assigner->report().device_seconds;
        const auto start = std::chrono::steady_clock::now();
        const Assignment found = assigner->run({values, {}, 1});
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - start;
        if (found.words.size() != n) return 1;
        if (run >= 2) wall.push_back(taken.count());
        kernels = 1e3 * (assigner->report().device_seconds - before);
    }
    const Spread took = spread_of(wall);
    fmt::print("{}: {} descriptors, {} words: {:.2f} ms ({:.2f} ... {:.2f}), kernels {:.2f} ms\n",
               level.name(), n, k, took.median, took.least, took.most, kernels);
}
