#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/io/atomic_file.hpp>

namespace bowhist {

/// Writes one self-contained HTML page: group by group, each copy beside the image that it is held
/// against, with the outline of the one in the other. The caller commits.
/// @throws Error{Fault::output}
void write_copies_page(AtomicFile &page, const Duplicates &found, Observer &observer);

} // namespace bowhist
