#include <bowhist/core/run_whole.hpp>

#include <catch2/catch.hpp>
#include <tbb/parallel_for.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <thread>

using namespace bowhist;

namespace {

constexpr std::size_t steps = 1000;

/// How many steps of a loop are taken in a task whose group is cancelled.
std::size_t taken_when_cancelled(const std::function<void(const std::function<void()> &)> &run) {
    std::atomic<std::size_t> taken = 0;
    tbb::task_group group;
    group.run_and_wait([&] {
        group.cancel();
        run([&] { tbb::parallel_for(std::size_t{0}, steps, [&](std::size_t) { ++taken; }); });
    });
    return taken;
}

} // namespace

TEST_CASE("run whole: A loop in a cancelled group ends whole") {
    // why it is needed: TBB leaves steps out, without an exception
    REQUIRE(taken_when_cancelled([](const auto &work) { work(); }) == 0);
    CHECK(taken_when_cancelled([](const auto &work) { run_whole(work); }) == steps);
}

TEST_CASE("run whole: It runs on the caller's thread, and throws what its work throws") {
    const auto caller = std::this_thread::get_id();
    CHECK_THROWS_WITH(run_whole([&] {
                          CHECK(std::this_thread::get_id() == caller);
                          throw std::runtime_error("work");
                      }),
                      "work");
    CHECK_THROWS_WITH(
        run_whole([] { tbb::parallel_for(0, 9, [](int) { throw std::runtime_error("loop"); }); }),
        "loop");
}
