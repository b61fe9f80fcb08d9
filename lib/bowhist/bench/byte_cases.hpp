#pragma once

#include <bowhist/bench/operation.hpp>

namespace bowhist {

// Operations on a batch of 8-bit pictures: as many bytes as n descriptors have.

/// By every method, on noise and, "+flat", on pictures of one grey, where all count the same.
std::vector<Case> histogram256_cases(const Scene &scene, std::size_t k);

/// Histogram equalisation, for each way of counting that has a look-up of its own.
std::vector<Case> equalise_cases(const Scene &scene, std::size_t k);

/// Integral images, by every method.
std::vector<Case> integral_cases(const Scene &scene, std::size_t k);

} // namespace bowhist
