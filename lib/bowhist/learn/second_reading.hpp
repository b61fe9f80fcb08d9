#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/inputs/inputs.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bowhist {

/// Observes a second reading of inputs: passes on its progress and interruptions alone, since the
/// first reading reported what is wrong with them.
class ProgressOnly : public Observer {
  public:
    explicit ProgressOnly(Observer &to) : to_(to) {}
    void progress(std::string_view stage, std::size_t done, std::size_t total) override {
        to_.progress(stage, done, total);
    }
    bool interrupted() const override { return to_.interrupted(); }

  protected:
    Observer &to_; ///< outlives it
};

/// Observes a reading of inputs ahead of another one, which reports what is wrong with them. Keeps
/// that for the case that there is no other one.
class SkippedLater : public ProgressOnly {
  public:
    using ProgressOnly::ProgressOnly;
    void skipped(const std::string &reason) override { reasons_.push_back(reason); }
    /// To the observer, once.
    void report_skipped() {
        for (const std::string &reason : std::exchange(reasons_, {})) to_.skipped(reason);
    }

  private:
    std::vector<std::string> reasons_;
};

/// At most `most` of the inputs, in their order, each with the same chance.
std::vector<Input> draw_inputs(std::span<const Input> inputs, std::size_t most, std::uint64_t seed);

} // namespace bowhist
