// Collections of descriptors, and their rows that stay in the file: what is read of them is what
// lies there, in any parts.
#include "tests/files/checks.hpp"
#include "tests/support/descriptors.hpp"
#include "tests/support/listener.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/tables/descriptors/collection_rows.hpp>
#include <bowhist/tables/descriptors/descriptor_collection.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
using namespace bowhist::testing;
namespace fs = std::filesystem;

namespace {

using Shared = std::shared_ptr<const DescriptorCollection>;

/// Images of `sizes` descriptors.
Shared collection(const std::filesystem::path &path, std::initializer_list<std::size_t> sizes,
                  unsigned seed) {
    CollectionWriter writer(path);
    for (const std::size_t size : sizes)
        writer.write(random_descriptors(size, 3, seed++), {"p.jpg", {}});
    writer.finish();
    return std::make_shared<const DescriptorCollection>(*read_collection(path));
}

/// All that is handed over; each part must begin where the one before ended.
std::vector<float> read(const DescriptorRows &rows, std::size_t part) {
    std::vector<float> all;
    rows.read([&](std::size_t first, std::span<const float> values) {
        REQUIRE(first * rows.dimensions() == all.size());
        REQUIRE(values.size() <= part * rows.dimensions());
        all.insert(all.end(), values.begin(), values.end());
    });
    CHECK(all.size() == rows.size() * rows.dimensions());
    return all;
}

} // namespace

TEST_CASE("files: rows of collections come in order, whole, in parts of any size") {
    const TemporaryFolder folder;
    const Shared one = collection(folder / "one.fbin", {10, 0, 1, 7, 30}, 1);
    const Shared other = collection(folder / "other.fbin", {5, 20}, 9);
    const std::pair<Shared, std::vector<std::size_t>> left_out[] = {
        {one, {0, 1, 2, 4}}, {other, {1}}, {one, {3}}, {other, {0, 1}}};
    Listener observer;
    const std::size_t part = GENERATE(1, 2, 7, 41, 92, 93, 94, 1000);
    for (const std::size_t kept : {0, 1, 3, 50, 93}) {
        INFO("parts of " << part << " rows, room for " << kept << " parts in memory");
        CollectionRows rows(part, observer);
        rows.keep(kept * FileRoom::bytes_for(part * 3 * sizeof(float)));
        CHECK(read(rows, part).empty());
        std::vector<float> expected;
        for (const auto &[from, places] : left_out)
            for (const std::size_t place : places) {
                rows.add(from, place);
                const auto values = from->read(from->images[place]).descriptors.values;
                expected.insert(expected.end(), values.begin(), values.end());
            }
        CHECK(rows.size() == 93);
        for (int time = 0; time < 2; ++time) CHECK(read(rows, part) == expected);
        for (const auto &[first, count] :
             {std::pair<std::size_t, std::size_t>{0, 93}, {0, 1}, {5, 40}, {31, 62}, {92, 1}}) {
            std::vector<float> some;
            rows.range(first, count)->read([&](std::size_t at, std::span<const float> values) {
                CHECK(at * 3 == some.size());
                some.insert(some.end(), values.begin(), values.end());
            });
            const auto from = expected.begin() + static_cast<std::ptrdiff_t>(3 * first);
            CHECK(some == std::vector<float>(from, from + static_cast<std::ptrdiff_t>(3 * count)));
        }
    }
}

TEST_CASE("files: rows of a collection that is changed meanwhile are refused") {
    const TemporaryFolder folder;
    const auto path = folder / "all.fbin";
    const auto change_after_first_part = [&](const std::function<void()> &change,
                                             const std::string &part) {
        Listener observer;
        CollectionRows rows(10, observer);
        rows.add(collection(path, {100}, 1), 0);
        CHECK(read(rows, 10).size() == 300);
        checks::require_error(Fault::input, path.string(), {part}, [&] {
            rows.read([&](std::size_t first, auto) {
                if (first == 0) change();
            });
        });
    };
    change_after_first_part([&] { std::filesystem::resize_file(path, 500); }, "while it was read");
    change_after_first_part(
        [&] {
            std::FILE *file = std::fopen(path.c_str(), "r+");
            std::fseek(file, 1000, SEEK_SET);
            std::fputc('x', file);
            std::fclose(file);
        },
        "was changed while it was read; leave it alone");
}

