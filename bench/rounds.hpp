#pragma once

#include "bench/measurement.hpp"

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

/// The time of one round.
struct RoundTime {
    double seconds = 0; ///< as in Figures
    double wall_seconds = 0;
};

/// The counts that a row shows when its rounds are over.
struct Findings {
    std::optional<std::uint64_t> unproven = {};
    std::optional<std::uint64_t> mismatches = {};
};

/// The result of a way of doing an operation, with the right value of each element.
///
/// All ways of an operation write into one output: elements that a way leaves unwritten still hold
/// the right answer of the way before it. So the output is poisoned first, and then compared whole.
class Output {
  public:
    /// Rows of all images, end to end.
    struct Shape {
        std::size_t rows = 0;
        std::size_t width = 0;
        std::size_t rows_a_image = 0;
    };
    /// Some columns of some rows.
    struct Area {
        std::size_t first_row = 0;
        std::size_t rows = 0;
        std::size_t first_column = 0;
        std::size_t columns = 0;
    };

    Output() = default;
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;
    virtual ~Output() = default;

    virtual Shape shape() const = 0;
    Area everything() const { return {0, shape().rows, 0, shape().width}; }

    /// Puts a wrong value into each element of the area.
    virtual void poison(const Area &area) = 0;
    /// Elements that differ from the reference.
    virtual std::uint64_t mismatches() = 0;
};

/// One row before it is measured. Everything is prepared; the functions own what they share.
struct Case {
    Subject subject;
    Work work = {};
    bool matrix_units = false;                 ///< its arithmetic is done by matrix units
    std::string obstacle = {};                 ///< why it cannot run
    std::string error = {};                    ///< why preparing it failed
    std::function<RoundTime()> run = {};       ///< one round; empty with an obstacle or an error
    std::function<Findings()> check = nullptr; ///< after the last round; may be empty
    std::shared_ptr<Output> output = nullptr;  ///< what `check` compares; null for a peak
    std::string_view passes_roof = {};         ///< why it may be faster than its roof; may be empty
    std::uint64_t cache_bytes = 0;             ///< of a copy peak: the caches of its place
};

/// A row that cannot run, and why.
Case not_here(const Subject &subject, const std::string &why);

/// A row that failed, with its error and the first line of the compiler's message, if any.
Case failed(const Subject &subject, const Error &error);

/// Times what `work` launches on the device: by events and by the clock. The host waits.
/// @param kernels  receives the launches, label by label; may be null
RoundTime time_launches(Device &device, const std::function<void()> &work,
                        LaunchLog *kernels = nullptr);

/// Times `work` on the host.
RoundTime time_on_host(const std::function<void()> &work);

/// Measures all cases in turn, round after round, so that noise affects all equally; a round before
/// the first warms up and is not counted. A case that fails keeps its error and leaves the rounds;
/// the others continue. Roofs are filled in from the peaks among the cases. Reports progress as
/// "rounds".
/// @throws Error{Fault::interrupted}
std::vector<Measurement> measure(const std::vector<Case> &cases, std::size_t rounds,
                                 Observer &observer);

} // namespace bowhist
