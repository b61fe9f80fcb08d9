// What auto measured is found again, for the same key alone, and no file can upset it.
#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/assign/choose/choice_cache.hpp>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <functional>
#include <sys/stat.h>

using namespace bowhist;
using namespace checks;

namespace {

const ChoiceKey key{"1.2.3", "a processor", "a device", "a driver", "openmp gpu1", 64, 256};
const RememberedChoice choice{"gpu1", 12.5, "2026-11-20"};

} // namespace

TEST_CASE("choice cache: what is remembered is found, in any cache of the folder") {
    const TemporaryFolder folder;
    CHECK_FALSE(ChoiceCache(folder / "deep/er").find(key));
    REQUIRE_FALSE(ChoiceCache(folder / "deep/er").remember(key, choice));
    const auto found = ChoiceCache(folder / "deep/er").find(key);
    REQUIRE(found);
    CHECK(found->level == "gpu1");
    CHECK(found->gigaflops == 12.5);
    CHECK(found->date == "2026-11-20");
    CHECK(names_in(folder / "deep/er").size() == 1);
}

TEST_CASE("choice cache: each part of the key counts") {
    const TemporaryFolder folder;
    const ChoiceCache cache(folder.path());
    REQUIRE_FALSE(cache.remember(key, choice));
    const std::vector<std::function<void(ChoiceKey &)>> changes = {
        [](ChoiceKey &k) { k.version += "1"; },
        [](ChoiceKey &k) { k.host = ""; },
        [](ChoiceKey &k) { k.device += " 2"; },
        [](ChoiceKey &k) { k.driver = "another"; },
        [](ChoiceKey &k) { k.candidates = "openmp"; },
        [](ChoiceKey &k) { ++k.dimensions; },
        [](ChoiceKey &k) { ++k.k; }};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        INFO("change " << i);
        ChoiceKey other = key;
        changes[i](other);
        CHECK_FALSE(cache.find(other));
        REQUIRE_FALSE(cache.remember(other, {"level of " + std::to_string(i), 1, ""}));
        CHECK(cache.find(other)->level == "level of " + std::to_string(i));
    }
    CHECK(cache.find(key)->level == "gpu1");
    REQUIRE_FALSE(cache.remember(key, {"openmp", 13, "2026-11-21"}));
    CHECK(cache.find(key)->level == "openmp");
}

TEST_CASE("choice cache: a pipe in the file's place is an error, and not waited for") {
    const TemporaryFolder folder;
    REQUIRE(::mkfifo((folder / "auto.json").c_str(), 0600) == 0);
    const ChoiceCache cache(folder.path());
    CHECK_THAT(cache.remember(key, choice).value(), Catch::Contains("is no file"));
    CHECK_FALSE(cache.find(key));
}

TEST_CASE("choice cache: what bowhist would not write is ignored, and not written back") {
    const TemporaryFolder folder;
    const ChoiceCache cache(folder.path());
    ChoiceKey other = key;
    other.k = 3;
    REQUIRE_FALSE(cache.remember(other, choice));
    REQUIRE_FALSE(cache.remember(key, choice));
    const std::string sound = read_bytes(folder / "auto.json");
    const std::string deep = std::string(100000, '[') + std::string(100000, ']');
    const auto after = [&](std::string before, const std::string &from, const std::string &to) {
        return before.replace(before.find(from), from.size(), to);
    };
    for (const std::string &text :
         {after(sound, "[", "[" + deep + ", 1, "),
          after(sound, "\"for\"", "\"x\": " + deep + ", \"for\""),
          after(sound, "\"version\"", "\"x\": " + deep + ", \"version\"")}) {
        write_bytes(folder / "auto.json", text);
        CHECK(cache.find(other));
        REQUIRE_FALSE(cache.remember(key, choice));
        CHECK(read_bytes(folder / "auto.json") == sound);
    }
    using namespace std::string_literals;
    for (const std::string &text :
         {deep, "{\"choices\": " + deep + "}", after(sound, "2026-11-20", "\\u001b[31m"),
          after(sound, "2026-11-20", "2026-11-201"), after(sound, "12.5", "\"12.5\""),
          after(sound, "64", "-1"), sound + std::string(1 << 20, ' '), ""s, "{"s, "[]"s,
          sound.substr(0, sound.size() / 2), "{\"choices\": 3}"s, "\xff\xfe\0\1"s,
          "{\"choices\": [3, {}, {\"for\": 1}]}"s,
          after(after(sound, "\"gpu1\"", "[1, 2]"), "\"gpu1\"", "[1, 2]")}) {
        INFO(text.substr(0, 200));
        write_bytes(folder / "auto.json", text);
        CHECK_FALSE(cache.find(key));
        REQUIRE_FALSE(cache.remember(key, choice));
        CHECK(cache.find(key));
        CHECK(read_bytes(folder / "auto.json").size() <= sound.size());
    }
}

TEST_CASE("choice cache: where nothing can be written it says so and leaves nothing") {
    const TemporaryFolder folder;
    write_bytes(folder / "file", "");
    CHECK_THAT(ChoiceCache(folder / "file/folder").remember(key, choice).value_or(""),
               Catch::Contains("file/folder/auto.json"));
    std::filesystem::create_directories(folder / "taken/auto.json");
    CHECK(ChoiceCache(folder / "taken").remember(key, choice));
    CHECK(names_in(folder / "taken").size() == 1);
    CHECK_FALSE(ChoiceCache(folder / "taken").find(key));
    CHECK(ChoiceCache({}).remember(key, choice));
    CHECK_FALSE(ChoiceCache({}).find(key));
}

TEST_CASE("choice cache: device names are any bytes, and the file does not grow for ever") {
    const TemporaryFolder folder;
    const ChoiceCache cache(folder.path());
    ChoiceKey odd = key;
    odd.device = "GPU\xff \"\\";
    CHECK_FALSE(cache.remember(odd, choice));
    for (std::size_t k = 0; k < 300; ++k) {
        ChoiceKey other = key;
        other.k = k;
        REQUIRE_FALSE(cache.remember(other, choice));
    }
    for (const std::size_t k : {299, 100}) {
        ChoiceKey other = key;
        other.k = k;
        CHECK(cache.find(other));
    }
    ChoiceKey oldest = key;
    oldest.k = 0;
    CHECK_FALSE(cache.find(oldest));
}
