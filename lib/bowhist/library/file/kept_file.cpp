#include <bowhist/library/file/kept_file.hpp>

#include <cerrno>
#include <map>
#include <mutex>
#include <system_error>
#include <tuple>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bowhist {
namespace {

using Key = std::tuple<std::uint64_t, std::uint64_t, int>; ///< device, inode, flags

/// A removed file takes room on the disk while it is open, and its locks keep no process out.
bool close_if_removed(int descriptor) {
    struct stat file {};
    if (::fstat(descriptor, &file) != 0 || file.st_nlink > 0) return false;
    ::close(descriptor);
    return true;
}

/// Descriptors that are not in use. They keep their files, so no other gets the same number.
struct Pool {
    std::mutex mutex;
    std::map<Key, std::vector<int>> free;

    int take(const Key &key) {
        const std::lock_guard lock(mutex);
        const auto found = free.find(key);
        if (found == free.end() || found->second.empty()) return -1;
        const int descriptor = found->second.back();
        found->second.pop_back();
        return descriptor;
    }
    void give(const Key &key, int descriptor) {
        const std::lock_guard lock(mutex);
        free[key].push_back(descriptor);
        for (auto &[file, descriptors] : free) std::erase_if(descriptors, close_if_removed);
    }
};

/// Never destroyed: threads may still use it when the process ends.
Pool &pool() {
    static Pool &pool = *new Pool; // NOLINT(cppcoreguidelines-owning-memory)
    return pool;
}

} // namespace

KeptFile::KeptFile(const std::filesystem::path &path, int flags) : descriptor_(-1), flags_(flags) {
    struct stat file {};
    if (::stat(path.c_str(), &file) == 0)
        descriptor_ = pool().take({file.st_dev, file.st_ino, flags});
    if (descriptor_ < 0) descriptor_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    if (descriptor_ < 0 || ::fstat(descriptor_, &file) != 0) return;
    device_ = file.st_dev;
    inode_ = file.st_ino;
}

KeptFile::~KeptFile() {
    if (descriptor_ >= 0) pool().give({device_, inode_, flags_}, descriptor_);
}

std::string KeptFile::fault_of_locks() const {
    constexpr off_t unused = 0x40000400; // of the page that SQLite leaves to its locks
    struct flock byte {};
    byte.l_type = F_RDLCK;
    byte.l_whence = SEEK_SET;
    byte.l_start = unused;
    byte.l_len = 1;
    if (descriptor_ < 0) return {};
    const bool is_refused = ::fcntl(descriptor_, F_SETLK, &byte) != 0;
    if (is_refused && errno != EACCES && errno != EAGAIN && errno != EINTR)
        return std::generic_category().message(errno);
    byte.l_type = F_UNLCK;
    ::fcntl(descriptor_, F_SETLK, &byte);
    return {};
}

void KeptFile::close() {
    ::close(descriptor_);
    descriptor_ = -1;
}

} // namespace bowhist
