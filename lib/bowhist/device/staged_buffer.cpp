#include <bowhist/device/checked.hpp>
#include <bowhist/device/session.hpp>
#include <bowhist/device/staged_buffer.hpp>

#include <utility>

namespace bowhist {

StagedBuffer::StagedBuffer(std::shared_ptr<Session> session, Buffer<cl_uchar> buffer)
    : session_(std::move(session)), buffer_(std::move(buffer)) {
    checked(session_->info(), [&] {
        queue_ = cl::CommandQueue(session_->context(), session_->device());
        memory_ =
            std::make_unique<PinnedMemory>(session_->context(), session_->device(), buffer_.size);
    });
}

StagedBuffer::~StagedBuffer() {
    clFinish(queue_()); // a destructor cannot report errors
}

std::span<cl_uchar> StagedBuffer::memory() const {
    return {reinterpret_cast<cl_uchar *>(memory_->bytes().data()), buffer_.size};
}

void StagedBuffer::send(std::size_t bytes) {
    checked_memory(session_->info(), [&] {
        queue_.enqueueWriteBuffer(buffer_.memory, CL_FALSE, 0, bytes, memory_->bytes().data(),
                                  nullptr, &arrival_);
        queue_.flush();
    });
}

} // namespace bowhist
