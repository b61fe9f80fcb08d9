#include "tests/support/temporary_folder.hpp"

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/file/row_sum.hpp>

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace bowhist;

namespace {

/// Contents whose rows vary as those of photographs and of tiny images do.
void fill(Catalogue &catalogue, std::size_t contents) {
    std::mt19937 random(1);
    const auto bytes = [&](std::size_t least, std::size_t most) {
        return std::string(least + random() % (most - least), '\1');
    };
    for (std::size_t i = 0; i < contents; ++i) {
        std::string hash(16, '\0');
        for (std::size_t byte = 0; byte < 4; ++byte) hash[byte] = static_cast<char>(i >> 8 * byte);
        const std::size_t words = random() % 5 == 0 ? random() % 30 : 400 + random() % 200;
        catalogue.put({.hash = hash,
                       .width = 3,
                       .height = 2,
                       .words = std::string(2 * words, 'w'),
                       .places = std::string(5 * words, 'p'),
                       .code = std::string(128, 'c'),
                       .thumbnail = bytes(600, 20'000)});
    }
}

} // namespace

TEST_CASE("table bytes: Of a large file a sample of rows gives nearly what all pages do") {
    const TemporaryFolder folder;
    const WriterLock lock(folder.path() / "p.bow", 0);
    const auto database = open_to_write(folder.path() / "p.bow");
    Catalogue catalogue(*database);
    const auto two_pages = static_cast<double>(2 * database->number("PRAGMA page_size"));
    database->run("BEGIN");
    for (const std::size_t contents : {0, 20, 3000}) {
        CAPTURE(contents);
        fill(catalogue, contents);
        const auto exact = bytes_by_table(*database, std::numeric_limits<std::uint64_t>::max());
        const auto sampled = bytes_by_table(*database, 0);
        REQUIRE(exact.size() == sampled.size());
        std::uint64_t exact_sum = 0;
        std::uint64_t sum = 0;
        for (const auto &[table, bytes] : exact) {
            CAPTURE(table);
            const auto estimated = static_cast<double>(sampled.at(table));
            CHECK(estimated == Approx(static_cast<double>(bytes)).epsilon(0.1).margin(two_pages));
            exact_sum += bytes;
            sum += sampled.at(table);
        }
        CHECK(sum == Approx(static_cast<double>(exact_sum)).margin(3)); // each is rounded
        database->run("DELETE FROM contents; DELETE FROM words; DELETE FROM codes; "
                      "DELETE FROM thumbnails;");
    }
}
