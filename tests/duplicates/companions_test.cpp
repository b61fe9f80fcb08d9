#include <bowhist/duplicates/companions.hpp>

#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fstream>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

void write(const fs::path &file, const std::string &text = "x") {
    std::ofstream(file) << text;
}

std::vector<std::string> names_of(const std::vector<fs::path> &files) {
    std::vector<std::string> names;
    for (const fs::path &file : files) names.push_back(file.filename());
    return names;
}

using Strings = std::vector<std::string>;

} // namespace

TEST_CASE("companions: names are compared without case") {
    const TemporaryFolder folder;
    for (const char *name : {"IMG_1.JPG", "img_1.xmp", "IMG_1.jpg.XMP", "Img_1.AAE",
                             "img_1.jpg.json", "IMG_1.jpg.supplemental-meta.json", "img_1.CR2",
                             "IMG_1.mov", "IMG_10.xmp", "IMG_1.txt", "IMG_1.JPG.jpg.xmp"})
        write(folder.path() / name);
    const Companions found = CompanionFiles().of(folder.path() / "IMG_1.JPG");
    Strings sidecars;
    for (const Sidecar &sidecar : found.sidecars) sidecars.push_back(sidecar.file.filename());
    CHECK(sidecars == Strings{"IMG_1.jpg.XMP", "IMG_1.jpg.supplemental-meta.json", "Img_1.AAE",
                              "img_1.jpg.json", "img_1.xmp"});
    CHECK(names_of(found.originals) == Strings{"IMG_1.mov", "img_1.CR2"});
    CHECK(has_companions(folder.path() / "IMG_1.JPG"));
    CHECK_FALSE(has_companions(folder.path() / "IMG_2.JPG"));
    CHECK_FALSE(has_companions(folder.path() / "nowhere" / "IMG_1.JPG"));
}

TEST_CASE("companions: a sidecar names all other pictures that it may describe") {
    const TemporaryFolder folder;
    for (const char *name : {"a.jpg", "A.png", "a.dng", "a.mov", "a.xmp", "a.jpg.xmp", "a.jpg.png"})
        write(folder.path() / name);
    CompanionFiles files;
    const auto others = [&](const char *picture, const char *sidecar) {
        for (const Sidecar &found : files.of(folder.path() / picture).sidecars)
            if (found.file.filename() == sidecar) return names_of(found.others);
        return Strings{"none"};
    };
    CHECK(others("a.jpg", "a.xmp") == Strings{"A.png", "a.dng"});
    CHECK(others("a.jpg", "a.jpg.xmp") == Strings{"a.jpg.png"});
    CHECK(others("a.jpg.png", "a.jpg.xmp") == Strings{"a.jpg"});
    CHECK(others("A.png", "a.jpg.xmp") == Strings{"none"});
}

TEST_CASE("companions: a twin has all bytes and is another file") {
    const TemporaryFolder folder;
    const fs::path there = folder.path() / "there";
    fs::create_directory(there);
    const std::string text(3'000'000, 'a');
    write(folder.path() / "a.cr2", text);
    write(there / "b.cr2", text.substr(1) + "b");
    fs::create_hard_link(folder.path() / "a.cr2", there / "c.cr2");
    const auto twin = [&](bool may_be_used = true) {
        return find_twin(folder.path() / "a.cr2", there,
                         [=](const fs::path &) { return may_be_used; });
    };
    CHECK_FALSE(twin());
    write(there / "d.cr2", text);
    CHECK(twin() == there / "d.cr2");
    CHECK_FALSE(twin(false));
}

} // namespace bowhist
