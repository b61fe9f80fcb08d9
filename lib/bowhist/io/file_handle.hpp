#pragma once

#include <cstdio>
#include <memory>

namespace bowhist {

struct CloseFile {
    // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): this is the owner
    void operator()(std::FILE *file) const { std::fclose(file); }
};

/// A file of the C library that closes itself.
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

} // namespace bowhist
