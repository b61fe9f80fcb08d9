#include <bowhist/library/library.hpp>

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/file/row_sum.hpp>
#include <bowhist/library/groups.hpp>
#include <bowhist/library/integrity.hpp>

#include <limits>

namespace bowhist {
namespace {

constexpr std::uint64_t small_file = std::uint64_t{1} << 28;

std::uint64_t count(Database &database, const std::string &sql) {
    return static_cast<std::uint64_t>(database.number(sql));
}

void count_files(Database &database, LibraryStatus &status) {
    status.images = count(database, "SELECT count(*) FROM (SELECT 1 FROM files JOIN contents ON "
                                    "contents.id = files.content WHERE files.gone IS NULL AND "
                                    "contents.skipped IS NULL GROUP BY files.content, files.file)");
    status.files = count(database, "SELECT count(*) FROM files JOIN contents ON contents.id = "
                                   "files.content WHERE files.gone IS NULL AND contents.skipped "
                                   "IS NULL");
    status.gone = count(database, "SELECT count(*) FROM files WHERE gone IS NOT NULL");
    Statement reasons(database, "SELECT reason, count(*) FROM skipped GROUP BY reason");
    while (reasons.step()) {
        const auto files = static_cast<std::uint64_t>(reasons.number(1));
        status.reasons[std::string(reasons.bytes(0))] = files;
        status.skipped += files;
    }
}

std::vector<LibraryStatus::Group> groups_of(Catalogue &catalogue) {
    const LibraryGroups kept = read_groups(catalogue);
    std::map<std::int32_t, LibraryStatus::Group> groups;
    for (const auto &[number, name] : kept.names) groups[number] = {number, name, 0};
    for (const auto &[image, number] : kept.members) {
        groups[number].number = number;
        ++groups[number].images;
    }
    std::vector<LibraryStatus::Group> result;
    for (auto &[number, group] : groups) result.push_back(std::move(group));
    return result;
}

} // namespace

LibraryStatus status_of_library(const std::filesystem::path &path, bool integrity,
                                Observer &observer) {
    LibraryStatus status;
    const auto database = open_to_read(path);
    if (integrity) status.damages = damages_of(*database, observer);
    if (!status.damages.empty()) return status; // its figures would be wrong
    status.models = Library(path).models();
    Catalogue catalogue(*database);
    count_files(*database, status);
    for (const RootRow &root : catalogue.roots()) {
        Statement files(*database, "SELECT count(*) FROM files JOIN folders ON folders.id = "
                                   "files.folder WHERE folders.root = ?1 AND files.gone IS NULL");
        files.with(root.id).step();
        status.roots.push_back(
            {root.path, static_cast<std::uint64_t>(files.number(0)), root.place});
    }
    status.groups = groups_of(catalogue);
    status.bytes = bytes_by_table(*database, integrity ? std::numeric_limits<std::uint64_t>::max()
                                                       : small_file);
    status.file_bytes =
        count(*database, "PRAGMA page_count") * count(*database, "PRAGMA page_size");
    status.run = catalogue.number_about("run");
    status.updated = catalogue.number_about("updated");
    status.holds = catalogue.about("holds").value_or("");
    return status;
}

std::vector<SkippedFile> skips_of_library(const std::filesystem::path &path, std::size_t most) {
    const auto database = open_to_read(path);
    Statement statement(*database,
                        "SELECT CAST(path AS BLOB), reason FROM skipped ORDER BY path LIMIT ?1");
    std::vector<SkippedFile> skips;
    statement.with(most);
    while (statement.step())
        skips.push_back({std::string(statement.bytes(0)), std::string(statement.bytes(1))});
    return skips;
}

} // namespace bowhist
