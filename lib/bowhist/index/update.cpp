#include <bowhist/index/update.hpp>

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/core/said_once.hpp>
#include <bowhist/core/version.hpp>
#include <bowhist/index/dry_run.hpp>
#include <bowhist/index/learning.hpp>
#include <bowhist/index/opened_library.hpp>
#include <bowhist/index/shard_listing.hpp>
#include <bowhist/index/upkeep.hpp>
#include <bowhist/index/walk.hpp>
#include <bowhist/index/wanted_settings.hpp>
#include <bowhist/inputs/inputs.hpp>
#include <bowhist/io/input_file.hpp>
#include <bowhist/io/own_folders.hpp>
#include <bowhist/library/file/library_file.hpp>
#include <bowhist/library/file/upgrade.hpp>
#include <bowhist/library/segments/segment_update.hpp>
#include <bowhist/library/spelling.hpp>
#include <bowhist/library/targets.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

namespace bowhist {
namespace {

void require_held(bool holds, std::size_t k, const RecipeRequest &recipe, const char *kind,
                  const std::filesystem::path &library) {
    if (holds || (k == 0 && recipe.given.empty())) return;
    throw Error(Fault::usage,
                fmt::format("{} holds no {}; leave the options --{}-... out", library, kind, kind));
}

/// @param fewer  whether learning makes fewer words than asked for where there are few descriptors
void require_size(std::size_t k, std::size_t own, bool fewer, const char *option,
                  const std::filesystem::path &library) {
    if (k == 0 || k == own || (fewer && own < k)) return;
    throw Error(Fault::usage, fmt::format("{} has {} words already, and {} {} was asked for; leave "
                                          "it out, or replace all with --relearn",
                                          library, own, option, k));
}

bool has_models(Catalogue &catalogue) { // without reading them
    return catalogue.database().number("SELECT count(*) FROM models") > 0;
}

bool gives_some(const IndexRequest &request) {
    return request.words_k > 0 || request.code_k > 0 || !request.words_recipe.given.empty() ||
           !request.code_recipe.given.empty();
}

/// @throws Error{Fault::usage} where options of learning differ from how the library's models were
///         learned, unless they are learned again; or are of a description that it does not hold
void require_own_models(Catalogue &catalogue, const IndexRequest &request,
                        const LibrarySettings &settings) {
    if (!gives_some(request)) return;
    const std::filesystem::path &library = request.library;
    require_held(settings.words, request.words_k, request.words_recipe, "words", library);
    require_held(settings.code, request.code_k, request.code_recipe, "code", library);
    if (request.relearn) return;
    const LibraryModels models = read_models(catalogue.models(), catalogue.database().path());
    if (models.words) {
        require_size(request.words_k, models.words->vocabulary.size(), false, "--words-k", library);
        if (const auto recipe = models.words->recorded.recipe())
            require_recorded(request.words_recipe, *recipe, library, "--words-");
    }
    if (models.code) {
        require_size(request.code_k, models.code->words.size(), true, "--code-k", library);
        require_recorded(request.code_recipe, models.code->recipe, library, "--code-");
    }
}

/// The models of a library, which a new one takes or learns from the images of a run.
/// @throws as models_for; input where no image is there; interrupted, with a line that says what is
///         kept of models that were being learned
LibraryModels models_of_run(Catalogue &catalogue, const IndexRequest &request,
                            const LibrarySettings &settings, const Targets &targets,
                            Observer &observer) {
    const bool learns = !has_models(catalogue) && request.models.empty();
    if (learns) require_any(targets);
    try {
        return models_for(catalogue, request, settings, source_of(targets), observer);
    } catch (const Error &error) {
        if (error.fault != Fault::interrupted || !learns) throw;
        const char *kept = has_models(catalogue)
                               ? "words are kept, and the next run learns codes again"
                               : "nothing is kept: the next run begins again";
        throw Error(error.fault, fmt::format("{} while it learned; {}", error.what(), kept));
    }
}

/// "process 123 on host".
std::string this_writer() {
    std::string host(256, '\0');
    if (::gethostname(host.data(), host.size() - 1) != 0) host = "this machine";
    return fmt::format("process {} on {}", ::getpid(), host.c_str());
}

/// Keeps a list that can be read once, such as standard input, in a file: a shard reads it again.
class KeptList {
  public:
    KeptList(InputSource &inputs, const Observer &observer) {
        std::error_code unknown;
        if (inputs.list.empty() || std::filesystem::is_regular_file(inputs.list, unknown)) return;
        std::ifstream file;
        if (inputs.list == "-") require_standard_input(Fault::usage);
        if (inputs.list != "-") file.open(inputs.list, std::ios::binary);
        std::istream &from = inputs.list == "-" ? std::cin : file;
        if (!from) return; // reading it says why
        folder_.emplace(ScratchFolder::temporary());
        const std::filesystem::path kept = folder_->path() / "list";
        std::ofstream to(kept, std::ios::binary);
        std::string piece(std::size_t{1} << 16, '\0');
        while (from) {
            observer.stop_if_interrupted();
            from.read(piece.data(), static_cast<std::streamsize>(piece.size()));
            to.write(piece.data(), from.gcount());
        }
        if (folder_->path().empty() || !to.flush())
            throw Error(Fault::output, "there is no room for the list of --files-from; set TMPDIR");
        inputs.list = kept;
    }

