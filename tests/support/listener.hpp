#pragma once

#include <bowhist/core/observer.hpp>

#include <string>
#include <vector>

namespace bowhist::testing {

/// Keeps notes and warnings. Interrupts where `stop` is set.
class Listener : public Observer {
  public:
    void note(const std::string &line) override { notes.push_back(line); }
    void warning(const std::string &line) override { warnings.push_back(line); }
    void skipped(const std::string &reason) override { reasons.push_back(reason); }
    bool interrupted() const override { return stop; }

    std::vector<std::string> notes;
    std::vector<std::string> warnings;
    std::vector<std::string> reasons; ///< of what was skipped
    bool stop = false;
};

} // namespace bowhist::testing
