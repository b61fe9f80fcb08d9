// The fastest of the candidates is found; one that fails is left out.
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"

#include <bowhist/assign/choose/calibration.hpp>
#include <bowhist/core/error.hpp>

#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

using namespace bowhist;
using namespace bowhist::testing;
using namespace std::chrono_literals;

namespace {

using Runs = std::vector<std::size_t>; ///< rows of each run

/// Sleeps for each run and each million rows, and notes its rows.
struct SleepingAssigner : Assigner {
    Assignment run(const Batch &batch) override {
        const std::size_t rows = batch.values.size() / dimensions;
        if (runs != nullptr) runs->push_back(rows);
        std::this_thread::sleep_for(a_run + 1e-6 * static_cast<double>(rows) * a_million);
        return {};
    }
    void replace(const Vocabulary &) override {}

    std::size_t dimensions = 0;
    Runs *runs = nullptr;
    std::chrono::microseconds a_run{};
    std::chrono::microseconds a_million{};
};

Level sleeping_level(std::string_view id, std::chrono::microseconds a_run, Runs *runs,
                     std::chrono::microseconds a_million = {}) {
    Level level;
    level.id = id;
    level.prepare = [=](const auto &, const Vocabulary &vocabulary, const auto &) {
        auto assigner = std::make_unique<SleepingAssigner>();
        assigner->dimensions = vocabulary.dimensions;
        assigner->runs = runs;
        assigner->a_run = a_run;
        assigner->a_million = a_million;
        return assigner;
    };
    return level;
}

Level failing_level(std::string_view id, Fault fault) {
    Level level;
    level.id = id;
    level.prepare = [fault](const auto &, const auto &, const auto &) -> std::unique_ptr<Assigner> {
        throw Error(fault, "it does not build", "the log");
    };
    return level;
}

} // namespace

TEST_CASE("calibration: the fastest is first, and a hopeless one is not asked again") {
    Runs slow_runs;
    Runs fast_runs;
    const Level slow = sleeping_level("slow", 60ms, &slow_runs);
    const Level fast = sleeping_level("fast", 0ms, &fast_runs);
    for (const auto &candidates : {std::vector{&slow, &fast}, {&fast, &slow}}) {
        slow_runs.clear();
        fast_runs.clear();
        const auto speeds = calibrate({candidates, nullptr, 64, 256, {}});
        REQUIRE(speeds.size() == 1);
        CHECK(speeds.front().level == &fast);
        CHECK(speeds.front().gigaflops > 0);
        CHECK(slow_runs == Runs(slow_runs.size(), slow_runs.front()));
        CHECK(fast_runs.size() > slow_runs.size());
        CHECK(fast_runs.back() > slow_runs.back());
        CHECK(fast_runs.back() * 64 * sizeof(float) <= 32U << 20);
    }
}

TEST_CASE("calibration: a level that takes a while to start wins by what it does with many rows") {
    const Level host = sleeping_level("host", 0ms, nullptr, 100ms);
    const Level gpu = sleeping_level("gpu", 4ms, nullptr);
    const auto speeds = calibrate({{&host, &gpu}, nullptr, 64, 256, {}});
    CHECK(speeds.front().level == &gpu); // from 40 000 rows on
}

TEST_CASE("calibration: a level that fails is left out, unless all do") {
    const Level broken = failing_level("broken", Fault::device);
    const Level sound = sleeping_level("sound", 10ms, nullptr);
    Listener listener;
    const auto speeds = calibrate({{&broken, &sound}, nullptr, 64, 256, {.observer = &listener}});
    REQUIRE(speeds.size() == 1);
    CHECK(speeds.front().level == &sound);
    REQUIRE(listener.notes.size() == 1);
    CHECK_THAT(listener.notes.front(),
               Catch::Contains("broken") && Catch::Contains("does not build"));
    try {
        calibrate({{&broken, &broken}, nullptr, 64, 256, {}});
        FAIL("nothing was left to take");
    } catch (const Error &error) {
        CHECK(error.detail == "the log");
    }
    const Level interrupted = failing_level("interrupted", Fault::interrupted);
    CHECK_THROWS_AS(calibrate({{&interrupted, &sound}, nullptr, 64, 256, {}}), Error);
}

TEST_CASE("calibration: any shape, on whatever is here") {
    for (const auto &[dimensions, k] :
         {std::pair{std::size_t{1}, std::size_t{1}}, {61, 3}, {64, 256}, {2000, 65}}) {
        INFO(k << " words of " << dimensions << " dimensions");
        std::vector<const Level *> candidates;
        for (const Level &level : levels())
            if (!level.is_reference && !level.obstacle(shared_device().get(), dimensions, k))
                candidates.push_back(&level);
        REQUIRE(candidates.size() > 1);
        const auto speeds = calibrate({candidates, shared_device(), dimensions, k, {}});
        REQUIRE_FALSE(speeds.empty());
        for (const LevelSpeed &speed : speeds) CHECK(speed.gigaflops > 0);
    }
}
