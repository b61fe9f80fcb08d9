#pragma once

#include <atomic>
#include <exception>

namespace bowhist {

/// Carries an exception out of an OpenMP region, which no exception may leave.
class FirstException {
  public:
    /// Does the work, unless earlier work failed. Keeps the first exception. Any thread.
    template <typename Work>
    void guard(const Work &work) noexcept {
        if (failed_) return;
        try {
            work();
        } catch (...) {
            if (!failed_.exchange(true)) exception_ = std::current_exception();
        }
    }

    /// After the region: throws the kept exception.
    void rethrow() const {
        if (exception_) std::rethrow_exception(exception_);
    }

  private:
    std::atomic<bool> failed_ = false;
    std::exception_ptr exception_;
};

} // namespace bowhist
