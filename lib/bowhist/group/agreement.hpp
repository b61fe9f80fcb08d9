#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bowhist {

/// A group's images of one label.
struct LabelCount {
    std::size_t label = 0; ///< its place among all labels
    std::size_t images = 0;

    bool operator==(const LabelCount &) const = default;
};

/// How well groups agree with labels.
struct Agreement {
    std::vector<std::int32_t> groups;            ///< that hold labelled images, ascending
    std::vector<std::string> labels;             ///< in the order of their bytes
    std::vector<std::vector<LabelCount>> counts; ///< [group]: the labels that it holds, ascending
    std::size_t images = 0;                      ///< that have a label
    double purity = 0; ///< the share of images whose label is their group's most frequent
    double nmi = 0;    ///< normalized mutual information: by the mean of the two entropies; 1 where
                       ///< both divide nothing
    double ari = 0;    ///< adjusted Rand index (Hubert and Arabie 1985); 1 where both divide alike
};

/// Compares the groups of images with their labels. Group -1 counts as a group. Logarithms are
/// those of this library, so the figures are the same on every machine.
/// @param labels  of each image; images with an empty one are left out
Agreement agreement(std::span<const std::int32_t> groups, std::span<const std::string> labels);

} // namespace bowhist
