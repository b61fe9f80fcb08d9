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
/// @throws Error{Fault::device} when a file is nowhere.
std::string kernel_source(const std::string &file, const std::filesystem::path &kernel_dir = {});

/// Writes every embedded kernel into a folder, to read and edit. @throws Error{Fault::output}
void dump_kernels(const std::filesystem::path &folder);

} // namespace bowhist
