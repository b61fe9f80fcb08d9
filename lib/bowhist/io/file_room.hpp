#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace bowhist {

class InputFile;

/// Memory for bytes of files, which do not stay in the system's cache. They are read past it where
/// the file system can. One thread at a time.
class FileRoom {
  public:
    /// @param large_pages  for a room that is filled again and again: a disk fills a few large
    /// pages
    ///                     twice as fast as a thousand small ones
    explicit FileRoom(bool large_pages = false) : memory_(nullptr, {large_pages}) {}

    /// @return the bytes from `position` on, until the next call
    /// @throws Error of the file's fault
    std::span<const std::byte> read(const InputFile &file, std::uint64_t position,
                                    std::size_t size);
    /// Memory for the caller to fill; valid until the next call.
    std::span<std::byte> memory(std::size_t size);

    /// Upper bound on the memory for a part of that size.
    static std::uint64_t bytes_for(std::uint64_t size);

  private:
    struct Free {
        bool large_pages;
        void operator()(std::byte *memory) const;
    };
    std::unique_ptr<std::byte, Free> memory_;
    std::size_t size_ = 0;
};

} // namespace bowhist