  private:
    std::optional<ScratchFolder> folder_;
};

class Update {
  public:
    Update(const IndexRequest &request, Observer &observer)
        : request_(request), observer_(observer), library_(request, observer),
          database_(library_.database()), catalogue_(database_) {
        if (!request.dry_run || !request.report) return;
        request_.report = [this](std::string_view what, const std::string &path) {
            dry_report_.add(what, path);
        };
        print_ = request.report;
    }

    IndexRun run() {
        begin();
        move_all_roots();
        const bool looks = !request_.inputs.arguments.empty() || !request_.inputs.list.empty() ||
                           request_.retry || (request_.removed.empty() && !request_.reindex);
        if (request_.reindex && request_.dry_run)
            throw Error(Fault::usage, "--reindex writes; leave --dry-run out");
        if (request_.relearn)
            relearn();
        else if (looks)
            look();
        if (looks && !request_.dry_run) read_headers_after_upgrade(catalogue_, observer_);
        take_out();
        if (!request_.dry_run) bring_index_up_to_date();
        end();
        if (!doubt_.empty())
            throw Error(Fault::input, fmt::format("{}; nothing was forgotten: bring them back, or "
                                                  "give --forget --yes",
                                                  doubt_));
        return counts_;
    }

  private:
    /// Until the end in a dry run, which then takes all back.
    void begin_transaction() {
        if (!database_.in_transaction()) database_.run("BEGIN IMMEDIATE");
    }
    void commit() {
        if (!request_.dry_run && database_.in_transaction()) database_.run("COMMIT");
    }

    void begin() {
        begin_transaction();
        run_ = catalogue_.number_about("run") + 1;
        catalogue_.set_about("run", std::to_string(run_));
        catalogue_.set_about("writer", this_writer());
        if (!catalogue_.about("made by")) catalogue_.set_about("made by", std::string(version()));
        require_whole();
        limits_ = catalogue_.about("limits");
        settings_ = settle(catalogue_, request_);
        require_own_models(catalogue_, request_, settings_);
        if (!request_.dry_run) settle_skips(catalogue_, request_);
        commit();
    }

    /// @throws Error{Fault::usage} for a shard that is to be updated as if it were all
    void require_whole() {
        if (request_.shard || !catalogue_.about("shard")) return;
        throw Error(Fault::usage,
                    fmt::format("{}: a shard of a library; put all together first: bowhist merge "
                                "-o photos.bow PART...",
                                request_.library));
    }

    /// Begins a shard, if the run takes only some of the files.
    std::optional<ShardCut> begin_shard(const Targets &targets) {
        if (!request_.shard) return std::nullopt;
        const LibraryShard shard = shard_of(request_, targets, observer_);
        if (request_.listed) request_.listed(shard.list);
        begin_transaction();
        shard_was_complete_ = catalogue_.about("shard skipped").has_value();
        catalogue_.set_about("shard", shard.head);
        database_.run("DELETE FROM about WHERE name = 'shard skipped'");
        commit();
        return ShardCut(shard.range);
    }

