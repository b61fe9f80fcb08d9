// What the image operations take beside OpenCV's own: 2048 x 2048 pixels, two threads each.
//
//     operations_against_opencv [--cpu-time] [ROUNDS]
//
// Interleaved: each round times every operation, ours then theirs; medians and ranges of the ratios
// within a round. Wall clock, with a wait for the device's queue; --cpu-time counts the processor
// time of all threads instead, for machines that others use, too. Device 0 that is a CPU (PoCL;
// POCL_MAX_PTHREAD_COUNT=2 holds it to two threads where there are more cores).
#include "bench/measurement.hpp"
#include "tests/measure/operation_pairs.hpp"

#include <fmt/format.h>
#include <opencv2/core.hpp>

#include <ctime>
#include <string_view>

using namespace bowhist;
using namespace bowhist::measure;

namespace {

double seconds_now(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_of(clockid_t clock, const std::function<void()> &run) {
    const double start = seconds_now(clock);
    run();
    return seconds_now(clock) - start;
}

struct Times {
    std::vector<double> ours;
    std::vector<double> theirs;
    std::vector<double> ratio;
};

void print(const std::string &name, const Times &times) {
    const Spread ratio = spread_of(times.ratio);
    fmt::print("{:34} {:8.2f} {:8.2f} {:8.2f} ({:.2f} … {:.2f})\n", name,
               1e3 * spread_of(times.ours).median, 1e3 * spread_of(times.theirs).median,
               ratio.median, ratio.least, ratio.most);
}

} // namespace

int main(int argc, char **argv) {
    clockid_t clock = CLOCK_MONOTONIC;
    int rounds = 15;
    for (int i = 1; i < argc; ++i)
        if (argv[i] == std::string_view("--cpu-time"))
            clock = CLOCK_PROCESS_CPUTIME_ID;
        else
            rounds = std::max(std::atoi(argv[i]), 1);

    cv::setNumThreads(2);
    Device device({.selector = "cpu"});
    const std::vector<OperationPair> pairs = operation_pairs(device);
    std::vector<Times> times(pairs.size());
    for (int round = -2; round < rounds; ++round) // two to warm up
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const double ours = seconds_of(clock, [&] {
                pairs[i].ours();
                device.take_launches(); // waits
            });
            const double theirs = seconds_of(clock, pairs[i].theirs);
            if (round < 0) continue;
            times[i].ours.push_back(ours);
            times[i].theirs.push_back(theirs);
            times[i].ratio.push_back(ours / theirs);
        }
    fmt::print("{}, {} rounds, {}\n", device.info().name, rounds,
               clock == CLOCK_MONOTONIC ? "wall clock" : "processor time");
    fmt::print("{:34} {:>8} {:>8} {:>8}\n", "2048 x 2048, milliseconds", "ours", "OpenCV", "ratio");
    for (std::size_t i = 0; i < pairs.size(); ++i) print(pairs[i].name, times[i]);
}
