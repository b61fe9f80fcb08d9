#include "tests/support/temporary_folder.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/index/upkeep.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/file/row_sum.hpp>
#include <bowhist/library/library.hpp>

#include <catch2/catch.hpp>

#include <fstream>

using namespace bowhist;
using namespace std::string_literals;

namespace {

const auto hash = "0123456789abcdef"s;

/// A new library, open to write.
struct Fixture {
    Fixture()
        : path(folder.path() / "p.bow"), lock(path, 0), database(open_to_write(path)),
          catalogue(*database) {}

    FileRow add_file(const std::string &name, std::optional<RowId> content, std::int64_t run) {
        FileRow row{.folder = catalogue.folder(root, "below/"), .name = name, .run = run};
        row.content = content;
        catalogue.insert(row);
        return row;
    }

    TemporaryFolder folder;
    std::filesystem::path path;
    WriterLock lock;
    std::unique_ptr<Database> database;
    Catalogue catalogue;
    RowId root = catalogue.put_root({.path = "root"}).id;
};

} // namespace

TEST_CASE("catalogue: Rows come back as they were written") {
    Fixture library;
    Catalogue &catalogue = library.catalogue;
    const std::string odd = "a\nb\0c\xff"s;
    catalogue.put_root({.path = odd, .excluded = {"*.gif", "a b"}, .hidden = true});
    const auto roots = catalogue.roots();
    REQUIRE(roots.size() == 2);
    CHECK(roots[1].path == odd);
    CHECK(roots[1].excluded == std::vector<std::string>{"*.gif", "a b"});
    CHECK(roots[1].hidden);
    FileRow row = library.add_file(odd, std::nullopt, 3);
    row.skipped = "why";
    row.gone = 7;
    row.stamp = {std::uint64_t{1} << 40, -5};
    catalogue.update(row);
    const FileRow found = catalogue.file(row.id);
    CHECK(found.name == odd);
    CHECK(found.skipped == row.skipped);
    CHECK(found.gone == row.gone);
    CHECK(found.stamp == row.stamp);
    CHECK(found.run == 3);
    CHECK_FALSE(found.content);
}

TEST_CASE("catalogue: A content is found by its hash, with the reason that it was skipped for") {
    Fixture library;
    Catalogue &catalogue = library.catalogue;
    CHECK_FALSE(catalogue.content(hash));
    const RowId id = catalogue.put({.hash = hash, .skipped = "broken"});
    CHECK(catalogue.is_skipped(id));
    CHECK(catalogue.content(hash)->id == id);
    CHECK(catalogue.content(hash)->skipped == "broken");
}

TEST_CASE("catalogue: What is known of a content comes back with its images") {
    Fixture library;
    const RowId known = library.catalogue.put({.hash = hash,
                                               .width = 3,
                                               .height = 2,
                                               .captured = "2026-11-26T07:10:54+02:00",
                                               .frames = 7,
                                               .color = 1234,
                                               .orientation = 6,
                                               .metadata = 33});
    const RowId unknown =
        library.catalogue.put({.hash = "fedcba9876543210", .width = 1, .height = 1});
    library.add_file("a", known, 1);
    library.add_file("b", unknown, 1);
    const Library read(library.path);
    const auto a = read.find("root/below/a");
    REQUIRE(a);
    CHECK(a->frames == 7);
    CHECK(a->color.value() == Approx(1.234));
    CHECK(a->orientation == 6);
    CHECK(a->metadata == 33);
    CHECK(a->captured == "2026-11-26T07:10:54+02:00");
    const auto b = read.find("root/below/b");
    REQUIRE(b);
    CHECK_FALSE((b->frames || b->color || b->orientation || b->metadata || b->captured));
}

