#pragma once

#include <bowhist/extract/extractor.hpp>

#include <memory>
#include <string>

namespace bowhist::peers {

/// "akaze --threshold 0.0005": an extractor and its options, as `bowhist extract` takes them.
/// @throws CLI::Error where it would not
Recipe parse_recipe(const std::string &words);

/// One of ours or a peer: "dlib" (SURF) or "dsift" (VLFeat's dense SIFT).
/// @throws Error for one that is not here, naming its package
std::unique_ptr<Extractor> make_any_extractor(const Recipe &recipe);

/// dlib's SURF. --threshold and --max-descriptors where given, else dlib's own 30 and 10 000, of
/// which it drops those near the image's edge.
std::unique_ptr<Extractor> make_dlib_surf(const Recipe &recipe);

/// VLFeat's dense SIFT with flat windows on the patches that `dense` describes, flat ones too,
/// each size smoothed as vl_phow does.
std::unique_ptr<Extractor> make_vlfeat_dsift(const Recipe &recipe);

} // namespace bowhist::peers
