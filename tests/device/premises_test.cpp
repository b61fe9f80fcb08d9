// What proofs rest on is measured on each device; every fault that is planted is found.
#include "tests/support/levels.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/device/kernel_source.hpp>
#include <bowhist/device/premises.hpp>
#include <bowhist/extract/device/device_extractor.hpp>

#include <catch2/catch.hpp>

#include <fstream>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

constexpr auto no_end = std::numeric_limits<std::uint64_t>::max();

/// A device whose compiler turns `from` into `to` in a file of cl/.
std::shared_ptr<Device> device_with_fault(const std::string &file, const std::string &from,
                                          const std::string &to) {
    const TemporaryFolder folder;
    std::string text(embedded_kernels().at(file));
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    std::ofstream(folder / file) << text.replace(at, from.size(), to);
    return std::make_shared<Device>(DeviceOptions{.kernel_dir = folder.path()});
}

/// What is measured there.
Premises with_fault(const std::string &file, const std::string &from, const std::string &to) {
    return device_with_fault(file, from, to)->premises();
}

} // namespace

TEST_CASE("premises: the device here is found sound", "[oclgrind][probe_loops.cl]"
                                                      "[probe_float32.cl][probe_float64.cl]") {
    const Premises &found = shared_device()->premises();
    CHECK(found.rounds_to_nearest);
    CHECK(found.rounds_twice);
    CHECK(found.float64);
    CHECK(Device({}).take_launches().kernels.empty());
}

TEST_CASE("premises: loops that end early are found, and where they end") {
    for (const char *steps : {"0", "1", "65535", "1048575"}) {
        INFO(steps);
        const auto found = with_fault("probe_loops.cl", "uint number = 1;",
                                      "uint number = 1; uint left = " + std::string(steps) +
                                          ";\n#undef NEXT_NUMBER\n#define NEXT_NUMBER(n) "
                                          "(left == 0 ? (n) : (left--, 1664525u * (n) + "
                                          "1013904223u))\n");
        CHECK(found.loop_steps ==
              std::min<std::uint64_t>(std::stoull(steps), shared_device()->limits().loop_steps));
    }
    CHECK(with_fault("probe_loops.cl", "number = NEXT", "number ^= NEXT").loop_steps != no_end);
}

TEST_CASE("premises: float32 that chops, flushes or fuses is found") {
    const auto chops =
        with_fault("probe_float32.cl", "= a * b;", "= as_float(as_uint(a * b) & ~1u);");
    CHECK_FALSE(chops.rounds_to_nearest);
    const auto integers = with_fault("probe_float32.cl", "rint(a)", "trunc(a)");
    CHECK_FALSE(integers.rounds_to_nearest);
    const auto flushes = with_fault("probe_float32.cl", "= operands[i];",
                                    "= fabs(operands[i]) < 0x1p-126f ? 0 : operands[i];");
    CHECK_FALSE(flushes.keeps_subnormals);
    CHECK(flushes.rounds_to_nearest);
    const auto fuses = with_fault("probe_float32.cl", "a * b + c", "fma(a, b, c)");
    CHECK_FALSE(fuses.rounds_twice);
    CHECK(fuses.rounds_to_nearest);
}

TEST_CASE("premises: float64 that is not IEEE 754's is found") {
    if (lacks_fp64()) return;
    for (const auto &[from, to] :
         {std::pair{"a * b + c", "fma(a, b, c)"},
          {"a / b", "a * (1 / b)"},
          {"sqrt(fabs(a))", "(double)sqrt((float)fabs(a))"},
          {"(double)floats[i]", "fabs(floats[i]) < 0x1p-126f ? 0.0 : (double)floats[i]"},
          {"(double)(long)as_ulong(a)", "convert_double_rtz((long)as_ulong(a))"},
          {"(float)a", "convert_float_rtz(a)"}}) {
        INFO(from);
        CHECK_FALSE(with_fault("probe_float64.cl", from, to).float64);
    }
}

TEST_CASE("premises: a device that fuses makes no descriptors") {
    CHECK(can_extract(*shared_device()));
    CHECK_FALSE(can_extract(*device_with_fault("probe_float32.cl", "a * b + c", "fma(a, b, c)")));
}
