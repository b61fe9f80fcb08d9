#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace bowhist {

/// The results of comparing an image with others (duplicates/kept_pairs.hpp).
struct ComparedImage {
    std::string image;      ///< a hash, 16 bytes
    std::size_t number = 0; ///< by which proposals name it
    std::string pixels;     ///< a hash of its pixels; empty where none is known
    std::string pairs;
    std::string proposals;
};

/// Calls `use` for each row that was kept under the same rule. Damaged rows are left out: what they
/// held is found out again.
/// @throws as Library
void read_compared(const std::filesystem::path &library, const std::string &rule,
                   const std::function<void(const ComparedImage &)> &use);

/// Replaces all rows.
/// @param wait_seconds  for another writer
/// @throws Error{Fault::output} where the library cannot be written
void keep_compared(const std::filesystem::path &library, const std::string &rule,
                   const std::vector<ComparedImage> &images, double wait_seconds);

} // namespace bowhist
