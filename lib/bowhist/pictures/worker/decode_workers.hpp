#pragma once

#include <bowhist/pictures/worker/decode_server.hpp>
#include <bowhist/pictures/worker/decode_worker.hpp>

#include <memory>
#include <mutex>
#include <vector>

namespace bowhist {

/// The processes that decode for the threads of this one: as many as threads decode at a time,
/// each started on first need, and used until it fails. Safe to call from many threads.
class DecodeWorkers {
  public:
    /// As DecodeWorker::decode, but a death is an Error{Fault::input} like any damage. Where a
    /// worker fails that decoded other images before, a new one tries this image again: it may
    /// not be the one to blame. @throws WorkerUnavailable
    DecodedImage decode(const EncodedImage &file, Color color, int side, const DecodeBounds &bounds,
                        const Observer *observer);

    void end(); ///< all processes; the next image starts them anew

  private:
    struct Worker {
        std::shared_ptr<DecodeServer> server; ///< its own: another one may have come since
        std::unique_ptr<DecodeWorker> process;
    };
    Worker take();
    Worker start();
    bool is_gone(DecodeServer &server);
    void keep(Worker worker);

    std::mutex mutex_; ///< guards all below; workers that are not idle belong to their threads
    std::shared_ptr<DecodeServer> server_; ///< the newest
    std::vector<Worker> idle_;             ///< leave before the server does
    pid_t owner_ = getpid();               ///< what it forks starts its own
};

} // namespace bowhist
