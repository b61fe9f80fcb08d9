#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/duplicates/companions.hpp>
#include <bowhist/duplicates/duplicates.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

/// Limits to the copies that are listed.
struct ListedCopies {
    std::set<std::string, std::less<>> kinds = {}; ///< names of kinds: only images all of whose
                                                   ///< kinds are among them; empty: all images
    int least_side = 0; ///< pixels: only images whose shorter side has as many
};

/// The names that Kinds::text() joins, and "reencoded".
const std::vector<std::string_view> &kind_names();

/// Leaves out copies that are not listed. A group needs its best and one more.
Duplicates listed(Duplicates found, const ListedCopies &wanted);

/// How a file is held against what the library read.
enum class FileLook {
    listing,      ///< its size and time
    bytes_of_kept ///< of files that stay for others also the bytes: one read a group, mostly
};

/// Leaves out what today's disk does not show. A group loses files that are not there, or not any
/// more what the library read; files that are the same as another one of the group; images that
/// were held against one that is left out. Another file with the bytes of the best takes its place
/// if the best is not there. The group is left out if there is no such file, since nothing of it
/// was held against what remains.
///
/// Then something stays for each copy that could go (kept_for()). A copy with a raw file or a video
/// as companion is kept, unless another file with the bytes of that companion lies in the folder of
/// what stays.
///
/// The observer gets one line that says how many files are left out, and one that says how many
/// copies are kept for their companions.
/// @throws Error{Fault::interrupted} as the observer wants it
Duplicates on_disk(Duplicates found, FileLook look, Observer &observer);

/// For each raw file or video of a copy, the file with the same bytes beside what stays for
/// the copy.
struct Twin {
    std::filesystem::path companion, twin;
};

/// Finds them.
class Twins {
  public:
    /// A file that could go is no twin.
    explicit Twins(const Duplicates &found);

    /// @return whether each companion has a twin
    bool find(const Companions &of_copy, const LibraryImage &kept, std::vector<Twin> &twins) const;

  private:
    std::set<std::filesystem::path> spare_;
};

} // namespace bowhist
