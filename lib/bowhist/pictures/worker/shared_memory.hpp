#pragma once

#include <cstddef>
#include <span>

namespace bowhist {

/// Memory that two processes share by a file descriptor. Its size is sealed: neither can take it
/// from under the other.
class SharedMemory {
  public:
    /// New memory, zeroed. @throws std::system_error
    explicit SharedMemory(std::size_t bytes);

    /// Opens memory that another process made; takes the descriptor over. @throws std::system_error
    SharedMemory(int descriptor, std::size_t bytes);
    ~SharedMemory();
    SharedMemory(const SharedMemory &) = delete;
    SharedMemory &operator=(const SharedMemory &) = delete;

    int descriptor() const { return descriptor_; }
    std::span<char> bytes() const { return bytes_; }

  private:
    int descriptor_;
    std::span<char> bytes_;
};

} // namespace bowhist
