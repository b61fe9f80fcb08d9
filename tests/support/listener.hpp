#pragma once

#include <bowhist/core/observer.hpp>

#include <string>
#include <vector>

namespace bowhist::testing {

/// Keeps what it is told.
class Listener : public Observer {
  public:
    void note(const std::string &line) override { notes.push_back(line); }
    void warning(const std::string &line) override { warnings.push_back(line); }

    std::vector<std::string> notes;
    std::vector<std::string> warnings;
};

} // namespace bowhist::testing
