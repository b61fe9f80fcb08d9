#include "tests/files/checks.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/inputs/inputs.hpp>
#include <bowhist/pictures/picture.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

using namespace bowhist;
using testing::Listener;
namespace fs = std::filesystem;

namespace {

void touch(const fs::path &path, const std::string &content = "x") {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
}

std::vector<std::string> paths(const InputList &list) {
    std::vector<std::string> result;
    for (const auto &input : list.inputs) result.push_back(input.path.native());
    return result;
}

std::vector<std::string> below(const InputList &list) {
    std::vector<std::string> result;
    for (const auto &input : list.inputs) result.push_back(input.below.native());
    return result;
}

using Names = std::vector<std::string>;
using Kinds = std::map<std::string, std::size_t>;

std::size_t count(const Kinds &kinds) {
    std::size_t all = 0;
    for (const auto &[kind, number] : kinds) all += number;
    return all;
}

} // namespace

TEST_CASE("inputs: A file named outright is taken as it is, there or not, in order") {
    Listener listener;
    const auto list =
        list_inputs({.arguments = {"-x.jpg", "[a,b]", "no/such.txt", "-x.jpg"}}, listener);
    CHECK(paths(list) == Names{"-x.jpg", "[a,b]", "no/such.txt", "-x.jpg"});
    CHECK(below(list) == paths(list));
    CHECK(list.skipped == 0);
}

TEST_CASE("inputs: A folder yields its pictures, sorted by the bytes of their paths") {
    const TemporaryFolder folder;
    for (const auto *name : {"b.jpg", "B.PNG", "a/z.webp", "a-1.jpg", "a/deep/er/x.tif",
                             "\xFF\xFE.jpg", "line\nbreak.jpg", "!.jpg"}) {
        touch(folder / name);
    }
    for (const auto *name : {"notes.txt", "jpg", "a/Makefile", "x.jpg.bak", "x.cr2"})
        touch(folder / name);
    Listener listener;
    const auto list = list_inputs({.arguments = {folder.path().native(), "last.jpg"}}, listener);
    CHECK(below(list) == Names{"!.jpg", "B.PNG", "a-1.jpg", "a/deep/er/x.tif", "a/z.webp", "b.jpg",
                               "line\nbreak.jpg", "\xFF\xFE.jpg", "last.jpg"});
    CHECK(list.inputs.front().path == folder / "!.jpg");
    CHECK(count(list.ignored) == 5);
    CHECK(listener.notes.size() == 5);
    CHECK(listener.warnings.empty());
}

TEST_CASE("inputs: Descriptor files in a folder count when an extract sidecar lies beside") {
    const TemporaryFolder folder;
    for (const auto *name : {"a.npy", "a.npy.json", "words.npy", "b.fvecs", "b.fvecs.json"}) {
        touch(folder / name);
    }
    Listener listener;
    const auto list = list_inputs({.arguments = {folder.path().native()}}, listener);
    CHECK(below(list) == Names{"a.npy", "b.fvecs"});
    CHECK(list.ignored == Kinds{{".npy", 1}}); // words.npy; the sidecars are read
    CHECK(listener.notes == Names{"ignored " + (folder / "words.npy").native()});
}

TEST_CASE("inputs: Where descriptors alone are wanted, every descriptor file in a folder counts") {
    const TemporaryFolder folder;
    for (const auto *name : {"a.npy", "a.npy.json", "z/b.FBIN", "c.fvecs", "x.jpg", "notes.json"})
        touch(folder / name);
    touch(folder / "none/x.jpg");
    Listener listener;
    const auto search = [&](const fs::path &path) {
        return list_inputs({.arguments = {path.native()}, .descriptors_only = true}, listener);
    };
    const auto list = search(folder.path());
    CHECK(below(list) == Names{"a.npy", "c.fvecs", "z/b.FBIN"});
    CHECK(count(list.ignored) == 3);
    CHECK(listener.warnings.empty());
    CHECK(search(folder / "none").inputs.empty());
    CHECK(listener.warnings ==
          Names{(folder / "none").native() + ": no descriptor file in this folder"});
}

TEST_CASE("inputs: Descriptor files in a folder are left out beside pictures, however deep") {
    const TemporaryFolder folder;
    for (const auto *name : {"a.npy", "a.npy.json", "z/b.npy", "z/b.npy.json"})
        touch(folder / name);
    Listener listener;
    const InputSource source{.arguments = {folder.path().native()}};
    CHECK(below(list_inputs(source, listener)) == Names{"a.npy", "z/b.npy"});
    touch(folder / "y/deep/x.jpg");
    const auto list = list_inputs(source, listener);
    CHECK(below(list) == Names{"y/deep/x.jpg"});
    CHECK(list.ignored == Kinds{{".npy", 2}});
    // each folder for itself, and a file named outright is always taken
    const auto named = [&](const char *name) { return (folder / name).native(); };
    CHECK(below(list_inputs({.arguments = {named("z"), named("y"), named("a.npy")}}, listener)) ==
          Names{"b.npy", "deep/x.jpg", named("a.npy")});
    CHECK(listener.warnings.empty());
}

