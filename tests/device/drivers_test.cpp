// Which drivers are left out, what is remembered of them, what PoCL's folder must be, and GPUs that
// OpenCL does not see.
#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/device/drivers/driver.hpp>
#include <bowhist/device/drivers/verdict_cache.hpp>
#include <bowhist/device/gpu_nodes.hpp>
#include <bowhist/device/pocl_cache.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>

using namespace bowhist;
using namespace checks;

namespace {

namespace fs = std::filesystem;

Driver named(const std::string &library) {
    return {library, "/vendors/" + library + ".icd"};
}

bool holds(const std::vector<Driver> &drivers, const char *library) {
    return std::ranges::find(drivers, library, &Driver::library) != drivers.end();
}

/// Ends every trial that has `library` in it.
Trial without(const std::vector<Driver> &drivers, const char *library, bool knows_culprit) {
    Trial trial;
    const auto found = std::ranges::find(drivers, library, &Driver::library);
    if (found == drivers.end()) return trial;
    trial.end = "aborts";
    if (knows_culprit) trial.culprit = static_cast<std::size_t>(found - drivers.begin());
    return trial;
}

std::vector<Driver> three() {
    return {named("a"), named("b"), named("c")};
}

} // namespace

TEST_CASE("drivers: those that end a process are left out, known as culprits or not") {
    for (const bool known : {true, false})
        for (const char *bad : {"a", "b", "c"}) {
            int trials = 0;
            const DriverReport report = sift(three(), [&](const std::vector<Driver> &some) {
                ++trials;
                return without(some, bad, known);
            });
            CHECK(report.good.size() == 2);
            CHECK_FALSE(holds(report.good, bad));
            REQUIRE(report.bad.size() == 1);
            CHECK(report.bad[0] == BadDriver{named(bad), "aborts", ""});
            CHECK(trials == (known ? 2 : 4));
        }
}

TEST_CASE("drivers: of two that do not bear each other the first is used") {
    const DriverReport report = sift(three(), [](const std::vector<Driver> &some) {
        Trial trial;
        if (holds(some, "a") && holds(some, "c")) trial.end = "crashes (SIGSEGV)";
        return trial;
    });
    CHECK(report.good == std::vector{named("a"), named("b")});
    REQUIRE(report.bad.size() == 1);
    CHECK(report.bad[0].driver == named("c"));
}

TEST_CASE("drivers: without a process to try them in all are taken, and that is not remembered") {
    const DriverReport report =
        sift(three(), [](const std::vector<Driver> &) { return std::optional<Trial>(); });
    CHECK(report.good == three());
    CHECK_FALSE(report.is_tried);
    const TemporaryFolder folder;
    const VerdictCache cache(folder.path(), "state");
    cache.remember(report);
    CHECK_FALSE(cache.find(three()));
}

TEST_CASE("drivers: a verdict holds for a while, a bad one less long") {
    const TemporaryFolder folder;
    const VerdictCache cache(folder.path(), "state");
    DriverReport report{.good = {named("a"), named("c")},
                        .bad = {{named("b"), "aborts", "no\nfirmware"}},
                        .missing = {"c cannot be loaded"}};
    const auto age = [&](std::chrono::minutes time) {
        fs::last_write_time(folder / "drivers/state", fs::file_time_type::clock::now() - time);
    };
    cache.remember(report);
    const auto found = cache.find(three());
    REQUIRE(found);
    CHECK(found->good == report.good);
    CHECK(found->bad == report.bad);
    CHECK(found->missing == report.missing);
    CHECK_FALSE(VerdictCache(folder.path(), "other").find(three()));
    CHECK_FALSE(cache.find({named("a"), named("c")})); // it speaks of others
    age(std::chrono::minutes(11));
    CHECK_FALSE(cache.find(three()));
    report = {.good = three(), .bad = {}, .missing = {}};
    cache.remember(report);
    age(std::chrono::minutes(-5)); // from the future
    CHECK_FALSE(cache.find(three()));
    CHECK_FALSE(VerdictCache({}, "state").find(three()));
}

TEST_CASE("drivers: their state is that of their files and of what they read") {
    const TemporaryFolder folder;
    write_bytes(folder / "a.so", "as it was");
    write_bytes(folder / "a.icd", (folder / "a.so").string());
    const std::vector<Driver> drivers = {{(folder / "a.so").string(), folder / "a.icd"}};
    const std::string before = state_of(drivers, {});
    CHECK(state_of(drivers, {}) == before);
    CHECK(state_of(drivers, {"more"}) != before);
    CHECK(state_of({}, {}) != before);
    ::setenv("POCL_OF_A_TEST", "1", 1);
    CHECK(state_of(drivers, {}) != before);
    ::unsetenv("POCL_OF_A_TEST");
    ::setenv("HYPERFINE_ITERATION", "1", 1); // no driver's
    CHECK(state_of(drivers, {}) == before);
    ::unsetenv("HYPERFINE_ITERATION");
    write_bytes(folder / "a.so", "as it is now");
    CHECK(state_of(drivers, {}) != before);
}

