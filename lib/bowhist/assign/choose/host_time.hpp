#pragma once

#include <bowhist/assign/choose/choice.hpp>

#include <optional>

namespace bowhist {

/// Estimates how long the host's fastest level takes to assign `rows` rows to k words, from a few
/// drawn rows that it assigns in some milliseconds. Nothing where the request names a level: only
/// auto needs it.
std::optional<double> host_seconds(const LevelRequest &request, std::size_t dimensions,
                                   std::size_t k, double rows);

} // namespace bowhist
