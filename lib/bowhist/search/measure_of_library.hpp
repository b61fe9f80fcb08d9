#pragma once

#include <bowhist/compare/word_measure.hpp>
#include <bowhist/core/histogram.hpp>
#include <bowhist/core/observer.hpp>
#include <bowhist/library/library.hpp>

#include <memory>
#include <span>
#include <string>

namespace bowhist {

/// The key of an image. Images of several libraries with one path and content have the same key.
std::string key_of(const LibraryImage &image);

/// The measure by which the words of libraries' images are compared. The weights of tfidf and bm25
/// come from these very images, however the libraries came to hold them: no update mixes two, and
/// an image that several of them hold counts once.
/// @param libraries  of one vocabulary, at least one; tfidf and bm25 read all their words
/// @throws as Library
WordMeasure measure_of(std::span<const std::unique_ptr<Library>> libraries,
                       Normalization normalization, Observer &observer);

} // namespace bowhist
