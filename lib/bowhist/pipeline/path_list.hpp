#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

/// A path in a list.
struct ListedPath {
    std::string path;
    std::string_view fault = {}; ///< why it stands for no file; empty where it may
};

/// The paths of a list, as --files-from names one.
///
/// A path is bytes, and ends with a line break, or with NUL if the list is NUL-separated. Empty
/// ones are left out. Lists of Windows and old Macs are read, too: UTF-16 and UTF-32 become UTF-8;
/// a byte order mark in front of a path and the CR of a CRLF are no part of it; a list without any
/// LF is separated by CR. A file whose name really has such bytes is taken where it exists and no
/// file has the name without them; where both exist, the path is a fault.
class PathList {
  public:
    /// @param text the whole list
    /// @throws Error{Fault::usage} if it is to be NUL-separated and is UTF-16 or UTF-32
    /// @param name of the list, for that error
    PathList(std::string text, bool null_separated, const std::string &name);

    /// The next path; nothing at the end.
    std::optional<ListedPath> next();

  private:
    ListedPath as_meant(const std::string &given) const;
    bool is_text() const { return separator_ != '\0'; }

    std::string text_;
    std::string_view fault_of_nul_ = "no file's name holds a NUL byte; a list that is separated by "
                                     "NUL needs -0, any other is best saved as UTF-8";
    char separator_;
    std::size_t at_ = 0;
};

} // namespace bowhist
