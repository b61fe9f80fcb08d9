#pragma once

#include <bowhist/duplicates/moves/move_script.hpp>

#include <filesystem>
#include <string>

namespace bowhist {

/// FILE.undo; empty for no file.
std::filesystem::path undo_of(const std::filesystem::path &script);

/// FILE.done, where a script notes which links it made; empty for no file.
std::filesystem::path record_of(const std::filesystem::path &script);

/// Scripts do not replace others: what these moved could not be undone any more.
/// @throws Error{Fault::usage} where a file of that name, or FILE.undo, is there
void require_new_script(const std::filesystem::path &script);

/// The root of a library that a folder is or lies in, and whose next index would list it; empty
/// without one. The folder need not be there.
std::string indexed_root_around(const std::filesystem::path &library,
                                const std::filesystem::path &folder);

/// The functions of a script that acts on copies. A line calls one for each copy:
///
///     keeps KEPT BYTES SECONDS CKSUM               what the copies below are copies of
///     move FROM TO BYTES SECONDS CKSUM [FROM ...]  a copy, and each of its sidecars
///
/// SECONDS are since 1970. For links TO is where the copy lies until the link is there, and the
/// number of the copy follows CKSUM. It is noted in the file $record, with $made, the time of the
/// script. For the trash `Path=` follows each CKSUM.
std::string script_functions(MoveAction action);

/// The functions of the script that takes it back:
///
///     move FROM TO BYTES - CKSUM [FROM ...]
///     own FILE ASIDE BYTES CKSUM MODE TIME KEPT NUMBER    makes a link a file of its own
std::string undo_functions(MoveAction action);

/// The last lines of both.
std::string_view script_end();

} // namespace bowhist
