#pragma once

#include <bowhist/duplicates/proposals.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace bowhist {

// The proposals of an image as a library keeps them.

/// @param most  candidates that were wanted
std::string proposals_as_bytes(const Proposals &proposals, std::size_t most);

/// @param numbers  today's numbers of images, by those of the time when these were kept; images
///                 that left, or are no longer what they were, have none
/// @return nothing where other candidates were wanted, and where an image that left leaves room for
///         one that is not known
std::optional<Proposals> proposals_of_bytes(std::string_view bytes, std::size_t most,
                                            const std::map<std::size_t, std::uint32_t> &numbers);

} // namespace bowhist
