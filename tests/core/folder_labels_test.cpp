#include <bowhist/core/folder_labels.hpp>

#include <catch2/catch.hpp>

#include <filesystem>

using bowhist::FolderLabels;

TEST_CASE("folder labels: numbers in the order of the names' bytes, one for folders of one name") {
    const std::string here = std::filesystem::current_path().filename();
    const FolderLabels labels(
        {"z/b/1.jpg", "a/c/2.jpg", "y/b/3.jpg", "/B/4.jpg", "/\xff/5", "6.jpg"});
    std::vector<std::string> expected{"B", "b", "c", here, "\xff"};
    std::sort(expected.begin(), expected.end());
    CHECK(labels.names() == expected);
    for (const auto &[image, folder] : {std::pair{"z/b/1.jpg", "b"},
                                        {"y/b/9.png", "b"},
                                        {"./b/x", "b"},
                                        {"/B/4.jpg", "B"},
                                        {"/\xff/5", "\xff"}})
        CHECK(labels.names()[labels.of(image)] == folder);
    CHECK(labels.names()[labels.of("6.jpg")] == here);
    CHECK(FolderLabels({}).names().empty());
    CHECK(FolderLabels({"/1.jpg"}).names() == std::vector<std::string>{""}); // the root's
}