TEST_CASE("drivers: PoCL's folder must be one that can be written to and has room") {
    const TemporaryFolder folder;
    write_bytes(folder / "file", "");
    CHECK_FALSE(pocl_folder_fault(folder / "not/yet/there"));
    CHECK(pocl_folder_fault(folder / "file"));
    CHECK(pocl_folder_fault(folder / "file/below"));
    CHECK(pocl_folder_fault("/proc/1"));
}

namespace {

struct Machine {
    Machine() { fs::create_directories(folder / "dev/dri"); }
    void add_render_node(const std::string &name, const std::string &vendor) const {
        write_bytes(folder / "dev/dri" / name, "");
        fs::create_directories(folder / "sys/class/drm" / name / "device");
        write_bytes(folder / "sys/class/drm" / name / "device/vendor", vendor + "\n");
    }
    std::vector<std::string> lines(const std::vector<OpenclGpu> &gpus = {},
                                   const DriverReport &report = {}) const {
        return gpus_without_driver(gpu_nodes(folder.path()), gpus, report);
    }
    TemporaryFolder folder;
};

} // namespace

TEST_CASE("GPU nodes: a GPU without a driver is named, with its maker and what to install") {
    const Machine machine;
    CHECK(machine.lines().empty());
    write_bytes(machine.folder / "dev/nvidiactl", "");
    machine.add_render_node("renderD130", "0x1af4"); // a virtual one
    machine.add_render_node("renderD131", "0x1a03"); // a screen
    CHECK(machine.lines().empty());
    write_bytes(machine.folder / "dev/nvidia1", "");
    machine.add_render_node("renderD128", "0x8086");
    machine.add_render_node("renderD129", "0x1002");
    const auto lines = machine.lines();
    REQUIRE(lines.size() == 3);
    CHECK_THAT(lines[0], Catch::Contains("/dev/nvidia1, NVIDIA") && Catch::Contains("nvidia.icd"));
    CHECK_THAT(lines[1], Catch::Contains("/dev/dri/renderD129, AMD") && Catch::Contains("ROCm"));
    CHECK_THAT(lines[2], Catch::Contains("Intel") && Catch::Contains("intel-opencl-icd"));
    CHECK(machine.lines({{0x10de, "NVIDIA Corporation NVIDIA H100"}}).size() == 2);
    CHECK(machine.lines({{0, "Advanced Micro Devices, Inc. gfx90a"}}).size() == 2);
}

TEST_CASE("GPU nodes: what is known of the registered driver is said instead") {
    const Machine machine;
    write_bytes(machine.folder / "dev/nvidia0", "");
    const Driver driver{"libnvidia-opencl.so.1", "/etc/OpenCL/vendors/nvidia.icd"};
    CHECK_THAT(machine.lines({}, {.good = {driver}})[0], Catch::Contains("shows no device"));
    CHECK_THAT(machine.lines({}, {.good = {driver}, .missing = {driver.name() + " is gone"}})[0],
               Catch::Contains("is gone"));
    CHECK(machine.lines({}, {.bad = {{driver, "aborts", ""}}}).empty());
}

TEST_CASE("GPU nodes: a registered driver is of the GPU's maker, or of no use to it") {
    const Machine machine;
    const auto has_driver = [&](const std::vector<Driver> &drivers) {
        return any_has_driver(gpu_nodes(machine.folder.path()), drivers);
    };
    const Driver nvidia{"libnvidia-opencl.so.1", "/etc/OpenCL/vendors/nvidia.icd"};
    const Driver pocl{"libpocl.so.2", "/etc/OpenCL/vendors/pocl.icd"};
    CHECK_FALSE(has_driver({nvidia, pocl}));
    write_bytes(machine.folder / "dev/nvidia0", "");
    CHECK(has_driver({pocl, nvidia}));
    CHECK_FALSE(has_driver({pocl}));
    CHECK_FALSE(has_driver({}));
}

TEST_CASE("GPU nodes: ROCm's kfd is AMD's") {
    const Machine machine;
    write_bytes(machine.folder / "dev/kfd", "");
    CHECK_THAT(machine.lines().at(0), Catch::Contains("/dev/kfd, AMD"));
}
