#pragma once

#include "bench/bench.hpp"

#include <bowhist/io/atomic_file.hpp>

#include <string>
#include <vector>

namespace bowhist {

/// A panel for each group and in it a bar for each row: its rate on a logarithmic axis, drawn into
/// a lighter bar that ends at the roof that binds the row. The whiskers are the range of the
/// rounds. A row without figures shows the reason.
/// @return a complete SVG document, in UTF-8
std::string roofline_svg(const std::vector<Group> &groups);

/// The same as a page of its own.
std::string roofline_page(const std::vector<Group> &groups);

/// Writes the plot, and commits it: `.svg` as it is, any other ending as a page.
/// @throws Error{Fault::output}
void write_roofline(AtomicFile &file, const std::vector<Group> &groups);

} // namespace bowhist
