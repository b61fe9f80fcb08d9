#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/group/cluster.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace bowhist {

/// Writes one self-contained HTML page: the pictures as thumbnails, group by group, the most
/// typical (nearest to the group's centre) first. A picture that cannot be read is named without a
/// thumbnail, and the observer warned.
/// @param images path bytes, one for each entry of `grouping`
/// @throws Error{Fault::output}
void write_contact_sheet(const std::filesystem::path &page, const std::vector<std::string> &images,
                         const Grouping &grouping, std::size_t groups, Observer &observer);

} // namespace bowhist
