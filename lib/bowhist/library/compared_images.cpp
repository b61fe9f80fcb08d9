#include <bowhist/library/compared_images.hpp>

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/file/row_sum.hpp>
#include <bowhist/library/file/schema.hpp>

namespace bowhist {
namespace {

constexpr const char *rule_name = "compared by";

std::int64_t sum_of(const ComparedImage &row) {
    return RowSum::of(row.image, row.number, row.pixels, row.pairs, row.proposals);
}

} // namespace

void read_compared(const std::filesystem::path &library, const std::string &rule,
                   const std::function<void(const ComparedImage &)> &use) {
    const auto database = open_to_read(library);
    if (Catalogue(*database).about(rule_name) != rule) return;
    Statement rows(*database, "SELECT image, number, pixels, pairs, proposals, checksum "
                              "FROM compared");
    while (rows.step()) {
        const ComparedImage row{.image = std::string(rows.bytes(0)),
                                .number = static_cast<std::size_t>(rows.number(1)),
                                .pixels = std::string(rows.bytes(2)),
                                .pairs = std::string(rows.bytes(3)),
                                .proposals = std::string(rows.bytes(4))};
        if (rows.number(5) == sum_of(row)) use(row);
    }
}

void keep_compared(const std::filesystem::path &library, const std::string &rule,
                   const std::vector<ComparedImage> &images, double wait_seconds) {
    const WriterLock lock(library, wait_seconds);
    const auto database = open_to_write(library);
    database->run("BEGIN IMMEDIATE; DROP TABLE IF EXISTS compared;");
    database->run(compared_table);
    {
        Catalogue(*database).set_about(rule_name, rule);
        Statement insert(*database, "INSERT INTO compared VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
        for (const ComparedImage &row : images)
            insert
                .with(Blob{row.image}, static_cast<std::int64_t>(row.number), Blob{row.pixels},
                      Blob{row.pairs}, Blob{row.proposals}, sum_of(row))
                .run();
    }
    database->run("COMMIT");
    fold_log(*database);
}

} // namespace bowhist
