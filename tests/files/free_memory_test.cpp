#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/io/file_room.hpp>
#include <bowhist/io/free_memory.hpp>
#include <bowhist/io/input_file.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace bowhist;

namespace {

/// A system of its own: 8 GB of memory are available, and 2 GB of swap are free.
class System {
  public:
    System() {
        write("proc/meminfo", "MemTotal:       16000000 kB\nMemFree:          100000 kB\n"
                              "MemAvailable:    8000000 kB\nSwapFree:        2000000 kB\n");
        write("proc/self/mountinfo",
              "36 24 0:31 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
              "37 24 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,cpu,memory\n");
    }
    void write(const std::string &file, const std::string &text) const {
        std::filesystem::create_directories((folder_ / file).parent_path());
        checks::write_bytes(folder_ / file, text);
    }
    std::uint64_t free() const { return free_memory(folder_.path()); }
    std::uint64_t obtainable() const { return obtainable_memory(folder_.path()); }

  private:
    TemporaryFolder folder_;
};

constexpr std::uint64_t kibibyte = 1024;

} // namespace

TEST_CASE("files: free memory is what the system has available, with swap or without") {
    const System system;
    CHECK(system.free() == 8000000 * kibibyte);
    CHECK(system.obtainable() == 10000000 * kibibyte);
}

TEST_CASE("files: free memory is at most what a control group of version 2 leaves") {
    const System system;
    system.write("proc/self/cgroup", "0::/user/job\n");
    CHECK(system.free() == 8000000 * kibibyte);
    system.write("sys/fs/cgroup/user/job/memory.max", "max\n");
    CHECK(system.free() == 8000000 * kibibyte);
    system.write("sys/fs/cgroup/user/memory.max", "5000\n"); // of one around it
    CHECK(system.free() == 5000);
    system.write("sys/fs/cgroup/user/job/memory.max", "3000\n");
    system.write("sys/fs/cgroup/user/job/memory.current", "1000\n");
    CHECK(system.free() == 2000);
    system.write("sys/fs/cgroup/user/job/memory.stat", "anon 100\nfile 900\ninactive_file 400\n");
    CHECK(system.free() == 2400); // what files hold in the cache can go
    CHECK(system.obtainable() == 2400);
    system.write("sys/fs/cgroup/user/job/memory.current", "4000\n");
    system.write("sys/fs/cgroup/user/job/memory.stat", "inactive_file 0\n");
    CHECK(system.free() == 0);
    system.write("sys/fs/cgroup/memory.max", "7\n"); // in a container its own group is the root
    system.write("proc/self/cgroup", "0::/of/the/host\n");
    CHECK(system.free() == 7);
}

TEST_CASE("files: free memory is at most what a control group of version 1 leaves") {
    const System system;
    system.write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/job\n0::/\nnonsense\n");
    system.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(system.free() == 8000000 * kibibyte);
    system.write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "3000\n");
    system.write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1000\n");
    system.write("sys/fs/cgroup/memory/job/memory.stat", "cache 900\ntotal_inactive_file 300\n");
    CHECK(system.free() == 2300);
}

TEST_CASE("files: free memory is at most what a container's group leaves, wherever it is mounted") {
    const System system;
    system.write("proc/self/mountinfo",
                 "34 24 0:29 /docker/0a1b /mnt/groups ro - cgroup cgroup rw,memory\n");
    system.write("mnt/groups/memory.limit_in_bytes", "5000\n");
    system.write("mnt/groups/inner/memory.limit_in_bytes", "4000\n");
    for (const char *path : {"/docker/0a1b", "/elsewhere", "/"}) {
        system.write("proc/self/cgroup", std::string("3:memory:") + path + "\n");
        CHECK(system.free() == 5000);
    }
    system.write("proc/self/cgroup", "3:memory:/docker/0a1b/inner\n");
    CHECK(system.free() == 4000);
}

TEST_CASE("files: free memory is at most what the process's own limits leave") {
    for (const auto limit : {RLIMIT_AS, RLIMIT_DATA}) {
        const pid_t child = ::fork();
        if (child == 0) {
            const struct rlimit little { 1 << 20, 1 << 20 };
            ::setrlimit(limit, &little);
            ::_exit(free_memory() < (1 << 20) ? 0 : 1);
        }
        int status = 1;
        ::waitpid(child, &status, 0);
        CHECK(status == 0);
    }
}

TEST_CASE("files: a room holds the bytes from any position on, and nothing behind the end") {
    const TemporaryFolder folder;
    std::string bytes;
    for (unsigned i = 0; i < 30'000; ++i) bytes += static_cast<char>(i * i >> 7);
    std::ofstream(folder / "bytes", std::ios::binary) << bytes;
    const InputFile file(folder / "bytes", Fault::input);
    FileRoom room;
    std::vector<std::byte> direct(32'768 + InputFile::direct_block);
    void *start = direct.data();
    std::size_t space = direct.size();
    std::align(InputFile::direct_block, 32'768, start, space);
    const std::span aligned(static_cast<std::byte *>(start), 32'768);
    const std::size_t there = file.read_directly(4096, aligned);
    if (there == 0) WARN("this file system does not read past the system's cache");
    CHECK((there == 0 || there == 30'000 - 4096));
    CHECK(std::ranges::equal(aligned.first(there),
                             std::as_bytes(std::span(bytes)).subspan(4096, there)));
    for (const std::size_t position : {0, 1, 8, 4095, 4096, 8200, 29'999})
        for (const std::size_t size : {1, 4088, 4096, 4097, 20'000, 30'000}) {
            INFO(position << ", " << size << " bytes");
            if (position + size > bytes.size()) {
                CHECK_THROWS_AS(room.read(file, position, size), Error);
                continue;
            }
            const auto read = room.read(file, position, size);
            CHECK(
                std::ranges::equal(read, std::as_bytes(std::span(bytes)).subspan(position, size)));
        }
}
