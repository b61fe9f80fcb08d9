#pragma once

#include <bowhist/core/descriptors.hpp>
#include <bowhist/core/vocabulary.hpp>

#include <cstdint>

namespace bowhist {

/// Selects one of many reproducible data sets.
struct SyntheticData {
    std::uint64_t seed = 1;
    std::size_t clusters = 1000;  ///< centers of descriptors and words
    double noise = 0.5;           ///< standard deviation around a center; that of centers is 1
    double near_tie_share = 0.01; ///< rows put half-way between two words
};

/// n descriptors around the centers: for a seed the same on any threads, the first n of more than
/// n.
Descriptors synthetic_descriptors(const SyntheticData &data, std::size_t n, std::size_t dimensions);

/// k words around the same centers.
Vocabulary synthetic_vocabulary(const SyntheticData &data, std::size_t k, std::size_t dimensions);

/// Replaces a share of the rows, spread evenly, by points half-way between two words, a unit in the
/// last place off in some dimensions: no screen should prove them. With one word nothing changes.
void plant_near_ties(const SyntheticData &data, const Vocabulary &vocabulary,
                     Descriptors &descriptors);

/// k different rows of the data as words: a stand-in where no trained vocabulary is at hand.
/// @throws Error{Fault::usage} where there are fewer rows than words
Vocabulary rows_as_vocabulary(const Descriptors &descriptors, std::size_t k, std::uint64_t seed);

/// The rows over and over, until there are n; the first n of more than n.
Descriptors repeated(const Descriptors &descriptors, std::size_t n);

} // namespace bowhist
