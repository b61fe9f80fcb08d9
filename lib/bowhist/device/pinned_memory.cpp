#include <bowhist/device/pinned_memory.hpp>

#include <algorithm>

namespace bowhist {

PinnedMemory::PinnedMemory(const cl::Context &context, const cl::Device &device, std::size_t bytes)
    : queue_(context, device), size_(std::max<std::size_t>(bytes, 1)) {
    try {
        pinned_ = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size_);
        memory_ = static_cast<std::byte *>(
            queue_.enqueueMapBuffer(pinned_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size_));
    } catch (const cl::Error &) {
        pageable_.resize(size_);
        memory_ = pageable_.data();
    }
}

PinnedMemory::~PinnedMemory() {
    // A destructor cannot report errors.
    if (is_pinned()) clEnqueueUnmapMemObject(queue_(), pinned_(), memory_, 0, nullptr, nullptr);
    clFinish(queue_());
}

} // namespace bowhist
