#pragma once

#include <bowhist/core/large_memory.hpp>

#include <cstdio>
#include <memory>

namespace bowhist {

/// A file of the C library that closes itself.
using FileHandle = std::unique_ptr<std::FILE, Release<std::fclose>>;

} // namespace bowhist
