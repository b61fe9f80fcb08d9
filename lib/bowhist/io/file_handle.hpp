#pragma once

#include <bowhist/core/release.hpp>

#include <cstdio>
#include <memory>

namespace bowhist {

/// A file of the C library that closes itself.
using FileHandle = std::unique_ptr<std::FILE, Release<std::fclose>>;

} // namespace bowhist
