#pragma once

#include <filesystem>
#include <string_view>

namespace bowhist {

/// A file of libexec/bowhist that was built or installed with this library: in the library's
/// folder, or one or two above it.
/// @throws Error{Fault::input} that names the file when it is in none of these
std::filesystem::path installed_helper(std::string_view name);

/// The only symbol of a shared library of libexec/bowhist. Loads the library with its dependencies,
/// and never closes it: they have threads and exit handlers of their own. Many threads may call it.
///
/// Loading a library that depends on OpenBLAS starts a thread for each core, unless the environment
/// has OPENBLAS_NUM_THREADS=1 by then, as the program and bowhist-decode have it.
/// @throws Error{Fault::input} that names the library when it is not there, or cannot be loaded
const void *symbol_of_module(std::string_view name, const char *symbol);

} // namespace bowhist
