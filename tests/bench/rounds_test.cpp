#include "bench/rounds.hpp"
#include "tests/support/listener.hpp"

#include <bowhist/core/error.hpp>

#include <catch2/catch.hpp>

#include <chrono>

using namespace bowhist;

namespace {

/// A case that writes its name down and says that it took the next of `seconds`.
Case scripted(const std::string &level, std::vector<double> seconds, std::string &diary) {
    Case row{{"op", level, Place::host, "here"}};
    row.work.operations = 10;
    row.run = [=, &diary, next = std::size_t{0}]() mutable {
        diary += level;
        const double taken = seconds.at(next++);
        return RoundTime{taken, 2 * taken};
    };
    return row;
}

} // namespace

TEST_CASE("rows take turns, and the first round does not count", "[bench]") {
    std::string diary;
    Observer observer;
    const auto results = measure({scripted("a", {99, 3, 1, 2}, diary), // warm-up first
                                  scripted("b", {99, 7, 7, 8}, diary)},
                                 3, observer);
    CHECK(diary == "abababab");
    REQUIRE(results.size() == 2);
    REQUIRE(results[0].figures);
    CHECK(results[0].figures->rounds == 3);
    CHECK(results[0].figures->seconds.median == 2);
    CHECK(results[0].figures->seconds.most == 3);
    CHECK(results[0].figures->wall_seconds.median == 4);
    CHECK(results[1].figures->seconds.median == 7);
    CHECK_FALSE(results[0].figures->roof);
}

TEST_CASE("what a row's making met is its error, with the compiler's first line", "[bench]") {
    Observer observer;
    const Case row = failed({"op", "broken", Place::device},
                            Error(Fault::device, "it does not build", "a.cl:3: oh\nmore"));
    const auto results = measure({row}, 1, observer);
    CHECK(results[0].error == "it does not build: a.cl:3: oh");
    CHECK_FALSE(results[0].figures);
}

TEST_CASE("after a row on the host its threads have time to go to sleep", "[bench]") {
    using Clock = std::chrono::steady_clock;
    Observer observer;
    Clock::time_point left;
    Clock::duration rest{};
    Case host{{"op", "host", Place::host}};
    host.run = [&] {
        left = Clock::now();
        return RoundTime{1, 1};
    };
    Case device{{"op", "device", Place::device}};
    device.run = [&] {
        rest = Clock::now() - left;
        return RoundTime{1, 1};
    };
    measure({host, device}, 1, observer);
    CHECK(rest >= std::chrono::milliseconds(20));
}

TEST_CASE("a row that fails keeps its error, and the others go on", "[bench]") {
    std::string diary;
    Observer observer;
    Case failing{{"op", "bad", Place::host}};
    failing.run = [&diary]() -> RoundTime {
        diary += "x";
        throw Error(Fault::device, "out of order");
    };
    const auto results =
        measure({failing, scripted("a", {1, 1, 1}, diary), not_here({"op", "none"}, "a reason")}, 2,
                observer);
    CHECK(diary == "xaaa");
    CHECK_FALSE(results[0].figures);
    CHECK(results[0].error == "out of order");
    CHECK(results[0].obstacle.empty());
    CHECK(results[1].figures);
    CHECK_FALSE(results[2].figures);
    CHECK(results[2].obstacle == "a reason");
    CHECK(results[2].error.empty());
}

TEST_CASE("a row is held against its own place's peak of the same run", "[bench]") {
    std::string diary;
    Observer observer;
    Case peak{{"peak", "fma", Place::host}};
    peak.work.operations = 40; // 20 a second
    peak.run = [] { return RoundTime{2, 2}; };
    Case elsewhere = peak;
    elsewhere.subject.place = Place::device;
    elsewhere.work.operations = 1000;
    const auto results = measure({peak, elsewhere, scripted("a", {2, 2, 2}, diary)}, 2, observer);
    REQUIRE(results[2].figures->roof); // 5 a second
    CHECK(results[2].figures->roof->roof == Roof::fma);
    CHECK(results[2].figures->roof->fraction == Approx(0.25));
    CHECK_FALSE(results[0].figures->roof);
}

TEST_CASE("a row above its roof says why", "[bench]") {
    std::string diary;
    Observer observer;
    Case peak{{"peak", "fma", Place::host}};
    peak.work.operations = 4; // 2 a second
    peak.run = [] { return RoundTime{2, 2}; };
    Case row = scripted("a", {2, 2, 2}, diary); // 5 a second
    row.passes_roof = "two products a lane";
    const auto results = measure({peak, row, scripted("b", {9, 9, 9}, diary)}, 2, observer);
    CHECK(results[1].figures->roof->above == "two products a lane");
    CHECK(results[2].figures->roof->above.empty());
}

TEST_CASE("an interrupt ends a bench", "[bench]") {
    std::string diary;
    testing::Listener observer;
    observer.stop = true;
    CHECK_THROWS_AS(measure({scripted("a", {1, 1}, diary)}, 1, observer), Error);
    CHECK(diary.empty());
}
