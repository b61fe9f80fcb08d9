#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/duplicates/duplicates.hpp>

#include <filesystem>

namespace bowhist::app {

/// Writes a shell script that moves copies that could go into a folder, each below its own path,
/// and FILE.undo, which moves them back. Run, both compare a file's size and bytes (POSIX cksum)
/// before they move it, the first its time, too; they skip what changed and overwrite nothing. A
/// copy is only moved while the best of its group is there, with its size and time, and another
/// file.
///
/// Files that changed since the library read them are left out, with a warning.
/// @return copies that the script moves
/// @throws Error{Fault::output}
std::size_t write_move_script(const std::filesystem::path &script, const std::filesystem::path &to,
                              const Duplicates &found, Observer &observer);

/// FILE.undo; empty for no file.
std::filesystem::path undo_of(const std::filesystem::path &script);

/// Scripts do not replace others: what these moved could not be undone any more.
/// @throws Error{Fault::usage} where a file of that name, or FILE.undo, is there
void require_new_script(const std::filesystem::path &script);

/// A word of a shell's command line.
std::string shell_quoted(std::string_view word);

} // namespace bowhist::app
