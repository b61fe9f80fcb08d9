#pragma once

#include <bowhist/device/buffer.hpp>
#include <bowhist/device/pinned_memory.hpp>

#include <memory>
#include <span>

namespace bowhist {

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

} // namespace bowhist
