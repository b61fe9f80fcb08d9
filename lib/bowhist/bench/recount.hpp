#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bowhist {

/// How many of `counts` differ from a recount of `words`, plus the words that it has no count for.
std::uint64_t wrong_counts(std::span<const std::int32_t> words,
                           std::span<const std::uint32_t> counts);

} // namespace bowhist
