#pragma once

#include <bowhist/serve/background.hpp>
#include <bowhist/serve/live_library.hpp>

#include <chrono>
#include <string>

namespace bowhist {

/// The page of a library's words. Any thread.
class Words {
  public:
    /// All outlive it.
    Words(const ServeRequest &request, LiveLibrary &live, const Observer &observer);

    using State = Background<std::string>::State;
    State get(std::chrono::milliseconds patience) {
        return page_.get(live_.now()->stamp(), patience);
    }

  private:
    std::string page(Observer &observer);

    const ServeRequest &request_;
    LiveLibrary &live_;
    Background<std::string> page_;
};

} // namespace bowhist
