#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/group/agreement.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/report/page_files.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bowhist {

/// Facts about images beside their paths.
struct KnownImages {
    std::vector<std::string> files = {}; ///< what each thumbnail links to; empty: the paths
    /// The thumbnail of an image by its place among them, a JPEG. The file is decoded if it is
    /// empty, and without this.
    std::function<std::string(std::size_t)> thumbnail = {};
    /// Patches of the words that set a group apart, JPEGs; without this the page shows none.
    std::function<std::vector<std::string>(std::size_t group)> patches = {};
};

/// Images that stand in one file of a page; more lie in the folder beside it.
inline constexpr std::size_t most_images_inside = 1000;

/// Writes the page of groups: an overview with a card for each group, and the group's images behind
/// it, the most typical (nearest to the group's center) first. Odd images are marked: those of
/// group -1, which come last, and those whose distance is beyond the upper quartile of their
/// group's by more than 1.5 times the distance between its quartiles.
///
/// A page of up to most_images_inside images is one self-contained file, where groups open. With
/// more images, or if the page's place is a folder, groups are pages of their own, and thumbnails
/// are files. A thumbnail links to its image. An image that cannot be read is named without a
/// thumbnail, and the observer warned. The caller closes and commits.
/// @param images     path bytes, one for each entry of `grouping`
/// @param agreement  with labels, shown as a table; or null
/// @throws Error{Fault::output}
void write_contact_sheet(PageFiles &files, const std::vector<std::string> &images,
                         const Grouping &grouping, const Agreement *agreement, Observer &observer,
                         const KnownImages &known = {});

} // namespace bowhist
