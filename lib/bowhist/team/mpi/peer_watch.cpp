#include <bowhist/team/mpi/peer_watch.hpp>

#include <csignal>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace bowhist {
namespace {

/// A descriptor that is readable once the process has ended; -1 where it cannot be had. (glibc 2.36
/// declares its function as C++'s.)
int pid_file(pid_t process) {
    return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

/// Signals are for the other threads.
void block_signals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

void watch(std::vector<pollfd> files, const std::vector<std::size_t> &peers,
           const std::function<void(std::size_t)> &gone) {
    block_signals();
    while (poll(files.data(), files.size(), -1) < 0) {
        // interrupted
    }
    if (files.front().revents == 0)
        for (std::size_t i = 1; i < files.size(); ++i)
            if (files[i].revents != 0) gone(peers[i - 1]);
    for (std::size_t i = 1; i < files.size(); ++i) close(files[i].fd);
}

} // namespace

PeerWatch::PeerWatch(const std::vector<pid_t> &peers, std::function<void(std::size_t peer)> gone)
    : stop_(eventfd(0, EFD_CLOEXEC)) {
    std::vector<pollfd> files{{stop_, POLLIN, 0}};
    std::vector<std::size_t> watched;
    for (std::size_t peer = 0; peer < peers.size(); ++peer) {
        const int file = peers[peer] > 0 ? pid_file(peers[peer]) : -1;
        if (file < 0) continue; // an old system, or a container that hides it
        files.push_back({file, POLLIN, 0});
        watched.push_back(peer);
    }
    thread_ = std::jthread([files = std::move(files), watched = std::move(watched),
                            gone = std::move(gone)] { watch(files, watched, gone); });
}

PeerWatch::~PeerWatch() {
    eventfd_write(stop_, 1);
    thread_.join();
    close(stop_);
}

} // namespace bowhist
