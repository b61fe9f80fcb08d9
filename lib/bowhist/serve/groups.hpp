#pragma once

#include <bowhist/report/kept_groups.hpp>
#include <bowhist/serve/background.hpp>
#include <bowhist/serve/live_library.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace bowhist {

/// The groups that a library keeps. Any thread.
class Groups {
  public:
    /// All outlive it.
    Groups(const ServeRequest &request, LiveLibrary &live, const Observer &observer);

    using State = Background<std::vector<KeptGroup>>::State;
    State get(std::chrono::milliseconds patience) { return groups_.get(stamp(), patience); }

    /// JPEGs of each group, by its number; null while they are cut, and where they cannot be.
    using Patches = std::map<std::int32_t, std::vector<std::string>>;
    std::shared_ptr<const Patches> patches(std::chrono::milliseconds patience) {
        return patches_.get(stamp(), patience).found;
    }

  private:
    std::string stamp() const;

    LiveLibrary &live_;
    Background<std::vector<KeptGroup>> groups_;
    Background<Patches> patches_;
};

} // namespace bowhist
