#pragma once

#include <filesystem>
#include <string_view>

namespace bowhist {

/// A file of libexec/bowhist that was built or installed with this library: beside the library's
/// folder, or one or two above it.
/// @throws Error{Fault::input} that names it when it is nowhere
std::filesystem::path installed_helper(std::string_view name);

} // namespace bowhist
