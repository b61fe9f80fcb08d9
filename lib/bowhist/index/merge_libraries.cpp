#include <bowhist/index/merge_libraries.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/index/shard_listing.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/io/temporary_file.hpp>
#include <bowhist/library/description_rows.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/file/upgrade.hpp>
#include <bowhist/library/segments/segment_update.hpp>
#include <bowhist/library/segments/segments.hpp>
#include <bowhist/library/spelling.hpp>
#include <bowhist/pictures/chroma_beyond_tone.hpp>
#include <bowhist/pipeline/few_descriptors.hpp>
#include <bowhist/pipeline/part_of_run.hpp>

#include <fmt/format.h>

#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t files_together = 4096; ///< of a transaction

/// A shard, read as it was when it was opened.
class ShardRows {
  public:
    explicit ShardRows(const fs::path &path)
        : database_(open_to_read(path)), catalogue_(*database_), columns_(*database_),
          content_(*database_,
                   fmt::format("SELECT {} FROM contents WHERE id = ?1", columns_.selected())),
          descriptions_(catalogue_) {}

    Catalogue &catalogue() { return catalogue_; }

    /// Calls `use` with each file, in the order in which they were met.
    void for_each_file(const std::function<void(FileRow &&)> &use) {
        Statement files(*database_, fmt::format("SELECT {} FROM files ORDER BY id",
                                                FileColumns(*database_).selected()));
        while (files.step()) use(catalogue_.row_of_file(files));
    }

    /// With all descriptions, without an id.
    ContentRow content(RowId id) {
        if (!content_.with(id).step()) catalogue_.fail_damaged("contents", id);
        auto row = columns_.row(content_, 0);
        if (!row) catalogue_.fail_damaged("contents", id);
        content_.reset();
        if (!row->skipped) descriptions_.add_to(*row, id);
        return *std::move(row);
    }

  private:
    std::unique_ptr<Database> database_;
    Catalogue catalogue_;
    ContentColumns columns_;
    Statement content_;
    DescriptionRows descriptions_;
};

/// A shard's head, where the library is a shard.
PartOfOneRun read_head(const fs::path &path) {
    const auto database = open_to_read(path);
    const auto head = Catalogue(*database).about("shard");
    if (!head)
        throw Error(Fault::input, fmt::format("{}: no shard, but a library of its own; give files "
                                              "that index --shard made",
                                              path));
    if (!Catalogue(*database).about("shard skipped"))
        throw Error(Fault::input,
                    fmt::format("{}: not complete; run its index --shard again", path));
    return {path, head_in(InputFile::in_memory(*head, printable(path), Fault::input), *head)};
}

/// Fills a new library.
class Whole {
  public:
    Whole(const fs::path &path, Observer &observer)
        : observer_(observer), database_(open_to_write(path)), catalogue_(*database_),
          is_there_(*database_, "SELECT 1 FROM files WHERE folder = ?1 AND name = ?2") {
        begin();
    }

    void add(const fs::path &part, bool is_first) {
        ShardRows shard(part);
        if (is_first) take_common(shard.catalogue());
        const ShardSkips skips =
            ShardSkips::of(shard.catalogue().about("shard skipped").value_or(""));
        if (is_first) skips_.everywhere = skips.everywhere;
        skips_.here += skips.here;
        roots_.clear();
        folders_.clear();
        contents_.clear();
        for (const RootRow &root : shard.catalogue().roots())
            roots_[root.id] = catalogue_.put_root(root).id;
        shard.for_each_file([&](FileRow &&file) { add(shard, std::move(file)); });
    }

