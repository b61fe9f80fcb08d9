// What bench's rows of extraction share, count and refuse.
#include "bench/cases/cases.hpp"
#include "bench/cases/extract_work.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/extract/extractor.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <map>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Bytes read and bytes written, by way: of three images with 100 descriptors.
std::map<std::string, std::pair<double, double>> bytes_of(const std::string &extractor, int side) {
    std::map<std::string, std::pair<double, double>> bytes;
    for (const auto &[level, work] :
         extract_work(completed({.extractor = extractor}), {side, 3, 100}))
        bytes[level] = {work.bytes_read, work.bytes_written};
    return bytes;
}

} // namespace

TEST_CASE("bench: the bytes of dense's kernels, counted by hand", "[extract]") {
    const double pixels = 3 * 64 * 64;
    // of patches of 16, 32 and 64 pixels every 4: rows and columns of cells, and of patches
    const double cells = 3 * (16 * 16 + 15 * 15 + 13 * 13);
    const double patches = 3 * (13 * 13 + 9 * 9 + 1 * 1);
    auto bytes = bytes_of("dense", 64);
    CHECK(bytes.size() == 5);
    CHECK(bytes["all"] == std::pair(pixels, 100 * (64 * 4 + 4.0)));
    CHECK(bytes["smooth"] == std::pair((1 + 2 + 2 + 2) * pixels, 4 * 2 * pixels)); // four rounds
    CHECK(bytes["pool"] == std::pair(3 * 2 * pixels, 16 * cells));
    CHECK(bytes["weigh"] == std::pair(16 * cells, 12 * patches));
    CHECK(bytes["describe"] == std::pair(16 * cells + 12 * patches, 100 * (64 * 4 + 4.0)));
    // of 20 pixels only the smallest patch fits, which takes one round
    bytes = bytes_of("dense", 20);
    CHECK(bytes["smooth"] == std::pair(3 * 400.0, 2 * 3 * 400.0));
    CHECK(bytes["pool"] == std::pair(2 * 3 * 400.0, 3 * 16 * 25.0));
}

TEST_CASE("bench: the bytes of surf's kernels, counted by hand", "[extract]") {
    const double pixels = 3 * 64 * 64;
    const double smaller = 3 * (32 * 32); // of the other octave
    const double row_sums = 4 * 3 * (64 * 65 + 32 * 33);
    const double sums = 4 * 3 * (65 * 65 + 33 * 33);
    // filters of 9, 15, 21 and 27 pixels reach 4, 7, 10 and 13 pixels
    const double responses =
        4 * 3 * ((56 * 56 + 50 * 50 + 44 * 44 + 38 * 38) + (24 * 24 + 18 * 18 + 12 * 12 + 6 * 6));
    const double searched = 3 * ((42 * 42 + 36 * 36) + (10 * 10 + 4 * 4));
    auto bytes = bytes_of("surf", 64);
    CHECK(bytes.size() == 10);
    CHECK(bytes["all"] == std::pair(pixels, 100 * (64 * 4 + 4.0)));
    CHECK(bytes["smooth"] == std::pair(7 * pixels + 4 * smaller, 8 * pixels + 4 * smaller));
    CHECK(bytes["halve"] == std::pair(2 * smaller, 2 * smaller));
    CHECK(bytes["sum_along_rows"] == std::pair(2 * (pixels + smaller), row_sums));
    CHECK(bytes["sum_down_columns"] == std::pair(row_sums, sums));
    CHECK(bytes["respond"] == std::pair(sums, responses));
    CHECK(bytes["find"] == std::pair(responses - 4 * 3 * 56 * 56, searched / 4));
    CHECK(bytes["place"] == std::pair(searched / 4 + 100 * 27 * 4, 100 * 20.0));
    CHECK(bytes["refine"] == std::pair(sums + 100 * 20, 100 * 8.0));
    CHECK(bytes["describe"] == std::pair(sums + 100 * 20, 100 * (64 * 4 + 4.0)));
}

TEST_CASE("bench: the rows of a round share one extraction, and each has a part of it",
          "[extract]") {
    Observer observer;
    BenchRequest request;
    request.n = 192;
    for (const auto *extractor : {"dense", "surf"}) {
        const auto rows = extract_cases(Scene{request, shared_device(), observer}, extractor);
        INFO(extractor);
        CHECK(rows.back().subject.level == "host-threads");
        for (int round = 0; round < 2; ++round) {
            const RoundTime all = rows.front().run();
            double sum = 0;
            for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
                INFO(rows[i].subject.level);
                const RoundTime part = rows[i].run();
                CHECK(part.seconds > 0);
                CHECK(part.wall_seconds == all.wall_seconds);
                sum += part.seconds;
            }
            CHECK(sum <= all.seconds * 1.001);
        }
        const RoundTime before = rows[1].run(); // has seen the last one
        CHECK(rows[1].run().wall_seconds != before.wall_seconds);
        CHECK(rows[2].run().wall_seconds != before.wall_seconds);
    }
}

TEST_CASE("bench: where no extraction runs, a row says why", "[extract]") {
    Observer observer;
    BenchRequest request;
    request.n = 192;
    const auto rows = [&](const std::shared_ptr<Device> &device) {
        return extract_cases(Scene{request, device, observer}, "dense");
    };
    const auto small = limited_device([](DeviceLimits &limits) { limits.work_group_size = 128; });
    CHECK_THAT(rows(small).front().obstacle, Catch::Contains("work-groups"));
    request.side = 15;
    CHECK_THAT(rows(shared_device()).front().obstacle, Catch::Contains("--side"));
    request.side = 0;
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "dense_pool.cl") << "nonsense\n";
    const auto device = std::make_shared<Device>(DeviceOptions{.kernel_dir = folder.path()});
    const Case broken = rows(device).front();
    CHECK_THAT(broken.error, Catch::Contains("dense_pool.cl does not build"));
    CHECK_FALSE(broken.run);
}
