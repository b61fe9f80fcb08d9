#include <bowhist/assign/host/first_exception.hpp>

#include <catch2/catch.hpp>

#include <stdexcept>
#include <thread>
#include <vector>

using namespace bowhist;

TEST_CASE("an exception of any thread is carried out of it") {
    FirstException failure;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back(
            [&] { failure.guard([] { throw std::runtime_error("thrown by a thread"); }); });
    for (std::thread &thread : threads) thread.join();
    CHECK_THROWS_WITH(failure.rethrow(), "thrown by a thread");
}

TEST_CASE("the first exception stays, and what follows it is left undone") {
    FirstException failure;
    bool done = false;
    failure.guard([] {});
    CHECK_NOTHROW(failure.rethrow());
    failure.guard([] { throw std::runtime_error("first"); });
    failure.guard([&done] { done = true; });
    CHECK_FALSE(done);
    CHECK_THROWS_WITH(failure.rethrow(), "first");
}
