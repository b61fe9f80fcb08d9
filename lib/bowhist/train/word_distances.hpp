#pragma once

#include <bowhist/core/descriptor_rows.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstdint>
#include <span>

namespace bowhist {

/// The sum of the squared distances between descriptors and their words' centroids.
///
/// @param words  one a descriptor
double inertia_of(const DescriptorRows &rows, std::span<const std::int32_t> words,
                  const Vocabulary &vocabulary);

/// The descriptors farthest from their words' centroids, in order; of equal ones the first.
/// @param count  at least 1
Descriptors farthest(const DescriptorRows &rows, std::span<const std::int32_t> words,
                     const Vocabulary &vocabulary, std::size_t count);

} // namespace bowhist
