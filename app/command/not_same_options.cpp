#include "app/command/not_same_options.hpp"

#include "app/command/options.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/printable.hpp>
#include <bowhist/io/atomic_file.hpp>
#include <bowhist/io/near_names.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/library/not_same.hpp>
#include <bowhist/tables/histograms/histogram_formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <utility>

namespace bowhist::app {
namespace {

constexpr double wait_seconds = 10; ///< for another writer

using PathPairs = std::vector<std::pair<std::string, std::string>>;

PathPairs in_pairs(const std::vector<std::string> &paths, const char *option) {
    if (paths.size() % 2 != 0) throw Error(Fault::usage, fmt::format("{} takes two paths", option));
    PathPairs pairs;
    for (std::size_t i = 0; i < paths.size(); i += 2) pairs.emplace_back(paths[i], paths[i + 1]);
    return pairs;
}

/// Pairs of paths to remember: those that were given, and a list's.
PathPairs pairs_to_remember(const NotSameOptions &options) {
    PathPairs paths = in_pairs(options.paths, "--not-same");
    if (options.list.empty()) return paths;
    std::ifstream list(options.list, std::ios::binary);
    if (!list) throw Error(Fault::usage, fmt::format("{}: cannot be read", options.list));
    for (std::string line; std::getline(list, line);) {
        if (line.empty()) continue;
        const std::size_t tab = line.find('\t');
        if (tab == std::string::npos)
            throw Error(Fault::usage,
                        fmt::format("{}: a line without a tab: {}; give two paths a line",
                                    options.list, excerpt(line)));
        paths.emplace_back(line.substr(0, tab), line.substr(tab + 1));
    }
    return paths;
}

/// The hashes of a library's pictures, by their paths.
class PictureHashes {
  public:
    explicit PictureHashes(const std::filesystem::path &library) : library_(library) {
        Library(library).for_each_image(
            [&](const LibraryImage &image) { hashes_[image.path] = image.hash; });
    }

    /// @throws Error{Fault::usage} for a path that is not there
    const std::string &of(std::string path) const {
        auto found = hashes_.find(path);
        if (found == hashes_.end() && path.ends_with('\r')) { // of a list, as Windows writes it
            path.pop_back();
            found = hashes_.find(path);
        }
        if (found != hashes_.end()) return found->second;
        const auto near = std::ranges::find(
            hashes_, composed(path), [](const auto &known) { return composed(known.first); });
        throw Error(Fault::usage,
                    fmt::format("{}: not in {}, which knows pictures by the paths that it prints{}",
                                std::filesystem::path(path), library_,
                                did_you_mean(near == hashes_.end() ? "" : near->first)));
    }

    /// The same, or the hash itself where it is given in place of a path.
    std::string of_path_or_hash(const std::string &text) const {
        const std::string hash = hash_of_text(text);
        return hash.empty() || hashes_.contains(text) ? of(text) : hash;
    }

  private:
    const std::filesystem::path &library_;
    std::map<std::string, std::string> hashes_;
};

NotSame to_remember(const NotSameOptions &options, const PictureHashes &hashes) {
    NotSame pairs;
    for (const auto &[one, other] : pairs_to_remember(options)) {
        const std::string &first = hashes.of(one);
        const std::string &second = hashes.of(other);
        if (first == second)
            throw Error(Fault::usage,
                        fmt::format("{} and {} have the same bytes; they cannot be different "
                                    "pictures",
                                    std::filesystem::path(one), std::filesystem::path(other)));
        pairs.insert(std::minmax(first, second));
    }
    return pairs;
}

/// @param known  what will be remembered when they are forgotten
NotSame to_forget(const NotSameOptions &options, const PictureHashes &hashes,
                  const NotSame &known) {
    NotSame pairs;
    for (const auto &[one, other] : in_pairs(options.same_again, "--same-again")) {
        const std::string first = hashes.of_path_or_hash(one);
        const std::string second = hashes.of_path_or_hash(other);
        const DifferentPair pair = std::minmax(first, second);
        if (!known.contains(pair))
            throw Error(Fault::usage,
                        fmt::format("{} and {} are not remembered as different pictures; "
                                    "--list-not-same prints those that are",
                                    std::filesystem::path(one), std::filesystem::path(other)));
        pairs.insert(pair);
    }
    return pairs;
}

} // namespace

void add_not_same_options(Command &command, NotSameOptions &options) {
    const auto add_pairs = [&](const char *name, std::vector<std::string> &paths,
                               const char *help) {
        command.add_option(name, paths, help)->type_name("A B")->expected(2)->take_all();
    };
    add_pairs("--not-same", options.paths,
              "Remember that these two are different pictures; may be given more than once");
    add_file(command, "--not-same-from", options.list,
             "The same for each line of a file: two paths, separated by a tab");
    add_pairs("--same-again", options.same_again,
              "Forget that these two are different pictures; may be given more than once");
    command.add_flag("--list-not-same", options.list_pairs,
                     "Only print the pairs that are remembered, as CSV");
}

void apply_not_same(const std::filesystem::path &library, const NotSameOptions &options) {
    if (options.paths.empty() && options.list.empty() && options.same_again.empty()) return;
    const PictureHashes hashes(library);
    const NotSame more = to_remember(options, hashes);
    const NotSame less = to_forget(options, hashes, read_not_same(library));
    if (std::ranges::any_of(less, [&](const DifferentPair &pair) { return more.contains(pair); }))
        throw Error(Fault::usage, "--not-same and --same-again name the same two pictures; leave "
                                  "one of them out");
    if (!more.empty()) remember_not_same(library, more, wait_seconds);
    if (!less.empty()) forget_not_same(library, less, wait_seconds);
}

void write_not_same(const std::filesystem::path &library, const std::filesystem::path &output) {
    const Library images(library);
    const auto name_of = [&](const std::string &hash) {
        const std::vector<LibraryImage> found = images.images_of_hash(hash);
        return found.empty() ? std::pair(true, text_of_hash(hash))
                             : std::pair(false, found.front().path);
    };
    std::vector<std::pair<std::string, std::string>> rows; // paths before hashes
    for (const auto &[one, other] : read_not_same(library)) {
        const auto first = name_of(one), second = name_of(other);
        rows.emplace_back(std::min(first, second).second, std::max(first, second).second);
    }
    std::ranges::sort(rows);
    std::string lines = "first,second\n";
    for (const auto &[first, second] : rows) {
        append_csv_field(lines, first);
        lines += ',';
        append_csv_field(lines, second);
        lines += '\n';
    }
    AtomicFile file = file_or_standard_output(output);
    file.write(lines);
    file.commit();
}

} // namespace bowhist::app
