#pragma once

#include "bench/measurement.hpp"
#include "bench/operation.hpp"
#include "bench/scene.hpp"

#include <functional>
#include <vector>

namespace bowhist {

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
