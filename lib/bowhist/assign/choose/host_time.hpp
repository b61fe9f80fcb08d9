#pragma once

#include <bowhist/assign/choose/choice.hpp>

#include <optional>

namespace bowhist {

/// How long the host's fastest level takes to assign so many rows to k words, about: it assigns a
/// few drawn ones first, for some milliseconds. Nothing where the request names a level: only auto
/// asks.
std::optional<double> host_seconds(const LevelRequest &request, std::size_t dimensions,
                                   std::size_t k, double rows);

} // namespace bowhist
