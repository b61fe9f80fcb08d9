// The quota on CPU time, read from files as Linux shows them in machines and containers.
#include "app/command/cpu_quota.hpp"

#include <tests/support/temporary_folder.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <string>

using namespace bowhist;
using app::cpu_quota;

namespace {

/// A file system of a few files.
class Machine {
  public:
    void write(const std::string &path, const std::string &text) const {
        const auto file = folder_.path() / path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << text;
    }

    std::optional<double> quota() const { return cpu_quota(folder_.path()); }

  private:
    TemporaryFolder folder_;
};

constexpr const char *v2_mount =
    "24 1 0:22 / / rw - ext4 /dev/sda1 rw\n"
    "36 24 0:31 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw\n";

} // namespace

TEST_CASE("cpu quota: Of a container, version 2") {
    const Machine machine;
    CHECK(!machine.quota());
    machine.write("proc/self/mountinfo", v2_mount);
    CHECK(!machine.quota());
    machine.write("proc/self/cgroup", "0::/\n");
    CHECK(!machine.quota());
    machine.write("sys/fs/cgroup/cpu.max", "max 100000\n");
    CHECK(!machine.quota());
    machine.write("sys/fs/cgroup/cpu.max", "150000 100000\n");
    CHECK(machine.quota() == 1.5);
}

TEST_CASE("cpu quota: The least of a group's and of those above it") {
    const Machine machine;
    machine.write("proc/self/mountinfo", v2_mount);
    machine.write("proc/self/cgroup", "0::/system.slice/a.service/child\n");
    machine.write("sys/fs/cgroup/system.slice/a.service/child/cpu.max", "400000 100000\n");
    CHECK(machine.quota() == 4);
    machine.write("sys/fs/cgroup/system.slice/cpu.max", "50000 25000\n");
    CHECK(machine.quota() == 2);
    machine.write("sys/fs/cgroup/system.slice/b.service/cpu.max", "1000 100000\n"); // another's
    CHECK(machine.quota() == 2);
}

TEST_CASE("cpu quota: Of version 1, which names its controllers") {
    const Machine machine;
    machine.write("proc/self/mountinfo",
                  "33 24 0:28 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
                  "34 24 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:11 - cgroup cgroup "
                  "rw,cpu,cpuacct\n"
                  "35 24 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    machine.write("proc/self/cgroup",
                  "4:cpuset:/\n3:cpu,cpuacct:/user.slice\n1:name=systemd:/a:b\n0::/user.slice\n");
    const std::string folder = "sys/fs/cgroup/cpu,cpuacct/user.slice/";
    machine.write(folder + "cpu.cfs_quota_us", "-1\n");
    machine.write(folder + "cpu.cfs_period_us", "100000\n");
    CHECK(!machine.quota());
    machine.write(folder + "cpu.cfs_quota_us", "25000\n");
    CHECK(machine.quota() == 0.25);
}

TEST_CASE("cpu quota: Of a container whose group has its path outside") {
    const Machine machine;
    machine.write("proc/self/mountinfo",
                  "34 24 0:29 /docker/0a1b /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n");
    machine.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
    machine.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    for (const char *path : {"/docker/0a1b", "/docker/0a1b/below", "/elsewhere", "/", "/../.."}) {
        machine.write("proc/self/cgroup", std::string("3:cpu:") + path + "\n");
        CHECK(machine.quota() == 2);
    }
}

TEST_CASE("cpu quota: What is not understood is no limit") {
    const Machine machine;
    machine.write("proc/self/mountinfo", std::string("x\n - \n1 2 - cgroup2\n\xff\n") + v2_mount);
    machine.write("proc/self/cgroup", "\n:\nx\n0::/\n");
    for (const char *text : {"", "\n", "x y", "100000", "100000 0", "-5 100000", "0 100000"}) {
        machine.write("sys/fs/cgroup/cpu.max", text);
        CHECK(!machine.quota());
    }
    machine.write("sys/fs/cgroup/cpu.max", "300000 100000");
    CHECK(machine.quota() == 3);
}
