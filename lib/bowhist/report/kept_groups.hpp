#pragma once

#include <bowhist/core/observer.hpp>
#include <bowhist/library/library.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bowhist {

/// A group that a library keeps, with those of its images that are there.
struct KeptGroup {
    struct Member {
        std::int64_t id = 0;
        bool is_odd = false; ///< far from the others (group_card.hpp); of group -1 all
    };

    std::int32_t number = 0;          ///< -1: what fits nowhere
    std::string title = {};           ///< as text: "Group 3, Lisbon"
    std::vector<Member> members = {}; ///< the most typical first, as `cluster` orders them
};

/// The groups that a library keeps and that have an image: the largest first, -1 last. Reads a row
/// of each image.
/// @throws as Library
std::vector<KeptGroup> kept_groups(const Library &library, Observer &observer);

/// Patches of the words that set each group apart, JPEGs, by its number; cut from its most typical
/// images. Empty for a library without words, or without their places, and where the words of all
/// its images would take more than 256 MiB.
/// @param side  pixels
/// @throws as Library
std::map<std::int32_t, std::vector<std::string>> patches_of_groups(const Library &library, int side,
                                                                   Observer &observer);

} // namespace bowhist
