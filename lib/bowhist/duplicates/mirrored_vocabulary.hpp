#pragma once

#include <bowhist/tables/vocabulary/vocabulary_pair.hpp>

#include <cstdint>
#include <vector>

namespace bowhist {

/// Maps each word to the one that its mirrored centroid is nearest to. That is about the word of a
/// mirrored descriptor, for libraries that do not hold these.
/// @return nothing where descriptors cannot be mirrored: of other extractors, and prepared ones
std::vector<std::uint32_t> mirrored_vocabulary(const VocabularyPair &words);

} // namespace bowhist
