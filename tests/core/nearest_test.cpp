#include <bowhist/core/nearest.hpp>

#include <catch2/catch.hpp>

#include <string>
#include <tuple>
#include <vector>

using namespace bowhist;

TEST_CASE("nearest: one edit each, and symmetric") {
    for (const auto &[a, b, edits] : std::vector<std::tuple<std::string, std::string, std::size_t>>{
             {"", "", 0},
             {"", "abc", 3},
             {"train", "train", 0},
             {"trian", "train", 1}, // neighbors swapped
             {"trai", "train", 1},
             {"traain", "train", 1},
             {"troin", "train", 1},
             {"ca", "abc", 3}, // restricted: no letter is edited twice
             {"kitten", "sitting", 3}}) {
        CHECK(edit_distance(a, b) == edits);
        CHECK(edit_distance(b, a) == edits);
    }
}

TEST_CASE("nearest: what was meant, or nothing") {
    const std::vector<std::string> names{"train", "extract", "bench", "-k", "normalize"};
    CHECK(nearest("trian", names) == "train");
    CHECK(nearest("normalise", names) == "normalize");
    CHECK(nearest("etxrcat", names) == "extract");
    CHECK(nearest("benhc", names) == "bench");
    CHECK(nearest("photos", names).empty());
    CHECK(nearest("tr", names).empty());
    CHECK(nearest("-x", names).empty()); // any letter is one edit away from any other
    CHECK(nearest("", names).empty());
    CHECK(nearest("train", {}).empty());
}
