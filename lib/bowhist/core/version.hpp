#pragma once

#include <string_view>

namespace bowhist {

/// The library's version, "major.minor.patch".
std::string_view version();

} // namespace bowhist
