#pragma once

#include <filesystem>

namespace bowhist {

/// bowhist's folder in the user's cache: in $XDG_CACHE_HOME, else in ~/.cache; empty without
/// either.
std::filesystem::path user_cache_folder();

} // namespace bowhist
