// An iteration of a training whose descriptors are sent to the device each time, beside one whose
// descriptors stay there, if they have room. In turn, each the second of two, since descriptors are
// sent ahead while the other search runs; medians of the rounds, with their range.
//
//   stream_times ROWS WORDS LEVEL DEVICE [ROUNDS [PART_ROWS [KEPT_BYTES]]]    rows of 64 floats
//
// KEPT_BYTES of those that are sent may stay (0); three parts of PART_ROWS (2^20) lie there, too.
#include "tests/measure/print_median.hpp"

#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/assign/choose/synthetic.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/train/device_word_search.hpp>

#include <chrono>
#include <string>

using namespace bowhist;

namespace {

constexpr std::size_t dimensions = 64;

double seconds(WordSearch &search, CentroidSums &sums, Iteration &found) {
    search.run(sums);
    search.move(sums);
    const auto start = std::chrono::steady_clock::now();
    found = search.run(sums);
    search.move(sums);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int main(int count, char **arguments) {
    if (count < 5) return 2;
    const std::size_t n = std::stoull(arguments[1]);
    const std::size_t k = std::stoull(arguments[2]);
    const int rounds = count > 5 ? std::stoi(arguments[5]) : 5;
    const std::size_t part = count > 6 ? std::stoull(arguments[6]) : std::size_t{1} << 20;
    const Descriptors descriptors = synthetic_descriptors({}, n, dimensions);
    const RowsInMemory rows(descriptors);
    const Vocabulary vocabulary = rows_as_vocabulary(descriptors, k, 1);
    const LevelChoice level =
        choose_level({.level = arguments[3], .device = arguments[4]}, dimensions, k);
    CentroidSums sums(rows, k);
    const std::size_t kept = count > 7 ? std::stoull(arguments[7]) : 0;
    DeviceWordSearch sent(rows, level.prepare(vocabulary), part, kept);
    std::unique_ptr<DeviceWordSearch> staying;
    try {
        staying = std::make_unique<DeviceWordSearch>(rows, level.prepare(vocabulary));
    } catch (const OutOfMemory &error) {
        std::printf("all rows have no room: %s\n", error.what());
    }
    std::vector<double> sending, stayed;
    for (int round = 0; round <= rounds; ++round) {
        Iteration found, other;
        const double first = seconds(sent, sums, found);
        const double second = staying ? seconds(*staying, sums, other) : 0;
        std::printf("iteration %d: inertia %.9g, %zu moved, %zu empty%s\n", round, found.inertia,
                    found.moved, found.empty,
                    staying && found != other ? "; the other search DIFFERS" : "");
        if (round == 0) continue; // warms up
        sending.push_back(first);
        if (staying) stayed.push_back(second);
    }
    std::printf("%zu rows, %zu words, %s; seconds an iteration\n", n, k, level.name().c_str());
    print("sent in each iteration", sending);
    if (staying) print("staying", stayed);
    for (const auto &[kernel, time] : sent.report().kernels)
        std::printf("   %-28s %8.3f seconds, %zu launches in all\n", kernel.c_str(), time.seconds,
                    time.launches);
    return 0;
}
