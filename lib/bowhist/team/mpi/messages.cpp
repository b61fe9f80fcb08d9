#include <bowhist/team/mpi/messages.hpp>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <functional>
#include <thread>
#include <utility>

namespace bowhist {

bool wait(MPI_Request &request, std::optional<std::chrono::seconds> at_most) {
    using namespace std::chrono_literals;
    // A start exchanges small sums, for which it waits some microseconds. One that is later has
    // lost its core to another program; to poll for it would use up this one's share of the cores.
    constexpr auto soon = 200us;
    const auto begin = std::chrono::steady_clock::now();
    while (true) {
        int is_done = 0;
        MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        if (is_done != 0) return true;
        const auto waited = std::chrono::steady_clock::now() - begin;
        if (at_most && waited > *at_most) return false;
        if (waited < soon)
            std::this_thread::yield();
        else
            std::this_thread::sleep_for(100us);
    }
}

void broadcast(MPI_Comm team, int root, std::string &bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    std::uint64_t size = bytes.size();
    MPI_Ibcast(&size, 1, MPI_UINT64_T, root, team, &request);
    wait(request);
    bytes.resize(size);
    for (std::size_t first = 0; first < bytes.size(); first += piece_bytes) {
        const std::size_t count = std::min(piece_bytes, bytes.size() - first);
        MPI_Ibcast(bytes.data() + first, static_cast<int>(count), MPI_BYTE, root, team, &request);
        wait(request);
    }
}

void send(MPI_Comm team, int to, std::string_view bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, 0, team, &request);
    wait(request);
}

std::string receive(MPI_Comm team, int from) {
    int is_there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status = {};
    for (int polls = 0; is_there == 0; ++polls) {
        MPI_Improbe(from, 0, team, &is_there, &message, &status);
        if (is_there == 0 && polls > 1000)
            std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    std::string bytes(static_cast<std::size_t>(count), '\0');
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Imrecv(bytes.data(), count, MPI_BYTE, &message, &request);
    wait(request);
    return bytes;
}

void join_meetings(void *some, void *all, int *count, MPI_Datatype * /*type*/) {
    for (int i = 0; i < *count; ++i) {
        const Meeting &one = static_cast<const Meeting *>(some)[i];
        Meeting &joined = static_cast<Meeting *>(all)[i];
        joined.lowest = std::max(joined.lowest, one.lowest);
        joined.works = std::max(joined.works, one.works);
        std::ranges::transform(joined.sums, one.sums, joined.sums.begin(), std::plus());
    }
}

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
