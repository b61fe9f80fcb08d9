#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bowhist {

/// A file that describes a picture: IMG.xmp, IMG.jpg.xmp, IMG.aae, IMG.jpg.json.
struct Sidecar {
    std::filesystem::path file;
    std::vector<std::filesystem::path> others; ///< further pictures, raw ones too, that it may
                                               ///< describe as well
};

/// The files that belong to a picture and lie in its folder. Names are compared without case.
struct Companions {
    std::vector<Sidecar> sidecars;
    std::vector<std::filesystem::path> originals; ///< raw files and videos of the picture's stem

    bool empty() const { return sidecars.empty() && originals.empty(); }
};

/// Finds companions. Reads each folder once, so it does not see what changes there later. One
/// thread at a time.
class CompanionFiles {
  public:
    /// The companions of a picture, each in the order of their names; none if its folder cannot be
    /// read.
    Companions of(const std::filesystem::path &picture);

  private:
    /// The names of a folder's files by their stems in lower case: "img" for "IMG.xmp", "img.jpg"
    /// for "IMG.jpg.xmp".
    using Names = std::multimap<std::string, std::string>;
    const Names &names_in(const std::filesystem::path &folder);

    std::map<std::filesystem::path, Names> folders_;
};

/// Whether a picture has companions. A caller with many pictures keeps a CompanionFiles.
bool has_companions(const std::filesystem::path &picture);

/// A file of a folder that has the bytes of `file` and is not the same file.
/// @param may_be_used  whether a candidate counts
std::optional<std::filesystem::path>
find_twin(const std::filesystem::path &file, const std::filesystem::path &folder,
          const std::function<bool(const std::filesystem::path &)> &may_be_used);

} // namespace bowhist
