#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/catalogue.hpp>

#include <cstddef>

namespace bowhist {

// How the index of search follows the library. Each step is a transaction of its own; ended at any
// moment, the next one continues.

/// How many contents without a segment make one while a run still describes others.
inline constexpr std::size_t segment_images = 1 << 15;

/// Appends segments of the contents that are in none. REQUIRES: no transaction
/// @param least  does nothing where there are fewer
void append_segments(Catalogue &catalogue, std::size_t least, const Observer &observer);

/// Merges the last segments into one where those behind an older one hold more than half as many
/// images: so the older one, too. REQUIRES: no transaction
/// @param has_lost  contents were deleted: segments that lack more than a quarter are made anew
void merge_segments(Catalogue &catalogue, bool has_lost, Observer &observer);

/// Deletes the index; every content that is described is in no segment then. Part of the caller's
/// transaction. The rows of postings are left for merge_segments().
void drop_segments(Catalogue &catalogue);

} // namespace bowhist
