// That no GPU was here is believed for an hour, and only while nothing changes that may bring one.
#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/assign/choose/gpu_absence.hpp>

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdlib>
#include <functional>

using namespace bowhist;
using namespace checks;

namespace {

namespace fs = std::filesystem;

/// A machine in a folder: its nodes, its list of drivers, its libraries.
struct Machine {
    Machine() {
        for (const char *made : {"dev/dri", "vendors"}) fs::create_directories(folder / made);
        for (const char *file : {"dev/null", "ld.so.cache", "libpocl.so"})
            write_bytes(folder / file, "as it was");
        write_bytes(folder / "vendors/pocl.icd", (folder / "libpocl.so").string() + "\n");
    }

    GpuAbsence absence() const {
        return GpuAbsence(folder / "cache", {{folder / "dev", folder / "dev/dri"},
                                             {folder / "vendors", folder / "ld.so.cache"}});
    }
    fs::path file() const {
        const auto names = names_in(folder / "cache/no-gpu");
        REQUIRE(names.size() == 1);
        return folder / "cache/no-gpu" / *names.begin();
    }

    TemporaryFolder folder;
};

void age(const fs::path &file, std::chrono::minutes time) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - time);
}

void touch(const fs::path &file) {
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1));
}

struct Variable {
    Variable(const char *name, const char *value) : name_(name) {
        const char *before = std::getenv(name);
        was_set_ = before != nullptr;
        if (was_set_) before_ = before;
        ::setenv(name, value, 1);
    }
    ~Variable() { was_set_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }
    Variable(const Variable &) = delete;
    Variable &operator=(const Variable &) = delete;

  private:
    const char *name_;
    bool was_set_ = false;
    std::string before_;
};

} // namespace

TEST_CASE("GPU absence: what one run remembers the next one knows") {
    const Machine machine;
    CHECK_FALSE(machine.absence().is_known());
    machine.absence().remember();
    CHECK(machine.absence().is_known());
    machine.absence().forget();
    CHECK_FALSE(machine.absence().is_known());
}

TEST_CASE("GPU absence: the shell's own variables do not matter, nor what the input is") {
    const Machine machine;
    fs::create_symlink("/dev/null", machine.folder / "dev/stdin");
    machine.absence().remember();
    fs::remove(machine.folder / "dev/stdin");
    fs::create_symlink("/nowhere", machine.folder / "dev/stdin");
    CHECK(machine.absence().is_known());
    for (const char *name : {"PWD", "OLDPWD", "SHLVL", "_"}) {
        const Variable changed(name, "9");
        CHECK(machine.absence().is_known());
    }
}

TEST_CASE("GPU absence: whatever may bring a GPU ends it") {
    const std::vector<std::function<void(const fs::path &)>> changes = {
        [](const fs::path &folder) { write_bytes(folder / "dev/nvidia0", ""); },
        [](const fs::path &folder) { write_bytes(folder / "dev/dri/renderD128", ""); },
        [](const fs::path &folder) { write_bytes(folder / "vendors/nvidia.icd", ""); },
        [](const fs::path &folder) { touch(folder / "vendors/pocl.icd"); },
        [](const fs::path &folder) { fs::remove(folder / "vendors/pocl.icd"); },
        [](const fs::path &folder) { touch(folder / "libpocl.so"); },
        [](const fs::path &folder) { touch(folder / "ld.so.cache"); }};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        INFO("change " << i);
        const Machine machine;
        machine.absence().remember();
        REQUIRE(machine.absence().is_known());
        changes[i](machine.folder.path());
        CHECK_FALSE(machine.absence().is_known());
    }
    const Machine machine;
    machine.absence().remember();
    const Variable visible("GPU_VISIBLE_TO_A_DRIVER", "0,1");
    CHECK_FALSE(machine.absence().is_known());
}

TEST_CASE("GPU absence: states that take turns are all known") {
    const Machine machine;
    machine.absence().remember();
    {
        const Variable pane("TMUX_PANE", "%7");
        machine.absence().remember();
        CHECK(machine.absence().is_known());
    }
    CHECK(machine.absence().is_known());
}

TEST_CASE("GPU absence: of this machine all places are looked at") {
    using Paths = std::vector<fs::path>;
    const Variable vendors("OCL_ICD_VENDORS", "/a");
    const Variable path("OPENCL_VENDOR_PATH", "/b");
    const Variable names("OCL_ICD_FILENAMES", "/c");
    const GpuTraces traces = GpuTraces::of_this_machine();
    CHECK(traces.nodes == Paths{"/dev", "/dev/dri", "/dev/nvidia-caps"});
    CHECK(traces.drivers == Paths{"/etc/OpenCL/vendors", "/etc/ld.so.cache", "/a", "/b", "/c"});
}

TEST_CASE("GPU absence: it holds for an hour, and is removed some time after that") {
    const Machine machine;
    machine.absence().remember();
    const fs::path file = machine.file();
    age(file, std::chrono::minutes(-5)); // a clock that was set back
    CHECK_FALSE(machine.absence().is_known());
    age(file, std::chrono::minutes(61));
    CHECK_FALSE(machine.absence().is_known());
    const Variable another("TMUX_PANE", "%7");
    machine.absence().remember();
    CHECK(machine.file() != file);
}

TEST_CASE("GPU absence: without a folder to write to nothing is known") {
    GpuAbsence({}).remember();
    CHECK_FALSE(GpuAbsence({}).is_known());
    const Machine machine;
    const GpuAbsence nowhere(machine.folder / "ld.so.cache/under/a/file");
    nowhere.remember();
    CHECK_FALSE(nowhere.is_known());
    write_bytes(machine.folder / "no-gpu", "a file in its place");
    const GpuAbsence blocked(machine.folder.path());
    blocked.remember();
    CHECK_FALSE(blocked.is_known());
}
