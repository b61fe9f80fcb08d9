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
    hardlink, ///< replaced by a hard link to the best of its group
    symlink,  ///< replaced by a symbolic link to it
    reflink   ///< replaced by a copy that shares its blocks
};

struct MoveScriptRequest {
    std::filesystem::path script;
    MoveAction action = MoveAction::move;
    std::filesystem::path to = {}; ///< of `move` alone
};

/// Writes a POSIX shell script that acts on the copies that could go, and FILE.undo, which takes
/// that back. Run, the script holds size, time and POSIX cksum of each file against what they are
/// now. It skips what changed, and overwrites nothing. After each move it looks whether the best of
/// the group is still there and still the same file. If not, it takes the move back and stops.
///
/// Sidecars of a copy move with it, unless another picture that they may describe stays
/// (companions.hpp). A copy with a raw file or a video as companion only moves while that file's
/// twin is there. Links replace only copies with the bytes of the best.
///
/// Files that changed since the library read them are left out, with a warning.
/// REQUIRES: `found` is what on_disk() returned
/// @return copies that the script acts on
/// @throws Error{Fault::output}; Error{Fault::usage} as Trash; Error{Fault::interrupted}
std::size_t write_move_script(const MoveScriptRequest &request, const Duplicates &found,
                              Observer &observer);

/// FILE.undo; empty for no file.
std::filesystem::path undo_of(const std::filesystem::path &script);

/// Scripts do not replace others: what these moved could not be undone any more.
/// @throws Error{Fault::usage} where a file of that name, or FILE.undo, is there
void require_new_script(const std::filesystem::path &script);

/// The root of a library that a folder is or lies in, and whose next index would list it; empty
/// without one. The folder need not be there.
std::string indexed_root_around(const std::filesystem::path &library,
                                const std::filesystem::path &folder);

/// A word of a shell's command line.
std::string shell_quoted(std::string_view word);

} // namespace bowhist
