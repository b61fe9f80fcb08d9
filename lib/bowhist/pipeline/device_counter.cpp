#include <bowhist/core/error.hpp>
#include <bowhist/pipeline/device_counter.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace bowhist {
namespace {

constexpr std::size_t most_started = 2;
constexpr std::chrono::microseconds glance{200}; ///< between two looks at the device

} // namespace

DeviceCounter::DeviceCounter(const Recipe &recipe, DeviceAssigner &assigner,
                             const Preparation *preparation, const std::optional<TallyShape> &tally)
    : assigner_(assigner), device_(assigner.device()),
      extractor_(make_device_extractor(device_, recipe, preparation || tally)),
      // prepared rows, with mirrored ones, take up to four times the room of descriptors
      batch_pixels_(std::min(std::size_t{32} << 20, extractor_->most_pixels()) /
                    (preparation ? 4 : 1)),
      // counts, or tallies, of 64 MiB at most
      batch_images_(std::max<std::size_t>(
          1, (std::size_t{1} << 24) /
                 (tally ? tally->size() : assigner.search().vocabulary().size()))) {
    if (preparation) preparation_ = std::make_unique<DevicePreparation>(device_, *preparation);
    if (tally) tally_.emplace(device_, *tally);
    for (Batch &batch : batches_) {
        batch.pixels = device_->staged(batch_pixels_);
        recycle(batch);
    }
    worker_ = std::thread([this] { work(); });
}

DeviceCounter::~DeviceCounter() {
    {
        const std::lock_guard lock(mutex_);
        full_.push_back(nullptr);
    }
    filled_.notify_one();
    worker_.join();
}

bool DeviceCounter::takes(const Image &image) const {
    const std::lock_guard lock(mutex_);
    return !failure_ && image.pixels.size() <= batch_pixels_;
}

PendingCounts DeviceCounter::add(Image image) {
    std::unique_lock lock(mutex_);
    Batch *batch = batch_for(image.pixels.size(), lock);
    if (batch == nullptr) {
        std::promise<std::vector<std::uint32_t>> none;
        none.set_exception(failure_);
        return {none.get_future().share(), 0, std::move(image)};
    }
    const std::size_t first = batch->size;
    const std::size_t place = batch->images.size();
    batch->images.push_back({static_cast<cl_uint>(first), image.width, image.height});
    batch->size += image.pixels.size();
    pixels_left_ += static_cast<double>(image.pixels.size());
    ++batch->copying;
    PendingCounts pending{batch->pending, place, {}};

    lock.unlock();
    std::ranges::copy(image.pixels,
                      batch->pixels->memory().begin() + static_cast<std::ptrdiff_t>(first));
    pending.image = std::move(image);
    lock.lock();

    if (--batch->copying == 0 && batch != filling_) hand_over(*batch);
    close_if_awaited();
    return pending;
}

/// The batch with room for an image of that size; waits for it. Null after a failure.
DeviceCounter::Batch *DeviceCounter::batch_for(std::size_t pixels,
                                               std::unique_lock<std::mutex> &lock) {
    while (!failure_) {
        if (filling_ != nullptr && filling_->size + pixels <= batch_pixels_ &&
            filling_->images.size() < batch_images_)
            return filling_;
        close();
        if (free_.empty()) {
            freed_.wait(lock);
        } else {
            filling_ = free_.back();
            free_.pop_back();
        }
    }
    return nullptr;
}

double DeviceCounter::seconds_left() const {
    constexpr double usual_pace = 1e9; // pixels a second, until a batch was counted
    const std::lock_guard lock(mutex_);
    const double pace = seconds_counting_ > 0 ? pixels_counted_ / seconds_counting_ : usual_pace;
    return pixels_left_ / pace;
}

std::exception_ptr DeviceCounter::failure() const {
    const std::lock_guard lock(mutex_);
    return failure_;
}

void DeviceCounter::flush() {
    const std::lock_guard lock(mutex_);
    close();
}

/// A small batch is better than an idle device, but launches for a few images cost more than
/// waiting.
void DeviceCounter::close_if_awaited() {
    if (idle_ && full_.empty() && filling_ != nullptr && filling_->size >= batch_pixels_ / 8)
        close();
}

