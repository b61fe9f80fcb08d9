#pragma once

#include <functional>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace bowhist {

/// Watches other processes of this machine, on a thread of its own, until one ends.
class PeerWatch {
  public:
    /// @param peers  processes; 0 for those that are not watched
    /// @param gone  called once with the place of one that has ended; does not return
    PeerWatch(const std::vector<pid_t> &peers, std::function<void(std::size_t peer)> gone);
    /// Ends the watch.
    ~PeerWatch();
    PeerWatch(const PeerWatch &) = delete;
    PeerWatch &operator=(const PeerWatch &) = delete;

  private:
    int stop_;
    std::jthread thread_;
};

} // namespace bowhist
