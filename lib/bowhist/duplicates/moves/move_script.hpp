#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/duplicates/duplicates.hpp>

#include <cstddef>
#include <filesystem>
#include <string>

namespace bowhist {

/// The ways a script treats a copy that could go.
enum class MoveAction {
    move,     ///< into a folder, below its own path
    trash,    ///< into the user's trash (trash.hpp)
    hardlink, ///< replaced by a hard link to what stays for it
    symlink,  ///< replaced by a symbolic link to that
    reflink   ///< replaced by a copy that shares its blocks
};

struct MoveScriptRequest {
    std::filesystem::path script;
    MoveAction action = MoveAction::move;
    std::filesystem::path to = {}; ///< of `move` alone
};

/// Writes a POSIX shell script that acts on the copies that could go, and FILE.undo, which takes
/// that back. Run, the script holds size, time and POSIX cksum of each file against what they are
/// now. It skips what changed, and overwrites nothing. After each move it looks whether the file
/// that stays for the copy (kept_for()) is still there and still the same. If not, it takes the
/// move back and stops.
///
/// Sidecars of a copy move with it, unless another picture that they may describe stays
/// (companions.hpp). A copy with a raw file or a video as companion only moves while that file's
/// twin is there. Links replace only copies with the bytes of what stays for them. The script notes
/// each link in FILE.done, and the undo only touches what is noted there.
///
/// Files that changed since the library read them are left out, with a warning.
/// REQUIRES: `found` is what on_disk() returned
/// @return copies that the script acts on
/// @throws Error{Fault::output}; Error{Fault::usage} as Trash; Error{Fault::interrupted}
std::size_t write_move_script(const MoveScriptRequest &request, const Duplicates &found,
                              Observer &observer);

/// A word of a shell's command line.
std::string shell_quoted(std::string_view word);

} // namespace bowhist
