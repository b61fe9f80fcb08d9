#include "tests/support/levels.hpp"
#include "tests/support/pictures.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/ops/compact.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// Numbers that hold their place, so that a lost order shows.
std::vector<std::int32_t> random_numbers(std::size_t size) {
    std::mt19937 engine(1);
    std::vector<std::int32_t> values(size);
    for (std::size_t i = 0; i < size; ++i)
        values[i] = static_cast<std::int32_t>(i) * (engine() % 3 == 0 ? -1 : 1);
    return values;
}

constexpr ScanMethod methods[] = {ScanMethod::tree, ScanMethod::serial};

struct Predicate {
    const char *text;
    bool (*keeps)(int value, std::size_t index);
};
constexpr Predicate predicates[] = {
    {"value > 0", [](int value, std::size_t) { return value > 0; }},
    {"index % 7 == 3 && value < 1000",
     [](int value, std::size_t index) { return index % 7 == 3 && value < 1000; }}};
/// All, none, the first, the last of 5000.
constexpr Predicate extremes[] = {
    {"1", [](int, std::size_t) { return true; }},
    {"0", [](int, std::size_t) { return false; }},
    {"index==0", [](int, std::size_t index) { return index == 0; }},
    {"index==4999", [](int, std::size_t index) { return index == 4999; }}};

void check(Device &device, std::size_t size, const Predicate &predicate, ScanMethod method) {
    INFO(size << " elements, " << predicate.text << ", " << name_of(method));
    const auto values = random_numbers(size);
    std::vector<std::int32_t> expected;
    for (std::size_t i = 0; i < size; ++i)
        if (predicate.keeps(values[i], i)) expected.push_back(values[i]);
    const auto in = device.allocate<std::int32_t>(size);
    device.upload<std::int32_t>(in, values);
    const auto out = device.allocate<std::int32_t>(expected.size() + 1);
    device.fill<std::int32_t>(out, 77, expected.size() + 1);
    REQUIRE(compact(device, in, size, predicate.text, out, method) == expected.size());
    expected.push_back(77); // nothing is written beyond what is kept
    auto found = downloaded(device, out);
    found.resize(expected.size());
    CHECK(found == expected);
}

} // namespace

TEST_CASE("compact: keeps what passes, in order, any number of elements") {
    for (const ScanMethod method : methods) {
        for (const std::size_t size : {0, 1, 63, 64, 65, 1000, 4097, 300001})
            for (const Predicate &predicate : predicates)
                check(*shared_device(), size, predicate, method);
        for (const Predicate &extreme : extremes) check(*shared_device(), 5000, extreme, method);
    }
}

TEST_CASE("compact: by flags") {
    Device &device = *shared_device();
    for (const ScanMethod method : methods) {
        constexpr std::size_t size = 3001;
        std::vector<float> values(size);
        std::vector<float> expected;
        const auto marks = random_pixels(1, size, 5, 2);
        for (std::size_t i = 0; i < size; ++i) {
            values[i] = static_cast<float>(i) + 0.5F;
            if (marks[i] != 0) expected.push_back(values[i]);
        }
        const auto in = device.allocate<float>(size);
        const auto out = device.allocate<float>(size);
        const auto flags = device.allocate<std::uint8_t>(size);
        device.upload<float>(in, values);
        device.upload<std::uint8_t>(flags, marks);
        REQUIRE(compact(device, in, size, flags, out, method) == expected.size());
        auto found = downloaded(device, out);
        found.resize(expected.size());
        CHECK(found == expected);
    }
}

TEST_CASE("compact: a device with small groups and little local memory") {
    const auto device = limited_device([](DeviceLimits &limits) {
        limits.work_group_size = 16;
        limits.local_bytes = 200;
    });
    check(*device, 10000, predicates[0], ScanMethod::tree);
}

TEST_CASE("compact: too little room, and a predicate that does not compile") {
    Device &device = *shared_device();
    const auto in = device.allocate<float>(100);
    const auto out = device.allocate<float>(10);
    device.fill(in, 1.0F, 100);
    for (const ScanMethod method : methods) {
        CHECK_THROWS_AS(compact(device, in, 100, "value>0", out, method), Error);
        CHECK_THROWS_AS(compact(device, in, 101, "value>0", out, method), Error);
        CHECK_THROWS_AS(compact(device, in, 100, "no_such_name>0", out, method), Error);
        CHECK_THROWS_AS(compact(device, in, 100, device.allocate<std::uint8_t>(99), out, method),
                        Error);
    }
}

TEST_CASE("compact: elements cannot be kept in their own place", "[compact]") {
    Device &device = *shared_device();
    const auto numbers = device.allocate<std::uint32_t>(100);
    const auto flags = device.allocate<std::uint8_t>(100);
    for (const ScanMethod method : scan_methods) {
        CHECK_THROWS_WITH(compact(device, numbers, 100, "value>0", numbers, method),
                          Catch::Contains("another buffer"));
        CHECK_THROWS_WITH(compact(device, numbers, 100, flags, numbers, method),
                          Catch::Contains("another buffer"));
    }
}

TEST_CASE("compact: a short vector", "[oclgrind][compact_tree.cl][compact_serial.cl]") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.work_group_size = 32; });
    for (const ScanMethod method : methods) check(*device, 3001, predicates[0], method);
}
