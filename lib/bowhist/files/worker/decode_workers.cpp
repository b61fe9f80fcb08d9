#include <bowhist/files/worker/decode_workers.hpp>

#include <bowhist/core/error.hpp>

#include <new>
#include <utility>

namespace bowhist {

std::unique_ptr<DecodeWorker> DecodeWorkers::take() {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto last = std::move(idle_.back());
            idle_.pop_back();
            return last;
        }
    }
    return std::make_unique<DecodeWorker>();
}

DecodedPicture DecodeWorkers::decode(const EncodedPicture &file, Colour colour, int side,
                                     const DecodeBounds &bounds, const Observer *observer) {
    auto worker = take();
    for (;;) {
        const bool was_fresh = worker->is_fresh();
        const auto keep = [&] {
            const std::lock_guard lock(mutex_);
            idle_.push_back(std::move(worker));
        };
        try {
            DecodedPicture picture = worker->decode(file, colour, side, bounds, observer);
            keep();
            return picture;
        } catch (const DecodeWorker::Died &death) {
            if (was_fresh) throw Error(Fault::input, death.what());
            worker = std::make_unique<DecodeWorker>();
        } catch (const std::bad_alloc &) {
            keep();
            if (was_fresh) throw;
            worker = take();
        } catch (const Error &error) {
            if (error.fault != Fault::interrupted) keep();
            throw;
        }
    }
}

} // namespace bowhist
