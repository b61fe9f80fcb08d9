#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bowhist {

class InputFile;

/// Memory for bytes of files, none of which stay in the system's cache. They are read past it where
/// the file system can.
class FileRoom {
  public:
    /// @return the bytes from `position` on, until the next call
    /// @throws Error of the file's fault
    std::span<const std::byte> read(const InputFile &file, std::uint64_t position,
                                    std::size_t size);
    /// At least so many bytes, for the caller to fill; valid until the next call.
    std::span<std::byte> memory(std::size_t size);

    /// What a part of that size may take.
    static std::uint64_t bytes_for(std::uint64_t size) { return size + 2 * sizeof(Block); }

  private:
    struct alignas(4096) Block {
        std::byte bytes[4096];
    };
    std::vector<Block> blocks_;
};

} // namespace bowhist
