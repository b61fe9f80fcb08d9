#pragma once

#include <bowhist/device/opencl.hpp>
#include <bowhist/device/pinned_memory.hpp>

#include <tbb/concurrent_queue.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <vector>

namespace bowhist {

/// Uploads on a queue of their own, through pinned memory of the host.
///
/// A device reads pinned memory several times faster than a program's own, and while kernels run.
/// Each core copies a piece there and sends it off while the others copy theirs. Not thread-safe.
/// Its calls throw cl::Error.
class Staging {
  public:
    Staging(const cl::Context &context, const cl::Device &device);
    ~Staging();
    Staging(const Staging &) = delete;
    Staging &operator=(const Staging &) = delete;

    /// To that byte of the buffer. Returns when all of `from` is copied; the event signals that it
    /// has arrived.
    cl::Event upload(const cl::Buffer &to, std::size_t offset, const void *from, std::size_t bytes);

  private:
    struct Piece {
        std::byte *memory = nullptr;
        cl::Event sent; ///< null: nothing was
    };
    PinnedMemory memory_; ///< of all pieces
    cl::CommandQueue queue_;
    std::vector<Piece> pieces_;
    tbb::task_arena threads_; ///< that copy; those that wait here take up no other task
    tbb::concurrent_bounded_queue<Piece *> free_; ///< or on their way, the first sent first
};

} // namespace bowhist
