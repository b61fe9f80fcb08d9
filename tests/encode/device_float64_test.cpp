// float64 in whole numbers on a device, against the host's own.
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/logarithm.hpp>
#include <bowhist/device/device.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <random>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr const char *every_operation = R"(
#include "logarithm.cl"

ulong bits_of(const Float64 x)
{
    if (x.significand == 0) return 0;
    return (ulong)x.negative << 63 | (ulong)(x.exponent + 1075) << 52 | (x.significand & 0xFFFFFFFFFFFFFUL);
}

kernel void compute(global const ulong *a, global const ulong *b, const uint count, global ulong *found)
{
    const uint i = get_global_id(0);
    if (i >= count) return;
    const Float64 x = constant64(a[i]);
    const Float64 y = constant64(b[i]);
    found[5 * i] = bits_of(sum64(x, y));
    found[5 * i + 1] = bits_of(product64(x, y));
    found[5 * i + 2] = bits_of(quotient64(x, y));
    found[5 * i + 3] = as_uint(to_float(x));
    found[5 * i + 4] = bits_of(logarithm_of_2(x));
}
)";

/// Of few bits, so that results often lie halfway between two numbers, or of many.
double drawn(std::mt19937_64 &random) {
    const auto kept = 1 + static_cast<int>(random() % 53);
    const std::uint64_t fraction = random() & ~std::uint64_t{0} << (53 - kept);
    const auto exponent = 1023 - 30 + random() % 60;
    const std::uint64_t sign = random() & std::uint64_t{1} << 63;
    return std::bit_cast<double>(sign | exponent << 52 | (fraction & 0xFFFFFFFFFFFFF));
}

std::uint64_t bits_of(double x) {
    return std::bit_cast<std::uint64_t>(x);
}

} // namespace

TEST_CASE("device preparation: float64 in whole numbers has the bits of float64") {
    const TemporaryFolder folder;
    std::ofstream(folder / "prepare_places.cl") << every_operation;
    Device device({.kernel_dir = folder.path()});
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> a;
    std::vector<std::uint64_t> b;
    for (int i = 0; i < 60'000; ++i) {
        double x = drawn(random);
        if (i % 3 == 2) x = std::bit_cast<double>(b[static_cast<std::size_t>(i - 1)]);
        double y = drawn(random);
        if (i % 5 == 1) y = -x; // sums of 0
        if (i % 5 == 2) y = std::nextafter(-x, 0);
        if (i % 5 == 3) y = std::ldexp(x, 53 - i % 2); // halves of the last bit
        a.push_back(bits_of(x));
        b.push_back(bits_of(y));
    }
    for (const double x : {0x1p-64, 0x1.8p-65, 0x1p64, 0x1.8p70, -1.0, std::sqrt(0.5), 1.0, 2.0}) {
        a.push_back(bits_of(x));
        b.push_back(bits_of(1));
    }
    const auto count = static_cast<cl_uint>(a.size());
    const auto there = device.allocate<std::uint64_t>(5 * a.size());
    Kernel compute = device.kernel("prepare_places.cl", "compute");
    device.launch(compute, {a.size(), 1}, {64, 1}, uploaded(device, a), uploaded(device, b), count,
                  there);
    const std::vector<std::uint64_t> found = downloaded(device, there);
    std::array<std::size_t, 5> wrong{};
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto x = std::bit_cast<double>(a[i]);
        const auto y = std::bit_cast<double>(b[i]);
        const std::array expected = {
            bits_of(x + y), bits_of(x * y), bits_of(x / y),
            std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(x))},
            bits_of(logarithm_of_2(x))};
        for (std::size_t operation = 0; operation < expected.size(); ++operation)
            wrong[operation] += found[5 * i + operation] != expected[operation];
    }
    CHECK(wrong == std::array<std::size_t, 5>{});
}
