#pragma once

#include "bench/measurement.hpp"
#include "bench/operation.hpp"
#include "bench/scene.hpp"

#include <functional>
#include <vector>

namespace bowhist {

/// Rows that were measured together, in one interleaved run: an operation's, for one k, and with
/// them the peaks (operation "peak") that their roofs are.
struct Group {
    const Operation *operation = nullptr;
    std::size_t k = 0; ///< 0 where the operation has no words
    std::vector<Measurement> measurements;
};

/// Measures what was asked for, and hands on each group as soon as it is done.
/// Without any device, and with none asked for, what runs on the host is measured all the same.
/// @throws Error{Fault::usage} for an unknown operation or level; Error{Fault::device} where the
///         device asked for is not there; Fault::interrupted
void run_bench(const BenchRequest &request, Observer &observer,
               const std::function<void(const Group &)> &done);

} // namespace bowhist
