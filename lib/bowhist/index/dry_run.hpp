#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/catalogue.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bowhist {

/// Opens a library to read, so that a run may write to the rows of its paths all the same: they are
/// copies, which no other connection sees, and which are gone at the end. Models and descriptions
/// are the library's own. One that is not there is empty.
/// @throws Error as open_to_read
std::unique_ptr<Database> open_for_dry_run(const std::filesystem::path &library);

/// The content with the bytes of a file: 0 for one that the library lacks, nothing for a file that
/// cannot be read.
std::optional<RowId> content_of(Catalogue &catalogue, const std::string &path);

/// Reads new files that are as large as one that is gone, and gives their rows the content that the
/// library has. Files that cannot be read now stay as they are.
void find_contents_of_new(Catalogue &catalogue, std::int64_t run, Observer &observer);

/// The lines of a dry run, held until it is known which files moved.
class DryReport {
  public:
    void add(std::string_view what, const std::string &path) { lines_.emplace_back(what, path); }
    /// The new file is one that is gone.
    void move(const std::string &from, const std::string &to);
    void print(const std::function<void(std::string_view, const std::string &)> &report);

  private:
    std::vector<std::pair<std::string_view, std::string>> lines_;
    std::vector<std::pair<std::string, std::string>> moves_; ///< from, to
};

} // namespace bowhist
