#include <bowhist/report/copies_page.hpp>

#include <bowhist/core/observer.hpp>

#include "../support/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

using namespace bowhist;
namespace fs = std::filesystem;

namespace {

LibraryImage image_of(const std::string &path) {
    LibraryImage image;
    image.path = path;
    image.width = image.height = 100;
    return image;
}

/// Groups of two: a kept image and a copy.
Duplicates groups_of_two(int groups) {
    Duplicates found;
    for (int group = 0; group < groups; ++group) {
        Duplicate best{.image = image_of(fmt::format("photos/best{}.jpg", group)), .kept = true};
        Duplicate copy{.image = image_of(fmt::format("photos/copy{}.jpg", group))};
        copy.kinds.resized = true;
        copy.compared = 480;
        found.groups.push_back({.scene = false, .images = {best, copy}});
    }
    return found;
}

ApartImage collage() {
    ApartImage apart{.image = image_of("photos/col<lage>.jpg"), .score = 0.9, .compared = 200};
    apart.kinds.collage = true;
    for (int part = 0; part < 6; ++part)
        apart.with.push_back(image_of(fmt::format("photos/part{}.jpg", part)));
    return apart;
}

/// The pages in a folder, by their names; the first is index.html.
std::map<std::string, std::string> pages_of(const Duplicates &found) {
    const TemporaryFolder folder;
    Observer observer;
    PageFiles files(folder.path() / "page.html");
    write_copies_page(files, found, observer);
    files.close();
    files.commit();
    std::map<std::string, std::string> pages;
    for (const auto &entry : fs::recursive_directory_iterator(folder.path())) {
        if (entry.path().extension() != ".html") continue;
        std::ifstream page(entry.path());
        pages[entry.path().filename()] = {std::istreambuf_iterator<char>(page), {}};
    }
    return pages;
}

bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("copies page: each of several pages says which one it marks") {
    const auto pages = pages_of(groups_of_two(700));
    REQUIRE(pages.size() == 3);
    CHECK(has(pages.at("page.html"), "Mark copies that are not kept (this page: 1 of 3)<"));
    CHECK(has(pages.at("copies-2.html"), "Mark copies that are not kept (this page: 2 of 3)<"));
    CHECK(has(pages.at("copies-3.html"), "Mark copies that are not kept (this page: 3 of 3)<"));
    CHECK(has(pages_of(groups_of_two(3)).at("page.html"), "Mark copies that are not kept<"));
}

TEST_CASE("copies page: a row says what was compared") {
    CHECK(has(pages_of(groups_of_two(1)).at("page.html"), "compared at 480\u00a0pixels"));
    Duplicates bytes = groups_of_two(1);
    bytes.groups[0].images[1].compared = 0;
    CHECK_FALSE(has(pages_of(bytes).at("page.html"), "compared at"));
}

TEST_CASE("copies page: pictures in no group have a section without checkboxes") {
    Duplicates found = groups_of_two(1);
    CHECK_FALSE(has(pages_of(found).at("page.html"), "In no group"));
    found.apart = {collage()};
    const std::string page = pages_of(found).at("page.html");
    const std::string section = page.substr(page.find("In no group"));
    CHECK(has(section, "<small>1 picture</small>"));
    CHECK(has(section, "<b>a collage</b> · resembles 2 more · score 0.900 · compared at 200"));
    CHECK(has(section, "col&lt;lage&gt;.jpg"));
    CHECK(has(section, "part3.jpg</bdi>"));
    CHECK_FALSE(has(section, "part4.jpg</bdi>")); // only the filter finds it
    CHECK(has(section, "photos/part5.jpg"));
    CHECK_FALSE(has(section, "checkbox"));
}

TEST_CASE("copies page: each kind of a picture in no group is said in words") {
    Duplicates found;
    for (auto kind : {&Kinds::frame, &Kinds::collage, &Kinds::ambiguous, &Kinds::unproven}) {
        ApartImage apart = collage();
        apart.kinds = {};
        apart.kinds.*kind = true;
        found.apart.push_back(apart);
    }
    const std::string page = pages_of(found).at("page.html");
    for (const char *words : {"a frame of an animation", "a collage",
                              "agrees with pictures that differ", "too small to tell"})
        CHECK(has(page, fmt::format("<b>{}</b>", words)));
}

TEST_CASE("copies page: many pictures in no group are on several pages") {
    Duplicates found = groups_of_two(280);
    found.apart.assign(400, collage());
    const auto pages = pages_of(found);
    REQUIRE(pages.size() == 3);
    CHECK(has(pages.at("page.html"), "Groups 271 to 280, and pictures in no group"));
    CHECK(has(pages.at("page.html"), "In no group <small>400 pictures</small>"));
    CHECK(has(pages.at("copies-2.html"), "More in no group"));
    CHECK(has(pages.at("copies-3.html"), "<b>a collage</b>"));
}
