#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/duplicates/duplicates.hpp>
#include <bowhist/report/page_files.hpp>

namespace bowhist {

/// Pairs that stand in one file of a page; more lie in the folder beside it.
inline constexpr std::size_t most_pairs_inside = 100;

/// Writes the page of copies: group by group, each copy beside the image that it is held against,
/// with the outline of the one in the other; then the images that are in no group, beside what they
/// resemble. A pair is shown side by side, in turn (flicker) or as their difference. Copies that
/// are marked make a list to download. A page of up to most_pairs_inside pairs is one
/// self-contained file; with more pairs, or if its place is a folder, further pages and the images
/// are files. The caller closes and commits.
/// @throws Error{Fault::output}
void write_copies_page(PageFiles &files, const Duplicates &found, Observer &observer);

} // namespace bowhist
