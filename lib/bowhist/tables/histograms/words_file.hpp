#pragma once

#include <bowhist/io/atomic_file.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace bowhist {

/// Words as a one-dimensional `.npy` of int32, written as they come; the length is filled in at
/// the end. For an empty path they are held in memory until then, and go to standard output.
///
/// Protocol: write*, then finish. @throws Error{Fault::output}
class WordsFile {
  public:
    explicit WordsFile(const std::filesystem::path &path);
    void write(std::span<const std::int32_t> words);
    void finish();

  private:
    AtomicFile file_;
    bool held_back_;
    std::vector<std::int32_t> held_;
    std::size_t count_ = 0;
};

} // namespace bowhist
