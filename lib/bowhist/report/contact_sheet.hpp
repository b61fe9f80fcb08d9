#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/group/agreement.hpp>
#include <bowhist/group/grouping.hpp>
#include <bowhist/io/atomic_file.hpp>

#include <functional>
#include <string>
#include <vector>

namespace bowhist {

/// What is known of images beside their paths.
struct KnownImages {
    std::vector<std::string> files = {}; ///< what each thumbnail links to; empty: the paths
    /// The thumbnail of an image by its place among them, a JPEG; where it is empty, and without
    /// this, the file is decoded.
    std::function<std::string(std::size_t)> thumbnail = {};
};

/// Writes one self-contained HTML page: the images as thumbnails, group by group, the most
/// typical (nearest to the group's center) first. A thumbnail links to its image, by the way from
/// the page's folder to it. An image that cannot be read is named without a thumbnail, and the
/// observer warned. The caller commits.
/// Images of group -1 come last.
/// @param images     path bytes, one for each entry of `grouping`
/// @param agreement  with labels, shown as a table; or null
/// @throws Error{Fault::output}
void write_contact_sheet(AtomicFile &page, const std::vector<std::string> &images,
                         const Grouping &grouping, const Agreement *agreement, Observer &observer,
                         const KnownImages &known = {});

} // namespace bowhist
