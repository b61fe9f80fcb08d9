#include <bowhist/library/groups.hpp>

#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/file/row_sum.hpp>
#include <bowhist/library/file/schema.hpp>

#include <limits>
#include <unistd.h>

namespace bowhist {

LibraryGroups read_groups(Catalogue &catalogue) {
    LibraryGroups groups;
    groups.resolution = catalogue.number_about("resolution");
    Statement names(catalogue.database(), "SELECT number, name, checksum FROM groups");
    while (names.step()) {
        const std::string name(names.bytes(1));
        const std::int64_t number = names.number(0);
        const bool is_whole = names.number(2) == RowSum::of(number, name) && number >= 0 &&
                              number <= std::numeric_limits<std::int32_t>::max();
        if (!is_whole) catalogue.fail_damaged("groups", number);
        groups.names[static_cast<std::int32_t>(number)] = name;
    }
    Statement members(catalogue.database(), "SELECT file, number, checksum FROM members");
    while (members.step()) {
        const std::int64_t image = members.number(0), number = members.number(1);
        const auto group = static_cast<std::int32_t>(number);
        const bool is_whole = members.number(2) == RowSum::of(image, number) && group == number &&
                              (group == -1 || groups.names.contains(group));
        if (!is_whole) catalogue.fail_damaged("members", image);
        groups.members[image] = group;
    }
    return groups;
}

void keep_groups(const std::filesystem::path &library, const LibraryGroups &groups,
                 double wait_seconds) {
    const WriterLock lock(library, wait_seconds);
    const auto database = open_to_write(library);
    Catalogue catalogue(*database);
    database->run("BEGIN IMMEDIATE; DELETE FROM groups; DELETE FROM members;");
    catalogue.set_about("resolution", std::to_string(groups.resolution));
    Statement name(*database, "INSERT INTO groups VALUES(?1, ?2, ?3)");
    for (const auto &[number, text] : groups.names)
        name.with(number, text, RowSum::of(number, text)).run();
    Statement member(*database, "INSERT INTO members VALUES(?1, ?2, ?3)");
    for (const auto &[image, number] : groups.members)
        member.with(image, number, RowSum::of(image, number)).run();
    database->run("COMMIT");
    fold_log(*database);
}

bool is_read_only(const std::filesystem::path &library) {
    const auto folder = library.has_parent_path() ? library.parent_path() : ".";
    return ::access(library.c_str(), W_OK) != 0 || ::access(folder.c_str(), W_OK) != 0;
}

bool is_library(const std::filesystem::path &path) {
    return holds_library(path);
}

} // namespace bowhist
