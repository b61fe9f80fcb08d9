// Folders that go with their owner, or with the next run where that was killed.
#include "tests/support/temporary_folder.hpp"

#include <bowhist/io/own_folders.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

using namespace bowhist;
namespace fs = std::filesystem;

namespace {

std::ptrdiff_t count_in(const fs::path &folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

/// Another process, which is not killed before it has made its folder.
void leave_one_in(const fs::path &folder) {
    const pid_t process = fork();
    if (process == 0) {
        const ScratchFolder left(folder);
        std::ofstream(left.path() / "part") << "bytes";
        _exit(0);
    }
    waitpid(process, nullptr, 0);
}

} // namespace

TEST_CASE("scratch folders are this user's alone, and go with their owner") {
    const TemporaryFolder place;
    {
        const ScratchFolder one(place.path());
        const ScratchFolder other(place.path());
        CHECK(one.path() != other.path());
        CHECK(fs::status(one.path()).permissions() == fs::perms::owner_all);
        std::ofstream(one.path() / "part") << "bytes";
    }
    CHECK(fs::is_empty(place.path()));
    CHECK(ScratchFolder(fs::path()).path().empty());
    std::ofstream(place.path() / "file") << "no folder";
    CHECK(ScratchFolder(place.path() / "file").path().empty());
}

TEST_CASE("what a killed run left goes with the next") {
    const TemporaryFolder place;
    leave_one_in(place.path());
    REQUIRE(count_in(place.path()) == 1);
    const ScratchFolder next(place.path());
    CHECK(count_in(place.path()) == 1);
    CHECK(fs::exists(next.path()));
}
