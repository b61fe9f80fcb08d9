#include <bowhist/library/compared_images.hpp>

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/library_file.hpp>
#include <bowhist/library/row_sum.hpp>

namespace bowhist {
namespace {

constexpr const char *rule_name = "compared by";

} // namespace

void read_compared(const std::filesystem::path &library, const std::string &rule,
                   const std::function<void(const ComparedImage &)> &use) {
    const auto database = open_to_read(library);
    if (Catalogue(*database).about(rule_name) != rule) return;
    Statement rows(*database, "SELECT image, pixels, pairs, checksum FROM compared");
    while (rows.step()) {
        const ComparedImage row{.image = std::string(rows.bytes(0)),
                                .pixels = std::string(rows.bytes(1)),
                                .pairs = std::string(rows.bytes(2))};
        if (rows.number(3) == RowSum::of(row.image, row.pixels, row.pairs)) use(row);
    }
}

void keep_compared(const std::filesystem::path &library, const std::string &rule,
                   const std::vector<ComparedImage> &images, double wait_seconds) {
    const WriterLock lock(library, wait_seconds);
    const auto database = open_to_write(library);
    database->run("BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS compared(image BLOB PRIMARY KEY, "
                  "pixels BLOB NOT NULL, pairs BLOB NOT NULL, checksum INTEGER NOT NULL) STRICT; "
                  "DELETE FROM compared;");
    {
        Catalogue(*database).set_about(rule_name, rule);
        Statement insert(*database, "INSERT INTO compared VALUES(?1, ?2, ?3, ?4)");
        for (const ComparedImage &row : images)
            insert
                .with(Blob{row.image}, Blob{row.pixels}, Blob{row.pairs},
                      RowSum::of(row.image, row.pixels, row.pairs))
                .run();
    }
    database->run("COMMIT");
    fold_log(*database);
}

} // namespace bowhist
