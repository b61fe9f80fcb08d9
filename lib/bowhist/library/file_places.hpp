#pragma once

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/library.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// Paths of a library are printed as they were given, perhaps in another working directory. Here is
/// how their files are found from this one.

/// The absolute path of a path in this working directory; the directory itself for an empty path.
std::string whole_path(const std::string &path);

/// With a slash at its end, unless it is empty.
std::string with_slash(std::string folder);

/// The prefix that opens the paths below a root: the root's path, if that leads to its place from
/// here; else its place. Ends in a slash, or is empty.
std::string opened_front(const RootRow &root);

/// The places of the files of all roots.
class FilePlaces {
  public:
    explicit FilePlaces(const std::vector<RootRow> &roots);

    /// The prefix that opens a folder's files by their names.
    /// @param below  the folder's path below its root, as its row has it
    std::string folder(RowId root, std::string_view below) const;

    /// A file as it is opened from here.
    std::string path(Catalogue &catalogue, const FileRow &file) const;

    /// How many bytes of folder(root, below) lead to the root; 0 for files that were named.
    std::size_t front_bytes(RowId root) const;

  private:
    std::map<RowId, std::string> fronts_;
    RowId of_files_ = 0; ///< the root with an empty path
};

/// Whether a link on its way, or the file as a link, leads out of the image's root.
bool leaves_its_root(const LibraryImage &image);

/// Whether the file lies in the image's root, with the size and time that the library read.
bool shows_its_row(const LibraryImage &image);

/// Whether a file, at the path of the image, holds other bytes than the library read. Its bytes are
/// read where its size is the same, and a time is not. False for one that is not there.
bool is_replaced(const LibraryImage &image, const std::string &path);

} // namespace bowhist
