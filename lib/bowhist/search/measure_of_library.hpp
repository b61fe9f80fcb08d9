#pragma once

#include <bowhist/core/histogram.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/library/library.hpp>
#include <bowhist/search/word_measure.hpp>

#include <span>

namespace bowhist {

/// The measure by which the words of a library's images are compared. The weights of tfidf and bm25
/// come from these very images, however the library came to hold them: no update mixes two.
/// @param images  of the library, all that are compared; tfidf and bm25 read their words
/// @throws as Library
WordMeasure measure_of(const Library &library, std::span<const LibraryImage> images,
                       Normalization normalization, Observer &observer);

} // namespace bowhist
