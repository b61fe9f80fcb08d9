#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace bowhist {

/// Threads that stay between calls: to start and end one each time takes a tenth of a millisecond
/// and more where a driver keeps something for each thread. For one caller at a time.
class StandingThreads {
  public:
    StandingThreads();
    ~StandingThreads();

    /// Does all of the work at once: the first on this thread, the rest on a thread each.
    /// @throws what the first of them threw, when all have ended
    void run(std::span<const std::function<void()>> work);

  private:
    class One;
    std::vector<std::unique_ptr<One>> threads_;
};

} // namespace bowhist
