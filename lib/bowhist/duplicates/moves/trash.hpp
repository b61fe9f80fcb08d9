#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace bowhist {

/// A file's place in the user's trash.
struct TrashPlace {
    std::filesystem::path file; ///< TRASH/files/NAME; its record is TRASH/info/NAME.trashinfo
    std::string was;            ///< its old path as the record's `Path=` has it, percent-encoded
};

/// Chooses places by the trash specification 1.0 of freedesktop.org: $XDG_DATA_HOME/Trash, or
/// ~/.local/share/Trash, for files of that file system. Others go to .Trash/UID or .Trash-UID in
/// the top folder of theirs. The home's trash takes the files of a file system whose top folder
/// cannot be written. Nothing is made on the disk.
class Trash {
  public:
    Trash();

    /// A place whose name neither the trash nor an earlier call has.
    /// @throws Error{Fault::usage} if there is no home folder, and no top folder that can be
    ///         written
    TrashPlace place_for(const std::filesystem::path &file);

  private:
    std::filesystem::path home_;            ///< its trash; empty without a home folder
    std::set<std::filesystem::path> taken_; ///< by earlier calls
};

} // namespace bowhist
