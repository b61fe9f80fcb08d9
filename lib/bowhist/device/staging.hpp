#pragma once

#include <bowhist/device/opencl.hpp>
#include <bowhist/device/pinned_memory.hpp>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace bowhist {

/// Uploads on a queue of their own, through pinned memory of the host.
///
/// A device reads pinned memory several times faster than a program's own, and while kernels run.
/// Threads copy a piece there each and send it off. They begin with the next upload before all of
/// them have ended the last one. For one caller at a time. Its calls throw cl::Error.
class Staging {
  public:
    Staging(const cl::Context &context, const cl::Device &device);
    ~Staging();
    Staging(const Staging &) = delete;
    Staging &operator=(const Staging &) = delete;

    struct Upload; ///< that start() began
    /// To that byte of the buffer. Returns at once: `from` stays as it is until finish().
    std::shared_ptr<Upload> start(const cl::Buffer &to, std::size_t offset, const void *from,
                                  std::size_t bytes);
    /// Waits until all is copied. @return signals that it has arrived; null where it was nothing
    cl::Event finish(const Upload &upload);

  private:
    struct Piece {
        std::byte *memory = nullptr;
        cl::Event sent; ///< null: nothing was
    };
    struct Task {
        std::shared_ptr<Upload> upload;
        std::size_t number; ///< of its piece
    };
    void serve(Piece *pieces);
    void send(const Task &task, Piece &piece);

    PinnedMemory memory_; ///< of all pieces
    cl::CommandQueue queue_;
    std::vector<Piece> pieces_;
    std::mutex sending_; ///< held to queue a piece and to note that it is the last one
    std::mutex mutex_;   ///< of those below, and of what uploads say of themselves
    std::condition_variable changed_;
    std::deque<Task> tasks_;
    bool ends_ = false;
    std::vector<std::thread> threads_;
};

} // namespace bowhist
