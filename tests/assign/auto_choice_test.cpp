// auto takes what was measured, here or before.
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/assign/choose/calibration.hpp>
#include <bowhist/assign/choose/choice.hpp>
#include <bowhist/core/error.hpp>
#include <bowhist/device/kernel_source.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <fstream>

using namespace bowhist;
using namespace bowhist::testing;
using nlohmann::json;

namespace {

struct Listener : Observer {
    std::string notes;
    void note(const std::string &line) override { notes += line + '\n'; }
};

/// Changes the one entry of a cache.
template <typename Change>
void edit(const TemporaryFolder &folder, Change change) {
    json all = json::parse(std::ifstream(folder / "auto.json"));
    REQUIRE(all.at("choices").size() == 1);
    change(all.at("choices").front());
    std::ofstream(folder / "auto.json") << all;
}

} // namespace

TEST_CASE("auto: the first run measures, the next ones know") {
    const TemporaryFolder folder;
    Listener listener;
    LevelRequest request{.options = {.observer = &listener}, .cache_dir = folder.path()};
    const AutoStatus before = survey_auto(request, 64, 250);
    CHECK(before.candidates.size() > 1);
    for (const Level *level : before.candidates) {
        CHECK_FALSE(level->is_reference);
        CHECK((any_gpu() || !level->on_device));
    }
    CHECK_FALSE(before.choice);
    CHECK(std::filesystem::is_empty(folder.path()));
    const LevelChoice first = choose_level(request, 64, 250);
    CHECK_THAT(listener.notes, Catch::Contains("auto measured"));
    CHECK(std::ranges::count(before.candidates, first.level) == 1);
    for (const std::size_t k : {250, 256, 129}) { // share a measurement
        const AutoStatus after = survey_auto(request, 64, k);
        REQUIRE(after.choice);
        CHECK(after.choice->level == first.level);
        CHECK_THAT(after.measured, Catch::Contains("GFLOP/s"));
    }
    CHECK_FALSE(survey_auto(request, 64, 257).choice);
    CHECK_FALSE(survey_auto(request, 60, 250).choice);
    listener.notes.clear();
    CHECK(choose_level(request, 64, 256).level == first.level);
    CHECK_THAT(listener.notes, !Catch::Contains("auto measured") && Catch::Contains("auto is"));
}

TEST_CASE("auto: what the cache cannot mean is measured again") {
    const TemporaryFolder folder;
    const LevelRequest request{.cache_dir = folder.path()};
    const auto measures_again_after = [&](const auto &change) {
        std::filesystem::remove(folder / "auto.json");
        choose_level(request, 64, 256);
        REQUIRE(survey_auto(request, 64, 256).choice);
        edit(folder, change);
        CHECK_FALSE(survey_auto(request, 64, 256).choice);
        CHECK_FALSE(choose_level(request, 64, 256).level->is_reference);
        CHECK(survey_auto(request, 64, 256).choice);
    };
    measures_again_after([](json &entry) { entry["level"] = "gpu99"; });
    measures_again_after([](json &entry) { entry["level"] = "serial"; });
    measures_again_after([](json &entry) { entry["for"]["driver"] = "another"; });
    measures_again_after([](json &entry) { entry["for"]["version"] = "0.0.0"; });
    measures_again_after([](json &entry) { entry = json::array(); });
}

TEST_CASE("auto: without a place to remember it measures every time, and says so in a note") {
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "taken";
    Listener listener;
    const LevelRequest request{.options = {.observer = &listener}, .cache_dir = folder / "file"};
    CHECK_NOTHROW(choose_level(request, 64, 16));
    CHECK_THAT(listener.notes, Catch::Contains("measure again"));
    CHECK_FALSE(survey_auto(request, 64, 16).choice);
}

TEST_CASE("auto: only long work measures") {
    const TemporaryFolder folder;
    Listener listener;
    LevelRequest request{.options = {.observer = &listener}, .cache_dir = folder / "cache"};
    for (const double seconds : {0.0, 0.5, 20.0}) {
        request.host_seconds = seconds;
        const std::vector<const Level *> all = survey_auto(request, 64, 256).candidates;
        const Level *level = choose_level(request, 64, 256).level;
        if (begins_on_host(request) && seconds < 0.6)
            CHECK(level->id == "simd"); // a GPU is not even opened
        else
            CHECK(level == all.back());
        CHECK_THAT(listener.notes, !Catch::Contains("auto measured"));
        CHECK_FALSE(std::filesystem::exists(folder / "cache/auto.json"));
    }
    request.host_seconds = 100;
    choose_level(request, 64, 256);
    CHECK_THAT(listener.notes, Catch::Contains("auto measured"));
}