    /// A shard counts all that was skipped, in earlier runs, too: the shards are counted together.
    void end_shard(const ShardSkips &skips) {
        if (!request_.shard) return;
        begin_transaction();
        catalogue_.set_about("shard skipped", skips.text());
        commit();
        counts_.skipped = skips.everywhere + skips.here + skipped_files(database_);
        counts_.was_complete = shard_was_complete_ && counts_.added == 0 && counts_.changed == 0 &&
                               counts_.described == 0;
    }

    void move_all_roots() {
        begin_transaction();
        for (const auto &[from, to] : request_.roots) move_roots(catalogue_, from, to);
        commit();
    }

    void look() {
        const Targets targets = targets_of(catalogue_, request_.inputs, counts_.skipped, observer_);
        const std::size_t lines = counts_.skipped;
        if (targets.empty()) require_known();
        const std::optional<ShardCut> cut = begin_shard(targets);
        std::optional<LibraryModels> models;
        std::optional<Describer> describer;
        SaidOnce once(observer_);
        if (!request_.dry_run) {
            models = own_models(targets, once);
            describer.emplace(*models, describe_options(request_, settings_, 1000), observer_);
            observer_.note(describer->text());
        }
        Ingest ingest(
            catalogue_, describer ? &*describer : nullptr,
            {.stream = request_.describe.stream,
             .dry = request_.dry_run,
             .all_at_once = false,
             .after_commit = [this] { append_segments(catalogue_, segment_images, observer_); }},
            observer_);
        Merge merge(catalogue_, ingest, request_, counts_, run_, observer_);
        InputList walked;
        try {
            walked = Walk(catalogue_, ingest, merge, once, cut).run(targets);
        } catch (...) {
            ingest.rescue();
            throw;
        }
        counts_.skipped += walked.skipped;
        counts_.ignored = std::move(walked.ignored);
        counts_.ignored_folders = std::move(walked.ignored_folders);
        const bool has_none = !ingest.has_image() && counts_.gone == 0;
        if (has_none && !(targets.empty() && lines == 0)) require_upkeep();
        const std::size_t without_row = counts_.skipped;
        count(ingest.counts());
        end_shard({lines + walked.skipped, without_row - lines - walked.skipped});
        begin_transaction();
        find_all_moved();
        commit();
    }

    LibraryModels own_models(const Targets &targets, Observer &observer) {
        try {
            return models_of_run(catalogue_, request_, settings_, targets, observer);
        } catch (const Error &error) {
            if (error.fault == Fault::input) library_.discard_new();
            throw;
        }
    }

    /// Takes all back where no image was met, unless other work was asked for, or a shard, which
    /// may be empty. @throws Error{Fault::input}
    void require_upkeep() {
        if (request_.dry_run || request_.shard || request_.reindex || request_.forget ||
            !request_.removed.empty() || !request_.roots.empty())
            return;
        if (database_.in_transaction()) database_.run("ROLLBACK");
        begin_transaction();
        catalogue_.set_about("run", std::to_string(run_ - 1));
        if (limits_) catalogue_.set_about("limits", *limits_);
        database_.run("DELETE FROM about WHERE name = 'writer'");
        commit();
        fold_log(database_);
        library_.discard_new();
        const std::string most = most_ignored(counts_.ignored, counts_.ignored_folders);
        const std::string what =
            fmt::format("no picture could be read, so {} stays as it was", request_.library);
        throw Error(Fault::input,
                    most.empty()
                        ? fmt::format("{}; see the lines above, or bowhist status -v", what)
                        : fmt::format("{} (most files are {}); name files themselves to see why "
                                      "each is left out",
                                      what, most));
    }

    void find_all_moved() {
        const std::int64_t whole = catalogue_.number_about("whole run");
        if (request_.dry_run) find_contents_of_new(catalogue_, run_, observer_);
        counts_.moved = find_moved(catalogue_, whole, run_,
                                   [&](const std::string &from, const std::string &to) {
                                       if (print_) dry_report_.move(from, to);
                                   });
        counts_.added -= std::min(counts_.added, counts_.moved);
        counts_.gone -= std::min(counts_.gone, counts_.moved);
        catalogue_.set_about("whole run", std::to_string(run_));
        if (print_) dry_report_.print(print_);
    }

