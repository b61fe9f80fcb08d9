#pragma once

#include <stdexcept>
#include <string>

#include <sys/types.h>
#include <unistd.h>

namespace bowhist {

/// There is no process to decode in, or no memory to share with it: too many processes, open files,
/// a limit on files. what() says why, and what to do next.
struct WorkerUnavailable : std::runtime_error {
    explicit WorkerUnavailable(const std::string &why);
};

/// The process of bowhist-decode, which starts workers. Used by one thread at a time.
class DecodeServer {
  public:
    /// @throws Error{Fault::input}: not installed; WorkerUnavailable
    DecodeServer();
    /// Ends the process and its workers, those that still decode, too. Does nothing of that in a
    /// process that the owner forked.
    ~DecodeServer();
    DecodeServer(const DecodeServer &) = delete;
    DecodeServer &operator=(const DecodeServer &) = delete;

    /// Our end of a new worker's socket; the caller's to close, which ends the worker.
    /// @throws WorkerUnavailable
    int start_worker();

    bool is_gone(); ///< it ended, or another process ended it

  private:
    void end();

    int socket_;
    pid_t process_ = 0; ///< 0 when it is gone
    pid_t owner_ = getpid();
};

} // namespace bowhist