TEST_CASE("inputs: Links are followed, and each folder is searched once") {
    const TemporaryFolder folder;
    const TemporaryFolder elsewhere;
    touch(folder / "real/x.jpg");
    touch(elsewhere / "deep/y.jpg");
    fs::create_directory_symlink("real", folder / "a.jpg"); // before it, and by the same device
    fs::create_directory_symlink(elsewhere.path(), folder / "link");
    fs::create_directory_symlink(elsewhere / "deep", folder / "again");
    fs::create_symlink("real/x.jpg", folder / "file.jpg");
    fs::create_symlink("nowhere", folder / "dangling.jpg");
    fs::create_symlink("loop.jpg", folder / "loop.jpg");
    Listener listener;
    const auto list = list_inputs({.arguments = {folder.path().native()}}, listener);
    CHECK(below(list) ==
          Names{"again/y.jpg", "dangling.jpg", "file.jpg", "loop.jpg", "real/x.jpg"});
    CHECK(list.skipped == 0);
    CHECK(listener.warnings.empty());
    const auto linked = list_inputs({.arguments = {(folder / "a.jpg").native()}}, listener);
    CHECK(below(linked) == Names{"x.jpg"}); // named outright
}

TEST_CASE("inputs: Links that lead back are reported in a line, and not followed") {
    const TemporaryFolder folder;
    const TemporaryFolder elsewhere;
    touch(folder / "a/x.jpg");
    touch(elsewhere / "y.jpg");
    fs::create_directory_symlink("..", folder / "a/up");
    fs::create_directory_symlink(elsewhere.path(), folder / "a/way");
    const auto search = [&](const fs::path &path) {
        Listener listener;
        CHECK(below(list_inputs({.arguments = {path.native()}}, listener)) ==
              Names{"a/way/y.jpg", "a/x.jpg"});
        REQUIRE(listener.warnings.size() == 1);
        return listener.warnings.front();
    };
    const std::string up = (folder / "a/up").native();
    CHECK(search(folder.path()) ==
          up + ": this link leads back to a folder that it lies in; not followed");
    fs::create_directory_symlink("/", elsewhere / "root");
    fs::create_directory_symlink(".", elsewhere / "self");
    fs::create_directory_symlink(folder.path(), elsewhere / "home"); // back by two links
    CHECK(search(folder.path()) ==
          up +
              ": this link leads back to a folder that it lies in; not followed, nor are 3 others");
}

TEST_CASE("inputs: What is ignored is counted by kind") {
    const TemporaryFolder folder;
    for (const auto *name : {"a.jpg", "._a.jpg", "b/._c.PNG", "._notes.txt", "b/d.CR2", "e.cr2",
                             "f.mov", "Makefile", ".DS_Store", "g."})
        touch(folder / name);
    Listener listener;
    const auto list = list_inputs({.arguments = {folder.path().native(), (folder / "b").native(),
                                                 (folder / "._a.jpg").native()}},
                                  listener);
    CHECK(below(list) == Names{"a.jpg", (folder / "._a.jpg").native()}); // this named outright
    CHECK(list.ignored ==
          Kinds{{"._*", 3}, {".cr2", 2}, {".mov", 1}, {"no ending", 2}, {"hidden", 1}});
    listener.warnings.clear();
    touch(folder / "b/._d.npy");
    CHECK(list_inputs({.arguments = {folder.path().native()}, .descriptors_only = true}, listener)
              .inputs.empty());
}

TEST_CASE("inputs: A folder that cannot be listed is skipped and counted") {
    if (::geteuid() == 0) {
        WARN("skipped: root can list every folder");
        return;
    }
    const TemporaryFolder folder;
    touch(folder / "a.jpg");
    touch(folder / "locked/b.jpg");
    ::chmod((folder / "locked").c_str(), 0);
    Listener listener;
    const auto list = list_inputs({.arguments = {folder.path().native()}}, listener);
    ::chmod((folder / "locked").c_str(), 0700);
    CHECK(below(list) == Names{"a.jpg"});
    CHECK(list.skipped == 1);
    REQUIRE(listener.reasons.size() == 1);
    CHECK_THAT(listener.reasons.front(), Catch::StartsWith((folder / "locked").native() + ": "));
}

TEST_CASE("inputs: The search stops when the user asks") {
    const TemporaryFolder folder;
    Listener listener;
    listener.stop = true;
    checks::require_error(Fault::interrupted, "interrupted", {},
                          [&] { list_inputs({.arguments = {folder.path().native()}}, listener); });
}

TEST_CASE("inputs: A picture's ending, in any case") {
    for (const auto *name :
         {"a.jpg", "A.JPEG", "x.y.Png", "dir.d/b.webp", "c.tiff", "d.bmp", "e.jp2", "f.MPO"}) {
        CHECK(has_image_ending(name));
    }
    for (const auto *name : {"", "jpg", ".jpg", "a.jpg.txt", "a.cr2", "a.npy", "dir.jpg/file"}) {
        CHECK_FALSE(has_image_ending(name));
    }
}

TEST_CASE("inputs: each once, by the path, if asked for; the list is shown before it is used") {
    InputSource source{.arguments = {"./a.jpg", "b.jpg", "a.jpg", "b.jpg"}};
    Observer silent;
    CHECK(list_given_inputs(source, false, silent).inputs.size() == 4);
    source.each_once = true;
    std::size_t shown = 0;
    source.listed = [&](const InputList &list) { shown = list.inputs.size(); };
    const InputList list = list_given_inputs(source, false, silent);
    REQUIRE(list.inputs.size() == 2);
    CHECK(list.inputs[0].path == "./a.jpg");
    CHECK(list.inputs[1].path == "b.jpg");
    CHECK(shown == 2);
}
