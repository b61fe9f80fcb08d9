// A deadline acts once, and only where nothing ends it before.
#include <bowhist/team/deadline.hpp>

#include <catch2/catch.hpp>

#include <future>

using namespace bowhist;
using namespace std::chrono_literals;

TEST_CASE("deadline: acts once it has passed") {
    std::promise<void> acted;
    const Deadline deadline(10ms, [&] { acted.set_value(); });
    CHECK(acted.get_future().wait_for(60s) == std::future_status::ready);
}

TEST_CASE("deadline: what ends in time is left alone, and does not wait") {
    int acts = 0;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 100; ++i) const Deadline deadline(1h, [&] { ++acts; });
    CHECK(acts == 0);
    CHECK(std::chrono::steady_clock::now() - start < 1h);
}
