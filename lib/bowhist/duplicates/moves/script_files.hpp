#pragma once

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

} // namespace bowhist
