#include <bowhist/pictures/decoding_gate.hpp>

#include <chrono>

namespace bowhist {

DecodingGate::Pass DecodingGate::enter(std::uint64_t bytes, std::uint64_t most,
                                       const Observer *observer) {
    constexpr std::chrono::milliseconds patience(50);
    std::unique_lock lock(mutex_);
    const auto fits = [&] { return inside_ == 0 || (inside_ <= most && bytes <= most - inside_); };
    while (!left_.wait_for(lock, patience, fits))
        if (observer != nullptr) observer->stop_if_interrupted();
    inside_ += bytes;
    return {*this, bytes};
}

void DecodingGate::leave(std::uint64_t bytes) {
    {
        const std::lock_guard lock(mutex_);
        inside_ -= bytes;
    }
    left_.notify_all();
}

} // namespace bowhist
