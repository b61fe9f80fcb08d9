#pragma once

#include <bowhist/core/observer.hpp>

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace bowhist {

/// Lets threads decode images at the same time as long as their pixels fit into a number of bytes
/// together.
class DecodingGate {
  public:
    /// Its holder may decode; its end makes room for others. The gate must outlive it.
    class Pass {
      public:
        Pass(DecodingGate &gate, std::uint64_t bytes) : gate_(gate), bytes_(bytes) {}
        ~Pass() { gate_.leave(bytes_); }
        Pass(const Pass &) = delete;
        Pass &operator=(const Pass &) = delete;

      private:
        DecodingGate &gate_;
        std::uint64_t bytes_;
    };

    /// Waits until `bytes` fit beside those of all passes held, `most` together. More than `most`
    /// get a pass when no other is held, so every wait ends. A thread that holds a pass must not
    /// ask for another.
    /// @param observer  asked now and then whether to stop; may be null
    /// @throws Error{Fault::interrupted}
    [[nodiscard]] Pass enter(std::uint64_t bytes, std::uint64_t most, const Observer *observer);

  private:
    void leave(std::uint64_t bytes);

    std::mutex mutex_;             ///< guards inside_
    std::condition_variable left_; ///< a pass was given back
    std::uint64_t inside_ = 0;     ///< bytes of all passes held
};

} // namespace bowhist
