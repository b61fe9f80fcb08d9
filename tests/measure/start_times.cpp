// How long the start of a training takes, and its iterations, with what empty words cost, on drawn
// rows of 64 floats.
//
//   start_times ROWS WORDS LEVEL DEVICE [ITERATIONS [START]]
//
// 50 000 000 rows and 1 048 576 words take 13 GB of the host's memory, and of the device's.
#include "tests/measure/print_median.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/train/kmeans.hpp>
#include <bowhist/train/seeding.hpp>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

using namespace bowhist;

namespace {

constexpr std::size_t dimensions = 64;

using Clock = std::chrono::steady_clock;

double since(Clock::time_point &start) {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - start).count();
    start = now;
    return seconds;
}

/// Prints when each iteration ends: the first one follows the start, and prepares the device.
class Stopwatch : public Observer {
  public:
    void note(const std::string &line) override {
        const double seconds = since(start_);
        std::printf("%8.2f s  %s\n", seconds, line.c_str());
        std::fflush(stdout);
        if (line.starts_with("seed")) iterations.push_back(seconds);
    }
    void warning(const std::string &line) override { note("warning: " + line); }
    void begin() { start_ = Clock::now(); }

    std::vector<double> iterations;

  private:
    Clock::time_point start_ = Clock::now();
};

Start start_named(const std::string &name) {
    for (const Start start : starts)
        if (name == name_of(start)) return start;
    throw Error(Fault::usage, "START is sampled, greedy or random");
}

int measure(int count, char **arguments) {
    const std::size_t n = std::stoull(arguments[1]);
    const std::size_t k = std::stoull(arguments[2]);
    const int iterations = count > 5 ? std::stoi(arguments[5]) : 20;
    const Start start = start_named(count > 6 ? arguments[6] : "sampled");
    auto clock = Clock::now();
    const Descriptors descriptors = synthetic_descriptors({}, n, dimensions);
    std::printf("%8.2f s  to draw %zu rows\n", since(clock), n);
    const LevelChoice level =
        choose_level({.level = arguments[3], .device = arguments[4]}, dimensions, k);
    std::printf("%8.2f s  to open %s\n", since(clock), level.name().c_str());
    Stopwatch stopwatch;
    std::vector<double> starting;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        since(clock);
        start_centroids(RowsInMemory(descriptors), k, start, seed, stopwatch, level.device().get());
        starting.push_back(since(clock));
        std::printf("%8.2f s  the start of %zu words, seed %d\n", starting.back(), k,
                    static_cast<int>(seed));
        std::fflush(stdout);
    }
    stopwatch.begin();
    since(clock);
    train(descriptors, {.k = k, .iterations = iterations, .start = start}, level, stopwatch);
    std::printf("%8.2f s  the whole training, %d iterations\n", since(clock), iterations);
    print("the start", starting);
    if (stopwatch.iterations.size() > 1) {
        stopwatch.iterations.erase(stopwatch.iterations.begin()); // with the start
        print("an iteration", stopwatch.iterations);
    }
    return 0;
}

} // namespace

int main(int count, char **arguments) {
    if (count < 5) return 2;
    try {
        return measure(count, arguments);
    } catch (const Error &error) {
        std::fprintf(stderr, "start_times: %s\n", error.what());
        return 3;
    }
}