    IndexRun finish(const fs::path &output) {
        catalogue_.set_about("run", "1");
        catalogue_.set_about("whole run", "1");
        catalogue_.set_about("updated", std::to_string(std::time(nullptr)));
        catalogue_.set_about("place", listed_path(output.native()));
        commit();
        append_segments(catalogue_, 1, observer_);
        merge_segments(catalogue_, false, observer_);
        IndexRun run;
        const auto count = [&](const char *what) {
            return static_cast<std::size_t>(database_->number(what));
        };
        run.added = count("SELECT count(*) FROM files");
        run.described = count("SELECT count(*) FROM contents WHERE skipped IS NULL");
        run.standing = skipped_files(*database_);
        run.added -= run.standing;
        run.skipped = skips_.everywhere + skips_.here + run.standing;
        fold_log(*database_);
        return run;
    }

  private:
    void begin() { database_->run("BEGIN IMMEDIATE"); }
    void commit() { database_->run("COMMIT"); }

    void take_common(Catalogue &first) {
        for (const char *name : {"made by", "holds", "limits"})
            if (const auto value = first.about(name)) catalogue_.set_about(name, *value);
        for (const StoredModel &model : first.models()) catalogue_.put(model);
    }

    void add(ShardRows &shard, FileRow &&file) {
        observer_.stop_if_interrupted();
        const auto [folder, is_new] = folders_.try_emplace(file.folder, 0);
        if (is_new) {
            const auto [root, path] = shard.catalogue().folder_row(file.folder);
            if (!roots_.contains(root)) shard.catalogue().fail_damaged("folders", file.folder);
            folder->second = catalogue_.folder(roots_.at(root), path);
        }
        file.folder = folder->second;
        const bool is_again = is_there_.with(file.folder, Blob{file.name}).step();
        is_there_.reset();
        if (is_again) return; // it was named twice, and each is of another shard
        if (file.content) file.content = content_of(shard, *file.content);
        file.run = 1;
        catalogue_.insert(file);
        if (++files_ % files_together != 0) return;
        commit();
        append_segments(catalogue_, segment_images, observer_);
        begin();
    }

    RowId content_of(ShardRows &shard, RowId id) {
        const auto [known, is_new] = contents_.try_emplace(id, 0);
        if (!is_new) return known->second;
        ContentRow row = shard.content(id);
        const auto before = catalogue_.content(row.hash);
        if (before) return known->second = before->id;
        if (!row.frames && !row.skipped) complete(row);
        return known->second = catalogue_.put(row);
    }

    /// A row of an earlier version, as an upgrade does.
    void complete(ContentRow &row) {
        if (row.thumbnail) row.color = chroma_beyond_tone(*row.thumbnail);
        note_unread_headers(catalogue_);
    }

    Observer &observer_;
    std::unique_ptr<Database> database_;
    Catalogue catalogue_;
    Statement is_there_;
    std::map<RowId, RowId> roots_;    ///< here, by those of the shard
    std::map<RowId, RowId> folders_;  ///< the same
    std::map<RowId, RowId> contents_; ///< the same
    ShardSkips skips_;
    std::size_t files_ = 0;
};

/// @param path  where it is made. Errors name its place, `output`
IndexRun put_together(const std::vector<PartOfOneRun> &parts, const fs::path &path,
                      const fs::path &output, Observer &observer) {
    try {
        Whole whole(path, observer);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            whole.add(parts[i].path, i == 0);
            observer.progress("parts", i + 1, parts.size());
        }
        return whole.finish(output);
    } catch (const Error &error) {
        const std::string text = error.what();
        const std::string made = printable(path);
        if (!text.starts_with(made)) throw;
        throw Error(error.fault, printable(output) + text.substr(made.size()));
    }
}

} // namespace

IndexRun merge_libraries(std::span<const fs::path> paths, const fs::path &output,
                         Observer &observer) {
    std::vector<PartOfOneRun> parts;
    for (const fs::path &path : paths) parts.push_back(read_head(path));
    require_one_run(parts);
    if (!is_missing(output))
        throw Error(Fault::usage,
                    fmt::format("{}: is there already; give the library a new name", output));
    TemporaryFile file(output);
    const IndexRun run = put_together(parts, file.path(), output, observer);
    require_read(run.described, run.skipped);
    file.replace_destination();
    return run;
}

} // namespace bowhist
