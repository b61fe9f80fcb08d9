#include <bowhist/device/checked.hpp>
#include <bowhist/device/session.hpp>
#include <bowhist/device/staged_buffer.hpp>

#include <utility>

namespace bowhist {

StagedBuffer::StagedBuffer(std::shared_ptr<Session> session, Buffer<cl_uchar> buffer)
    : session_(std::move(session)), buffer_(std::move(buffer)) {
    checked(session_->info(),
            [&] { queue_ = cl::CommandQueue(session_->context(), session_->device()); });
    try {
        pinned_ =
            cl::Buffer(session_->context(), CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, buffer_.size);
        memory_ = static_cast<cl_uchar *>(
            queue_.enqueueMapBuffer(pinned_, CL_TRUE, CL_MAP_WRITE, 0, buffer_.size));
    } catch (const cl::Error &) {
        pageable_.resize(buffer_.size);
        memory_ = pageable_.data();
    }
}

StagedBuffer::~StagedBuffer() {
    // A destructor cannot report errors.
    if (pageable_.empty())
        clEnqueueUnmapMemObject(queue_(), pinned_(), memory_, 0, nullptr, nullptr);
    clFinish(queue_());
}

void StagedBuffer::send(std::size_t bytes) {
    checked_memory(session_->info(), [&] {
        queue_.enqueueWriteBuffer(buffer_.memory, CL_FALSE, 0, bytes, memory_, nullptr, &arrival_);
        queue_.flush();
    });
}

} // namespace bowhist
