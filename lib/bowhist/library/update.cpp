#include <bowhist/library/update.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/library/learning.hpp>
#include <bowhist/library/library_file.hpp>
#include <bowhist/library/merge.hpp>
#include <bowhist/pipeline/folder_search.hpp>

#include <fmt/format.h>

#include <ctime>
#include <map>
#include <set>
#include <unistd.h>

namespace bowhist {
namespace fs = std::filesystem;
namespace {

/// "process 123 on host".
std::string this_writer() {
    std::string host(256, '\0');
    if (::gethostname(host.data(), host.size() - 1) != 0) host = "this machine";
    return fmt::format("process {} on {}", ::getpid(), host.c_str());
}

/// A path's bytes up to its last slash, and what stands behind it.
std::pair<std::string, std::string> split(const std::string &path) {
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) return {"", path};
    return {path.substr(0, slash + 1), path.substr(slash + 1)};
}

std::string with_slash(std::string folder) {
    if (!folder.empty() && folder.back() != '/') folder += '/';
    return folder;
}

bool is_empty_folder(const fs::path &folder) {
    std::error_code error;
    const fs::directory_iterator first(folder, error);
    return !error && first == fs::directory_iterator();
}

/// The number in `about`; 0 without one.
std::int64_t number_in(Catalogue &catalogue, const char *name) {
    const auto text = catalogue.about(name);
    return text ? std::atoll(text->c_str()) : 0;
}

/// What is to be looked at: folders with their rules, and files by the folders that they lie in.
struct Targets {
    std::vector<RootRow> folders;                       ///< ids unset
    std::map<std::string, std::set<std::string>> files; ///< names by what stands in front of them
};

class Update {
  public:
    Update(const IndexRequest &request, Observer &observer)
        : request_(request), observer_(observer), lock_(request.library, request.wait_seconds),
          database_(open_to_write(request.library)), catalogue_(*database_) {}

    IndexRun run() {
        begin();
        const Targets targets = targets_of();
        const LibraryModels models =
            models_for(catalogue_, request_, learning_source(targets), observer_);
        Describer describer(models, request_.describe, observer_);
        observer_.note(describer.text());
        ingest_.emplace(catalogue_, describer, request_.describe.stream, observer_);
        merge_.emplace(catalogue_, *ingest_, counts_, run_);
        walk(targets);
        ingest_->finish();
        end();
        counts_.described = ingest_->counts().described;
        counts_.skipped += ingest_->counts().skipped;
        return counts_;
    }

  private:
    void begin() {
        run_ = number_in(catalogue_, "run") + 1;
        database_->run("BEGIN IMMEDIATE");
        catalogue_.set_about("writer", this_writer());
        catalogue_.set_about("run", std::to_string(run_));
        if (!catalogue_.about("made by")) catalogue_.set_about("made by", std::string(version()));
        database_->run("COMMIT");
    }

