#pragma once

#include "bench/measurement.hpp"
#include "bench/output.hpp"

#include <bowhist/core/error.hpp>
#include <bowhist/core/observer.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bowhist {

class Device;
struct LaunchLog;

/// What one round took.
struct RoundTime {
    double seconds = 0; ///< as in Figures
    double wall_seconds = 0;
};

/// What a row shows when its rounds are over.
struct Findings {
    std::optional<std::uint64_t> unproven = {};
    std::optional<std::uint64_t> mismatches = {};
};

/// One row before it is measured: everything is prepared, the functions share what they need.
struct Case {
    Subject subject;
    Work work = {};
    bool matrix_units = false;                 ///< its arithmetic is done by matrix units
    std::string obstacle = {};                 ///< why there is nothing to run
    std::string error = {};                    ///< what went wrong before there was
    std::function<RoundTime()> run = {};       ///< one round; none where there is either
    std::function<Findings()> check = nullptr; ///< after the last round; may be empty
    std::shared_ptr<Output> output = nullptr;  ///< what `check` compares; none for a peak
    std::string_view passes_roof = {};         ///< why it may be faster than its roof; or nothing
    std::uint64_t cache_bytes = 0;             ///< of a copy peak: the caches of its place
};

/// A row that cannot run, and why.
Case not_here(const Subject &subject, const std::string &why);

/// A row that should have run, and what went wrong; where a compiler says more about it, its first
/// line, too.
Case failed(const Subject &subject, const Error &error);

/// Times what `work` launches on the device: by events and by the clock. The host waits.
/// @param kernels  where to put what was launched, label by label
RoundTime time_launches(Device &device, const std::function<void()> &work,
                        LaunchLog *kernels = nullptr);

/// Times `work` on the host.
RoundTime time_on_host(const std::function<void()> &work);

/// Measures all cases in turn, round after round, so that whatever disturbs the machine disturbs
/// all alike; a round before the first warms up and is not counted. A case that fails keeps its
/// error and leaves the rounds; the others go on. Roofs are filled in from the peaks among the
/// cases. Reports progress as "rounds".
/// @throws Error{Fault::interrupted}
std::vector<Measurement> measure(const std::vector<Case> &cases, std::size_t rounds,
                                 Observer &observer);

} // namespace bowhist
