#include <bowhist/core/error.hpp>
#include <bowhist/train/row_feed.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace bowhist {
namespace {

struct GivenUp {};

} // namespace

RowFeed::RowFeed(const DescriptorRows &rows, std::size_t part_rows,
                 std::unique_ptr<Uploads> uploads, std::vector<const Buffer<float> *> places,
                 std::function<Target(std::size_t part)> stay)
    : rows_(rows), part_numbers_(part_rows * rows.dimensions()),
      numbers_(rows.size() * rows.dimensions()), uploads_(std::move(uploads)),
      places_(std::move(places)), stay_(std::move(stay)), free_(places_.size()),
      thread_([this] { serve(); }) {}

RowFeed::~RowFeed() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void RowFeed::begin() {
    const std::lock_guard lock(mutex_);
    ++wanted_;
    changed_.notify_all();
}

RowFeed::Part RowFeed::next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || !ready_.empty(); });
    if (ready_.empty()) std::rethrow_exception(failure_);
    Part part = std::move(ready_.front());
    ready_.pop_front();
    return part;
}

void RowFeed::done(const Part &part, const cl::Event &mark) {
    if (part.target.stays) return;
    const std::lock_guard lock(mutex_);
    free_.push_back(mark);
    changed_.notify_all();
}

void RowFeed::end() {
    if (rows_.any_thread_reads()) return;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return failure_ || read_ == wanted_; });
    if (failure_) std::rethrow_exception(failure_);
}

void RowFeed::serve() {
    try {
        while (true) {
            {
                std::unique_lock lock(mutex_);
                const std::size_t ahead = rows_.any_thread_reads() ? 1 : 0;
                changed_.wait(lock, [&] { return ends_ || read_ < wanted_ + ahead; });
                if (ends_) return;
            }
            rows_.read(
                [this](std::size_t /*first*/, std::span<const float> values) { take(values); });
            const std::lock_guard lock(mutex_);
            ++read_;
            changed_.notify_all();
        }
    } catch (const GivenUp &) {
    } catch (...) {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
        changed_.notify_all();
    }
}

void RowFeed::take(std::span<const float> values) {
    try {
        send(values);
    } catch (...) {
        abandon();
        throw;
    }
}

/// While the last threads copy a part, others begin with the next one.
void RowFeed::send(std::span<const float> values) {
    while (!values.empty()) {
        if (filled_ == 0) open();
        const std::size_t whole = std::min(part_numbers_, numbers_ - number_ * part_numbers_);
        const std::size_t count = std::min(whole - filled_, values.size());
        if (!current_.target.is_there)
            sending_.push_back(
                uploads_->start(*current_.target.values, values.first(count), filled_));
        values = values.subspan(count);
        filled_ += count;
        pass_on(); // the part before
        if (filled_ == whole) close();
    }
    pass_on();
    for (const Uploads::Sent &sent : std::exchange(sending_, {}))
        current_.arrival = uploads_->finish(sent); // `values` end here
}

/// Finds the current part's target, and waits until it may be filled.
void RowFeed::open() {
    {
        const std::lock_guard lock(mutex_);
        if (ends_) throw GivenUp(); // parts that stay wait for nothing
    }
    current_ = {.target = stay_(number_)};
    if (current_.target.stays) return;
    cl::Event read;
    {
        std::unique_lock lock(mutex_);
        if (free_.empty()) { // until the part before is read, perhaps
            lock.unlock();
            pass_on();
            lock.lock();
        }
        changed_.wait(lock, [&] { return ends_ || !free_.empty(); });
        if (ends_) throw GivenUp();
        read = std::move(free_.front());
        free_.pop_front();
    }
    current_.target.values = places_[used_++ % places_.size()];
    if (read() == nullptr || uploads_->has_ended(read)) return;
    pass_on();
    uploads_->await(read);
}

/// All of the current part is on its way.
void RowFeed::close() {
    filled_ = 0;
    number_ = (number_ + 1) * part_numbers_ < numbers_ ? number_ + 1 : 0;
    before_ = {std::exchange(current_, {}), std::exchange(sending_, {})};
}

/// Waits for what is being copied: then its memory may go.
void RowFeed::abandon() {
    if (before_) std::ranges::move(before_->sending, std::back_inserter(sending_));
    for (const Uploads::Sent &sent : sending_) try {
            uploads_->finish(sent);
        } catch (const Error &) { // the first failure is passed on
        }
}

/// Hands over the part before, as soon as it is copied.
void RowFeed::pass_on() {
    if (!before_) return;
    for (const Uploads::Sent &sent : before_->sending)
        before_->part.arrival = uploads_->finish(sent);
    const std::lock_guard lock(mutex_);
    ready_.push_back(std::move(before_->part));
    before_.reset();
    changed_.notify_all();
}

} // namespace bowhist
