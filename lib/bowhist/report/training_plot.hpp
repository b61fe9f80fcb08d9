#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/io/atomic_file.hpp>

#include <vector>

namespace bowhist {

/// A training's course as an SVG: the inertia, and how many descriptors moved, over the iterations.
/// Writes and commits it. @throws Error{Fault::output}
void write_training_plot(AtomicFile &file, const std::vector<Iteration> &course);

} // namespace bowhist
