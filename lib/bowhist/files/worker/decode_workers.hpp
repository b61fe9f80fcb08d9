#pragma once

#include <bowhist/files/worker/decode_worker.hpp>

#include <memory>
#include <mutex>
#include <vector>

namespace bowhist {

/// The processes that decode for the threads of this one: as many as threads decode at a time,
/// each started when it is first needed.
class DecodeWorkers {
  public:
    /// As DecodeWorker::decode, but a death is an Error{Fault::input} like any damage. Where a
    /// worker dies that decoded other pictures before, a new one tries this picture again: it may
    /// not be the one to blame. @throws DecodeWorker::Unavailable
    DecodedPicture decode(const EncodedPicture &file, Colour colour, int side,
                          const DecodeBounds &bounds, const Observer *observer);

  private:
    std::unique_ptr<DecodeWorker> take();

    std::mutex mutex_;
    std::vector<std::unique_ptr<DecodeWorker>> idle_;
};

} // namespace bowhist
