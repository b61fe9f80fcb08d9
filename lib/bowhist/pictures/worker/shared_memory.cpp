#include <bowhist/pictures/worker/shared_memory.hpp>

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace bowhist {

namespace {

[[noreturn]] void fail(int descriptor) {
    const int reason = errno;
    close(descriptor);
    throw std::system_error(reason, std::generic_category());
}

int make_sealed(std::size_t bytes) {
    const int descriptor = memfd_create("bowhist picture", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) throw std::system_error(errno, std::generic_category());
    const bool is_sized = ftruncate(descriptor, static_cast<off_t>(bytes)) == 0 &&
                          fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0;
    if (!is_sized) fail(descriptor);
    return descriptor;
}

} // namespace

SharedMemory::SharedMemory(std::size_t bytes) : SharedMemory(make_sealed(bytes), bytes) {}

SharedMemory::SharedMemory(int descriptor, std::size_t bytes) : descriptor_(descriptor) {
    void *mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) fail(descriptor);
    bytes_ = {static_cast<char *>(mapped), bytes};
}

SharedMemory::~SharedMemory() {
    munmap(bytes_.data(), bytes_.size());
    close(descriptor_);
}

} // namespace bowhist
