#pragma once

#include "bench/bench.hpp"

#include <bowhist/io/atomic_file.hpp>

#include <string>
#include <vector>

namespace bowhist {

/// What a bench measured, at a glance: a panel for each group and in it a bar for each row, its
/// rate on a logarithmic axis, drawn into a lighter one that ends at the roof which binds that row.
/// The whiskers are the range of the rounds. Rows without figures say why.
/// @return an SVG document of its own, in UTF-8
std::string roofline_svg(const std::vector<Group> &groups);

/// Writes the plot, and commits it: `.svg` as it is, else as a page around it (`.html`).
/// @throws Error{Fault::output}
void write_roofline(AtomicFile &file, const std::vector<Group> &groups);

} // namespace bowhist
