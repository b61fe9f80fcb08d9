#pragma once

#include <bowhist/device/buffer.hpp>
#include <bowhist/device/opencl.hpp>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace bowhist {

/// Memory of the host that a device reads and writes several times faster than a program's own, and
/// while the caller or the device works at something else. Other memory serves if none can be had.
/// No device may still read or write it when it is destroyed: the work of other queues is not
/// waited for. Any thread may use its bytes.
class PinnedMemory {
  public:
    /// @throws cl::Error where the device has no queue to map it by
    PinnedMemory(const cl::Context &context, const cl::Device &device, std::size_t bytes);
    ~PinnedMemory();
    PinnedMemory(const PinnedMemory &) = delete;
    PinnedMemory &operator=(const PinnedMemory &) = delete;

    std::span<std::byte> bytes() const { return {memory_, size_}; }
    bool is_pinned() const { return pageable_.empty(); }

  private:
    cl::CommandQueue queue_;
    cl::Buffer pinned_;
    std::vector<std::byte> pageable_;
    std::byte *memory_ = nullptr; ///< of pinned_, mapped as long as it lives; or of pageable_
    std::size_t size_;
};

class Session;

/// Bytes on a device, and pinned memory of the host from which they go up while the device works at
/// something else. Made by Device::staged; no two threads call it at a time.
/// @throws Error{Fault::device}, OutOfMemory
class StagedBuffer {
  public:
    /// @param buffer  of the session
    StagedBuffer(std::shared_ptr<Session> session, Buffer<cl_uchar> buffer);
    ~StagedBuffer();
    StagedBuffer(const StagedBuffer &) = delete;
    StagedBuffer &operator=(const StagedBuffer &) = delete;

    /// To be written by any thread until send(), and again when what was sent is used up.
    std::span<cl_uchar> memory() const;

    /// Sends that many bytes, on a queue of its own; returns at once.
    void send(std::size_t bytes);

    const Buffer<cl_uchar> &buffer() const { return buffer_; }
    /// Signals that what was sent last is there.
    const cl::Event &arrival() const { return arrival_; }

  private:
    std::shared_ptr<Session> session_;
    Buffer<cl_uchar> buffer_;
    std::unique_ptr<PinnedMemory> memory_;
    cl::CommandQueue queue_;
    cl::Event arrival_;
};

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
