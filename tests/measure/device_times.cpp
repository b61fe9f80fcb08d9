// A training on one device and on two, in turn: descriptors stay on the devices, or are sent there
// in each iteration. Medians with their range, their ratio, and SHA-256 of the words, which must be
// the same. Where descriptors are sent, a round has several iterations: what is sent ahead in one
// is read by the next.
//
//   device_times [--quick] [--level LEVEL] [--devices 0,1] [--folder DIR]
#include "tests/measure/two_devices.hpp"

#include <bowhist/device/device.hpp>
#include <bowhist/train/word_search.hpp>

#include <array>
#include <fstream>

using namespace bowhist;

namespace {

std::string sha256_of(std::span<const float> values, const std::filesystem::path &folder) {
    const auto path = folder / "values";
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char *>(values.data()),
               static_cast<std::streamsize>(values.size_bytes()));
    return sha256(path);
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
void measure(const char *title, const TwoDevices &run, bool sends, const Descriptors &descriptors,
             std::size_t k) {
    Printer observer;
    fmt::print("{}: {} rows of {}, {} words, seconds of an iteration\n", title, descriptors.size(),
               descriptors.dimensions, k);
    const RowsInMemory rows(descriptors);
    const std::size_t values = k * descriptors.dimensions;
    const Vocabulary start{descriptors.dimensions,
                           {descriptors.values.begin(),
                            descriptors.values.begin() + static_cast<std::ptrdiff_t>(values)}};
    CentroidSums sums(rows, k);
    std::array<std::vector<double>, 2> times;
    std::array<std::unique_ptr<WordSearch>, 2> searches;
    std::array<double, 2> inertia{};
    for (std::size_t devices = 0; devices < 2; ++devices)
        searches.at(devices) = make_word_search(
            rows, choice_on(run.level, std::span(run.numbers).first(devices + 1), observer), start,
            observer, true, sends ? std::optional<std::size_t>(0) : std::nullopt);
    constexpr int warm_up = 2;
    for (int round = 0; round < (run.quick ? 3 : 7) + warm_up; ++round)
        for (std::size_t devices = 0; devices < 2; ++devices) {
            WordSearch &search = *searches.at(devices);
            const auto iterate = [&] {
                inertia.at(devices) = search.run(sums).inertia;
                search.move(sums);
            };
            if (sends) iterate(); // reads what was sent ahead while the other search ran
            const int iterations = sends ? 3 : 1;
            const double taken = seconds([&] {
                for (int i = 0; i < iterations; ++i) iterate();
            });
            if (round >= warm_up) times.at(devices).push_back(taken / iterations);
        }
    print_ratio(times[0], times[1]);
    if (sends) {
        const auto bytes = static_cast<double>(descriptors.values.size() * sizeof(float));
        fmt::print("   the host feeds one by {:.1f} GB/s, two by {:.1f} GB/s\n",
                   bytes / median(times[0]) / 1e9, bytes / median(times[1]) / 1e9);
    }
    for (std::size_t devices = 0; devices < 2; ++devices)
        fmt::print("   {} device(s): inertia {:.17g}, words' SHA-256 {}\n", devices + 1,
                   inertia.at(devices),
                   sha256_of(searches.at(devices)->vocabulary().values, run.folder));
}

} // namespace

int main(int count, char **arguments) {
    constexpr std::size_t most_words = 16384;
    return with_two_devices(count, arguments, most_words, [](const TwoDevices &run) {
        const Descriptors rows = made_rows(std::size_t{1} << (run.quick ? 16 : 24), 64);
        const std::size_t k = run.quick ? 256 : most_words;
        measure("training, rows on the devices", run, false, rows, k);
        for (const std::size_t some : {k, 4 * k})
            measure("training, rows sent in each iteration", run, true, rows, some);
    });
}
