#pragma once

#include <filesystem>
#include <string_view>

namespace bowhist {

/// A file of libexec/bowhist that was built or installed with this library: beside the library's
/// folder, or one or two above it.
/// @throws Error{Fault::input} that names it when it is nowhere
std::filesystem::path installed_helper(std::string_view name);

/// What a shared library of libexec/bowhist holds under that symbol, which is its only one. Loads
/// the library with its dependencies, and never closes it: these have threads and exit handlers of
/// their own. Safe to call from many threads.
///
/// Where a dependency is OpenBLAS, loading it starts a thread for each core, unless the environment
/// has OPENBLAS_NUM_THREADS=1 by then, as the program and bowhist-decode have it.
/// @throws Error{Fault::input} that names the library when it is not there, or cannot be loaded
const void *symbol_of_module(std::string_view name, const char *symbol);

} // namespace bowhist
