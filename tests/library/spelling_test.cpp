#include <bowhist/library/spelling.hpp>

#include "../support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace bowhist;
namespace fs = std::filesystem;

namespace {

/// A comparison with fixed answers that counts its calls.
struct Answers {
    bool sound = false;
    std::optional<bool> shows;
    int probes = 0;

    FolderComparison comparison() {
        return {[this](const std::string &) { return sound; },
                [this](const std::string &, const std::string &) {
                    ++probes;
                    return shows;
                }};
    }
};

std::string folder_in(const TemporaryFolder &folder, const char *name) {
    fs::create_directories(folder / name);
    return folder / name;
}

LibraryImage file_in(const TemporaryFolder &folder, const std::string &name) {
    std::ofstream(folder / name) << "the same bytes";
    LibraryImage image;
    image.path = folder / name;
    return image;
}

} // namespace

TEST_CASE("spelling: two folders whose names differ by case are two") {
    const TemporaryFolder folder;
    const std::string one = folder_in(folder, "Photos"), other = folder_in(folder, "photos");
    CHECK_FALSE(is_same_folder(one, other));
    CHECK(listed_path(one) != listed_path(other));
    CHECK(fs::path(listed_path(one)).filename() == "Photos");
    CHECK(listed_path(folder / "PHOTOS").empty());
}

TEST_CASE("spelling: links lead to one folder") {
    const TemporaryFolder folder;
    const std::string one = folder_in(folder, "photos");
    fs::create_directory_symlink("photos", folder / "link");
    CHECK(is_same_folder(one, folder / "link"));
    CHECK(is_same_folder(one, one + "/."));
    CHECK(listed_path(folder / "link") == listed_path(one));
    CHECK_FALSE(is_same_folder(one, folder / "nowhere"));
}

TEST_CASE("spelling: a file that is made decides where inode numbers are not sound") {
    const TemporaryFolder folder;
    const std::string one = folder_in(folder, "Photos"), other = folder_in(folder, "photos");
    Answers answers;
    for (const auto &[shows, is_same] :
         {std::pair(std::optional(true), true), std::pair(std::optional(false), false),
          std::pair(std::optional<bool>(), false)}) { // not writable: two inodes are two folders
        answers.shows = shows;
        CHECK(is_same_folder(one, other, answers.comparison()) == is_same);
    }
    CHECK(answers.probes == 3);
    answers.shows = true;
    answers.sound = true;
    CHECK_FALSE(is_same_folder(one, other, answers.comparison()));
    CHECK(answers.probes == 3);
}

TEST_CASE("spelling: no file is made in folders whose names are no spellings of each other") {
    const TemporaryFolder folder;
    const std::string photos = folder_in(folder, "photos");
    Answers answers{.sound = false, .shows = true};
    for (const char *name : {"backup", "photos2", "sub/photos", "photo\u0301s"})
        CHECK_FALSE(is_same_folder(photos, folder_in(folder, name), answers.comparison()));
    CHECK(answers.probes == 0);
    const std::string composed = folder_in(folder, "Caf\u00e9 2026"),
                      apart = folder_in(folder, "Cafe\u0301 2026");
    CHECK(is_same_folder(composed, apart, answers.comparison()));
    CHECK_FALSE(
        is_same_folder(composed, folder_in(folder, "Caf\u00e9 2025"), answers.comparison()));
    CHECK(answers.probes == 1);
}

TEST_CASE("spelling: the file that decides is removed") {
    const TemporaryFolder folder;
    const std::string one = folder_in(folder, "Photos"), other = folder_in(folder, "photos");
    const FolderComparison disk = comparison_on_disk();
    CHECK(disk.shows_file(one, other) == false);
    CHECK(disk.shows_file(one, one) == true);
    CHECK(fs::is_empty(one));
    CHECK(fs::is_empty(other));
    CHECK_FALSE(disk.shows_file(folder / "nowhere", one).has_value());
}

TEST_CASE("spelling: files of the same bytes, size and time are two") {
    const TemporaryFolder folder;
    const LibraryImage one = file_in(folder, "a.jpg"), other = file_in(folder, "A.JPG");
    fs::last_write_time(one.path, fs::last_write_time(other.path));
    CHECK_FALSE(is_same_file(one, other));
    CHECK(is_same_file(one, one));
    fs::create_hard_link(one.path, folder / "b.jpg");
    LibraryImage link = one;
    link.path = folder / "b.jpg";
    CHECK(is_same_file(one, link));
    fs::remove(one.path);
    CHECK_FALSE(is_same_file(one, one));
}
