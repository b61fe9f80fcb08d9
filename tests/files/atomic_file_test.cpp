#include <bowhist/io/atomic_file.hpp>
#include <bowhist/tables/histograms/words_file.hpp>

#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

using bowhist::AtomicFile;
using bowhist::Fault;
using Names = std::set<std::string>;

TEST_CASE("files: a file appears with commit and not before, under the longest of names, too") {
    for (const std::string &name : {std::string("x"), std::string(255, 'x')}) {
        const TemporaryFolder folder;
        AtomicFile file(folder / name);
        file.write("????, world");
        file.rewind(); // and writes over the first bytes only
        file.write("what");
        CHECK_FALSE(std::filesystem::exists(folder / name));
        file.commit();
        CHECK(checks::read_bytes(folder / name) == "what, world");
        CHECK(checks::names_in(folder.path()) == Names{name});
    }
}

TEST_CASE("files: without commit nothing is left, and the old file is as it was") {
    const TemporaryFolder folder;
    checks::write_bytes(folder / "old", "old");
    {
        AtomicFile fresh(folder / "new");
        AtomicFile again(folder / "old");
        fresh.write("lost");
        again.write("lost");
        CHECK(checks::names_in(folder.path()).size() == 3);
    }
    CHECK(checks::names_in(folder.path()) == Names{"old"});
    CHECK(checks::read_bytes(folder / "old") == "old");
}

TEST_CASE("files: a commit replaces the old file and keeps its permissions") {
    const TemporaryFolder folder;
    checks::write_bytes(folder / "x", "a long old content");
    ::chmod((folder / "x").c_str(), 0640);
    AtomicFile file(folder / "x");
    file.write("new");
    file.commit();
    CHECK(checks::read_bytes(folder / "x") == "new");
    struct stat status {};
    REQUIRE(::stat((folder / "x").c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0640);
}

TEST_CASE("files: a new file has the permissions that the umask leaves") {
    const TemporaryFolder folder;
    const mode_t before = ::umask(027);
    AtomicFile file(folder / "x");
    ::umask(before);
    file.commit();
    struct stat status {};
    REQUIRE(::stat((folder / "x").c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0640);
}

TEST_CASE("files: links stay links; the file that they lead to is replaced or made") {
    for (const bool target_exists : {true, false}) {
        const TemporaryFolder folder;
        std::filesystem::create_directory(folder / "there");
        if (target_exists) checks::write_bytes(folder / "there/target", "old");
        std::filesystem::create_symlink("there/between", folder / "link");
        std::filesystem::create_symlink("target", folder / "there/between");
        AtomicFile file(folder / "link");
        file.write("new");
        file.commit();
        CHECK(std::filesystem::is_symlink(folder / "link"));
        CHECK(std::filesystem::is_symlink(folder / "there/between"));
        CHECK(checks::read_bytes(folder / "there/target") == "new");
        CHECK(checks::names_in(folder / "there") == Names{"between", "target"});
    }
}

TEST_CASE("files: a link that leads to itself is refused and stays") {
    const TemporaryFolder folder;
    std::filesystem::create_symlink("link", folder / "link");
    checks::require_error(Fault::output, (folder / "link").string(), {"symbolic links"},
                          [&] { AtomicFile file(folder / "link"); });
    CHECK(std::filesystem::is_symlink(folder / "link"));
}

TEST_CASE("files: a destination that cannot be written is named with the reason") {
    const TemporaryFolder folder;
    const auto open = [](const std::filesystem::path &path) {
        return [path] { AtomicFile file(path); };
    };
    const auto missing = folder / "no/such/x";
    checks::require_error(Fault::output, missing.string(),
                          {"No such file or directory", "make its folder first"}, open(missing));
    checks::require_error(Fault::output, folder.path().string(), {"is a directory"},
                          open(folder.path()));
    checks::require_error(Fault::output, "''", {"names no file"}, open(""));
    checks::require_error(Fault::output, (folder / "a\\nb").string(), {"No such file"},
                          open(folder / "a\nb/c"));
}

TEST_CASE("files: devices are written directly, and a full one is reported") {
    AtomicFile null("/dev/null");
    null.write("nothing");
    null.commit();
    CHECK(std::filesystem::is_character_file("/dev/null"));

    const auto fill = [](std::size_t bytes) {
        return [bytes] {
            AtomicFile full("/dev/full");
            full.write(std::string(bytes, 'x'));
            full.commit();
        };
    };
    checks::require_error(Fault::output, "/dev/full", {"No space left"}, fill(1));
    checks::require_error(Fault::output, "/dev/full", {"No space left"}, fill(1 << 20));
}

TEST_CASE("files: what goes back to its header refuses a pipe before any work is done") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const std::string path = "/dev/fd/" + std::to_string(ends[1]);
    checks::require_error(Fault::output, path, {"Illegal seek", "regular file"},
                          [&] { bowhist::WordsFile words(path); });
    AtomicFile stream(path);
    stream.write("rows");
    stream.commit();
    char rows[8] = {};
    CHECK(::read(ends[0], rows, sizeof(rows)) == 4);
    CHECK(std::string(rows) == "rows");
    ::close(ends[0]);
    ::close(ends[1]);
}