TEST_CASE("auto: what was measured on a busy machine serves until long work measures again") {
    const TemporaryFolder folder;
    Listener listener;
    LevelRequest request{.options = {.observer = &listener}, .cache_dir = folder.path()};
    choose_level(request, 64, 256);
    edit(folder, [](json &entry) {
        entry["busy"] = true;
        entry["level"] = "openmp";
        entry["measured"] = "1999-12-31";
    });
    CHECK_THAT(survey_auto(request, 64, 256).measured, Catch::Contains("on a busy machine"));
    request.host_seconds = 1;
    CHECK(choose_level(request, 64, 256).level->id == "openmp");
    request.host_seconds = 100;
    choose_level(request, 64, 256);
    CHECK_THAT(survey_auto(request, 64, 256).measured, !Catch::Contains("1999"));
}

TEST_CASE("auto: the host's time grows with the work, and is asked for by auto alone") {
    CHECK_FALSE(host_seconds({.level = "simd"}, 64, 256, 1e6));
    const double few = *host_seconds({}, 64, 256, 1e3);
    CHECK(few > 0);
    CHECK(*host_seconds({}, 64, 256, 1e9) > 1e4 * few);
    CHECK(*host_seconds({}, 300, 70'000, 1e6) > 10 * *host_seconds({}, 300, 700, 1e6));
    CHECK(*host_seconds({}, 1, 1, 1) < 1);
}

TEST_CASE("auto: a neighbor that works makes a machine busy, own work does not") {
    const OtherLoad others;
    const auto works = [](std::clock_t ticks) {
        for (const std::clock_t start = std::clock(); std::clock() - start < ticks;) {
        }
    };
    works(CLOCKS_PER_SEC / 5);
    const double beside_own = others.share();
    CHECK((beside_own >= 0 && beside_own <= 1));
    const OtherLoad both;
    const pid_t neighbor = fork();
    if (neighbor == 0) {
        works(CLOCKS_PER_SEC / 2);
        _exit(0);
    }
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(neighbor), &ended, WEXITED | WNOWAIT);
    CHECK(both.share() > 0);
    waitpid(neighbor, nullptr, 0);
}

namespace {

/// Writes kernels that do not build in place of those of all device levels after `last`.
void break_levels_after(std::string_view last, const std::filesystem::path &folder) {
    bool is_after = false;
    for (const Level &level : levels()) {
        if (is_after) std::ofstream(folder / level.source) << "this is no OpenCL\n";
        is_after = is_after || level.id == last;
    }
    for (const char *file : {"gpu6_cpu.cl", "gpu6_cpu_16bit.cl", "gpu7_wgmma.cl"})
        std::ofstream(folder / file) << "this is no OpenCL\n";
}

} // namespace

TEST_CASE("auto: where the last level of a device does not build, the one before it is taken") {
    const TemporaryFolder folder;
    break_levels_after("gpu5", folder.path());
    Listener listener;
    const LevelRequest request{.device = std::to_string(shared_device()->info().number),
                               .host_seconds = 1,
                               .kernel_dir = folder.path(),
                               .options = {.observer = &listener}};
    CHECK(choose_level(request, 64, 256).level->id == "gpu5");
    CHECK_THAT(listener.notes,
               Catch::Contains("leaves gpu6 out") && Catch::Contains("does not build"));
}

TEST_CASE("auto: stays on a device that was asked for, and leaves broken kernels out") {
    const TemporaryFolder folder;
    const std::filesystem::path kernels = folder / "kernels";
    std::filesystem::create_directory(kernels);
    break_levels_after("gpu1", kernels);
    Listener listener;
    const LevelRequest request{.device = std::to_string(shared_device()->info().number),
                               .kernel_dir = kernels,
                               .options = {.observer = &listener},
                               .cache_dir = folder / "cache"};
    for (const Level *level : survey_auto(request, 64, 256).candidates) CHECK(level->on_device);
    CHECK(choose_level(request, 64, 256).level->id == "gpu1");
    CHECK_THAT(listener.notes,
               Catch::Contains("leaves gpu6 out") && Catch::Contains("does not build"));
    CHECK_FALSE(std::filesystem::exists(folder / "cache")); // of edited kernels nothing is kept
    break_levels_after("simd", kernels);
    try {
        choose_level(request, 64, 256);
        FAIL("nothing was left to take");
    } catch (const Error &error) {
        CHECK(error.fault == Fault::device);
        CHECK_FALSE(error.detail.empty());
    }
}
