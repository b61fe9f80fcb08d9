#include "tests/files/checks.hpp"
#include "tests/support/temporary_folder.hpp"

#include <bowhist/tables/descriptors/descriptor_collection.hpp>

#include <catch2/catch.hpp>

using namespace bowhist;
namespace fs = std::filesystem;

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
