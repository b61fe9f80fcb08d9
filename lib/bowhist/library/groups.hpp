#pragma once

#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/library.hpp>

namespace bowhist {

/// The groups in a library's tables. @throws as Catalogue
LibraryGroups read_groups(Catalogue &catalogue);

} // namespace bowhist
