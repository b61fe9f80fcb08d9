#include <bowhist/duplicates/moves/on_disk.hpp>

#include "tests/support/temporary_folder.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include <fstream>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

using Strings = std::vector<std::string>;

struct Warnings : Observer {
    Strings lines;
    void warning(const std::string &line) override { lines.push_back(line); }
};

/// A file of one letter, as the library knows it.
LibraryImage image(const fs::path &file, const std::string &hash, int side = 100) {
    std::ofstream(file) << 'x';
    struct stat found {};
    ::stat(file.c_str(), &found);
    LibraryImage made{.path = file.native(), .width = 2 * side, .height = side};
    made.hash = hash;
    made.stamp = {1, std::int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec};
    return made;
}

/// The best, one with its bytes, one held against the best, and one held against that.
Duplicates example(const TemporaryFolder &folder) {
    Duplicate same{.image = image(folder / "same.jpg", "1")};
    same.kinds.bytes = true;
    Duplicate small{.image = image(folder / "small.jpg", "2", 50)};
    small.kinds.resized = true;
    Duplicate chained{.image = image(folder / "turned.jpg", "3"), .with = 2};
    chained.kinds.turned = true;
    return {.groups = {{.images = {{.image = image(folder / "best.jpg", "1"), .kept = true},
                                   same,
                                   small,
                                   chained}}},
            .images = 4};
}

/// Names, each with that of what it is held against: "small.jpg<best.jpg"; of what could go "!"
Strings shown(const Duplicates &found) {
    const auto name = [](const Duplicate &of) {
        return fs::path(of.image.path).filename().native();
    };
    Strings names;
    for (const DuplicateGroup &group : found.groups)
        for (const Duplicate &of : group.images)
            names.push_back(name(of) + "<" + name(group.images[of.with]) +
                            (is_spare(of) ? "!" : ""));
    return names;
}

} // namespace

TEST_CASE("on disk: nothing is left out where all is there") {
    const TemporaryFolder folder;
    Warnings warnings;
    CHECK(shown(on_disk(example(folder), FileLook::listing, warnings)) ==
          Strings{"best.jpg<best.jpg", "same.jpg<best.jpg!", "small.jpg<best.jpg!",
                  "turned.jpg<small.jpg!"});
    CHECK(warnings.lines.empty());
}

TEST_CASE("on disk: what was held against a file that is gone is left out with it") {
    const TemporaryFolder folder;
    Warnings warnings;
    const Duplicates found = example(folder);
    fs::remove(folder / "small.jpg");
    CHECK(shown(on_disk(found, FileLook::listing, warnings)) ==
          Strings{"best.jpg<best.jpg", "same.jpg<best.jpg!"});
    REQUIRE(warnings.lines.size() == 1);
    CHECK(warnings.lines.front().starts_with("1 picture is left out. "));
}

TEST_CASE("on disk: a file with the bytes of the best takes its place, no other one does") {
    const TemporaryFolder folder;
    Warnings warnings;
    const Duplicates found = example(folder);
    fs::remove(folder / "best.jpg");
    CHECK(shown(on_disk(found, FileLook::listing, warnings)) ==
          Strings{"same.jpg<same.jpg", "small.jpg<same.jpg!", "turned.jpg<small.jpg!"});
    fs::last_write_time(folder / "same.jpg", fs::file_time_type::min());
    CHECK(on_disk(found, FileLook::listing, warnings).groups.empty());
    CHECK(warnings.lines.back().starts_with("2 pictures are left out. "));
}

TEST_CASE("on disk: one file with two names is kept if one of them is") {
    const TemporaryFolder folder;
    Warnings warnings;
    Duplicates found = example(folder);
    std::vector<Duplicate> &images = found.groups.front().images;
    fs::remove(folder / "turned.jpg");
    fs::create_hard_link(folder / "same.jpg", folder / "turned.jpg");
    images[3].image.stamp = images[1].image.stamp;
    images[3].kept = true;
    images[3].with = 0;
    CHECK(shown(on_disk(found, FileLook::listing, warnings)) ==
          Strings{"best.jpg<best.jpg", "same.jpg<best.jpg", "small.jpg<best.jpg!"});
}

