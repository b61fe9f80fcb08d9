#pragma once

#include <bowhist/group/grouping.hpp>
#include <bowhist/report/page.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace bowhist {

/// An image of a group.
struct Member {
    std::size_t row = 0;
    double distance = 0; ///< to the group's center
    bool is_odd = false; ///< of group -1, or far from its group: beyond the upper quartile of the
                         ///< distances by more than 1.5 times that between the quartiles
};

/// The images of each group, nearest to its center first. Group -1 comes before all, so that group
/// g is at g + 1.
std::vector<std::vector<Member>> members_of_groups(const Grouping &grouping);

/// A group as an overview shows it.
struct GroupCard {
    std::string id = {};                   ///< "group-3"
    std::string title = {};                ///< as text
    std::string count = {};                ///< "12 pictures"
    std::string remark = {};               ///< as text; empty: none
    std::vector<PageImage> images = {};    ///< the most typical, and three more
    std::vector<std::string> patches = {}; ///< URLs of its most characteristic words
};

/// How many images a card shows.
inline constexpr std::size_t images_of_card = 4;

/// A card that leads to a page.
std::string linked_card(const GroupCard &card, std::string_view url);

/// A card that opens; what is inside follows, and then `opened_card_end`.
std::string opening_card(const GroupCard &card);
inline constexpr std::string_view opening_card_end = "</div></details>\n";

} // namespace bowhist
