#include <bowhist/pictures/worker/decode_workers.hpp>

#include <bowhist/core/error.hpp>

#include <new>
#include <utility>

namespace bowhist {

DecodedImage DecodeWorkers::decode(const EncodedImage &file, Color color, int side,
                                   const DecodeBounds &bounds, const Observer *observer) {
    constexpr int most_tries = 3; // another process may end the server, too
    Worker worker = take();
    for (int tries = 1;; ++tries, worker = start()) {
        const bool was_fresh = worker.process->is_fresh();
        try {
            DecodedImage image = worker.process->decode(file, color, side, bounds, observer);
            keep(std::move(worker));
            return image;
        } catch (const DecodeWorker::Died &death) {
            const bool is_to_blame = was_fresh && !is_gone(*worker.server);
            if (is_to_blame || tries == most_tries) throw Error(Fault::input, death.what());
        } catch (const DecodeWorker::Refused &) {
            if (was_fresh || tries == most_tries) throw;
        } catch (const std::bad_alloc &) {
            if (was_fresh || tries == most_tries) throw;
        }
    }
}

void DecodeWorkers::end() {
    const std::lock_guard lock(mutex_);
    idle_.clear();
    server_.reset();
}

DecodeWorkers::Worker DecodeWorkers::take() {
    {
        const std::lock_guard lock(mutex_);
        if (owner_ != getpid()) {
            idle_.clear();
            server_.reset();
            owner_ = getpid();
        }
        if (!idle_.empty()) {
            Worker last = std::move(idle_.back());
            idle_.pop_back();
            return last;
        }
    }
    return start();
}

DecodeWorkers::Worker DecodeWorkers::start() {
    const std::lock_guard lock(mutex_);
    if (server_ && server_->is_gone()) server_.reset();
    if (!server_) server_ = std::make_shared<DecodeServer>();
    return {server_, std::make_unique<DecodeWorker>(server_->start_worker())};
}

bool DecodeWorkers::is_gone(DecodeServer &server) {
    const std::lock_guard lock(mutex_);
    return server.is_gone();
}

void DecodeWorkers::keep(Worker worker) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
}

} // namespace bowhist
