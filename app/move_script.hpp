#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/duplicates/duplicates.hpp>

#include <filesystem>

namespace bowhist::app {

/// Writes a shell script that moves copies that could go into a folder, each below its own path,
/// and FILE.undo, which moves them back. Run, both compare a file's size and bytes (POSIX cksum)
/// before they move it, the first its time, too; they skip what changed and overwrite nothing. A
/// copy is only moved while what it is held against is there.
///
/// Files that changed since the library read them are left out, with a warning.
/// @return copies that the script moves
/// @throws Error{Fault::output}
std::size_t write_move_script(const std::filesystem::path &script, const std::filesystem::path &to,
                              const Duplicates &found, Observer &observer);

/// A word of a shell's command line.
std::string shell_quoted(std::string_view word);

} // namespace bowhist::app
