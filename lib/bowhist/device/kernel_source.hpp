#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace bowhist {

/// The kernels of cl/ as they were when the library was built, by file name.
const std::map<std::string, std::string_view> &embedded_kernels();

/// The text of `file` ready to compile: each `#include "other.cl"` is replaced by that file, once,
/// and `#line` keeps the compiler's messages at the files' own lines.
///
/// Files in `kernel_dir` stand in for the embedded ones of the same name.
/// @throws Error{Fault::device} when a file is nowhere, or is in `kernel_dir` and cannot be read,
/// or is a header there and differs from the library's.
std::string kernel_source(const std::string &file, const std::filesystem::path &kernel_dir = {});

/// A folder without any of the kernels' files is a mistyped one: nothing of it would be used.
/// An empty path means the embedded kernels. @throws Error{Fault::usage}
void check_kernel_dir(const std::filesystem::path &kernel_dir);

/// Writes every embedded kernel into a folder, to read and edit; the folder is made if need be.
/// A file that is there and differs may be a user's work: then nothing is written. Each file
/// appears whole or not at all. @throws Error{Fault::output}
void dump_kernels(const std::filesystem::path &folder);

} // namespace bowhist
