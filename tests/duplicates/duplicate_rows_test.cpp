#include <bowhist/duplicates/output/duplicate_rows.hpp>

#include <bowhist/duplicates/output/groups_npz.hpp>

#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

namespace bowhist {
namespace {

LibraryImage image(const std::string &path) {
    LibraryImage made;
    made.path = path;
    return made;
}

/// A group of two, and a collage of it and of another image.
Duplicates example() {
    Duplicate copy{.image = image("b,.jpg"), .score = 0.5, .agree = 3, .compared = 240};
    copy.kinds.resized = true;
    ApartImage collage{.image = image("c.jpg"),
                       .with = {image("a.jpg"), image("d.jpg")},
                       .score = 0.25,
                       .compared = 120};
    collage.kinds.collage = true;
    return {.groups = {{.images = {{.image = image("a.jpg"), .kept = true}, copy}}},
            .images = 4,
            .apart = {collage}};
}

std::string written(DuplicatesFormat format) {
    const TemporaryFolder folder;
    AtomicFile file(folder.path() / "groups");
    write_groups(file, format, example());
    file.commit();
    std::ostringstream text;
    text << std::ifstream(folder.path() / "groups").rdbuf();
    return text.str();
}

} // namespace

TEST_CASE("duplicate rows: images that stand apart follow the groups, as CSV") {
    CHECK(written(DuplicatesFormat::csv) ==
          "group,image,best,with,kind,score,agree,overlap,map,compared\n"
          "1,a.jpg,1,,,,,,,\n"
          "1,\"b,.jpg\",0,a.jpg,resized,0.500000,3,1.000000,"
          "1.000000 0.000000 0.000 0.000000 1.000000 0.000,240\n"
          ",c.jpg,0,a.jpg|d.jpg,collage,0.250000,,,,120\n");
}

TEST_CASE("duplicate rows: images that stand apart follow the groups, as JSON lines") {
    const std::string text = written(DuplicatesFormat::jsonl);
    CHECK(text.find("\"compared\":240}\n") != text.npos);
    CHECK(text.find(R"({"group":null,"image":"c.jpg","best":false,"with":["a.jpg","d.jpg"],)"
                    R"("kind":"collage","score":0.250000,"compared":120})") != text.npos);
}

TEST_CASE("duplicate rows: images that stand apart are not listed as what could go") {
    CHECK(written(DuplicatesFormat::paths) == std::string("b,.jpg\0", 7));
    CHECK(written(DuplicatesFormat::blocks) == "a.jpg\nb,.jpg\n\n");
}

TEST_CASE("duplicate rows: images that stand apart follow the groups, as npz") {
    const TemporaryFolder folder;
    write_groups_npz(folder / "g.npz", example());
    std::ostringstream bytes; // nothing in the archive is compressed
    bytes << std::ifstream(folder / "g.npz").rdbuf();
    const auto has = [&](const auto &values) {
        return bytes.str().find(bytes_of(values)) != std::string::npos;
    };
    CHECK(has(std::u32string(U"a.jpg\0b,.jpgc.jpg\0", 18)));
    CHECK(has(std::u32string(U"a.jpg|d.jpg")));
    CHECK(has(std::vector<std::int32_t>{1, 1, 0}));
    CHECK(has(std::vector<std::int32_t>{0, 0, -1}));
    CHECK(has(std::vector<std::int32_t>{0, 240, 120}));
}

} // namespace bowhist