    void require_known() const {
        if (!request_.inputs.list.empty()) return;
        throw Error(Fault::usage, fmt::format("{} has no folder yet; name pictures or folders: "
                                              "bowhist index -o photos.bow INPUT...",
                                              request_.library));
    }

    void count(const IngestCounts &ingest) {
        counts_.added += ingest.added;
        counts_.changed += ingest.changed;
        counts_.unchanged += ingest.same;
        counts_.unchanged -= std::min(counts_.unchanged, ingest.differ);
        counts_.described = ingest.described;
        counts_.skipped += ingest.skipped;
    }

    void relearn() {
        if (request_.dry_run)
            throw Error(Fault::usage, "--relearn describes every image; leave --dry-run out");
        if (!request_.yes)
            if (const std::string doubt = doubt_of_gone(catalogue_); !doubt.empty())
                throw Error(Fault::input, fmt::format("{}, and --relearn deletes what is gone; "
                                                      "bring them back, or give --yes",
                                                      doubt));
        const IngestCounts counts = bowhist::relearn(catalogue_, request_, settings_, observer_);
        counts_.described = counts.described;
        counts_.skipped += counts.skipped;
    }

    void take_out() {
        begin_transaction();
        if (!request_.removed.empty()) remove();
        if (request_.forget && !request_.yes) doubt_ = doubt_of_gone(catalogue_);
        request_.forget = request_.forget && doubt_.empty();
        if (request_.forget) counts_.forgotten = forget_gone(catalogue_);
        if ((counts_.removed > 0 || request_.forget) && !request_.dry_run) drop_unused(catalogue_);
        commit();
    }

    void remove() {
        const RemovedFiles removed = remove_files(catalogue_, request_.removed, observer_);
        counts_.removed = removed.count;
        if (removed.still_there == 0) return;
        const std::filesystem::path root = removed.root.path;
        std::string rules;
        for (const std::string &glob : removed.root.excluded)
            rules += fmt::format(" --exclude {}", printable(glob));
        observer_.warning(fmt::format(
            "taken out, but still there: {}{}; the next index takes in again what no rule of {} "
            "leaves out: bowhist index -o {}{} --exclude GLOB {}",
            std::filesystem::path(removed.first),
            removed.still_there > 1 ? fmt::format(" and {} more", removed.still_there - 1) : "",
            root, request_.library, rules, root));
    }

    void bring_index_up_to_date() {
        if (request_.reindex) {
            begin_transaction();
            drop_segments(catalogue_);
            commit();
        }
        append_segments(catalogue_, 1, observer_);
        merge_segments(catalogue_, counts_.removed > 0 || request_.forget, observer_);
    }

    void end() {
        counts_.standing = skipped_files(database_);
        if (request_.dry_run) return database_.run("ROLLBACK");
        begin_transaction();
        catalogue_.set_about("updated", std::to_string(std::time(nullptr)));
        catalogue_.set_about("place", listed_path(request_.library.native()));
        database_.run("DELETE FROM about WHERE name = 'writer'");
        commit();
        database_.run("PRAGMA incremental_vacuum");
        fold_log(database_);
    }

    IndexRequest request_;
    std::function<void(std::string_view, const std::string &)> print_; ///< of a dry run
    DryReport dry_report_;
    Observer &observer_;
    OpenedLibrary library_;
    Database &database_;
    Catalogue catalogue_;
    LibrarySettings settings_;
    std::optional<std::string> limits_; ///< as the last run left them
    std::int64_t run_ = 0;
    bool shard_was_complete_ = false;
    std::string doubt_; ///< doubt_of_gone(): nothing is forgotten
    IndexRun counts_;
};

} // namespace

IndexRun index_library(const IndexRequest &request, Observer &observer) {
    if (!request.shard) return Update(request, observer).run();
    IndexRequest shard = request;
    const KeptList list(shard.inputs, observer);
    remove_other_shard(shard, observer);
    return Update(shard, observer).run();
}

} // namespace bowhist
