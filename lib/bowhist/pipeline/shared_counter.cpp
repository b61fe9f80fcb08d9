#include <bowhist/pipeline/shared_counter.hpp>

#include <algorithm>
#include <utility>

namespace bowhist {

bool SharedCounter::works(const Member &member) {
    return !member.counter->failure() && !member.device->has_left();
}

ImageCounter *SharedCounter::counter_for(const Image &image) const {
    ImageCounter *best = nullptr;
    double least = 0;
    for (const Member &member : members_) {
        if (!works(member) || !member.counter->takes(image)) continue;
        const double left = member.counter->seconds_left();
        if (best != nullptr && left >= least) continue;
        best = member.counter.get();
        least = left;
    }
    return best;
}

bool SharedCounter::takes(const Image &image) const {
    return counter_for(image) != nullptr;
}

PendingCounts SharedCounter::add(Image image) {
    ImageCounter *counter = counter_for(image);
    if (counter == nullptr) counter = members_.front().counter.get(); // its failure is the image's
    return counter->add(std::move(image));
}

void SharedCounter::flush() {
    for (const Member &member : members_) member.counter->flush();
}

std::unique_lock<std::mutex> SharedCounter::pause(const Assigner &assigner) {
    const auto member = std::ranges::find_if(
        members_, [&](const Member &one) { return one.device->assigner.get() == &assigner; });
    return member == members_.end() ? std::unique_lock<std::mutex>()
                                    : member->counter->pause(assigner);
}

bool SharedCounter::report_failures(Observer &observer) {
    if (std::ranges::none_of(members_, works)) return false; // what failed last ends the run
    for (Member &member : members_) try {
            const std::exception_ptr failure = member.counter->failure();
            if (failure && !std::exchange(member.is_reported, true))
                std::rethrow_exception(failure);
        } catch (const OutOfMemory &error) {
            warn_of_no_room(error, observer);
        } catch (const Error &error) {
            if (error.fault != Fault::device) throw;
            member.device->leave(error, observer);
        }
    return true;
}

} // namespace bowhist
