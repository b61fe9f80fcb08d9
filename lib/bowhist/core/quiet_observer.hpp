#pragma once

#include <bowhist/core/observer.hpp>

namespace bowhist {

/// For a step whose lines are of no use to who called: drops them, and passes on Ctrl-C.
class QuietObserver : public Observer {
  public:
    /// @param observer  outlives it
    explicit QuietObserver(const Observer &observer) : observer_(observer) {}
    bool interrupted() const override { return observer_.interrupted(); }

  private:
    const Observer &observer_;
};

} // namespace bowhist
