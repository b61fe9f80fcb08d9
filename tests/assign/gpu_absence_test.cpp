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
        for (const char *file : {"dev/null", "vendors/pocl.icd", "ld.so.cache"})
            write_bytes(folder / file, "as it was");
    }

    GpuAbsence absence() const {
        return GpuAbsence(folder / "cache", {{folder / "dev", folder / "dev/dri"},
                                             {folder / "vendors", folder / "ld.so.cache"}});
    }
    void age(std::chrono::minutes time) const {
        fs::last_write_time(folder / "cache/no-gpu", fs::file_time_type::clock::now() - time);
    }

    TemporaryFolder folder;
};

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
    CHECK(names_in(machine.folder / "cache").size() == 1);
    const Variable elsewhere("PWD", "/elsewhere");
    CHECK(machine.absence().is_known());
}

TEST_CASE("GPU absence: whatever may bring a GPU ends it") {
    const std::vector<std::function<void(const fs::path &)>> changes = {
        [](const fs::path &folder) { write_bytes(folder / "dev/nvidia0", ""); },
        [](const fs::path &folder) { write_bytes(folder / "dev/dri/renderD128", ""); },
        [](const fs::path &folder) { write_bytes(folder / "vendors/nvidia.icd", ""); },
        [](const fs::path &folder) { touch(folder / "vendors/pocl.icd"); },
        [](const fs::path &folder) { fs::remove(folder / "vendors/pocl.icd"); },
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
    const Variable visible("CUDA_VISIBLE_DEVICES", "0,1");
    CHECK_FALSE(machine.absence().is_known());
}

TEST_CASE("GPU absence: a folder of drivers that a variable names is looked into, too") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "vendors");
    const Variable vendors("OCL_ICD_VENDORS", (folder / "vendors").c_str());
    GpuAbsence(folder / "cache").remember();
    REQUIRE(GpuAbsence(folder / "cache").is_known());
    write_bytes(folder / "vendors/nvidia.icd", "");
    CHECK_FALSE(GpuAbsence(folder / "cache").is_known());
}

TEST_CASE("GPU absence: it holds for an hour") {
    const Machine machine;
    machine.absence().remember();
    machine.age(std::chrono::minutes(59));
    CHECK(machine.absence().is_known());
    machine.age(std::chrono::minutes(61));
    CHECK_FALSE(machine.absence().is_known());
    machine.age(std::chrono::minutes(-5)); // a clock that was set back
    CHECK_FALSE(machine.absence().is_known());
}

TEST_CASE("GPU absence: a damaged file, or none that can be written, is as good as none") {
    const Machine machine;
    machine.absence().remember();
    const std::string sound = read_bytes(machine.folder / "cache/no-gpu");
    for (const std::string &text :
         {std::string(), sound.substr(1), sound + sound, std::string(sound.size(), '0')}) {
        write_bytes(machine.folder / "cache/no-gpu", text);
        CHECK_FALSE(machine.absence().is_known());
    }
    GpuAbsence({}).remember();
    CHECK_FALSE(GpuAbsence({}).is_known());
    const GpuAbsence nowhere(machine.folder / "ld.so.cache/under/a/file");
    nowhere.remember();
    CHECK_FALSE(nowhere.is_known());
}