TEST_CASE("files: parts of a collection that stay in memory are read once, the first one first") {
    const TemporaryFolder folder;
    const auto path = folder / "all.fbin";
    constexpr std::size_t part = 10 * 3; // floats
    for (const std::size_t kept : {1, 10}) {
        INFO(kept << " of ten parts stay");
        Listener observer;
        CollectionRows rows(10, observer);
        rows.add(collection(path, {100}, 1), 0);
        rows.keep(kept * FileRoom::bytes_for(part * sizeof(float)));
        std::vector<float> expected = read(rows, 10);
        expected.resize(kept * part);
        std::filesystem::resize_file(path, 500);
        std::vector<float> again;
        const auto take = [&](std::size_t, std::span<const float> values) {
            again.insert(again.end(), values.begin(), values.end());
        };
        if (kept == 10)
            rows.read(take);
        else
            CHECK_THROWS_AS(rows.read(take), Error);
        CHECK(again == expected);
    }
}

TEST_CASE("files: reading rows of a collection can be interrupted, and hands errors on") {
    const TemporaryFolder folder;
    Listener observer;
    CollectionRows rows(10, observer);
    rows.add(collection(folder / "all.fbin", {100}, 1), 0);
    int parts = 0;
    const auto stop = [&](std::size_t, std::span<const float>) { observer.stop = ++parts == 3; };
    CHECK_THROWS_WITH(rows.read(stop), "interrupted");
    CHECK(parts == 3);
    observer.stop = false;
    CHECK_THROWS_WITH(rows.read([](std::size_t, auto) { throw std::runtime_error("taken"); }),
                      "taken");
}

TEST_CASE("files: a picture without descriptors has no say in a collection's dimension") {
    const TemporaryFolder folder;
    const Descriptors some{64, checks::numbered(10 * 64)};
    const Descriptors none{32, {}};
    for (const bool some_first : {true, false}) {
        CollectionWriter writer(folder / "all.fbin");
        writer.write(some_first ? some : none, {"a.jpg", {}});
        writer.write(some_first ? none : some, {"b.jpg", {}});
        writer.finish();
        const auto read = read_collection(folder / "all.fbin");
        REQUIRE(read);
        CHECK(read->dimensions == 64);
        CHECK(read->read(read->images[some_first ? 0 : 1]).descriptors.values == some.values);
        CHECK(read->read(read->images[some_first ? 1 : 0]).descriptors.size() == 0);
    }
}

TEST_CASE("files: no new sidecar lies beside a collection that could not be replaced") {
    const TemporaryFolder folder;
    checks::write_bytes(folder / "all.fbin.json", "old");
    CollectionWriter writer(folder / "all.fbin");
    writer.write({2, {1, 2}}, {"a.jpg", {}});
    fs::create_directory(folder / "all.fbin"); // so that its rename fails
    checks::require_error(Fault::output, (folder / "all.fbin").string(), {"cannot be replaced"},
                          [&] { writer.finish(); });
    CHECK(checks::read_bytes(folder / "all.fbin.json") == "old");
}

TEST_CASE("files: a collection is read from the file that was opened") {
    const TemporaryFolder folder;
    const auto write = [&](float value) {
        CollectionWriter writer(folder / "all.fbin");
        writer.write({2, {value, 2}}, {"a.jpg", {}});
        writer.finish();
    };
    write(1);
    const auto read = read_collection(folder / "all.fbin");
    REQUIRE(read);
    write(5);
    CHECK(read->read(read->images[0]).descriptors.values == std::vector<float>{1, 2});
    // written to in place: other rows under the same name
    const auto again = read_collection(folder / "all.fbin");
    checks::write_bytes(folder / "all.fbin", checks::read_bytes(folder / "all.fbin").substr(0, 12) +
                                                 std::string(4, '\0'));
    checks::require_error(Fault::input, (folder / "all.fbin").string(),
                          {"holds other descriptors than its sidecar records"},
                          [&] { again->read(again->images[0]); });
    fs::resize_file(folder / "all.fbin", 12);
    checks::require_error(Fault::input, (folder / "all.fbin").string(), {"has become shorter"},
                          [&] { again->read(again->images[0]); });
}
