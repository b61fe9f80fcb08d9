#pragma once

#include <bowhist/inputs/inputs.hpp>
#include <bowhist/library/describe_options.hpp>
#include <bowhist/pipeline/recipe.hpp>
#include <bowhist/team/shard.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bowhist {

/// The request of an index run.
struct IndexRequest {
    std::filesystem::path library;                  ///< may be new
    InputSource inputs = {};                        ///< images and folders; nothing: all its roots
    std::vector<std::filesystem::path> models = {}; ///< vocabularies, models, libraries; without
                                                    ///< them a new library learns its own
    bool descends = false; ///< words of the given vocabulary are found by its tree
    bool words = true;     ///< which descriptions a new library has
    bool code = true;
    /// The names among "words", "code", "positions", "mirrored" and "thumbnails" that were asked
    /// for, or asked to be left out: a library that differs in them is an error.
    std::set<std::string> settings_given = {};
    RecipeRequest words_recipe = {}; ///< of models that are learned
    RecipeRequest code_recipe = {};
    std::size_t words_k = 0; ///< words to learn at most; 0: by the number of keypoints
    std::size_t code_k = 0;
    std::uint64_t seed = 1;
    std::uint64_t memory = 0; ///< bytes of the whole program while it learns; 0: half of what is
                              ///< free
    DescribeOptions describe = {};
    double wait_seconds = 0;
    bool relearn = false;      ///< learn again, from the library's images, and replace everything
    bool reindex = false;      ///< make the index of search again; without inputs nothing else
                               ///< happens
    bool forget = false;       ///< delete what is gone
    bool retry = false;        ///< try all again that is skipped
    bool yes = false;          ///< also where a disk that is not mounted would explain it
    double verify_percent = 0; ///< of unchanged files, which are read and hashed
    std::vector<std::string> removed = {}; ///< paths or globs of images to take out; without
                                           ///< inputs nothing else happens
    /// Folders that are elsewhere now: from, to.
    std::vector<std::pair<std::string, std::string>> roots = {};
    bool dry_run = false; ///< nothing is written
    /// Takes these files alone, into a library of its own (merge_libraries.hpp), which is made anew
    /// where it is a shard of another run. Needs `models`; nothing that updates a library fits it.
    std::optional<Shard> shard = {};
    /// Gets a hash of the list of all files, once a shard has it, before any is read.
    std::function<void(std::string_view list)> listed = {};
    /// Gets each file that is "new", "changed", "back" or "gone", with its path; in a dry run also
    /// "moved", at the end of all.
    std::function<void(std::string_view what, const std::string &path)> report = {};
};

/// The counts of an index run.
struct IndexRun {
    std::size_t unchanged = 0; ///< files
    std::size_t added = 0;     ///< files that were not there before
    std::size_t changed = 0;
    std::size_t moved = 0;     ///< files that were found at another path
    std::size_t back = 0;      ///< files that had been gone
    std::size_t gone = 0;      ///< files that were there before
    std::size_t described = 0; ///< contents that were decoded
    std::size_t skipped = 0;   ///< inputs that cannot be used; no other count has them
    std::size_t standing = 0;  ///< files that are skipped in the end, by earlier runs, too
    std::map<std::string, std::size_t> ignored = {};         ///< files of folders, by kind
    std::map<std::string, std::size_t> ignored_folders = {}; ///< by name
    std::size_t verified = 0;                                ///< unchanged files that were hashed
    std::size_t removed = 0;                                 ///< files that were taken out
    std::size_t forgotten = 0;                               ///< gone files that were deleted
    bool was_complete = false;                               ///< a shard that was there already
};

/// Makes a library, or brings it up to date (docs/library.md). Ended at any moment, the library is
/// whole, and the next run continues.
/// @throws Error: usage for what cannot be meant; input where nothing can be learned, or once all
///         else is done, where only `yes` forgets what is gone; output where it cannot be written,
///         or another run writes it; interrupted
IndexRun index_library(const IndexRequest &request, Observer &observer);

} // namespace bowhist