TEST_CASE("catalogue: Every reader finds a row that was changed behind its back") {
    Fixture library;
    Catalogue &catalogue = library.catalogue;
    const FileRow file =
        library.add_file("f", catalogue.put({.hash = hash, .width = 3, .height = 2}), 1);
    catalogue.set_about("holds", "words");
    catalogue.put(StoredModel{"words", "f", "surf", "\1\0\0\0model"s, "record", 1});
    const auto damaged = [&](const std::string &sql, const auto &read) {
        CAPTURE(sql);
        read();
        library.database->run("SAVEPOINT whole; " + sql);
        CHECK_THROWS_WITH(read(), Catch::Contains("is damaged"));
        library.database->run("ROLLBACK TO whole");
    };
    damaged("UPDATE files SET size = 1", [&] { catalogue.file(file.id); });
    damaged("UPDATE files SET gone = 1", [&] { catalogue.files(file.folder); });
    damaged("UPDATE contents SET width = 4", [&] { catalogue.content(hash); });
    for (const std::string column : {"frames", "color", "orientation", "metadata"})
        damaged("UPDATE contents SET " + column + " = 1", [&] { catalogue.content(hash); });
    damaged("UPDATE about SET value = x'00'", [&] { catalogue.about("holds"); });
    damaged("UPDATE models SET record = x'00'", [&] { catalogue.models(); });
    damaged("UPDATE folders SET path = x'2f'",
            [&] { catalogue.for_each_folder(library.root, [](RowId, std::string_view) {}); });
    damaged("UPDATE roots SET hidden = 1", [&] { catalogue.roots(); });
}

TEST_CASE("catalogue: Sums differ where only the borders of columns do") {
    CHECK(RowSum::of("ab"s, "c"s) != RowSum::of("a"s, "bc"s));
    CHECK(RowSum::of(1, 2) != RowSum::of(2, 1));
    CHECK(RowSum::of(std::optional<std::string>()) != RowSum::of(""s));
    CHECK(RowSum::of(std::optional<std::string>("x")) == RowSum::of("x"s));
}

TEST_CASE("moved files: A new file takes the place of a gone one, and keeps its id") {
    Fixture library;
    const RowId content = library.catalogue.put({.hash = hash});
    FileRow old = library.add_file("old", content, 1);
    old.gone = 5;
    library.catalogue.update(old);
    library.add_file("copy from before", content, 1);
    library.add_file("new", content, 2);
    std::vector<std::string> moves;
    const auto note = [&](const std::string &from, const std::string &to) {
        moves.push_back(from + " " + to);
    };
    CHECK(find_moved(library.catalogue, 1, 2, note) == 1);
    CHECK(moves == std::vector<std::string>{"root/below/old root/below/new"});
    CHECK(library.catalogue.file(old.id).name == "new");
    CHECK(find_moved(library.catalogue, 1, 2, note) == 0);
}

TEST_CASE("sqlite: A transaction that is not committed leaves nothing") {
    TemporaryFolder folder;
    const auto path = folder.path() / "odd ?#%\n.db";
    {
        Database database(path, Database::Access::write);
        database.run("CREATE TABLE t(x); BEGIN; INSERT INTO t VALUES(1)");
        CHECK(database.in_transaction());
    }
    Database database(path, Database::Access::read);
    CHECK(database.number("SELECT count(*) FROM t") == 0);
    CHECK(database.text("SELECT name FROM sqlite_master") == "t");
    CHECK_THROWS_AS(database.run("nonsense"), Error);
}

TEST_CASE("sqlite: Values come back, NULL among them") {
    Database database(":memory:", Database::Access::write);
    database.run("CREATE TABLE t(a, b, c, d)");
    const auto bytes = "a\0b"s;
    Statement insert(database, "INSERT INTO t VALUES(?1, ?2, ?3, ?4)");
    insert.with(std::int64_t{-1} << 62, std::string_view("text"), Blob{bytes}, std::optional<int>())
        .run();
    Statement row(database, "SELECT a, b, c, d FROM t");
    REQUIRE(row.step());
    CHECK(row.number(0) == std::int64_t{-1} << 62);
    CHECK(row.bytes(1) == "text");
    CHECK(row.bytes(2) == bytes);
    CHECK_FALSE(row.optional_bytes(3));
    CHECK_FALSE(row.optional_number(3));
    CHECK_FALSE(row.step());
}
