// Groups that a driver refuses: smaller ones where the kernel takes any, else a line or another
// way.
#include "tests/support/descriptors.hpp"
#include "tests/support/levels.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/words_by_rule.hpp"

#include <bowhist/device/kernel_source.hpp>
#include <bowhist/extract/extractor.hpp>
#include <bowhist/pipeline/picture_counter.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <numeric>

using namespace bowhist;
using namespace bowhist::testing;

namespace {

/// A device on which the first kernel of a file demands another group.
struct Demanding {
    TemporaryFolder kernels;
    std::shared_ptr<Device> device;

    Demanding(const std::string &file, const std::string &demand) {
        std::string text(embedded_kernels().at(file));
        const auto at = text.find("kernel __attribute__");
        const auto end = text.find("void", at);
        REQUIRE(end != std::string::npos);
        std::ofstream(kernels / file) << text.replace(at, end - at, demand);
        device = std::make_shared<Device>(DeviceOptions{.kernel_dir = kernels.path()});
    }
};

const std::string up_to_16 = "\n#if GROUP > 16\n#undef GROUP\n#define GROUP 16\n#endif\n"
                             "kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) ";

/// 32 bytes as floats, in groups of that size.
std::vector<float> floats_by_groups(Device &device, Range group) {
    Kernel kernel = device.kernel("convert.cl", "to_floats");
    std::vector<std::uint8_t> bytes(32);
    std::iota(bytes.begin(), bytes.end(), 1);
    const auto floats = device.allocate<float>(32);
    device.launch(kernel, {8, 4}, group, uploaded(device, bytes), floats, 8, 4, 8, 8);
    return downloaded(device, floats);
}

} // namespace

TEST_CASE("groups: a kernel that takes any runs in smaller ones where they are too large") {
    std::vector<float> expected(32);
    std::iota(expected.begin(), expected.end(), 1.0F);
    const std::size_t most = shared_device()->info().work_group_size;
    const auto forced = limited_device([](DeviceLimits &limits) { limits.work_group_size = 6; });
    const auto refusing = // by the driver, which knows better
        limited_device([&](DeviceLimits &limits) { limits.work_group_size = 4 * most; });
    for (const auto &device : {forced, refusing})
        for (const Range group : {Range{4 * most, 1}, {64, 1}, {4, 4}, {1, 2 * most}}) {
            INFO("groups of " << group[0] << " x " << group[1]);
            CHECK(floats_by_groups(*device, group) == expected);
        }
}

TEST_CASE("groups: of a kernel that demands another size than the device takes, a line says so") {
    const auto device = limited_device([](DeviceLimits &limits) { limits.work_group_size = 16; });
    if (!device->info().fp64) return;
    for (const auto &on : {device, shared_device()}) { // before the driver sees it, and by it
        Kernel decide = on->kernel("decide.cl", "decide", "-DDIMENSIONS=4"); // in groups of 64
        const auto floats = on->allocate<float>(64);
        const auto numbers = on->allocate<cl_uint>(64);
        CHECK_THROWS_WITH(on->launch(decide, {32, 1}, {32, 1}, floats, floats, cl_uint{1}, numbers,
                                     on->allocate<cl_int>(64), numbers, numbers),
                          Catch::Contains("decide does not run in groups of 32 work-items" +
                                          std::string(on == device ? " (at most 16);" : ";")));
    }
}

TEST_CASE("groups: gpu4 and gpu5 are built for smaller ones where the driver refuses theirs") {
    const Vocabulary vocabulary = random_vocabulary(20, 8, 1);
    const Descriptors rows = random_descriptors(300, 8, 2);
    for (const std::string level : {"gpu4", "gpu5"}) {
        INFO(level);
        const Demanding edited(level + ".cl", up_to_16);
        CHECK(assign(find_level(level), edited.device, rows, vocabulary).words ==
              words_by_rule(rows, vocabulary));
        CHECK_THROWS_WITH(assign(find_level(level), edited.device, rows, vocabulary, {.group = 32}),
                          Catch::Contains("groups of 32"));
    }
}

TEST_CASE("groups: where the driver refuses those of the rule the host decides, and says so") {
    if (!shared_device()->limits().fp64) return;
    const Demanding edited("decide.cl", "kernel __attribute__((reqd_work_group_size(32, 1, 1))) ");
    const Vocabulary vocabulary = random_vocabulary(20, 8, 1);
    const Descriptors rows = nearly_tied(vocabulary, 100, 2);
    Listener listener;
    CHECK(assign(find_level("gpu1"), edited.device, rows, vocabulary, {.observer = &listener})
              .words == words_by_rule(rows, vocabulary));
    REQUIRE(listener.warnings.size() == 1);
    CHECK_THAT(listener.warnings[0], Catch::Contains("the host decides"));
}

TEST_CASE("groups: where the driver refuses an extractor's the host extracts, and says so") {
    const Demanding edited("dense_pool.cl",
                           "kernel __attribute__((reqd_work_group_size(32, 1, 1))) ");
    const auto assigner =
        find_level("gpu1").prepare(edited.device, random_vocabulary(20, 64, 1), {});
    const Recipe recipe = completed({.extractor = "dense"});
    Listener listener;
    CHECK(make_image_counter(recipe, *make_extractor(recipe), *assigner, listener, true) ==
          nullptr);
    REQUIRE(listener.warnings.size() == 1);
    CHECK_THAT(listener.warnings[0],
               Catch::Contains("extracting on the host") && Catch::Contains("groups of 256"));
}
