#include <bowhist/compare/search_choice.hpp>

#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace bowhist;

TEST_CASE("search: auto stays on the host for little work and takes a device that is named") {
    const TemporaryFolder folder;
    LevelRequest request;
    request.cache_dir = folder.path();
    CHECK(SearchChoice(request, 300).choose(1000, 1).id == "simd");
    request.device = "cpu";
    CHECK(SearchChoice(request, 300).choose(1000, 1).id == "gpu1");
    request.level = "openmp";
    CHECK(SearchChoice(request, 300).choose(1000, 1).id == "openmp");
}

TEST_CASE("search: auto remembers paces of searches that take a while") {
    const TemporaryFolder folder;
    LevelRequest request;
    request.cache_dir = folder.path() / "cache";
    const SearchLevel &host = find_search_level("simd");
    const auto is_remembered = [&] { return std::filesystem::exists(request.cache_dir); };
    SearchChoice(request, 300).remember(host, 1e6, 0.001);
    CHECK_FALSE(is_remembered());
    request.level = "simd"; // what a user names is no choice of auto's
    SearchChoice(request, 300).remember(host, 1e9, 10);
    CHECK_FALSE(is_remembered());
    request.level = "auto";
    SearchChoice(request, 300).remember(host, 1e9, 10);
    CHECK(is_remembered());
    CHECK(SearchChoice(request, 300).choose(100, 1).id == "simd");
}