/// REQUIRES: mutex_ is locked. An image that is still being copied hands the batch over later.
void DeviceCounter::close() {
    Batch *batch = std::exchange(filling_, nullptr);
    if (batch != nullptr && batch->copying == 0) hand_over(*batch);
}

void DeviceCounter::hand_over(Batch &batch) {
    try {
        batch.pixels->send(batch.size);
    } catch (...) {
        batch.failure = std::current_exception();
    }
    full_.push_back(&batch);
    filled_.notify_one();
}

void DeviceCounter::work() {
    while (Batch *batch = next()) {
        try {
            for (const auto &failure : {failure_, batch->failure})
                if (failure) std::rethrow_exception(failure);
            if (batch->started)
                finish(*batch);
            else
                start(*batch);
        } catch (...) {
            fail(std::current_exception());
            batch->counts.set_exception(std::current_exception());
            recycle(*batch);
        }
    }
}

/// Waits for a batch that has ended, or one to start. Null at the end.
DeviceCounter::Batch *DeviceCounter::next() {
    const auto take_first = [](std::deque<Batch *> &from) {
        Batch *batch = from.front();
        from.pop_front();
        return batch;
    };
    std::unique_lock lock(mutex_);
    while (true) {
        if (!started_.empty() && started_.front()->counting.launches.have_ended())
            return take_first(started_);
        const bool has_full = !full_.empty() && full_.front() != nullptr;
        if (has_full && started_.size() < most_started) return take_first(full_);
        idle_ = started_.empty();
        if (idle_ && !full_.empty()) return nullptr;
        if (idle_) {
            close_if_awaited();
            filled_.wait(lock, [this] { return !full_.empty(); });
        } else {
            filled_.wait_for(lock, glance);
        }
        idle_ = false;
    }
}

void DeviceCounter::start(Batch &batch) {
    const auto alone = pause();
    device_->await(*batch.pixels);
    const DeviceImageList there{batch.pixels->buffer(), batch.images};
    try {
        const DeviceDescriptors &found = extractor_->extract(there);
        const DeviceDescriptors &rows =
            preparation_ ? preparation_->prepare(found, batch.images) : found;
        if (!tally_) {
            assigner_.start(batch.counting, rows, batch.images.size());
        } else {
            tally_->clear(batch.tallies, batch.images.size());
            assigner_.start(batch.counting, rows, batch.images.size(),
                            [&](const Buffer<cl_int> &words) {
                                tally_->add(found, rows, words, batch.images, batch.tallies);
                            });
        }
    } catch (...) {
        device_->take_queued(); // a failed batch is in no report
        throw;
    }
    batch.started = true;
    started_.push_back(&batch);
}

void DeviceCounter::finish(Batch &batch) {
    auto counted = [&] {
        const auto alone = pause();
        return assigner_.finish(batch.counting);
    }();
    if (counted.wanted_room > 0) {
        extractor_->make_room(counted.wanted_room);
        return start(batch);
    }
    if (tally_) { // the counting has ended, and so has what was queued with it
        counted.counts.resize(batch.images.size() * tally_->shape().size());
        const auto alone = pause();
        device_->download_ended(std::span(counted.counts), batch.tallies);
    }
    note_pace(batch);
    batch.counts.set_value(std::move(counted.counts));
    recycle(batch);
}

void DeviceCounter::note_pace(const Batch &batch) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    const auto pixels = static_cast<double>(batch.size);
    pixels_left_ -= pixels;
    pixels_counted_ += pixels;
    const auto start = std::max(counted_, batch.counting.start);
    seconds_counting_ += std::chrono::duration<double>(now - start).count();
    counted_ = now;
}

/// Stops counting, and frees the device's memory.
void DeviceCounter::fail(std::exception_ptr failure) {
    extractor_.reset();
    preparation_.reset();
    tally_.reset();
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    for (Batch *batch : std::exchange(free_, {})) *batch = {};
    freed_.notify_all();
}

void DeviceCounter::recycle(Batch &batch) {
    const std::lock_guard lock(mutex_);
    batch = {std::move(batch.pixels), std::move(batch.counting), std::move(batch.tallies)};
    batch.pending = batch.counts.get_future().share();
    if (failure_)
        batch = {};
    else
        free_.push_back(&batch);
    freed_.notify_all();
}

} // namespace bowhist
