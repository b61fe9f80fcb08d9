#include <bowhist/index/shard_listing.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/index/learning.hpp>
#include <bowhist/index/walk.hpp>
#include <bowhist/index/wanted_settings.hpp>
#include <bowhist/io/byte_hash.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/file/schema.hpp>
#include <bowhist/pipeline/part_record.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <system_error>

namespace bowhist {
namespace fs = std::filesystem;
namespace {

void remove_library(const fs::path &library) {
    for (const char *ending : {"", "-wal", "-shm", "-journal"}) {
        std::error_code ignored;
        fs::remove(fs::path(library) += ending, ignored);
    }
}

/// The head of the shard that this run makes of a library.
std::string head_of(const IndexRequest &request, Catalogue &catalogue, Observer &observer) {
    QuietObserver quiet(observer);
    std::size_t skipped = 0;
    const Targets targets = targets_of(catalogue, request.inputs, skipped, quiet);
    return shard_of(request, targets, observer).head;
}

/// Whether a first run ended before it listed anything: nothing says then what it was to be.
bool is_unbegun(Catalogue &catalogue, Database &database) {
    return !catalogue.about("updated") && database.number("SELECT count(*) FROM roots") == 0;
}

/// Whether it is this very shard. @throws Error{Fault::usage} for a library that is no shard
bool is_shard(const IndexRequest &request, Observer &observer) {
    const auto database = open_to_read(request.library);
    Catalogue catalogue(*database);
    const auto head = catalogue.about("shard");
    if (!head && is_unbegun(catalogue, *database)) return false;
    if (!head)
        throw Error(Fault::usage, fmt::format("{}: a library that is no shard; give the shard "
                                              "another name",
                                              request.library));
    const auto nothing = std::make_unique<Database>(":memory:", Database::Access::write);
    make_tables(*nothing);
    Catalogue fresh(*nothing); // a library keeps the first name of a folder, however it is spelled
    return head_of(request, catalogue, observer) == *head &&
           head_of(request, fresh, observer) == *head;
}

} // namespace

void ShardCut::take(std::vector<std::string> &names) {
    const std::size_t begin = next_;
    next_ += names.size();
    const auto at = [&](std::size_t place) {
        return names.begin() + static_cast<std::ptrdiff_t>(std::clamp(place, begin, next_) - begin);
    };
    names = std::vector<std::string>(at(range_.first), at(range_.last));
}

LibraryShard shard_of(const IndexRequest &request, const Targets &targets, Observer &observer) {
    const std::vector<std::string> models = given_fingerprints(request);
    QuietObserver quiet(observer);
    ByteHash hash;
    std::size_t inputs = 0;
    list_targets(targets, quiet, [&](const std::string &front, const std::string &name) {
        hash.add(front);
        hash.add(name);
        hash.add({"\0", 1});
        ++inputs;
    });
    const PartHead head{.shard = *request.shard,
                        .inputs = inputs,
                        .list = hash.digits(),
                        .version = std::string(version()),
                        .vocabulary = fmt::format("{}", fmt::join(models, " ")),
                        .settings = settings_text(request),
                        .content = LibraryInfo{}};
    return {range_of(*request.shard, inputs), head_text(head), head.list};
}

void remove_other_shard(const IndexRequest &request, Observer &observer) {
    if (!holds_library(request.library)) return; // what else is there is refused later
    const WriterLock lock(request.library, request.wait_seconds);
    if (!is_shard(request, observer)) remove_library(request.library);
}

std::string ShardSkips::text() const {
    return fmt::format("{} {}", everywhere, here);
}

ShardSkips ShardSkips::of(const std::string &text) {
    ShardSkips skips;
    skips.everywhere = std::strtoull(text.c_str(), nullptr, 10);
    skips.here = std::strtoull(text.c_str() + std::min(text.find(' '), text.size()), nullptr, 10);
    return skips;
}

std::size_t skipped_files(Database &database) {
    return static_cast<std::size_t>(database.number( // CROSS: by the index of the few that are
        "SELECT (SELECT count(*) FROM files WHERE skipped IS NOT NULL AND gone IS NULL) + (SELECT "
        "count(*) FROM contents CROSS JOIN files ON files.content = contents.id WHERE "
        "contents.skipped IS NOT NULL AND files.gone IS NULL)"));
}

} // namespace bowhist
