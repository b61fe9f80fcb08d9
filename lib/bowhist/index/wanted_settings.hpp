#pragma once

#include <bowhist/index/update.hpp>
#include <bowhist/library/catalogue.hpp>
#include <bowhist/library/settings.hpp>

#include <string>

namespace bowhist {

/// The settings that are asked for.
LibrarySettings asked(const IndexRequest &request);
/// All that decides what the rows of a library are but models and inputs.
std::string settings_text(const IndexRequest &request);

/// The settings of the library. A new library gets those that are asked for, which are written.
/// @throws Error{Fault::usage} where something else was asked for than it has
LibrarySettings settle(Catalogue &catalogue, const IndexRequest &request);

/// Forgets the reasons that the library keeps where they may not hold any more: other limits,
/// another bowhist, or --retry. From now on it keeps those of this run's limits.
void settle_skips(Catalogue &catalogue, const IndexRequest &request);

} // namespace bowhist
