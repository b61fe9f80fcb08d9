#include "tests/files/checks.hpp"

#include <bowhist/pictures/decoding_gate.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <random>
#include <thread>
#include <vector>

using namespace bowhist;

namespace {

struct Stoppable : Observer {
    bool interrupted() const override { return stop; }
    std::atomic<bool> stop = false;
};

} // namespace

TEST_CASE("files: The decoding gate admits at most the allowed bytes, and each thread in the end") {
    DecodingGate gate;
    constexpr std::int64_t most = 100;
    std::atomic<std::int64_t> inside = 0;
    std::atomic<std::int64_t> highest = 0;
    std::atomic<int> done = 0;
    {
        std::vector<std::jthread> threads;
        for (unsigned seed = 0; seed < 8; ++seed) {
            threads.emplace_back([&, seed] {
                std::mt19937 random(seed);
                for (int i = 0; i < 200; ++i) {
                    const std::int64_t bytes = random() % 101;
                    const auto pass = gate.enter(bytes, most, nullptr);
                    const auto now = inside += bytes;
                    for (auto seen = highest.load(); seen < now;)
                        highest.compare_exchange_weak(seen, now);
                    std::this_thread::yield();
                    inside -= bytes;
                    ++done;
                }
            });
        }
    }
    CHECK(done == 8 * 200);
    CHECK(highest <= most);
    CHECK(highest > most / 2); // several were inside at a time
}

TEST_CASE("files: More bytes than the decoding gate allows are let in alone") {
    DecodingGate gate;
    std::atomic<bool> second_is_inside = false;
    std::jthread second;
    {
        const auto first = gate.enter(1000, 10, nullptr);
        second = std::jthread([&] {
            const auto pass = gate.enter(1, 10, nullptr);
            second_is_inside = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(120));
        CHECK_FALSE(second_is_inside);
    }
    second.join();
    CHECK(second_is_inside);
}

TEST_CASE("files: Waiting at the decoding gate can be interrupted") {
    DecodingGate gate;
    Stoppable observer;
    const auto first = gate.enter(8, 10, nullptr);
    std::jthread user([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        observer.stop = true;
    });
    checks::require_error(Fault::interrupted, "interrupted", {},
                          [&] { const auto second = gate.enter(8, 10, &observer); });
    const auto third = gate.enter(2, 10, &observer); // what waited in vain takes no room
}
