#pragma once

#include <bowhist/extract/extractor.hpp>

#include <memory>

namespace bowhist {

/// Upright SURF-style descriptors on a grid, by the host's vector units; docs/descriptors.md
/// describes them. A device makes the same, bit for bit.
/// @throws Error{Fault::usage} for a step or patches that make no sense
std::unique_ptr<Extractor> make_dense_extractor(const Recipe &recipe);

} // namespace bowhist