    void end() {
        database_->run("BEGIN IMMEDIATE");
        find_moved();
        catalogue_.set_about("whole run", std::to_string(run_));
        catalogue_.set_about("updated", std::to_string(std::time(nullptr)));
        database_->run("DELETE FROM about WHERE name = 'writer'");
        database_->run("COMMIT");
        database_->run("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    Targets targets_of() {
        Targets targets;
        const InputSource &inputs = request_.inputs;
        if (inputs.arguments.empty() && inputs.list.empty()) {
            targets.folders = catalogue_.roots();
            std::erase_if(targets.folders, [](const RootRow &root) { return root.path.empty(); });
            return targets;
        }
        counts_.skipped += for_each_path(inputs, observer_, [&](const fs::path &path) {
            std::error_code error;
            if (fs::is_directory(path, error)) {
                targets.folders.push_back(
                    {.path = path.native(), .excluded = inputs.excluded, .hidden = inputs.hidden});
            } else {
                auto [folder, name] = split(path.native());
                targets.files[folder].insert(name);
            }
        });
        return targets;
    }

    InputSource learning_source(const Targets &targets) const {
        if (!request_.inputs.arguments.empty() || !request_.inputs.list.empty()) {
            InputSource source = request_.inputs;
            if (source.list == "-") { // read already
                source.list.clear();
                source.arguments.clear();
                for (const RootRow &root : targets.folders) source.arguments.push_back(root.path);
                for (const auto &[folder, names] : targets.files)
                    for (const auto &name : names) source.arguments.push_back(folder + name);
            }
            return source;
        }
        InputSource source;
        for (const RootRow &root : targets.folders) source.arguments.push_back(root.path);
        return source;
    }

    void walk(const Targets &targets) {
        FolderSearch search(request_.inputs, observer_);
        for (const RootRow &root : targets.folders) walk_root(root, search);
        if (!targets.files.empty()) look_at_files(targets.files);
    }

    void walk_root(const RootRow &asked, FolderSearch &search) {
        ingest_->begin_writing();
        const RootRow root = catalogue_.put_root(asked);
        search.set_rules(root.excluded, root.hidden);
        const std::string front = with_slash(root.path);
        bool is_whole = !is_empty_folder(root.path);
        if (!is_whole) warn_of_empty(root);
        std::set<RowId> met;
        search.visit(root.path, [&](ListedFolder &&folder) {
            is_whole = is_whole && folder.is_whole;
            if (folder.names.empty() && !folder.is_whole) return;
            const std::string below = with_slash(folder.below.native());
            const RowId row = folder_row(root.id, below, folder.names.empty());
            if (row == 0) return;
            met.insert(row);
            merge_->folder(row, front + below, look_at(folder.path, std::move(folder.names)),
                           folder.is_whole && is_whole);
        });
        ingest_->finish();
        if (is_whole) mark_other_folders(root.id, met);
    }

    /// 0 for a folder without images that has no row.
    RowId folder_row(RowId root, const std::string &below, bool has_no_images) {
        if (has_no_images) {
            Statement known(*database_, "SELECT id FROM folders WHERE root=?1 AND path=?2");
            return known.with(root, Blob{below}).step() ? known.number(0) : 0;
        }
        ingest_->begin_writing();
        return catalogue_.folder(root, below);
    }

    void warn_of_empty(const RootRow &root) {
        observer_.warning(fmt::format("{}: an empty folder; images that it held stay in the "
                                      "library, in case its disk is not mounted",
                                      fs::path(root.path)));
    }

    void mark_other_folders(RowId root, const std::set<RowId> &met) {
        std::vector<RowId> others;
        catalogue_.for_each_folder(root, [&](RowId folder, std::string_view) {
            if (!met.contains(folder)) others.push_back(folder);
        });
        for (const RowId folder : others) merge_->gone_folder(folder);
    }

    void look_at_files(const std::map<std::string, std::set<std::string>> &files) {
        ingest_->begin_writing();
        const RootRow root = catalogue_.put_root({});
        for (const auto &[folder, names] : files) {
            ingest_->begin_writing();
            const RowId row = catalogue_.folder(root.id, folder);
            merge_->folder(row, folder, look_at(folder, {names.begin(), names.end()}), false);
        }
    }

    /// A file that is new, with the content of one that is gone since, is that one at another
    /// path: it keeps its id.
    void find_moved() {
        const std::int64_t whole = number_in(catalogue_, "whole run");
        Statement gone(*database_, "SELECT id, content FROM files WHERE gone IS NOT NULL AND run "
                                   "<= ?1 AND content IN (SELECT content FROM files WHERE run > "
                                   "?1 AND gone IS NULL) ORDER BY id");
        std::vector<std::pair<RowId, RowId>> candidates;
        gone.with(whole);
        while (gone.step()) candidates.emplace_back(gone.number(0), gone.number(1));
        Statement there(*database_, "SELECT id FROM files WHERE content = ?1 AND run > ?2 AND gone "
                                    "IS NULL ORDER BY id LIMIT 1");
        for (const auto &[old, content] : candidates) {
            if (!there.with(content, whole).step()) continue;
            const RowId found = there.number(0);
            there.reset();
            replace(old, found);
            ++counts_.moved;
            --counts_.added;
            if (counts_.gone > 0) --counts_.gone;
        }
    }

    void replace(RowId old, RowId found) {
        FileRow row = catalogue_.file(found);
        catalogue_.erase_file(found);
        row.id = old;
        row.run = run_ - 1;
        catalogue_.update(row);
    }

    const IndexRequest &request_;
    Observer &observer_;
    WriterLock lock_;
    std::unique_ptr<Database> database_;
    Catalogue catalogue_;
    std::optional<Ingest> ingest_;
    std::optional<Merge> merge_;
    std::int64_t run_ = 0;
    IndexRun counts_;
};

} // namespace

IndexRun index_library(const IndexRequest &request, Observer &observer) {
    return Update(request, observer).run();
}

} // namespace bowhist