TEST_CASE("kept for: what a chain leads to") {
    const TemporaryFolder folder;
    Duplicates found = example(folder);
    DuplicateGroup &group = found.groups.front();
    CHECK(kept_for(group, 0) == 0U);
    CHECK(kept_for(group, 3) == 0U); // over one that could go, too
    group.images[2].kept = true;
    CHECK(kept_for(group, 2) == 2U);
    CHECK(kept_for(group, 3) == 2U);
    group.images[2].kept = false;
    group.images[2].with = 3;
    CHECK_FALSE(kept_for(group, 3).has_value());
    Warnings warnings;
    CHECK(shown(on_disk(found, FileLook::listing, warnings)) ==
          Strings{"best.jpg<best.jpg", "same.jpg<best.jpg!", "small.jpg<turned.jpg",
                  "turned.jpg<small.jpg!"});
}

TEST_CASE("on disk: a raw file is looked for beside what stays, also where that only just stays") {
    const TemporaryFolder folder;
    Warnings warnings;
    Duplicates found = example(folder);
    const auto put = [](const fs::path &file) { std::ofstream(file) << "raw"; };
    put(folder / "turned.cr2");
    put(folder / "small.mov");
    fs::create_directory(folder / "best");
    fs::rename(folder / "best.jpg", folder / "best/best.jpg");
    found.groups.front().images[0].image = image(folder / "best/best.jpg", "1");
    put(folder / "best/best.cr2"); // the twin of turned.cr2, but small.jpg stays for turned.jpg
    std::ofstream(folder / "small.mov") << "video";
    CHECK(shown(on_disk(found, FileLook::listing, warnings)) ==
          Strings{"best.jpg<best.jpg", "same.jpg<best.jpg!", "small.jpg<best.jpg",
                  "turned.jpg<small.jpg"});
    CHECK(warnings.lines.back().starts_with("2 copies stay"));
    put(folder / "small.cr2");
    CHECK(shown(on_disk(found, FileLook::listing, warnings)) ==
          Strings{"best.jpg<best.jpg", "same.jpg<best.jpg!", "small.jpg<best.jpg",
                  "turned.jpg<small.jpg!"});
}

TEST_CASE("listed: all kinds must be wanted, and what others are held against is kept") {
    const TemporaryFolder folder;
    const Duplicates found = example(folder);
    CHECK(shown(listed(found, {.kinds = {"bytes", "resized"}})) ==
          Strings{"best.jpg<best.jpg", "same.jpg<best.jpg!", "small.jpg<best.jpg!"});
    CHECK(shown(listed(found, {.kinds = {"turned"}})) ==
          Strings{"best.jpg<best.jpg", "small.jpg<best.jpg", "turned.jpg<small.jpg!"});
    CHECK(listed(found, {.kinds = {"mirrored"}}).groups.empty());
    CHECK(shown(listed(found, {.least_side = 51})) ==
          Strings{"best.jpg<best.jpg", "same.jpg<best.jpg!", "small.jpg<best.jpg",
                  "turned.jpg<small.jpg!"});
}

TEST_CASE("listed: every kind has a name") {
    Kinds kinds;
    for (bool Kinds::*kind :
         {&Kinds::bytes, &Kinds::pixels, &Kinds::resized, &Kinds::cropped, &Kinds::turned,
          &Kinds::mirrored, &Kinds::stretched, &Kinds::recolored, &Kinds::bordered,
          &Kinds::overlaid, &Kinds::scene, &Kinds::frame, &Kinds::collage, &Kinds::ambiguous,
          &Kinds::unproven}) {
        Kinds one;
        one.*kind = true;
        CHECK(std::ranges::count(kind_names(), std::string_view(one.text())) == 1);
    }
    CHECK(std::ranges::count(kind_names(), std::string_view(kinds.text())) == 1);
    CHECK(kind_names().size() == sizeof(Kinds) / sizeof(bool) + 1);
}

} // namespace bowhist
