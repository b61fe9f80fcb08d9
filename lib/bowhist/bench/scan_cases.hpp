#pragma once

#include <bowhist/bench/operation.hpp>

namespace bowhist {

/// Prefix sums of the rows of a batch of pictures of floats, by every method.
std::vector<Case> scan_row_cases(const Scene &scene, std::size_t k);

/// As many uint32 as one vector, by every method.
std::vector<Case> scan_vector_cases(const Scene &scene, std::size_t k);

/// The same vector, of which about half is kept.
std::vector<Case> compact_cases(const Scene &scene, std::size_t k);

} // namespace bowhist
