#include "bench/bench.hpp"
#include "bench/cases/cases.hpp"

#include <bowhist/assign/level.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

using namespace bowhist;

namespace {

std::vector<Group> bench(const BenchRequest &request) {
    std::vector<Group> groups;
    Observer observer;
    run_bench(request, observer, [&](const Group &group) { groups.push_back(group); });
    return groups;
}

BenchRequest small_request() {
    BenchRequest request;
    request.n = 300;
    request.k = {3, 70};
    request.rounds = 1;
    return request;
}

} // namespace

TEST_CASE("every operation is measured, and nothing it computes is wrong", "[bench]") {
    const auto groups = bench(small_request());
    std::size_t expected = 0;
    for (const Operation &operation : operations()) expected += operation.has_words() ? 2 : 1;
    REQUIRE(groups.size() == expected);
    for (const Group &group : groups)
        for (const Measurement &row : group.measurements) {
            INFO(row.subject.operation << " " << row.subject.level << ": " << row.obstacle
                                       << row.error);
            CHECK(row.error.empty());
            CHECK(row.figures.has_value() == row.obstacle.empty());
            if (!row.figures || row.subject.operation == "peak") continue;
            CHECK(row.figures->mismatches == 0U);
            CHECK(row.figures->roof);
            CHECK(row.figures->seconds.median > 0);
            CHECK(row.figures->wall_seconds.median >= row.figures->seconds.median);
        }
}

TEST_CASE("assign has a row for every level, with the problem's own bytes", "[bench]") {
    BenchRequest request = small_request();
    request.operations = {"assign"};
    request.dimensions = 20;
    const auto groups = bench(request);
    REQUIRE(groups.size() == 2);
    for (const Group &group : groups) {
        std::vector<std::string> found;
        for (const Measurement &row : group.measurements) {
            if (row.subject.operation == "peak") continue;
            found.push_back(row.subject.level);
            CHECK(row.subject.n == 300);
            CHECK(row.subject.k == group.k);
            CHECK(row.subject.d == 20);
            const auto k = static_cast<double>(group.k);
            if (!row.figures) continue;
            CHECK(row.work.bytes_read == 4 * (300 * 20 + k * 20));
            CHECK(row.work.bytes_written == 4 * (300 + k));
            CHECK(row.work.operations == 2 * 20 * 300 * k);
            if (row.subject.level == "gpu1")
                CHECK(row.work.kernel_bytes == 4 * (2 * 300 * 20 * k + 3 * 300));
            if (row.subject.level == "gpu4")
                CHECK(row.work.kernel_bytes == 4 * (300 * 20 * (k + 3) + 3 * 300));
            if (row.subject.level == "gpu5") CHECK_FALSE(row.work.kernel_bytes);
        }
        std::vector<std::string> all;
        for (const Level &level : levels()) all.emplace_back(level.id);
        CHECK(found == all);
    }
}

TEST_CASE("a training has rows for its start, update and iteration, each with its own bytes",
          "[bench]") {
    BenchRequest request = small_request();
    request.operations = {"train-start", "train-iteration"};
    request.k = {9};
    request.levels = {"simd", "gpu1"};
    request.data = synthetic_descriptors({}, 5, 20); // fewer different ones than words
    for (const bool repeated : {true, false}) {
        if (!repeated) request.data = synthetic_descriptors({}, 300, 20);
        std::vector<std::string> found;
        std::vector<Measurement> rows;
        for (const Group &group : bench(request))
            std::ranges::copy(group.measurements, std::back_inserter(rows));
        for (const Measurement &row : rows) {
            if (row.subject.operation == "peak") continue;
            found.push_back(row.subject.level);
            INFO(found.back() << " " << row.obstacle << row.error);
            if (!row.figures) continue;
            CHECK(row.figures->mismatches == 0U);
            CHECK(row.figures->unproven.has_value() ==
                  (found.back() == "simd" || found.back() == "gpu1"));
            const Work &work = row.work;
            if (row.subject.operation == "train-start") {
                const int among = found.back().starts_with("sampled") ? 32 * 9 : 300;
                CHECK(work.bytes_read == 4 * 20 * among);
                CHECK(work.bytes_written == 4 * 20 * 9);
                CHECK(work.operations == 2 * 20 * among * (1 + 8 * 4));
            } else if (found.back() == "read-host") {
                CHECK(work.bytes_read == 4 * 20 * 300);
                CHECK(work.bytes_written == 0);
                CHECK(work.operations == 20 * 300);
            } else if (found.back().starts_with("update")) {
                CHECK(work.bytes_read == 4 * (20 * 300 + 300));
                CHECK(work.bytes_written == 4 * 20 * 9);
                CHECK(work.operations == 20 * 309);
            } else if (found.back().starts_with("farthest")) {
                CHECK(work.bytes_read == 4 * (20 * 309 + 300));
                CHECK(work.bytes_written == 4 * 20);
                CHECK(work.operations == 3 * 20 * 300);
            } else {
                CHECK(work.bytes_read == 4 * 20 * 309);
                CHECK(work.bytes_written == 4 * (300 + 20 * 9));
                CHECK(work.operations == 2 * 20 * 300 * 9 + 20 * 309);
            }
        }
        CHECK(found == std::vector<std::string>{"sampled-host", "sampled-device", "greedy-host",
                                                "greedy-device", "read-host", "update-host", "simd",
                                                "gpu1", "update-gpu1", "farthest-host",
                                                "farthest-device"});
    }
}

TEST_CASE("a count that is not the words' own is found", "[bench]") {
    const std::vector<std::int32_t> words{0, 2, 2, 1, 2};
    const auto wrong = [&](const std::vector<std::uint32_t> &counts) {
        return wrong_counts(words, counts);
    };
    CHECK(wrong({1, 1, 3}) == 0);
    CHECK(wrong({1, 1, 3, 0}) == 0);
    CHECK(wrong({1, 1, 2}) == 1);
    CHECK(wrong({2, 1, 2}) == 2); // of the same sum
    CHECK(wrong({1, 1}) == 3);
    CHECK(wrong_counts(std::vector<std::int32_t>{-1, 0}, std::vector<std::uint32_t>{1}) == 1);
}
