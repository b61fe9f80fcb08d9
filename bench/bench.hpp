#pragma once

#include "bench/measurement.hpp"
#include "bench/rounds.hpp"
#include "bench/scene.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace bowhist {

/// One operation that bench knows: a row of the table in operations().
struct Operation {
    /// The data that it works on, which decides the sizes that can be requested.
    enum class Data {
        words,  ///< measured once for each k; all others once, k = 0
        groups, ///< words, with groups of the requested sizes
        images, ///< of the requested side
        tiles,  ///< images, in tiles of the requested sides
        other
    };

    std::string_view id;   ///< on the command line
    std::string_view idea; ///< in a sentence
    Data data = Data::other;

    /// A case for each way, without its operation and device, which cases() fills in. It is called
    /// without a device only if `runs_on_host`.
    std::vector<Case> (*make)(const Scene &scene);
    bool runs_on_host = false;

    /// Every way of doing it, ready to run: kernels built, data where it belongs. A way that
    /// cannot run here is a case with its obstacle.
    std::vector<Case> cases(const Scene &scene) const;

    bool has_words() const { return data == Data::words || has_groups(); }
    bool has_groups() const { return data == Data::groups; }
    bool has_images() const { return data == Data::images || has_tiles(); }
    bool has_tiles() const { return data == Data::tiles; }
};

/// Every operation, in the order in which they are measured.
const std::vector<Operation> &operations();

/// @throws Error{Fault::usage} for an unknown id; lists the known ones
const Operation &find_operation(std::string_view id);

/// Rows that were measured together, in one interleaved run: an operation's, for one k, and the
/// peaks (operation "peak") that are their roofs.
struct Group {
    const Operation *operation = nullptr;
    std::size_t k = 0; ///< 0 for operations without words
    std::vector<Measurement> measurements;
};

/// Carries out the request, and calls `done` with each group as soon as it is measured. If there is
/// no device and the request names none, only the host is measured.
/// @throws Error{Fault::usage} for an unknown operation or level; Error{Fault::device} if the
///         requested device is missing; Fault::interrupted
void run_bench(const BenchRequest &request, Observer &observer,
               const std::function<void(const Group &)> &done);

} // namespace bowhist
