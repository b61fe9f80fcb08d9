#pragma once

#include <bowhist/extract/extractor.hpp>

#include <memory>

namespace bowhist {

/// SURF by the host's vector units: fast-Hessian keypoints (Bay, Ess, Tuytelaars, Van Gool 2008),
/// placed by Gaussian derivatives, described by M-SURF's overlapping cells (Agrawal, Konolige, Blas
/// 2008) or SURF's own. docs/descriptors.md describes them. A device makes the same, bit for
/// bit.
/// @throws Error{Fault::usage} for octaves, layers or a first size that make no sense
std::unique_ptr<Extractor> make_surf_extractor(const Recipe &recipe);

} // namespace bowhist
