#include <bowhist/library/kept_file.hpp>

#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace bowhist {
namespace {

using Key = std::tuple<std::uint64_t, std::uint64_t, int>; ///< device, inode, flags

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

void KeptFile::close() {
    ::close(descriptor_);
    descriptor_ = -1;
}

} // namespace bowhist
